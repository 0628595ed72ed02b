"""The ladder: which of several claims about a year of first release is believed."""

from collections.abc import Iterable
from datetime import UTC, datetime
from functools import cache

from varv.music.model import YearClaim, YearSource

_LADDER = {source: step for step, source in enumerate(YearSource)}
FIRST_YEAR = 1500
TRUSTED = "trusted date tag"
"""The detail of a user's claim that a file makes: the user believes its date."""


def plausible(year: int) -> bool:
    """Whether music can have been released that year."""
    return FIRST_YEAR <= year <= _this_year() + 1


@cache
def _this_year() -> int:
    return datetime.now(UTC).year


def settle(claims: Iterable[YearClaim]) -> tuple[int, YearSource]:
    """The year of the most trusted source; (0, UNSURE) when nobody says anything."""
    best = min(claims, key=lambda claim: (_LADDER[claim.source], claim.year), default=None)
    return (best.year, best.source) if best is not None else (0, YearSource.UNSURE)
