"""The transition tables, written out once more by hand from the rulebook."""

import pytest
from tests.table import lobby, table

from varv.rules import commands as c
from varv.rules.editions import EDITIONS
from varv.rules.machine import (
    CYCLE,
    GAME,
    PERFORMANCE_COMMANDS,
    ROUND_COMMANDS,
    sources,
)
from varv.rules.model import CycleState, GameState, RoundState

GAME_ROWS = """
LOBBY       set_start_year -> LOBBY
LOBBY       remove_player  -> LOBBY
LOBBY       configure      -> LOBBY
LOBBY       start_game     -> IN_PROGRESS
LOBBY       finish_game    -> FINISHED
IN_PROGRESS set_start_year -> IN_PROGRESS
IN_PROGRESS remove_player  -> IN_PROGRESS
IN_PROGRESS start_cycle    -> IN_PROGRESS
IN_PROGRESS finish_game    -> FINISHED
"""
CYCLE_ROWS = """
ACTIVE            next_round  -> ACTIVE
BOUNDARY_DECISION start_cycle -> FINISHED
BOUNDARY_DECISION finish_game -> FINISHED
"""
DJ_ROWS = """
WAITING_FOR_DJ    start_round  -> GUESSING
WAITING_FOR_DJ    abort_round  -> ABORTED
GUESSING          guess        -> GUESSING
GUESSING          use_joker    -> GUESSING
GUESSING          change_song  -> GUESSING
GUESSING          play         -> GUESSING
GUESSING          stop         -> GUESSING
GUESSING          lock_round   -> LOCKED
GUESSING          abort_round  -> ABORTED
LOCKED            stop         -> LOCKED
LOCKED            unlock_round -> GUESSING
LOCKED            reveal       -> REVEALED_TIMELINE
LOCKED            abort_round  -> ABORTED
REVEALED_TIMELINE stop         -> REVEALED_TIMELINE
REVEALED_TIMELINE reveal       -> REVEALED_FULL
REVEALED_FULL     play         -> REVEALED_FULL
REVEALED_FULL     stop         -> REVEALED_FULL
REVEALED_FULL     next_round   -> REVEALED_FULL
"""
ORACLE_ROWS = """
READY             start_round  -> GUESSING
READY             abort_round  -> ABORTED
GUESSING          guess        -> GUESSING
GUESSING          use_joker    -> GUESSING
GUESSING          predict      -> GUESSING
GUESSING          change_song  -> GUESSING
GUESSING          play         -> GUESSING
GUESSING          stop         -> GUESSING
GUESSING          lock_round   -> LOCKED
GUESSING          abort_round  -> ABORTED
LOCKED            stop         -> LOCKED
LOCKED            unlock_round -> GUESSING
LOCKED            reveal       -> REVEALED
LOCKED            abort_round  -> ABORTED
REVEALED          play         -> REVEALED
REVEALED          stop         -> REVEALED
REVEALED          next_round   -> REVEALED
"""
COMMANDS = {name: command for command, name in c.NAMES.items()}


def written(rows: str, states: type) -> dict:
    table_ = {}
    for line in rows.strip().splitlines():
        state, command, arrow, target = line.split()
        assert arrow == "->"
        table_[states(state), COMMANDS[command]] = states(target)
    return table_


@pytest.mark.rule("GAME-01", "GAME-02", "GAME-04", "GAME-06", "GAME-10", "GAME-12")
def test_game():
    assert dict(GAME) == written(GAME_ROWS, GameState)
    assert [state.value for state in GameState] == ["LOBBY", "IN_PROGRESS", "FINISHED"]


@pytest.mark.rule("CYC-01", "CYC-10", "CYC-11", "CYC-12")
def test_cycle():
    assert dict(CYCLE) == written(CYCLE_ROWS, CycleState)
    assert [state.value for state in CycleState] == ["ACTIVE", "BOUNDARY_DECISION", "FINISHED"]


@pytest.mark.rule("RND-01", "RND-03")
def test_dj_rounds():
    assert dict(EDITIONS["dj"].rounds) == written(DJ_ROWS, RoundState)


@pytest.mark.rule("RND-02", "RND-04")
def test_oracle_rounds():
    assert dict(EDITIONS["oracle"].rounds) == written(ORACLE_ROWS, RoundState)


@pytest.mark.rule("RND-18", "RND-19")
def test_what_becomes_of_a_round_whose_leader_goes():
    aborted = RoundState.ABORTED
    assert dict(EDITIONS["dj"].leader_gone) == {RoundState.WAITING_FOR_DJ: aborted}
    assert dict(EDITIONS["oracle"].leader_gone) == {
        RoundState.READY: aborted,
        RoundState.GUESSING: aborted,
        RoundState.LOCKED: aborted,
    }


@pytest.mark.rule("RND-01", "RND-02")
@pytest.mark.parametrize(
    ("edition", "first", "terminal", "states"),
    [
        (
            "dj",
            "WAITING_FOR_DJ",
            "REVEALED_FULL",
            {"WAITING_FOR_DJ", "GUESSING", "LOCKED", "REVEALED_TIMELINE", "REVEALED_FULL",
             "ABORTED"},
        ),
        ("oracle", "READY", "REVEALED", {"READY", "GUESSING", "LOCKED", "REVEALED", "ABORTED"}),
    ],
)  # fmt: skip
def test_the_states_an_edition_uses(edition, first, terminal, states):
    rounds = EDITIONS[edition].rounds
    assert {state.value for pair in rounds.items() for state in (pair[0][0], pair[1])} == states
    assert EDITIONS[edition].first == first
    assert EDITIONS[edition].terminal == terminal


@pytest.mark.rule("GUE-09")
def test_which_commands_name_a_round_and_a_song():
    named = {command for command in c.COMMANDS if "round" in command.__struct_fields__}
    assert named == ROUND_COMMANDS
    songs = {command for command in c.COMMANDS if "performance" in command.__struct_fields__}
    assert songs == PERFORMANCE_COMMANDS


def test_sources_come_in_the_order_of_the_table():
    rounds = EDITIONS["dj"].rounds
    assert sources(rounds, c.Reveal) == (RoundState.LOCKED, RoundState.REVEALED_TIMELINE)
    assert sources(rounds, c.Predict) == ()


def test_every_command_is_in_a_table():
    rounds = {command for edition in EDITIONS.values() for _, command in edition.rounds}
    assert rounds | {command for _, command in GAME} == set(c.COMMANDS)


MOVES = [
    ("dj", "start_round", lambda at: at.starts()),
    ("dj", "lock_round", lambda at: at.starts().locks()),
    ("dj", "unlock_round", lambda at: at.starts().locks().unlocks()),
    ("dj", "reveal", lambda at: at.starts().locks().reveals()),
    ("dj", "reveal", lambda at: at.starts().locks().reveals().reveals()),
    ("oracle", "start_round", lambda at: at.starts()),
    ("oracle", "lock_round", lambda at: at.starts().predicts("easy").locks()),
    ("oracle", "unlock_round", lambda at: at.starts().predicts("easy").locks().unlocks()),
    ("oracle", "reveal", lambda at: at.starts().predicts("easy").locks().reveals()),
]


@pytest.mark.rule("RND-03", "RND-04")
@pytest.mark.parametrize(
    ("edition", "last", "moves"), MOVES, ids=[f"{n} {m[0]} {m[1]}" for n, m in enumerate(MOVES)]
)
def test_play_follows_the_table(edition, last, moves):
    """Each move of the last command leads from the state before it to the one in the table."""
    at = moves(table(edition, 3))
    before = at.games[-2].round
    assert before is not None
    assert at.round.number == before.number
    assert at.round.state is EDITIONS[edition].rounds[before.state, COMMANDS[last]]


@pytest.mark.rule("GAME-06")
def test_finished_is_final():
    at = lobby("oracle", 3).finishes()
    assert not [pair for pair in GAME if pair[0] is GameState.FINISHED]
    assert not [pair for pair in CYCLE if pair[0] is CycleState.FINISHED]
    for edition in EDITIONS.values():
        assert not [pair for pair in edition.rounds if pair[0] is RoundState.ABORTED]
    assert at.actions("Ada") == set()
    for command in (c.StartGame(), c.FinishGame(), c.RemovePlayer("p2"), c.SetStartYear(1999)):
        at.sends("Ada", command).refused("GAME_FINISHED")
