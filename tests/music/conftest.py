"""Catalogues of every kind, and small worlds of songs to draw from."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest

from varv.music.catalogue import Catalogue
from varv.stores.postgres import PostgresStore
from varv.stores.postgres_catalogue import PostgresCatalogue
from varv.stores.sqlite import SqliteStore
from varv.stores.sqlite_catalogue import SqliteCatalogue


@pytest.fixture
async def catalogue(tmp_path: Path) -> AsyncIterator[Catalogue]:
    """An empty catalogue in SQLite."""
    store = SqliteStore(tmp_path / "varv.db")
    await store.open()
    catalogue = SqliteCatalogue(tmp_path / "varv.db")
    yield catalogue
    await catalogue.close()
    await store.close()


@pytest.fixture(params=["sqlite", "postgres"])
async def any_catalogue(request: pytest.FixtureRequest, tmp_path: Path) -> AsyncIterator[Catalogue]:
    """An empty catalogue in every store there is."""
    if request.param == "sqlite":
        yield request.getfixturevalue("catalogue")
        return
    store = PostgresStore(request.getfixturevalue("postgres_url"))
    await store.migrate()
    await store.open()
    names = "songs, claims, recordings, mixes, members, files, flags, lookups, meta"
    await store.pool.execute("TRUNCATE " + ", ".join(f"music_{n}" for n in names.split(", ")))
    yield PostgresCatalogue(store.pool)
    await store.close()
