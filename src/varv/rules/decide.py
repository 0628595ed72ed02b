"""Decide what a command leads to: events, or a refusal that changes nothing.

What needs chance or the outside comes in with `Chance`; nothing here looks at a clock.
"""

from collections.abc import Callable
from typing import Any

from msgspec import UNSET, Struct

from varv.rules import candidates, coupling, drawing, jokers, names
from varv.rules import commands as c
from varv.rules import events as e
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import Edition
from varv.rules.model import (
    MAX_PLAYERS_PREMIUM,
    MIN_PLAYERS,
    START_YEARS,
    AbortReason,
    Audio,
    Difficulty,
    Draw,
    Game,
    Guess,
    Mix,
    Options,
    Part,
    Performance,
    guess_of,
    round_of,
)
from varv.rules.permission import check, joining_refused
from varv.rules.refusals import Reason, Refusal, refuse

Events = tuple[e.Event, ...]

GUESS_SECONDS = (1, 3600)


class Setup(Struct, frozen=True):
    """A mix and a number of players that the owner of the game is entitled to (ENT-02)."""

    mix: Mix
    max_players: int

    def __post_init__(self) -> None:
        """No entitlement seats more than the rules have a difficulty for (GAME-18, PRE-03)."""
        if not MIN_PLAYERS <= self.max_players <= MAX_PLAYERS_PREMIUM:
            raise ValueError(f"a game seats {MIN_PLAYERS} to {MAX_PLAYERS_PREMIUM}")


class Chance(Struct, frozen=True):
    """What comes from outside: the time, a drawn song, a mix that was looked up."""

    now: int = 0
    draw: Draw | Reason | None = None
    setup: Setup | Reason | None = None


class Step(Struct, frozen=True):
    """An accepted command: what happened, and the game it led to."""

    events: Events
    game: Game


def create(
    code: str,
    edition: str,
    name: str,
    setup: Setup,
    options: c.OptionsChange,
) -> Events | Refusal:
    """A new game with its host as first player (GAME-01, GAME-18)."""
    if edition not in EDITIONS:
        return refuse(Reason.UNKNOWN_EDITION, editions=list(EDITIONS))
    host = names.clean(name)
    if host is None:
        return refuse(Reason.NAME_INVALID)
    chosen = _options(Options(), options)
    if isinstance(chosen, Refusal):
        return chosen
    return (
        e.GameCreated(code, edition, setup.mix, chosen, MIN_PLAYERS, setup.max_players),
        e.PlayerJoined("p1", host),
    )


def join(game: Game, name: str, *, bot: bool = False) -> Events | Refusal:
    """A player takes a seat (GAME-18, GAME-19, GAME-20)."""
    refusal = joining_refused(game)
    if refusal is not None:
        return refusal
    cleaned = names.clean(name)
    if cleaned is None:
        return refuse(Reason.NAME_INVALID)
    told_apart = names.distinct(cleaned, (player.name for player in game.players.values()))
    return (e.PlayerJoined(f"p{game.joined + 1}", told_apart, bot),)


def decide(game: Game, actor: str, command: c.Command, chance: Chance) -> Events | Refusal:
    """The events that this command leads to, with all that follows from them, or a refusal."""
    step = take(game, actor, command, chance)
    return step if isinstance(step, Refusal) else step.events


def take(game: Game, actor: str, command: c.Command, chance: Chance) -> Step | Refusal:
    """Like `decide`, with the game that the events lead to."""
    refusal = check(game, actor, command)
    if refusal is not None:
        return refusal
    decided = _HANDLERS[type(command)](game, actor, command, chance)
    if isinstance(decided, Refusal):
        return decided
    return Step(*coupling.follow(game, decided))


# The game


def _set_start_year(game: Game, actor: str, command: c.SetStartYear, _: Chance) -> Events | Refusal:
    low, high = START_YEARS
    if type(command.year) is not int or not low <= command.year <= high:
        return refuse(Reason.START_YEAR_OUT_OF_RANGE, start_years=[low, high])
    if game.players[actor].start_year == command.year:
        return ()
    return (e.StartYearSet(actor, command.year),)


def _remove_player(game: Game, _: str, command: c.RemovePlayer, __: Chance) -> Events | Refusal:
    if command.player not in game.players:
        return refuse(Reason.UNKNOWN_PLAYER, player=command.player)
    if command.player == game.host:
        return refuse(Reason.HOST_CANNOT_BE_REMOVED)
    return (e.PlayerRemoved(command.player),)


def _options(now: Options, change: c.OptionsChange) -> Options | Refusal:
    audio = now.audio if change.audio is UNSET else change.audio
    seconds = now.guess_seconds if change.guess_seconds is UNSET else change.guess_seconds
    low, high = GUESS_SECONDS
    if audio not in set(Audio):
        return refuse(Reason.OPTIONS_INVALID, audio=list(Audio))
    if seconds is not None and not low <= seconds <= high:
        return refuse(Reason.OPTIONS_INVALID, guess_seconds=[low, high])
    return Options(audio, seconds)


def _configure(game: Game, _: str, command: c.Configure, chance: Chance) -> Events | Refusal:
    mix, max_players, options = game.mix, game.max_players, game.options
    if command.mix is not UNSET:
        if isinstance(chance.setup, Reason):
            return refuse(chance.setup, mix=command.mix)
        assert chance.setup is not None
        mix, max_players = chance.setup.mix, chance.setup.max_players
    if command.options is not UNSET:
        changed = _options(options, command.options)
        if isinstance(changed, Refusal):
            return changed
        options = changed
    if (mix, max_players, options) == (game.mix, game.max_players, game.options):
        return ()
    return (e.GameConfigured(mix, options, max_players),)


def _start_game(game: Game, *_: Any) -> Events:
    return (e.GameStarted(), e.CycleStarted(1, tuple(game.players)))


def _finish_game(game: Game, *_: Any) -> Events:
    return coupling.end_of_game(game, AbortReason.GAME_FINISHED)


def _start_cycle(game: Game, *_: Any) -> Events:
    assert game.cycle is not None
    return (e.CycleFinished(), e.CycleStarted(game.cycle.number + 1, tuple(game.players)))


# The round


def _perform(
    game: Game, _: str, __: c.StartRound | c.ChangeSong, chance: Chance
) -> Events | Refusal:
    """A drawn song becomes the active performance, if its options are valid (RND-06, CAN-04)."""
    draw, round_ = chance.draw, round_of(game)
    if isinstance(draw, Reason):
        return refuse(draw, mix=game.mix.id)
    assert draw is not None
    if not EDITIONS[game.edition].valid(draw, drawing.retired_texts(game)):
        return (e.RoundAborted(AbortReason.INVALID_CANDIDATES, draw.song.id),)
    title = candidates.right_option(draw.titles, draw.song.title)
    artist = candidates.right_option(draw.artists, draw.song.artist)
    assert title is not None
    assert artist is not None
    seconds = game.options.guess_seconds
    performance = Performance(
        number=len(round_.songs) + 1,
        song=draw.song,
        titles=draw.titles,
        artists=draw.artists,
        few_titles=draw.few_titles,
        few_artists=draw.few_artists,
        group=draw.group,
        recording=draw.recording,
        title=candidates.option_id(Part.TITLE, title),
        artist=candidates.option_id(Part.ARTIST, artist),
        deadline=None if seconds is None else chance.now + 1000 * seconds,
    )
    return (e.PerformanceStarted(performance),)


def _lock_round(game: Game, *_: Any) -> Events:
    return (e.RoundLocked(EDITIONS[game.edition].outcome(game, round_of(game))),)


def _unlock_round(*_: Any) -> Events:
    return (e.RoundUnlocked(),)


def _reveal(game: Game, _: str, command: c.Reveal, __: Chance) -> Events | Refusal:
    edition, round_ = EDITIONS[game.edition], round_of(game)
    to = edition.rounds[round_.state, c.Reveal]
    if command.to not in edition.reveals:
        return refuse(Reason.UNKNOWN_STATE, states=list(edition.reveals))
    leader_card = edition.leader_card(round_) if to is edition.terminal else None
    return (e.RoundRevealed(to, edition.judge(game, round_, to), leader_card),)


def _abort_round(*_: Any) -> Events:
    return (e.RoundAborted(AbortReason.HOST),)


def _next_round(game: Game, *_: Any) -> Events:
    return coupling.next_round(game)


def _nothing(*_: Any) -> Events:
    """Playing changes no state (PRF-07)."""
    return ()


# Guesses, jokers, prediction


_PARTS = {part.value: part for part in Part}
_DIFFICULTIES = {difficulty.value: difficulty for difficulty in Difficulty}


def _submit_guess(game: Game, actor: str, command: c.SubmitGuess, _: Chance) -> Events | Refusal:
    part = _PARTS.get(command.part)
    if part is None:
        return refuse(Reason.UNKNOWN_PART, parts=list(Part))
    edition, round_ = EDITIONS[game.edition], round_of(game)
    guess = guess_of(round_, actor)
    choice = command.choice
    refusal = edition.not_open(guess, part, withdraw=choice is None)
    if refusal is not None:
        return refusal
    earlier = getattr(guess, part)
    if choice == earlier and type(choice) is type(earlier):
        return ()
    if choice is None:
        return (e.GuessWithdrawn(actor, part),)
    if part is Part.PLACEMENT:
        last = len(game.players[actor].timeline)
        if type(choice) is not int or not 0 <= choice <= last:
            return refuse(Reason.POSITION_OUT_OF_RANGE, positions=[0, last])
    else:
        assert round_.performance is not None
        shown = edition.options(round_.performance, guess, part) or ()
        if type(choice) is not str or candidates.option_index(part, choice) not in shown:
            return refuse(Reason.UNKNOWN_OPTION)
    return (e.GuessSubmitted(actor, part, choice),)


def _use_joker(game: Game, actor: str, command: c.UseJoker, _: Chance) -> Events | Refusal:
    part = _PARTS.get(command.part)
    if part is None:
        return refuse(Reason.UNKNOWN_PART, parts=list(Part))
    guess = guess_of(round_of(game), actor)
    refusal = joker_refused(EDITIONS[game.edition], guess, part, game.players[actor].jokers)
    return refusal or (e.JokerUsed(actor, part),)


def joker_refused(edition: Edition, guess: Guess, part: Part, balance: int) -> Refusal | None:
    """The part, already used, none left: the first of these that applies (JOK-03 … JOK-05)."""
    refusal = edition.joker_refused(guess, part)
    if refusal is None and jokers.left(balance, guess) < 1:
        refusal = refuse(Reason.NO_JOKER_LEFT)
    return refusal


def _predict(game: Game, _: str, command: c.Predict, __: Chance) -> Events | Refusal:
    difficulty = _DIFFICULTIES.get(command.difficulty)
    if difficulty is None:
        return refuse(Reason.UNKNOWN_DIFFICULTY, difficulties=list(Difficulty))
    if difficulty is round_of(game).prediction:
        return ()
    return (e.PredictionMade(difficulty),)


_HANDLERS: dict[type[c.Command], Callable[..., Events | Refusal]] = {
    c.SetStartYear: _set_start_year,
    c.RemovePlayer: _remove_player,
    c.Configure: _configure,
    c.StartGame: _start_game,
    c.FinishGame: _finish_game,
    c.StartCycle: _start_cycle,
    c.StartRound: _perform,
    c.ChangeSong: _perform,
    c.LockRound: _lock_round,
    c.UnlockRound: _unlock_round,
    c.Reveal: _reveal,
    c.AbortRound: _abort_round,
    c.NextRound: _next_round,
    c.SubmitGuess: _submit_guess,
    c.UseJoker: _use_joker,
    c.Predict: _predict,
    c.Play: _nothing,
    c.Stop: _nothing,
}
