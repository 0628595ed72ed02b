"""What commands about the game and its rounds lead to, and what they are refused for."""

import msgspec
import pytest
from tests.table import MIX, lobby, table

from varv.rules import Chance, Setup, decide
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.model import Mix, Options
from varv.rules.refusals import Reason, Refusal, refuse

CHANGE = c.OptionsChange


# The game


@pytest.mark.rule("GAME-07")
@pytest.mark.parametrize(("year", "accepted"), [(1979, False), (1980, True), (1995, True),
                                                (2010, True), (2011, False), (1990.5, False),
                                                (1990.0, False), ("1990", False)])  # fmt: skip
def test_start_years(year, accepted):
    at = lobby("dj", 3, years=None).sets_year("Bo", year)
    if accepted:
        assert at.last == (e.StartYearSet("p2", year),)
    else:
        at.refused("START_YEAR_OUT_OF_RANGE", start_years=[1980, 2010])


def test_the_same_start_year_again_changes_nothing():
    at = lobby("dj", 3).sets_year("Bo", 1990)
    assert at.last == ()


@pytest.mark.rule("GAME-08", "GAME-10")
def test_why_a_game_cannot_start():
    lobby("dj", 2).starts_game().refused("TOO_FEW_PLAYERS", players=2, min_players=3)
    at = lobby("dj", 4, years={"Bo": None, "Dan": None}).starts_game()
    at.refused("START_YEAR_MISSING", players=["p2", "p4"])


@pytest.mark.rule("GAME-18", "ENT-02")
def test_a_smaller_mix_may_leave_too_many_at_the_table():
    """An owner without Premium changes back: too many to start, and nobody is thrown out."""
    at = lobby("dj", 6, max_players=10)
    chance = Chance(setup=Setup(Mix("base", "Base", 20), 5))
    at.sends("Ada", c.Configure(mix="base"), chance)
    assert at.last == (e.GameConfigured(Mix("base", "Base", 20), Options(), 5),)
    at.starts_game().refused("TOO_MANY_PLAYERS", players=6, max_players=5)
    at.removes("Fia").starts_game()
    assert at.game.state == "IN_PROGRESS"


@pytest.mark.rule("GAME-16", "GAME-17")
def test_whom_nobody_can_remove():
    at = table("dj", 4).removes("p9").refused("UNKNOWN_PLAYER", player="p9")
    at.removes("Ada").refused("HOST_CANNOT_BE_REMOVED")
    at.removes("Dan").removes("Dan").refused("UNKNOWN_PLAYER", player="p4")


@pytest.mark.rule("MUS-02")
def test_configure():
    at = lobby("dj", 3, options=CHANGE(guess_seconds=30))
    at.configures(options=CHANGE(audio="screen"))
    assert at.last == (e.GameConfigured(MIX, Options("screen", 30), 10),)
    at.configures(options=CHANGE(guess_seconds=None))
    assert at.game.options == Options("screen", None)
    at.configures(options=CHANGE(audio="nowhere")).refused("OPTIONS_INVALID")
    at.configures(options=CHANGE())
    assert at.last == ()
    at.configures()
    assert at.last == ()
    at.configures(mix="other", options=CHANGE(guess_seconds=5))
    assert (at.game.mix.id, at.game.options.guess_seconds) == ("other", 5)
    at.configures(mix="other")
    assert at.last == ()


@pytest.mark.rule("ENT-01", "ENT-02", "MUS-02")
def test_a_mix_that_the_owner_may_not_use():
    at = lobby("oracle", 3)

    def told(reason):
        return at.sends("Ada", c.Configure(mix="gold"), Chance(setup=reason))

    told(Reason.MIX_NOT_ALLOWED).refused("MIX_NOT_ALLOWED", mix="gold")
    told(Reason.UNKNOWN_MIX).refused("UNKNOWN_MIX", mix="gold")
    told(Reason.MIX_NOT_PLAYABLE).refused("MIX_NOT_PLAYABLE", mix="gold")
    assert at.game.mix == MIX


@pytest.mark.rule("ENT-02")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_entitlements_are_not_asked_for_once_the_game_has_started(edition):
    """The same refusal whatever the owner may use, and a game that goes on as before."""
    at = table(edition, 3)
    for setup in (Setup(MIX, 5), Reason.MIX_NOT_ALLOWED, None):
        at.sends("Ada", c.Configure(mix="gold"), Chance(setup=setup)).refused("GAME_NOT_IN_LOBBY")
    assert (at.game.max_players, at.game.mix) == (10, MIX)


# The round


@pytest.mark.rule("RND-06", "PRF-01")
def test_starting_makes_a_performance_of_the_drawn_song():
    at = table("oracle", 3, options=CHANGE(guess_seconds=20))
    at.now = 5_000
    at.starts(1987)
    (event,) = at.last
    assert isinstance(event, e.PerformanceStarted)
    performance = event.performance
    assert performance.number == 1
    assert performance.deadline == 25_000
    assert performance.song.year == 1987
    assert performance.titles[int(performance.title[1:])] == performance.song.title
    assert performance.artists[int(performance.artist[1:])] == performance.song.artist
    drawn = at.chance().draw
    at.changes_song(1999)
    second = at.round.performance
    assert second is not None
    assert second.number == 2
    for field in ("titles", "artists", "few_titles", "few_artists", "group", "recording"):
        assert getattr(second, field) == getattr(drawn, field)
    assert table("oracle", 3).starts().round.performance.deadline is None


@pytest.mark.rule("PRF-09", "CAN-05")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_nothing_to_draw(edition):
    at = table(edition, 3).sends("Ada", c.StartRound(1), Chance(draw=Reason.MIX_EXHAUSTED))
    at.refused("MIX_EXHAUSTED", mix="test").starts()
    at.sends("Ada", c.ChangeSong(1, 1), Chance(draw=Reason.OPTIONS_EXHAUSTED))
    at.refused("OPTIONS_EXHAUSTED", mix="test")


@pytest.mark.rule("CAN-05", "CAN-04")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_options_that_return_in_the_same_round_abort_it(edition):
    at = table(edition, 3).starts()
    at.draws = 0  # the first song is drawn once more, with the same options
    at.changes_song()
    assert at.game.last_round is not None
    assert at.game.last_round.aborted_because == "INVALID_CANDIDATES"


@pytest.mark.rule("RND-03", "RND-04")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_reveal_to_a_state_there_is_not(edition):
    at = table(edition, 3).starts()
    at.reveals("ABORTED").refused("ROUND_NOT_IN_LOCKED")
    if edition == "oracle":
        at.predicts("easy")
    at.locks().reveals("NOWHERE", by="Bo").refused("LEADER_ONLY").reveals("NOWHERE")
    at.refused("UNKNOWN_STATE", states=["REVEALED_TIMELINE", "REVEALED_FULL"]
               if edition == "dj" else ["REVEALED"])  # fmt: skip


@pytest.mark.rule("GUE-09")
def test_a_late_tap_is_told_what_is_current():
    at = table("oracle", 3).plays_round().next_round().starts().changes_song()
    for command, facts in (
        (c.LockRound(2, 1), {"round": 2, "performance": 2}),
        (c.LockRound(1, 2), {"round": 2}),
        (c.UnlockRound(1), {"round": 2}),
    ):
        assert decide(at.game, "p2", command, Chance()) == Refusal(Reason.STALE, facts)


@pytest.mark.rule("RND-03")
def test_a_refused_reveal_tells_the_state_of_the_round():
    at = table("dj", 3).starts().reveals("REVEALED_TIMELINE")
    at.refused("ROUND_NOT_IN_LOCKED", state="GUESSING")
    at.locks().reveals("REVEALED_FULL").refused("ROUND_NOT_IN_REVEALED_TIMELINE", state="LOCKED")


@pytest.mark.parametrize(
    ("does", "reason", "facts"),
    [
        (lambda at: at.locks(), "ROUND_NOT_IN_GUESSING", {"state": "READY"}),
        (lambda at: at.starts().starts(), "ROUND_NOT_IN_READY", {"state": "GUESSING"}),
        (lambda at: at.starts_cycle(), "CYCLE_NOT_IN_BOUNDARY_DECISION", {"state": "ACTIVE"}),
        (lambda at: at.starts_game(), "GAME_NOT_IN_LOBBY", {"state": "IN_PROGRESS"}),
        (lambda at: at.plays_cycle().next_round(), "CYCLE_NOT_IN_ACTIVE",
         {"state": "BOUNDARY_DECISION"}),
        (lambda at: at.starts().ends_round().aborts(), "ROUND_ALREADY_REVEALED",
         {"state": "REVEALED"}),
    ],
)  # fmt: skip
def test_a_wrong_state_is_told(does, reason, facts):
    does(table("oracle", 3)).refused(reason, **facts)


def test_a_cycle_before_the_game_has_started():
    lobby("dj", 3).starts_cycle().refused("GAME_NOT_IN_PROGRESS", state="LOBBY")


@pytest.mark.rule("GAME-12")
def test_decide_tells_events_or_a_refusal():
    at = lobby("dj", 3)
    before = msgspec.json.encode(at.game)
    assert decide(at.game, "p1", c.FinishGame(), Chance()) == (e.GameFinished(None),)
    assert decide(at.game, "p2", c.FinishGame(), Chance()) == refuse(Reason.HOST_ONLY)
    assert decide(at.game, "p9", c.FinishGame(), Chance()) == refuse(Reason.REMOVED)
    assert msgspec.json.encode(at.game) == before
