"""What a player may ask for, as it arrives: imperative, tagged by `type`.

Values that a person can get wrong (a part, a difficulty, a position) are plain strings and numbers
here and judged by the rules, so that they are refused with a reason; only a wrong JSON type or an
unknown field is malformed.
"""

import msgspec
from msgspec import UNSET, Struct, UnsetType


class SetStartYear(Struct, frozen=True, forbid_unknown_fields=True, tag="set_start_year"):
    """GAME-07, GAME-09."""

    year: int


class RemovePlayer(Struct, frozen=True, forbid_unknown_fields=True, tag="remove_player"):
    """GAME-16."""

    player: str


class OptionsChange(Struct, frozen=True, forbid_unknown_fields=True):
    """The options to change; what is left out stays as it is."""

    audio: str | UnsetType = UNSET
    guess_seconds: int | UnsetType | None = UNSET


class Configure(Struct, frozen=True, forbid_unknown_fields=True, tag="configure"):
    """MUS-02: another mix or other options, in LOBBY."""

    mix: str | UnsetType = UNSET
    options: OptionsChange | UnsetType = UNSET


class StartGame(Struct, frozen=True, forbid_unknown_fields=True, tag="start_game"):
    """GAME-10."""


class FinishGame(Struct, frozen=True, forbid_unknown_fields=True, tag="finish_game"):
    """GAME-12."""


class StartCycle(Struct, frozen=True, forbid_unknown_fields=True, tag="start_cycle"):
    """CYC-11."""


class StartRound(Struct, frozen=True, forbid_unknown_fields=True, tag="start_round"):
    """RND-06."""

    round: int


class ChangeSong(Struct, frozen=True, forbid_unknown_fields=True, tag="change_song"):
    """PRF-03."""

    round: int
    performance: int | None


class LockRound(Struct, frozen=True, forbid_unknown_fields=True, tag="lock_round"):
    """RND-16, RND-10."""

    round: int
    performance: int | None


class UnlockRound(Struct, frozen=True, forbid_unknown_fields=True, tag="unlock_round"):
    """RND-09."""

    round: int


class Reveal(Struct, frozen=True, forbid_unknown_fields=True, tag="reveal"):
    """RND-11, RND-12, RND-13: `to` is the state it leads to."""

    round: int
    to: str


class AbortRound(Struct, frozen=True, forbid_unknown_fields=True, tag="abort_round"):
    """RND-15."""

    round: int


class NextRound(Struct, frozen=True, forbid_unknown_fields=True, tag="next_round"):
    """CYC-16."""

    round: int


class SubmitGuess(Struct, frozen=True, forbid_unknown_fields=True, tag="guess"):
    """GUE-02, GUE-03: `choice` is a position, the id of an option, or null to withdraw."""

    round: int
    performance: int | None
    part: str
    choice: int | str | None


class UseJoker(Struct, frozen=True, forbid_unknown_fields=True, tag="use_joker"):
    """JOK-02, JOK-06."""

    round: int
    performance: int | None
    part: str


class Predict(Struct, frozen=True, forbid_unknown_fields=True, tag="predict"):
    """PRE-01, PRE-02."""

    round: int
    performance: int | None
    difficulty: str


class Play(Struct, frozen=True, forbid_unknown_fields=True, tag="play"):
    """PRF-07."""

    round: int
    performance: int | None


class Stop(Struct, frozen=True, forbid_unknown_fields=True, tag="stop"):
    """PRF-07."""

    round: int
    performance: int | None


Command = (
    SetStartYear | RemovePlayer | Configure | StartGame | FinishGame | StartCycle
    | StartRound | ChangeSong | LockRound | UnlockRound | Reveal | AbortRound | NextRound
    | SubmitGuess | UseJoker | Predict | Play | Stop
)  # fmt: skip

COMMANDS: tuple[type[Command], ...] = Command.__args__
NAMES: dict[type[Command], str] = {
    command: str(command.__struct_config__.tag) for command in COMMANDS
}
DECODER: msgspec.json.Decoder[Command] = msgspec.json.Decoder(Command)
