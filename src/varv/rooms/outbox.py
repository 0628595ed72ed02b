"""What is waiting to be sent to one socket: bounded, and the newest state wins.

A state is not queued but made when the socket can take it, so a slow client misses the ones in
between and never holds more than one. Short messages are queued; a client that lets them pile up
is dropped and harms nobody.
"""

from collections import deque
from typing import TYPE_CHECKING, Protocol

import structlog

from varv.rooms.messages import Bye, encode

if TYPE_CHECKING:
    from varv.rooms.room import Room

MOST = 64
"""So many short messages may wait."""

log = structlog.get_logger("varv.rooms")


class Pipe(Protocol):
    """One socket, as far as sending goes. Nothing here waits."""

    @property
    def ready(self) -> bool:
        """Whether the client takes what it is sent; if not, the outbox is woken when it does."""

    @property
    def stuck_since(self) -> float | None:
        """Since when (monotonic) it has not been."""

    def write(self, message: bytes, following: bytes | None = None) -> None:
        """Send a text message, and one that follows it in the same breath."""

    def close(self, code: int) -> None:
        """Close in order, once what was written is sent."""

    def abort(self) -> None:
        """End it at once."""


class Outbox:
    """One viewer of a room: a player on one device, or a shared screen."""

    __slots__ = (
        "_messages", "_present", "closing", "paired", "pipe", "player", "presence", "room", "sent",
        "token",
    )  # fmt: skip

    def __init__(
        self,
        room: "Room",
        pipe: Pipe,
        player: str | None,
        token: bytes | None = None,
        *,
        paired: bool = False,
    ) -> None:
        """Nothing has been sent yet, so the first thing out is the state."""
        self.room = room
        self.pipe = pipe
        self.player = player
        self.token = token
        self.paired = paired
        self.sent = -1
        self.presence = True
        self.closing: int | None = None
        self._present = b""
        self._messages: deque[bytes] | None = None

    def post(self, message: bytes) -> None:
        """Send a short message, or queue it."""
        if self.closing is not None:
            return
        if self._messages is None and self.pipe.ready:
            self.pipe.write(message)
            return
        if self._messages is None:
            self._messages = deque()
        if len(self._messages) >= MOST:
            self.closing = 1008
            self._messages = None
            self.pipe.abort()
            return
        self._messages.append(message)

    def answer(self, message: bytes) -> None:
        """Acknowledge a command together with what it changed for its sender."""
        version = self.room.version(self.player)
        simple = self._messages is None and self.closing is None and self.pipe.ready
        if not simple or version == self.sent or self.presence:
            self.post(message)
            self.poke()
            return
        try:
            self.sent = version
            state = self.room.state(self.player, version, paired=self.paired)
            self.pipe.write(message, state)
        except Exception as error:
            self._failed(error)

    def dismiss(self, reason: str, close_code: int) -> None:
        """Say goodbye and close."""
        if self.closing is None:
            self.post(encode(Bye(reason)))
            self.closing = close_code
            self.flush()

    def poke(self) -> None:
        """The game has changed; something is sent only if this viewer can see it (VIEW-08)."""
        version = self.room.version(self.player)
        if version == self.sent or self.closing is not None or not self.pipe.ready:
            return
        if self._messages is not None or self.presence:
            self.flush()
            return
        try:
            self.sent = version
            self.pipe.write(self.room.state(self.player, version, paired=self.paired))
        except Exception as error:
            self._failed(error)

    def refresh_presence(self) -> None:
        """Somebody came or went."""
        self.presence = True
        self.flush()

    def flush(self) -> None:
        """Send as much as the client takes."""
        pipe = self.pipe
        try:
            while pipe.ready:
                message = self._take()
                if message is None:
                    if self.closing is not None:
                        pipe.close(self.closing)
                    return
                pipe.write(message)
        except Exception as error:
            self._failed(error)

    def _failed(self, error: Exception) -> None:
        """Our own mistake about one viewer harms no other."""
        log.error("a message could not be made", error=repr(error), exc_info=error)
        self.closing = self.closing or 1011
        self.pipe.abort()

    def _take(self) -> bytes | None:
        """The next message to send, or None if there is nothing."""
        if self._messages:
            return self._messages.popleft()
        self._messages = None
        if self.closing is not None:
            return None
        version = self.room.version(self.player)
        if version != self.sent:
            self.sent = version
            return self.room.state(self.player, version, paired=self.paired)
        if self.presence:
            self.presence = False
            present = self.room.presence_message()
            if present != self._present:
                self._present = present
                return present
        return None
