"""The catalogue in SQLite: a connection of its own to the games' file, used from one thread."""

import asyncio
import sqlite3
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from itertools import repeat
from pathlib import Path
from typing import TypeVar

from varv.music.catalogue import Changes
from varv.music.model import Flag
from varv.stores import catalogue_tables as tables

T = TypeVar("T")


class SqliteCatalogue(tables.Lists):
    """A `Catalogue` in a file. The schema must be there: opening the store sees to it."""

    def __init__(self, path: Path) -> None:
        """Connect when first used."""
        self._path = path
        self._thread = ThreadPoolExecutor(1, thread_name_prefix="catalogue")
        self._connection: sqlite3.Connection | None = None

    async def generation(self) -> int:
        """See `Catalogue`."""
        return await self._run(lambda db: int(db.execute(tables.GENERATION).fetchone()[0]))

    async def meta(self, key: str) -> str | None:
        """See `Catalogue`."""
        return await self._value("SELECT value FROM music_meta WHERE key = ?", key)

    async def lookup(self, service: str, key: str) -> str | None:
        """See `Catalogue`."""
        return await self._value(
            "SELECT answer FROM music_lookups WHERE service = ? AND key = ?", service, key
        )

    async def apply(self, changes: Changes) -> None:
        """See `Catalogue`."""

        def change(db: sqlite3.Connection) -> None:
            for table, keys in tables.deletions(changes):
                db.executemany(table.delete(repeat("?")), keys)
            for table, rows in tables.upserts(changes):
                db.executemany(table.upsert(repeat("?")), rows)
            db.executemany(
                "INSERT INTO music_meta (key, value) VALUES (?, ?) "
                "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                changes.meta,
            )
            db.execute(tables.BUMP)

        await self._write(change)

    async def add_flag(self, flag: Flag) -> None:
        """See `Catalogue`."""
        await self._write(
            lambda db: db.execute(tables.FLAGS.upsert(repeat("?")), tables.values(flag))
        )

    async def clear_flags(self, song: str) -> None:
        """See `Catalogue`."""
        await self._write(lambda db: db.execute("DELETE FROM music_flags WHERE song = ?", (song,)))

    async def remember(self, service: str, key: str, answer: str) -> None:
        """See `Catalogue`."""
        await self._write(
            lambda db: db.execute(
                "INSERT INTO music_lookups (service, key, answer) VALUES (?, ?, ?) "
                "ON CONFLICT (service, key) DO UPDATE SET answer = excluded.answer",
                (service, key, answer),
            )
        )

    async def close(self) -> None:
        """See `Catalogue`."""
        if self._connection is not None:
            await self._run(lambda db: db.close())
            self._connection = None
        self._thread.shutdown(wait=False)

    async def _all(self, table: tables.Table, row: type[tables.Row]) -> list[tables.Row]:
        return await self._run(lambda db: tables.decode(row, db.execute(table.select())))

    async def _value(self, query: str, *arguments: str) -> str | None:
        row = await self._run(lambda db: db.execute(query, arguments).fetchone())
        return None if row is None else str(row[0])

    async def _write(self, change: Callable[[sqlite3.Connection], object]) -> None:
        def transaction(db: sqlite3.Connection) -> None:
            # IMMEDIATE waits for the games' writer; a lock taken midway would fail instead.
            db.execute("BEGIN IMMEDIATE")
            try:
                change(db)
            except BaseException:
                db.execute("ROLLBACK")
                raise
            db.execute("COMMIT")

        await self._run(transaction)

    async def _run(self, work: Callable[[sqlite3.Connection], T]) -> T:
        def job() -> T:
            if self._connection is None:
                self._connection = sqlite3.connect(
                    self._path, timeout=30, isolation_level=None, check_same_thread=False
                )
                self._connection.execute("PRAGMA journal_mode = WAL")
            return work(self._connection)

        return await asyncio.get_running_loop().run_in_executor(self._thread, job)
