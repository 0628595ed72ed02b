"""Whether a player may give a command now: the state first, then the role, then what is missing.

`decide` and the views ask the same questions here, so that what the client offers and what the
server accepts cannot differ (VIEW-01).
"""

from collections.abc import Callable, Mapping
from functools import cache
from typing import TypeAlias

from varv.rules import commands as c
from varv.rules.editions import EDITIONS
from varv.rules.editions.base import Edition, Role
from varv.rules.machine import CYCLE, GAME, PERFORMANCE_COMMANDS, ROUND_COMMANDS, Trigger
from varv.rules.model import Audio, CycleState, Game, GameState, Round, RoundState
from varv.rules.refusals import Reason, Refusal, refuse


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
    edition, state = EDITIONS[game.edition], _round(game).state
    source = next((state for to, state in edition.reveals.items() if to == command.to), state)
    if source is state:
        return None
    return refuse(Reason[f"ROUND_NOT_IN_{source}"], state=state)


def permit(game: Game, actor: str, command: Trigger) -> Refusal | None:
    """Why this remaining player may not give such a command now, if so."""
    refusal = _not_in_table(game, command)
    if refusal is None and command in _NOT_NOW:
        refusal = _NOT_NOW[command](game, actor)
    if refusal is None:
        refusal = _ROLES[EDITIONS[game.edition].roles[command]](game, actor)
    if refusal is None and command in _NOT_YET:
        refusal = _NOT_YET[command](game)
    return refusal


Offers: TypeAlias = dict[Trigger, Refusal | None]


def offers(game: Game, actor: str) -> Offers:
    """What `permit` says of each command that is in the tables for the present state."""
    if game.state is GameState.FINISHED:
        return {}
    state = game.round.state if game.round else None
    roles: dict[Role, Refusal | None] = {}
    said: Offers = {}
    for command, not_now, role, not_yet in _rows(EDITIONS[game.edition], game.state, state):
        refusal = not_now(game, actor) if not_now else None
        if refusal is None:
            if role not in roles:
                roles[role] = _ROLES[role](game, actor)
            refusal = roles[role]
        if refusal is None and not_yet:
            refusal = not_yet(game)
        said[command] = refusal
    return said


_Row: TypeAlias = tuple[
    Trigger,
    Callable[[Game, str], Refusal | None] | None,
    Role,
    Callable[[Game], Refusal | None] | None,
]


@cache
def _rows(edition: Edition, game: GameState, round_: RoundState | None) -> tuple[_Row, ...]:
    """The commands in the tables for these states, with all that is asked about each."""
    commands = [command for state, command in GAME if state is game]
    if round_ is not None:
        commands += edition.accepts[round_]
    return tuple(
        (command, _NOT_NOW.get(command), edition.roles[command], _NOT_YET.get(command))
        for command in commands
    )


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
    edition, round_ = EDITIONS[game.edition], _round(game)
    if (round_.state, command) in edition.rounds:
        return None
    if command not in edition.wrong_state:
        return refuse(Reason.NOT_IN_THIS_EDITION)
    return refuse(edition.wrong_state[command], state=round_.state)


def _cycle_not_over(game: Game, _: str) -> Refusal | None:
    return _not_in_cycle_table(game, c.StartCycle, Reason.CYCLE_NOT_IN_BOUNDARY_DECISION)


def _cycle_over(game: Game, _: str) -> Refusal | None:
    return _not_in_cycle_table(game, c.NextRound, Reason.CYCLE_NOT_IN_ACTIVE)


def _not_in_cycle_table(game: Game, command: Trigger, reason: Reason) -> Refusal | None:
    assert game.cycle is not None
    if (game.cycle.state, command) in CYCLE:
        return None
    return refuse(reason, state=game.cycle.state)


def _already_a_card(game: Game, actor: str) -> Refusal | None:
    return refuse(Reason.START_YEAR_FIXED) if game.players[actor].timeline else None


_NOT_NOW: Mapping[Trigger, Callable[[Game, str], Refusal | None]] = {
    c.StartCycle: _cycle_not_over,
    c.NextRound: _cycle_over,
    c.SetStartYear: _already_a_card,
}
"""What else must hold than that the command is in the table of the game or the round."""


# Wrong role


def _round(game: Game) -> Round:
    assert game.round is not None
    return game.round


def _anyone(_: Game, __: str) -> Refusal | None:
    return None


def _host(game: Game, actor: str) -> Refusal | None:
    return None if actor == game.host else refuse(Reason.HOST_ONLY)


def _leader(game: Game, actor: str) -> Refusal | None:
    leader = EDITIONS[game.edition].acting_leader(game, _round(game))
    return None if actor == leader else refuse(Reason.LEADER_ONLY)


def _leader_in_person(game: Game, actor: str) -> Refusal | None:
    return None if actor == _round(game).leader else refuse(Reason.LEADER_ONLY)


def _leader_or_host(game: Game, actor: str) -> Refusal | None:
    allowed = actor in (game.host, _round(game).leader)
    return None if allowed else refuse(Reason.LEADER_OR_HOST_ONLY)


def _guesser(game: Game, actor: str) -> Refusal | None:
    edition = EDITIONS[game.edition]
    return None if edition.guesses(_round(game), actor) else refuse(edition.no_guess)


def _joker_user(game: Game, actor: str) -> Refusal | None:
    """The leader guesses in some editions, but never with a joker (RND-07, JOK-02)."""
    return refuse(Reason.LEADER_USES_NO_JOKER) if actor == _round(game).leader else None


def _audio(game: Game, actor: str) -> Refusal | None:
    return None if controls_audio(game, actor) else refuse(Reason.PLAYS_NO_AUDIO)


def controls_audio(game: Game, player: str) -> bool:
    """Whether this player starts and stops the song (VIEW-06)."""
    if game.options.audio == Audio.EVERYONE:
        return True
    return player == EDITIONS[game.edition].audio_player(game, _round(game))


_ROLES: Mapping[Role, Callable[[Game, str], Refusal | None]] = {
    Role.ANYONE: _anyone,
    Role.HOST: _host,
    Role.LEADER: _leader,
    Role.LEADER_IN_PERSON: _leader_in_person,
    Role.LEADER_OR_HOST: _leader_or_host,
    Role.GUESSER: _guesser,
    Role.JOKER_USER: _joker_user,
    Role.AUDIO: _audio,
}


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
    return EDITIONS[game.edition].not_ready_to_lock(_round(game))


_NOT_YET: Mapping[Trigger, Callable[[Game], Refusal | None]] = {
    c.StartGame: _not_ready_to_start,
    c.StartCycle: _years_missing,
    c.LockRound: _not_ready_to_lock,
}


# Joining, which is no command of a player's


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
    """Whether this player plays the song now: guessing, or after the terminal reveal (PRF-07)."""
    round_ = game.round
    if round_ is None or game.state is GameState.FINISHED or round_.performance is None:
        return False
    playable = (round_.state, c.Play) in EDITIONS[game.edition].rounds
    return playable and controls_audio(game, player)
