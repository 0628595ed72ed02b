"""The one writer of an SQLite file, which commits what is waiting in one transaction.

A commit costs a disk flush however much is in it, so everything that arrives during one flush
shares the next (group commit). A caller hears back only after the flush.

The statements of ordinary jobs run in the event loop's thread and only the flush in a thread of
its own. Each statement takes microseconds, but gives up the interpreter lock: a thread that had to
win it back once per statement from a busy loop would take milliseconds for each.
"""

import asyncio
import sqlite3
from collections.abc import Callable
from typing import Any, TypeVar

from varv.stores.thread import Thread, settle
from varv.stores.wal import WriteAheadLog

Job = Callable[[sqlite3.Connection], Any]
Result = TypeVar("Result")
_Waiting = tuple[Job, "asyncio.Future[Any]"]

GROUP = 256
"""So many jobs at most share a transaction."""
PATIENCE = 10_000
"""Milliseconds to wait for another process that is writing."""


class Writer:
    """Owns the only connection that writes; it is never used by two threads at once."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        """Nothing runs before `start`."""
        self._connect = connect
        self._connection: sqlite3.Connection | None = None
        self._thread = Thread("sqlite")
        self._log = WriteAheadLog(connect)
        self._waiting: list[_Waiting] = []
        self._working: asyncio.Task[None] | None = None

    async def start(self) -> None:
        """Connect."""
        self._thread.start()
        self._connection = await self._thread.run(self._connect)
        self._connection.execute("PRAGMA busy_timeout=0")
        self._connection.execute("PRAGMA wal_autocheckpoint=0")
        await self._log.start()

    async def stop(self) -> None:
        """Commit what was accepted, then end."""
        while self._working is not None:
            await asyncio.wait([self._working])
        await self._log.stop()
        if self._connection is not None:
            await self._thread.run(self._connection.close)
            self._connection = None
            self._thread.stop()

    async def run(self, job: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run a quick job in the next transaction; returns once it is durable."""
        if self._connection is None:
            raise RuntimeError("the store is not open")
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._waiting.append((job, future))
        if self._working is None:
            self._working = asyncio.create_task(self._work(self._connection))
        result: Result = await future
        return result

    async def _work(self, connection: sqlite3.Connection) -> None:
        """Until nothing is waiting."""
        try:
            while self._waiting:
                group, self._waiting = self._waiting[:GROUP], self._waiting[GROUP:]
                results: list[Any]
                try:
                    results = await self._transact(connection, [job for job, _ in group])
                except Exception as error:
                    # Not even taking it back worked: whoever waits must hear of it all the same.
                    results = [error] * len(group)
                _answer(group, results)
                # They go on first: the next flush would only fight them for the interpreter, and
                # what comes in meanwhile shares it.
                await asyncio.sleep(0)
                self._log.grew(len(group))
                if self._log.long:
                    await self._thread.run(lambda: self._log.start_over(connection))
        finally:
            self._working = None

    async def _transact(self, connection: sqlite3.Connection, jobs: list[Job]) -> list[Any]:
        """Results or exceptions, all durable. One that fails must not take the others with it."""
        try:
            if not _begin(connection):
                await self._thread.run(lambda: _begin_patiently(connection))
            results = [job(connection) for job in jobs]
            await self._thread.run(lambda: connection.execute("COMMIT"))
        except Exception as error:
            if connection.in_transaction:
                await self._thread.run(lambda: connection.execute("ROLLBACK"))
            if len(jobs) == 1:
                return [error]
            return [result for job in jobs for result in await self._transact(connection, [job])]
        return results


def _begin(connection: sqlite3.Connection) -> bool:
    """Whether no other process is writing; if one is, waiting for it is a thread's work."""
    try:
        connection.execute("BEGIN IMMEDIATE")
    except sqlite3.OperationalError as error:
        if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
            raise
        return False
    return True


def _begin_patiently(connection: sqlite3.Connection) -> None:
    connection.execute(f"PRAGMA busy_timeout={PATIENCE}")
    try:
        connection.execute("BEGIN IMMEDIATE")
    finally:
        connection.execute("PRAGMA busy_timeout=0")


def _answer(group: list[_Waiting], results: list[Any]) -> None:
    for (_, future), result in zip(group, results, strict=True):
        settle(future, result)
