"""Who may do what when: every situation × role × command, as the tables in `who_may` have it."""

import re
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

import pytest
from tests.table import Table, lobby, table

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


# The situations. Each starts from a round that has not started, led by Bo or (role "both") by Ada.


def everyone(at: Table, *, but_leader: bool = False) -> list[str]:
    names = [at.name(player) for player in at.game.players]
    return [name for name in names if not (but_leader and name == at.leader)]


def guessing(at: Table) -> Table:
    return at.starts()


def guessers(at: Table) -> list[str]:
    return everyone(at, but_leader=at.game.edition == "oracle")


def placed(at: Table) -> Table:
    return guessing(at).places_right(*guessers(at))


def titled(at: Table) -> Table:
    placed(at)
    for name in guessers(at):
        at.titles(name)
    return at


def guessed(at: Table) -> Table:
    titled(at)
    for name in guessers(at):
        at.artists(name)
    return at


def joker_laid(at: Table) -> Table:
    guessing(at)
    for name in everyone(at, but_leader=True):
        at.uses_joker(name)
    return at


def joker_spent(at: Table) -> Table:
    return joker_laid(at).places_right(*guessers(at))


def predicted(at: Table) -> Table:
    return guessing(at).predicts("easy")


def locked(at: Table) -> Table:
    guessing(at)
    if at.game.edition == "oracle":
        at.predicts("easy")
    return at.locks()


def year_revealed(at: Table) -> Table:
    return locked(at).reveals()


def revealed(at: Table) -> Table:
    return guessing(at).ends_round()


def boundary(at: Table) -> Table:
    return at.plays_cycle()


def boundary_late(at: Table) -> Table:
    return at.plays_cycle().joins("Fia")


def boundary_late_ready(at: Table) -> Table:
    return boundary_late(at).sets_year("Fia", 1999)


def boundary_without_last(at: Table) -> Table:
    at.plays_until("Eva").removes("Eva")
    return at.joins("Fia") if at.game.edition == "oracle" else at


def finished_whole(at: Table) -> Table:
    return (boundary_late(at) if at.game.edition == "oracle" else boundary(at)).finishes()


def without_leader(state: Callable[[Table], Table]) -> Callable[[Table], Table]:
    return lambda at: state(at).removes(at.leader)


def no_jokers_left(at: Table) -> Table:
    """Everyone lays theirs in the first cycle; then it is the same leader's turn again."""
    leader, spent = at.leader, set()
    while at.states[1] == "ACTIVE":
        if at.round.state == "REVEALED":
            at.next_round()
        at.starts()
        for name in everyone(at, but_leader=True):
            if name not in spent:
                at.uses_joker(name)
                spent.add(name)
        at.ends_round()
    return at.starts_cycle().plays_until(leader).starts()


def a_cycle_later(state: Callable[[Table], Table]) -> Callable[[Table], Table]:
    def later(at: Table) -> Table:
        leader = at.leader
        return state(boundary_late_ready(at).starts_cycle().plays_until(leader))

    return later


STATES: dict[str, Callable[[Table], Table]] = {
    "WAITING_FOR_DJ": lambda at: at,
    "READY": lambda at: at,
    "READY, a cycle later": a_cycle_later(lambda at: at),
    "GUESSING": guessing,
    "GUESSING, a cycle later": a_cycle_later(guessing),
    "GUESSING, the prediction is made": predicted,
    "GUESSING, all have placed": placed,
    "GUESSING, all have placed and named the title": titled,
    "GUESSING, all have sent all three": guessed,
    "GUESSING, all have guessed": guessed,
    "GUESSING, a joker lies on every placement": joker_laid,
    "GUESSING, all have placed with their only joker": joker_spent,
    "GUESSING, nobody has a joker left": no_jokers_left,
    "GUESSING, sound on every device": guessing,
    "GUESSING, the DJ is a bot": guessing,
    "LOCKED": locked,
    "REVEALED_TIMELINE": year_revealed,
    "REVEALED_FULL": revealed,
    "REVEALED": revealed,
    "GUESSING, the DJ is removed": without_leader(guessing),
    "LOCKED, the DJ is removed": without_leader(locked),
    "REVEALED_TIMELINE, the DJ is removed": without_leader(year_revealed),
    "REVEALED_FULL, the DJ is removed": without_leader(revealed),
    "BOUNDARY_DECISION, the late joiner has a start year": boundary_late_ready,
    "BOUNDARY_DECISION, full": boundary_late_ready,
    "BOUNDARY_DECISION, the last DJ was removed": boundary_without_last,
    "BOUNDARY_DECISION, the last Oracle was removed": boundary_without_last,
    "FINISHED, after a whole cycle": finished_whole,
    "FINISHED, in the middle of a round": lambda at: guessing(at).finishes(),
}


@cache
def situation(edition: str, name: str, *, host_leads: bool) -> tuple[Table, str | None]:
    """A table in that situation, and who leads its current or last round."""
    if name == "LOBBY, two players":
        return lobby(edition, 2), None
    if name == "LOBBY, Eva has no start year":
        return lobby(edition, 5, years={"Eva": None}).removes("Dan"), None
    if name.startswith("LOBBY"):
        full = 4 if name.endswith("full") else 10
        return _removed(edition, full), None
    if name == "FINISHED, from the lobby":
        return lobby(edition, 5).removes("Dan").finishes(), None
    options = c.OptionsChange(audio="everyone") if "every device" in name else None
    bots = ("Bo",) if "bot" in name else ()
    full = 5 if name.endswith("full") else 10
    at = table(edition, 5, options=options, bots=bots, max_players=full).removes("Dan")
    if not host_leads:
        at.plays_until("Bo")
    if name == "BOUNDARY_DECISION":
        at = boundary_late(at) if edition == "oracle" else boundary(at)
    else:
        at = STATES[name](at)
    last = at.game.round or at.game.last_round
    assert last is not None
    return at, at.name(last.leader)


def _removed(edition: str, full: int) -> Table:
    """A lobby from which Dan has been removed, with room for so many."""
    at = lobby(edition, 3, max_players=full)
    return at.joins("Dan").removes("Dan").joins("Eva").sets_year("Eva", 1990)


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


def test_there_are_several_hundred_cells():
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
