"""Everything put together: which store, bus and music a server's settings mean."""

from collections.abc import AsyncIterator
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from varv.buses.memory import MemoryBus
from varv.config import Settings
from varv.music.catalogue import Catalogue
from varv.music.service import Music
from varv.rooms.ports import Bus, Store
from varv.web.services import Services

if TYPE_CHECKING:
    from varv.stores.postgres import PostgresStore


def make_store(settings: Settings) -> Store:
    """The store that the settings name."""
    if settings.postgres:
        from varv.stores.postgres import PostgresStore

        return PostgresStore(settings.store)
    from varv.stores.sqlite import SqliteStore

    return SqliteStore(settings.database)


def make_bus(settings: Settings) -> Bus:
    """The bus that the settings name."""
    if settings.bus:
        from varv.buses.redis import RedisBus

        return RedisBus(settings.bus)
    return MemoryBus()


def make_catalogue(settings: Settings, store: Store) -> Catalogue:
    """The catalogue lives in the same database as the games, which must be open."""
    if settings.postgres:
        from varv.stores.postgres_catalogue import PostgresCatalogue

        opened: PostgresStore = store  # type: ignore[assignment]
        return PostgresCatalogue(opened.pool)
    from varv.stores.sqlite_catalogue import SqliteCatalogue

    return SqliteCatalogue(settings.database)


def make_music(settings: Settings, catalogue: Catalogue) -> Music:
    """Files and the demo, and previews where the operator turned them on."""
    previews = None
    if settings.previews == "deezer":
        from varv.music.previews import Previews

        previews = Previews()
    return Music(catalogue, settings.folder, previews=previews)


@asynccontextmanager
async def open_services(settings: Settings) -> AsyncIterator[Services]:
    """A whole server's services, open for as long as they are used."""
    store, bus = make_store(settings), make_bus(settings)
    async with AsyncExitStack() as stack:
        await store.open()
        stack.push_async_callback(store.close)
        catalogue = make_catalogue(settings, store)
        stack.push_async_callback(catalogue.close)
        music = make_music(settings, catalogue)
        await music.open()
        stack.push_async_callback(music.close)
        services = Services(settings, store, bus, music)
        await services.open()
        stack.push_async_callback(services.close)
        yield services
