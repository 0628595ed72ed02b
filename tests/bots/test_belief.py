"""What a bot makes of a year it has half heard."""

import math

import pytest

from varv.bots.belief import Belief, placements, right_span


def test_the_places_of_a_timeline_share_all_chance():
    chances = placements(Belief(1985, 5), [1980, 1990])
    assert sum(chances) >= 1
    assert chances[1] == max(chances)


def test_equal_years_count_on_either_side():
    before, after = placements(Belief(1990, 0.1), [1990])
    assert before == pytest.approx(1) and after == pytest.approx(1)


def test_a_decade_rules_out_all_other_places():
    belief = Belief(1968, 6, 1970, 1979)
    assert placements(belief, [1960, 1969, 1980]) == pytest.approx([0, 0, 1, 0])


def test_a_decade_that_contradicts_what_was_heard_is_believed():
    belief = Belief(1900, 1, 1980, 1989)
    assert placements(belief, [1985]) == pytest.approx([0.6, 0.5])


def test_the_right_span_lies_between_the_neighbours():
    assert right_span([1980, 1985, 1985, 1990], 1985) == (1980, 1990)
    assert right_span([1990], 1980) == (-math.inf, 1990)
