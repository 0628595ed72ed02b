"""A worker without a network, and a socket that keeps what it is sent."""

import asyncio
from pathlib import Path
from typing import Any

import msgspec
from tests.fakes import FakeMusic

from varv.buses.memory import Hub, MemoryBus
from varv.rooms.outbox import Outbox
from varv.rooms.ports import Store
from varv.rooms.room import Room
from varv.rooms.seats import Seats
from varv.rooms.service import RoomService
from varv.rooms.tables import Created, Tables, Wanted
from varv.rules import commands as c


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
