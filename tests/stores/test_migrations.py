"""Databases of earlier versions keep working, and keep what is in them."""

import sqlite3
from pathlib import Path

import pytest
from tests.services import blank_postgres

from varv.music.catalogue import Catalogue
from varv.music.model import Mix, MixKind, Origin
from varv.stores.errors import StoreError
from varv.stores.migrations import Migration, migrations
from varv.stores.postgres import PostgresStore
from varv.stores.postgres_catalogue import PostgresCatalogue
from varv.stores.sqlite import SqliteStore
from varv.stores.sqlite_catalogue import SqliteCatalogue

KEPT = "CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL);"
MIXES = """
INSERT INTO music_mixes (id, name, position, premium, origin) VALUES
('demo', 'Demo', 0, FALSE, 'shipped'), ('gold', 'Gold', 7, TRUE, 'user');
"""


def before(kind: str, number: int) -> str:
    """A database as it was before a migration."""
    earlier = [m for m in migrations(kind) if m.number < number]
    notes = [f"INSERT INTO migrations VALUES ({m.number}, '{m.name}');" for m in earlier]
    return "\n".join([KEPT, *(m.sql for m in earlier), *notes])


async def check_mixes(catalogue: Catalogue) -> None:
    assert await catalogue.mixes() == [
        Mix("demo", "Demo", 0, MixKind.BASE, Origin.SHIPPED),
        Mix("gold", "Gold", 7, MixKind.PREMIUM, Origin.USER),
    ]


@pytest.mark.rule("ENT-01")
async def test_premium_mixes_stay_premium_in_sqlite(tmp_path: Path) -> None:
    path = tmp_path / "varv.db"
    old = sqlite3.connect(path)
    old.executescript(before("sqlite", 11) + MIXES)
    old.close()
    store = SqliteStore(path)
    await store.open()
    catalogue = SqliteCatalogue(path)
    await check_mixes(catalogue)
    await catalogue.close()
    await store.close()


@pytest.mark.rule("ENT-01")
async def test_premium_mixes_stay_premium_in_postgresql(postgres_url: str) -> None:
    await blank_postgres(postgres_url, before("postgres", 11) + MIXES)
    store = PostgresStore(postgres_url)
    with pytest.raises(StoreError, match="varv migrate"):
        await store.open()
    assert await store.migrate() == ["0011_mix_kinds.sql", "0012_no_index_by_time.sql"]
    await check_mixes(PostgresCatalogue(store.pool))
    await store.close()


def test_both_databases_go_through_the_same_steps() -> None:
    def steps(found: tuple[Migration, ...]) -> list[tuple[int, str]]:
        return [(migration.number, migration.name) for migration in found]

    assert steps(migrations("sqlite")) == steps(migrations("postgres"))
