"""What each command leads to, what it is refused for, and the facts that come with a refusal."""

import msgspec
import pytest
from tests.table import MIX, Table, lobby, table

from varv.rules import Chance, Setup, create, decide, join
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.model import (
    MAX_PLAYERS_FREE,
    MAX_PLAYERS_PREMIUM,
    MIN_PLAYERS,
    Mix,
    Options,
    Part,
)
from varv.rules.refusals import Reason, Refusal, refuse

CHANGE = c.OptionsChange


def created(edition="oracle", name="Ada", options=None):
    return create("K7QX", edition, name, Setup(MIX, 5), options or CHANGE())


# Creating and joining


@pytest.mark.rule("GAME-01", "GAME-18")
def test_create():
    options = CHANGE(audio="everyone", guess_seconds=90)
    assert created(name=" Ada ", options=options) == (
        e.GameCreated("K7QX", "oracle", MIX, Options("everyone", 90), 3, 5),
        e.PlayerJoined("p1", "Ada"),
    )


@pytest.mark.rule("GAME-18")
@pytest.mark.parametrize("seats", [0, 2, 11])
def test_no_entitlement_seats_more_or_fewer_than_the_rules_know(seats):
    with pytest.raises(ValueError, match="3 to 10"):
        Setup(MIX, seats)


@pytest.mark.rule("GAME-18")
def test_how_few_and_how_many():
    assert (MIN_PLAYERS, MAX_PLAYERS_FREE, MAX_PLAYERS_PREMIUM) == (3, 5, 10)


@pytest.mark.rule("GAME-18")
@pytest.mark.parametrize("seats", [3, 10])
def test_entitlements_may_seat_as_few_or_as_many_as_the_rules_know(seats):
    assert Setup(MIX, seats).max_players == seats


@pytest.mark.parametrize(
    ("changes", "refusal"),
    [
        ({"edition": "chess"}, refuse(Reason.UNKNOWN_EDITION, editions=["dj", "oracle"])),
        ({"name": "\n"}, refuse(Reason.NAME_INVALID)),
        (
            {"options": CHANGE(audio="loud")},
            refuse(Reason.OPTIONS_INVALID, audio=["default", "everyone", "screen"]),
        ),
        (
            {"options": CHANGE(guess_seconds=0)},
            refuse(Reason.OPTIONS_INVALID, guess_seconds=[1, 3600]),
        ),
        (
            {"options": CHANGE(guess_seconds=3601)},
            refuse(Reason.OPTIONS_INVALID, guess_seconds=[1, 3600]),
        ),
    ],
    ids=["edition", "name", "audio", "no time", "too much time"],
)
def test_create_is_refused(changes, refusal):
    assert created(**changes) == refusal


@pytest.mark.parametrize(
    "options",
    [
        CHANGE(guess_seconds=1),
        CHANGE(guess_seconds=3600),
        CHANGE(guess_seconds=None),
        CHANGE(audio="screen"),
    ],
)
def test_create_with_options(options):
    assert not isinstance(created(options=options), Refusal)


@pytest.mark.rule("GAME-02", "GAME-18")
def test_join():
    at = lobby("dj", 4, max_players=5).removes("Cia").joins("Bo", bot=True)
    assert at.last == (e.PlayerJoined("p5", "Bo 2", bot=True),)
    assert join(at.game, " ") == refuse(Reason.NAME_INVALID)
    assert join(at.game, "Fia") == (e.PlayerJoined("p6", "Fia", bot=False),)
    at.joins("Fia")
    assert join(at.game, "Gus") == refuse(Reason.TOO_MANY_PLAYERS, max_players=5)
    assert at.game.players["p5"].bot
    assert not at.game.players["p6"].bot


@pytest.mark.rule("GAME-18")
def test_ids_are_never_used_twice():
    at = lobby("dj", 3).removes("Cia").joins("Dan")
    assert list(at.game.players) == ["p1", "p2", "p4"]
    assert at.game.joined == 4


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


@pytest.mark.rule("MUS-02", "ENT-02")
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
@pytest.mark.parametrize(
    "reason", [Reason.MIX_NOT_ALLOWED, Reason.UNKNOWN_MIX, Reason.MIX_NOT_PLAYABLE]
)
def test_a_mix_that_the_owner_may_not_use(reason):
    at = lobby("oracle", 3).sends("Ada", c.Configure(mix="gold"), Chance(setup=reason))
    at.refused(reason, mix="gold")


@pytest.mark.rule("ENT-02")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_entitlements_are_not_asked_for_once_the_game_has_started(edition):
    """The same refusal whatever the owner may use, and a game that goes on as before."""
    at = table(edition, 3)
    for setup in (Setup(MIX, 5), Reason.MIX_NOT_ALLOWED, None):
        at.sends("Ada", c.Configure(mix="gold"), Chance(setup=setup)).refused("GAME_NOT_IN_LOBBY")
    assert (at.game.max_players, at.game.mix) == (10, MIX)


# The round


@pytest.mark.rule("RND-06", "PRF-01", "CAN-02")
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


@pytest.mark.rule("GUE-09")
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


# Guesses, jokers, predictions


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
def test_with_a_joker_only_the_three_may_be_chosen():
    at = table("dj", 3).starts().places("Bo", 1).uses_joker("Bo", "title")
    performance = at.round.performance
    assert performance is not None
    for index in range(10):
        at.guesses("Bo", "title", f"t{index}")
        if index in performance.few_titles:
            assert at.refusal is None
            return
        at.refused("UNKNOWN_OPTION")


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


@pytest.mark.rule("GUE-03")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
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


# Several things wrong at once: malformed, not a player, STALE, state, role, order, value


def _dj_guessing() -> Table:
    return table("dj", 4).plays_until("Bo").removes("Dan").starts()


def _oracle_guessing() -> Table:
    return table("oracle", 4).plays_until("Bo").removes("Dan").starts()


@pytest.mark.rule("GUE-09")
@pytest.mark.parametrize(
    ("at", "player", "command", "reason"),
    [
        pytest.param(_dj_guessing, "Dan", c.StartGame(), "REMOVED", id="not a player, state"),
        pytest.param(_dj_guessing, "Dan", c.LockRound(1, 1), "REMOVED", id="not a player, stale"),
        pytest.param(_dj_guessing, "Cia", c.UnlockRound(1), "STALE", id="stale, state, role"),
        pytest.param(_dj_guessing, "Cia", c.LockRound(2, 2), "STALE", id="stale song, role"),
        pytest.param(
            _dj_guessing, "Cia", c.Reveal(1, "NOWHERE"), "STALE", id="stale, state, role, value"
        ),
        pytest.param(
            _dj_guessing, "Cia", c.Reveal(2, "REVEALED_FULL"), "ROUND_NOT_IN_REVEALED_TIMELINE",
            id="state, role",
        ),
        pytest.param(
            _dj_guessing, "Cia", c.Reveal(2, "NOWHERE"), "ROUND_NOT_IN_LOCKED",
            id="state, role, value",
        ),
        pytest.param(_dj_guessing, "Cia", c.StartGame(), "GAME_NOT_IN_LOBBY", id="game, role"),
        pytest.param(
            _dj_guessing, "Cia", c.StartCycle(), "CYCLE_NOT_IN_BOUNDARY_DECISION",
            id="cycle, role",
        ),
        pytest.param(
            _dj_guessing, "Cia", c.SetStartYear(1900), "START_YEAR_FIXED", id="fixed, value"
        ),
        pytest.param(_dj_guessing, "Cia", c.RemovePlayer("p1"), "HOST_ONLY", id="role, value"),
        pytest.param(
            _dj_guessing, "Ada", c.Predict(2, 1, "x"), "NOT_IN_THIS_EDITION",
            id="edition, role, value",
        ),
        pytest.param(
            _dj_guessing, "Bo", c.UseJoker(2, 1, "album"), "LEADER_USES_NO_JOKER",
            id="role, unknown part",
        ),
        pytest.param(
            _dj_guessing, "Bo", c.UseJoker(2, 1, "artist"), "LEADER_USES_NO_JOKER",
            id="role, order",
        ),
        pytest.param(
            _dj_guessing, "Cia", c.SubmitGuess(2, 1, "title", "t99"), "PART_OUT_OF_ORDER",
            id="order, value",
        ),
        pytest.param(
            lambda: _dj_guessing().places("Cia", 0), "Cia",
            c.SubmitGuess(2, 1, "placement", 99), "PART_FINAL", id="final, value",
        ),
        pytest.param(
            _dj_guessing, "Cia", c.SubmitGuess(2, 1, "artist", None), "PART_FINAL",
            id="withdrawn, out of order",
        ),
        pytest.param(
            _oracle_guessing, "Cia", c.LockRound(2, 1), "LEADER_ONLY", id="role, not yet"
        ),
        pytest.param(
            _oracle_guessing, "Bo", c.SubmitGuess(2, 1, "album", 99), "ORACLE_DOES_NOT_GUESS",
            id="role, unknown part, value",
        ),
        pytest.param(
            _oracle_guessing, "Cia", c.Predict(2, 1, "x"), "LEADER_ONLY", id="role, difficulty"
        ),
        pytest.param(
            lambda: _oracle_guessing().uses_joker("Cia"), "Cia", c.UseJoker(2, 1, "title"),
            "PART_TAKES_NO_JOKER", id="jokers: the part before already used",
        ),
        pytest.param(
            lambda: _oracle_guessing().uses_joker("Cia"), "Cia", c.UseJoker(2, 1, "placement"),
            "JOKER_ALREADY_USED", id="jokers: already used before none left",
        ),
        pytest.param(
            lambda: _dj_guessing().uses_joker("Cia").places("Cia", 0), "Cia",
            c.UseJoker(2, 1, "placement"), "PART_OUT_OF_ORDER",
            id="jokers: the part before already used and none left",
        ),
        pytest.param(
            lambda: lobby("dj", 2, years=None), "Bo", c.StartGame(), "HOST_ONLY",
            id="role, too few, years",
        ),
        pytest.param(
            lambda: lobby("dj", 2, years=None), "Ada", c.StartGame(), "TOO_FEW_PLAYERS",
            id="too few, years",
        ),
        pytest.param(
            lambda: lobby("dj", 3).finishes(), "Bo", c.SetStartYear(1900), "GAME_FINISHED",
            id="finished, value",
        ),
        pytest.param(
            lambda: lobby("dj", 3).finishes(), "Bo", c.StartGame(), "GAME_FINISHED",
            id="finished, role",
        ),
    ],
)  # fmt: skip
def test_the_first_thing_wrong_is_told(at, player, command, reason):
    at().sends(player, command).refused(reason)


@pytest.mark.rule("JOK-05")
def test_none_left_is_the_last_thing_told_of_a_joker():
    at = table("oracle", 3).starts().uses_joker("Bo").ends_round().plays_until("Cia").starts()
    assert at.jokers("Bo") == 0
    at.uses_joker("Bo", "title").refused("PART_TAKES_NO_JOKER")
    at.uses_joker("Bo").refused("NO_JOKER_LEFT")


@pytest.mark.rule("GUE-07")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_a_guess_is_always_the_senders_own(edition):
    """There is no field for whose guess it is: the server knows who sent it."""
    assert c.SubmitGuess.__struct_fields__ == ("round", "performance", "part", "choice")
    at = table(edition, 3).starts().places("Bo", 0)
    assert list(at.round.guesses) == ["p2"]


@pytest.mark.rule("GUE-07")
def test_decide_tells_events_or_a_refusal():
    at = lobby("dj", 3)
    before = msgspec.json.encode(at.game)
    assert decide(at.game, "p1", c.FinishGame(), Chance()) == (e.GameFinished(None),)
    assert decide(at.game, "p2", c.FinishGame(), Chance()) == refuse(Reason.HOST_ONLY)
    assert decide(at.game, "p9", c.FinishGame(), Chance()) == refuse(Reason.REMOVED)
    assert msgspec.json.encode(at.game) == before
