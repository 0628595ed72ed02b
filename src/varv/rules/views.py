"""What a person is shown: the Snapshot, the same for all, and the Viewer, theirs alone.

These are allow-lists: a field of the game is invisible until somebody writes it in here. Every exit
(WebSocket, HTTP, shared screen, history) is made by these functions and no others.
"""

from collections.abc import Callable
from typing import Any, TypeAlias

from msgspec import UNSET, Raw, Struct, UnsetType
from msgspec.json import Encoder as JsonEncoder

from varv.rules import commands as c
from varv.rules import difficulty, jokers, ranking
from varv.rules.candidates import option_id
from varv.rules.decide import joker_refused
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import Edition, guessers
from varv.rules.machine import GAME, Trigger
from varv.rules.model import (
    PARTS,
    START_YEARS,
    AbortReason,
    Audio,
    Card,
    CardKind,
    CycleState,
    Difficulty,
    Game,
    GameState,
    Guess,
    Mix,
    Options,
    Part,
    Performance,
    Placing,
    Player,
    Result,
    Round,
    RoundState,
    Song,
)
from varv.rules.permission import joining_refused, permit, plays_audio
from varv.rules.refusals import Reason

AudioUrl: TypeAlias = Callable[[Game, str], str]


class CardView(Struct, frozen=True, tag=None):
    """A card on the table; title and artist are null while hidden (VIEW-03)."""

    kind: CardKind
    year: int
    title: str | None | UnsetType = UNSET
    artist: str | None | UnsetType = UNSET
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
    submitted: dict[str, list[Part]]
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
    joker_parts: list[Part]
    decade: Decade | None
    answer: Answer | None
    prediction: Difficulty | None
    audio: AudioView | None


def version(game: Game, player: str | None) -> int:
    """How many changes this player, or a shared screen, has been able to see (VIEW-08)."""
    return game.public_changes + (game.private_changes[player] if player else 0)


# The Snapshot


def snapshot(game: Game) -> Snapshot:
    """What everyone sees of the game."""
    hidden = _hidden_round(game)
    return _snapshot(
        game,
        [_player(player, hidden) for player in game.players.values()],
        [_standing(game, player) for player in game.players.values()],
    )


def _snapshot(game: Game, players: list[PlayerView], standings: list[Standing]) -> Snapshot:
    cycle = game.cycle
    return Snapshot(
        code=game.code,
        edition=game.edition,
        state=game.state,
        mix=game.mix,
        min_players=game.min_players,
        max_players=game.max_players,
        start_years=START_YEARS,
        joinable=joining_refused(game) is None,
        host=game.host,
        options=game.options,
        players=players,
        cycle=CycleView(cycle.number, cycle.state, cycle.rotation, cycle.completed)
        if cycle
        else None,
        round=_round(game, game.round) if game.round else None,
        last_round=_round(game, game.last_round) if game.last_round else None,
        standings=sorted(standings, key=lambda row: (-row.cards, -row.tiebreak)),
        ranking=game.ranking,
        counted_cycles=game.finished_cycles,
    )


def _hidden_round(game: Game) -> int | None:
    """The round whose new cards still hide their names: between the two reveals (VIEW-03)."""
    round_ = game.round
    if round_ is None or round_.results is None:
        return None
    return None if round_.state is EDITIONS[game.edition].terminal else round_.number


def _card(card: Card, hidden: int | None) -> CardView:
    if card.round is None or card.cycle is None:
        return CardView(card.kind, card.year)
    closed = card.round == hidden
    return CardView(
        kind=card.kind,
        year=card.year,
        title=None if closed else card.title,
        artist=None if closed else card.artist,
        star=card.star,
        round=card.round,
        cycle=card.cycle,
    )


def _player(player: Player, hidden: int | None) -> PlayerView:
    return PlayerView(
        id=player.id,
        name=player.name,
        bot=player.bot,
        start_year=player.start_year,
        jokers=player.jokers,
        timeline=[_card(card, hidden) for card in player.timeline],
        side_cards=[_card(card, hidden) for card in player.side_cards],
    )


def _standing(game: Game, player: Player) -> Standing:
    return Standing(player.id, *ranking.tally(game.edition, player))


def _next_leader(game: Game, round_: Round) -> str | None:
    cycle = game.cycle
    assert cycle is not None
    done = {*cycle.completed, round_.leader}
    return next((player for player in cycle.rotation if player not in done), None)


def _round(game: Game, round_: Round) -> RoundView:
    edition = EDITIONS[game.edition]
    performance, results = round_.performance, round_.results
    revealed = results is not None
    fully = round_.state is edition.terminal
    outcome = round_.outcome if fully else None
    prediction = round_.prediction if fully else None
    return RoundView(
        number=round_.number,
        state=round_.state,
        leader=round_.leader,
        leader_name=round_.leader_name,
        leader_removed=round_.leader not in game.players,
        next_leader=_next_leader(game, round_),
        performance=performance.number if performance else None,
        deadline=performance.deadline if performance else None,
        difficulty_scale=_scale(edition, game, round_),
        submitted=_submitted(edition, game, round_),
        predicted=round_.prediction is not None,
        answer=_answer(performance.song, fully=fully) if performance and revealed else None,
        results={player: _result(performance, result, fully) for player, result in results.items()}
        if performance and results is not None
        else None,
        difficulty=outcome.difficulty if outcome else None,
        guessers=outcome.guessers if outcome else None,
        correct=outcome.correct if outcome else None,
        prediction=prediction,
        prediction_correct=prediction is outcome.difficulty if outcome else None,
        aborted_because=round_.aborted_because,
    )


def _scale(edition: Edition, game: Game, round_: Round) -> dict[Difficulty, tuple[int, int]] | None:
    """What a prediction means: with the guessers there are, or were when the round locked."""
    if not edition.predicts or round_.state is RoundState.ABORTED:
        return None
    if round_.outcome:
        return difficulty.scale(round_.outcome.guessers)
    return difficulty.scale(len(guessers(edition, game, round_)))


def _submitted(edition: Edition, game: Game, round_: Round) -> dict[str, list[Part]]:
    """Who has submitted which parts (VIEW-04)."""
    if round_.performance is None or round_.state is RoundState.ABORTED:
        return {}
    if round_.results is not None:
        given = [(player, result.guess) for player, result in round_.results.items()]
    else:
        given = [
            (player, round_.guesses.get(player) or _NO_GUESS)
            for player in guessers(edition, game, round_)
        ]
    return {player: _parts(guess) for player, guess in given}


_NO_GUESS = Guess()


def _parts(guess: Guess) -> list[Part]:
    parts = []
    if guess.placement is not None:
        parts.append(Part.PLACEMENT)
    if guess.title is not None:
        parts.append(Part.TITLE)
    if guess.artist is not None:
        parts.append(Part.ARTIST)
    return parts


def _answer(song: Song, *, fully: bool) -> Answer:
    return Answer(song.year, song.title, song.artist) if fully else Answer(song.year)


def _option(performance: Performance, part: Part, option: str | None) -> OptionView | None:
    if option is None:
        return None
    texts = performance.titles if part is Part.TITLE else performance.artists
    return OptionView(option, texts[int(option[1:])])


def _result(performance: Performance, result: Result, fully: bool) -> ResultView:
    guess = result.guess
    return ResultView(
        guess=GuessView(
            guess.placement,
            _option(performance, Part.TITLE, guess.title) if fully else None,
            _option(performance, Part.ARTIST, guess.artist) if fully else None,
        ),
        placement=result.placement,
        title=result.title,
        artist=result.artist,
        card=result.card,
        position=result.position,
        star=result.star,
        joker_won=result.joker_won,
        jokers_used=result.jokers_used,
    )


# The Viewer


_ABOUT_GAME: dict[GameState, tuple[Trigger, ...]] = {
    state: tuple(command for source, command in GAME if source is state) for state in GameState
}
_NOT_YET = {
    Reason.TOO_FEW_PLAYERS,
    Reason.TOO_MANY_PLAYERS,
    Reason.START_YEAR_MISSING,
    Reason.PREDICTION_MISSING,
}
_NO_PARTS = PartOptions(None, None)


def viewer(game: Game, player: str, audio_url: AudioUrl | None = None) -> Viewer:
    """What this player sees besides the Snapshot."""
    return _viewer(game, player, audio_url, _part_options)


def _viewer(
    game: Game,
    player: str,
    audio_url: AudioUrl | None,
    part_options: Callable[[Edition, Performance, Guess], PartOptions],
) -> Viewer:
    edition, round_ = EDITIONS[game.edition], game.round
    performance = round_.performance if round_ else None
    guess, over, led = _NO_GUESS, True, False
    if round_ is not None:
        guess = round_.guesses.get(player, _NO_GUESS)
        over = round_.state is edition.terminal
        led = round_.leader == player
    guessing = performance is not None and _takes_part(edition, game, player)
    open_parts, joker_parts, no_joker = _openings(edition, game, player, guess)
    actions, blocked = _actions(edition, game, player, no_joker, joker_parts)
    plays = plays_audio(game, player)
    knows = led and edition.predicts and performance is not None
    return Viewer(
        player=player,
        is_host=player == game.host,
        is_leader=led,
        plays_audio=plays,
        actions=actions,
        blocked=blocked,
        guess=ChoiceView(guess.placement, guess.title, guess.artist),
        open_parts=open_parts,
        options=part_options(edition, performance, guess)
        if performance and (guessing or led)
        else _NO_PARTS,
        jokers_registered=() if over else guess.jokers,
        joker_parts=joker_parts,
        decade=Decade(*jokers.decade(performance.song.year))
        if performance and Part.PLACEMENT in guess.jokers
        else None,
        answer=_answer(performance.song, fully=True) if knows and performance else None,
        prediction=round_.prediction if knows and round_ else None,
        audio=AudioView(audio_url(game, player))
        if plays and audio_url and game.options.audio != Audio.SCREEN
        else None,
    )


def _takes_part(edition: Edition, game: Game, player: str) -> bool:
    """Whether this player guesses in the current round."""
    round_, cycle = game.round, game.cycle
    assert round_ is not None and cycle is not None
    return player in cycle.rotation and edition.guesses(round_, player)


def _part_options(edition: Edition, performance: Performance, guess: Guess) -> PartOptions:
    return PartOptions(
        *(_option_list(edition, performance, guess, part) for part in (Part.TITLE, Part.ARTIST))
    )


def _option_list(
    edition: Edition, performance: Performance, guess: Guess, part: Part
) -> list[OptionView] | None:
    shown = edition.options(performance, guess, part)
    texts = performance.titles if part is Part.TITLE else performance.artists
    return None if shown is None else [OptionView(option_id(part, i), texts[i]) for i in shown]


def _openings(
    edition: Edition, game: Game, player: str, guess: Guess
) -> tuple[tuple[Part, ...], list[Part], Reason | None]:
    """The parts open to a guess, those open to a joker, and why there is none of the latter."""
    round_ = game.round
    if round_ is None or (round_.state, c.SubmitGuess) not in edition.rounds:
        return (), [], None
    open_parts = edition.open_parts(guess) if permit(game, player, c.SubmitGuess) is None else ()
    if permit(game, player, c.UseJoker) is not None:
        return open_parts, [], None
    refusals = [joker_refused(game, player, guess, part) for part in PARTS]
    joker_parts = [part for part, refusal in zip(PARTS, refusals, strict=True) if refusal is None]
    reasons = [refusal.reason for refusal in refusals if refusal is not None]
    first = next((reason for reason in _JOKER_REASONS if reason in reasons), Reason.NO_JOKER_LEFT)
    return open_parts, joker_parts, None if joker_parts else first


_JOKER_REASONS = (Reason.NO_JOKER_LEFT, Reason.JOKER_ALREADY_USED, Reason.PART_OUT_OF_ORDER)


def _actions(
    edition: Edition, game: Game, player: str, no_joker: Reason | None, joker_parts: list[Part]
) -> tuple[list[str], dict[str, Reason]]:
    """What this player may do now, and what is theirs to do but not yet (VIEW-01)."""
    candidates = _ABOUT_GAME[game.state]
    if game.round is not None:
        candidates += edition.accepts[game.round.state]
    actions: list[str] = []
    blocked: dict[str, Reason] = {}
    for command in candidates:
        name = c.NAMES[command]
        refusal = permit(game, player, command)
        if command is c.UseJoker and refusal is None and not joker_parts:
            if no_joker is not None:
                blocked[name] = no_joker
        elif command is c.RemovePlayer and len(game.players) == 1:
            continue
        elif refusal is None:
            actions.append(name)
        elif refusal.reason in _NOT_YET:
            blocked[name] = refusal.reason
    return actions, blocked


# Bytes


class Encoder:
    """The same views as JSON, making again only what has changed since the last time.

    Frozen values that are the same object have the same bytes: a player's cards are encoded once
    per change, a performance's options once.
    """

    def __init__(self) -> None:
        """An encoder for the views of one game."""
        self._json = JsonEncoder()
        self._players: dict[str, tuple[Player, int | None, Raw, Standing]] = {}
        self._options: dict[tuple[Any, ...], Raw] = {}
        self._performance: Performance | None = None

    def snapshot(self, game: Game) -> bytes:
        """`snapshot` as JSON."""
        hidden = _hidden_round(game)
        for player in game.players.values():
            known = self._players.get(player.id)
            if known is None or known[0] is not player or known[1] != hidden:
                encoded = Raw(self._json.encode(_player(player, hidden)))
                self._players[player.id] = (player, hidden, encoded, _standing(game, player))
        known_players = [self._players[player] for player in game.players]
        players: list[Any] = [encoded for _, _, encoded, _ in known_players]
        return self._json.encode(
            _snapshot(game, players, [standing for *_, standing in known_players])
        )

    def viewer(self, game: Game, player: str, audio_url: AudioUrl | None = None) -> bytes:
        """`viewer` as JSON."""
        return self._json.encode(_viewer(game, player, audio_url, self._part_options))

    def _part_options(self, edition: Edition, performance: Performance, guess: Guess) -> Any:
        if performance is not self._performance:
            self._performance = performance
            self._options.clear()
        key = tuple(edition.options(performance, guess, part) for part in (Part.TITLE, Part.ARTIST))
        if key not in self._options:
            encoded = self._json.encode(_part_options(edition, performance, guess))
            self._options[key] = Raw(encoded)
        return self._options[key]
