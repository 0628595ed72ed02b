"""How long a bot that leads waits for those who have not guessed."""

SILENCE = 180.0
"""Seconds in which nothing is seen to happen, after which a table without a countdown goes on."""


def seconds_left(deadline: int | None, now: int, quiet: float) -> float:
    """Until the countdown is over, or without one until it has been `quiet` for long.

    `deadline` and `now` are in epoch milliseconds. Only what everyone can see may count as a noise:
    a bot that waits longer because somebody used a joker would give it away (VIEW-08).
    """
    return SILENCE - quiet if deadline is None else (deadline - now) / 1000
