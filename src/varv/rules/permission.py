"""Whether a player may give a command now: the state first, then the role, then what is missing.

`decide` and the views ask the same questions here, so that what the client offers and what the
server accepts cannot differ (VIEW-01).
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import NamedTuple, TypeAlias

from varv.rules import commands as c
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import Edition, Role
from varv.rules.machine import CYCLE, GAME, PERFORMANCE_COMMANDS, ROUND_COMMANDS, Trigger
from varv.rules.model import CycleState, Game, GameState, RoundState, round_of
from varv.rules.refusals import Reason, Refusal, refuse
from varv.rules.roles import HOLDERS, controls_audio, refuse_role


def check(game: Game, actor: str, command: c.Command) -> Refusal | None:
    """All that can be said against a command before its values are looked at.

    Where several things are wrong, the first of these is told: not a player, stale, wrong state,
    wrong role, not yet.
    """
    if actor not in game.players:
        return refuse(Reason.REMOVED)
    return _stale(game, command) or _wrong_step(game, command) or permit(game, actor, type(command))


def _stale(game: Game, command: c.Command) -> Refusal | None:
    """Whether it is about another round or song than the current one (GUE-09)."""
    if type(command) not in ROUND_COMMANDS:
        return None
    round_ = game.round
    number = round_.number if round_ else None
    if command.round != number:  # type: ignore[union-attr]
        return refuse(Reason.STALE, round=number)
    if type(command) not in PERFORMANCE_COMMANDS:
        return None
    performance = round_.performance.number if round_ and round_.performance else None
    if command.performance != performance:  # type: ignore[union-attr]
        return refuse(Reason.STALE, round=number, performance=performance)
    return None


def _wrong_step(game: Game, command: c.Command) -> Refusal | None:
    """Whether a reveal leads on from another state: a second tap never reveals twice (GUE-09)."""
    if not isinstance(command, c.Reveal) or game.state is GameState.FINISHED:
        return None
    edition, state = EDITIONS[game.edition], round_of(game).state
    source = next((state for to, state in edition.reveals.items() if to == command.to), state)
    if source is state:
        return None
    return refuse(Reason[f"ROUND_NOT_IN_{source}"], state=state)


def permit(game: Game, actor: str, command: Trigger) -> Refusal | None:
    """Why this remaining player may not give such a command now, if so."""
    refusal = _not_in_table(game, command)
    if refusal is None and command in _NOT_NOW:
        refusal = _NOT_NOW[command](game)
    if refusal is None:
        role = EDITIONS[game.edition].roles[command]
        if actor not in HOLDERS[role](game):
            return refuse_role(game, role)
        if command in _NOT_YET:
            refusal = _NOT_YET[command](game)
    return refusal


# What is offered


class Offer(NamedTuple):
    """What a player may do now, and what is theirs to do but not yet, and why."""

    may: list[Trigger]
    not_yet: dict[Trigger, Refusal]


def offers(game: Game) -> dict[str, Offer]:
    """Everyone's: the same as `permit` says of each command, for all at once (VIEW-01)."""
    offered = {player: Offer([], {}) for player in game.players}
    if game.state is GameState.FINISHED:
        return offered
    state = game.round.state if game.round else None
    for command, role, not_now, not_yet in _rows(EDITIONS[game.edition], game.state, state):
        if not_now and not_now(game):
            continue
        refusal = not_yet(game) if not_yet else None
        for player in HOLDERS[role](game):
            if player not in offered:
                continue
            if refusal is None:
                offered[player].may.append(command)
            else:
                offered[player].not_yet[command] = refusal
    return offered


_Question: TypeAlias = Callable[[Game], Refusal | None]


@cache
def _rows(
    edition: Edition, game: GameState, round_: RoundState | None
) -> list[tuple[Trigger, Role, _Question | None, _Question | None]]:
    """The commands in the tables for these states, with all that is asked about each."""
    commands = [command for state, command in GAME if state is game]
    if round_ is not None:
        commands += edition.accepts[round_]
    return [
        (command, edition.roles[command], _NOT_NOW.get(command), _NOT_YET.get(command))
        for command in commands
    ]


# Wrong state


def _not_in_table(game: Game, command: Trigger) -> Refusal | None:
    if game.state is GameState.FINISHED:
        return refuse(Reason.GAME_FINISHED)
    if command in ROUND_COMMANDS:
        return _not_in_round_table(game, command)
    if (game.state, command) in GAME:
        return None
    started = game.state is not GameState.LOBBY
    return refuse(
        Reason.GAME_NOT_IN_LOBBY if started else Reason.GAME_NOT_IN_PROGRESS, state=game.state
    )


def _not_in_round_table(game: Game, command: Trigger) -> Refusal | None:
    edition, state = EDITIONS[game.edition], round_of(game).state
    if (state, command) in edition.rounds:
        return None
    if command not in edition.wrong_state:
        return refuse(Reason.NOT_IN_THIS_EDITION)
    return refuse(edition.wrong_state[command], state=state)


def _cycle_not_over(game: Game) -> Refusal | None:
    return _not_in_cycle_table(game, c.StartCycle, Reason.CYCLE_NOT_IN_BOUNDARY_DECISION)


def _cycle_over(game: Game) -> Refusal | None:
    return _not_in_cycle_table(game, c.NextRound, Reason.CYCLE_NOT_IN_ACTIVE)


def _not_in_cycle_table(game: Game, command: Trigger, reason: Reason) -> Refusal | None:
    assert game.cycle is not None
    if (game.cycle.state, command) in CYCLE:
        return None
    return refuse(reason, state=game.cycle.state)


_NOT_NOW: Mapping[Trigger, _Question] = {
    c.StartCycle: _cycle_not_over,
    c.NextRound: _cycle_over,
}
"""Commands that must be in the table of the cycle too."""


# Not yet


def _years_missing(game: Game) -> Refusal | None:
    """GAME-08, CYC-14."""
    missing = [player.id for player in game.players.values() if player.start_year is None]
    return refuse(Reason.START_YEAR_MISSING, players=missing) if missing else None


def _not_ready_to_start(game: Game) -> Refusal | None:
    """GAME-10."""
    players = len(game.players)
    if players < game.min_players:
        return refuse(Reason.TOO_FEW_PLAYERS, players=players, min_players=game.min_players)
    if players > game.max_players:
        return refuse(Reason.TOO_MANY_PLAYERS, players=players, max_players=game.max_players)
    return _years_missing(game)


def _not_ready_to_lock(game: Game) -> Refusal | None:
    return EDITIONS[game.edition].not_ready_to_lock(round_of(game))


_NOT_YET: Mapping[Trigger, _Question] = {
    c.StartGame: _not_ready_to_start,
    c.StartCycle: _years_missing,
    c.LockRound: _not_ready_to_lock,
}


# Joining and listening, which are no commands of a player's


def joining_refused(game: Game) -> Refusal | None:
    """GAME-18, GAME-19, GAME-20."""
    if game.state is GameState.FINISHED:
        return refuse(Reason.GAME_FINISHED)
    if game.state is GameState.IN_PROGRESS:
        assert game.cycle is not None
        late = EDITIONS[game.edition].late_join
        if not late or game.cycle.state is not CycleState.BOUNDARY_DECISION:
            return refuse(Reason.JOINING_CLOSED)
    if len(game.players) >= game.max_players:
        return refuse(Reason.TOO_MANY_PLAYERS, max_players=game.max_players)
    return None


def plays_audio(game: Game, player: str) -> bool:
    """Whether this player plays the song now: in GUESSING and after the last reveal (PRF-07)."""
    round_ = game.round
    if round_ is None or game.state is GameState.FINISHED:
        return False
    playable = (round_.state, c.Play) in EDITIONS[game.edition].rounds
    return playable and controls_audio(game, player)


__all__ = [
    "Offer",
    "check",
    "controls_audio",
    "joining_refused",
    "offers",
    "permit",
    "plays_audio",
]
