"""The real service that these tests use, and a file with its writer."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.services import postgres_url

from varv.stores.sqlite_file import connect
from varv.stores.writer import Writer

__all__ = ["postgres_url"]


@pytest.fixture
async def file(tmp_path: Path) -> Path:
    database = connect(tmp_path / "x.db")
    database.execute("CREATE TABLE t (n INTEGER PRIMARY KEY)")
    database.close()
    return tmp_path / "x.db"


@pytest.fixture
async def writer(file: Path) -> AsyncIterator[Writer]:
    made = Writer(lambda: connect(file))
    await made.start()
    yield made
    await made.stop()
