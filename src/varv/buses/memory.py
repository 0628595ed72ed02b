"""A bus inside one process: what the default server uses, and tests with several rooms services."""

import asyncio
from collections.abc import Iterable

from varv.rooms.ports import Listener


class Hub:
    """What the buses of one process share."""

    def __init__(self) -> None:
        """Nobody is connected."""
        self.buses: list[MemoryBus] = []
        self.marks: dict[str, dict[str, frozenset[str]]] = {}


class MemoryBus:
    """`rooms.ports.Bus` without a network."""

    def __init__(self, hub: Hub | None = None) -> None:
        """Buses with the same hub hear each other."""
        self._hub = hub or Hub()
        self._listener: Listener | None = None
        self._watched: set[str] = set()

    @property
    def alone(self) -> bool:
        """One bus on the hub: the usual server."""
        return len(self._hub.buses) < 2

    async def open(self, listener: Listener) -> None:
        """Listen."""
        self._listener = listener
        self._hub.buses.append(self)

    async def close(self) -> None:
        """Listen no more."""
        if self in self._hub.buses:
            self._hub.buses.remove(self)

    async def ping(self) -> None:
        """Always there."""

    async def watch(self, code: str) -> None:
        """Hear about a game."""
        self._watched.add(code)

    async def unwatch(self, code: str) -> None:
        """Hear no more about it."""
        self._watched.discard(code)

    async def publish(self, code: str, message: bytes) -> None:
        """Delivered soon, not at once: a listener never runs inside its publisher."""
        loop = asyncio.get_running_loop()
        for bus in self._hub.buses:
            if bus is not self and code in bus._watched and bus._listener is not None:
                loop.call_soon(bus._listener, code, message)

    async def mark(self, code: str, worker: str, players: Iterable[str]) -> None:
        """Kept until changed: nobody in this process can vanish alone."""
        marks = self._hub.marks.setdefault(code, {})
        marks[worker] = frozenset(players)
        if not marks[worker]:
            del marks[worker]
        if not marks:
            del self._hub.marks[code]

    async def marked(self, code: str) -> dict[str, frozenset[str]]:
        """Every worker's players."""
        return dict(self._hub.marks.get(code, {}))
