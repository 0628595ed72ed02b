"""Who may do what when: every situation × role × command, as the tables in `who_may` have it."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.rules.situations import situation
from tests.table import Table, table

from varv.rules import check, join, take
from varv.rules import commands as c
from varv.rules.model import GameState
from varv.rules.refusals import Reason, Refusal
from varv.rules.views import viewer

HERE = Path(__file__).parent / "who_may"


class Row(NamedTuple):
    edition: str
    situation: str
    states: tuple[str, ...]
    command: str
    cells: dict[str, str]


def rows(edition: str) -> Iterator[Row]:
    """The rows of an edition's table, with ditto marks written out."""
    situation, states, roles = "", (), []
    for line in (HERE / f"{edition}.txt").read_text().splitlines():
        if not line or line.startswith("#"):
            continue
        if line.startswith("== "):
            situation, _, after = line[3:].rpartition(": ")
            states, roles = tuple(after.split()), []
        elif not roles:
            roles = line.split()
        else:
            command, *cells = re.split(r"\s{2,}", line)
            assert len(cells) == len(roles), line
            for at, cell in enumerate(cells):
                cells[at] = cells[at - 1] if cell == '"' else cell
            known = {role: cell for role, cell in zip(roles, cells, strict=True) if cell != "-"}
            yield Row(edition, situation, states, command, known)


ROWS = [row for edition in ("dj", "oracle") for row in rows(edition)]


def command(at: Table, text: str) -> c.Command:
    """The command of a row, about the current round and song."""
    kind, _, value = text.partition(" ")
    round_ = at.game.round
    number = round_.number if round_ else 1
    song = round_.performance.number if round_ and round_.performance else None
    part = value or "placement"
    choice = 0 if part == "placement" else f"{part[0]}1"
    made: dict[str, c.Command] = {
        "set_start_year": c.SetStartYear(1985),
        "remove_player": c.RemovePlayer(at.ids.get("Cia", "p2")),
        "configure": c.Configure(options=c.OptionsChange(guess_seconds=60)),
        "start_game": c.StartGame(),
        "finish_game": c.FinishGame(),
        "start_cycle": c.StartCycle(),
        "start_round": c.StartRound(number),
        "change_song": c.ChangeSong(number, song),
        "lock_round": c.LockRound(number, song),
        "unlock_round": c.UnlockRound(number),
        "reveal": c.Reveal(number, value),
        "abort_round": c.AbortRound(number),
        "next_round": c.NextRound(number),
        "guess": c.SubmitGuess(number, song, part, choice),
        "withdraw": c.SubmitGuess(number, song, part, None),
        "use_joker": c.UseJoker(number, song, part),
        "predict": c.Predict(number, song, "hard"),
        "play": c.Play(number, song),
        "stop": c.Stop(number, song),
    }
    return made[kind]


def seat(edition: str, name: str, role: str) -> tuple[Table, str]:
    """The table, and who sits there in that role."""
    at, leader = situation(edition, name, host_leads=role == "both")
    if role == "leader":
        assert leader is not None
        return at, leader
    guesser = "Bo" if name == "LOBBY, two players" else "Cia"
    return at, {"host": "Ada", "both": "Ada", "guesser": guesser, "late": "Fia"}[role]


def answer(at: Table, player: str, text: str) -> str:
    """What a player is told: "ok" or a reason."""
    if text == "join":
        told = join(at.game, "Newcomer")
    else:
        told = take(at.game, at.ids[player], command(at, text), at.chance())
    return str(told.reason) if isinstance(told, Refusal) else "ok"


def test_there_are_more_than_1500_cells():
    cells = sum(len(row.cells) + 1 for row in ROWS)
    assert cells > 1500, cells


def test_every_command_stands_in_every_state():
    """The whole product: no state of a round leaves a command out."""
    kinds = set(c.NAMES.values())
    for edition, states in (
        ("dj", ("WAITING_FOR_DJ", "GUESSING", "LOCKED", "REVEALED_TIMELINE", "REVEALED_FULL")),
        ("oracle", ("READY", "GUESSING", "LOCKED", "REVEALED")),
    ):
        for name in ("LOBBY", *states, "BOUNDARY_DECISION", "FINISHED, after a whole cycle"):
            listed = {
                row.command.split()[0]
                for row in ROWS
                if (row.edition, row.situation) == (edition, name)
            }
            assert listed - {"withdraw", "join"} == kinds, (edition, name)


@pytest.mark.rule(
    "GAME-01", "GAME-02", "GAME-04", "GAME-06", "GAME-10", "GAME-12", "GAME-16", "GAME-19",
    "GAME-20", "CYC-01", "CYC-10", "RND-01", "RND-02", "RND-03", "RND-04", "RND-07", "RND-08",
    "RND-09", "RND-10", "RND-15", "RND-16", "RND-18", "PRF-03", "PRF-07", "GUE-03", "GUE-04",
    "GUE-05", "JOK-02", "JOK-03", "JOK-04", "JOK-05", "CYC-14",
)  # fmt: skip
@pytest.mark.parametrize(
    "row", ROWS, ids=[f"{row.edition}: {row.situation}: {row.command}" for row in ROWS]
)
def test_answer(row: Row):
    for role, expected in row.cells.items():
        at, player = seat(row.edition, row.situation, role)
        game, cycle, round_ = at.states
        assert (game, cycle or "-", round_ or "-") == row.states
        assert answer(at, player, row.command) == expected, role
    if "two players" not in row.situation and row.command != "join":
        at, _ = seat(row.edition, row.situation, "host")
        assert answer(at, "Dan", row.command) == "REMOVED"


STATE_REASONS = {
    Reason.STALE, Reason.GAME_FINISHED, Reason.GAME_NOT_IN_LOBBY, Reason.GAME_NOT_IN_PROGRESS,
    Reason.CYCLE_NOT_IN_ACTIVE, Reason.CYCLE_NOT_IN_BOUNDARY_DECISION,
    Reason.ROUND_NOT_IN_WAITING_FOR_DJ, Reason.ROUND_NOT_IN_READY, Reason.ROUND_NOT_IN_GUESSING,
    Reason.ROUND_NOT_IN_LOCKED, Reason.ROUND_NOT_IN_REVEALED_TIMELINE,
    Reason.ROUND_NOT_IN_REVEALED_FULL, Reason.ROUND_NOT_IN_REVEALED,
    Reason.ROUND_ALREADY_REVEALED, Reason.START_YEAR_FIXED, Reason.NOT_IN_THIS_EDITION,
}  # fmt: skip
ROLE_REASONS = {
    Reason.HOST_ONLY, Reason.LEADER_ONLY, Reason.LEADER_OR_HOST_ONLY, Reason.PLAYS_NO_AUDIO,
    Reason.ORACLE_DOES_NOT_GUESS, Reason.LEADER_USES_NO_JOKER, Reason.REMOVED,
}  # fmt: skip
SEATS = sorted({(row.edition, row.situation, role) for row in ROWS for role in row.cells}, key=str)


@pytest.mark.rule("VIEW-01")
@pytest.mark.parametrize(("edition", "name", "role"), SEATS, ids=map(": ".join, SEATS))
def test_a_player_is_offered_exactly_what_is_accepted(edition: str, name: str, role: str):
    at, player = seat(edition, name, role)
    told: dict[str, set[str]] = {}
    for row in ROWS:
        kind = row.command.split()[0]
        if (row.edition, row.situation) == (edition, name) and role in row.cells and kind != "join":
            kind = "guess" if kind == "withdraw" else kind
            told.setdefault(kind, set()).add(row.cells[role])
    if set().union(*told.values()) == {"REMOVED"}:
        assert at.ids[player] not in at.game.players
        return
    shown = viewer(at.game, at.ids[player])
    for kind, reasons in told.items():
        not_theirs = STATE_REASONS | ROLE_REASONS
        blocked = "ok" not in reasons and not reasons & not_theirs
        assert (kind in shown.actions) == ("ok" in reasons), kind
        assert (kind in shown.blocked) == blocked, kind
        assert not blocked or shown.blocked[kind] in reasons, kind
    if at.game.state is GameState.FINISHED:
        assert not shown.actions and not shown.blocked


@pytest.mark.rule("VIEW-01")
@pytest.mark.parametrize(("edition", "name", "role"), SEATS, ids=map(": ".join, SEATS))
def test_a_player_is_offered_exactly_the_parts_that_are_open(edition: str, name: str, role: str):
    at, player = seat(edition, name, role)
    if at.ids[player] not in at.game.players:
        return
    shown = viewer(at.game, at.ids[player])
    for part in ("placement", "title", "artist"):
        assert (part in shown.open_parts) == (answer(at, player, f"guess {part}") == "ok")
        assert (part in shown.joker_parts) == (answer(at, player, f"use_joker {part}") == "ok")


@pytest.mark.parametrize("edition", ["dj", "oracle"])
@pytest.mark.rule("GUE-09")
def test_another_round_or_song_than_the_current_is_stale(edition: str):
    """Whoever sends it, and whatever the state: only "not a player" comes before."""
    at = table(edition, 5).removes("Dan").plays_until("Bo").starts()
    assert at.round.number == 2
    stale: list[c.Command] = []
    for number, song in ((1, 1), (3, 1), (2, None), (2, 2), (1, None)):
        stale += [
            c.ChangeSong(number, song),
            c.LockRound(number, song),
            c.SubmitGuess(number, song, "placement", 0),
            c.UseJoker(number, song, "placement"),
            c.Predict(number, song, "easy"),
            c.Play(number, song),
            c.Stop(number, song),
        ]
    for number in (0, 1, 3):
        stale += [
            c.StartRound(number),
            c.UnlockRound(number),
            c.Reveal(number, "REVEALED"),
            c.AbortRound(number),
            c.NextRound(number),
        ]
    for sent in stale:
        for player in ("Ada", "Bo", "Cia"):
            refusal = check(at.game, at.ids[player], sent)
            assert refusal is not None
            assert refusal.reason is Reason.STALE, sent
            assert refusal.facts["round"] == 2
            assert refusal.facts.get("performance", 1) == 1
        refusal = check(at.game, at.ids["Dan"], sent)
        assert refusal is not None
        assert refusal.reason is Reason.REMOVED
