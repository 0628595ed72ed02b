"""Creating a game and joining it."""

import pytest
from tests.table import MIX, lobby

from varv.rules import Setup, create, join
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.model import MAX_PLAYERS_FREE, MAX_PLAYERS_PREMIUM, MIN_PLAYERS, Options
from varv.rules.refusals import Reason, Refusal, refuse

CHANGE = c.OptionsChange


def created(edition="oracle", name="Ada", options=None):
    return create("K7QX", edition, name, Setup(MIX, 5), options or CHANGE())


@pytest.mark.rule("GAME-18")
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
    ("options", "facts"),
    [
        (CHANGE(audio="loud"), {"audio": ["default", "everyone", "screen"]}),
        (CHANGE(guess_seconds=0), {"guess_seconds": [1, 3600]}),
        (CHANGE(guess_seconds=3601), {"guess_seconds": [1, 3600]}),
    ],
    ids=["audio", "no time", "too much time"],
)
def test_options_that_there_are_not(options, facts):
    assert created(options=options) == refuse(Reason.OPTIONS_INVALID, **facts)


def test_neither_an_unknown_edition_nor_a_host_without_a_name():
    no_edition = created(edition="chess")
    assert no_edition == refuse(Reason.UNKNOWN_EDITION, editions=["dj", "oracle"])
    assert created(name="\n") == refuse(Reason.NAME_INVALID)


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


def test_ids_are_never_used_twice():
    at = lobby("dj", 3).removes("Cia").joins("Dan")
    assert list(at.game.players) == ["p1", "p2", "p4"]
    assert at.game.joined == 4
