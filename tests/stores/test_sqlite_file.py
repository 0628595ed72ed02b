"""The file that SQLite keeps: whose it is, who may open it, and what survives a power cut."""

import asyncio
from pathlib import Path

import pytest

from varv.stores.errors import StoreError
from varv.stores.sqlite import SqliteStore
from varv.stores.sqlite_file import connect


async def test_a_new_file_is_for_its_owner_only_and_opens_again(tmp_path: Path) -> None:
    for _ in range(2):
        made = SqliteStore(tmp_path / "new" / "varv.db")
        await made.open()
        await made.ping()
        await made.close()
    assert (tmp_path / "new" / "varv.db").stat().st_mode & 0o077 == 0


async def test_two_servers_that_start_at_once_migrate_once(tmp_path: Path) -> None:
    stores = [SqliteStore(tmp_path / "varv.db") for _ in range(4)]
    await asyncio.gather(*(one.open() for one in stores))
    for one in stores:
        await one.ping()
        await one.close()


async def test_a_file_that_is_no_database_is_told_so(tmp_path: Path) -> None:
    (tmp_path / "varv.db").write_text("this is not a database, but it is long enough to be one" * 9)
    with pytest.raises(StoreError, match="cannot be used"):
        await SqliteStore(tmp_path / "varv.db").open()


async def test_what_is_flushed_is_durable(tmp_path: Path) -> None:
    connection = connect(tmp_path / "x.db")
    assert connection.execute("PRAGMA journal_mode").fetchone() == ("wal",)
    assert connection.execute("PRAGMA synchronous").fetchone() == (2,)
    connection.close()
