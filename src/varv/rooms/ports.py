"""What the rooms need from outside: a store that keeps, a bus that tells, music that plays.

Everything that crosses a port is a plain frozen value. `seq` numbers a game's events from 1.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from random import Random
from typing import Protocol

from msgspec import Struct

from varv.music.model import Clip, MixInfo, PassedOver
from varv.rules.model import Draw, DrawRequest
from varv.rules.refusals import Reason


class StoredEvent(Struct, frozen=True):
    """An event under its own name and schema version, never a Python class path."""

    name: str
    schema: int
    data: str


class StoredSnapshot(Struct, frozen=True):
    """The whole game after `seq` events; only good for the `schema` it was written under."""

    seq: int
    schema: str
    data: str


class CommandRecord(Struct, frozen=True):
    """A command that took effect, and the version that its first acknowledgement named."""

    actor: str
    id: str
    fingerprint: bytes
    version: int


class Seat(Struct, frozen=True):
    """Who a token names. `token` is a SHA-256, or None for a bot or a seat not yet taken."""

    player: str
    token: bytes | None = None
    skill: str | None = None


class Idempotency(Struct, frozen=True):
    """The first answer to a call made with an Idempotency-Key, without its secrets."""

    key: bytes
    fingerprint: bytes
    answer: str


class Creation(Struct, frozen=True):
    """What only the first append of a game says. `owner_token` is set for a new owner.

    `continues` names the game of the same people whose successor this one becomes.
    """

    owner: str
    edition: str
    owner_token: bytes | None = None
    continues: str | None = None


class Append(Struct, frozen=True):
    """One atomic step: all of it is durable, or none of it happened."""

    code: str
    expected: int
    events: tuple[StoredEvent, ...]
    state: str
    players: int
    at: int
    command: CommandRecord | None = None
    seats: tuple[Seat, ...] = ()
    snapshot: StoredSnapshot | None = None
    idempotency: Idempotency | None = None
    creation: Creation | None = None


class Outcome(StrEnum):
    """What came of an append."""

    APPENDED = "appended"
    CONFLICT = "conflict"
    """Somebody else was first: load what is new and decide again."""
    DUPLICATE = "duplicate"
    """The command id or the Idempotency-Key has been seen before."""
    CODE_TAKEN = "code_taken"
    OWNER_BUSY = "owner_busy"
    """The owner already has an unfinished game (GAME-23)."""


class GameRow(Struct, frozen=True):
    """A game as the operator's list shows it. Times are epoch milliseconds."""

    code: str
    owner: str
    edition: str
    state: str
    players: int
    seq: int
    created: int
    updated: int
    successor: str | None = None


class Loaded(Struct, frozen=True):
    """Everything needed to go on with a game; loading does not grow with its age."""

    row: GameRow
    snapshot: StoredSnapshot | None
    tail: tuple[StoredEvent, ...]
    seats: tuple[Seat, ...]
    seating: int


class Head(Struct, frozen=True):
    """How far a game has come; `seating` counts changes of who a token names."""

    seq: int
    seating: int
    successor: str | None = None


class RejoinTicket(Struct, frozen=True):
    """A single-use way to a seat (GAME-21). `expires` is in epoch seconds."""

    hash: bytes
    code: str
    player: str
    expires: int


class Store(Protocol):
    """Keeps games. Several processes may share one if `shared` says so."""

    shared: bool
    away: tuple[type[Exception], ...]
    """What it raises when it cannot be reached or cannot write, which is nobody's mistake here."""

    async def open(self) -> None:
        """Connect, and bring the schema up to date where that is automatic."""

    async def close(self) -> None:
        """Finish what was accepted and let go."""

    async def ping(self) -> None:
        """Raise if the store cannot be reached."""

    async def append(self, append: Append) -> Outcome:
        """Make one step durable, if the game is where the caller thinks it is."""

    async def load(self, code: str) -> Loaded | None:
        """A game with its latest snapshot and what came after."""

    async def since(self, code: str, seq: int) -> tuple[StoredEvent, ...]:
        """The events after `seq`; empty for an unknown game."""

    async def heads(self, codes: Sequence[str]) -> dict[str, Head]:
        """How far these games have come; a missing one is gone."""

    async def command(self, code: str, actor: str, command_id: str) -> CommandRecord | None:
        """The command that this player sent under this id, if it took effect."""

    async def idempotent(self, key: bytes) -> Idempotency | None:
        """The first answer given under this key."""

    async def seats(self, code: str) -> tuple[tuple[Seat, ...], int]:
        """Who sits where, and the count of changes."""

    async def add_ticket(self, ticket: RejoinTicket) -> None:
        """Keep a way in until it is used or expires."""

    async def use_ticket(
        self, ticket: bytes, code: str, token: bytes, now: int
    ) -> tuple[str, bool] | None:
        """Seat the holder: the player, and whether the seat was taken before. None if not valid.

        The same ticket again with the same token is the same call again.
        """

    async def owner(self, token: bytes) -> str | None:
        """The public id of the owner that a token hash names."""

    async def unfinished(self, owner: str) -> str | None:
        """The code of the owner's unfinished game (GAME-23)."""

    async def entitlements(self, owner: str) -> frozenset[str]:
        """`premium` and `mix:ID` (ENT-01)."""

    async def grant(self, owner: str, entitlement: str) -> bool:
        """Give; False if there is no such owner."""

    async def revoke(self, owner: str, entitlement: str) -> bool:
        """Take back; False if it was not there."""

    async def games(self, *, finished: bool) -> tuple[GameRow, ...]:
        """The unfinished games, or all of them, latest first."""

    async def delete(self, code: str) -> bool:
        """Forget a game and everything that belongs to it."""

    async def prune(self, before: int) -> int:
        """Forget games not touched since; how many there were."""

    async def secret(self, name: str) -> bytes:
        """32 random bytes, the same ever after and for every worker."""


Listener = Callable[[str, bytes], None]
"""Called with a game's code and a message; must not block."""


class Bus(Protocol):
    """Tells the workers that have viewers of a game. It may lose, delay and repeat."""

    @property
    def alone(self) -> bool:
        """Whether there can be nobody else to hear."""

    async def open(self, listener: Listener) -> None:
        """Connect; every message of a watched game goes to the listener, one's own too."""

    async def close(self) -> None:
        """Let go."""

    async def ping(self) -> None:
        """Raise if the bus cannot be reached."""

    async def watch(self, code: str) -> None:
        """Hear about a game from now on."""

    async def unwatch(self, code: str) -> None:
        """Hear no more about it."""

    async def publish(self, code: str, message: bytes) -> None:
        """Tell everyone who watches the game."""

    async def mark(self, code: str, worker: str, players: Iterable[str]) -> None:
        """Say which players of a game are connected here; it fades unless repeated."""

    async def marked(self, code: str) -> dict[str, frozenset[str]]:
        """Which players each worker has said are connected."""


class Music(Protocol):
    """Songs and their sound: what the rooms need of `music.service.Music`."""

    async def mixes(self) -> Sequence[MixInfo]:
        """All mixes, in the order to show them."""

    async def mix(self, mix: str) -> MixInfo | None:
        """One mix."""

    async def draw(
        self, request: DrawRequest, rng: Random, passed: list[PassedOver] | None = None
    ) -> Draw | Reason:
        """A song with its options (CAN-01 … CAN-07, PRF-09); notes the songs it passed over."""

    async def ahead(self, request: DrawRequest, rng: Random) -> None:
        """Get ready for a request that is likely to come."""

    async def prepare(self, recording: str) -> None:
        """Make the sound ready; raise RecordingMissing if it cannot be had."""

    async def clip(self, recording: str) -> Clip:
        """The sound."""

    async def flag(self, song: str, note: str, game: str, round: int) -> None:
        """A player doubts the year of a song."""
