"""Jokers: how many a player may still lay, and what becomes of a balance."""

from varv.rules.model import MAX_JOKERS, Guess


def left(balance: int, guess: Guess) -> int:
    """How many more jokers may be laid on the active performance (JOK-05)."""
    return balance - len(guess.jokers)


def settle(balance: int, used: int, *, won: bool) -> int:
    """The balance after the terminal reveal, never outside 0 to 3 (JOK-01, JOK-10)."""
    return max(0, min(balance - used + won, MAX_JOKERS))


def decade(year: int) -> tuple[int, int]:
    """What a joker on the placement shows (JOK-07)."""
    start = year - year % 10
    return start, start + 9
