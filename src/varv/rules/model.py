"""What a game is made of: frozen values, replaced and never changed.

`Game` is the whole state. Everything in it follows from the events (see `evolve`), and everything a
person is shown is made from it by `views`, which says what is secret.
"""

from enum import StrEnum

from msgspec import Struct

START_YEARS = (1980, 2010)
"""The span of start years, whatever years the songs have (GAME-07)."""
MIN_PLAYERS = 3
MAX_PLAYERS_FREE = 5
MAX_PLAYERS_PREMIUM = 10
MAX_JOKERS = 3
NAME_LENGTH = 24


class GameState(StrEnum):
    """GAME-01."""

    LOBBY = "LOBBY"
    IN_PROGRESS = "IN_PROGRESS"
    FINISHED = "FINISHED"


class CycleState(StrEnum):
    """CYC-01."""

    ACTIVE = "ACTIVE"
    BOUNDARY_DECISION = "BOUNDARY_DECISION"
    FINISHED = "FINISHED"


class RoundState(StrEnum):
    """Every state a round can be in; an edition's table uses some of them (RND-01, RND-02)."""

    WAITING_FOR_DJ = "WAITING_FOR_DJ"
    READY = "READY"
    GUESSING = "GUESSING"
    LOCKED = "LOCKED"
    REVEALED_TIMELINE = "REVEALED_TIMELINE"
    REVEALED_FULL = "REVEALED_FULL"
    REVEALED = "REVEALED"
    ABORTED = "ABORTED"


class Part(StrEnum):
    """The three parts of a guess, in the order in which they are named (GUE-02)."""

    PLACEMENT = "placement"
    TITLE = "title"
    ARTIST = "artist"


PARTS = tuple(Part)


class Difficulty(StrEnum):
    """PRE-01."""

    EASY = "easy"
    MEDIUM = "medium"
    HARD = "hard"


class Audio(StrEnum):
    """Where the sound comes out (VIEW-06)."""

    DEFAULT = "default"
    EVERYONE = "everyone"
    SCREEN = "screen"


class CardKind(StrEnum):
    """The kinds of card; START, TIMELINE and SONG lie in the timeline, DJ and ORACLE beside it."""

    START = "start"
    TIMELINE = "timeline"
    SONG = "song"
    DJ = "dj"
    ORACLE = "oracle"


class AbortReason(StrEnum):
    """Why a round was aborted."""

    HOST = "HOST"
    LEADER_REMOVED = "LEADER_REMOVED"
    TOO_FEW_PLAYERS = "TOO_FEW_PLAYERS"
    GAME_FINISHED = "GAME_FINISHED"
    INVALID_CANDIDATES = "INVALID_CANDIDATES"


class Mix(Struct, frozen=True):
    """The one mix that a game draws its songs from (MUS-02)."""

    id: str
    name: str
    songs: int


class Options(Struct, frozen=True):
    """What the host may choose about a game; `guess_seconds` only advises."""

    audio: str = Audio.DEFAULT
    guess_seconds: int | None = None


class Song(Struct, frozen=True):
    """A song as the rules know it: the answer of a performance (MUS-01)."""

    id: str
    title: str
    artist: str
    year: int


class Draw(Struct, frozen=True):
    """A song with its options, fetched from outside for one performance (CAN-01, CAN-03)."""

    song: Song
    titles: tuple[str, ...]
    artists: tuple[str, ...]
    few_titles: tuple[int, ...]
    """Ascending indexes into `titles`: the reduced list."""
    few_artists: tuple[int, ...]
    group: tuple[str, ...]
    """Ids of the ten songs whose titles and artists these are."""
    recording: str


class DrawRequest(Struct, frozen=True):
    """What the drawing of a song has to take into account (PRF-09, CAN-05, CAN-07)."""

    mix: str
    played: frozenset[str]
    on_tables: frozenset[str]
    this_round: frozenset[str]
    retired: frozenset[str]
    retired_texts: frozenset[str]
    revealed: frozenset[str]
    game: str = ""
    """Which game asks, so that wrong options recur within it and differ between games (CAN-06)."""


class Card(Struct, frozen=True, omit_defaults=True):
    """A card somebody owns. `song` is the song's id, and never leaves the server."""

    kind: CardKind
    year: int
    title: str | None = None
    artist: str | None = None
    star: bool = False
    round: int | None = None
    cycle: int | None = None
    song: str | None = None


class Player(Struct, frozen=True, omit_defaults=True):
    """A remaining player. `cycle` is the first cycle whose rotation they are in (RANK-09)."""

    id: str
    name: str
    bot: bool = False
    start_year: int | None = None
    jokers: int = 0
    cycle: int | None = None
    timeline: tuple[Card, ...] = ()
    side_cards: tuple[Card, ...] = ()


class Guess(Struct, frozen=True, omit_defaults=True):
    """One player's guess at the active performance, and the jokers laid on it (GUE-01, JOK-06)."""

    placement: int | None = None
    title: str | None = None
    artist: str | None = None
    jokers: tuple[Part, ...] = ()


class Performance(Struct, frozen=True):
    """A song being played, with its options and which of them are right (CAN-02)."""

    number: int
    song: Song
    titles: tuple[str, ...]
    artists: tuple[str, ...]
    few_titles: tuple[int, ...]
    few_artists: tuple[int, ...]
    group: tuple[str, ...]
    recording: str
    title: str
    """Id of the right title option."""
    artist: str
    """Id of the right artist option."""
    deadline: int | None = None


class Outcome(Struct, frozen=True):
    """How hard a locked round was (RND-13, PRE-03)."""

    guessers: int
    correct: int
    difficulty: Difficulty


class Result(Struct, frozen=True, omit_defaults=True):
    """What one guesser's guess came to. The names are null until they are judged (VIEW-03)."""

    guess: Guess
    placement: bool
    title: bool | None = None
    artist: bool | None = None
    card: CardKind | None = None
    position: int | None = None
    star: bool | None = None
    joker_won: bool | None = None
    jokers_used: tuple[Part, ...] | None = None
    jokers: int | None = None
    """The new balance (JOK-10)."""


class Round(Struct, frozen=True):
    """One round, led by one player. `retired` and `retired_texts` are earlier options (CAN-05)."""

    number: int
    cycle: int
    leader: str
    leader_name: str
    state: RoundState
    performance: Performance | None = None
    guesses: dict[str, Guess] = {}
    prediction: Difficulty | None = None
    outcome: Outcome | None = None
    results: dict[str, Result] | None = None
    aborted_because: AbortReason | None = None
    songs: tuple[str, ...] = ()
    retired: tuple[str, ...] = ()
    retired_texts: tuple[str, ...] = ()


class Cycle(Struct, frozen=True):
    """One lap around the table; `rotation` and `completed` name remaining players only."""

    number: int
    state: CycleState
    rotation: tuple[str, ...]
    completed: tuple[str, ...] = ()


class Placing(Struct, frozen=True):
    """A row of the ranking (RANK-07)."""

    place: int
    player: str
    cards: int
    tiebreak: int


class Game(Struct, frozen=True):
    """The whole state of a game. `players` holds the remaining ones, in join order."""

    code: str
    edition: str
    state: GameState
    host: str
    mix: Mix
    options: Options
    min_players: int
    max_players: int
    players: dict[str, Player] = {}
    joined: int = 0
    """How many have ever joined: the number of the next player's id."""
    cycle: Cycle | None = None
    round: Round | None = None
    last_round: Round | None = None
    finished_cycles: tuple[int, ...] = ()
    played: tuple[str, ...] = ()
    """Ids of the songs that have been active (PRF-09)."""
    revealed: tuple[str, ...] = ()
    """Ids of the songs that have been revealed (CAN-07)."""
    ranking: tuple[Placing, ...] | None = None
    public_changes: int = 0
    """How many changes everyone could see (VIEW-08)."""
    private_changes: dict[str, int] = {}
    """And how many only one player could."""


NO_GUESS = Guess()


def round_of(game: Game) -> Round:
    """The current round, for those who know that there is one."""
    assert game.round is not None
    return game.round


def guess_of(round_: Round, player: str) -> Guess:
    """A player's guess, an empty one if they have not begun (GUE-01)."""
    return round_.guesses.get(player, NO_GUESS)
