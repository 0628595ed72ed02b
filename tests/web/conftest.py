"""A live server for each test, over SQLite unless the test asks for another store."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.live import Live, serving
from tests.services import postgres_url, redis_url

from varv.stores.sqlite import SqliteStore

__all__ = ["live", "postgres_url", "redis_url"]


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Live]:
    store = SqliteStore(tmp_path / "varv.db")
    await store.open()
    async with serving(store, tmp_path) as running:
        yield running
    await store.close()
