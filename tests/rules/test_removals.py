"""What becomes of round, cycle and game when somebody is removed, in every state by every role."""

from collections.abc import Callable
from pathlib import Path

import pytest
from tests.table import Table, lobby, table

from varv.rules import events as e
from varv.rules import replay

LINES = [
    line.split()
    for line in (Path(__file__).parent / "who_may/removals.txt").read_text().splitlines()
    if line.startswith(("dj ", "oracle "))
]


def locked(at: Table) -> Table:
    at.starts()
    return (at.predicts("easy") if at.game.edition == "oracle" else at).locks()


WHEN: dict[str, Callable[[Table], Table]] = {
    "WAITING_FOR_DJ": lambda at: at,
    "READY": lambda at: at,
    "GUESSING": lambda at: at.starts(),
    "LOCKED": locked,
    "REVEALED_TIMELINE": lambda at: locked(at).reveals(),
    "REVEALED_FULL": lambda at: at.starts().ends_round(),
    "REVEALED": lambda at: at.starts().ends_round(),
    "BOUNDARY_DECISION": lambda at: at.plays_cycle(),
    "LATE": lambda at: at.plays_cycle().joins("Fia"),
    "FINISHED": lambda at: at.plays_cycle().finishes(),
}


def arranged(edition: str, players: int, when: str, turn: str) -> Table:
    if when == "LOBBY":
        return lobby(edition, players)
    at = table(edition, players - 1 if when == "LATE" else players)
    return WHEN[when](at.plays_until(turn))


@pytest.mark.rule(
    "GAME-03", "GAME-05", "GAME-16", "GAME-17", "CYC-04", "CYC-07", "CYC-08", "CYC-09", "CYC-17",
    "RND-05", "RND-17", "RND-18", "RND-19",
)  # fmt: skip
@pytest.mark.parametrize("line", LINES, ids=[" ".join(line) for line in LINES])
def test_removal(line: list[str]):
    edition, players, when, turn, removed, arrow, *expected = line
    assert arrow == "->"
    at = arranged(edition, int(players), when, turn)
    assert len(at.game.players) == int(players)
    before = at.game
    at.removes(removed)
    if len(expected) == 1:
        at.refused(expected[0])
        assert at.game is before
        return
    game, cycle, round_ = at.states
    now = at.game.round
    aborted = [event.because.value for event in at.last if isinstance(event, e.RoundAborted)]
    assert [
        game,
        cycle or "-",
        round_ or "-",
        at.name(now.leader) if now else "-",
        aborted[0] if aborted else "-",
    ] == expected
    assert at.ids[removed] not in at.game.players
    if at.game.cycle:
        assert at.ids[removed] not in at.game.cycle.rotation + at.game.cycle.completed
    at.sets_year(removed, 1999).refused("REMOVED")
    assert replay(at.log) == at.game


@pytest.mark.rule("CYC-09")
def test_a_removal_below_the_minimum_ends_the_game_even_if_it_completes_the_cycle():
    """Cia alone has not led; without her there are two: no BOUNDARY_DECISION in between."""
    at = table("oracle", 3).plays_until("Bo").plays_round().removes("Cia")
    assert at.states == ("FINISHED", "ACTIVE", "REVEALED")
    assert not any(isinstance(event, e.CycleCompleted) for event in at.last)
    assert at.ranking() is None


@pytest.mark.rule("GAME-05", "RANK-08")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_the_order_of_what_follows_a_removal_is_told_by_the_events(edition: str):
    at = table(edition, 3).starts().removes("Cia")
    names = [type(event).__name__ for event in at.last]
    assert names == ["PlayerRemoved", "RoundAborted", "GameFinished"]
    at = table(edition, 3).plays_cycle().removes("Cia")
    names = [type(event).__name__ for event in at.last]
    assert names == ["PlayerRemoved", "CycleFinished", "GameFinished"]
    assert [row[1] for row in at.ranking() or []] == ["Ada", "Bo"]


@pytest.mark.rule("CYC-08")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
def test_the_host_ends_a_last_round_whose_leader_went(edition: str):
    """dj: the round is played on, or aborted, without a DJ; either way the cycle is complete."""
    if edition == "dj":
        at = table("dj", 4).plays_until("Dan").starts().removes("Dan").aborts()
        assert at.states == ("IN_PROGRESS", "BOUNDARY_DECISION", None)
        at = table("dj", 4).plays_until("Dan").starts().removes("Dan").ends_round()
        assert at.states == ("IN_PROGRESS", "BOUNDARY_DECISION", "REVEALED_FULL")
    else:
        at = table("oracle", 4).plays_until("Dan").starts().removes("Dan")
        assert at.states == ("IN_PROGRESS", "BOUNDARY_DECISION", None)
        at.starts_cycle()
        assert (at.round.number, at.leader) == (5, "Ada")
