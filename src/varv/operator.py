"""What an operator does from the command line, while the server runs or not."""

import asyncio
import re
import time
from collections.abc import AsyncIterator, Awaitable, Callable, Iterator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from typing import TypeVar

import click

from varv.config import ConfigError, Settings
from varv.music.model import MixKind
from varv.rooms.entitlements import PREMIUM, single
from varv.rooms.keys import read_code
from varv.rooms.ports import Store
from varv.stores.errors import StoreError
from varv.web.wiring import make_bus, make_catalogue, make_store

Result = TypeVar("Result")


@asynccontextmanager
async def _opened(settings: Settings) -> AsyncIterator[Store]:
    store = make_store(settings)
    await store.open()
    try:
        yield store
    finally:
        await store.close()


def _with_store(settings: Settings, act: Callable[[Store], Awaitable[Result]]) -> Result:
    settings.check()

    async def run() -> Result:
        async with _opened(settings) as store:
            return await act(store)

    return asyncio.run(run())


def fail(message: str) -> click.exceptions.Exit:
    """One clear line and status 1, to be raised."""
    click.echo(message, err=True)
    return click.exceptions.Exit(1)


def seconds(text: str) -> int | None:
    """`30d`, `12h`, `90m` as seconds."""
    found = re.fullmatch(r"(\d{1,6})([dhm])", text.strip())
    return int(found[1]) * {"d": 86400, "h": 3600, "m": 60}[found[2]] if found else None


def migrate(settings: Settings) -> None:
    """Apply what is new."""
    settings.check()
    if not settings.postgres:
        _with_store(settings, lambda store: store.ping())
        click.echo("SQLite is up to date; it keeps itself so.")
        return
    from varv.stores.postgres import PostgresStore

    async def run() -> list[str]:
        store = PostgresStore(settings.store)
        try:
            return await store.migrate()
        finally:
            await store.close()

    applied = asyncio.run(run())
    for name in applied:
        click.echo(f"applied {name}")
    click.echo("The PostgreSQL store is up to date.")


def list_games(settings: Settings, *, finished: bool) -> None:
    """A line per game."""
    rows = _with_store(settings, lambda store: store.games(finished=finished))
    if not rows:
        click.echo("No games." if finished else "No unfinished games (--all shows the others).")
        return
    click.echo(f"{'code':<6}  {'edition':<8}  {'state':<12}  {'players':>7}  last touched (UTC)")
    for row in rows:
        touched = datetime.fromtimestamp(row.updated / 1000, UTC).strftime("%Y-%m-%d %H:%M")
        click.echo(f"{row.code:<6}  {row.edition:<8}  {row.state:<12}  {row.players:>7}  {touched}")


def delete(settings: Settings, text: str) -> None:
    """One game."""
    code = read_code(text)
    if code is None or not _with_store(settings, lambda store: store.delete(code)):
        raise fail(f"There is no game {text}. `varv games --all` lists them.")
    click.echo(f"{code} is deleted.")


def prune(settings: Settings, span: int) -> None:
    """All that are old enough."""
    before = int((time.time() - span) * 1000)
    count = _with_store(settings, lambda store: store.prune(before))
    click.echo(f"{count} deleted.")


def grant(settings: Settings, owner: str, mix: str) -> None:
    """A mix that exists, or Premium if none is named, to an owner that exists (ENT-01).

    A mix may be granted before it is sold singly and before the owner has Premium; the operator is
    told what is still missing.
    """
    entitlement = single(mix) if mix else PREMIUM

    async def run(store: Store) -> list[str]:
        kind = await _kind(settings, store, mix) if mix else None
        if not await store.grant(owner, entitlement):
            raise fail(f'There is no owner {owner}. The app shows the id under "About".')
        if kind is None:
            return []
        return list(_missing(owner, mix, kind, await store.entitlements(owner)))

    missing = _with_store(settings, run)
    click.echo(f"{owner} has {entitlement}.")
    for line in missing:
        click.echo(line)


def _missing(owner: str, mix: str, kind: MixKind, granted: frozenset[str]) -> Iterator[str]:
    """Why a mix that was granted has no effect yet."""
    if kind is not MixKind.SINGLE:
        whose = "everyone" if kind is MixKind.BASE else "every owner with Premium"
        yield (
            f"{mix} is a {kind} mix, which {whose} may use: this has no effect before it is sold "
            f"singly (`varv music premium {mix} --single`)."
        )
    if PREMIUM not in granted:
        yield (
            f"{owner} does not have Premium, which a single mix requires: this has no effect "
            f"before `varv grant {owner} premium`."
        )


async def _kind(settings: Settings, store: Store, mix: str) -> MixKind:
    from varv.music.seeding import seed

    catalogue = make_catalogue(settings, store)
    try:
        # A server that never ran has not put in what it ships.
        await seed(catalogue)
        kinds = {found.id: found.kind for found in await catalogue.mixes()}
    finally:
        await catalogue.close()
    if mix not in kinds:
        raise fail(f"There is no mix {mix}. `varv music mixes` lists them.")
    return kinds[mix]


def revoke(settings: Settings, owner: str, mix: str) -> None:
    """Take back a mix, or Premium if none is named."""
    entitlement = single(mix) if mix else PREMIUM
    if not _with_store(settings, lambda store: store.revoke(owner, entitlement)):
        raise fail(f"{owner} does not have {entitlement}.")
    click.echo(f"{owner} no longer has {entitlement}.")


def rejoin(settings: Settings, text: str, player: str) -> None:
    """A link for a seat; the server need not run."""
    from varv.rooms.registry import Registry
    from varv.rooms.seats import new_ticket
    from varv.web.origins import lan_address

    async def run(store: Store) -> str:
        registry = Registry(store, make_bus(Settings()))
        code = read_code(text)
        room = await registry.find(code) if code else None
        if room is None:
            raise fail(f"There is no game {text}. `varv games --all` lists them.")
        seat = player or room.game.host
        if seat not in room.game.players or seat in room.skills:
            people = [f"{p.id} ({p.name})" for p in room.game.players.values() if not p.bot]
            raise fail(f"There is no player {seat} in {room.code}: {', '.join(people)}.")
        ticket = await new_ticket(store, room.code, seat)
        return f"/g/{room.code}#{ticket.secret}"

    path = _with_store(settings, run)
    base = settings.public_url.rstrip("/") or f"http://{lan_address() or 'localhost'}"
    port = "" if settings.public_url else f":{settings.port}"
    click.echo(f"{base}{port}{path}")


def doctor(settings: Settings) -> int:
    """Check everything that a server needs; the number of things that are wrong, at most 1."""
    settings.check()
    checks = [_check_folder(settings), _check_store(settings), _check_bus(settings)]
    checks += [_check_audio(), _check_port(settings), _check_client()]
    for fine, line in checks:
        click.echo(("ok    " if fine else "WRONG ") + line)
    return 0 if all(fine for fine, _ in checks) else 1


def _check_folder(settings: Settings) -> tuple[bool, str]:
    from varv.web.server import check_folder

    try:
        check_folder(settings)
    except ConfigError as error:
        return False, f"folder: {error}"
    return True, f"folder: {settings.folder}"


def _check_store(settings: Settings) -> tuple[bool, str]:
    where = "PostgreSQL" if settings.postgres else f"SQLite in {settings.database}"
    try:
        _with_store(settings, lambda store: store.ping())
    except StoreError as error:
        return False, f"store: {error}"
    return True, f"store: {where}"


def _check_bus(settings: Settings) -> tuple[bool, str]:
    if not settings.bus:
        return True, "bus: in the process (one worker)"

    async def ping() -> None:
        bus = make_bus(settings)
        try:
            await bus.ping()
        finally:
            await bus.close()

    try:
        asyncio.run(ping())
    except Exception as error:
        return False, f"bus: does not answer ({type(error).__name__}); is the --bus address right?"
    return True, "bus: Redis"


def _check_audio() -> tuple[bool, str]:
    try:
        import av
    except ImportError as error:
        return False, f"audio: PyAV cannot be loaded ({error}); install varv again"
    missing = [name for name in ("mp3", "flac", "vorbis", "aac") if name not in av.codecs_available]
    if missing:
        return False, f"audio: PyAV lacks {', '.join(missing)}; install its binary wheel"
    return True, f"audio: PyAV {av.__version__}"


def _check_port(settings: Settings) -> tuple[bool, str]:
    from varv.web.server import bind

    try:
        bind(settings).close()
    except ConfigError as error:
        return False, f"port: {error}"
    return True, f"port: {settings.port} is free"


def _check_client() -> tuple[bool, str]:
    from varv.web.pages import CLIENT

    if (CLIENT / "index.html").is_file():
        return True, "client: built"
    return False, "client: not built; run `make client`"
