"""Where a song fits in a timeline."""

import pytest

from varv.rules import timeline
from varv.rules.model import Card, CardKind


def cards(*years: int) -> tuple[Card, ...]:
    return tuple(Card(CardKind.SONG, year) for year in years)


@pytest.mark.rule("RND-20")
@pytest.mark.parametrize(
    ("years", "position", "year", "right"),
    [
        ((1990,), 0, 1989, True),
        ((1990,), 0, 1990, True),
        ((1990,), 0, 1991, False),
        ((1990,), 1, 1989, False),
        ((1990,), 1, 1990, True),
        ((1990,), 1, 1991, True),
        ((1980, 1990), 1, 1979, False),
        ((1980, 1990), 1, 1980, True),
        ((1980, 1990), 1, 1985, True),
        ((1980, 1990), 1, 1990, True),
        ((1980, 1990), 1, 1991, False),
        ((1980, 1990), 0, 1985, False),
        ((1980, 1990), 2, 1985, False),
        ((1980, 1990, 2000), 2, 1995, True),
        ((1980, 1990, 2000), 2, 1989, False),
        ((1980, 1990, 2000), 2, 2001, False),
        ((1990, 1990), 1, 1990, True),
        ((1990, 1990), 1, 1991, False),
        ((1990,), None, 1990, False),
    ],
    ids=str,
)
def test_placement_is_right_between_its_neighbours(years, position, year, right):
    assert timeline.fits(cards(*years), position, year) is right


@pytest.mark.rule("RND-21")
def test_no_placement_is_wrong_wherever_the_song_belongs():
    assert not any(timeline.fits(cards(1990), None, year) for year in range(1950, 2025))


@pytest.mark.rule("RND-28")
@pytest.mark.parametrize(
    ("years", "year", "position"),
    [
        ((1990,), 1980, 0),
        ((1990,), 1990, 1),
        ((1990,), 2000, 1),
        ((1980, 1990, 2000), 1990, 2),
        ((1980, 1990, 1990, 2000), 1990, 3),
        ((1980, 1990, 2000), 1979, 0),
        ((1980, 1990, 2000), 2000, 3),
    ],
    ids=str,
)
def test_a_card_without_a_place_goes_after_its_own_year(years, year, position):
    assert timeline.position_by_year(cards(*years), year) == position


def test_laying_a_card_moves_the_later_ones_on():
    new = Card(CardKind.SONG, 1985)
    assert timeline.lay(cards(1980, 1990), 0, new) == (new, *cards(1980, 1990))
    assert timeline.lay(cards(1980, 1990), 1, new) == (*cards(1980), new, *cards(1990))
    assert timeline.lay(cards(1980, 1990), 2, new) == (*cards(1980, 1990), new)
