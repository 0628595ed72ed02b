"""The situations of the tables in `who_may`.

Each starts from a round that has not started, led by Bo or (role "both") by Ada.
"""

from collections.abc import Callable
from functools import cache

from tests.table import Table, lobby, table

from varv.rules import commands as c


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
