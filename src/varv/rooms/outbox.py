"""What is waiting to be sent to one socket: bounded, and the newest state wins.

A state is not queued but made when the socket can take it, so a slow client misses the ones in
between and never holds more than one. Short messages are queued; a client that lets them pile up
is dropped and harms nobody.
"""

import asyncio
from collections import deque
from collections.abc import Callable
from typing import TYPE_CHECKING

from varv.rooms.messages import Bye, encode

if TYPE_CHECKING:
    from varv.rooms.room import Room

MOST = 64
"""So many short messages may wait."""


class Outbox:
    """One viewer of a room: a player on one device, or a shared screen."""

    __slots__ = (
        "_messages", "_waiter", "closing", "drop", "paired", "player", "presence", "room", "sent",
        "stuck_since", "token",
    )  # fmt: skip

    def __init__(
        self, room: "Room", player: str | None, token: bytes | None = None, *, paired: bool = False
    ) -> None:
        """Nothing has been sent yet, so the first thing out is the state."""
        self.room = room
        self.player = player
        self.token = token
        self.paired = paired
        self.sent = -1
        self.presence = True
        self.closing: int | None = None
        self.stuck_since: float | None = None
        """Since when the socket has been taking a message."""
        self.drop: Callable[[], None] | None = None
        """Ends the connection at once."""
        self._messages: deque[bytes] = deque()
        self._waiter: asyncio.Future[None] | None = None

    def post(self, message: bytes) -> None:
        """Queue a short message."""
        if self.closing is not None:
            return
        if len(self._messages) >= MOST:
            self._messages.clear()
            self.closing = 1008
        else:
            self._messages.append(message)
        self.wake()

    def dismiss(self, reason: str, close_code: int) -> None:
        """Say goodbye and close."""
        if self.closing is None:
            self._messages.append(encode(Bye(reason)))
            self.closing = close_code
            self.wake()

    def wake(self) -> None:
        """There may be something to send."""
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)

    def poke(self) -> None:
        """The game has changed; wake only if this viewer can see it (VIEW-08)."""
        if self.room.version(self.player) != self.sent:
            self.wake()

    def refresh_presence(self) -> None:
        """Somebody came or went."""
        self.presence = True
        self.wake()

    def take(self) -> bytes | None:
        """The next message to send, or None if there is nothing."""
        if self._messages:
            return self._messages.popleft()
        if self.closing is not None:
            return None
        version = self.room.version(self.player)
        if version != self.sent:
            self.sent = version
            return self.room.state(self.player, version, paired=self.paired)
        if self.presence:
            self.presence = False
            return self.room.presence_message()
        return None

    async def wait(self) -> None:
        """Until there may be something to send."""
        self._waiter = asyncio.get_running_loop().create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None
