"""The whole game, round by round, once it is over."""

from collections.abc import Iterable

from msgspec import Struct
from msgspec.structs import replace

from varv.rules import events as e
from varv.rules.evolve import evolve
from varv.rules.model import Game, Round
from varv.rules.views.public import round_view, snapshot
from varv.rules.views.shapes import RoundView, Snapshot


class HistoryRound(Struct, frozen=True):
    """A round as it ended, and the cycle it belonged to."""

    cycle: int
    round: RoundView


class History(Struct, frozen=True):
    """Every round of a finished game in order, and how the game ended."""

    rounds: list[HistoryRound]
    snapshot: Snapshot


def history(events: Iterable[e.Event]) -> History:
    """The rounds as they ended; removed players are left out, as everywhere (VIEW-04)."""
    game: Game | None = None
    ended: dict[int, Round] = {}
    for event in events:
        game = evolve(game, event)
        round_ = game.last_round if isinstance(event, e.RoundAborted) else game.round
        if round_ is not None and isinstance(event, e.RoundAborted | e.RoundRevealed):
            ended[round_.number] = round_
    assert game is not None
    return History(
        rounds=[
            HistoryRound(round_.cycle, round_view(game, _of_remaining(game, round_)))
            for round_ in ended.values()
        ],
        snapshot=snapshot(game),
    )


def _of_remaining(game: Game, round_: Round) -> Round:
    results = {
        player: row for player, row in (round_.results or {}).items() if player in game.players
    }
    return replace(round_, results=results if round_.results is not None else None)
