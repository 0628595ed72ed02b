"""Everything that the routes and sockets work with, in one place."""

import asyncio
import contextlib

from varv.config import Settings
from varv.rooms.ports import Bus, Music, Store
from varv.rooms.registry import POLL_EVERY
from varv.rooms.seats import Seats
from varv.rooms.service import RoomService
from varv.rooms.tables import Tables
from varv.web.bots import Bots
from varv.web.limits import Limits
from varv.web.metrics import Metrics

FAREWELL = 3.0
"""Seconds that a shutdown waits for commands."""


class Services:
    """One worker's services; opened and closed with it."""

    def __init__(
        self,
        settings: Settings,
        store: Store,
        bus: Bus,
        music: Music,
        poll_every: float = POLL_EVERY,
    ) -> None:
        """Nothing is touched before `open`."""
        self.settings = settings
        self.store = store
        self.bus = bus
        self.music = music
        self.commands = RoomService(
            store, bus, music, enforced=settings.entitlements == "enforced", poll_every=poll_every
        )
        self.rooms = self.commands.registry
        self.tables = Tables(self.commands)
        self.seats = Seats(self.commands)
        self.bots = Bots(self.commands, pace=settings.bot_pace)
        self.limits = Limits(on=settings.limits != "off")
        self.metrics = Metrics()
        self.rooms.on_poll = self.measure

    async def open(self) -> None:
        """Start hearing from other workers."""
        await self.rooms.open()

    def measure(self) -> None:
        """Write down what is counted nowhere else; another worker may be asked for the sum."""
        self.metrics.rooms.set(len(self.rooms.rooms))
        self.metrics.dropped.set(self.rooms.dropped)

    def begin_draining(self) -> None:
        """The server shuts down: take nothing more in, and say goodbye when it is done."""
        if not self.rooms.draining:
            self.rooms.draining = True
            self.bots.stop()
            self.rooms.spawn(self._drain())

    async def _drain(self) -> None:
        """Finish what was begun, acknowledge it, and tell everyone."""
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await self.commands.idle.wait()
        # The last acknowledgements are queued in this turn of the loop, goodbyes in the next.
        await asyncio.sleep(0)
        for room in tuple(self.rooms.rooms.values()):
            for viewer in tuple(room.viewers):
                viewer.dismiss("RESTARTING", 1012)

    async def close(self) -> None:
        """Let go."""
        await self.rooms.close()
