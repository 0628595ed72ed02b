"""Play a scenario in plain words: the phrases of README.md, each tied to a move or a check."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, NamedTuple

from tests.table import Table

from varv.rules import Chance
from varv.rules import commands as c
from varv.rules.editions import EDITIONS
from varv.rules.refusals import Reason

HERE = Path(__file__).parent


class Scenario(NamedTuple):
    """A game in words, where it stands, and the rules it shows."""

    where: str
    title: str
    edition: str
    rules: tuple[str, ...]
    lines: tuple[tuple[int, str], ...]


def parse(where: str, text: str, first: int = 1) -> Iterator[Scenario]:
    """The scenario in this text, once per edition it is for."""
    head: dict[str, str] = {}
    lines: list[tuple[int, str]] = []
    for number, raw in enumerate(text.splitlines(), first):
        line = raw.split("#")[0].rstrip()
        key, colon, value = line.partition(":")
        if colon and key in {"title", "edition", "rules"} and not lines:
            head[key] = value.strip()
        elif line:
            lines.append((number, line))
    editions = ("dj", "oracle") if head["edition"] == "both" else (head["edition"],)
    rules = tuple(rule.strip() for rule in head["rules"].split(","))
    for edition in editions:
        yield Scenario(where, head["title"], edition, rules, tuple(lines))


def scenarios() -> list[Scenario]:
    """All the files of this folder."""
    return [
        scenario
        for path in sorted(HERE.glob("*.txt"))
        for scenario in parse(path.name, path.read_text())
    ]


def documented(path: Path) -> Iterator[Scenario]:
    """The scenarios in fenced blocks of a document."""
    text = path.read_text()
    for block in re.finditer(r"^```scenario\n(.*?)^```", text, re.MULTILINE | re.DOTALL):
        first = text.count("\n", 0, block.start(1)) + 1
        yield from parse(path.name, block[1], first)


def play(scenario: Scenario) -> Table:
    """Play it; fail at the first line that does not hold."""
    at: Table | None = None
    checks = 0
    for number, line in scenario.lines:
        try:
            if at is None:
                at = set_up(scenario.edition, line)
            elif line.startswith(" "):
                check(at, line.strip().removeprefix("- "))
                checks += 1
            else:
                checks += move(at, line)
        except Exception as problem:
            place = f"{scenario.where}:{number} ({scenario.edition}): {line.strip()}"
            raise AssertionError(f"{place}\n  {problem}") from problem
    assert at is not None and checks, f"{scenario.where}: shows nothing"
    at.settled()
    return at


def set_up(edition: str, line: str) -> Table:
    """`At the table: Ada 1985, Bo, Cia` or `In the lobby: Ada, Bo (room for 5)`."""
    setting = re.fullmatch(r"(At the table|In the lobby): (.+?)(?: \(room for (\d+)\))?", line)
    assert setting, "a scenario begins at the table or in the lobby"
    names = [entry.split() for entry in setting[2].split(", ")]
    at = Table(edition, host=names[0][0], max_players=int(setting[3] or 10))
    for name, *_ in names[1:]:
        at.joins(name)
    for name, *year in names:
        if setting[1] == "At the table" or year:
            at.sets_year(name, int(year[0]) if year else 1990)
    return at.starts_game() if setting[1] == "At the table" else at


def _find(table: list[tuple[str, Callable[..., Any]]], at: Table, line: str) -> None:
    for pattern, does in table:
        found = re.fullmatch(pattern, line)
        if found:
            does(at, *found.groups())
            return
    raise AssertionError("no such phrase")


def move(at: Table, line: str) -> bool:
    """Make a move; whether the line also says that it is refused."""
    said, _, reason = line.partition("  refused: ")
    _find(MOVES, at, said.rstrip())
    if reason:
        at.refused(reason.strip())
    else:
        at.accepted()
    return bool(reason)


def check(at: Table, line: str) -> None:
    _find(CHECKS, at, line)


# Moves


def position(at: Table, name: str, words: str) -> int:
    """`at 2`, `before 1990`, `after 1990`, `between 1990 and 1995`: a place in one's timeline."""
    kind, first, *rest = words.split()
    if kind == "at":
        return int(first)
    years = at.timeline(name)
    if kind == "before":
        return years.index(int(first))
    after = len(years) - years[::-1].index(int(first))
    assert kind == "after" or years[after] == int(rest[-1]), f"{name} has {years}"
    return after


def late(at: Table, name: str, what: str, round_: str, song: str | None) -> None:
    """A tap that was meant for another round or song."""
    number, performance = int(round_), int(song) if song else 1
    commands: dict[str, c.Command] = {
        "locks": c.LockRound(number, performance),
        "reveals": c.Reveal(number, str(at.round.state)),
        "places at 0": c.SubmitGuess(number, performance, "placement", 0),
        "uses a joker": c.UseJoker(number, performance, "placement"),
        "changes the song": c.ChangeSong(number, performance),
        "goes on": c.NextRound(number),
        "aborts": c.AbortRound(number),
    }
    at.sends(name, commands[what])


def reveal(at: Table, name: str, what: str | None) -> None:
    at.reveals({None: None, "the year": "REVEALED_TIMELINE", "all": "REVEALED_FULL"}[what], by=name)


def without_song(at: Table, name: str, what: str) -> None:
    """The mix, or its options, have run out."""
    round_ = at.round
    starting = what == "starts"
    command: c.Command = (
        c.StartRound(round_.number)
        if starting
        else c.ChangeSong(round_.number, round_.performance and round_.performance.number)
    )
    reason = Reason.MIX_EXHAUSTED if starting else Reason.OPTIONS_EXHAUSTED
    at.sends(name, command, Chance(draw=reason))


def another_than_the_three(at: Table, name: str, part: str) -> None:
    """One of the ten that a joker on it has taken away."""
    few = getattr(at.round.performance, f"few_{part}s")
    other = next(index for index in range(10) if index not in few)
    at.guesses(name, part, f"{part[0]}{other}")


def until(at: Table, what: str) -> None:
    if what == "the cycle is over":
        at.plays_cycle()
    else:
        at.plays_until(what.removesuffix(" leads"))


NAME = r"([A-Z][a-zåäöé]+)"
MOVES: list[tuple[str, Callable[..., Any]]] = [
    (rf"{NAME} joins", lambda at, name: at.joins(name)),
    (rf"{NAME} chooses (\d+)", lambda at, name, year: at.sets_year(name, int(year))),
    (rf"{NAME} starts the game", lambda at, name: at.starts_game(by=name)),
    (rf"{NAME} finishes the game", lambda at, name: at.finishes(by=name)),
    (rf"{NAME} starts a new cycle", lambda at, name: at.starts_cycle(by=name)),
    (rf"{NAME} removes {NAME}", lambda at, name, other: at.removes(other, by=name)),
    (
        rf"{NAME} starts with a song from (\d+)",
        lambda at, name, year: at.starts(int(year), by=name),
    ),
    (
        rf"{NAME} changes to a song from (\d+)",
        lambda at, name, year: at.changes_song(int(year), by=name),
    ),
    (
        rf"{NAME} starts with a song whose options are broken",
        lambda at, name: at.starts(by=name, titles=("One",) * 10),
    ),
    (
        rf"{NAME} changes to a song whose options are broken",
        lambda at, name: at.changes_song(by=name, artists=("Nobody",) * 10),
    ),
    (rf"{NAME} (starts|changes), but nothing is left to draw", without_song),
    (
        rf"{NAME} places ((?:at|before|after|between) [\d and]+)",
        lambda at, name, words: at.places(name, position(at, name, words)),
    ),
    (
        rf"{NAME} names (the right|a wrong) (title|artist)",
        lambda at, name, which, part: at.guesses(
            name, part, at.option(part, right=which == "the right")
        ),
    ),
    (rf"{NAME} names the song", lambda at, name: at.names(name)),
    (rf"{NAME} names another (title|artist) than the three", another_than_the_three),
    (rf"{NAME} withdraws the (\w+)", lambda at, name, part: at.withdraws(name, part)),
    (
        rf"{NAME} uses a joker(?: on the (\w+))?",
        lambda at, name, part: at.uses_joker(name, part or "placement"),
    ),
    (rf"{NAME} predicts (\w+)", lambda at, name, value: at.predicts(value, by=name)),
    (rf"{NAME} locks", lambda at, name: at.locks(by=name)),
    (rf"{NAME} unlocks", lambda at, name: at.unlocks(by=name)),
    (rf"{NAME} reveals(?: (the year|all))?", reveal),
    (rf"{NAME} aborts", lambda at, name: at.aborts(by=name)),
    (rf"{NAME} goes on", lambda at, name: at.next_round(by=name)),
    (rf"{NAME} plays the song", lambda at, name: at.plays(by=name)),
    (rf"{NAME} stops the song", lambda at, name: at.stops(by=name)),
    (rf"{NAME} (.+) too late, for round (\d+)(?:, song (\d+))?", late),
    (r"They play on until (.+)", until),
]


# Checks


def same(found: Any, expected: Any) -> None:
    assert found == expected, f"it is {found}"


def words(text: str) -> list[str]:
    return text.replace(",", " ").split()


def round_(at: Table, number: str, state: str, leader: str) -> None:
    edition = EDITIONS[at.game.edition]
    wanted = {"waiting": edition.first.value, "revealed": edition.terminal.value}.get(state, state)
    same((at.round.number, at.round.state.value, at.leader), (int(number), wanted, leader))


def cycle(at: Table, number: str, state: str) -> None:
    assert at.game.cycle
    same((at.game.cycle.number, at.game.cycle.state.value), (int(number), state))


def names(at: Table, ids: tuple[str, ...]) -> list[str]:
    return [at.name(player) for player in ids]


def options(at: Table, name: str, count: str, part: str) -> None:
    shown = at.view(name)["options"][part]
    same(len(shown) if shown else 0, 0 if count == "no" else int(count))


def answer(at: Table, who: str, what: str) -> None:
    """What the Snapshot tells everyone, or a Viewer its player."""
    told = at.snapshot()["round"] if who == "everyone" else at.view(who)
    found = told["answer"]
    expected = {"nothing": None, "the year": ["year"], "the answer": ["year", "title", "artist"]}
    same(list(found) if found else None, expected[what])


def decade(at: Table, name: str, start: str | None) -> None:
    shown = at.view(name)["decade"]
    same(shown and shown["from"], int(start) if start else None)


def result(at: Table, name: str, text: str) -> None:
    """`placement right, title wrong, artist hidden, card song, no joker, star`."""
    row = at.snapshot()["round"]["results"][at.ids[name]]
    told = {True: "right", False: "wrong", None: "hidden"}
    for said in text.split(", "):
        what, _, value = said.partition(" ")
        if what in {"placement", "title", "artist"}:
            assert told[row[what]] == value, f"{what} is {told[row[what]]}"
        elif what == "card":
            same(row["card"] or "none", value)
        elif value == "joker" or said == "joker":
            same(row["joker_won"], said == "joker")
        else:
            same(row["star"], {"star": True, "no star": False}[said])


def ranking(at: Table, text: str) -> None:
    """`1 Ada 3 1, 2 Bo 2 0`: place, name, cards, tie-break."""
    rows = [" ".join(map(str, row)) for row in at.ranking() or []]
    same(rows, text.split(", "))


def places(at: Table, text: str) -> None:
    """`1 Ada, 2 Bo, 2 Cia`: place and name, where the editions count differently."""
    same([f"{place} {name}" for place, name, *_ in at.ranking() or []], text.split(", "))


def submitted(at: Table, name: str, parts: str) -> None:
    shown = at.snapshot()["round"]["submitted"]
    same(shown.get(at.ids[name]), [] if parts == "nothing" else words(parts))


def may(at: Table, name: str, not_: str | None, commands: str) -> None:
    for command in words(commands):
        assert (command in at.actions(name)) != bool(not_), at.actions(name)


def stars(at: Table, name: str, count: str) -> None:
    player = at.player(name)
    same(sum(card.star for card in (*player.timeline, *player.side_cards)), int(count))


def aborted(at: Table, reason: str) -> None:
    assert at.game.last_round
    same(at.game.last_round.aborted_because, reason)


def card_names(at: Table, name: str, hidden: str) -> None:
    """Whether the newest card in a player's timeline still hides its title and artist."""
    player = next(row for row in at.snapshot()["players"] if row["id"] == at.ids[name])
    cards = [card for card in player["timeline"] + player["side_cards"] if "round" in card]
    newest = max(cards, key=lambda card: card["round"])
    same([newest["title"], newest["artist"]] == [None, None], hidden == "hidden")


CHECKS: list[tuple[str, Callable[..., Any]]] = [
    (r"game: (\w+)", lambda at, state: same(at.game.state.value, state)),
    (r"no cycle", lambda at: same(at.game.cycle, None)),
    (r"cycle: (\d+) (\w+)", cycle),
    (rf"round: (\d+) (\w+), led by {NAME}", round_),
    (r"no round", lambda at: same(at.game.round, None)),
    (r"song: (\d+)", lambda at, n: same(at.snapshot()["round"]["performance"], int(n))),
    (r"players: (.+)", lambda at, text: same(names(at, tuple(at.game.players)), words(text))),
    (r"rotation: (.+)", lambda at, text: same(names(at, at.game.cycle.rotation), words(text))),
    (r"have led: (.+)", lambda at, text: same(names(at, at.game.cycle.completed), words(text))),
    (
        rf"{NAME}'s timeline: ?(.*)",
        lambda at, name, text: same(at.timeline(name), [int(year) for year in words(text)]),
    ),
    (
        rf"{NAME}'s side cards: (.+)",
        lambda at, name, text: same(at.side_cards(name), [] if text == "none" else words(text)),
    ),
    (rf"{NAME}'s stars: (\d)", stars),
    (rf"{NAME}'s jokers: (\d)", lambda at, name, count: same(at.jokers(name), int(count))),
    (rf"{NAME}'s newest card is (hidden|open)", card_names),
    (rf"{NAME} has submitted: (.+)", submitted),
    (rf"{NAME}'s result: (.+)", result),
    (rf"{NAME} may( not)?: (.+)", may),
    (rf"{NAME} sees (no|\d+) (title|artist)s", options),
    (rf"{NAME} sees the decade (\d+)", decade),
    (rf"{NAME} sees no decade", lambda at, name: decade(at, name, None)),
    (rf"(everyone|{NAME[1:-1]}) sees (nothing|the year|the answer)", answer),
    (r"difficulty: (\w+)", lambda at, text: same(at.snapshot()["round"]["difficulty"], text)),
    (
        r"the prediction was (right|wrong)",
        lambda at, text: same(at.snapshot()["round"]["prediction_correct"], text == "right"),
    ),
    (r"aborted: (\w+)", aborted),
    (r"ranking: (.+)", ranking),
    (r"places: (.+)", places),
    (r"no ranking", lambda at: same(at.ranking(), None)),
    (r"nothing has changed", lambda at: same(at.last, ())),
    (r"anyone may join", lambda at: same(at.snapshot()["joinable"], True)),
    (r"nobody may join", lambda at: same(at.snapshot()["joinable"], False)),
]

__all__ = ["Scenario", "documented", "parse", "play", "scenarios"]
