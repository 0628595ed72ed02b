"""Figures drawn from a tally, for the tables and the plot alike."""

from collections import Counter

from msgspec import Struct

from varv.bots.skills import SKILLS
from varv.bots.tally import Tally
from varv.rules.model import Difficulty, Part


def share(part: float, whole: float) -> float:
    """A share, and none of nothing."""
    return part / whole if whole else 0.0


def skills_of(tally: Tally) -> list[str]:
    """The skills that were at the tables, the least first."""
    return [name for name in SKILLS if tally.guesses[name]]


def cards_of(tally: Tally, skill: str | None) -> Counter[int]:
    """Cards → players of this skill, or of any."""
    counts: Counter[int] = Counter()
    for (name, cards), players in tally.cards.items():
        if skill in (None, name):
            counts[cards] += players
    return counts


class Spread(Struct, frozen=True):
    """Where counted values lie."""

    mean: float
    least: int
    most: int


def spread(counts: Counter[int]) -> Spread:
    """The mean and the ends of counted values."""
    if not counts:
        return Spread(0.0, 0, 0)
    total = sum(value * times for value, times in counts.items())
    return Spread(total / counts.total(), min(counts), max(counts))


def guessers_of(tally: Tally) -> list[int]:
    """The numbers of guessers that there were."""
    return sorted({guessers for guessers, _ in tally.difficulties})


def rounds_with(tally: Tally, guessers: int) -> Counter[Difficulty]:
    """Difficulty → rounds with this many guessers."""
    return Counter({each: tally.difficulties[guessers, each] for each in Difficulty})


class Foresight(Struct, frozen=True):
    """How often Oracles predicted right, beside what needs no thought."""

    right: float
    by_lot: float
    """One of the three, at random."""
    commonest: float
    """Always the difficulty that is commonest with that many guessers."""


def foresight(tally: Tally) -> Foresight:
    """How good the predictions were."""
    rounds = tally.predictions.total()
    right = sum(tally.predictions[each, each] for each in Difficulty)
    best = sum(max(rounds_with(tally, guessers).values()) for guessers in guessers_of(tally))
    return Foresight(share(right, rounds), 1 / len(Difficulty), share(best, rounds))


def predicted(tally: Tally, difficulty: Difficulty) -> int:
    """How often Oracles said this."""
    return sum(tally.predictions[difficulty, actual] for actual in Difficulty)


def jokers_used(tally: Tally, skill: str | None, part: Part | None = None) -> int:
    """Jokers laid by players of this skill on this part; None is any."""
    return sum(
        used
        for (name, on), used in tally.jokers_used.items()
        if skill in (None, name) and part in (None, on)
    )
