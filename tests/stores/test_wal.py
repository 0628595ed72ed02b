"""The log of an SQLite file: copied beside the writing, and never longer than it needs to be."""

import asyncio
import shutil
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE
from tests.stores.test_writer import insert, stored

from varv.stores import wal
from varv.stores.writer import Writer

PAGE = 4096 + 24
"""Bytes of a page in the log, with its head."""


def log_of(file: Path) -> Path:
    return file.with_name(f"{file.name}-wal")


def in_the_file_alone(file: Path) -> list[int]:
    """What a file without its log holds."""
    alone = file.with_name("alone.db")
    shutil.copy(file, alone)
    try:
        return stored(alone)
    except sqlite3.DatabaseError:
        return []  # Copied in the middle of a write.


async def test_the_log_is_copied_after_a_while(
    writer: Writer, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wal, "EVERY", 10)
    for n in range(9):
        await writer.run(insert(n))
    assert writer._log._copying is None
    assert in_the_file_alone(file) == []
    await writer.run(insert(9))
    async with asyncio.timeout(PATIENCE):
        while in_the_file_alone(file) != list(range(10)):
            await asyncio.sleep(0.01)


async def test_it_is_not_copied_again_at_once(
    writer: Writer, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """However busy it is: the copy's own flush would hold up commit after commit."""
    monkeypatch.setattr(wal, "EVERY", 1)
    await writer.run(insert(0))
    async with asyncio.timeout(PATIENCE):
        while in_the_file_alone(file) != [0] or writer._log._copying is not None:
            await asyncio.sleep(0.01)
    for n in range(1, 50):
        await writer.run(insert(n))
    assert writer._log._copying is None
    assert in_the_file_alone(file) == [0]
    monkeypatch.setattr(wal, "REST", 0.0)
    writer._log._rested = 0.0
    async with asyncio.timeout(PATIENCE):
        n = 50
        while len(in_the_file_alone(file)) < 50:
            await writer.run(insert(n))
            n += 1


async def test_no_commit_copies(writer: Writer, file: Path) -> None:
    """SQLite would do so after a thousand pages, and everyone in that commit would wait."""
    for n in range(1100):
        writer._log._jobs = 0
        await writer.run(insert(n))
    assert log_of(file).stat().st_size > 1100 * PAGE
    assert in_the_file_alone(file) == []


async def test_a_log_without_rest_starts_over(
    writer: Writer, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wal, "EVERY", 10)
    monkeypatch.setattr(wal, "LONG", 50)
    monkeypatch.setattr(wal, "REST", 0.0)
    # While somebody is still reading, what they read stays in the log.
    reader = sqlite3.connect(file, isolation_level=None)
    reader.execute("BEGIN")
    assert reader.execute("SELECT count(*) FROM t").fetchone() == (0,)
    await _busily(writer, range(300))
    long = log_of(file).stat().st_size
    assert long > 300 * PAGE
    reader.execute("COMMIT")
    await _busily(writer, range(300, 900))
    assert log_of(file).stat().st_size < long + 200 * PAGE
    assert reader.execute("SELECT count(*) FROM t").fetchone() == (900,)
    reader.close()


async def _busily(writer: Writer, numbers: range) -> None:
    """Every job is waiting before the one before it is committed."""
    jobs: list[asyncio.Task[int]] = []

    def job(n: int) -> Any:
        def insert_and_go_on(database: sqlite3.Connection) -> int:
            if n + 1 in numbers:
                jobs.append(asyncio.create_task(writer.run(job(n + 1))))
            inserted: int = insert(n)(database)
            return inserted

        return insert_and_go_on

    jobs.append(asyncio.create_task(writer.run(job(numbers.start))))
    for n in range(len(numbers)):
        assert await jobs[n] == 1


async def test_a_log_that_cannot_be_copied_harms_nobody(
    writer: Writer, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(wal, "EVERY", 1)
    connection = writer._log._connection
    assert connection is not None
    connection.close()
    for n in range(20):
        assert await writer.run(insert(n)) == 1
    assert stored(file) == list(range(20))
