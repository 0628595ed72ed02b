"""The write-ahead log of an SQLite file, copied into the file beside the writing.

Left to itself SQLite copies it (a checkpoint) within whichever commit comes after a thousand pages,
and everyone in that commit waits ten times as long. Here another thread does so on a connection of
its own. Only a log that never gets a moment's rest has to be brought to an end in the writer's way:
it starts over when nothing in it is left to copy.
"""

import asyncio
import sqlite3
import time
from collections.abc import Callable

import structlog

from varv.stores.thread import Thread

EVERY = 300
"""After so many jobs the log is copied,"""
REST = 3.0
"""but not again within so many seconds: its flush is one more that commits have to wait behind."""
LONG = 24_000
"""Pages (96 MB) after which the writer stops for it."""

log = structlog.get_logger("varv.stores")


class WriteAheadLog:
    """Told of what is written; copies it now and then."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        """Nothing runs before `start`."""
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._thread = Thread("sqlite-log")
        self._jobs = 0
        self._rested = 0.0
        self._copying: asyncio.Task[None] | None = None
        self.long = False
        """Whether the writer should call `start_over`."""

    async def start(self) -> None:
        """Connect."""
        self._thread.start()
        self._connection = await self._thread.run(self._connect)

    async def stop(self) -> None:
        """After what it is doing."""
        if self._copying is not None:
            await asyncio.wait([self._copying])
        if self._connection is not None:
            await self._thread.run(self._connection.close)
            self._connection = None
            self._thread.stop()

    def grew(self, jobs: int) -> None:
        """So many jobs were committed."""
        self._jobs += jobs
        if self._jobs < EVERY or self._copying is not None or self._connection is None:
            return
        if time.monotonic() >= self._rested:
            self._jobs = 0
            self._copying = asyncio.create_task(self._copy(self._connection))

    async def _copy(self, connection: sqlite3.Connection) -> None:
        try:
            self.long = await self._thread.run(lambda: _copy(connection)) > LONG
        finally:
            self._copying = None
            self._rested = time.monotonic() + REST

    def start_over(self, connection: sqlite3.Connection) -> None:
        """Copy the last of it on the writer's connection, between two transactions."""
        self.long = False
        _copy(connection)


def _copy(connection: sqlite3.Connection) -> int:
    """How many pages the log has. One that cannot be copied now is later, and until then read."""
    try:
        _, pages, _ = connection.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchone()
    except sqlite3.Error as error:
        log.warning("the log was not copied", error=str(error))
        return 0
    return int(pages)
