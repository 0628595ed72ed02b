"""A room: what its viewers are sent, and what happens around a command."""

import asyncio
import tempfile
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes import FakeMusic
from tests.patience import PATIENCE
from tests.rooms.workers import Worker

from varv.buses.memory import Hub
from varv.rooms import codec
from varv.rooms.messages import ServerMessage, State
from varv.rooms.reasons import Refused
from varv.rooms.room import Room
from varv.rules import Setup, drawing, views
from varv.rules import commands as c
from varv.rules.model import Mix
from varv.stores.memory import MemoryStore
from varv.stores.sqlite import SqliteStore


async def test_the_state_message_is_what_its_type_says(worker: Worker) -> None:
    room = await worker.guessing("dj")
    for player in (None, "p1", "p2"):
        raw = room.state(player, 7, paired=player is None)
        typed = msgspec.json.decode(raw, type=ServerMessage)
        assert isinstance(typed, State)
        assert typed.snapshot == views.snapshot(room.game)
        assert typed.version == 7
        if player:
            assert typed.viewer == views.viewer(room.game, player, room._audio_url)


@settings(max_examples=60, deadline=None, derandomize=True, database=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6)), max_size=40), st.booleans())
def test_what_is_reused_is_what_would_be_made(moves: list[tuple[int, int]], dj: bool) -> None:
    """A player's own part is not made again when others guess: it must be the same bytes."""

    async def play() -> None:
        with tempfile.TemporaryDirectory() as folder:
            worker = Worker(MemoryStore(), Hub(), Path(folder))
            await worker.registry.open()
            room = await worker.guessing("dj" if dj else "oracle")
            for who, what in moves:
                player = f"p{who + 1}"
                command = _command(room, what)
                try:
                    await worker.do(room, player, command)
                except Refused:
                    continue
                for viewer in room.game.players:
                    fresh = views.Encoder().viewer(room.game, viewer, room._audio_url)
                    assert room.viewer(viewer) == fresh
            await worker.registry.close()

    asyncio.run(play())


def _command(room: Room, what: int) -> c.Command:
    round_ = room.game.round
    assert round_ is not None
    number = round_.number
    performance = round_.performance.number if round_.performance else None
    parts = ("placement", "title", "artist")
    if what < 3:
        choice: int | str = 0 if what == 0 else f"{parts[what][0]}3"
        return c.SubmitGuess(number, performance, parts[what], choice)
    return (
        c.UseJoker(number, performance, "placement"),
        c.Predict(number, performance, "easy"),
        c.LockRound(number, performance),
        c.UnlockRound(number),
    )[what - 3]


@pytest.mark.parametrize("edition", ["dj", "oracle"])
async def test_the_next_song_is_made_ready_while_this_one_plays(
    worker: Worker, edition: str
) -> None:
    music = worker.service.music
    assert isinstance(music, FakeMusic)
    room = await worker.guessing(edition)
    await asyncio.sleep(0)
    assert drawing.likely_next(room.game) in music.asked_ahead


async def test_a_newcomer_is_not_kept_waiting_by_a_song_that_takes_long(
    two: list[Worker], monkeypatch: pytest.MonkeyPatch
) -> None:
    one, _ = two
    room, _ = await one.create()
    for player in room.game.players:
        await one.do(room, player, c.SetStartYear(1990))
    await one.do(room, "p1", c.StartGame())
    drawing, drawn = asyncio.Event(), asyncio.Event()
    draw = one.service.music.draw

    async def slow(*given: Any) -> Any:
        drawing.set()
        await drawn.wait()
        return await draw(*given)

    monkeypatch.setattr(one.service.music, "draw", slow)
    starting = asyncio.create_task(one.do(room, "p1", c.StartRound(1)))
    await drawing.wait()
    async with asyncio.timeout(PATIENCE):
        assert await one.registry.room(room.code, fresh=True) is room
    drawn.set()
    await starting


@pytest.mark.rule("ENT-02", "VIEW-01")
async def test_what_a_smaller_table_forbids_is_shown_at_once(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Another mix may come with fewer seats than are taken."""
    room, _ = await worker.create(players=6)
    for player in room.game.players:
        await worker.do(room, player, c.SetStartYear(1990))
    assert b'"blocked":{}' in room.viewer("p1")

    async def free(*_: Any) -> Setup:
        return Setup(Mix("gold", "Gold", 300), 5)

    monkeypatch.setattr(worker.service.entitlements, "setup", free)
    await worker.do(room, "p1", c.Configure(mix="gold"))
    assert b'"start_game":"TOO_MANY_PLAYERS"' in room.viewer("p1")


@pytest.mark.rule("GAME-22")
async def test_a_game_loads_from_its_snapshot_and_from_its_events_alike(tmp_path: Path) -> None:
    store = SqliteStore(tmp_path / "varv.db")
    await store.open()
    worker = Worker(store, Hub(), tmp_path)
    await worker.registry.open()
    room = await worker.guessing()
    for n in range(150):
        await worker.do(room, "p2", c.SubmitGuess(1, 1, "placement", n % 2))
    loaded = await store.load(room.code)
    assert loaded is not None and loaded.snapshot is not None
    assert len(loaded.tail) < codec.SNAPSHOT_EVERY
    again = await worker.registry.find(room.code)
    assert again is not None
    assert (again.game, again.seq) == (room.game, room.seq)
    assert codec.fold(None, await store.since(room.code, 0)) == room.game
    # A snapshot that another version of Varv wrote is not used.
    other = loaded.snapshot.__class__(loaded.snapshot.seq, "another", loaded.snapshot.data)
    await store._writer.run(
        lambda database: database.execute("UPDATE snapshots SET schema = ?", (other.schema,))
    )
    folded = await worker.registry.find(room.code)
    assert folded is not None
    assert (folded.game, folded.seq) == (room.game, room.seq)
    await worker.registry.close()
    await store.close()
