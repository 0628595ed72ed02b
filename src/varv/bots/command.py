"""`varv simulate` and `varv bots`, as plain functions that the command line mounts."""

import os
import time
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from varv.bots.simulate import Plan
    from varv.bots.tally import Tally

_WORTH_SHARING = 100
"""Fewer games than this are played before other processes have started."""


def simulate(
    edition: Annotated[str, typer.Option(help="The edition to play.")] = "oracle",
    players: Annotated[
        str, typer.Option(help="Players at a table: a number, or a range such as 3-10.")
    ] = "5",
    games: Annotated[int, typer.Option(min=1, help="How many games.")] = 1000,
    seed: Annotated[int, typer.Option(help="The same seed comes to the same output.")] = 1,
    plot: Annotated[
        Path | None, typer.Option(metavar="FILE.png", help="Draw what came out, too.")
    ] = None,
    cycles: Annotated[int, typer.Option(min=1, help="Cycles per game.")] = 3,
    skill: Annotated[
        str | None, typer.Option(help="Skill of all players; mixed if not given.")
    ] = None,
    mishaps: Annotated[
        bool, typer.Option("--mishaps", help="Players leave and songs are changed now and then.")
    ] = False,
    workers: Annotated[
        int | None, typer.Option(min=1, help="Processes; as many as there are cores if not given.")
    ] = None,
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
        typer.echo(f"Drawn in {plot}", err=True)


def bots(
    code: Annotated[str, typer.Argument(help="The join code of the game.")],
    count: Annotated[int, typer.Option(min=1, max=10, help="How many bots.")] = 1,
    url: Annotated[str, typer.Option(help="Where the game is served.")] = "http://127.0.0.1:8000",
    pace: Annotated[
        float, typer.Option(min=0, help="Seconds a bot thinks before it does something.")
    ] = 1.0,
    leads_on: Annotated[
        bool, typer.Option("--leads-on", help="A bot that has led also starts the next round.")
    ] = False,
) -> None:
    """Let bots join a running game through the public protocol."""
    import asyncio

    from varv.bots.remote import CannotPlay, Manner, play

    try:
        asyncio.run(play(url, code, count, Manner(pace, leads_on), say=typer.echo))
    except CannotPlay as error:
        _fail(str(error))


def _fail(message: str) -> None:
    typer.echo(message, err=True)
    raise typer.Exit(1)


def _editions() -> list[str]:
    from varv.rules.editions import EDITIONS

    return list(EDITIONS)


def _skills() -> list[str]:
    from varv.bots.skills import SKILLS

    return list(SKILLS)


def _one_of(option: str, value: str, known: list[str]) -> str:
    if value not in known:
        raise typer.BadParameter(f"{value!r} is not one of {', '.join(known)}.", param_hint=option)
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
        raise typer.BadParameter(
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
    typer.echo(
        f"{total.games:,} games in {seconds:.1f} s: {total.games / seconds:.0f} games/s, "
        f"{total.commands / seconds:,.0f} commands/s",
        err=True,
    )
    return total
