"""The store for several workers: PostgreSQL, whose primary keys decide who was first."""

import secrets
from collections.abc import Sequence
from typing import Any

import asyncpg

from varv.rooms.ports import (
    Append,
    CommandRecord,
    GameRow,
    Head,
    Idempotency,
    Loaded,
    Outcome,
    RejoinTicket,
    Seat,
    StoredEvent,
    StoredSnapshot,
)
from varv.stores.errors import StoreError
from varv.stores.migrations import migrations

BELONGING = ("events", "snapshots", "commands", "seats", "tickets", "idempotency")
ROW = "code, owner, edition, state, players, seq, created, updated, successor"
PATIENCE = 10.0
"""Seconds to wait for a connection, or for an answer on it."""
LOCK = 0x56415256
"""The advisory lock that only one migration at a time may hold."""

# One statement, so one round trip and one transaction. Where the game has moved on, `moved` is
# empty and nothing is written; a primary key that is taken takes everything back.
APPEND = """
WITH moved AS (
    UPDATE games SET seq = $3, state = $4, players = $5, updated = $6,
        seating = seating + CASE WHEN cardinality($14::text[]) > 0 THEN 1 ELSE 0 END
    WHERE code = $1 AND seq = $2 RETURNING code
), told AS (
    INSERT INTO events (code, seq, name, schema, data, at)
    SELECT $1, $2 + e.n, e.name, e.schema, e.data, $6
    FROM unnest($7::text[], $8::int[], $9::text[]) WITH ORDINALITY
        AS e (name, schema, data, n), moved
), noted AS (
    INSERT INTO commands (code, actor, id, fingerprint, version)
    SELECT $1, $10, $11, $12, $13 FROM moved WHERE $11::text IS NOT NULL
), seated AS (
    INSERT INTO seats (code, player, token, skill)
    SELECT $1, s.player, s.token, s.skill
    FROM unnest($14::text[], $15::bytea[], $16::text[]) AS s (player, token, skill), moved
), kept AS (
    INSERT INTO snapshots (code, seq, schema, data)
    SELECT $1, $3, $17, $18 FROM moved WHERE $18::text IS NOT NULL
    ON CONFLICT (code) DO UPDATE
    SET seq = excluded.seq, schema = excluded.schema, data = excluded.data
), answered AS (
    INSERT INTO idempotency (key, code, fingerprint, answer)
    SELECT $19, $1, $20, $21 FROM moved WHERE $19::bytea IS NOT NULL
)
SELECT count(*) FROM moved
"""


class PostgresStore:
    """`rooms.ports.Store` in PostgreSQL."""

    shared = True
    away: tuple[type[Exception], ...] = (
        asyncpg.PostgresConnectionError,
        asyncpg.OperatorInterventionError,
        asyncpg.InsufficientResourcesError,
        asyncpg.ReadOnlySQLTransactionError,
        asyncpg.InterfaceError,
        OSError,
        TimeoutError,
    )

    def __init__(self, url: str, *, connections: int = 8) -> None:
        """Nothing is touched before `open`."""
        self._url = url
        self._connections = connections
        self._pool: asyncpg.Pool[asyncpg.Record] | None = None

    @property
    def pool(self) -> "asyncpg.Pool[asyncpg.Record]":
        """The connections, once open."""
        if self._pool is None:
            raise RuntimeError("the store is not open")
        return self._pool

    async def _connect(self) -> None:
        try:
            self._pool = await asyncpg.create_pool(
                self._url, min_size=1, max_size=self._connections, command_timeout=PATIENCE,
                timeout=PATIENCE,
            )  # fmt: skip
        except (OSError, ValueError, asyncpg.PostgresError) as error:
            raise StoreError(
                f"PostgreSQL cannot be reached ({type(error).__name__}). Check the address after "
                "--store, that the server runs, and that it lets this user in."
            ) from error

    async def open(self) -> None:
        """Connect to a database that is up to date; updating it is an operator's decision."""
        await self._connect()
        behind = await self._behind()
        if behind:
            await self.close()
            raise StoreError("The PostgreSQL store is not up to date: run `varv migrate` first.")

    async def _behind(self) -> list[Any]:
        if await self.pool.fetchval("SELECT to_regclass('migrations')") is None:
            return list(migrations("postgres"))
        done = {row[0] for row in await self.pool.fetch("SELECT number FROM migrations")}
        return [migration for migration in migrations("postgres") if migration.number not in done]

    async def migrate(self) -> list[str]:
        """Bring the database up to date; the names of what was applied."""
        await self._connect()
        applied = []
        async with self.pool.acquire() as connection, connection.transaction():
            await connection.execute("SELECT pg_advisory_xact_lock($1)", LOCK)
            await connection.execute(
                "CREATE TABLE IF NOT EXISTS migrations"
                " (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"
            )
            rows = await connection.fetch("SELECT number FROM migrations")
            done = {row[0] for row in rows}
            for migration in migrations("postgres"):
                if migration.number not in done:
                    await connection.execute(migration.sql)
                    note = "INSERT INTO migrations VALUES ($1, $2)"
                    await connection.execute(note, migration.number, migration.name)
                    applied.append(migration.name)
        return applied

    async def close(self) -> None:
        """Let the connections go."""
        if self._pool is not None:
            await self._pool.close()
            self._pool = None

    async def ping(self) -> None:
        """Raise if the server does not answer."""
        await self.pool.fetchval("SELECT 1", timeout=5)

    async def append(self, append: Append) -> Outcome:
        """One round trip."""
        try:
            if append.creation is not None:
                return await self._create(append)
            moved = await self.pool.fetchval(APPEND, *_arguments(append))
        except asyncpg.UniqueViolationError as taken:
            return _outcome(taken)
        if moved:
            return Outcome.APPENDED
        return Outcome.DUPLICATE if await self._seen(append) else Outcome.CONFLICT

    async def _seen(self, a: Append) -> bool:
        """A duplicate is told apart from a conflict, as every store does."""
        if a.command and await self.command(a.code, a.command.actor, a.command.id):
            return True
        return bool(a.idempotency and await self.idempotent(a.idempotency.key))

    async def _create(self, a: Append) -> Outcome:
        creation = a.creation
        assert creation is not None
        if a.idempotency and await self.idempotent(a.idempotency.key):
            return Outcome.DUPLICATE
        async with self.pool.acquire() as connection, connection.transaction():
            if creation.owner_token is not None:
                sql = "INSERT INTO owners VALUES ($1, $2, $3) ON CONFLICT DO NOTHING"
                await connection.execute(sql, creation.owner, creation.owner_token, a.at)
            await connection.execute(
                "INSERT INTO games (code, owner, edition, state, players, seq, created, updated)"
                " VALUES ($1, $2, $3, $4, $5, 0, $6, $6)",
                a.code, creation.owner, creation.edition, a.state, a.players, a.at,
            )  # fmt: skip
            await connection.fetchval(APPEND, *_arguments(a))
            if creation.continues is not None:
                sql = "UPDATE games SET successor = $1 WHERE code = $2"
                await connection.execute(sql, a.code, creation.continues)
        return Outcome.APPENDED

    async def load(self, code: str) -> Loaded | None:
        """In one snapshot of the database, so that the parts fit together."""
        async with (
            self.pool.acquire() as c,
            c.transaction(isolation="repeatable_read", readonly=True),
        ):
            sql = f"SELECT {ROW}, seating FROM games WHERE code = $1"  # noqa: S608
            row = await c.fetchrow(sql, code)
            if row is None:
                return None
            sql = "SELECT seq, schema, data FROM snapshots WHERE code = $1"
            kept = await c.fetchrow(sql, code)
            snapshot = StoredSnapshot(*kept) if kept else None
            tail = await c.fetch(SINCE, code, snapshot.seq if snapshot else 0)
            seats = await c.fetch(SEATS, code)
        events = tuple(StoredEvent(*event) for event in tail)
        seated = tuple(Seat(*seat) for seat in seats)
        return Loaded(GameRow(*row[:-1]), snapshot, events, seated, row["seating"])

    async def since(self, code: str, seq: int) -> tuple[StoredEvent, ...]:
        """By primary key."""
        return tuple(StoredEvent(*row) for row in await self.pool.fetch(SINCE, code, seq))

    async def heads(self, codes: Sequence[str]) -> dict[str, Head]:
        """One query."""
        sql = "SELECT code, seq, seating, successor FROM games WHERE code = ANY($1::text[])"
        rows = await self.pool.fetch(sql, list(codes))
        return {code: Head(*head) for code, *head in rows}

    async def command(self, code: str, actor: str, command_id: str) -> CommandRecord | None:
        """By primary key."""
        sql = "SELECT fingerprint, version FROM commands WHERE code = $1 AND actor = $2 AND id = $3"
        row = await self.pool.fetchrow(sql, code, actor, command_id)
        return CommandRecord(actor, command_id, *row) if row else None

    async def idempotent(self, key: bytes) -> Idempotency | None:
        """By primary key."""
        sql = "SELECT fingerprint, answer FROM idempotency WHERE key = $1"
        row = await self.pool.fetchrow(sql, key)
        return Idempotency(key, *row) if row else None

    async def seats(self, code: str) -> tuple[tuple[Seat, ...], int]:
        """Who sits where."""
        rows = await self.pool.fetch(SEATS, code)
        seating = await self.pool.fetchval("SELECT seating FROM games WHERE code = $1", code)
        return tuple(Seat(*row) for row in rows), seating or 0

    async def add_ticket(self, ticket: RejoinTicket) -> None:
        """Durable, so that a link survives a restart."""
        sql = "INSERT INTO tickets (hash, code, player, expires) VALUES ($1, $2, $3, $4)"
        await self.pool.execute(sql, ticket.hash, ticket.code, ticket.player, ticket.expires)

    async def use_ticket(
        self, ticket: bytes, code: str, token: bytes, now: int
    ) -> tuple[str, bool] | None:
        """The row lock lets one caller spend it."""
        async with self.pool.acquire() as c, c.transaction():
            sql = (
                "SELECT player, expires, used_by FROM tickets"
                " WHERE hash = $1 AND code = $2 FOR UPDATE"
            )
            row = await c.fetchrow(sql, ticket, code)
            if row is None:
                return None
            player: str = row["player"]
            if row["used_by"] is not None:
                return (player, False) if row["used_by"] == token else None
            if row["expires"] < now:
                return None
            sql = "SELECT token FROM seats WHERE code = $1 AND player = $2 FOR UPDATE"
            seat = await c.fetchrow(sql, code, player)
            if seat is None:
                return None
            await c.execute("UPDATE tickets SET used_by = $1 WHERE hash = $2", token, ticket)
            sql = "UPDATE seats SET token = $1 WHERE code = $2 AND player = $3"
            await c.execute(sql, token, code, player)
            await c.execute("UPDATE games SET seating = seating + 1 WHERE code = $1", code)
            return player, seat["token"] is not None

    async def owner(self, token: bytes) -> str | None:
        """By the unique index on the hash."""
        found: str | None = await self.pool.fetchval(
            "SELECT id FROM owners WHERE token = $1", token
        )
        return found

    async def unfinished(self, owner: str) -> str | None:
        """By the index that GAME-23 rests on."""
        sql = "SELECT code FROM games WHERE owner = $1 AND state <> 'FINISHED'"
        found: str | None = await self.pool.fetchval(sql, owner)
        return found

    async def entitlements(self, owner: str) -> frozenset[str]:
        """What the owner may use."""
        sql = "SELECT entitlement FROM entitlements WHERE owner = $1"
        return frozenset(row[0] for row in await self.pool.fetch(sql, owner))

    async def grant(self, owner: str, entitlement: str) -> bool:
        """To an owner that exists."""
        if not await self.pool.fetchval("SELECT 1 FROM owners WHERE id = $1", owner):
            return False
        sql = "INSERT INTO entitlements VALUES ($1, $2) ON CONFLICT DO NOTHING"
        await self.pool.execute(sql, owner, entitlement)
        return True

    async def revoke(self, owner: str, entitlement: str) -> bool:
        """If it was there."""
        sql = "DELETE FROM entitlements WHERE owner = $1 AND entitlement = $2 RETURNING 1"
        return await self.pool.fetchval(sql, owner, entitlement) is not None

    async def games(self, *, finished: bool) -> tuple[GameRow, ...]:
        """Latest first."""
        where = "" if finished else "WHERE state <> 'FINISHED'"
        sql = f"SELECT {ROW} FROM games {where} ORDER BY updated DESC, code"  # noqa: S608
        return tuple(GameRow(*row) for row in await self.pool.fetch(sql))

    async def delete(self, code: str) -> bool:
        """The game with its belongings."""
        return await self._forget("code = $1", code) > 0

    async def prune(self, before: int) -> int:
        """All games untouched since."""
        return await self._forget("updated < $1", before)

    async def _forget(self, where: str, key: str | int) -> int:
        async with self.pool.acquire() as c, c.transaction():
            rows = await c.fetch(f"DELETE FROM games WHERE {where} RETURNING code", key)  # noqa: S608
            codes = [row["code"] for row in rows]
            for table in BELONGING:
                await c.execute(f"DELETE FROM {table} WHERE code = ANY($1::text[])", codes)  # noqa: S608
        return len(codes)

    async def secret(self, name: str) -> bytes:
        """Made by whoever asks first."""
        sql = "INSERT INTO secrets VALUES ($1, $2) ON CONFLICT DO NOTHING"
        await self.pool.execute(sql, name, secrets.token_bytes(32))
        value: bytes = await self.pool.fetchval("SELECT value FROM secrets WHERE name = $1", name)
        return value


SINCE = "SELECT name, schema, data FROM events WHERE code = $1 AND seq > $2 ORDER BY seq"
SEATS = "SELECT player, token, skill FROM seats WHERE code = $1"


def _arguments(a: Append) -> tuple[Any, ...]:
    command, snapshot, idempotency = a.command, a.snapshot, a.idempotency
    return (
        a.code, a.expected, a.expected + len(a.events), a.state, a.players, a.at,
        [event.name for event in a.events],
        [event.schema for event in a.events],
        [event.data for event in a.events],
        command.actor if command else None,
        command.id if command else None,
        command.fingerprint if command else None,
        command.version if command else None,
        [seat.player for seat in a.seats],
        [seat.token for seat in a.seats],
        [seat.skill for seat in a.seats],
        snapshot.schema if snapshot else None,
        snapshot.data if snapshot else None,
        idempotency.key if idempotency else None,
        idempotency.fingerprint if idempotency else None,
        idempotency.answer if idempotency else None,
    )  # fmt: skip


def _outcome(taken: "asyncpg.UniqueViolationError") -> Outcome:
    """Which primary key was taken says what happened."""
    match taken.constraint_name:
        case "commands_pkey" | "idempotency_pkey":
            return Outcome.DUPLICATE
        case "games_pkey":
            return Outcome.CODE_TAKEN
        case "one_unfinished_game":
            return Outcome.OWNER_BUSY
        case _:
            return Outcome.CONFLICT
