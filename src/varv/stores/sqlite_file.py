"""The SQLite file itself: how it is opened, and brought up to date."""

import sqlite3
import time
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

from varv.stores.errors import StoreError
from varv.stores.migrations import migrations

PATIENCE = 10.0
"""Seconds to wait for another process that has the file."""


@contextmanager
def claim(path: Path) -> Iterator[None]:
    """Be the only server of a file, for as long as this lasts or the process lives.

    A server keeps its games in memory and hears of no other that uses the same file. Commands of
    the operator, which come and go, need no claim.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        # A transaction of an empty database of its own is a lock on every system, and ends with
        # the process however that ends.
        lock = sqlite3.connect(
            path.with_name(f"{path.name}.lock"),
            isolation_level=None,
            check_same_thread=False,
            timeout=0,
        )
    except (OSError, sqlite3.Error) as error:
        raise unusable(path, error) from error
    with closing(lock):
        try:
            lock.execute("BEGIN EXCLUSIVE")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY:
                raise unusable(path, error) from error
            raise StoreError(
                f"Another server already uses {path}. End it first, or choose another folder "
                "with --data."
            ) from error
        yield


def unusable(path: Path, error: Exception) -> StoreError:
    """To be raised."""
    return StoreError(
        f"The database {path} cannot be used ({error}). "
        "Choose another folder with --data, or check its permissions and free space."
    )


def connect(path: Path, *, read_only: bool = False) -> sqlite3.Connection:
    """A connection that is durable, waits for its turn, and leaves transactions to us."""
    connection = sqlite3.connect(
        path, isolation_level=None, check_same_thread=False, timeout=PATIENCE, cached_statements=256
    )
    _write_ahead(connection)
    connection.execute("PRAGMA synchronous=FULL")
    if read_only:
        connection.execute("PRAGMA query_only=ON")
    return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Turn on WAL; SQLite's own time-out does not wait for another server that does so too."""
    give_up = time.monotonic() + PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode=WAL")
            return
        except sqlite3.OperationalError:
            if time.monotonic() > give_up:
                raise
            time.sleep(0.01)


def migrate(connection: sqlite3.Connection) -> None:
    """Apply what is new, in one transaction, so that two starting servers do not race."""
    connection.execute("BEGIN IMMEDIATE")
    connection.execute(
        "CREATE TABLE IF NOT EXISTS migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"
    )
    done = {number for (number,) in connection.execute("SELECT number FROM migrations")}
    connection.execute("COMMIT")
    for migration in migrations("sqlite"):
        if migration.number in done:
            continue
        note = f"VALUES ({migration.number}, '{migration.name}');"
        noted = f"INSERT OR IGNORE INTO migrations {note}"
        try:
            connection.executescript(f"BEGIN IMMEDIATE;\n{migration.sql}\n{noted}\nCOMMIT;")
        except sqlite3.Error:
            if connection.in_transaction:
                connection.execute("ROLLBACK")
            query = "SELECT 1 FROM migrations WHERE number = ?"
            if connection.execute(query, (migration.number,)).fetchone() is None:
                raise
