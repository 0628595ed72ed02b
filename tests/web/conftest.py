"""A live server for each test, over SQLite unless the test asks for another store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.live import Live, serving

from varv.stores.sqlite import SqliteStore


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Live]:
    store = SqliteStore(tmp_path / "varv.db")
    await store.open()
    async with serving(store, tmp_path) as running:
        yield running
    await store.close()
