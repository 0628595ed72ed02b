"""Rooms without a network: two services over one store are two workers."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from tests.fakes import FakeMusic

from varv.buses.memory import Hub, MemoryBus
from varv.rooms import codec, outbox
from varv.rooms.keys import hash_token
from varv.rooms.messages import ServerMessage, State
from varv.rooms.outbox import Outbox
from varv.rooms.ports import Store
from varv.rooms.reasons import Refused
from varv.rooms.room import Room
from varv.rooms.seats import Seats
from varv.rooms.service import RoomService
from varv.rooms.tables import Created, Tables, Wanted
from varv.rules import Setup, drawing, views
from varv.rules import commands as c
from varv.rules.model import Mix
from varv.stores.memory import MemoryStore
from varv.stores.sqlite import SqliteStore


class Pipe:
    """A socket that keeps what it is sent."""

    def __init__(self) -> None:
        self.ready = True
        self.stuck_since: float | None = None
        self.sent: list[bytes] = []
        self.closed: int | None = None
        self.aborted = False

    def write(self, message: bytes, following: bytes | None = None) -> None:
        self.sent.append(message)
        if following is not None:
            self.sent.append(following)

    def close(self, code: int) -> None:
        self.closed = code

    def abort(self) -> None:
        self.aborted = True

    def messages(self) -> list[dict[str, Any]]:
        return [msgspec.json.decode(message) for message in self.sent]


class Worker:
    """One service, without a server around it."""

    def __init__(self, store: Store, hub: Hub, folder: Path, poll_every: float = 60) -> None:
        music = FakeMusic(folder)
        self.service = RoomService(store, MemoryBus(hub), music, poll_every=poll_every)
        self.registry = self.service.registry
        self.tables, self.seats = Tables(self.service), Seats(self.service)
        self.count = 0

    async def create(self, edition: str = "oracle", players: int = 3) -> tuple[Room, Created]:
        made = await self.tables.create(Wanted(edition, "party", "Maja"), None, None)
        room = await self.registry.room(made.code)
        for n in range(players - 1):
            await self.tables.join(room, f"P{n}", None)
        return room, made

    async def do(self, room: Room, player: str, command: c.Command) -> int:
        self.count += 1
        name = f"{self.registry.worker}-{self.count}"
        return await self.service.command(room, player, name, command)

    async def guessing(self, edition: str = "oracle") -> Room:
        room, _ = await self.create(edition)
        for player in room.game.players:
            await self.do(room, player, c.SetStartYear(1990))
        await self.do(room, "p1", c.StartGame())
        await self.do(room, "p1", c.StartRound(1))
        return room

    async def look(self, room: Room, player: str | None) -> tuple[Outbox, Pipe]:
        pipe = Pipe()
        box = Outbox(room, pipe, player)
        self.registry.enter(box)
        await asyncio.sleep(0)
        return box, pipe


@pytest.fixture
async def worker(tmp_path: Path) -> Any:
    made = Worker(MemoryStore(), Hub(), tmp_path)
    await made.registry.open()
    yield made
    await made.registry.close()


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


@settings(max_examples=60, deadline=None)
@given(st.lists(st.tuples(st.integers(0, 2), st.integers(0, 6)), max_size=40), st.booleans())
def test_what_is_reused_is_what_would_be_made(moves: list[tuple[int, int]], dj: bool) -> None:
    """A player's own part is not made again when others guess: it must be the same bytes."""
    import tempfile

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


async def test_a_client_that_stops_reading_gets_the_newest_state_and_no_other(
    worker: Worker,
) -> None:
    room = await worker.guessing()
    box, pipe = await worker.look(room, "p2")
    pipe.ready = False
    pipe.sent.clear()
    for n in range(20):
        await worker.do(room, "p3", c.SubmitGuess(1, 1, "placement", 0 if n % 2 == 0 else None))
    assert pipe.sent == []
    pipe.ready = True
    box.flush()
    states = [m for m in pipe.messages() if m["type"] == "state"]
    assert [state["version"] for state in states] == [room.version("p2")]


async def test_a_client_that_lets_messages_pile_up_is_cut_off(worker: Worker) -> None:
    room = await worker.guessing()
    box, pipe = await worker.look(room, "p2")
    pipe.ready = False
    for _ in range(outbox.MOST + 1):
        box.post(b"{}")
    assert pipe.aborted
    box.post(b"{}")
    box.dismiss("REMOVED", 4403)
    assert pipe.closed is None


async def test_our_own_mistake_about_one_viewer_harms_no_other(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await worker.guessing()
    _, broken = await worker.look(room, "p2")
    _, fine = await worker.look(room, "p3")
    made = Room.viewer

    def viewer(self: Room, player: str) -> bytes:
        if player == "p2":
            raise RuntimeError("a bug")
        return made(self, player)

    monkeypatch.setattr(Room, "viewer", viewer)
    await worker.do(room, "p3", c.SubmitGuess(1, 1, "placement", 0))
    assert broken.aborted
    assert fine.messages()[-1]["viewer"]["guess"]["placement"] == 0


async def test_two_workers_take_turns_and_see_the_same(tmp_path: Path) -> None:
    store, hub = MemoryStore(), Hub()
    one, other = Worker(store, hub, tmp_path), Worker(store, hub, tmp_path)
    for worker in (one, other):
        await worker.registry.open()
    here = await one.guessing()
    there = await other.registry.room(here.code)
    _, pipe = await other.look(there, "p3")
    guess = (c.SubmitGuess(1, 1, "placement", n % 2) for n in range(200))
    for n, command in enumerate(guess):
        worker, room = ((one, here), (other, there))[n % 2]
        await worker.do(room, "p2", command)
    await one.registry.refresh(here)
    await other.registry.refresh(there)
    assert here.game == there.game
    assert here.seq == there.seq
    assert pipe.messages()[-1]["snapshot"]["round"]["submitted"]["p2"] == ["placement"]
    for worker in (one, other):
        await worker.registry.close()


async def test_a_stale_worker_does_not_refuse_what_is_allowed_by_now(tmp_path: Path) -> None:
    store = MemoryStore()
    one, other = Worker(store, Hub(), tmp_path), Worker(store, Hub(), tmp_path)
    for worker in (one, other):
        await worker.registry.open()
    here, _ = await one.create()
    there = await other.registry.room(here.code)
    for player in here.game.players:
        await one.do(here, player, c.SetStartYear(1990))
    await one.do(here, "p1", c.StartGame())
    # The other worker still thinks it is in the lobby; nobody has told it.
    await other.do(there, "p1", c.StartRound(1))
    joined = await one.create()
    await other.registry.room(joined[0].code)
    for worker in (one, other):
        await worker.registry.close()


async def test_polling_finds_what_the_bus_lost(tmp_path: Path) -> None:
    store = MemoryStore()
    one = Worker(store, Hub(), tmp_path)
    other = Worker(store, Hub(), tmp_path, poll_every=0.01)
    for worker in (one, other):
        await worker.registry.open()
    here = await one.guessing()
    there = await other.registry.room(here.code)
    _, pipe = await other.look(there, "p3")
    await one.do(here, "p2", c.SubmitGuess(1, 1, "placement", 0))
    async with asyncio.timeout(10):
        while there.seq < here.seq:
            await asyncio.sleep(0.01)
    assert pipe.messages()[-1]["type"] == "state"
    await store.delete(here.code)
    async with asyncio.timeout(10):
        while pipe.closed is None:
            await asyncio.sleep(0.01)
    assert pipe.closed == 4404
    with pytest.raises(Refused, match="GAME_UNKNOWN"):
        await one.do(here, "p2", c.SubmitGuess(1, 1, "placement", 1))
    for worker in (one, other):
        await worker.registry.close()


@pytest.fixture
async def two(tmp_path: Path) -> Any:
    """Two workers over one store whose bus is lost: neither hears of the other."""
    store = MemoryStore()
    workers = [Worker(store, Hub(), tmp_path), Worker(store, Hub(), tmp_path)]
    for worker in workers:
        await worker.registry.open()
    yield workers
    for worker in workers:
        await worker.registry.close()


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
    async with asyncio.timeout(5):
        assert await one.registry.room(room.code, fresh=True) is room
    drawn.set()
    await starting


async def test_the_next_game_is_found_without_a_bus_and_made_once(two: list[Worker]) -> None:
    one, other = two
    here, _ = await one.create()
    there = await other.registry.room(here.code)
    _, pipe = await other.look(there, "p2")
    await one.do(here, "p1", c.FinishGame())
    await other.registry.refresh(there)
    answers = await asyncio.gather(
        one.tables.again(here, "p1"), other.tables.again(there, "p1"), one.tables.again(here, "p1")
    )
    assert len({(answer.code, answer.token) for answer in answers}) == 1
    await other.registry._poll_once()
    async with asyncio.timeout(5):
        while not any(message["type"] == "notice" for message in pipe.messages()):
            await asyncio.sleep(0)
    notices = [message for message in pipe.messages() if message["type"] == "notice"]
    assert [(n["kind"], n["code"]) for n in notices] == [("AGAIN", answers[0].code)]
    # Deleted by the operator, it is made anew.
    await one.service.store.delete(answers[0].code)
    anew = await other.tables.again(there, "p1")
    assert anew.code != answers[0].code
    assert (await one.tables.again(here, "p1")).code == anew.code


async def test_another_game_of_the_host_stands_in_the_way_of_the_next(two: list[Worker]) -> None:
    one, _ = two
    made = await one.tables.create(Wanted("oracle", "party", "Maja"), None, None)
    room = await one.registry.room(made.code)
    await one.do(room, "p1", c.FinishGame())
    busy = await one.tables.create(Wanted("dj", "party", "Maja"), made.owner_token, None)
    with pytest.raises(Refused, match="GAME_UNFINISHED") as refused:
        await one.tables.again(room, "p1")
    assert refused.value.facts == {"game": busy.code}


async def test_a_deleted_game_is_forgotten_by_those_who_only_ask(two: list[Worker]) -> None:
    one, _ = two
    room, _ = await one.create()
    one.service.store.shared = False  # type: ignore[misc]
    await one.service.store.delete(room.code)
    assert await one.registry.room(room.code, fresh=True) is room
    await one.registry._poll_once()
    with pytest.raises(Refused, match="GAME_UNKNOWN"):
        await one.registry.room(room.code, fresh=True)


async def test_a_key_whose_game_was_deleted_finds_its_owner_again(worker: Worker) -> None:
    wanted = Wanted("oracle", "party", "Maja")
    first = await worker.tables.create(wanted, None, "key")
    await worker.service.store.delete(first.code)
    again = await worker.tables.create(wanted, None, "key")
    assert (again.token, again.owner_token) == (first.token, first.owner_token)
    room = await worker.registry.room(again.code)
    assert await worker.service.store.owner(hash_token(again.owner_token)) == room.owner


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


async def test_idle_rooms_leave_memory_and_come_back(worker: Worker) -> None:
    room = await worker.guessing()
    box, _ = await worker.look(room, "p2")
    await worker.registry.sweep(idle_after=-1)
    assert room.code in worker.registry.rooms
    worker.registry.leave(box)
    await worker.registry.sweep(idle_after=-1)
    assert room.code not in worker.registry.rooms
    again = await worker.registry.room(room.code)
    assert again is not room
    assert again.game == room.game
    # Whoever still holds the old one is not led astray.
    await worker.do(again, "p2", c.SubmitGuess(1, 1, "placement", 0))
    await worker.do(room, "p2", c.SubmitGuess(1, 1, "placement", 1))
    assert room.game.round is not None
    assert room.game.round.guesses["p2"].placement == 1


async def test_many_ask_for_a_room_at_once_and_one_loads_it(
    worker: Worker, monkeypatch: pytest.MonkeyPatch
) -> None:
    room = await worker.guessing()
    worker.registry.rooms.clear()
    loads = 0
    load = worker.service.store.load

    async def counting(code: str) -> Any:
        nonlocal loads
        loads += 1
        await asyncio.sleep(0)
        return await load(code)

    monkeypatch.setattr(worker.service.store, "load", counting)
    found = await asyncio.gather(*(worker.registry.room(room.code) for _ in range(5)))
    assert len({id(one) for one in found}) == 1
    assert loads == 1


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
