"""What a guess is worth with a DJ: every combination of right and wrong parts."""

import pytest
from tests.table import table

from varv.rules.editions import EDITIONS
from varv.rules.model import PARTS, Card, CardKind, Guess, Part

DJ = EDITIONS["dj"]

WORTH = [
    # placement, title, artist → card at the year, card in the end, star, joker
    (True, True, True, True, True, True, True),
    (True, True, False, True, True, False, False),
    (True, False, True, True, True, False, False),
    (True, False, False, True, True, False, False),
    (False, True, True, False, True, False, False),
    (False, True, False, False, False, False, False),
    (False, False, True, False, False, False, False),
    (False, False, False, False, False, False, False),
]


@pytest.mark.rule("RND-11", "RND-12", "RND-21", "RND-22", "RND-24", "RND-25")
@pytest.mark.parametrize("who", ["Bo", "Ada"])
@pytest.mark.parametrize(
    ("placement", "title", "artist", "at_year", "card", "star", "joker"), WORTH, ids=str
)
def test_worth(who, placement, title, artist, at_year, card, star, joker):
    """Ada is the DJ: what she wins is a DJ Card, beside the timeline (RND-23)."""
    at = table("dj", 3).starts(1995).places(who, 1 if placement else 0)
    at.names(who, title=title, artist=artist).locks().reveals()
    kind = CardKind.DJ if who == "Ada" else CardKind.TIMELINE
    first = at.result(who)
    assert (first.placement, first.title, first.artist) == (placement, None, None)
    assert first.card == (kind if at_year else None)
    assert (first.star, first.joker_won, first.jokers_used, first.jokers) == (None,) * 4
    at.reveals()
    result = at.result(who)
    assert (result.placement, result.title, result.artist) == (placement, title, artist)
    assert result.card == (kind if card else None)
    assert (result.star, result.joker_won) == (star, joker)
    assert at.jokers(who) == result.jokers == 1 + joker
    player = at.player(who)
    won = [*player.timeline[1:], *player.side_cards]
    assert [(item.kind, item.star) for item in won] == ([(kind, star)] if card else [])
    assert at.timeline(who) == ([1990, 1995] if card and who == "Bo" else [1990])


@pytest.mark.rule("RND-21")
def test_a_part_not_sent_is_wrong():
    at = table("dj", 3).starts().places("Bo", 1).ends_round()
    assert (at.result("Bo").title, at.result("Bo").artist) == (False, False)
    nobody = at.result("Cia")
    assert (nobody.placement, nobody.card, nobody.guess) == (False, None, Guess())


@pytest.mark.rule("RND-23")
def test_a_dj_card_does_not_affect_later_placements():
    at = table("dj", 3).plays_round(2000, right=["Ada"]).next_round()
    at.starts(1995).places("Ada", 2).refused("POSITION_OUT_OF_RANGE").places("Ada", 1)
    assert at.ends_round().timeline("Ada") == [1990, 1995]


@pytest.mark.rule("RND-18")
def test_the_host_in_place_of_the_dj_wins_a_timeline_card():
    at = table("dj", 4).plays_until("Bo").starts().places("Ada", 1).removes("Bo").ends_round()
    assert at.result("Ada").card is CardKind.TIMELINE
    assert at.timeline("Ada") == [1990, 1995]


@pytest.mark.rule("JOK-06", "JOK-10", "JOK-09")
def test_jokers_used_are_told_and_paid_at_the_terminal_reveal():
    at = table("dj", 3).plays_round(right=["Bo"], named=["Bo"]).plays_until("Cia")
    assert at.jokers("Bo") == 2
    at.starts().uses_joker("Bo").places("Bo", 0).uses_joker("Bo", "title").titles("Bo")
    at.locks().reveals()
    assert at.jokers("Bo") == 2
    at.reveals()
    assert at.result("Bo").jokers_used == (Part.PLACEMENT, Part.TITLE)
    assert (at.result("Bo").placement, at.result("Bo").jokers, at.jokers("Bo")) == (False, 0, 0)


@pytest.mark.rule("JOK-09")
@pytest.mark.parametrize("right", [True, False])
@pytest.mark.parametrize("part", PARTS)
def test_a_joker_changes_neither_the_answer_nor_the_judgement(part, right):
    """Cia guesses as Bo does, without one; every other part is right."""
    at = table("dj", 3).starts(1995)
    answer = at.round.performance
    for name in ("Bo", "Cia"):
        for each in PARTS:
            if (name, each) == ("Bo", part):
                at.uses_joker("Bo", part)
            wanted = right or each != part
            if each is Part.PLACEMENT:
                at.places(name, at.position(name, right=wanted))
            else:
                at.guesses(name, each, at.option(each, right=wanted))
    at.ends_round()
    assert at.round.performance == answer
    with_, without = (at.result(name) for name in ("Bo", "Cia"))
    assert with_.jokers_used == (part,)
    assert getattr(with_, part) is right
    for field in ("placement", "title", "artist", "card", "position", "star", "joker_won"):
        assert getattr(with_, field) == getattr(without, field)


@pytest.mark.rule("GUE-04", "GUE-05", "GUE-06")
@pytest.mark.parametrize(
    ("guess", "open_", "titles", "artists"),
    [
        (Guess(), Part.PLACEMENT, None, None),
        (Guess(0), Part.TITLE, 10, None),
        (Guess(0, "t1"), Part.ARTIST, 10, 10),
        (Guess(0, "t1", "a1"), Part.ARTIST, 10, 10),
        (Guess(0, jokers=(Part.TITLE,)), Part.TITLE, 3, None),
        (Guess(0, "t1", jokers=(Part.ARTIST,)), Part.ARTIST, 10, 3),
        (Guess(0, "t1", "a1", jokers=(Part.TITLE, Part.ARTIST)), Part.ARTIST, 3, 3),
    ],
    ids=str,
)
def test_what_is_open_and_shown_after_each_part(guess, open_, titles, artists):
    performance = table("dj", 3).starts().round.performance
    assert performance is not None
    assert DJ.open_parts(guess) == (open_,)
    for part, count in ((Part.TITLE, titles), (Part.ARTIST, artists)):
        shown = DJ.options(performance, guess, part)
        assert (len(shown) if shown is not None else None) == count
        few = performance.few_titles if part is Part.TITLE else performance.few_artists
        assert count != 3 or shown == few
        assert count != 10 or shown == tuple(range(10))


@pytest.mark.rule("RANK-03")
def test_score():
    star = Card(CardKind.TIMELINE, 1990, star=True, cycle=1)
    start, plain = Card(CardKind.START, 1990), Card(CardKind.DJ, 1990, cycle=1)
    assert DJ.score([start, star], [plain]) == (2, 1)
    assert DJ.score([start], []) == (0, 0)


def test_what_it_says_of_itself():
    assert (DJ.name, DJ.late_join, DJ.leader_guesses, DJ.predicts) == ("dj", False, True, False)
    assert not DJ.moves_on_without_leader
    at = table("dj", 3).starts()
    assert DJ.not_ready_to_lock(at.round) is None
    assert DJ.outcome(at.game, at.round) is None
    assert DJ.leader_card(at.round) is None
