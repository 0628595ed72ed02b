"""Events and games as they are stored: our own names, schema versions, and ways up from old ones.

To change an event's shape: raise its number in `SCHEMAS` and add a function to `UPCASTERS` that
turns the old JSON into the new. Logs written years ago must still replay.
"""

import hashlib
from collections.abc import Callable, Iterable
from functools import cache
from typing import Any

import msgspec

from varv.rooms.ports import StoredEvent, StoredSnapshot
from varv.rules import evolve
from varv.rules.commands import Command
from varv.rules.events import NAMES, Event
from varv.rules.model import Game

SCHEMAS: dict[str, int] = dict.fromkeys(NAMES.values(), 1)
"""The schema version that each event is written under now."""

Upcaster = Callable[[dict[str, Any]], dict[str, Any]]
UPCASTERS: dict[tuple[str, int], Upcaster] = {}
"""From (name, schema version) to the next version."""

SNAPSHOT_EVERY = 64
"""A snapshot row is written about so often, so that loading stays O(1)."""

_encoder = msgspec.json.Encoder()
_event: msgspec.json.Decoder[Event] = msgspec.json.Decoder(Event)
_game = msgspec.json.Decoder(Game)


class CannotRead(Exception):
    """A stored event that this version of Varv does not know."""


def encode_event(event: Event) -> StoredEvent:
    """An event as it is stored."""
    name = NAMES[type(event)]
    return StoredEvent(name, SCHEMAS[name], _encoder.encode(event).decode())


def decode_event(stored: StoredEvent) -> Event:
    """An event as it is today, whatever version wrote it."""
    current = SCHEMAS.get(stored.name)
    if current is None or stored.schema > current:
        raise CannotRead(
            f"event {stored.name} v{stored.schema} was written by a newer version of Varv"
        )
    if stored.schema == current:
        return _event.decode(stored.data)
    data = msgspec.json.decode(stored.data)
    for schema in range(stored.schema, current):
        data = UPCASTERS[stored.name, schema](data)
    event: Event = msgspec.convert(data, Event)
    return event


@cache
def snapshot_schema() -> str:
    """Changes by itself whenever the shape of a game does: an old snapshot is then not used."""
    shape = msgspec.json.encode(msgspec.json.schema(Game), order="deterministic")
    return hashlib.sha256(shape).hexdigest()[:16]


def encode_game(game: Game, seq: int) -> StoredSnapshot:
    """A game as a snapshot row."""
    return StoredSnapshot(seq, snapshot_schema(), _encoder.encode(game).decode())


def decode_game(stored: StoredSnapshot | None) -> Game | None:
    """The game, or None if it has to be folded from its events."""
    if stored is None or stored.schema != snapshot_schema():
        return None
    return _game.decode(stored.data)


def fold(game: Game | None, events: Iterable[StoredEvent]) -> Game | None:
    """A game with more events behind it."""
    for stored in events:
        game = evolve(game, decode_event(stored))
    return game


def fingerprint(command: Command) -> bytes:
    """Tells a repeated command from another one under the same id."""
    return hashlib.blake2b(_encoder.encode(command), digest_size=16).digest()
