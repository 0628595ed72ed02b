"""A live server in the test's own event loop, and players who talk to it as the protocol says."""

import asyncio
import base64
import itertools
import json
import os
import secrets
import socket
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import httpx
import msgspec
import uvicorn
import websockets
from tests.commands import ABOUT_A_PERFORMANCE, ABOUT_THE_GAME
from tests.fakes import FakeMusic
from tests.patience import PATIENCE

from varv.buses.memory import MemoryBus
from varv.config import Settings
from varv.rooms.ports import Bus, Store
from varv.web.app import Application
from varv.web.server import bind, make_config
from varv.web.services import Services

SETTINGS = Settings(host="127.0.0.1", limits="off", bot_pace=0.01)
Json = dict[str, Any]


class Gone(Exception):
    """The connection is closed: what a player waits for cannot arrive any more."""


def short(value: object) -> str | None:
    """The name of a parametrised test, where the argument itself would be far too long."""
    return str(value)[:40] if isinstance(value, str | bytes) else None


class Live:
    """A running server."""

    def __init__(self, url: str, application: Application, music: FakeMusic) -> None:
        self.url = url
        self.application = application
        self.music = music
        self.http = httpx.AsyncClient(base_url=url, timeout=PATIENCE)
        self.players: list[Player] = []

    async def close(self) -> None:
        """Leave nothing open."""
        for player in self.players:
            await player.disconnect()
        await self.http.aclose()

    @property
    def services(self) -> Services:
        return self.application.services

    async def post(
        self, path: str, body: Any = None, token: str | None = None, **headers: str
    ) -> httpx.Response:
        """A POST; the cookie jar is not used, so that every call is a stranger's."""
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        content = body if isinstance(body, bytes) else None
        if body is not None and content is None:
            content = msgspec.json.encode(body)
        self.http.cookies.clear()
        return await self.http.post(path, content=content, headers=headers)

    async def get(self, path: str, token: str | None = None, **headers: str) -> httpx.Response:
        if token is not None:
            headers["Authorization"] = f"Bearer {token}"
        headers = {name.replace("_", "-"): value for name, value in headers.items()}
        self.http.cookies.clear()
        return await self.http.get(path, headers=headers)

    async def create(self, edition: str = "oracle", name: str = "Maja", **more: Any) -> "Player":
        body = {"edition": edition, "mix": "party", "name": name} | more
        answer = await self.post("/api/v1/games", body)
        assert answer.status_code == 201, answer.text
        made = answer.json()
        player = Player(self, made["code"], made["player"], made["token"])
        player.owner_token = made["owner_token"]
        return player

    async def join(self, code: str, name: str) -> "Player":
        answer = await self.post(f"/api/v1/games/{code}/players", {"name": name})
        assert answer.status_code == 201, answer.text
        made = answer.json()
        return Player(self, code, made["player"], made["token"])

    async def table(self, edition: str = "oracle", players: int = 3) -> list["Player"]:
        """A game in its lobby: everyone connected, with a start year."""
        host = await self.create(edition)
        names = ["Bo", "Cleo", "Dag", "Eva", "Fia", "Gus", "Hal", "Ida", "Jon"]
        people = [host, *[await self.join(host.code, name) for name in names[: players - 1]]]
        for person in people:
            await person.connect()
            await person.do("set_start_year", year=1990)
        return people

    async def started(self, edition: str = "oracle", players: int = 3) -> list["Player"]:
        """A game whose first round waits for its leader."""
        people = await self.table(edition, players)
        await people[0].do("start_game")
        return people


class Player:
    """A person at a phone. `state` is always the newest that has arrived."""

    def __init__(self, live: Live, code: str, player: str, token: str) -> None:
        self.live, self.code, self.player, self.token = live, code, player, token
        live.players.append(self)
        self.owner_token = ""
        self.device = secrets.token_hex(3)
        self.ids = itertools.count(1)
        self.inbox: list[Json] = []
        self.state: Json = {}
        self.presence: list[str] = []
        self.closed: int | None = None
        self.socket: websockets.ClientConnection | None = None
        self._arrived = asyncio.Condition()
        self._reader: asyncio.Task[None] | None = None

    @property
    def address(self) -> str:
        return f"{self.live.url.replace('http', 'ws')}/api/v1/games/{self.code}/ws"

    async def connect(self, **hello: Any) -> "Player":
        """Say hello and wait for the first state."""
        await self.disconnect()
        self.inbox.clear()
        self.state, self.closed = {}, None
        self.socket = await websockets.connect(self.address, max_size=None)
        self._reader = asyncio.create_task(self._read(self.socket))
        await self.send(hello or {"type": "hello", "token": self.token, "version": 0})
        await self.until(lambda: bool(self.state) or self.closed is not None)
        return self

    async def disconnect(self) -> None:
        if self.socket is not None:
            await self.socket.close()
        if self._reader is not None:
            await asyncio.wait([self._reader])

    async def send(self, message: Any) -> None:
        assert self.socket is not None
        raw = message if isinstance(message, str | bytes) else msgspec.json.encode(message).decode()
        await self.socket.send(raw)

    async def _read(self, socket: websockets.ClientConnection) -> None:
        try:
            async for raw in socket:
                message = msgspec.json.decode(raw)
                async with self._arrived:
                    self.inbox.append(message)
                    if message["type"] == "state":
                        self.state = message
                    elif message["type"] == "presence":
                        self.presence = message["connected"]
                    self._arrived.notify_all()
        except websockets.ConnectionClosed:
            pass
        async with self._arrived:
            self.closed = socket.close_code
            self._arrived.notify_all()

    async def until(self, condition: Callable[[], bool]) -> None:
        """Wait for something to become true of what has arrived, as long as more can arrive."""
        async with asyncio.timeout(PATIENCE), self._arrived:
            await self._arrived.wait_for(lambda: condition() or self.closed is not None)
            if not condition():
                raise Gone(f"closed with {self.closed}: {self.inbox[-3:]}")

    async def message(self, **wanted: Any) -> Json:
        """The first message that has these fields."""

        def found() -> list[Json]:
            return [m for m in self.inbox if all(m.get(k) == v for k, v in wanted.items())]

        await self.until(lambda: bool(found()))
        return found()[0]

    @property
    def snapshot(self) -> Json:
        snapshot: Json = self.state["snapshot"]
        return snapshot

    @property
    def viewer(self) -> Json:
        viewer: Json = self.state["viewer"]
        return viewer

    def about(self, kind: str) -> Json:
        """The round and performance that a command of this kind has to name."""
        round_ = self.snapshot["round"]
        if round_ is None or kind in ABOUT_THE_GAME:
            return {}
        fields = {"round": round_["number"]}
        if kind in ABOUT_A_PERFORMANCE:
            fields["performance"] = round_["performance"]
        return fields

    async def say(self, kind: str, command_id: str | None = None, **fields: Any) -> Json:
        """Send a command and give its ack or refusal."""
        command_id = command_id or f"{self.device}-{next(self.ids)}"
        command = {"type": kind} | self.about(kind) | fields
        before = len(self.inbox)
        await self.send({"type": "command", "id": command_id, "command": command})

        def answered() -> list[Json]:
            return [m for m in self.inbox[before:] if m.get("id") == command_id]

        await self.until(lambda: bool(answered()))
        return answered()[0]

    async def do(self, kind: str, **fields: Any) -> Json:
        """A command that must be accepted; returns when its effect is seen here."""
        answer = await self.say(kind, **fields)
        assert answer["type"] == "ack", answer
        await self.until(lambda: self.state["version"] >= answer["version"])
        return answer

    async def sees(self, condition: Callable[[Json], bool]) -> None:
        """Wait until the snapshot is so."""
        await self.until(lambda: bool(self.state) and condition(self.snapshot))

    async def fetch(self) -> Json:
        """The state over HTTP."""
        answer = await self.live.get(f"/api/v1/games/{self.code}/state", self.token)
        assert answer.status_code == 200, answer.text
        state: Json = answer.json()
        return state


@asynccontextmanager
async def serving(
    store: Store,
    folder: Path,
    *,
    bus: Bus | None = None,
    settings: Settings = SETTINGS,
    music: FakeMusic | None = None,
    poll_every: float = 2.0,
) -> AsyncIterator[Live]:
    """A server over an open store, on a port of its own."""
    music = music or FakeMusic(folder)

    @asynccontextmanager
    async def open_services() -> AsyncIterator[Services]:
        services = Services(settings, store, bus or MemoryBus(), music, poll_every)
        await services.open()
        try:
            yield services
        finally:
            await services.close()

    application = Application(open_services)
    anywhere = msgspec.structs.replace(settings, port=0)
    with bind(anywhere) as listening:
        live = Live(f"http://127.0.0.1:{listening.getsockname()[1]}", application, music)
        server = uvicorn.Server(make_config(application, anywhere))

        async def serve() -> None:
            try:
                await server._serve([listening])
            except SystemExit:
                raise RuntimeError("the server did not start; uvicorn has logged why") from None

        task = asyncio.create_task(serve())
        try:
            while not server.started:
                if task.done():
                    await task
                await asyncio.sleep(0.005)
            yield live
        finally:
            server.should_exit = True
            try:
                await task
            finally:
                await live.close()


async def deaf(live: Live, code: str, token: str) -> socket.socket:
    """A client that says hello and never reads again."""
    host, _, port = live.url.removeprefix("http://").partition(":")
    connection = socket.socket()
    connection.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    connection.setblocking(False)
    loop = asyncio.get_running_loop()
    await loop.sock_connect(connection, (host, int(port)))
    key = base64.b64encode(os.urandom(16)).decode()
    request = (
        f"GET /api/v1/games/{code}/ws HTTP/1.1\r\nHost: {host}:{port}\r\nUpgrade: websocket\r\n"
        f"Connection: Upgrade\r\nSec-WebSocket-Key: {key}\r\nSec-WebSocket-Version: 13\r\n\r\n"
    )
    await loop.sock_sendall(connection, request.encode())
    assert b"101" in await loop.sock_recv(connection, 2000)
    payload = json.dumps({"type": "hello", "token": token}).encode()
    masked = bytes([0x81, 0x80 | len(payload)]) + bytes(4) + payload
    await loop.sock_sendall(connection, masked)
    return connection


async def play_round(people: list[Player]) -> None:
    """One round, by whoever leads it, everyone guessing something; ends at the terminal reveal."""
    host = people[0]
    leader = next(p for p in people if p.player == host.snapshot["round"]["leader"])
    await leader.do("start_round")
    dj = host.snapshot["edition"] == "dj"
    for person in people:
        await person.sees(lambda s: s["round"]["state"] == "GUESSING")
        if person is leader and not dj:
            await person.do("predict", difficulty="medium")
            continue
        await person.do("guess", part="placement", choice=0)
        for part in ("title", "artist"):
            await person.until(lambda p=person, x=part: bool(p.viewer["options"][x]))  # type: ignore[misc]
            option = person.viewer["options"][part][0]["id"]
            await person.do("guess", part=part, choice=option)
    await leader.do("lock_round")
    for to in ("REVEALED_TIMELINE", "REVEALED_FULL") if dj else ("REVEALED",):
        await leader.do("reveal", to=to)
    for person in people:
        await person.sees(lambda s: s["round"]["state"] in ("REVEALED", "REVEALED_FULL"))


async def play_cycle(people: list[Player]) -> None:
    """One lap around the table, to BOUNDARY_DECISION."""
    host = people[0]
    for turn in range(len(people)):
        await play_round(people)
        number = host.snapshot["round"]["number"]
        if turn < len(people) - 1:
            await host.do("next_round")
            for person in people:
                await person.sees(lambda s, n=number: s["round"]["number"] > n)  # type: ignore[misc]
    for person in people:
        await person.sees(lambda s: s["cycle"]["state"] == "BOUNDARY_DECISION")
