"""What a bot does, on its own view alone."""

import inspect
import random
from typing import get_type_hints

import pytest
from msgspec.structs import replace
from tests.bots.table import GROUP, do, guessing, seated

from varv.bots.hearing import Hearing
from varv.bots.player import Bot
from varv.bots.skills import SKILLS
from varv.music.options import lay_out
from varv.rules import commands as c
from varv.rules import views
from varv.rules.candidates import option_id
from varv.rules.model import Game, Part, RoundState

BOTH = pytest.mark.parametrize("edition", ["dj", "oracle"])
SURE = Hearing(1984, 0.5, "Title 4", "Artist 4")
VAGUE = Hearing(1991, 12.0)


def bot(seed: int = 1) -> Bot:
    return Bot(SKILLS["regular"], random.Random(seed))


def act(game: Game, player: str, hearing: Hearing | None = None, **how) -> c.Command | None:
    return bot().act(views.snapshot(game), views.viewer(game, player), hearing, **how)


def all_acts(game: Game, player: str, hearing: Hearing | None) -> tuple[list[c.Command], Game]:
    """What a bot does until it has nothing more to do."""
    one, done = bot(), []
    while command := one.act(
        views.snapshot(game), views.viewer(game, player), hearing, waiting_for=[player]
    ):
        done.append(command)
        game = do(game, player, command)
        if isinstance(command, c.LockRound):
            break
    return done, game


def test_it_chooses_a_start_year_once():
    game = seated("oracle")
    command = act(game, "p2")
    assert isinstance(command, c.SetStartYear) and 1980 <= command.year <= 2010
    assert act(do(game, "p2", command), "p2") is None


def test_start_years_differ():
    game = seated("oracle")
    snapshot, viewer = views.snapshot(game), views.viewer(game, "p2")
    years = {bot(seed).act(snapshot, viewer, None).year for seed in range(60)}
    assert len(years) > 10 and min(years) >= 1980 and max(years) <= 2010


@BOTH
def test_whoever_knows_the_song_gets_everything_right(edition):
    done, game = all_acts(guessing(edition), "p2", SURE)
    performance, guess = game.round.performance, game.round.guesses["p2"]
    assert (guess.placement, guess.title, guess.artist, guess.jokers) == (
        0, performance.title, performance.artist, (),
    )  # fmt: skip
    assert len(done) == 3


@BOTH
def test_in_doubt_it_lays_a_joker_and_believes_the_decade(edition):
    done, game = all_acts(guessing(edition), "p2", VAGUE)
    assert c.UseJoker(1, 1, "placement") not in done  # one card: either side is likely enough
    crowded = guessing(edition)
    years = (1975, 1985, 1988, 1991, 1994, 1997)
    mine = replace(
        crowded.players["p2"],
        timeline=tuple(replace(crowded.players["p2"].timeline[0], year=year) for year in years),
    )
    crowded = replace(crowded, players={**crowded.players, "p2": mine})
    done, game = all_acts(crowded, "p2", VAGUE)
    assert done[:2] == [c.UseJoker(1, 1, "placement"), c.SubmitGuess(1, 1, "placement", 1)]
    assert game.round.guesses["p2"].jokers == (Part.PLACEMENT,)


def test_it_lays_a_joker_on_the_one_name_it_does_not_know():
    done, game = all_acts(guessing("dj"), "p2", Hearing(1984, 0.5, "Title 4", None))
    assert c.UseJoker(1, 1, "artist") in done
    few = game.round.performance.few_artists
    assert game.round.guesses["p2"].artist in [option_id(Part.ARTIST, index) for index in few]


@pytest.mark.rule("RND-07")
def test_a_dj_guesses_without_jokers():
    done, _ = all_acts(guessing("dj"), "p1", Hearing(1990, 20.0, "Title 4", None))
    assert not any(isinstance(command, c.UseJoker) for command in done)
    assert isinstance(done[-1], c.LockRound)


def test_an_oracle_predicts_before_it_locks():
    done, _ = all_acts(guessing("oracle"), "p1", None)
    assert [type(command) for command in done] == [c.Predict, c.LockRound]


def test_a_leader_waits_for_those_expected_and_no_others():
    game = guessing("oracle")
    game = do(game, "p1", c.Predict(1, 1, "easy"))
    _, game = all_acts(game, "p2", SURE)
    assert act(game, "p1") is None
    assert act(game, "p1", waiting_for={"p1", "p2", "p3"}) is None
    assert act(game, "p1", waiting_for={"p1", "p2"}) == c.LockRound(1, 1)
    for player in ("p3", "p4"):
        _, game = all_acts(game, player, VAGUE)
    assert act(game, "p1") == c.LockRound(1, 1)


@BOTH
def test_a_leader_reveals_step_by_step_and_leads_on_only_if_told(edition):
    game = do(guessing(edition), "p1", c.Predict(1, 1, "easy")) if edition == "oracle" else (
        guessing(edition)
    )  # fmt: skip
    game = do(game, "p1", c.LockRound(1, 1))
    states = []
    while isinstance(command := act(game, "p1"), c.Reveal):
        game = do(game, "p1", command)
        states.append(game.round.state)
    dj = [RoundState.REVEALED_TIMELINE, RoundState.REVEALED_FULL]
    assert states == (dj if edition == "dj" else [RoundState.REVEALED])
    assert act(game, "p1") is None
    assert act(game, "p1", leads_on=True) == c.NextRound(1)
    assert act(game, "p2", leads_on=True) is None


@pytest.mark.rule("RND-18")
def test_a_host_leads_in_place_of_a_dj_who_left():
    game = guessing("dj")
    game = do(game, "p1", c.LockRound(1, 1))
    for state in (RoundState.REVEALED_TIMELINE, RoundState.REVEALED_FULL):
        game = do(game, "p1", c.Reveal(1, state))
    game = do(game, "p1", c.NextRound(1))
    other = [replace(song, id=f"{song.id}b") for song in GROUP]
    game = do(game, "p2", c.StartRound(2), lay_out(other, other[3], random.Random(2)))
    game = do(game, "p1", c.RemovePlayer("p2"))
    done, game = all_acts(game, "p1", SURE)
    assert isinstance(done[-1], c.LockRound)


@BOTH
@pytest.mark.parametrize("hearing", [SURE, VAGUE, Hearing(1979, 14.0, None, "Artist 2"), None])
@pytest.mark.rule("VIEW-05")
def test_the_answer_itself_makes_no_difference(edition, hearing):
    """Same options, same hearing, another right answer: the same commands."""
    game = guessing(edition)
    performance = game.round.performance
    few = [performance.titles[index] for index in performance.few_titles]
    other = next(song for song in GROUP if song.title in few and song != performance.song)
    swapped = replace(
        game,
        round=replace(
            game.round,
            performance=replace(
                performance,
                song=other,
                title=option_id(Part.TITLE, performance.titles.index(other.title)),
                artist=option_id(Part.ARTIST, performance.artists.index(other.artist)),
            ),
        ),
    )
    for player in ("p2", "p3", "p4"):
        assert all_acts(game, player, hearing)[0] == all_acts(swapped, player, hearing)[0]


def test_a_bot_is_given_nothing_but_its_view_and_its_hearing():
    hints = get_type_hints(Bot.act)
    assert list(inspect.signature(Bot.act).parameters) == [
        "self", "snapshot", "viewer", "hearing", "waiting_for", "leads_on",
    ]  # fmt: skip
    assert hints["snapshot"] is views.Snapshot and hints["viewer"] is views.Viewer
    assert hints["hearing"] == Hearing | None
    assert list(inspect.signature(Bot).parameters) == ["skill", "rng"]


def test_in_the_dark_it_still_guesses_every_part():
    _, game = all_acts(guessing("oracle"), "p3", None)
    guess = game.round.guesses["p3"]
    assert None not in (guess.placement, guess.title, guess.artist)
