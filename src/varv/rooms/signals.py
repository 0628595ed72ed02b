"""What workers tell each other over the bus about one game."""

from typing import TypeAlias

import msgspec
from msgspec import Struct


class Changed(Struct, frozen=True, tag="changed"):
    """The game has come this far."""

    worker: str
    seq: int


class Seated(Struct, frozen=True, tag="seated"):
    """Somebody took a seat; `rejoined` names a player who took theirs on a new device."""

    worker: str
    rejoined: str | None = None


class Present(Struct, frozen=True, tag="present"):
    """These players are connected to that worker now."""

    worker: str
    players: list[str]


class Played(Struct, frozen=True, tag="played"):
    """The song is being played, or no longer."""

    worker: str
    playing: bool


class Again(Struct, frozen=True, tag="again"):
    """Another game with the same people goes on under this code."""

    worker: str
    code: str


Signal: TypeAlias = Changed | Seated | Present | Played | Again
encode = msgspec.json.Encoder().encode
DECODER: msgspec.json.Decoder[Signal] = msgspec.json.Decoder(Signal)
