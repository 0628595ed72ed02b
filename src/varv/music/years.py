"""The ladder: which of several claims about a year of first release is believed."""

from collections.abc import Iterable
from datetime import UTC, datetime

from varv.music.model import YearClaim, YearSource

_LADDER = {source: step for step, source in enumerate(YearSource)}
FIRST_YEAR = 1500


def plausible(year: int) -> bool:
    """Whether music can have been released that year."""
    return FIRST_YEAR <= year <= datetime.now(UTC).year + 1


def settle(claims: Iterable[YearClaim]) -> tuple[int, YearSource]:
    """The year of the most trusted source; (0, UNSURE) when nobody says anything."""
    ranked = sorted(claims, key=lambda claim: (_LADDER[claim.source], claim.year))
    if not ranked:
        return 0, YearSource.UNSURE
    return ranked[0].year, ranked[0].source
