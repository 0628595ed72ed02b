"""uvicorn's WebSocket protocol as a pipe that an outbox can write to without waiting.

ASGI's `send` is a coroutine per message and per client: a loop over it stands still when one client
stops reading, and a task per client costs more than the sending. So text messages are framed and
written here. Everything else (handshake, pings, closing, receiving) stays uvicorn's.
"""

import asyncio
import time
from collections.abc import Callable
from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.frames import Frame
from websockets.http11 import Request

from varv.web.limits import Bucket, Rate

PIPE = "varv.pipe"
DRAIN = "varv.drain"
LAST_SECONDS = 4.0
"""A client that does not answer a goodbye is cut off after so long."""
BUFFER = 64 * 1024
"""Bytes that may wait in a connection before it counts as not reading."""


FRAMES = Rate(200, 20.0)
"""Pings, pongs and pieces of messages that a client may send: the application never sees them."""
POLICY = 1008


class Protocol(WebSocketsSansIOProtocol):
    """Found by `sockets.Sockets` as `scope["extensions"]["varv.pipe"]`; a `rooms.outbox.Pipe`."""

    on_ready: Callable[[], None] | None = None
    stuck_since: float | None = None
    _closing: "asyncio.Task[None] | None" = None
    _frames: Bucket | None = None

    def handle_connect(self, event: Request) -> None:
        """The application's task starts later, so it sees what is added here."""
        super().handle_connect(event)
        scope: dict[str, Any] = getattr(self, "scope", {})
        if scope:
            scope["extensions"][PIPE] = self
            self.transport.set_write_buffer_limits(high=BUFFER)

    # Pipe

    @property
    def ready(self) -> bool:
        """Whether the client takes what it is sent."""
        return self.stuck_since is None and not self.close_sent

    def write(self, message: bytes, following: bytes | None = None) -> None:
        """Text frames, in one write."""
        if self.disconnected or self.transport.is_closing():
            return
        frame = _head(len(message)) + message
        if following is not None:
            frame += _head(len(following)) + following
        self.transport.write(frame)

    def close(self, code: int) -> None:
        """Through uvicorn, which knows how."""
        if self._closing is None and not self.disconnected:
            message: Any = {"type": "websocket.close", "code": code}
            self._closing = self.loop.create_task(self.send(message))

    def abort(self) -> None:
        """At once, whatever has not been read."""
        self.transport.abort()

    # What the transport says

    def pause_writing(self) -> None:
        """The client has stopped reading."""
        super().pause_writing()
        self.stuck_since = time.monotonic()

    def resume_writing(self) -> None:
        """It reads again."""
        super().resume_writing()
        self.stuck_since = None
        if self.on_ready is not None:
            self.on_ready()

    # What the client says below the level of messages

    def handle_ping(self) -> None:
        """Each is answered, and an answer that is not read takes room."""
        if self._in_measure():
            super().handle_ping()

    def handle_pong(self, event: Frame) -> None:
        """One for each of our pings is enough."""
        if self._in_measure():
            super().handle_pong(event)

    def handle_cont(self, event: Frame) -> None:
        """An empty piece adds nothing to the size that is limited, but it is kept too."""
        if self._in_measure():
            super().handle_cont(event)

    def _in_measure(self) -> bool:
        """Whether this is no flood; if it is one, that was its last."""
        now = time.monotonic()
        if self._frames is None:
            self._frames = Bucket(FRAMES, now)
        if self._frames.take(now):
            return True
        if self.stuck_since is not None:
            self.abort()
        elif not self.close_sent:
            self.conn.fail(POLICY)
            self.transport.write(b"".join(self.conn.data_to_send()))
            self.close_sent = True
            self.transport.close()
        return False

    # What the server says

    def shutdown(self) -> None:
        """The application closes its sockets itself, once it has finished what it was doing."""
        drain = self.app_state.get(DRAIN)
        if drain is None or not self.handshake_complete or self.close_sent:
            super().shutdown()
            return
        self.stop_keepalive()
        self.loop.call_later(LAST_SECONDS, self.transport.abort)
        drain()


def _head(size: int) -> bytes:
    """The head of a text frame (RFC 6455, 5.2); a server does not mask."""
    if size < 126:
        return b"\x81%c" % size
    if size < 65536:
        return b"\x81\x7e" + size.to_bytes(2)
    return b"\x81\x7f" + size.to_bytes(8)
