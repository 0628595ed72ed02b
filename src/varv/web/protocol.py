"""uvicorn's WebSocket protocol, with two words that ASGI lacks.

`varv.abort` ends a connection at once, where a close would wait behind whatever the client does not
read. And a shutdown lets the application say goodbye before the socket closes.
"""

from typing import Any

from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets.http11 import Request

ABORT = "varv.abort"
DRAIN = "varv.drain"
LAST_SECONDS = 4.0
"""A client that does not answer a goodbye is cut off after so long."""


class Protocol(WebSocketsSansIOProtocol):
    """Served by `sockets.Sockets`."""

    def handle_connect(self, event: Request) -> None:
        """The application's task starts later, so it sees what is added here."""
        super().handle_connect(event)
        scope: dict[str, Any] = getattr(self, "scope", {})
        if scope:
            scope["extensions"][ABORT] = self.transport.abort

    def shutdown(self) -> None:
        """The application closes its sockets itself, once it has finished what it was doing."""
        drain = self.app_state.get(DRAIN)
        if drain is None or not self.handshake_complete or self.close_sent:
            super().shutdown()
            return
        self.stop_keepalive()
        self.loop.call_later(LAST_SECONDS, self.transport.abort)
        drain()
