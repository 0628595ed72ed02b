"""The shapes of what leaves the server, as docs/protocol.md has them."""

from msgspec import UNSET, Struct, UnsetType

from varv.rules.model import (
    AbortReason,
    CardKind,
    CycleState,
    Difficulty,
    GameState,
    Mix,
    Options,
    Part,
    Placing,
    RoundState,
)
from varv.rules.refusals import Reason


class CardView(Struct, frozen=True, tag=None):
    """A card on the table; title and artist are null while hidden (VIEW-03)."""

    kind: CardKind
    year: int
    title: str | UnsetType | None = UNSET
    artist: str | UnsetType | None = UNSET
    star: bool | UnsetType = UNSET
    round: int | UnsetType = UNSET
    cycle: int | UnsetType = UNSET


class PlayerView(Struct, frozen=True):
    """A remaining player (VIEW-04)."""

    id: str
    name: str
    bot: bool
    start_year: int | None
    jokers: int
    timeline: list[CardView]
    side_cards: list[CardView]


class CycleView(Struct, frozen=True):
    """The current cycle, remaining players only."""

    number: int
    state: CycleState
    rotation: tuple[str, ...]
    completed: tuple[str, ...]


class OptionView(Struct, frozen=True):
    """One of the options of a part."""

    id: str
    text: str


class Answer(Struct, frozen=True):
    """The answer, or as much of it as is revealed."""

    year: int
    title: str | UnsetType = UNSET
    artist: str | UnsetType = UNSET


class GuessView(Struct, frozen=True):
    """A guess as it is shown at the reveal."""

    placement: int | None
    title: OptionView | None
    artist: OptionView | None


class ResultView(Struct, frozen=True):
    """What one guess came to; names are null until they are revealed (VIEW-03, VIEW-07)."""

    guess: GuessView
    placement: bool
    title: bool | None
    artist: bool | None
    card: CardKind | None
    position: int | None
    star: bool | None
    joker_won: bool | None
    jokers_used: tuple[Part, ...] | None


class RoundView(Struct, frozen=True):
    """The current round, or how the previous one ended."""

    number: int
    state: RoundState
    leader: str
    leader_name: str
    leader_removed: bool
    next_leader: str | None
    performance: int | None
    deadline: int | None
    difficulty_scale: dict[Difficulty, tuple[int, int]] | None
    submitted: dict[str, tuple[Part, ...]]
    predicted: bool
    answer: Answer | None
    results: dict[str, ResultView] | None
    difficulty: Difficulty | None
    guessers: int | None
    correct: int | None
    prediction: Difficulty | None
    prediction_correct: bool | None
    aborted_because: AbortReason | None


class Standing(Struct, frozen=True):
    """How many cards somebody has so far, unofficially."""

    player: str
    cards: int
    tiebreak: int


class Snapshot(Struct, frozen=True):
    """What everyone sees (VIEW-01)."""

    code: str
    edition: str
    state: GameState
    mix: Mix
    min_players: int
    max_players: int
    start_years: tuple[int, int]
    joinable: bool
    host: str
    options: Options
    players: list[PlayerView]
    cycle: CycleView | None
    round: RoundView | None
    last_round: RoundView | None
    standings: list[Standing]
    ranking: tuple[Placing, ...] | None
    counted_cycles: tuple[int, ...]


class ChoiceView(Struct, frozen=True):
    """One's own guess: a position and ids of options."""

    placement: int | None
    title: str | None
    artist: str | None


class PartOptions(Struct, frozen=True):
    """The options one is shown; null where hidden (GUE-06)."""

    title: list[OptionView] | None
    artist: list[OptionView] | None


class Decade(Struct, frozen=True, rename={"start": "from", "end": "to"}):
    """What a joker on the placement shows (JOK-07)."""

    start: int
    end: int


class AudioView(Struct, frozen=True):
    """Where the sound is to be had (VIEW-06)."""

    url: str


class Viewer(Struct, frozen=True):
    """What one player sees besides the Snapshot (VIEW-01)."""

    player: str
    is_host: bool
    is_leader: bool
    plays_audio: bool
    actions: list[str]
    blocked: dict[str, Reason]
    guess: ChoiceView
    open_parts: tuple[Part, ...]
    options: PartOptions
    jokers_registered: tuple[Part, ...]
    joker_parts: tuple[Part, ...]
    decade: Decade | None
    answer: Answer | None
    prediction: Difficulty | None
    audio: AudioView | None
