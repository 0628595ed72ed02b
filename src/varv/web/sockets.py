"""The WebSocket of docs/protocol.md: hello, commands, and whatever is to be seen."""

import asyncio
import re
import time
from collections.abc import Awaitable, Callable, MutableMapping
from typing import Any

import msgspec
from msgspec import UNSET

from varv.rooms.keys import hash_token
from varv.rooms.messages import CLIENT_DECODER, PONG, Ack, Hello, Order, Playing, encode
from varv.rooms.outbox import Outbox
from varv.rooms.reasons import Refused, Trouble
from varv.rooms.room import Room
from varv.rules.refusals import Reason
from varv.web import problems
from varv.web.limits import Bucket
from varv.web.origins import same_origin
from varv.web.protocol import PIPE, Protocol
from varv.web.services import Services

Scope = MutableMapping[str, Any]
Receive = Callable[[], Awaitable[MutableMapping[str, Any]]]
Send = Callable[[MutableMapping[str, Any]], Awaitable[None]]

PATH = re.compile(r"/api/v1/games/([^/]{1,40})/ws")
SILENCE = 10.0
"""Seconds in which a socket has to say hello."""
LARGEST = 16 * 1024
FLOOD = 200
"""So many refusals for sending too often, and the socket is closed."""
COMMAND_ID = (1, 64)

POLICY, RESTART = 1008, 1012
CLOSES = {
    "unauthorized": 4401,
    "forbidden": 4403,
    "not_found": 4404,
    "unavailable": RESTART,
}


class Closed(Exception):
    """The client is gone."""


class Sockets:
    """Serves every WebSocket of a worker."""

    def __init__(self, services: Services) -> None:
        """On these rooms."""
        self._services = services

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """One connection, from the handshake to its end."""
        await receive()
        found = PATH.fullmatch(scope["path"])
        if found is None or not same_origin(scope, self._services.settings.public_url):
            await send({"type": "websocket.close"})
            return
        await send({"type": "websocket.accept"})
        self._services.metrics.sockets.inc()
        try:
            await Connection(self._services, scope, receive, send).run(found[1])
        except (Closed, OSError):
            # Gone in the middle of a sentence: nothing to tell, nobody to tell it to.
            return
        except asyncio.CancelledError:
            # A shutdown does not wait for ever; at any other time it is somebody's mistake.
            if not self._services.rooms.draining:
                raise
        finally:
            self._services.metrics.sockets.dec()


class Connection:
    """One client on one device."""

    def __init__(self, services: Services, scope: Scope, receive: Receive, send: Send) -> None:
        """After the handshake."""
        self._services = services
        self._receive = receive
        self._send = send
        self._pipe: Protocol = scope["extensions"][PIPE]
        self._address: str = (scope.get("client") or ("", 0))[0]
        self._bucket: Bucket | None = services.limits.socket()
        self._floods = 0

    async def _text(self) -> str | None:
        """The next message; None for a binary one."""
        message = await self._receive()
        if message["type"] == "websocket.disconnect":
            raise Closed
        text: str | None = message.get("text")
        return text

    async def _close(self, code: int) -> None:
        await self._send({"type": "websocket.close", "code": code})

    async def run(self, code: str) -> None:
        """Hello first; then both directions at once until either ends."""
        try:
            # Before anything is said: a socket that stays silent is a socket all the same.
            self._services.limits.spend("connect", self._address)
            async with asyncio.timeout(SILENCE):
                text = await self._text()
            outbox = await self._hello(code, text)
        except TimeoutError:
            await self._close(POLICY)
        except Refused as refused:
            await self._turn_away(refused)
        else:
            await self._converse(outbox)

    async def _turn_away(self, refused: Refused) -> None:
        if refused.reason is Reason.REMOVED:
            await self._say(b'{"type":"bye","reason":"REMOVED"}')
        else:
            await self._say(problems.message(refused, None))
        await self._close(CLOSES.get(refused.reason.code, POLICY))

    async def _say(self, message: bytes) -> None:
        await self._send({"type": "websocket.send", "text": message.decode()})

    async def _hello(self, code: str, text: str | None) -> Outbox:
        """Who is there; `Refused` if nobody we know."""
        services = self._services
        message = _decode(text)
        if not isinstance(message, Hello):
            raise Refused(Trouble.MALFORMED, {"wrong": "the first message is hello"})
        if services.rooms.draining:
            raise Refused(Trouble.RESTARTING)
        if message.screen == (message.token is not UNSET):
            raise Refused(Trouble.MALFORMED, {"wrong": "hello has a token or is a screen"})
        if message.screen:
            services.limits.guard("miss", self._address)
        try:
            room = await services.rooms.room(code, fresh=True)
            return await self._viewer(room, message)
        except Refused as refused:
            if refused.reason.code in ("not_found", "unauthorized"):
                services.limits.spend("miss", self._address)
            raise
        except Exception as error:
            services.rooms.outage.failed("a hello failed", error)
            raise Refused(Trouble.UNAVAILABLE) from error

    async def _viewer(self, room: Room, hello: Hello) -> Outbox:
        if hello.token is not UNSET:
            player = await self._services.seats.player(room, hello.token)
            return Outbox(room, self._pipe, player, hash_token(hello.token))
        paired = False
        if hello.ticket is not UNSET:
            paired = self._services.rooms.keys.pairs_screen(room.code, hello.ticket)
            if not paired:
                raise Refused(Trouble.TOKEN_UNKNOWN)
        return Outbox(room, self._pipe, None, paired=paired)

    async def _converse(self, outbox: Outbox) -> None:
        rooms = self._services.rooms
        self._pipe.on_ready = outbox.flush
        try:
            rooms.enter(outbox)
            if outbox.room.playing:
                outbox.post(encode(Playing(True)))
            if outbox.player is not None:
                await self._services.seats.invite(outbox.room, outbox.player)
            await self._read(outbox)
        finally:
            self._pipe.on_ready = None
            outbox.closing = outbox.closing or 1000
            rooms.leave(outbox)

    # In

    async def _read(self, outbox: Outbox) -> None:
        while True:
            text = await self._text()
            if outbox.closing is not None:
                continue
            if self._bucket is not None and not self._bucket.take(time.monotonic()):
                self._flooded(outbox)
                continue
            try:
                message = _decode(text)
            except Refused as refused:
                outbox.post(problems.message(refused, _id_of(text)))
                continue
            if isinstance(message, Order):
                await self._order(outbox, message)
            elif isinstance(message, Hello):
                # Whoever says hello again wants to be sure of having the newest state.
                outbox.sent = -1
                outbox.flush()
            else:
                outbox.post(PONG)

    def _flooded(self, outbox: Outbox) -> None:
        self._floods += 1
        if self._floods > FLOOD:
            outbox.dismiss("TOO_OFTEN", POLICY)
        else:
            outbox.post(problems.message(Refused(Trouble.TOO_OFTEN, retry_after=1), None))

    async def _order(self, outbox: Outbox, order: Order) -> None:
        metrics = self._services.metrics
        started = time.perf_counter()
        try:
            if outbox.player is None:
                raise Refused(Trouble.TOKEN_MISSING)
            check_id(order.id)
            commands = self._services.commands
            version = await commands.command(
                outbox.room, outbox.player, order.id, order.command, outbox
            )
        except Refused as refused:
            metrics.refused.inc()
            outbox.post(problems.message(refused, order.id))
        except Exception as error:
            self._services.rooms.outage.failed("a command failed", error)
            outbox.post(problems.message(Refused(Trouble.UNAVAILABLE), order.id))
        else:
            metrics.accepted.inc()
            outbox.answer(encode(Ack(order.id, version)))
        metrics.seconds.observe(time.perf_counter() - started)


def check_id(command_id: str) -> None:
    """1–64 characters."""
    shortest, longest = COMMAND_ID
    if not shortest <= len(command_id) <= longest or "\0" in command_id:
        raise Refused(Trouble.OUT_OF_RANGE, {"id": list(COMMAND_ID)})


def _decode(text: str | None) -> Hello | Order | Any:
    if text is None:
        raise Refused(Trouble.MALFORMED, {"wrong": "messages are text"})
    if len(text) > LARGEST:
        raise Refused(Trouble.TOO_LARGE, {"most": LARGEST})
    try:
        return CLIENT_DECODER.decode(text)
    except (msgspec.MsgspecError, RecursionError) as error:
        raise problems.malformed(error) from None


class _Named(msgspec.Struct):
    id: str | None = None


_NAMED = msgspec.json.Decoder(_Named)


def _id_of(text: str | None) -> str | None:
    """The id of a message that is otherwise not understood, so that its sender knows which."""
    try:
        named = _NAMED.decode(text or "")
    except (msgspec.MsgspecError, RecursionError):
        return None
    return named.id if named.id and len(named.id) <= COMMAND_ID[1] else None
