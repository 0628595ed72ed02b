"""A store that is away, told apart from our own mistakes: a line now and then, not a traceback."""

import time

import structlog

SAID_EVERY = 60.0
"""Seconds between two lines about the same outage."""

log = structlog.get_logger("varv.rooms")


class Outage:
    """What is logged when something that was asked for could not be done."""

    def __init__(self, away: tuple[type[Exception], ...]) -> None:
        """`away`: what the store raises when it cannot be reached or cannot write."""
        self._away = away
        self._lasts = False
        self._said = 0.0

    def failed(self, what: str, error: Exception, **facts: object) -> None:
        """Log it: with a traceback only if it is a mistake of ours."""
        if not isinstance(error, self._away):
            log.error(what, error=type(error).__name__, exc_info=error, **facts)
            return
        now = time.monotonic()
        if not self._lasts or now - self._said > SAID_EVERY:
            log.error(
                "the store or its disk fails: what needs it is refused until it is back",
                error=type(error).__name__,
                why=str(error)[:200],
            )
            self._said = now
        self._lasts = True

    def over(self) -> None:
        """Something has been stored."""
        if self._lasts:
            self._lasts = False
            log.warning("the store is back")
