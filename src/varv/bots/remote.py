"""Bots that sit at a live table as anybody could: through the public protocol, over the network.

Such a bot hears nothing, so it guesses; it comes back when its connection breaks, and gets up when
the game is over or the host removes it.
"""

import asyncio
import random
import time
import uuid
from collections.abc import Callable
from urllib.parse import quote, urlsplit, urlunsplit

import httpx
import msgspec
from msgspec import Struct
from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from varv.bots import patience
from varv.bots.names import NAMES
from varv.bots.player import Bot
from varv.bots.skills import DEFAULT_SKILL, SKILLS
from varv.rooms.messages import (
    Ack,
    Bye,
    Hello,
    Order,
    Presence,
    RefusedMessage,
    ServerMessage,
    State,
    encode,
)
from varv.rules import commands as c
from varv.rules.model import Audio, GameState

PATIENCE = 60.0
"""Seconds for which a bot tries to come back to a server that does not answer."""
SILENCE = 15.0
"""Seconds after which a command that nobody answers is sent again, on a new connection."""

_NOT_WELCOME = {4401: "its seat was taken", 4403: "the host removed it", 4404: "the game is gone"}
_PASSING = {"too_often", "unavailable"}
"""Refusals that have nothing to do with what was asked for."""
_DECODER: msgspec.json.Decoder[ServerMessage] = msgspec.json.Decoder(ServerMessage)

Say = Callable[[str], object]


class CannotPlay(Exception):
    """Why the bots are not at the table, in words for whoever sent them."""


class Manner(Struct, frozen=True):
    """How remote bots behave."""

    pace: float = 1.0
    """Seconds a bot thinks, more or less."""
    leads_on: bool = False


class Joined(Struct, frozen=True):
    """The answer to joining."""

    player: str
    token: str


class Problem(Struct, frozen=True):
    """As much of a problem document as is told on."""

    reason: str = ""
    detail: str = ""


async def play(url: str, code: str, count: int, manner: Manner, say: Say) -> None:
    """Seat the bots and let them play until they are done."""
    code = code.strip().upper()
    address = socket_address(url, code)
    names = random.sample(NAMES, len(NAMES))
    seats = []
    async with httpx.AsyncClient(base_url=url, timeout=10, follow_redirects=True) as client:
        for number in range(count):
            name = names[number % len(names)]
            seats.append((name, await join(client, code, name)))
            say(f"{name} has joined {code}.")
    async with asyncio.TaskGroup() as group:
        for name, joined in seats:
            group.create_task(_sit(RemoteBot(address, joined, manner), name, say))


async def _sit(bot: "RemoteBot", name: str, say: Say) -> None:
    say(f"{name} leaves: {await bot.play()}.")


async def join(client: httpx.AsyncClient, code: str, name: str) -> Joined:
    """Take a seat. A repeated call takes no second one: the key is the same."""
    headers = {"Idempotency-Key": str(uuid.uuid4())}
    path = f"/api/v1/games/{quote(code, safe='')}/players"
    for _ in range(5):
        try:
            answer = await client.post(path, json={"name": name, "bot": True}, headers=headers)
        except (httpx.HTTPError, httpx.InvalidURL) as error:
            why = str(error) or type(error).__name__
            raise CannotPlay(f"No game server answers at {client.base_url}: {why}") from None
        if answer.status_code != httpx.codes.TOO_MANY_REQUESTS:
            break
        await asyncio.sleep(_retry_after(answer))
    return _joined(answer, code)


def _retry_after(answer: httpx.Response) -> float:
    value = answer.headers.get("Retry-After", "")
    return min(float(value), PATIENCE) if value.isdigit() else 1.0


def _joined(answer: httpx.Response, code: str) -> Joined:
    try:
        if answer.status_code == httpx.codes.CREATED:
            return msgspec.json.decode(answer.content, type=Joined)
        problem = msgspec.json.decode(answer.content, type=Problem)
    except msgspec.MsgspecError:
        problem = Problem(detail=f"the server answered {answer.status_code}")
    raise CannotPlay(f"No seat in {code}: {problem.detail or problem.reason}")


def socket_address(url: str, code: str) -> str:
    """Where the game's WebSocket is."""
    parts = urlsplit(url)
    scheme = {"http": "ws", "https": "wss"}.get(parts.scheme)
    if scheme is None or not parts.netloc:
        raise CannotPlay(f"{url!r} is not an address such as http://127.0.0.1:8000")
    path = f"{parts.path.rstrip('/')}/api/v1/games/{quote(code, safe='')}/ws"
    return urlunsplit((scheme, parts.netloc, path, "", ""))


class RemoteBot:
    """One bot at one seat."""

    def __init__(self, address: str, joined: Joined, manner: Manner) -> None:
        """`address` is the game's WebSocket."""
        self._address = address
        self._joined = joined
        self._manner = manner
        self._rng = random.Random()
        self._bot = Bot(SKILLS[DEFAULT_SKILL], self._rng)
        self._last_heard = time.monotonic()
        self._state: State | None = None
        self._connected: set[str] | None = None
        self._order: Order | None = None
        self._next_version = 0
        """The view that has to be seen before the next command makes sense."""
        self._played: tuple[int, int | None] | None = None
        self._ahead = 0
        """Milliseconds by which the server's clock is ahead of ours."""
        self._stirred = time.monotonic()
        """When something last happened that everyone could see."""
        self._used_joker = False

    async def play(self) -> str:
        """Play to the end, however often the connection breaks; say why it ended."""
        delay = 0.1
        while True:
            started = time.monotonic()
            try:
                async with connect(self._address, max_size=2**22, open_timeout=10) as socket:
                    ended = await self._converse(socket)
            except ConnectionClosed as closed:
                ended = _NOT_WELCOME.get(closed.rcvd.code if closed.rcvd else 0)
            except (OSError, TimeoutError, InvalidHandshake):
                ended = None
            if ended is not None:
                return ended
            if time.monotonic() - self._last_heard > PATIENCE:
                return "the server does not answer"
            delay = 0.1 if self._last_heard > started else min(delay * 2, 5.0)
            await asyncio.sleep(self._rng.uniform(delay / 2, delay))

    async def _converse(self, socket: ClientConnection) -> str | None:
        """Until this connection is of no more use, or the game is over."""
        version = self._state.version if self._state else 0
        await _send(socket, Hello(token=self._joined.token, version=version))
        if self._order is not None:
            # Sent and not answered before the connection broke: the same id has no second effect.
            await _send(socket, self._order)
        due: float | None = None
        while True:
            wait = SILENCE if self._order else self._wait(due)
            try:
                # Not `wait_for`: it forgets being cancelled if a message comes at that moment.
                async with asyncio.timeout(wait):
                    raw = await socket.recv()
            except TimeoutError:
                if self._order is not None:
                    return None
                due = None
                await self._move(socket)
                continue
            self._last_heard = time.monotonic()
            ended = self._take_in(_decoded(raw))
            if ended is not None:
                return ended
            if due is None and self._wish() is not None:
                due = time.monotonic() + self._think()

    def _wait(self, due: float | None) -> float | None:
        """Seconds until this bot does something by itself, if nobody else does."""
        if due is not None:
            return due - time.monotonic()
        left = self._patience_left()
        return None if left is None or left <= 0 else left

    def _think(self) -> float:
        """A joker and what is chosen with it come in one go: a second thought would show it."""
        if self._used_joker:
            return 0.0
        return self._manner.pace * self._rng.uniform(0.5, 1.5)

    def _patience_left(self) -> float | None:
        """Seconds for which this bot, if it leads, still waits for others to guess."""
        state = self._state
        if state is None or state.viewer is None or "lock_round" not in state.viewer.actions:
            return None
        round_ = state.snapshot.round
        now = time.time_ns() // 1_000_000 + self._ahead
        quiet = time.monotonic() - self._stirred
        return patience.seconds_left(round_.deadline if round_ else None, now, quiet)

    def _take_in(self, message: ServerMessage | None) -> str | None:
        """Remember what is new; say so if it is the end."""
        match message:
            case State():
                self._ahead = message.now - time.time_ns() // 1_000_000
                if self._state is None or message.snapshot != self._state.snapshot:
                    self._stirred = time.monotonic()
                self._state = message
                if message.snapshot.state is GameState.FINISHED:
                    return "the game is over"
            case Presence():
                self._connected = set(message.connected)
            case Ack() if self._order and message.id == self._order.id:
                self._order = None
                self._next_version = message.version
            case RefusedMessage() if self._order and message.id == self._order.id:
                self._order = None
                if message.code not in _PASSING:
                    self._next_version += 1
            case Bye(reason="REMOVED"):
                return "the host removed it"
        return None

    def _wish(self) -> c.Command | None:
        """What the bot would do now; what was refused is not tried again on the same view."""
        state = self._state
        if state is None or state.viewer is None or self._order is not None:
            return None
        if state.version < self._next_version:
            return None
        left = self._patience_left()
        return self._sound(state) or self._bot.act(
            state.snapshot,
            state.viewer,
            None,
            waiting_for=() if left is not None and left <= 0 else self._connected,
            leads_on=self._manner.leads_on,
        )

    def _sound(self, state: State) -> c.Command | None:
        """A bot has no loudspeaker, but it can start the song on the shared screen (PRF-07)."""
        viewer, round_ = state.viewer, state.snapshot.round
        if viewer is None or round_ is None or state.snapshot.options.audio != Audio.SCREEN:
            return None
        now = (round_.number, round_.performance)
        starts = viewer.is_leader and viewer.plays_audio and "play" in viewer.actions
        return c.Play(*now) if starts and self._played != now else None

    async def _move(self, socket: ClientConnection) -> None:
        wish, state = self._wish(), self._state
        if wish is None or state is None:
            return
        if isinstance(wish, c.Play):
            self._played = (wish.round, wish.performance)
        self._used_joker = isinstance(wish, c.UseJoker)
        self._next_version = state.version
        self._order = Order(id=str(uuid.uuid4()), command=wish)
        await _send(socket, self._order)


def _decoded(raw: str | bytes) -> ServerMessage | None:
    """The message; None if it is one that this version does not know."""
    try:
        return _DECODER.decode(raw)
    except msgspec.MsgspecError:
        return None


async def _send(socket: ClientConnection, message: Hello | Order) -> None:
    await socket.send(encode(message).decode())
