"""The catalogue in PostgreSQL, through the pool that the games use."""

from typing import TYPE_CHECKING, TypeAlias

import asyncpg

from varv.music.catalogue import Changes
from varv.music.model import Flag
from varv.stores import catalogue_tables as tables

if TYPE_CHECKING:
    Pool: TypeAlias = "asyncpg.Pool[asyncpg.Record]"


_MARKS = [f"${number}" for number in range(1, 20)]


class PostgresCatalogue(tables.Lists):
    """A `Catalogue` in PostgreSQL. The schema must be there: see `PostgresStore.open`."""

    def __init__(self, pool: "Pool") -> None:
        """Use this pool, which stays its owner's to close."""
        self._pool = pool

    async def generation(self) -> int:
        """See `Catalogue`."""
        return int(await self._pool.fetchval(tables.GENERATION))

    async def meta(self, key: str) -> str | None:
        """See `Catalogue`."""
        return await self._value("SELECT value FROM music_meta WHERE key = $1", key)

    async def lookup(self, service: str, key: str) -> str | None:
        """See `Catalogue`."""
        return await self._value(
            "SELECT answer FROM music_lookups WHERE service = $1 AND key = $2", service, key
        )

    async def apply(self, changes: Changes) -> None:
        """See `Catalogue`."""
        async with self._pool.acquire() as db, db.transaction():
            # The counter's row is the lock: two changes at once would otherwise block each other.
            await db.execute(tables.BUMP)
            for table, keys in tables.deletions(changes):
                await db.executemany(table.delete(_MARKS), keys)
            for table, rows in tables.upserts(changes):
                await db.executemany(table.upsert(_MARKS), rows)
            await db.executemany(
                "INSERT INTO music_meta (key, value) VALUES ($1, $2) "
                "ON CONFLICT (key) DO UPDATE SET value = excluded.value",
                changes.meta,
            )

    async def add_flag(self, flag: Flag) -> None:
        """See `Catalogue`."""
        await self._pool.execute(tables.FLAGS.upsert(_MARKS), *tables.values(flag))

    async def clear_flags(self, song: str) -> None:
        """See `Catalogue`."""
        await self._pool.execute("DELETE FROM music_flags WHERE song = $1", song)

    async def remember(self, service: str, key: str, answer: str) -> None:
        """See `Catalogue`."""
        await self._pool.execute(
            "INSERT INTO music_lookups (service, key, answer) VALUES ($1, $2, $3) "
            "ON CONFLICT (service, key) DO UPDATE SET answer = excluded.answer",
            service,
            key,
            answer,
        )

    async def close(self) -> None:
        """The pool is not ours: nothing to let go of."""

    async def _all(self, table: tables.Table, row: type[tables.Row]) -> list[tables.Row]:
        return tables.decode(row, await self._pool.fetch(table.select()))

    async def _value(self, query: str, *arguments: str) -> str | None:
        value = await self._pool.fetchval(query, *arguments)
        return None if value is None else str(value)
