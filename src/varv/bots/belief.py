"""What somebody believes of a song's year, and what a timeline makes of it."""

import math
from collections.abc import Sequence
from itertools import pairwise

from msgspec import Struct

_ALMOST_NEVER = 1e-9


class Belief(Struct, frozen=True):
    """A normal distribution, possibly cut off at both ends by what is known for certain."""

    year: float
    spread: float
    low: float = -math.inf
    high: float = math.inf

    def chance(self, first: float, last: float) -> float:
        """How likely the year is one of these, both included."""
        low, high = max(first, self.low), min(last, self.high)
        if low > high:
            return 0.0
        whole = self._mass(self.low, self.high)
        if whole < _ALMOST_NEVER:
            # What is known contradicts what was heard: then any year that is left will do.
            return (high - low + 1) / (self.high - self.low + 1)
        return self._mass(low, high) / whole

    def _mass(self, first: float, last: float) -> float:
        return self._below(last + 0.5) - self._below(first - 0.5)

    def _below(self, year: float) -> float:
        return 0.5 + 0.5 * math.erf((year - self.year) / (self.spread * math.sqrt(2)))


def placements(belief: Belief, years: Sequence[int]) -> list[float]:
    """How likely each position in a timeline of these years is right; equal years are (RND-20)."""
    return [belief.chance(left, right) for left, right in pairwise((-math.inf, *years, math.inf))]


def right_span(years: Sequence[int], year: int) -> tuple[float, float]:
    """The years next to this one in a timeline: an idea between them leads to a right place."""
    return (
        max((other for other in years if other < year), default=-math.inf),
        min((other for other in years if other > year), default=math.inf),
    )
