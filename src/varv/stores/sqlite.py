"""The default store: one SQLite file, written by one thread, flushed before anyone is told."""

import asyncio
import os
import secrets
import sqlite3
import threading
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import TypeVar

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
from varv.stores.sqlite_file import connect, migrate, unusable
from varv.stores.writer import Writer

Result = TypeVar("Result")

BELONGING = ("events", "snapshots", "commands", "seats", "tickets", "idempotency")
"""Tables whose rows go with their game."""
ROW = "code, owner, edition, state, players, seq, created, updated, successor"
HEAD = "seq, seating, successor"


class SqliteStore:
    """`rooms.ports.Store` in a file."""

    shared = False
    away: tuple[type[Exception], ...] = (sqlite3.OperationalError, OSError)

    def __init__(self, path: Path) -> None:
        """Nothing is touched before `open`."""
        self.path = path
        self._writer = Writer(lambda: connect(path))
        self._readers: ThreadPoolExecutor | None = None
        self._local = threading.local()
        self._reading: list[sqlite3.Connection] = []

    async def open(self) -> None:
        """Create or update the file."""
        try:
            await asyncio.to_thread(self._prepare)
        except (OSError, sqlite3.Error) as error:
            raise unusable(self.path, error) from error
        self._readers = ThreadPoolExecutor(2, "sqlite-reader")
        await self._writer.start()

    def _prepare(self) -> None:
        self.path.parent.mkdir(parents=True, exist_ok=True)
        if not self.path.exists():
            # Token hashes and answers are nobody else's business on a shared machine.
            os.close(os.open(self.path, os.O_CREAT | os.O_RDWR, 0o600))
        connection = connect(self.path)
        try:
            migrate(connection)
        finally:
            connection.close()

    async def close(self) -> None:
        """Commit what was accepted."""
        await self._writer.stop()
        if self._readers is not None:
            await asyncio.to_thread(self._readers.shutdown)
            self._readers = None
        for connection in self._reading:
            connection.close()
        self._reading.clear()

    async def _read(self, query: Callable[[sqlite3.Connection], Result]) -> Result:
        if self._readers is None:
            raise RuntimeError("the store is not open")

        def run() -> Result:
            connection: sqlite3.Connection | None = getattr(self._local, "connection", None)
            if connection is None:
                connection = connect(self.path, read_only=True)
                self._local.connection = connection
                self._reading.append(connection)
            return query(connection)

        return await asyncio.get_running_loop().run_in_executor(self._readers, run)

    async def ping(self) -> None:
        """Raise if the file cannot be read."""
        await self._read(lambda c: c.execute("SELECT 1 FROM games LIMIT 1").fetchone())

    async def append(self, append: Append) -> Outcome:
        """Joins the next group commit."""
        return await self._writer.run(lambda c: _append(c, append))

    async def load(self, code: str) -> Loaded | None:
        """In one read transaction, so that the parts fit together."""

        def query(c: sqlite3.Connection) -> Loaded | None:
            c.execute("BEGIN")
            try:
                return _load(c, code)
            finally:
                c.execute("COMMIT")

        return await self._read(query)

    async def since(self, code: str, seq: int) -> tuple[StoredEvent, ...]:
        """By primary key."""
        return await self._read(lambda c: _since(c, code, seq))

    async def heads(self, codes: Sequence[str]) -> dict[str, Head]:
        """One query per few hundred games."""

        def query(c: sqlite3.Connection) -> dict[str, Head]:
            found = {}
            for start in range(0, len(codes), 500):
                some = codes[start : start + 500]
                marks = ",".join("?" * len(some))
                sql = f"SELECT code, {HEAD} FROM games WHERE code IN ({marks})"  # noqa: S608
                found.update({code: Head(*head) for code, *head in c.execute(sql, some)})
            return found

        return await self._read(query)

    async def command(self, code: str, actor: str, command_id: str) -> CommandRecord | None:
        """By primary key."""
        sql = "SELECT fingerprint, version FROM commands WHERE code = ? AND actor = ? AND id = ?"
        row = await self._read(lambda c: c.execute(sql, (code, actor, command_id)).fetchone())
        return CommandRecord(actor, command_id, *row) if row else None

    async def idempotent(self, key: bytes) -> Idempotency | None:
        """By primary key."""
        sql = "SELECT fingerprint, answer FROM idempotency WHERE key = ?"
        row = await self._read(lambda c: c.execute(sql, (key,)).fetchone())
        return Idempotency(key, *row) if row else None

    async def seats(self, code: str) -> tuple[tuple[Seat, ...], int]:
        """Who sits where."""
        return await self._read(lambda c: (_seats(c, code), _seating(c, code)))

    async def add_ticket(self, ticket: RejoinTicket) -> None:
        """Durable, so that a link survives a restart."""
        row = (ticket.hash, ticket.code, ticket.player, ticket.expires)
        sql = "INSERT OR REPLACE INTO tickets (hash, code, player, expires) VALUES (?, ?, ?, ?)"
        await self._writer.run(lambda c: c.execute(sql, row))

    async def use_ticket(
        self, ticket: bytes, code: str, token: bytes, now: int
    ) -> tuple[str, bool] | None:
        """Checked and spent in one transaction."""
        return await self._writer.run(lambda c: _use_ticket(c, ticket, code, token, now))

    async def owner(self, token: bytes) -> str | None:
        """By the unique index on the hash."""
        return await self._value("SELECT id FROM owners WHERE token = ?", token)

    async def unfinished(self, owner: str) -> str | None:
        """By the index that GAME-23 rests on."""
        sql = "SELECT code FROM games WHERE owner = ? AND state <> 'FINISHED'"
        return await self._value(sql, owner)

    async def _value(self, sql: str, key: str | bytes) -> str | None:
        row = await self._read(lambda c: c.execute(sql, (key,)).fetchone())
        return row[0] if row else None

    async def entitlements(self, owner: str) -> frozenset[str]:
        """What the owner may use."""
        sql = "SELECT entitlement FROM entitlements WHERE owner = ?"
        rows = await self._read(lambda c: c.execute(sql, (owner,)).fetchall())
        return frozenset(row[0] for row in rows)

    async def grant(self, owner: str, entitlement: str) -> bool:
        """To an owner that exists."""

        def job(c: sqlite3.Connection) -> bool:
            if c.execute("SELECT 1 FROM owners WHERE id = ?", (owner,)).fetchone() is None:
                return False
            c.execute("INSERT OR IGNORE INTO entitlements VALUES (?, ?)", (owner, entitlement))
            return True

        return await self._writer.run(job)

    async def revoke(self, owner: str, entitlement: str) -> bool:
        """If it was there."""
        sql = "DELETE FROM entitlements WHERE owner = ? AND entitlement = ?"
        return await self._writer.run(lambda c: c.execute(sql, (owner, entitlement)).rowcount > 0)

    async def games(self, *, finished: bool) -> tuple[GameRow, ...]:
        """Latest first."""
        where = "" if finished else "WHERE state <> 'FINISHED'"
        sql = f"SELECT {ROW} FROM games {where} ORDER BY updated DESC, code"  # noqa: S608
        rows = await self._read(lambda c: c.execute(sql).fetchall())
        return tuple(GameRow(*row) for row in rows)

    async def delete(self, code: str) -> bool:
        """The game with its belongings."""
        return await self._writer.run(lambda c: _delete(c, code))

    async def prune(self, before: int) -> int:
        """All games untouched since."""

        def job(c: sqlite3.Connection) -> int:
            old = c.execute("SELECT code FROM games WHERE updated < ?", (before,)).fetchall()
            for (code,) in old:
                _delete(c, code)
            return len(old)

        return await self._writer.run(job)

    async def secret(self, name: str) -> bytes:
        """Made by whoever asks first."""

        def job(c: sqlite3.Connection) -> bytes:
            made = secrets.token_bytes(32)
            c.execute("INSERT OR IGNORE INTO secrets VALUES (?, ?)", (name, made))
            row = c.execute("SELECT value FROM secrets WHERE name = ?", (name,)).fetchone()
            return bytes(row[0])

        return await self._writer.run(job)


def _append(c: sqlite3.Connection, a: Append) -> Outcome:
    """Every outcome but APPENDED leaves the transaction as it found it, for the others in it."""
    idempotency = a.idempotency
    if idempotency is not None:
        sql = "SELECT 1 FROM idempotency WHERE key = ?"
        if c.execute(sql, (idempotency.key,)).fetchone():
            return Outcome.DUPLICATE
    seq = a.expected + len(a.events)
    command = a.command
    if command is not None:
        row = (a.code, command.actor, command.id, command.fingerprint, command.version)
        sql = "INSERT OR IGNORE INTO commands VALUES (?, ?, ?, ?, ?)"
        if c.execute(sql, row).rowcount == 0:
            return Outcome.DUPLICATE
    if a.creation is not None:
        outcome = _create(c, a, seq)
        if outcome is not Outcome.APPENDED:
            return outcome
    elif not _move(c, a, seq):
        if command is not None:
            sql = "DELETE FROM commands WHERE code = ? AND actor = ? AND id = ?"
            c.execute(sql, (a.code, command.actor, command.id))
        return Outcome.CONFLICT
    for number, event in enumerate(a.events, a.expected + 1):
        c.execute(
            "INSERT INTO events VALUES (?, ?, ?, ?, ?, ?)",
            (a.code, number, event.name, event.schema, event.data, a.at),
        )
    for seat in a.seats:
        row_of_seat = (a.code, seat.player, seat.token, seat.skill)
        c.execute("INSERT INTO seats VALUES (?, ?, ?, ?)", row_of_seat)
    if a.seats:
        c.execute("UPDATE games SET seating = seating + 1 WHERE code = ?", (a.code,))
    if a.snapshot is not None:
        s = a.snapshot
        sql = "INSERT OR REPLACE INTO snapshots VALUES (?, ?, ?, ?)"
        c.execute(sql, (a.code, s.seq, s.schema, s.data))
    if idempotency is not None:
        answer = (idempotency.key, a.code, idempotency.fingerprint, idempotency.answer)
        c.execute("INSERT INTO idempotency VALUES (?, ?, ?, ?)", answer)
    return Outcome.APPENDED


def _move(c: sqlite3.Connection, a: Append, seq: int) -> bool:
    """Whether the game was where it was expected; now it is further on."""
    where = "WHERE code = ? AND seq = ?"
    # Naming the state writes the index that GAME-23 rests on, and it is rarely another one.
    sql = f"UPDATE games SET seq = ?, updated = ? {where} AND state = ? AND players = ?"  # noqa: S608
    if c.execute(sql, (seq, a.at, a.code, a.expected, a.state, a.players)).rowcount:
        return True
    sql = f"UPDATE games SET seq = ?, state = ?, players = ?, updated = ? {where}"  # noqa: S608
    return c.execute(sql, (seq, a.state, a.players, a.at, a.code, a.expected)).rowcount > 0


def _create(c: sqlite3.Connection, a: Append, seq: int) -> Outcome:
    creation = a.creation
    assert creation is not None
    if c.execute("SELECT 1 FROM games WHERE code = ?", (a.code,)).fetchone():
        return Outcome.CODE_TAKEN
    sql = "SELECT 1 FROM games WHERE owner = ? AND state <> 'FINISHED'"
    if c.execute(sql, (creation.owner,)).fetchone():
        return Outcome.OWNER_BUSY
    if creation.owner_token is not None:
        owner = (creation.owner, creation.owner_token, a.at)
        c.execute("INSERT OR IGNORE INTO owners VALUES (?, ?, ?)", owner)
    c.execute(
        "INSERT INTO games (code, owner, edition, state, players, seq, created, updated)"
        " VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
        (a.code, creation.owner, creation.edition, a.state, a.players, seq, a.at, a.at),
    )
    if creation.continues is not None:
        sql = "UPDATE games SET successor = ? WHERE code = ?"
        c.execute(sql, (a.code, creation.continues))
    return Outcome.APPENDED


def _since(c: sqlite3.Connection, code: str, seq: int) -> tuple[StoredEvent, ...]:
    sql = "SELECT name, schema, data FROM events WHERE code = ? AND seq > ? ORDER BY seq"
    return tuple(StoredEvent(*row) for row in c.execute(sql, (code, seq)))


def _seats(c: sqlite3.Connection, code: str) -> tuple[Seat, ...]:
    sql = "SELECT player, token, skill FROM seats WHERE code = ?"
    return tuple(Seat(*row) for row in c.execute(sql, (code,)))


def _seating(c: sqlite3.Connection, code: str) -> int:
    row = c.execute("SELECT seating FROM games WHERE code = ?", (code,)).fetchone()
    return row[0] if row else 0


def _load(c: sqlite3.Connection, code: str) -> Loaded | None:
    row = c.execute(f"SELECT {ROW} FROM games WHERE code = ?", (code,)).fetchone()  # noqa: S608
    if row is None:
        return None
    sql = "SELECT seq, schema, data FROM snapshots WHERE code = ?"
    kept = c.execute(sql, (code,)).fetchone()
    snapshot = StoredSnapshot(*kept) if kept else None
    tail = _since(c, code, snapshot.seq if snapshot else 0)
    return Loaded(GameRow(*row), snapshot, tail, _seats(c, code), _seating(c, code))


def _use_ticket(
    c: sqlite3.Connection, ticket: bytes, code: str, token: bytes, now: int
) -> tuple[str, bool] | None:
    sql = "SELECT player, expires, used_by FROM tickets WHERE hash = ? AND code = ?"
    row = c.execute(sql, (ticket, code)).fetchone()
    if row is None:
        return None
    player, expires, used_by = row
    if used_by is not None:
        return (player, False) if used_by == token else None
    if expires < now:
        return None
    sql = "SELECT token FROM seats WHERE code = ? AND player = ?"
    seat = c.execute(sql, (code, player)).fetchone()
    if seat is None:
        return None
    c.execute("UPDATE tickets SET used_by = ? WHERE hash = ?", (token, ticket))
    sql = "UPDATE seats SET token = ? WHERE code = ? AND player = ?"
    c.execute(sql, (token, code, player))
    c.execute("UPDATE games SET seating = seating + 1 WHERE code = ?", (code,))
    return player, seat[0] is not None


def _delete(c: sqlite3.Connection, code: str) -> bool:
    for table in BELONGING:
        c.execute(f"DELETE FROM {table} WHERE code = ?", (code,))  # noqa: S608
    return c.execute("DELETE FROM games WHERE code = ?", (code,)).rowcount > 0
