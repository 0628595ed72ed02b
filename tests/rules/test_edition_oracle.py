"""What a guess and a prediction are worth with an Oracle."""

import pytest
from tests.table import table

from varv.rules.editions import EDITIONS
from varv.rules.model import PARTS, Card, CardKind, Difficulty, Guess, Part

ORACLE = EDITIONS["oracle"]

WORTH = [
    # placement, title, artist → card, joker
    (True, True, True, True, True),
    (True, True, False, True, False),
    (True, False, True, True, False),
    (True, False, False, True, False),
    (False, True, True, False, True),
    (False, True, False, False, False),
    (False, False, True, False, False),
    (False, False, False, False, False),
]


@pytest.mark.rule("RND-21", "RND-26", "RND-27")
@pytest.mark.parametrize(("placement", "title", "artist", "card", "joker"), WORTH, ids=str)
def test_worth(placement, title, artist, card, joker):
    at = table("oracle", 3).starts(1995).places("Bo", 1 if placement else 0)
    at.names("Bo", title=title, artist=artist).ends_round()
    result = at.result("Bo")
    assert (result.placement, result.title, result.artist) == (placement, title, artist)
    assert result.card == (CardKind.SONG if card else None)
    assert result.position == (1 if card else None)
    assert (result.joker_won, result.star) == (joker, False)
    assert at.jokers("Bo") == result.jokers == 1 + joker
    assert at.timeline("Bo") == ([1990, 1995] if card else [1990])
    assert not any(item.star for item in at.player("Bo").timeline)


@pytest.mark.rule("RND-26", "PRE-03")
@pytest.mark.parametrize("predicted", Difficulty)
@pytest.mark.parametrize(("right", "difficulty"), [(0, "hard"), (1, "medium"), (2, "easy")])
def test_an_oracle_card_for_a_right_prediction(predicted, right, difficulty):
    at = table("oracle", 3).starts(1995).places_right(*("Bo", "Cia")[:right])
    at.ends_round(predicts=predicted)
    assert at.round.outcome is not None
    assert at.round.outcome.difficulty == difficulty
    assert at.side_cards("Ada") == (["oracle"] if predicted == difficulty else [])
    assert at.timeline("Ada") == [1990]
    assert at.jokers("Ada") == 1
    assert at.round.results is not None
    assert list(at.round.results) == ["p2", "p3"]


@pytest.mark.rule("RND-13", "PRE-03")
def test_the_outcome_counts_whoever_guesses_when_the_round_locks():
    at = table("oracle", 5).starts(1995).places_right("Bo", "Cia").places_wrong("Dan")
    at.predicts("easy").removes("Eva").locks()
    assert at.round.outcome is not None
    assert (at.round.outcome.guessers, at.round.outcome.correct) == (3, 2)
    at.removes("Bo").reveals()
    assert (at.round.outcome.guessers, at.round.outcome.correct) == (3, 2)
    assert at.snapshot()["round"]["correct"] == 2
    assert at.side_cards("Ada") == ["oracle"]


@pytest.mark.rule("JOK-06", "JOK-10", "JOK-09")
def test_a_joker_is_paid_at_the_reveal_and_makes_nothing_right():
    at = table("oracle", 3).starts().uses_joker("Bo").places_wrong("Bo").predicts("easy").locks()
    assert at.jokers("Bo") == 1
    at.reveals()
    assert (at.result("Bo").jokers_used, at.jokers("Bo")) == ((Part.PLACEMENT,), 0)
    assert not at.result("Bo").placement


@pytest.mark.rule("GUE-03", "CAN-02")
@pytest.mark.parametrize(
    "guess", [Guess(), Guess(0, "t1"), Guess(0, "t1", "a1", (Part.PLACEMENT,))]
)
def test_everything_is_open_and_shown_all_the_time(guess):
    performance = table("oracle", 3).starts().round.performance
    assert performance is not None
    assert ORACLE.open_parts(guess) == PARTS
    for part in (Part.TITLE, Part.ARTIST):
        assert ORACLE.options(performance, guess, part) == tuple(range(10))


@pytest.mark.rule("RANK-04")
def test_score():
    start, song = Card(CardKind.START, 1990), Card(CardKind.SONG, 1990, cycle=1)
    assert ORACLE.score([start, song, song], [Card(CardKind.ORACLE, 1990, cycle=1)]) == (3, 1)


def test_what_it_says_of_itself():
    said = (ORACLE.name, ORACLE.late_join, ORACLE.leader_guesses, ORACLE.predicts)
    assert said == ("oracle", True, False, True)
    assert ORACLE.moves_on_without_leader


@pytest.mark.rule("RND-10")
def test_only_a_prediction_is_needed_to_lock():
    """Nobody has to have guessed."""
    at = table("oracle", 3).starts().locks().refused("PREDICTION_MISSING").predicts("hard").locks()
    assert at.round.state == "LOCKED"
