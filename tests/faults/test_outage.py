"""A store that fails in the middle: a clear refusal, nothing half done; then it goes on."""

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import structlog
from tests.live import Live, Player, serving
from tests.services import empty_postgres

from varv.rooms.ports import Store
from varv.stores.postgres import PostgresStore
from varv.stores.sqlite import SqliteStore


class Line:
    """What lies between a server and its PostgreSQL, and can be cut."""

    def __init__(self, host: str, port: int) -> None:
        self._there = (host, port)
        self._writers: list[asyncio.StreamWriter] = []
        self.port = 0

    async def mend(self) -> None:
        self._server = await asyncio.start_server(self._connect, "127.0.0.1", self.port)
        self.port = self._server.sockets[0].getsockname()[1]

    def cut(self) -> None:
        self._server.close()
        for writer in self._writers:
            writer.transport.abort()
        self._writers.clear()

    async def _connect(self, here: asyncio.StreamReader, back: asyncio.StreamWriter) -> None:
        there, forth = await asyncio.open_connection(*self._there)
        self._writers += [back, forth]
        await asyncio.gather(_pass_on(here, forth), _pass_on(there, back))


async def _pass_on(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
    try:
        while data := await reader.read(65536):
            writer.write(data)
    except OSError:
        pass
    writer.close()


class Broken:
    """A store with a way to break it and to mend it."""

    def __init__(self, store: Store, line: Line | None) -> None:
        self.store, self._line = store, line

    async def fail(self) -> None:
        if self._line is not None:
            self._line.cut()
        else:
            self._read_only("ON")

    async def mend(self) -> None:
        if self._line is not None:
            await self._line.mend()
        else:
            self._read_only("OFF")

    def _read_only(self, now: str) -> None:
        """As when a disk fails and the system lets nobody write to it any more."""
        assert isinstance(self.store, SqliteStore)
        assert self.store._writer._connection is not None
        self.store._writer._connection.execute(f"PRAGMA query_only={now}")


@asynccontextmanager
async def broken(kind: str, request: pytest.FixtureRequest, folder: Path) -> AsyncIterator[Broken]:
    line: Line | None = None
    store: Store
    if kind == "postgres":
        url = request.getfixturevalue("postgres_url")
        parts = urlsplit(url)
        line = Line(parts.hostname or "", parts.port or 0)
        await line.mend()
        through = url.replace(f":{parts.port}/", f":{line.port}/")
        await empty_postgres(url)
        store = PostgresStore(through)
    else:
        store = SqliteStore(folder / "varv.db")
    await store.open()
    yield Broken(store, line)
    await store.close()
    if line is not None:
        line.cut()


async def guessing(live: Live) -> list[Player]:
    people = await live.started("oracle", 3)
    await people[0].do("start_round")
    for person in people:
        await person.sees(lambda s: s["round"]["state"] == "GUESSING")
    return people


@pytest.mark.parametrize("kind", ["sqlite", "postgres"])
async def test_a_store_that_fails_and_comes_back(
    kind: str, request: pytest.FixtureRequest, tmp_path: Path
) -> None:
    async with broken(kind, request, tmp_path) as given, serving(given.store, tmp_path) as live:
        people = await guessing(live)
        host, bo, cleo = people
        lobby = f"/api/v1/games/{(await live.create(name='Eva')).code}"
        before = [person.state for person in people]
        with structlog.testing.capture_logs() as entries:
            await given.fail()
            for n in range(3):
                answer = await bo.say("guess", f"g-{n}", part="placement", choice=0)
                assert (answer["code"], answer["reason"]) == ("unavailable", "UNAVAILABLE")
            body = {"id": "h-1", "command": {"type": "finish_game"}}
            path = f"/api/v1/games/{host.code}"
            for refused in (
                await live.post(f"{path}/commands", body, host.token),
                await live.post(f"{lobby}/players", {"name": "Fia"}),
            ):
                assert (refused.status_code, refused.headers["retry-after"]) == (503, "1")
            assert [person.state for person in people] == before
            await given.mend()
            first = await bo.say("guess", "g-0", part="placement", choice=0)
            assert first["type"] == "ack"
            assert await bo.say("guess", "g-0", part="placement", choice=0) == first
            assert (await live.post(f"{lobby}/players", {"name": "Fia"})).status_code == 201
            assert (await live.get(lobby)).json()["players"] == 2
        told = [entry for entry in entries if entry["log_level"] in ("warning", "error")]
        assert [entry["event"].split(":")[0] for entry in told] == [
            "the store or its disk fails",
            "the store is back",
        ]
        await cleo.connect()
        for person in people:
            await person.sees(lambda s: s["round"]["submitted"]["p2"] == ["placement"])
