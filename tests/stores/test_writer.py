"""The writer thread: what is waiting is committed together, and each learns of its own."""

import asyncio
import sqlite3
from pathlib import Path
from typing import Any

import pytest
from tests.patience import PATIENCE

from varv.stores.sqlite import SqliteStore
from varv.stores.sqlite_file import connect
from varv.stores.writer import Writer


def insert(n: int) -> Any:
    return lambda database: database.execute("INSERT INTO t VALUES (?)", (n,)).rowcount


def stored(file: Path) -> list[int]:
    database = sqlite3.connect(file)
    rows = [n for (n,) in database.execute("SELECT n FROM t ORDER BY n")]
    database.close()
    return rows


async def test_what_waits_together_is_committed_together(writer: Writer, file: Path) -> None:
    commits = 0

    def count(statement: str) -> None:
        nonlocal commits
        commits += statement == "COMMIT"

    assert writer._connection is not None
    writer._connection.set_trace_callback(count)
    await asyncio.gather(*(writer.run(insert(n)) for n in range(100)))
    assert stored(file) == list(range(100))
    assert commits <= 2


async def test_one_that_fails_takes_no_other_with_it(writer: Writer, file: Path) -> None:
    await writer.run(insert(5))
    results = await asyncio.gather(
        *(writer.run(insert(n)) for n in range(10)), return_exceptions=True
    )
    failed = [n for n, result in enumerate(results) if isinstance(result, Exception)]
    assert failed == [5]
    assert isinstance(results[5], sqlite3.IntegrityError)
    assert stored(file) == list(range(10))


async def test_another_process_that_writes_is_waited_for(writer: Writer, file: Path) -> None:
    other = sqlite3.connect(file, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    other.execute("INSERT INTO t VALUES (1)")
    waiting = asyncio.create_task(writer.run(insert(2)))
    # The loop must stay free in the meantime.
    for _ in range(20):
        await asyncio.sleep(0.005)
        assert not waiting.done()
    other.execute("COMMIT")
    other.close()
    assert await waiting == 1
    assert stored(file) == [1, 2]


async def test_whoever_goes_away_does_not_stop_the_others(writer: Writer, file: Path) -> None:
    tasks = [asyncio.create_task(writer.run(insert(n))) for n in range(5)]
    await asyncio.sleep(0)
    tasks[2].cancel()
    results = await asyncio.gather(*tasks, return_exceptions=True)
    assert [r for r in results if r == 1] == [1] * 4
    assert await writer.run(insert(9)) == 1
    assert set(stored(file)) >= {0, 1, 3, 4, 9}


async def test_closing_waits_for_what_was_accepted(file: Path) -> None:
    writer = Writer(lambda: connect(file))
    with pytest.raises(RuntimeError):
        await writer.run(insert(0))
    await writer.start()
    task = asyncio.create_task(writer.run(insert(1)))
    await asyncio.sleep(0)
    await writer.stop()
    assert await task == 1
    assert stored(file) == [1]


async def test_whoever_waits_hears_of_it_even_if_nothing_can_be_taken_back(
    file: Path, writer: Writer
) -> None:
    """A disk that goes away leaves nobody hanging, and the writer works again when it is back."""

    class Broken:
        """A connection whose disk is gone."""

        in_transaction = True

        def execute(self, statement: str) -> None:
            raise sqlite3.OperationalError("disk I/O error")

    working, writer._connection = writer._connection, Broken()  # type: ignore[assignment]
    async with asyncio.timeout(PATIENCE):
        waiting = [writer.run(insert(n)) for n in range(3)]
        results = await asyncio.gather(*waiting, return_exceptions=True)
    assert [str(result) for result in results] == ["disk I/O error"] * 3
    writer._connection = working
    await writer.run(insert(7))
    assert stored(file) == [7]


async def test_a_full_disk_refuses_and_is_forgiven(writer: Writer, file: Path) -> None:
    assert writer._connection is not None
    pages = writer._connection.execute("PRAGMA page_count").fetchone()[0]
    writer._connection.execute(f"PRAGMA max_page_count={pages}")

    def fill(database: sqlite3.Connection) -> None:
        database.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(10_000)])

    results = await asyncio.gather(writer.run(fill), writer.run(insert(1)), return_exceptions=True)
    assert isinstance(results[0], sqlite3.OperationalError)
    assert isinstance(results[0], SqliteStore.away)
    assert results[1] == 1
    assert stored(file) == [1]
    writer._connection.execute("PRAGMA max_page_count=100000")
    await writer.run(fill_from_two)
    assert len(stored(file)) == 10_000


def fill_from_two(database: sqlite3.Connection) -> None:
    database.executemany("INSERT INTO t VALUES (?)", [(n,) for n in range(2, 10_001)])
