"""A client that never reads, among eight that do: the eight notice nothing."""

import asyncio
import socket
import statistics
from pathlib import Path

import pytest
from tests.live import Live, Player, deaf, serving
from tests.patience import PATIENCE
from tests.process import Varv

from varv.rooms import registry
from varv.stores.memory import MemoryStore


async def nine(live: Live, mix: str) -> tuple[list[Player], Player]:
    """A round in which all can guess: eight who are connected, and one who is not."""
    host = await live.create("oracle", mix=mix)
    people = [host] + [await live.join(host.code, f"P{n}") for n in range(8)]
    for person in people:
        await person.connect()
        await person.do("set_start_year", year=1990)
    await host.do("start_game")
    await host.do("start_round")
    await host.until(lambda: len(host.presence) == 9)
    await people[-1].disconnect()
    await host.until(lambda: len(host.presence) == 8)
    return people[:-1], people[-1]


async def table(live: Live, mix: str) -> tuple[list[Player], socket.socket]:
    """Eight, and a ninth who does not read."""
    people, ninth = await nine(live, mix)
    return people, await deaf(live, ninth.code, ninth.token)


async def change(people: list[Player], times: int) -> list[float]:
    """So many changes that all can see; how long each took to reach the last of the eight."""
    loop = asyncio.get_running_loop()
    took = []
    guesser = people[1]
    for n in range(times):
        parts = ["placement"] if n % 2 == 0 else []
        started = loop.time()
        choice = 0 if n % 2 == 0 else None
        await guesser.do("guess", part="placement", choice=choice)
        for person in people:
            await person.sees(lambda s, x=parts: s["round"]["submitted"]["p2"] == x)  # type: ignore[misc]
        took.append(loop.time() - started)
        for person in people:
            person.inbox.clear()
    return took


async def test_eight_play_on_and_memory_stays_bounded(tmp_path: Path) -> None:
    """By turns with eight at a table without a deaf one, so that a busy machine slows down both."""
    async with Varv(tmp_path / "data") as server:
        people, connection = await table(server.live, "demo")
        others, _ = await nine(server.live, "demo")
        with connection:
            await change(people, 200)
            memory = server.kilobytes()
            usual: list[float] = []
            took: list[float] = []
            for _ in range(20):
                took += await change(people, 100)
                usual += await change(others, 10)
            grown = server.kilobytes() - memory
        assert statistics.median(took) < statistics.median(usual) * 2 + 0.01
        assert max(took) < registry.STUCK_AFTER / 2, "somebody waited for the one who does not read"
        assert grown < 8_000, f"{grown} kB more after 2,000 states that one client did not read"


async def test_the_deaf_one_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "STUCK_AFTER", 0.1)
    async with serving(MemoryStore(), tmp_path, poll_every=0.05) as live:
        people, connection = await table(live, "party")
        room = next(iter(live.services.rooms.rooms.values()))
        with connection:
            await people[0].until(lambda: len(people[0].presence) == 9)
            async with asyncio.timeout(PATIENCE):
                while len(room.viewers) == 9:
                    await change(people, 100)
            assert live.services.rooms.dropped == 1
            await people[0].until(lambda: len(people[0].presence) == 8)
