"""Fold events into the game. Nothing is judged, checked or refused here: it has happened.

Each event also counts as a change that everyone sees, or only its player (VIEW-08): its handler
says which.
"""

from collections.abc import Callable, Iterable
from typing import Any

from msgspec.structs import replace

from varv.rules import commands as c
from varv.rules import events as e
from varv.rules import timeline
from varv.rules.candidates import fold as fold_text
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import in_timeline
from varv.rules.machine import CYCLE, GAME, Trigger
from varv.rules.model import (
    Card,
    CardKind,
    Cycle,
    CycleState,
    Game,
    GameState,
    Guess,
    Part,
    Player,
    Result,
    Round,
    RoundState,
    Song,
    guess_of,
    round_of,
)

STARTING_JOKERS = 1


def evolve(game: Game | None, event: e.Event) -> Game:
    """The game after the event; None is the game before its first."""
    return _HANDLERS[type(event)](game, event)


def replay(events: Iterable[e.Event], game: Game | None = None) -> Game:
    """The game that these events make of it."""
    for event in events:
        game = evolve(game, event)
    assert game is not None
    return game


# Who can see that something has changed


def _seen_by_all(game: Game, **changes: Any) -> Game:
    return replace(game, public_changes=game.public_changes + 1, **changes)


def _seen_by(player: str, game: Game, **changes: Any) -> Game:
    private = {**game.private_changes, player: game.private_changes[player] + 1}
    return replace(game, private_changes=private, **changes)


# The game and its players


def _game_created(_: None, event: e.GameCreated) -> Game:
    return Game(
        code=event.code,
        edition=event.edition,
        state=GameState.LOBBY,
        host="p1",
        mix=event.mix,
        options=event.options,
        min_players=event.min_players,
        max_players=event.max_players,
    )


def _player_joined(game: Game, event: e.PlayerJoined) -> Game:
    player = Player(event.player, event.name, bot=event.bot)
    return _seen_by_all(
        game,
        players={**game.players, player.id: player},
        joined=game.joined + 1,
        private_changes={**game.private_changes, player.id: 0},
    )


def _without(things: dict[str, Any], player: str) -> dict[str, Any]:
    return {key: thing for key, thing in things.items() if key != player}


def _round_without(round_: Round | None, player: str) -> Round | None:
    """A removed player's guess and result are no longer part of the round (RND-17)."""
    if round_ is None:
        return None
    results = None if round_.results is None else _without(round_.results, player)
    return replace(round_, guesses=_without(round_.guesses, player), results=results)


def _player_removed(game: Game, event: e.PlayerRemoved) -> Game:
    gone, cycle = event.player, game.cycle
    if cycle is not None:
        cycle = replace(
            cycle,
            rotation=tuple(player for player in cycle.rotation if player != gone),
            completed=tuple(player for player in cycle.completed if player != gone),
        )
    return _seen_by_all(
        game,
        players=_without(game.players, gone),
        private_changes=_without(game.private_changes, gone),
        cycle=cycle,
        round=_round_without(game.round, gone),
        last_round=_round_without(game.last_round, gone),
    )


def _with_player(game: Game, player: Player) -> dict[str, Player]:
    return {**game.players, player.id: player}


def _start_year_set(game: Game, event: e.StartYearSet) -> Game:
    player = replace(game.players[event.player], start_year=event.year)
    return _seen_by_all(game, players=_with_player(game, player))


def _game_configured(game: Game, event: e.GameConfigured) -> Game:
    return _seen_by_all(game, mix=event.mix, options=event.options, max_players=event.max_players)


def _game_started(game: Game, _: e.GameStarted) -> Game:
    return _seen_by_all(game, state=GAME[game.state, c.StartGame])


def _game_finished(game: Game, event: e.GameFinished) -> Game:
    return _seen_by_all(game, state=GAME[game.state, c.FinishGame], ranking=event.ranking)


# Cycles


def _dealt(player: Player, cycle: int) -> Player:
    """With Start Card and first joker, if they have none yet (GAME-11, CYC-14)."""
    if player.cycle is not None or player.start_year is None:
        return player
    card = Card(CardKind.START, player.start_year)
    return replace(player, cycle=cycle, jokers=STARTING_JOKERS, timeline=(card,))


def _cycle_started(game: Game, event: e.CycleStarted) -> Game:
    return _seen_by_all(
        game,
        players={key: _dealt(player, event.number) for key, player in game.players.items()},
        cycle=Cycle(event.number, CycleState.ACTIVE, event.rotation),
    )


def _cycle_completed(game: Game, _: e.CycleCompleted) -> Game:
    return _seen_by_all(game, cycle=replace(_cycle(game), state=CycleState.BOUNDARY_DECISION))


def _cycle_finished(game: Game, _: e.CycleFinished) -> Game:
    cycle = _cycle(game)
    return _seen_by_all(
        game,
        cycle=replace(cycle, state=CYCLE[cycle.state, c.FinishGame]),
        finished_cycles=(*game.finished_cycles, cycle.number),
    )


def _cycle(game: Game) -> Cycle:
    assert game.cycle is not None
    return game.cycle


# Rounds


def _moved(game: Game, trigger: Trigger) -> RoundState:
    """The state that the table of the edition gives."""
    return EDITIONS[game.edition].rounds[round_of(game).state, trigger]


def _round_created(game: Game, event: e.RoundCreated) -> Game:
    round_ = Round(
        number=event.number,
        cycle=_cycle(game).number,
        leader=event.leader,
        leader_name=game.players[event.leader].name,
        state=EDITIONS[game.edition].first,
    )
    return _seen_by_all(game, round=round_, last_round=game.round or game.last_round)


def _performance_started(game: Game, event: e.PerformanceStarted) -> Game:
    """The first of its round, or one in place of another, whose guesses are void (PRF-04)."""
    round_, new = round_of(game), event.performance
    old = round_.performance
    state = _moved(game, c.ChangeSong if old else c.StartRound)
    if old:
        texts = (fold_text(text) for text in (*old.titles, *old.artists))
        round_ = replace(
            round_,
            retired=(*round_.retired, *old.group),
            retired_texts=(*round_.retired_texts, *texts),
        )
    round_ = replace(
        round_,
        state=state,
        performance=new,
        guesses={},
        prediction=None,
        songs=(*round_.songs, new.song.id),
    )
    return _seen_by_all(game, round=round_, last_round=None, played=(*game.played, new.song.id))


def _with_guess(game: Game, player: str, guess: Guess) -> Round:
    round_ = round_of(game)
    return replace(round_, guesses={**round_.guesses, player: guess})


def _guess_submitted(game: Game, event: e.GuessSubmitted) -> Game:
    """That a part was submitted is seen by all; that it was changed, by its player only."""
    guess = guess_of(round_of(game), event.player)
    placement, title, artist = guess.placement, guess.title, guess.artist
    choice: Any = event.choice
    earlier: int | str | None
    if event.part is Part.PLACEMENT:
        earlier, placement = placement, choice
    elif event.part is Part.TITLE:
        earlier, title = title, choice
    else:
        earlier, artist = artist, choice
    round_ = _with_guess(game, event.player, Guess(placement, title, artist, guess.jokers))
    if earlier is None:
        return _seen_by_all(game, round=round_)
    return _seen_by(event.player, game, round=round_)


def _guess_withdrawn(game: Game, event: e.GuessWithdrawn) -> Game:
    guess = replace(guess_of(round_of(game), event.player), **{event.part: None})
    return _seen_by_all(game, round=_with_guess(game, event.player, guess))


def _joker_used(game: Game, event: e.JokerUsed) -> Game:
    guess = guess_of(round_of(game), event.player)
    guess = replace(guess, jokers=(*guess.jokers, event.part))
    return _seen_by(event.player, game, round=_with_guess(game, event.player, guess))


def _prediction_made(game: Game, event: e.PredictionMade) -> Game:
    round_ = round_of(game)
    predicted = replace(round_, prediction=event.difficulty)
    if round_.prediction is None:
        return _seen_by_all(game, round=predicted)
    return _seen_by(round_.leader, game, round=predicted)


def _round_locked(game: Game, event: e.RoundLocked) -> Game:
    locked = replace(round_of(game), state=_moved(game, c.LockRound), outcome=event.outcome)
    return _seen_by_all(game, round=locked)


def _round_unlocked(game: Game, _: e.RoundUnlocked) -> Game:
    """RND-09: everything as it was, and the outcome no longer fixed (RND-13)."""
    unlocked = replace(round_of(game), state=_moved(game, c.UnlockRound), outcome=None)
    return _seen_by_all(game, round=unlocked)


def _round_revealed(game: Game, event: e.RoundRevealed) -> Game:
    round_, players = round_of(game), dict(game.players)
    assert round_.performance is not None
    song, earlier = round_.performance.song, round_.results or {}
    for player, result in event.results.items():
        players[player] = _given(players[player], round_, song, result, earlier.get(player))
    if event.leader_card:
        leader = players[round_.leader]
        card = _card(event.leader_card, round_, song)
        players[leader.id] = replace(leader, side_cards=(*leader.side_cards, card))
    cycle, revealed = _cycle(game), game.revealed
    if event.to is EDITIONS[game.edition].terminal:
        revealed = (*revealed, song.id)
        if round_.leader in players:
            cycle = replace(cycle, completed=(*cycle.completed, round_.leader))
    return _seen_by_all(
        game,
        players=players,
        cycle=cycle,
        revealed=revealed,
        round=replace(round_, state=_moved(game, c.Reveal), results=event.results),
    )


def _card(kind: CardKind, round_: Round, song: Song, *, star: bool = False) -> Card:
    return Card(
        kind, song.year, song.title, song.artist, star, round_.number, round_.cycle, song.id
    )


def _given(
    player: Player, round_: Round, song: Song, result: Result, earlier: Result | None
) -> Player:
    """The player with what this reveal adds: a card, or a star on the one they got, and jokers."""
    if result.jokers is not None:
        player = replace(player, jokers=result.jokers)
    if result.card is None:
        return player
    card = _card(result.card, round_, song, star=bool(result.star))
    if earlier is not None and earlier.card is not None:
        if not card.star:
            return player
        player = _taken_back(player, earlier)
    if in_timeline(card.kind):
        assert result.position is not None
        return replace(player, timeline=timeline.lay(player.timeline, result.position, card))
    return replace(player, side_cards=(*player.side_cards, card))


def _taken_back(player: Player, result: Result) -> Player:
    """The player without the card that this result gave them."""
    if result.card is None:
        return player
    if result.position is None:
        return replace(player, side_cards=player.side_cards[:-1])
    cards = player.timeline
    return replace(player, timeline=(*cards[: result.position], *cards[result.position + 1 :]))


def _round_aborted(game: Game, event: e.RoundAborted) -> Game:
    """Nothing is left of it, not even a card that was already given (RND-14, GAME-15)."""
    round_, players = round_of(game), dict(game.players)
    for player, result in (round_.results or {}).items():
        players[player] = _taken_back(players[player], result)
    aborted = replace(
        round_,
        state=RoundState.ABORTED,
        results=None,
        outcome=None,
        guesses={},
        prediction=None,
        aborted_because=event.because,
    )
    played = game.played if event.song is None else (*game.played, event.song)
    return _seen_by_all(game, players=players, round=None, last_round=aborted, played=played)


_HANDLERS: dict[type[e.Event], Callable[[Any, Any], Game]] = {
    e.GameCreated: _game_created,
    e.PlayerJoined: _player_joined,
    e.PlayerRemoved: _player_removed,
    e.StartYearSet: _start_year_set,
    e.GameConfigured: _game_configured,
    e.GameStarted: _game_started,
    e.GameFinished: _game_finished,
    e.CycleStarted: _cycle_started,
    e.CycleCompleted: _cycle_completed,
    e.CycleFinished: _cycle_finished,
    e.RoundCreated: _round_created,
    e.PerformanceStarted: _performance_started,
    e.GuessSubmitted: _guess_submitted,
    e.GuessWithdrawn: _guess_withdrawn,
    e.JokerUsed: _joker_used,
    e.PredictionMade: _prediction_made,
    e.RoundLocked: _round_locked,
    e.RoundUnlocked: _round_unlocked,
    e.RoundRevealed: _round_revealed,
    e.RoundAborted: _round_aborted,
}
