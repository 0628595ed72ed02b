"""What guesses, jokers and predictions lead to, and what they are refused for."""

import pytest
from tests.table import table

from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.model import Part


@pytest.mark.rule("GUE-08")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
@pytest.mark.parametrize("choice", [-1, 2, 99, 10**30, "0", "t0", True, 1.0])
def test_no_such_position(edition, choice):
    at = table(edition, 3).starts().guesses("Bo", "placement", choice)
    at.refused("POSITION_OUT_OF_RANGE", positions=[0, 1])


@pytest.mark.rule("GUE-08")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
@pytest.mark.parametrize("position", [0, 1])
def test_positions_from_before_the_first_to_after_the_last(edition, position):
    at = table(edition, 3).starts().places("Bo", position)
    assert at.last == (e.GuessSubmitted("p2", Part.PLACEMENT, position),)


@pytest.mark.rule("GUE-08")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
@pytest.mark.parametrize("choice", ["t10", "a0", "", "T0", 0, 3, True, 1.5, ["t0"]])
def test_no_such_option(edition, choice):
    at = table(edition, 3).starts().places("Bo", 0).guesses("Bo", "title", choice)
    at.refused("UNKNOWN_OPTION")


@pytest.mark.rule("GUE-08", "JOK-08")
@pytest.mark.parametrize("part", ["title", "artist"])
def test_with_a_joker_only_the_three_may_be_chosen(part):
    at = table("dj", 3).starts().places("Bo", 1)
    if part == "artist":
        at.titles("Bo")
    at.uses_joker("Bo", part)
    few = getattr(at.round.performance, f"few_{part}s")
    for index in set(range(10)) - set(few):
        at.guesses("Bo", part, f"{part[0]}{index}").refused("UNKNOWN_OPTION")
    at.guesses("Bo", part, f"{part[0]}{few[-1]}").accepted()


@pytest.mark.rule("GUE-02")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_no_such_part(edition):
    at = table(edition, 3).starts().guesses("Bo", "album", 0)
    at.refused("UNKNOWN_PART", parts=["placement", "title", "artist"])
    at.uses_joker("Bo", "album").refused("UNKNOWN_PART", parts=["placement", "title", "artist"])


@pytest.mark.rule("GUE-04", "GUE-05")
def test_order_is_told():
    at = table("dj", 3).starts().titles("Bo")
    at.refused("PART_OUT_OF_ORDER", expected="placement").uses_joker("Bo", "artist")
    at.refused("PART_OUT_OF_ORDER", expected="placement").places("Bo", 1).artists("Bo")
    at.refused("PART_OUT_OF_ORDER", expected="title").places("Bo", 0)
    at.refused("PART_FINAL", part="placement").names("Bo").titles("Bo")
    at.refused("PART_FINAL", part="title").uses_joker("Bo", "artist")
    at.refused("PART_OUT_OF_ORDER", expected=None)


@pytest.mark.parametrize(
    "edition",
    [
        pytest.param("dj", marks=pytest.mark.rule("GUE-05")),
        pytest.param("oracle", marks=pytest.mark.rule("GUE-03")),
    ],
)
def test_the_same_choice_again_changes_nothing(edition):
    at = table(edition, 3).starts().places("Bo", 1).names("Bo").artists("Bo")
    assert at.last == ()


@pytest.mark.rule("GUE-03")
def test_oracle_withdraws():
    at = table("oracle", 3).starts().places("Bo", 0).withdraws("Bo", "placement")
    assert at.last == (e.GuessWithdrawn("p2", Part.PLACEMENT),)
    at.withdraws("Bo", "placement")
    assert at.last == ()
    at.places("Bo", 0)
    assert at.last == (e.GuessSubmitted("p2", Part.PLACEMENT, 0),)


@pytest.mark.rule("PRE-01", "PRE-02")
def test_predictions():
    at = table("oracle", 3).starts()
    for value in ("easy", "medium", "hard"):
        at.predicts(value)
        assert at.last == (e.PredictionMade(value),)
        assert at.round.prediction == value
    at.predicts("hard")
    assert at.last == ()
    at.predicts("EASY").refused("UNKNOWN_DIFFICULTY", difficulties=["easy", "medium", "hard"])


@pytest.mark.rule("JOK-04", "JOK-03")
def test_jokers_are_told_why_not():
    at = table("oracle", 3).starts().uses_joker("Bo", "title")
    at.refused("PART_TAKES_NO_JOKER", part="title").uses_joker("Bo").uses_joker("Bo")
    at.refused("JOKER_ALREADY_USED", part="placement")
    at = table("dj", 3).starts().uses_joker("Bo").uses_joker("Bo")
    at.refused("JOKER_ALREADY_USED", part="placement")


@pytest.mark.rule("PRF-07")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_playing_changes_nothing(edition):
    at = table(edition, 3).starts()
    before = at.game
    at.plays(by="Ada").stops(by="Ada")
    assert at.game is before


@pytest.mark.rule("GUE-07")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_a_guess_is_always_the_senders_own(edition):
    """There is no field for whose guess it is: the server knows who sent it."""
    assert c.SubmitGuess.__struct_fields__ == ("round", "performance", "part", "choice")
    at = table(edition, 3).starts().places("Bo", 0)
    assert list(at.round.guesses) == ["p2"]
