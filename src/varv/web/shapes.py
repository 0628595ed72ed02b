"""Bodies of requests and answers. Unknown fields and wrong JSON types are malformed."""

from typing import Any

from msgspec import UNSET, Raw, Struct, UnsetType

from varv.rules.commands import Command, OptionsChange
from varv.rules.views import Snapshot, Viewer


class CreateGame(Struct, frozen=True, forbid_unknown_fields=True):
    """What a game is created with. `language` is the host's: `sv` or `en`."""

    edition: str
    mix: str
    name: str
    language: str | UnsetType | None = UNSET
    options: OptionsChange | UnsetType | None = UNSET


class GameCreated(Struct, frozen=True):
    """The host's way in. Both tokens are shown once."""

    code: str
    player: str
    token: str
    owner_token: str


class GameCard(Struct, frozen=True):
    """What anyone may know of a game."""

    code: str
    edition: str
    state: str
    players: int
    max_players: int
    joinable: bool


class JoinGame(Struct, frozen=True, forbid_unknown_fields=True):
    """Who joins. A `bot` says so: it has no loudspeaker, so the host's device plays (VIEW-06)."""

    name: str
    bot: bool = False


class Seated(Struct, frozen=True):
    """A seat; the token is shown once."""

    player: str
    token: str


class StateAnswer(Struct, frozen=True):
    """All that this player can see now."""

    version: int
    now: int
    snapshot: Snapshot
    viewer: Viewer


class SendCommand(Struct, frozen=True, forbid_unknown_fields=True):
    """A command under an id of 1–64 characters that makes it idempotent."""

    id: str
    command: Command


class CommandAnswer(Struct, frozen=True):
    """The command is durable."""

    version: int


class Link(Struct, frozen=True):
    """A single-use link; `expires` in epoch seconds."""

    link: str
    expires: int


class Rejoin(Struct, frozen=True, forbid_unknown_fields=True):
    """The ticket that followed `#` in the link."""

    ticket: str


class AddBots(Struct, frozen=True, forbid_unknown_fields=True):
    """How many, and how good: `novice`, `regular` or `expert`."""

    count: int
    skill: str | UnsetType | None = UNSET


class BotsAdded(Struct, frozen=True):
    """The bots' players."""

    players: list[str]


class GameAgain(Struct, frozen=True):
    """The next game, and the host's seat in it."""

    code: str
    player: str
    token: str


class FlagYear(Struct, frozen=True, forbid_unknown_fields=True):
    """Which round's song, and what is wrong with its year."""

    round: int
    note: str | UnsetType | None = UNSET


class Flagged(Struct, frozen=True):
    """The operator will see it."""

    flagged: bool


class ScreenLink(Struct, frozen=True):
    """Pairs a shared screen: by link, or by a code typed on it."""

    link: str
    code: str


class MixCard(Struct, frozen=True):
    """A mix to choose; `allowed` for the owner who asks."""

    id: str
    name: str
    songs: int
    years: tuple[int, int]
    playable: bool
    allowed: bool


class Mixes(Struct, frozen=True):
    """All mixes."""

    mixes: list[MixCard]


class OwnerCard(Struct, frozen=True):
    """Who creates games on this device; null before the first one."""

    owner: str | None
    premium: bool
    game: str | None


class Health(Struct, frozen=True):
    """How the server is; `checks` says what is wrong."""

    status: str
    checks: dict[str, str] = {}


Json = dict[str, Any]
Encoded = Raw | bytes
