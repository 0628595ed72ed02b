"""Rooms in memory: loaded once, kept fresh, let go. Two services over one store are two workers."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.patience import becomes
from tests.rooms.workers import Worker

from varv.buses.memory import Hub
from varv.rooms.reasons import Refused
from varv.rules import commands as c
from varv.stores.memory import MemoryStore


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


async def test_a_stale_worker_does_not_refuse_what_is_allowed_by_now(two: list[Worker]) -> None:
    one, other = two
    here, _ = await one.create()
    there = await other.registry.room(here.code)
    for player in here.game.players:
        await one.do(here, player, c.SetStartYear(1990))
    await one.do(here, "p1", c.StartGame())
    # The other worker still thinks it is in the lobby; nobody has told it.
    await other.do(there, "p1", c.StartRound(1))
    joined = await one.create()
    await other.registry.room(joined[0].code)


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
    await becomes(lambda: there.seq == here.seq)
    assert pipe.messages()[-1]["type"] == "state"
    await store.delete(here.code)
    await becomes(lambda: pipe.closed is not None)
    assert pipe.closed == 4404
    with pytest.raises(Refused, match="GAME_UNKNOWN"):
        await one.do(here, "p2", c.SubmitGuess(1, 1, "placement", 1))
    for worker in (one, other):
        await worker.registry.close()


async def test_a_deleted_game_is_forgotten_by_those_who_only_ask(two: list[Worker]) -> None:
    one, _ = two
    room, _ = await one.create()
    one.service.store.shared = False  # type: ignore[misc]
    await one.service.store.delete(room.code)
    assert await one.registry.room(room.code, fresh=True) is room
    await one.registry._poll_once()
    with pytest.raises(Refused, match="GAME_UNKNOWN"):
        await one.registry.room(room.code, fresh=True)


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
