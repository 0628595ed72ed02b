"""The machines of game, cycle and round as tables: what is not in a table is refused.

`GAME` and `CYCLE` are the same for everyone; each edition brings the table of its rounds. What one
machine does to another stands in `coupling`. `docs/machines.md` is drawn from these tables.
"""

from collections.abc import Mapping
from typing import TypeAlias

from varv.rules import commands as c
from varv.rules.model import CycleState, GameState, RoundState

Trigger: TypeAlias = type[c.Command]
GameTable: TypeAlias = Mapping[tuple[GameState, Trigger], GameState]
CycleTable: TypeAlias = Mapping[tuple[CycleState, Trigger], CycleState]
RoundTable: TypeAlias = Mapping[tuple[RoundState, Trigger], RoundState]

GAME: GameTable = {
    (GameState.LOBBY, c.SetStartYear): GameState.LOBBY,
    (GameState.LOBBY, c.RemovePlayer): GameState.LOBBY,
    (GameState.LOBBY, c.Configure): GameState.LOBBY,
    (GameState.LOBBY, c.StartGame): GameState.IN_PROGRESS,
    (GameState.LOBBY, c.FinishGame): GameState.FINISHED,
    (GameState.IN_PROGRESS, c.SetStartYear): GameState.IN_PROGRESS,
    (GameState.IN_PROGRESS, c.RemovePlayer): GameState.IN_PROGRESS,
    (GameState.IN_PROGRESS, c.StartCycle): GameState.IN_PROGRESS,
    (GameState.IN_PROGRESS, c.FinishGame): GameState.FINISHED,
}
"""GAME-02, GAME-04, GAME-06, GAME-10, GAME-12. Commands about a round: see the edition."""

CYCLE: CycleTable = {
    (CycleState.ACTIVE, c.NextRound): CycleState.ACTIVE,
    (CycleState.BOUNDARY_DECISION, c.StartCycle): CycleState.FINISHED,
    (CycleState.BOUNDARY_DECISION, c.FinishGame): CycleState.FINISHED,
}
"""CYC-10, CYC-11, CYC-12. A cycle that is ACTIVE when the game ends stays ACTIVE (RANK-02)."""

ROUND_COMMANDS = frozenset(
    {
        c.StartRound, c.ChangeSong, c.LockRound, c.UnlockRound, c.Reveal, c.AbortRound,
        c.NextRound, c.SubmitGuess, c.UseJoker, c.Predict, c.Play, c.Stop,
    }
)  # fmt: skip
"""Commands that name the round their sender was looking at (GUE-09)."""

PERFORMANCE_COMMANDS = frozenset(
    {c.ChangeSong, c.LockRound, c.SubmitGuess, c.UseJoker, c.Predict, c.Play, c.Stop}
)
"""And those that also name the performance."""


def sources(table: RoundTable, command: Trigger) -> tuple[RoundState, ...]:
    """The states in which a command is accepted, in the order of the table."""
    return tuple(state for state, trigger in table if trigger is command)
