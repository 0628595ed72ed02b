"""The views as JSON: the same bytes, made again only where something has changed (VIEW-08)."""

from collections import Counter
from typing import Any

import msgspec
import pytest
from tests.scenarios.notation import play, scenarios
from tests.table import Table, draw, lobby, table

from varv.rules.model import Game
from varv.rules.views import Encoder, encoder, snapshot, version, viewer

EDITIONS = pytest.mark.parametrize("edition", ["dj", "oracle"])


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """How often each part of the views was made, not taken from what is remembered."""
    counted: Counter[str] = Counter()

    def count(name: str) -> None:
        make = getattr(encoder, name)

        def counting(*arguments: Any) -> Any:
            counted[name] += 1
            return make(*arguments)

        monkeypatch.setattr(encoder, name, counting)

    for name in ("player_view", "standings", "offers", "viewer_with", "part_options"):
        count(name)
    return counted


def look(views: Encoder, at: Table) -> None:
    """Everyone looks, and sees what they should."""
    assert views.snapshot(at.game) == msgspec.json.encode(snapshot(at.game))
    for player in at.game.players:
        assert views.viewer(at.game, player) == msgspec.json.encode(viewer(at.game, player))


@EDITIONS
def test_only_what_has_changed_is_made_again(edition: str, made: Counter[str]) -> None:
    at = table(edition, players=4).starts(1995)
    views = Encoder()
    look(views, at)
    made.clear()
    look(views, at)
    assert not made, "nothing has changed"
    at.places_right("Bo")
    look(views, at)
    assert made.pop("viewer_with") == 1, "only Bo's view"
    made.pop("part_options", None)
    assert not made
    at.places_right("Cia")
    look(views, at)
    assert made == {"viewer_with": 1}, "Cia is shown the options that Bo was"


def test_only_players_who_were_judged_are_made_again(made: Counter[str]) -> None:
    at = table("oracle", players=5).starts(1995).places_right("Bo").places_wrong("Cia")
    at.predicts("easy").locks()
    views = Encoder()
    look(views, at)
    made.clear()
    at.reveals()
    look(views, at)
    assert at.side_cards("Ada") == [], "the Oracle was wrong and got nothing"
    assert (made["player_view"], made["standings"]) == (4, 1)


@pytest.mark.rule("VIEW-03")
def test_cards_are_made_again_when_their_names_are_no_longer_hidden() -> None:
    at = table("dj", players=3).starts(1995).places_right("Bo", "Cia").locks().reveals()
    views = Encoder()
    look(views, at)
    song = draw(1).song
    names = (song.title.encode(), song.artist.encode())
    assert not any(name in views.snapshot(at.game) for name in names)
    at.reveals()
    look(views, at)
    assert all(views.snapshot(at.game).count(name) == 3 for name in names), "answer and two cards"


@pytest.mark.rule("JOK-08", "GUE-06")
def test_everyone_is_shown_their_own_options_though_others_are_remembered() -> None:
    at = table("dj", players=5).starts(1995)
    views = Encoder()
    at.places_right("Bo", "Cia", "Dan").uses_joker("Bo", "title")
    look(views, at)
    assert [at.view(name)["options"]["artist"] for name in ("Bo", "Dan")] == [None, None]
    for name in ("Cia", "Dan"):
        at.titles(name)
    look(views, at)
    at.uses_joker("Cia", "artist")
    look(views, at)
    assert len(at.view("Cia")["options"]["artist"]) == 3
    assert len(at.view("Dan")["options"]["artist"]) == 10
    at.changes_song()
    look(views, at)


def _url(_: Game, player: str) -> str:
    return f"/audio/{player}"


def _moves(edition: str):
    at = lobby(edition, 4)
    yield at
    yield at.starts_game()
    yield at.starts(1987)
    yield at.places("Bo", 0)
    yield at.uses_joker("Cia")
    yield at.changes_song(1999)
    yield at.places_right("Bo", "Cia")
    yield at.titles("Bo")
    if edition == "oracle":
        yield at.predicts("easy")
    yield at.locks()
    yield at.reveals()
    yield at.removes("Dan")
    yield at.ends_round()
    yield at.next_round()
    yield at.plays_cycle()
    yield at.finishes()


@EDITIONS
def test_the_encoder_says_what_the_views_say(edition):
    views = Encoder()
    for at in _moves(edition):
        assert views.snapshot(at.game) == msgspec.json.encode(snapshot(at.game))
        for player in at.game.players:
            expected = msgspec.json.encode(viewer(at.game, player, _url))
            assert views.viewer(at.game, player, _url) == expected
            assert views.viewer(at.game, player) == msgspec.json.encode(viewer(at.game, player))


def _ticket(game: Game, player: str) -> str:
    """An address that is another one for every song."""
    assert game.round is not None
    assert game.round.performance is not None
    return f"/audio/{player}/{game.round.performance.recording}"


@pytest.mark.parametrize("scenario", scenarios(), ids=lambda s: f"{s.edition}: {s.title}")
def test_the_encoder_remembers_nothing_that_has_changed(scenario):
    """One encoder through a whole game tells the same as one that is made anew."""
    views = Encoder()
    for game in play(scenario).games:
        assert views.snapshot(game) == msgspec.json.encode(snapshot(game))
        for player in game.players:
            for url in (None, _ticket):
                fresh = msgspec.json.encode(viewer(game, player, url))
                assert views.viewer(game, player, url) == fresh


@EDITIONS
@pytest.mark.rule("VIEW-08")
def test_whatever_changes_in_a_view_raises_its_version(edition):
    seen: dict[str, tuple[int, bytes]] = {}
    for at in _moves(edition):
        public = msgspec.json.encode(snapshot(at.game))
        for player in at.game.players:
            now = public + msgspec.json.encode(viewer(at.game, player))
            number = version(at.game, player)
            if player in seen:
                before, then = seen[player]
                assert number >= before
                assert (number > before) == (now != then)
            seen[player] = number, now
