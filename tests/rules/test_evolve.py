"""What events leave in the game, and who can see that something changed."""

import msgspec
import pytest
from tests.table import Table, draw, lobby, table

from varv.rules import evolve, replay
from varv.rules.events import PlayerJoined, StartYearSet
from varv.rules.model import CardKind, Guess
from varv.rules.views import version

EDITIONS = pytest.mark.parametrize("edition", ["dj", "oracle"])


def versions(at: Table) -> dict[str | None, int]:
    """The version of everyone's view, and of a shared screen's."""
    return {player: version(at.game, player) for player in (*at.game.players, None)}


def seen_by(at: Table, does) -> set[str]:
    """Whose version a move raises; "screen" is a shared screen."""
    before = versions(at)
    does(at)
    after = versions(at)
    return {at.name(player) if player else "screen"
            for player in after if after[player] > before[player]}  # fmt: skip


ALL = {"Ada", "Bo", "Cia", "screen"}


@EDITIONS
@pytest.mark.rule("VIEW-08")
@pytest.mark.parametrize(
    ("move", "who"),
    [
        (lambda at: at.places("Bo", 0), ALL),
        (lambda at: at.uses_joker("Bo"), {"Bo"}),
        (lambda at: at.plays(by="Ada"), set()),
        (lambda at: at.changes_song(), ALL),
        (lambda at: at.aborts(), ALL),
        (lambda at: at.removes("Bo"), {"Ada", "Cia", "screen"}),
        (lambda at: at.finishes(), ALL),
    ],
    ids=["guess", "joker", "play", "song", "abort", "removal", "finish"],
)
def test_who_can_see_a_change(edition, move, who):
    assert seen_by(table(edition, 3).starts(), move) == who


@pytest.mark.rule("VIEW-08")
def test_a_change_of_mind_is_seen_by_its_owner_alone():
    at = table("oracle", 3).starts().places("Bo", 0).names("Bo").predicts("easy")
    assert seen_by(at, lambda at: at.places("Bo", 1)) == {"Bo"}
    assert seen_by(at, lambda at: at.titles("Bo", right=False)) == {"Bo"}
    assert seen_by(at, lambda at: at.artists("Bo", right=False)) == {"Bo"}
    assert seen_by(at, lambda at: at.artists("Bo", right=False)) == set()
    assert seen_by(at, lambda at: at.predicts("hard")) == {"Ada"}
    assert seen_by(at, lambda at: at.predicts("hard")) == set()
    assert seen_by(at, lambda at: at.withdraws("Bo", "title")) == ALL
    assert seen_by(at, lambda at: at.withdraws("Bo", "title")) == set()
    assert seen_by(at, lambda at: at.titles("Bo")) == ALL
    dj = table("dj", 3).starts().places("Bo", 1).names("Bo")
    assert seen_by(dj, lambda at: at.artists("Bo", right=False)) == {"Bo"}


@pytest.mark.rule("VIEW-08")
def test_that_a_prediction_was_made_is_seen_by_all():
    assert seen_by(table("oracle", 3).starts(), lambda at: at.predicts("easy")) == ALL


@pytest.mark.rule("VIEW-08")
@EDITIONS
def test_versions_count_up_one_by_one(edition):
    at = lobby(edition, 3)
    assert versions(at) == {"p1": 6, "p2": 6, "p3": 6, None: 6}
    at.starts_game()
    assert versions(at) == {"p1": 9, "p2": 9, "p3": 9, None: 9}
    at.starts().uses_joker("Bo")
    assert versions(at) == {"p1": 10, "p2": 11, "p3": 10, None: 10}
    at.removes("Bo")
    assert at.game.private_changes == {"p1": 0, "p3": 0}


def test_nothing_of_the_old_game_changes():
    at = table("dj", 3).starts().places("Bo", 1)
    before = msgspec.json.encode(at.game)
    old = at.game
    at.names("Bo").removes("Cia")
    assert msgspec.json.encode(old) == before


def test_replay_goes_on_from_a_game():
    at = lobby("dj", 3)
    later = replay([PlayerJoined("p4", "Dan"), StartYearSet("p4", 1999)], at.game)
    assert later.players["p4"].start_year == 1999
    assert evolve(at.game, PlayerJoined("p4", "Dan")).joined == 4


@pytest.mark.rule("GAME-11", "JOK-01")
@EDITIONS
def test_the_deal(edition):
    at = lobby(edition, 3, years={"Ada": 1985})
    assert all(not player.timeline and player.jokers == 0 for player in at.game.players.values())
    at.starts_game()
    for player in at.game.players.values():
        (card,) = player.timeline
        assert card.kind is CardKind.START
        assert card.year == player.start_year
        assert (card.round, card.cycle, card.song, card.star) == (None, None, None, False)
        assert (player.jokers, player.cycle) == (1, 1)


@pytest.mark.rule("CYC-14")
def test_only_newcomers_are_dealt_to_in_a_later_cycle():
    at = table("oracle", 3).plays_round(right=["Bo"]).plays_cycle().joins("Dan")
    at.sets_year("Dan", 2001).starts_cycle()
    assert at.timeline("Bo") == [1990, 1995]
    assert at.timeline("Dan") == [2001]
    assert (at.jokers("Bo"), at.jokers("Dan")) == (1, 1)
    assert [player.cycle for player in at.game.players.values()] == [1, 1, 1, 2]


@pytest.mark.rule("RND-26", "RND-28")
def test_a_card_knows_its_song_round_and_cycle():
    at = table("oracle", 3).plays_cycle().starts_cycle()
    number = at.draws + 1
    at.plays_round(1980, right=["Bo"], predicts="medium")
    song = draw(number, 1980).song
    card = at.player("Bo").timeline[0]
    assert card.kind is CardKind.SONG
    assert (card.year, card.title, card.artist, card.song) == (
        1980, song.title, song.artist, song.id,
    )  # fmt: skip
    assert (card.round, card.cycle) == (4, 2)
    (side,) = at.player("Ada").side_cards
    assert (side.kind, side.year, side.round, side.cycle) == (CardKind.ORACLE, 1980, 4, 2)
    assert (side.song, side.star) == (song.id, False)


@pytest.mark.rule("RND-24")
def test_a_star_stays_on_the_card_where_it_lies():
    at = table("dj", 4).plays_round(2000, right=["Bo", "Cia"]).next_round()
    at.starts(1995).places("Cia", 1).names("Cia").places("Bo", 1).places("Ada", 1).names("Ada")
    at.locks().reveals()
    assert at.timeline("Cia") == [1990, 1995, 2000]
    assert not any(card.star for card in at.player("Cia").timeline)
    at.reveals()
    assert [card.star for card in at.player("Cia").timeline] == [False, True, False]
    assert [card.star for card in at.player("Ada").timeline] == [False, True]
    assert at.side_cards("Bo") == ["dj"]
    assert [card.star for card in at.player("Bo").side_cards] == [False]


@pytest.mark.rule("RND-24", "RND-23")
def test_a_dj_card_gets_its_star_beside_the_timeline():
    at = table("dj", 3).plays_round(right=["Ada"]).plays_cycle().starts_cycle()
    at.starts(1996).places_right("Ada").names("Ada").locks().reveals()
    assert [card.star for card in at.player("Ada").side_cards] == [False, False]
    at.reveals()
    assert [card.star for card in at.player("Ada").side_cards] == [False, True]
    assert at.timeline("Ada") == [1990]


@pytest.mark.rule("GAME-15", "RND-05", "RND-14")
def test_what_a_half_revealed_round_gave_is_taken_back_and_nothing_else():
    at = table("dj", 4).plays_round(1985, right=["Ada", "Bo", "Cia"]).next_round()
    at.starts(1988).places("Ada", 0).places("Bo", 1).places("Cia", 2).places("Dan", 0)
    at.uses_joker("Cia", "title").locks().reveals()
    assert (at.timeline("Ada"), at.timeline("Dan")) == ([1988, 1990], [1988, 1990])
    assert at.timeline("Bo") == [1985, 1990]
    assert at.side_cards("Bo") == ["dj"]
    at.finishes()
    assert at.timeline("Ada") == [1990]
    assert at.side_cards("Ada") == ["dj"]
    assert (at.timeline("Bo"), at.side_cards("Bo")) == ([1985, 1990], [])
    assert at.timeline("Cia") == [1985, 1990]
    assert at.timeline("Dan") == [1990]
    assert at.jokers("Cia") == 1
    last = at.game.last_round
    assert last is not None
    assert (last.results, last.guesses, last.prediction, last.outcome) == (None, {}, None, None)


@pytest.mark.rule("RND-14")
def test_nothing_of_what_was_said_outlives_an_abort():
    at = table("oracle", 3).starts().places_right("Bo").predicts("easy").locks().aborts()
    last = at.game.last_round
    assert last is not None
    assert (last.state, last.aborted_because) == ("ABORTED", "HOST")
    assert (last.results, last.guesses, last.prediction, last.outcome) == (None, {}, None, None)


@pytest.mark.rule("PRF-04", "GUE-01")
@EDITIONS
def test_a_new_song_voids_what_was_said_of_the_old(edition):
    at = table(edition, 3).starts().uses_joker("Bo").places("Bo", 1)
    if edition == "oracle":
        at.predicts("easy")
    assert at.round.guesses["p2"] == Guess(placement=1, jokers=("placement",))
    at.changes_song()
    assert at.round.guesses == {}
    assert at.round.prediction is None
    assert at.round.state == "GUESSING"


@pytest.mark.rule("RND-17", "RND-29")
@EDITIONS
def test_a_removed_player_is_nowhere(edition):
    at = table(edition, 6).starts().uses_joker("Bo").places_right("Bo", "Cia").removes("Bo")
    assert "p2" not in at.round.guesses
    at.ends_round()
    assert at.round.results is not None
    assert [player for player, result in at.round.results.items() if result.card] == ["p3"]
    assert "p2" not in at.round.results
    at.removes("Cia")
    assert at.round.results is not None
    assert "p3" not in at.round.results
    at.next_round()
    at.removes("Eva")
    assert at.game.last_round is not None
    assert at.game.last_round.results is not None
    assert "p5" not in at.game.last_round.results
    everything = msgspec.json.encode(at.game).decode()
    for player in ("p2", "p3", "p5"):
        assert f'"{player}"' not in everything


@pytest.mark.rule("RND-09", "RND-13")
def test_unlocking_unfixes_the_outcome():
    at = table("oracle", 3).starts().places_right("Bo").predicts("easy").locks()
    assert at.round.outcome is not None
    assert (at.round.outcome.guessers, at.round.outcome.correct) == (2, 1)
    at.unlocks()
    assert at.round.outcome is None
    assert at.round.prediction == "easy"
    assert table("dj", 3).starts().locks().round.outcome is None
