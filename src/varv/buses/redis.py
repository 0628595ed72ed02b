"""A bus between processes: Redis (or Valkey) pub/sub, and hashes for who is connected where.

Losing it delays and never loses: the rooms also poll the store. So every call here gives up
quietly after a short while, says so once in the log, and tries again later.
"""

import asyncio
import contextlib
import time
from collections.abc import Iterable
from typing import Any

import msgspec
import structlog
from redis.asyncio import BlockingConnectionPool, Redis
from redis.asyncio.client import PubSub
from redis.asyncio.retry import Retry
from redis.backoff import NoBackoff
from redis.exceptions import RedisError

from varv.rooms.ports import Listener

FADES_AFTER = 60.0
"""Seconds after which a worker that has not repeated its mark counts as gone."""
TIMEOUT = 2.0
PAUSE = 0.5
"""Seconds between two attempts while it is away."""
CONNECTIONS = 32
CHANNEL = "varv:game:"
MARKS = "varv:marks:"
LOST = (RedisError, OSError, asyncio.TimeoutError)

log = structlog.get_logger("varv.bus")


class Mark(msgspec.Struct, frozen=True):
    """Who a worker has seen, and when it said so."""

    players: list[str]
    at: float


_MARK = msgspec.json.Decoder(Mark)


class RedisBus:
    """`rooms.ports.Bus` over Redis."""

    alone = False

    def __init__(self, url: str) -> None:
        """Nothing is touched before `open`."""
        pool = BlockingConnectionPool.from_url(
            url,
            max_connections=CONNECTIONS,
            timeout=TIMEOUT,
            socket_timeout=TIMEOUT,
            socket_connect_timeout=TIMEOUT,
            health_check_interval=15,
            # Whoever calls has better things to do than to wait for a bus that is away.
            retry=Retry(NoBackoff(), 1),
        )
        self._redis: Redis = Redis.from_pool(pool)
        # Reading a channel may be silent for long, which is no failure.
        self._listening: Redis = Redis.from_url(url, socket_connect_timeout=TIMEOUT)
        self._pubsub: PubSub = self._listening.pubsub(ignore_subscribe_messages=True)
        self._watched: set[str] = set()
        self._listener: Listener | None = None
        self._task: asyncio.Task[None] | None = None
        self._lost = False
        self._tried = 0.0

    async def open(self, listener: Listener) -> None:
        """Start listening; a bus that is not there yet is found later."""
        self._listener = listener
        self._task = asyncio.create_task(self._listen())

    async def close(self) -> None:
        """Let go."""
        if self._task is not None:
            self._task.cancel()
            await asyncio.gather(self._task, return_exceptions=True)
        await self._hang_up()
        await self._try(self._listening.aclose())
        await self._try(self._redis.aclose())

    async def ping(self) -> None:
        """Raise if Redis does not answer."""
        await self._redis.ping()

    def _say(self, error: BaseException | None) -> None:
        """One line when it is lost and one when it is back."""
        if error is not None and not self._lost:
            log.warning(
                "bus lost: the store is polled until it is back", error=type(error).__name__
            )
        elif error is None and self._lost:
            log.info("bus back")
        self._lost = error is not None

    async def _listen(self) -> None:
        # A server that starts without its bus says so at once, not when the first game is played.
        await self._ask("PING")
        while True:
            try:
                if not self._watched:
                    # There is nothing to read before the first subscription.
                    await asyncio.sleep(0.02)
                    continue
                await self._subscribe()
                message = await self._pubsub.get_message(timeout=1.0)
                if message is not None:
                    self._hear(message)
            except LOST as error:
                self._say(error)
                await self._hang_up()
                await asyncio.sleep(PAUSE)

    async def _subscribe(self) -> None:
        """To whatever is watched by now: a game may be added while the first ones are asked for."""
        channels = {(CHANNEL + code).encode() for code in self._watched}
        missing = channels.difference(self._pubsub.channels)
        if missing:
            await self._pubsub.subscribe(*missing)
            self._say(None)

    async def _hang_up(self) -> None:
        """A fresh subscription is made when there is a connection again."""
        await self._try(self._pubsub.aclose())  # type: ignore[no-untyped-call]
        self._pubsub = self._listening.pubsub(ignore_subscribe_messages=True)

    def _hear(self, message: dict[str, Any]) -> None:
        channel: bytes = message["channel"]
        if self._listener is not None:
            self._listener(channel.decode().removeprefix(CHANNEL), message["data"])

    async def watch(self, code: str) -> None:
        """Subscribe."""
        self._watched.add(code)
        if self._pubsub.subscribed:
            await self._try(self._pubsub.subscribe(CHANNEL + code))

    async def unwatch(self, code: str) -> None:
        """Unsubscribe."""
        self._watched.discard(code)
        if self._pubsub.subscribed:
            await self._try(self._pubsub.unsubscribe(CHANNEL + code))

    async def _try(self, call: Any) -> Any:
        try:
            answer = await call
        except LOST as error:
            self._say(error)
            return None
        return answer

    async def _ask(self, command: str, *given: Any) -> Any:
        """Asked only now and then while it is away: every command of every game would wait."""
        now = time.monotonic()
        if self._lost and now - self._tried < PAUSE:
            return None
        self._tried = now
        try:
            answer = await self._redis.execute_command(command, *given)  # type: ignore[no-untyped-call]
        except LOST as error:
            self._say(error)
            return None
        self._say(None)
        return answer

    async def publish(self, code: str, message: bytes) -> None:
        """Best effort."""
        await self._ask("PUBLISH", CHANNEL + code, message)

    async def mark(self, code: str, worker: str, players: Iterable[str]) -> None:
        """One field per worker, in a hash that fades as a whole when nobody is left."""
        present = sorted(players)
        if present:
            value = msgspec.json.encode(Mark(present, time.time()))
            await self._ask("HSET", MARKS + code, worker, value)
            await self._ask("EXPIRE", MARKS + code, int(FADES_AFTER * 2))
        else:
            await self._ask("HDEL", MARKS + code, worker)

    async def marked(self, code: str) -> dict[str, frozenset[str]]:
        """Every worker's players, without those that have gone silent."""
        rows = await self._ask("HGETALL", MARKS + code) or {}
        found = {}
        for worker, value in rows.items():
            with contextlib.suppress(msgspec.MsgspecError):
                mark = _MARK.decode(value)
                if time.time() - mark.at < FADES_AFTER:
                    found[worker.decode()] = frozenset(mark.players)
        return found
