"""A client that never reads, among eight that do: the eight notice nothing."""

import asyncio
import base64
import json
import os
import socket
from pathlib import Path

import pytest
from tests.live import Live, Player, serving
from tests.process import Varv

from varv.rooms import registry
from varv.stores.memory import MemoryStore


async def deaf(live: Live, code: str, token: str) -> socket.socket:
    """Says hello and never reads again."""
    host, _, port = live.url.removeprefix("http://").partition(":")
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(connection, (host, int(port)))
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET /api/v1/games/{code}/ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await loop.sock_sendall(connection, request.encode())
    assert b"101" in await loop.sock_recv(connection, 2000)
    payload = json.dumps({"type": "hello", "token": token}).encode()
    masked = bytes([0x81, 0x80 | len(payload)]) + bytes(4) + payload
    await loop.sock_sendall(connection, masked)
    return connection


async def table(live: Live, mix: str) -> tuple[list[Player], socket.socket]:
    host = await live.create("oracle", mix=mix)
    people = [host] + [await live.join(host.code, f"P{n}") for n in range(7)]
    ninth = await live.join(host.code, "Deaf")
    for person in people:
        await person.connect()
        await person.do("set_start_year", year=1990)
    await ninth.connect()
    await ninth.do("set_start_year", year=1990)
    await ninth.disconnect()
    await host.do("start_game")
    await host.do("start_round")
    return people, await deaf(live, host.code, ninth.token)


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
    async with Varv(tmp_path / "data") as server:
        people, connection = await table(server.live, "demo")
        with connection:
            before = await change(people, 200)
            memory = server.kilobytes()
            after = await change(people, 2000)
            grown = server.kilobytes() - memory
        usual = sorted(before)[100]
        assert sorted(after)[1000] < usual * 3 + 0.01
        assert max(after) < 1.0
        assert grown < 8_000, f"{grown} kB more after 2,000 states that one client did not read"


async def test_the_deaf_one_is_dropped(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(registry, "STUCK_AFTER", 0.1)
    async with serving(MemoryStore(), tmp_path, poll_every=0.05) as live:
        people, connection = await table(live, "party")
        room = next(iter(live.services.rooms.rooms.values()))
        with connection:
            await people[0].until(lambda: len(people[0].presence) == 9)
            async with asyncio.timeout(60):
                while len(room.viewers) == 9:
                    await change(people, 100)
            assert live.services.rooms.dropped == 1
            await people[0].until(lambda: len(people[0].presence) == 8)
