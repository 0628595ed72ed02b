"""Where several things are wrong, the first is told.

Malformed, not a player, STALE, state, role, order, value.
"""

import pytest
from tests.table import Table, lobby, table

from varv.rules import commands as c


def _dj_guessing() -> Table:
    return table("dj", 4).plays_until("Bo").removes("Dan").starts()


def _oracle_guessing() -> Table:
    return table("oracle", 4).plays_until("Bo").removes("Dan").starts()


@pytest.mark.parametrize(
    ("at", "player", "command", "reason"),
    [
        pytest.param(_dj_guessing, "Dan", c.StartGame(), "REMOVED", id="not a player, state"),
        pytest.param(_dj_guessing, "Dan", c.LockRound(1, 1), "REMOVED", id="not a player, stale"),
        pytest.param(
            _dj_guessing, "Cia", c.Reveal(2, "REVEALED_FULL"), "ROUND_NOT_IN_REVEALED_TIMELINE",
            id="state, role",
        ),
        pytest.param(
            _dj_guessing, "Cia", c.Reveal(2, "NOWHERE"), "ROUND_NOT_IN_LOCKED",
            id="state, role, value",
        ),
        pytest.param(_dj_guessing, "Cia", c.StartGame(), "GAME_NOT_IN_LOBBY", id="game, role"),
        pytest.param(
            _dj_guessing, "Cia", c.StartCycle(), "CYCLE_NOT_IN_BOUNDARY_DECISION",
            id="cycle, role",
        ),
        pytest.param(
            _dj_guessing, "Cia", c.SetStartYear(1900), "START_YEAR_FIXED", id="fixed, value"
        ),
        pytest.param(_dj_guessing, "Cia", c.RemovePlayer("p1"), "HOST_ONLY", id="role, value"),
        pytest.param(
            _dj_guessing, "Ada", c.Predict(2, 1, "x"), "NOT_IN_THIS_EDITION",
            id="edition, role, value",
        ),
        pytest.param(
            _dj_guessing, "Bo", c.UseJoker(2, 1, "album"), "LEADER_USES_NO_JOKER",
            id="role, unknown part",
        ),
        pytest.param(
            _dj_guessing, "Bo", c.UseJoker(2, 1, "artist"), "LEADER_USES_NO_JOKER",
            id="role, order",
        ),
        pytest.param(
            _dj_guessing, "Cia", c.SubmitGuess(2, 1, "title", "t99"), "PART_OUT_OF_ORDER",
            id="order, value",
        ),
        pytest.param(
            lambda: _dj_guessing().places("Cia", 0), "Cia",
            c.SubmitGuess(2, 1, "placement", 99), "PART_FINAL", id="final, value",
        ),
        pytest.param(
            _dj_guessing, "Cia", c.SubmitGuess(2, 1, "artist", None), "PART_FINAL",
            id="withdrawn, out of order",
        ),
        pytest.param(
            _oracle_guessing, "Cia", c.LockRound(2, 1), "LEADER_ONLY", id="role, not yet"
        ),
        pytest.param(
            _oracle_guessing, "Bo", c.SubmitGuess(2, 1, "album", 99), "ORACLE_DOES_NOT_GUESS",
            id="role, unknown part, value",
        ),
        pytest.param(
            _oracle_guessing, "Cia", c.Predict(2, 1, "x"), "LEADER_ONLY", id="role, difficulty"
        ),
        pytest.param(
            lambda: _oracle_guessing().uses_joker("Cia"), "Cia", c.UseJoker(2, 1, "title"),
            "PART_TAKES_NO_JOKER", id="jokers: the part before already used",
        ),
        pytest.param(
            lambda: _oracle_guessing().uses_joker("Cia"), "Cia", c.UseJoker(2, 1, "placement"),
            "JOKER_ALREADY_USED", id="jokers: already used before none left",
        ),
        pytest.param(
            lambda: _dj_guessing().uses_joker("Cia").places("Cia", 0), "Cia",
            c.UseJoker(2, 1, "placement"), "PART_OUT_OF_ORDER",
            id="jokers: the part before already used and none left",
        ),
        pytest.param(
            lambda: lobby("dj", 2, years=None), "Bo", c.StartGame(), "HOST_ONLY",
            id="role, too few, years",
        ),
        pytest.param(
            lambda: lobby("dj", 2, years=None), "Ada", c.StartGame(), "TOO_FEW_PLAYERS",
            id="too few, years",
        ),
        pytest.param(
            lambda: lobby("dj", 3).finishes(), "Bo", c.SetStartYear(1900), "GAME_FINISHED",
            id="finished, value",
        ),
        pytest.param(
            lambda: lobby("dj", 3).finishes(), "Bo", c.StartGame(), "GAME_FINISHED",
            id="finished, role",
        ),
    ],
)  # fmt: skip
def test_the_first_thing_wrong_is_told(at, player, command, reason):
    at().sends(player, command).refused(reason)


@pytest.mark.rule("GUE-09")
@pytest.mark.parametrize(
    "command",
    [c.UnlockRound(1), c.LockRound(2, 2), c.Reveal(1, "NOWHERE")],
    ids=["state and role", "role, of another song", "state, role and value"],
)
def test_stale_is_told_before_all_else(command):
    _dj_guessing().sends("Cia", command).refused("STALE")


@pytest.mark.rule("JOK-05")
def test_none_left_is_the_last_thing_told_of_a_joker():
    at = table("oracle", 3).starts().uses_joker("Bo").ends_round().plays_until("Cia").starts()
    assert at.jokers("Bo") == 0
    at.uses_joker("Bo", "title").refused("PART_TAKES_NO_JOKER")
    at.uses_joker("Bo").refused("NO_JOKER_LEFT")
