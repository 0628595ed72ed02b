"""A tally as a picture. Needs matplotlib (`varv[plot]`)."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine
from matplotlib.ticker import MaxNLocator, PercentFormatter

from varv.bots import figures
from varv.bots.figures import share
from varv.bots.report import headline
from varv.bots.simulate import Plan
from varv.bots.tally import Tally
from varv.rules.model import PARTS, Difficulty

_INK, _FAINT = "#22252b", "#d9dce1"
_SKILL = {"novice": "#e0a458", "regular": "#3d8b8b", "expert": "#6a4c93"}
_DIFFICULTY = {
    Difficulty.EASY: "#8cc084",
    Difficulty.MEDIUM: "#f2c14e",
    Difficulty.HARD: "#d1495b",
}
_PART = ("#3b6ea8", "#c2727e", "#8a9a5b")

Axes = Any
Panel = Callable[[Axes, Tally], None]


def draw(plan: Plan, tally: Tally, path: Path) -> None:
    """Draw the summary into a PNG file."""
    above: list[Panel] = [_cards, _wins, _parts]
    below: list[Panel] = [_jokers, _rounds, _ties]
    if tally.predictions:
        above, below = [*above, _difficulties], [*below, _predictions]
    columns = len(above)
    size = (4.7 * columns, 8)
    layout = ConstrainedLayoutEngine(w_pad=0.15, h_pad=0.15)
    figure = Figure(figsize=size, dpi=110, layout=layout, facecolor="white")
    figure.suptitle(headline(plan, tally), fontsize=14, fontweight="bold", color=_INK)
    for panel, axes in zip(above + below, figure.subplots(2, columns).flat, strict=True):
        panel(axes, tally)
        _tidy(axes)
    figure.savefig(path, format="png", metadata={"Software": None})


def _tidy(axes: Axes) -> None:
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color(_FAINT)
    axes.tick_params(colors=_INK, length=0)
    axes.set_axisbelow(True)
    axes.grid(axis="y", color=_FAINT, linewidth=0.7)
    axes.yaxis.set_major_locator(MaxNLocator(6, steps=[1, 2, 5, 10]))
    axes.margins(y=0.15)
    axes.set_ylim(bottom=0)


def _title(axes: Axes, title: str, across: str = "", up: str = "") -> None:
    axes.set_title(title, loc="left", fontsize=12, color=_INK, pad=26)
    axes.set_xlabel(across, color=_INK)
    axes.set_ylabel(up, color=_INK)


def _legend(axes: Axes) -> None:
    """In a row under the title, where no data can be."""
    axes.legend(
        frameon=False, fontsize=9, ncols=3, loc="lower left", bbox_to_anchor=(-0.02, 1.01),
        borderaxespad=0, columnspacing=1.2, handlelength=1.2,
    )  # fmt: skip


def _in_percent(axes: Axes) -> None:
    axes.yaxis.set_major_formatter(PercentFormatter(1.0, decimals=0))


def _label(axes: Axes, bars: Any, style: str = "{:.0%}") -> None:
    axes.bar_label(bars, fmt=style, padding=3, fontsize=9, color=_INK)


def _cards(axes: Axes, tally: Tally) -> None:
    """How many cards players of each skill ended with."""
    for skill in figures.skills_of(tally):
        counts = figures.cards_of(tally, skill)
        values = range(min(counts, default=0), max(counts, default=0) + 1)
        heights = [share(counts[value], counts.total()) for value in values]
        mean = figures.spread(counts).mean
        axes.plot(values, heights, color=_SKILL[skill], marker="o", markersize=4, linewidth=2)
        axes.fill_between(values, heights, color=_SKILL[skill], alpha=0.15)
        axes.plot([], [], color=_SKILL[skill], linewidth=6, label=f"{skill}: {mean:.1f}")
    _legend(axes)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _in_percent(axes)
    _title(axes, "Cards per player", "cards at the end", "players")


def _wins(axes: Axes, tally: Tally) -> None:
    """How often a player of each skill came first."""
    skills = figures.skills_of(tally)
    heights = [share(tally.wins[skill], tally.seats[skill]) for skill in skills]
    _label(axes, axes.bar(skills, heights, width=0.6, color=[_SKILL[skill] for skill in skills]))
    _in_percent(axes)
    _title(axes, "Who comes first", "", "players in first place")


def _difficulties(axes: Axes, tally: Tally) -> None:
    """How hard rounds were, by the number of guessers."""
    guessers = figures.guessers_of(tally)
    labels = [str(number) for number in guessers]
    floor = [0.0] * len(guessers)
    for each in reversed(Difficulty):
        rounds = [figures.rounds_with(tally, number) for number in guessers]
        heights = [share(counts[each], counts.total()) for counts in rounds]
        bars = axes.bar(labels, heights, 0.7, bottom=floor, color=_DIFFICULTY[each], label=each)
        written = [f"{height:.0%}" if height >= 0.06 else "" for height in heights]
        axes.bar_label(bars, labels=written, label_type="center", fontsize=9, color=_INK)
        floor = [low + height for low, height in zip(floor, heights, strict=True)]
    middle, reach = (len(guessers) - 1) / 2, max(len(guessers), 3) / 2 + 0.2
    axes.set_xlim(middle - reach, middle + reach)
    _legend(axes)
    _in_percent(axes)
    _title(axes, "How hard the rounds were", "guessers", "rounds")


def _predictions(axes: Axes, tally: Tally) -> None:
    """How often Oracles were right, beside what needs no thought."""
    seen = figures.foresight(tally)
    bars = axes.bar(
        ["Oracles", "always the\ncommonest", "by lot"],
        [seen.right, seen.commonest, seen.by_lot],
        width=0.6,
        color=["#3b6ea8", "#b9c0ca", "#b9c0ca"],
    )
    _label(axes, bars, "{:.1%}")
    _in_percent(axes)
    _title(axes, "How often predictions are right", "", "rounds")


def _parts(axes: Axes, tally: Tally) -> None:
    """How often each part was right, by skill."""
    skills = figures.skills_of(tally)
    _grouped(
        axes,
        skills,
        {
            part: [share(tally.right[skill, part], tally.guesses[skill]) for skill in skills]
            for part in PARTS
        },
        "{:.0%}",
    )
    _in_percent(axes)
    _title(axes, "Which parts are right", "", "guesses")


def _jokers(axes: Axes, tally: Tally) -> None:
    """Jokers won and used, by skill."""
    skills = figures.skills_of(tally)
    _grouped(
        axes,
        skills,
        {
            "won": [share(tally.jokers_won[skill], tally.sat[skill]) for skill in skills],
            "used": [
                share(figures.jokers_used(tally, skill), tally.sat[skill]) for skill in skills
            ],
        },
        "{:.1f}",
    )
    _title(axes, "Jokers per player and game", "", "jokers")


def _grouped(axes: Axes, labels: list[str], series: dict[str, list[float]], style: str) -> None:
    width = 0.8 / len(series)
    for place, ((name, heights), color) in enumerate(zip(series.items(), _PART, strict=False)):
        left = [at + (place - (len(series) - 1) / 2) * width for at in range(len(labels))]
        bars = axes.bar(left, heights, width * 0.92, color=color, label=name)
        _label(axes, bars, style)
    axes.set_xticks(range(len(labels)), labels)
    _legend(axes)


def _rounds(axes: Axes, tally: Tally) -> None:
    """How long games were."""
    values = sorted(tally.rounds)
    heights = [share(tally.rounds[value], tally.games) for value in values]
    axes.bar(values, heights, width=0.8, color="#3d8b8b")
    middle, reach = (values[0] + values[-1]) / 2, max(values[-1] - values[0], 6) / 2 + 1
    axes.set_xlim(middle - reach, middle + reach)
    axes.xaxis.set_major_locator(MaxNLocator(integer=True))
    _in_percent(axes)
    _title(axes, "Rounds per game", "rounds played to the end", "games")


def _ties(axes: Axes, tally: Tally) -> None:
    """How the first place was decided."""
    clear = tally.games - tally.shared - tally.close
    bars = axes.bar(
        ["by cards", "by the tie-break", "shared"],
        [share(count, tally.games) for count in (clear, tally.close, tally.shared)],
        width=0.6,
        color=["#3b6ea8", "#7fa3cc", "#c9d6e6"],
    )
    _label(axes, bars, "{:.1%}")
    _in_percent(axes)
    _title(axes, "How the first place is decided", "", "games")
