"""A tally as tables that a person can read."""

from collections.abc import Iterable

from rich.box import SIMPLE_HEAD
from rich.console import Console, Group, RenderableType
from rich.table import Table
from rich.text import Text

from varv.bots import figures
from varv.bots.figures import share
from varv.bots.simulate import Plan
from varv.bots.tally import Tally
from varv.rules.model import PARTS, Difficulty, Part

WIDTH = 100
"""Of the output where there is no terminal: the same everywhere."""


def console() -> Console:
    """Standard output, whose bytes depend on nothing but the plan when it is no terminal."""
    on_terminal = Console().is_terminal
    return Console() if on_terminal else Console(width=WIDTH, color_system=None, emoji=False)


def report(plan: Plan, tally: Tally) -> RenderableType:
    """The whole summary."""
    tables = [_players(tally), _jokers(tally), _games(tally)]
    if tally.predictions:
        tables[1:1] = [_difficulties(tally), _predictions(tally)]
    return Group(Text(headline(plan, tally), style="bold"), "", *tables)


def headline(plan: Plan, tally: Tally) -> str:
    """What was simulated, in one line."""
    sizes = "–".join(str(size) for size in sorted({min(plan.sizes), max(plan.sizes)}))
    return (
        f"{tally.games:,} games of {sizes} players, edition {plan.edition}, seed {plan.seed}: "
        f"{tally.revealed:,} rounds, {tally.commands:,} commands"
    )


def _table(title: str, *columns: str) -> Table:
    table = Table(title=title, title_justify="left", title_style="bold", box=SIMPLE_HEAD)
    table.add_column(columns[0])
    for column in columns[1:]:
        table.add_column(column, justify="right")
    return table


def _percent(part: float, whole: float = 1.0) -> str:
    return f"{100 * share(part, whole):.1f} %"


def _range(spread: figures.Spread) -> str:
    if spread.least == spread.most:
        return str(spread.least)
    return f"{spread.least}–{spread.most}"


def _rows(tally: Tally) -> Iterable[tuple[str, str | None]]:
    """A row per skill, and one for all if there are several."""
    skills = figures.skills_of(tally)
    yield from ((skill, skill) for skill in skills)
    if len(skills) > 1:
        yield "all", None


def _players(tally: Tally) -> Table:
    table = _table(
        "Cards per player",
        "skill",
        "players",
        "cards",
        "range",
        "wins",
        *(f"{p} right" for p in PARTS),
    )
    for label, skill in _rows(tally):
        cards = figures.spread(figures.cards_of(tally, skill))
        names = figures.skills_of(tally) if skill is None else [skill]
        seats = sum(tally.seats[name] for name in names)
        guesses = sum(tally.guesses[name] for name in names)
        table.add_row(
            label,
            f"{seats:,}",
            f"{cards.mean:.2f}",
            _range(cards),
            _percent(sum(tally.wins[name] for name in names), seats),
            *(_percent(sum(tally.right[name, p] for name in names), guesses) for p in PARTS),
        )
    return table


def _difficulties(tally: Tally) -> Table:
    table = _table("How hard the rounds were", "guessers", "rounds", *Difficulty)
    for guessers in figures.guessers_of(tally):
        rounds = figures.rounds_with(tally, guessers)
        total = rounds.total()
        table.add_row(
            str(guessers), f"{total:,}", *(_percent(rounds[each], total) for each in Difficulty)
        )
    return table


def _predictions(tally: Tally) -> Table:
    table = _table("What the Oracles predicted", "prediction", "made", "right")
    rounds = tally.predictions.total()
    for each in Difficulty:
        made = figures.predicted(tally, each)
        table.add_row(each, _percent(made, rounds), _percent(tally.predictions[each, each], made))
    seen = figures.foresight(tally)
    table.add_section()
    table.add_row("all", _percent(1), _percent(seen.right))
    table.add_row("by lot", "", _percent(seen.by_lot))
    table.add_row("always the commonest", "", _percent(seen.commonest))
    return table


def _jokers(tally: Tally) -> Table:
    parts = [part for part in PARTS if figures.jokers_used(tally, None, part)]
    table = _table(
        "Jokers per player and game", "skill", "won", "used", *(f"on {part}" for part in parts)
    )
    for label, skill in _rows(tally):
        names = figures.skills_of(tally) if skill is None else [skill]
        players = sum(tally.sat[name] for name in names)
        table.add_row(
            label,
            f"{share(sum(tally.jokers_won[name] for name in names), players):.2f}",
            f"{share(figures.jokers_used(tally, skill), players):.2f}",
            *(f"{share(figures.jokers_used(tally, skill, p), players):.2f}" for p in parts),
        )
    return table


def _games(tally: Tally) -> Table:
    table = _table("Games", "", "")
    table.show_header = False
    rounds = figures.spread(tally.rounds)
    placed = sum(tally.right[skill, Part.PLACEMENT] for skill in tally.guesses)
    table.add_row("rounds per game", f"{rounds.mean:.2f} ({_range(rounds)})")
    table.add_row("rounds aborted", f"{tally.aborted.total():,}")
    table.add_row("first place shared", _percent(tally.shared, tally.games))
    table.add_row("first place decided by the tie-break", _percent(tally.close, tally.games))
    table.add_row("placements right", _percent(placed, tally.guesses.total()))
    table.add_row(
        "placements right with a joker",
        _percent(tally.joker_placements[True], tally.joker_placements.total()),
    )
    return table
