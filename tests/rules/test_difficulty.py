"""The table of PRE-03, cell by cell, as it stands in the user's document."""

import pytest

from varv.rules import difficulty
from varv.rules.model import Difficulty

HARD, MEDIUM, EASY = Difficulty.HARD, Difficulty.MEDIUM, Difficulty.EASY
S3 = {
    2: [HARD, MEDIUM, EASY],
    3: [HARD, MEDIUM, EASY, EASY],
    4: [HARD, HARD, MEDIUM, EASY, EASY],
    5: [HARD, HARD, MEDIUM, MEDIUM, EASY, EASY],
    6: [HARD, HARD, HARD, MEDIUM, MEDIUM, EASY, EASY],
    7: [HARD, HARD, HARD, MEDIUM, MEDIUM, EASY, EASY, EASY],
    8: [HARD, HARD, HARD, MEDIUM, MEDIUM, MEDIUM, EASY, EASY, EASY],
    9: [HARD, HARD, HARD, HARD, MEDIUM, MEDIUM, MEDIUM, EASY, EASY, EASY],
}
"""Guessers → the difficulty with 0, 1, 2 … right placements."""

CELLS = [
    (guessers, correct, expected)
    for guessers, row in S3.items()
    for correct, expected in enumerate(row)
]


@pytest.mark.rule("PRE-03")
@pytest.mark.parametrize(
    ("guessers", "correct", "expected"),
    CELLS,
    ids=[f"PRE-03 {correct} of {guessers}: {expected}" for guessers, correct, expected in CELLS],
)
def test_cell(guessers: int, correct: int, expected: Difficulty):
    outcome = difficulty.judge(guessers, correct)
    assert (outcome.guessers, outcome.correct) == (guessers, correct)
    assert outcome.difficulty is expected


@pytest.mark.rule("PRE-03")
@pytest.mark.parametrize("guessers", S3)
def test_the_scale_that_is_shown_says_the_same(guessers: int):
    scale = difficulty.scale(guessers)
    assert list(scale) == [HARD, MEDIUM, EASY]
    told = [
        value
        for correct in range(guessers + 1)
        for value, (low, high) in scale.items()
        if low <= correct <= high
    ]
    assert told == S3[guessers]


@pytest.mark.rule("PRE-03")
def test_every_number_of_guessers_there_can_be_has_a_row():
    assert set(difficulty.MEDIUM) == set(range(2, 10))
