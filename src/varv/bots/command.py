"""`varv simulate` and `varv bots`, as commands that the command line mounts."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import click

if TYPE_CHECKING:
    from varv.bots.simulate import Plan
    from varv.bots.tally import Tally

PATH = click.Path(path_type=Path)
_WORTH_SHARING = 100
"""Fewer games than this are played before other processes have started."""


@click.command()
@click.option("--edition", default="oracle", help="The edition to play.")
@click.option("--players", default="5", help="Players at a table: a number, or such as 3-10.")
@click.option("--games", default=1000, type=click.IntRange(1), help="How many games.")
@click.option("--seed", default=1, help="The same seed comes to the same output.")
@click.option("--plot", type=PATH, metavar="FILE.png", help="Draw what came out, too.")
@click.option("--cycles", default=3, type=click.IntRange(1), help="Cycles per game.")
@click.option("--skill", help="Skill of all players; mixed if not given.")
@click.option("--mishaps", is_flag=True, help="Players leave and songs change now and then.")
@click.option(
    "--workers",
    type=click.IntRange(1),
    help="Processes; as many as there are cores if not given.",
)
def simulate(
    edition: str,
    players: str,
    games: int,
    seed: int,
    plot: Path | None,
    cycles: int,
    skill: str | None,
    mishaps: bool,
    workers: int | None,
) -> None:
    """Play games with bots at full speed and print what came out."""
    from varv.bots.report import console, report
    from varv.bots.simulate import Plan

    plan = Plan(
        edition=_one_of("--edition", edition, _editions()),
        sizes=_sizes(players),
        games=games,
        seed=seed,
        cycles=cycles,
        skill=None if skill is None else _one_of("--skill", skill, _skills()),
        mishaps=mishaps,
    )
    if plot is not None:
        _check_plot(plot)
    if workers is None:
        workers = min(os.cpu_count() or 1, 8) if games >= _WORTH_SHARING else 1
    tally = _play(plan, workers)
    console().print(report(plan, tally))
    if plot is not None:
        from varv.bots.plot import draw

        try:
            draw(plan, tally, plot)
        except OSError as error:
            _fail(f"Could not write {plot}: {error.strerror or error}")
        click.echo(f"Drawn in {plot}", err=True)


@click.command()
@click.argument("code")
@click.option("--count", default=1, type=click.IntRange(1, 10), help="How many bots.")
@click.option("--url", default="http://127.0.0.1:8000", help="Where the game is served.")
@click.option(
    "--pace",
    default=1.0,
    type=click.FloatRange(0),
    help="Seconds a bot thinks before it does something.",
)
@click.option("--leads-on", is_flag=True, help="A bot that has led also starts the next round.")
def bots(code: str, count: int, url: str, pace: float, leads_on: bool) -> None:
    """Let bots join a running game, by its CODE, through the public protocol."""
    import asyncio

    from varv.bots.remote import CannotPlay, Manner, play

    try:
        asyncio.run(play(url, code, count, Manner(pace, leads_on), say=click.echo))
    except CannotPlay as error:
        _fail(str(error))


def _fail(message: str) -> NoReturn:
    click.echo(message, err=True)
    raise click.exceptions.Exit(1)


def _editions() -> list[str]:
    from varv.rules.editions import EDITIONS

    return list(EDITIONS)


def _skills() -> list[str]:
    from varv.bots.skills import SKILLS

    return list(SKILLS)


def _one_of(option: str, value: str, known: list[str]) -> str:
    if value not in known:
        raise click.BadParameter(f"{value!r} is not one of {', '.join(known)}.", param_hint=option)
    return value


def _sizes(players: str) -> tuple[int, ...]:
    """`5` or `3-10`."""
    from varv.rules.model import MAX_PLAYERS_PREMIUM, MIN_PLAYERS

    first, _, last = players.partition("-")
    try:
        sizes = tuple(range(int(first), int(last or first) + 1))
    except ValueError:
        sizes = ()
    if not sizes or sizes[0] < MIN_PLAYERS or sizes[-1] > MAX_PLAYERS_PREMIUM:
        raise click.BadParameter(
            f"{players!r} is not a number from {MIN_PLAYERS} to {MAX_PLAYERS_PREMIUM}, "
            f"or a range such as {MIN_PLAYERS}-{MAX_PLAYERS_PREMIUM}.",
            param_hint="--players",
        )
    return sizes


def _check_plot(path: Path) -> None:
    """Before the games are played, not after."""
    from importlib.util import find_spec

    if find_spec("matplotlib") is None:
        _fail("--plot needs matplotlib: pip install 'varv[plot]'")
    if not path.absolute().parent.is_dir():
        _fail(f"There is no folder {path.absolute().parent} to write {path.name} in.")


def _play(plan: "Plan", workers: int) -> "Tally":
    """Play with a progress bar. How long it took is told on standard error only."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, Progress, TimeRemainingColumn

    from varv.bots.simulate import simulate as play_games
    from varv.bots.tally import Tally

    total = Tally()
    start = time.perf_counter()
    columns = ("{task.description}", BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    hidden = not console.is_terminal
    with Progress(*columns, console=console, transient=True, disable=hidden) as progress:
        task = progress.add_task("games", total=plan.games)
        for batch in play_games(plan, workers):
            total.add(batch)
            progress.update(task, completed=total.games)
    seconds = time.perf_counter() - start
    click.echo(
        f"{total.games:,} games in {seconds:.1f} s: {total.games / seconds:.0f} games/s, "
        f"{total.commands / seconds:,.0f} commands/s",
        err=True,
    )
    return total
