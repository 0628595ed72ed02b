"""One thread that writes to SQLite and commits what is waiting in one transaction.

A commit costs a disk flush however much is in it, so everything that arrived during the last flush
shares the next one (group commit). A caller hears back only after the flush.
"""

import asyncio
import queue
import sqlite3
import threading
from collections.abc import Callable
from typing import Any, TypeVar

Job = Callable[[sqlite3.Connection], Any]
Result = TypeVar("Result")
_Waiting = tuple[Job, "asyncio.Future[Any]"]

GROUP = 256
"""So many jobs at most share a transaction."""


class Writer:
    """Owns the only connection that writes."""

    def __init__(self, connect: Callable[[], sqlite3.Connection]) -> None:
        """Nothing runs before `start`."""
        self._connect = connect
        self._jobs: queue.SimpleQueue[_Waiting | None] = queue.SimpleQueue()
        self._thread: threading.Thread | None = None
        self._loop: asyncio.AbstractEventLoop | None = None

    def start(self) -> None:
        """Begin, in the running event loop."""
        self._loop = asyncio.get_running_loop()
        self._thread = threading.Thread(target=self._run, name="sqlite-writer", daemon=True)
        self._thread.start()

    async def stop(self) -> None:
        """Commit what was accepted, then end."""
        if self._thread is not None:
            self._jobs.put(None)
            await asyncio.to_thread(self._thread.join)
            self._thread = None

    async def run(self, job: Callable[[sqlite3.Connection], Result]) -> Result:
        """Run a job in the next transaction; returns once it is durable."""
        if self._loop is None or self._thread is None:
            raise RuntimeError("the store is not open")
        future: asyncio.Future[Any] = self._loop.create_future()
        self._jobs.put((job, future))
        result: Result = await future
        return result

    def _run(self) -> None:
        connection = self._connect()
        try:
            going = True
            while going:
                group, going = self._next_group()
                if group:
                    self._answer(group, _transact(connection, [job for job, _ in group]))
        finally:
            connection.close()

    def _next_group(self) -> tuple[list[_Waiting], bool]:
        group: list[_Waiting] = []
        waiting = self._jobs.get()
        while waiting is not None:
            group.append(waiting)
            if len(group) >= GROUP:
                return group, True
            try:
                waiting = self._jobs.get_nowait()
            except queue.Empty:
                return group, True
        return group, False

    def _answer(self, group: list[_Waiting], results: list[Any]) -> None:
        assert self._loop is not None
        pairs = [(future, result) for (_, future), result in zip(group, results, strict=True)]
        try:
            self._loop.call_soon_threadsafe(_resolve, pairs)
        except RuntimeError:
            # The loop is gone and nobody is left to hear; what was committed stays committed.
            return


def _transact(connection: sqlite3.Connection, jobs: list[Job]) -> list[Any]:
    """Results or exceptions, all durable. One that fails must not take the others with it."""
    try:
        connection.execute("BEGIN IMMEDIATE")
        results = [job(connection) for job in jobs]
        connection.execute("COMMIT")
    except Exception as error:
        if connection.in_transaction:
            connection.execute("ROLLBACK")
        if len(jobs) == 1:
            return [error]
        return [result for job in jobs for result in _transact(connection, [job])]
    return results


def _resolve(pairs: list[tuple["asyncio.Future[Any]", Any]]) -> None:
    for future, result in pairs:
        if future.done():
            continue
        if isinstance(result, Exception):
            future.set_exception(result)
        else:
            future.set_result(result)
