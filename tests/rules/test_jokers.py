"""What becomes of a player's jokers."""

import pytest

from varv.rules import jokers
from varv.rules.model import Guess, Part


@pytest.mark.rule("JOK-01", "JOK-10")
@pytest.mark.parametrize(
    ("balance", "used", "won", "after"),
    [
        (0, 0, False, 0),
        (0, 0, True, 1),
        (1, 0, False, 1),
        (1, 1, False, 0),
        (1, 1, True, 1),
        (2, 1, True, 2),
        (2, 0, True, 3),
        (3, 0, True, 3),
        (3, 0, False, 3),
        (3, 1, True, 3),
        (3, 3, False, 0),
        (3, 3, True, 1),
    ],
)
def test_balance_after_the_terminal_reveal(balance, used, won, after):
    assert jokers.settle(balance, used, won=won) == after


@pytest.mark.rule("JOK-10")
def test_a_balance_never_leaves_its_bounds():
    for balance in range(-2, 7):
        for used in range(4):
            for won in (False, True):
                assert 0 <= jokers.settle(balance, used, won=won) <= 3


@pytest.mark.rule("JOK-05")
@pytest.mark.parametrize(("balance", "laid", "left"), [(0, 0, 0), (1, 0, 1), (2, 1, 1), (2, 2, 0)])
def test_jokers_left(balance, laid, left):
    assert jokers.left(balance, Guess(jokers=tuple(Part)[:laid])) == left


@pytest.mark.rule("JOK-07")
@pytest.mark.parametrize(
    ("year", "decade"),
    [(1979, (1970, 1979)), (1980, (1980, 1989)), (1989, (1980, 1989)), (1990, (1990, 1999)),
     (2000, (2000, 2009)), (1899, (1890, 1899))],
)  # fmt: skip
def test_decade(year, decade):
    assert jokers.decade(year) == decade
