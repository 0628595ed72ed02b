"""Every message on a WebSocket, both ways, as docs/protocol.md names them.

The JSON Schema that the server publishes is made from these types. `state_bytes` writes the one
message that is sent all the time by joining bytes that are already encoded.
"""

from typing import Any, TypeAlias

import msgspec
from msgspec import UNSET, Struct, UnsetType

from varv.rules.commands import Command
from varv.rules.views import Snapshot, Viewer
from varv.rules.views.shapes import AudioView

# Client → server


class Hello(Struct, frozen=True, tag="hello", forbid_unknown_fields=True):
    """The first message: a player's token, or a shared screen."""

    token: str | UnsetType = UNSET
    version: int = 0
    screen: bool = False
    ticket: str | UnsetType = UNSET


class Order(Struct, frozen=True, tag="command", forbid_unknown_fields=True):
    """A command under an id that makes it idempotent."""

    id: str
    command: Command


class Ping(Struct, frozen=True, tag="ping", forbid_unknown_fields=True):
    """Asks whether anyone is there."""


ClientMessage: TypeAlias = Hello | Order | Ping

# Server → client


class State(Struct, frozen=True, tag="state"):
    """All that this viewer can see. `audio` is there on a paired screen only."""

    version: int
    now: int
    snapshot: Snapshot
    viewer: Viewer | None
    audio: AudioView | UnsetType | None = UNSET


class Ack(Struct, frozen=True, tag="ack"):
    """The command is durable."""

    id: str
    version: int


class RefusedMessage(Struct, frozen=True, tag="refused"):
    """The command, or whatever it was, changed nothing."""

    id: str | None
    code: str
    reason: str
    facts: dict[str, Any]
    detail: str


class Presence(Struct, frozen=True, tag="presence"):
    """Who is connected, bots included, in join order."""

    connected: list[str]


class Playing(Struct, frozen=True, tag="playing"):
    """The song is being played, or no longer."""

    playing: bool


class Notice(Struct, frozen=True, tag="notice", omit_defaults=True):
    """Something to tell a person that is not part of the state."""

    kind: str
    player: str | UnsetType = UNSET
    code: str | UnsetType = UNSET
    ticket: str | UnsetType = UNSET


class Bye(Struct, frozen=True, tag="bye"):
    """The socket closes now."""

    reason: str


class Pong(Struct, frozen=True, tag="pong"):
    """Somebody is."""


ServerMessage: TypeAlias = State | Ack | RefusedMessage | Presence | Playing | Notice | Bye | Pong

_encoder = msgspec.json.Encoder()
encode = _encoder.encode
CLIENT_DECODER: msgspec.json.Decoder[ClientMessage] = msgspec.json.Decoder(ClientMessage)
PONG = encode(Pong())


def state_middle(now: int, snapshot: bytes) -> bytes:
    """The part of a `State` that is the same for all viewers."""
    return b',"now":%d,"snapshot":%b,"viewer":' % (now, snapshot)


def state_bytes(version: int, middle: bytes, viewer: bytes, audio: bytes | None = None) -> bytes:
    """A `State` from parts that are already JSON; a test compares it with the real thing."""
    if audio is None:
        return b'{"type":"state","version":%d%b%b}' % (version, middle, viewer)
    return b'{"type":"state","version":%d%b%b,"audio":%b}' % (version, middle, viewer, audio)
