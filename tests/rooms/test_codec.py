"""Stored events: names of our own, schema versions, ways up, and old logs that still replay."""

from pathlib import Path

import msgspec
import pytest

from varv.rooms import codec
from varv.rooms.ports import StoredEvent, StoredSnapshot
from varv.rules import views
from varv.rules.events import EVENTS, PlayerJoined

LOGS = sorted((Path(__file__).parent / "logs").glob("*.json"))


class Log(msgspec.Struct):
    """A whole game as some version of Varv stored it, and what it came to."""

    events: list[StoredEvent]
    ranking: list[list[str | int]] | None
    rounds: int


@pytest.mark.rule("GAME-22")
@pytest.mark.parametrize("path", LOGS, ids=lambda path: path.stem)
def test_old_logs_still_replay(path: Path) -> None:
    log = msgspec.json.decode(path.read_bytes(), type=Log)
    game = codec.fold(None, log.events)
    assert game is not None
    assert game.state == "FINISHED"
    ranking = game.ranking and [[row.player, row.place, row.cards] for row in game.ranking]
    assert ranking == log.ranking
    history = views.history(codec.decode_event(event) for event in log.events)
    assert len(history.rounds) == log.rounds


def test_there_are_logs_of_both_editions() -> None:
    assert {path.stem.partition("-")[0] for path in LOGS} == {"dj", "oracle"}


def test_names_never_change() -> None:
    """A new event is added here; one that is renamed would make old logs unreadable."""
    assert set(codec.SCHEMAS) == {
        "game_created", "player_joined", "player_removed", "start_year_set", "game_configured",
        "game_started", "cycle_started", "cycle_completed", "cycle_finished", "round_created",
        "performance_started", "guess_submitted", "guess_withdrawn", "joker_used",
        "prediction_made", "round_locked", "round_unlocked", "round_revealed", "round_aborted",
        "game_finished",
    }  # fmt: skip
    assert len(codec.SCHEMAS) == len(EVENTS)


def test_there_and_back() -> None:
    event = PlayerJoined("p1", "Åsa", bot=True)
    stored = codec.encode_event(event)
    assert (stored.name, stored.schema) == ("player_joined", 1)
    assert "Åsa" in stored.data
    assert codec.decode_event(stored) == event


def test_an_old_event_is_brought_up_step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(codec.SCHEMAS, "player_joined", 3)
    monkeypatch.setitem(
        codec.UPCASTERS, ("player_joined", 1), lambda old: old | {"name": old["nick"].title()}
    )
    monkeypatch.setitem(
        codec.UPCASTERS,
        ("player_joined", 2),
        lambda old: {k: v for k, v in old.items() if k != "nick"},
    )
    old = StoredEvent("player_joined", 1, '{"type":"player_joined","player":"p1","nick":"bo"}')
    assert codec.decode_event(old) == PlayerJoined("p1", "Bo")


@pytest.mark.parametrize(("name", "schema"), [("player_joined", 99), ("player_flew", 1)])
def test_an_event_from_the_future_is_refused(name: str, schema: int) -> None:
    with pytest.raises(codec.CannotRead, match="newer version"):
        codec.decode_event(StoredEvent(name, schema, "{}"))


def test_a_snapshot_of_another_shape_is_not_used() -> None:
    assert codec.decode_game(StoredSnapshot(1, "another", "{}")) is None
    assert codec.decode_game(None) is None
