"""How hard a round was, by how many placed the song right."""

from functools import cache

from varv.rules.model import Difficulty, Outcome

MEDIUM: dict[int, tuple[int, int]] = {
    2: (1, 1),
    3: (1, 1),
    4: (2, 2),
    5: (2, 3),
    6: (3, 4),
    7: (3, 4),
    8: (3, 5),
    9: (4, 6),
}
"""Guessers → from and to how many right placements make a round medium (PRE-03)."""


@cache
def scale(guessers: int) -> dict[Difficulty, tuple[int, int]]:
    """What each difficulty means with this many guessers: right placements from and to."""
    low, high = MEDIUM[guessers]
    return {
        Difficulty.HARD: (0, low - 1),
        Difficulty.MEDIUM: (low, high),
        Difficulty.EASY: (high + 1, guessers),
    }


def judge(guessers: int, correct: int) -> Outcome:
    """The difficulty of a round; titles and artists never affect it (PRE-03, PRE-04)."""
    low, high = MEDIUM[guessers]
    difficulty = (
        Difficulty.HARD
        if correct < low
        else Difficulty.MEDIUM
        if correct <= high
        else Difficulty.EASY
    )
    return Outcome(guessers, correct, difficulty)
