"""Catalogues of every kind, with nothing in them."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from tests.services import empty_postgres, postgres_url

from varv.music.catalogue import Catalogue
from varv.stores.postgres import PostgresStore
from varv.stores.postgres_catalogue import PostgresCatalogue
from varv.stores.sqlite import SqliteStore
from varv.stores.sqlite_catalogue import SqliteCatalogue

__all__ = ["postgres_url"]


@asynccontextmanager
async def _sqlite(folder: Path) -> AsyncIterator[Catalogue]:
    store = SqliteStore(folder / "varv.db")
    await store.open()
    catalogue = SqliteCatalogue(folder / "varv.db")
    yield catalogue
    await catalogue.close()
    await store.close()


@asynccontextmanager
async def _postgres(url: str) -> AsyncIterator[Catalogue]:
    await empty_postgres(url)
    store = PostgresStore(url)
    await store.open()
    yield PostgresCatalogue(store.pool)
    await store.close()


@pytest.fixture
async def catalogue(tmp_path: Path) -> AsyncIterator[Catalogue]:
    """An empty catalogue in SQLite."""
    async with _sqlite(tmp_path) as catalogue:
        yield catalogue


@pytest.fixture(params=["sqlite", "postgres"])
async def any_catalogue(
    request: pytest.FixtureRequest, tmp_path: Path, postgres_url: str
) -> AsyncIterator[Catalogue]:
    """An empty catalogue in every store there is."""
    opened = _sqlite(tmp_path) if request.param == "sqlite" else _postgres(postgres_url)
    async with opened as catalogue:
        yield catalogue
