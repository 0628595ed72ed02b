"""What has happened: past tense, tagged by names of our own that never change.

An event carries the result of every decision and of every chance, so that folding the events needs
no rule, clock or seed. `rooms.codec` adds a schema version when one is stored.
"""

from msgspec import Struct

from varv.rules.model import (
    AbortReason,
    CardKind,
    Difficulty,
    Mix,
    Options,
    Outcome,
    Part,
    Performance,
    Placing,
    Result,
    RoundState,
)


class GameCreated(Struct, frozen=True, tag="game_created"):
    """GAME-01: a game in LOBBY; its host joins in the next event."""

    code: str
    edition: str
    mix: Mix
    options: Options
    min_players: int
    max_players: int


class PlayerJoined(Struct, frozen=True, tag="player_joined"):
    """GAME-19, GAME-20."""

    player: str
    name: str
    bot: bool = False


class PlayerRemoved(Struct, frozen=True, tag="player_removed"):
    """GAME-16."""

    player: str


class StartYearSet(Struct, frozen=True, tag="start_year_set"):
    """GAME-07."""

    player: str
    year: int


class GameConfigured(Struct, frozen=True, tag="game_configured"):
    """MUS-02, ENT-02."""

    mix: Mix
    options: Options
    max_players: int


class GameStarted(Struct, frozen=True, tag="game_started"):
    """GAME-10."""


class CycleStarted(Struct, frozen=True, tag="cycle_started"):
    """CYC-03; whoever has no Start Card yet is dealt one, and a joker (GAME-11, CYC-14)."""

    number: int
    rotation: tuple[str, ...]


class CycleCompleted(Struct, frozen=True, tag="cycle_completed"):
    """CYC-08."""


class CycleFinished(Struct, frozen=True, tag="cycle_finished"):
    """CYC-11."""


class RoundCreated(Struct, frozen=True, tag="round_created"):
    """CYC-16."""

    number: int
    leader: str


class PerformanceStarted(Struct, frozen=True, tag="performance_started"):
    """RND-06 when it is the first of its round, PRF-03 when it replaces another."""

    performance: Performance


class GuessSubmitted(Struct, frozen=True, tag="guess_submitted"):
    """GUE-01; `choice` is a position or the id of an option."""

    player: str
    part: Part
    choice: int | str


class GuessWithdrawn(Struct, frozen=True, tag="guess_withdrawn"):
    """GUE-03."""

    player: str
    part: Part


class JokerUsed(Struct, frozen=True, tag="joker_used"):
    """JOK-06."""

    player: str
    part: Part


class PredictionMade(Struct, frozen=True, tag="prediction_made"):
    """PRE-01."""

    difficulty: Difficulty


class RoundLocked(Struct, frozen=True, tag="round_locked"):
    """RND-09, RND-13."""

    outcome: Outcome | None = None


class RoundUnlocked(Struct, frozen=True, tag="round_unlocked"):
    """RND-09."""


class RoundRevealed(Struct, frozen=True, tag="round_revealed"):
    """RND-11, RND-12, RND-13: `results` as far as they are judged in this state."""

    to: RoundState
    results: dict[str, Result]
    leader_card: CardKind | None = None


class RoundAborted(Struct, frozen=True, tag="round_aborted"):
    """RND-14; `song` is one that was drawn for it and cannot be played (CAN-04)."""

    because: AbortReason
    song: str | None = None


class GameFinished(Struct, frozen=True, tag="game_finished"):
    """GAME-12, with the ranking if there is one (RANK-06)."""

    ranking: tuple[Placing, ...] | None


Event = (
    GameCreated | PlayerJoined | PlayerRemoved | StartYearSet | GameConfigured | GameStarted
    | CycleStarted | CycleCompleted | CycleFinished | RoundCreated | PerformanceStarted
    | GuessSubmitted | GuessWithdrawn | JokerUsed | PredictionMade | RoundLocked | RoundUnlocked
    | RoundRevealed | RoundAborted | GameFinished
)  # fmt: skip

EVENTS: tuple[type[Event], ...] = Event.__args__
NAMES: dict[type[Event], str] = {event: str(event.__struct_config__.tag) for event in EVENTS}
