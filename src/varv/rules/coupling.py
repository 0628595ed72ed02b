"""What follows by itself: round over → cycle moves → game moves, in the order of CYC-09.

`CONSEQUENCES` reads from top to bottom; the first row that applies is carried out and the table is
read again from the top, until no row applies.
"""

from collections.abc import Callable

from msgspec import Struct

from varv.rules import events as e
from varv.rules import ranking
from varv.rules.editions import EDITIONS
from varv.rules.evolve import evolve
from varv.rules.model import AbortReason, CycleState, Game, GameState, RoundState


def live(game: Game) -> bool:
    """Whether there is a round that has not come to its terminal reveal."""
    return game.round is not None and game.round.state is not EDITIONS[game.edition].terminal


def end_of_game(game: Game, because: AbortReason) -> tuple[e.Event, ...]:
    """A live round is aborted first, a cycle that awaits its decision is finished, then the game.

    GAME-05, GAME-13, CYC-11, RANK-08, RND-05.
    """
    ending: tuple[e.Event, ...] = (e.RoundAborted(because),) if live(game) else ()
    if game.cycle is not None and game.cycle.state is CycleState.BOUNDARY_DECISION:
        ending = (*ending, e.CycleFinished())
    for event in ending:
        game = evolve(game, event)
    return (*ending, e.GameFinished(ranking.rank(game)))


def next_leader(game: Game, *, after: str | None = None) -> str | None:
    """The first remaining player of the rotation who has not completed a turn (CYC-04, CYC-07).

    Not `after` either, who is about to complete theirs.
    """
    cycle = game.cycle
    assert cycle is not None
    done = (*cycle.completed, after)
    return next((player for player in cycle.rotation if player not in done), None)


def next_round(game: Game) -> tuple[e.Event, ...]:
    """The next round of the cycle (CYC-06, CYC-07, CYC-16)."""
    leader = next_leader(game)
    before = game.round or game.last_round
    assert leader is not None
    return (e.RoundCreated(before.number + 1 if before else 1, leader),)


def _leader_gone(game: Game) -> bool:
    round_ = game.round
    return (
        round_ is not None
        and round_.leader not in game.players
        and EDITIONS[game.edition].leader_gone.get(round_.state) is RoundState.ABORTED
    )


def _abort_without_leader(game: Game) -> tuple[e.Event, ...]:  # noqa: ARG001
    return (e.RoundAborted(AbortReason.LEADER_REMOVED),)


def _too_few(game: Game) -> bool:
    return game.state is GameState.IN_PROGRESS and len(game.players) < game.min_players


def _end_for_want_of_players(game: Game) -> tuple[e.Event, ...]:
    return end_of_game(game, AbortReason.TOO_FEW_PLAYERS)


def _active(game: Game) -> bool:
    return (
        game.state is GameState.IN_PROGRESS
        and game.cycle is not None
        and game.cycle.state is CycleState.ACTIVE
    )


def _all_have_led(game: Game) -> bool:
    return _active(game) and not live(game) and next_leader(game) is None


def _complete_cycle(game: Game) -> tuple[e.Event, ...]:  # noqa: ARG001
    return (e.CycleCompleted(),)


def _round_due(game: Game) -> bool:
    if not _active(game):
        return False
    round_, cycle = game.round, game.cycle
    assert cycle is not None
    if round_ is None or round_.cycle != cycle.number:
        return True
    edition = EDITIONS[game.edition]
    return (
        edition.moves_on_without_leader
        and round_.state is edition.terminal
        and round_.leader not in game.players
    )


class Consequence(Struct, frozen=True):
    """A row: when it applies, and what then happens."""

    rules: tuple[str, ...]
    when: Callable[[Game], bool]
    then: Callable[[Game], tuple[e.Event, ...]]


CONSEQUENCES: tuple[Consequence, ...] = (
    Consequence(("RND-18", "RND-19"), _leader_gone, _abort_without_leader),
    Consequence(("GAME-05", "GAME-13"), _too_few, _end_for_want_of_players),
    Consequence(("CYC-08",), _all_have_led, _complete_cycle),
    Consequence(("CYC-16", "CYC-17"), _round_due, next_round),
)


NOTHING_FOLLOWS = frozenset({e.GuessSubmitted, e.GuessWithdrawn, e.JokerUsed, e.PredictionMade})
"""Events that change no state and remove nobody: no row can apply after them."""


def follow(game: Game, events: tuple[e.Event, ...]) -> tuple[tuple[e.Event, ...], Game]:
    """These events with all that follows from them, and the game they lead to."""
    due = events
    while due:
        for event in due:
            game = evolve(game, event)
        if type(due[-1]) in NOTHING_FOLLOWS:
            break
        due = next((row.then(game) for row in CONSEQUENCES if row.when(game)), ())
        events += due
    return events, game
