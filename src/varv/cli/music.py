"""`varv music …`: finding music, and looking after the catalogue. Imports wait until needed."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import click

from varv.cli.options import WHERE, hand_on, options, settings_of

if TYPE_CHECKING:
    from varv.music.catalogue import Catalogue
    from varv.music.model import Mix

PATH = click.Path(path_type=Path)
MIX = click.argument("mix", metavar="MIX")
MIX_NAME = click.option("--mix", metavar="NAME", help="Name of the mix to put songs into.")
_SLOWEST = 60


@click.group()
@options(*WHERE)
def app(**given: Any) -> None:
    """Find music, and look after songs and mixes."""
    hand_on(given)


@app.command()
@click.argument("folders", metavar="DIR…", nargs=-1, type=PATH)
@MIX_NAME
@click.option("--musicbrainz", is_flag=True, help="Ask MusicBrainz for years (one per second).")
@click.option("--previews", default="off", help='"deezer": find previews for songs without a file.')
@click.option("--trust-dates", is_flag=True, help="Believe the dates of compilations too.")
@click.option("--live", is_flag=True, help="Take live versions too.")
@click.option("--report", type=PATH, help="Write what was decided about every file as CSV.")
@options(*WHERE)
def scan(
    folders: tuple[Path, ...],
    mix: str | None,
    musicbrainz: bool,
    previews: str,
    trust_dates: bool,
    live: bool,
    report: Path | None,
    **given: Any,
) -> None:
    """Find music files, read their tags, settle years, make recordings."""
    if previews not in ("off", "deezer"):
        raise click.BadParameter("takes off or deezer", param_hint="--previews")
    if not folders and not (musicbrainz or previews == "deezer"):
        raise click.BadParameter("name at least one folder", param_hint="DIR…")
    if report is not None and not report.parent.is_dir():
        raise click.BadParameter(f"there is no folder {report.parent}", param_hint="--report")
    pace = _pace() if musicbrainz else 1.0

    async def work() -> None:
        from varv.cli.scan_report import print_report, write_report
        from varv.music.scan import MY_MUSIC
        from varv.music.scan import scan as scan_folders

        async with _catalogue(given) as catalogue:
            if folders:
                with _progress("Reading") as progress:
                    result = await scan_folders(
                        catalogue,
                        list(folders),
                        mix=mix or MY_MUSIC,
                        trust_dates=trust_dates,
                        live=live,
                        progress=progress,
                    )
                print_report(result)
                if report is not None:
                    write_report(result, report)
            if musicbrainz:
                await _ask_musicbrainz(catalogue, pace)
            if previews == "deezer":
                await _find_previews(catalogue, mix)

    _run(work())


@app.command("import")
@click.argument("file", metavar="FILE.csv", type=PATH)
@MIX_NAME
@options(*WHERE)
def import_(file: Path, mix: str | None, **given: Any) -> None:
    """Put the songs of a table (title,artist,year,audio[,language,genre]) into a mix."""

    async def work() -> None:
        from varv.cli.scan_report import shown
        from varv.music.tables import TableError, import_table

        async with _catalogue(given) as catalogue:
            done = await import_table(catalogue, file, mix)
        for trouble in done.troubles:
            click.echo(shown(f"{file.name}, {trouble}"), err=True)
        if not done.songs:
            raise TableError(f"{file}: no song could be imported.")
        click.echo(
            f"Imported {done.songs} songs, {done.recordings} of them with sound, "
            f"into the mix {done.mix}"
        )

    _run(work())


@app.command()
@MIX
@click.option("--output", type=PATH, help="Write to this file.")
@click.option("--unsure", is_flag=True, help="Only songs whose year is not known, to fill in.")
@options(*WHERE)
def export(mix: str, output: Path | None, unsure: bool, **given: Any) -> None:
    """Print a mix as a table that `import` takes."""

    async def work() -> None:
        from varv.music.tables import export_mix

        async with _catalogue(given) as catalogue:
            found = await _mix(catalogue, mix)
            table = await export_mix(catalogue, found.id, unsure=unsure)
        if output is None:
            sys.stdout.write(table)
        else:
            await asyncio.to_thread(output.write_text, table, "utf-8")

    _run(work())


@app.command()
@options(*WHERE)
def mixes(**given: Any) -> None:
    """List the mixes: id, songs with a recording, years, whether they can be played, and kind."""

    async def work() -> None:
        from varv.music.library import read

        async with _catalogue(given) as catalogue:
            library = await read(catalogue, previews=True)
        infos = [info for mix in library.mixes if (info := library.info(mix))]
        width = max(len(info.id) for info in infos)
        for info in infos:
            years = f"{info.years[0]}–{info.years[1]}" if info.songs else ""
            state = "playable" if info.playable else "needs recordings"
            kind = f", {info.kind}" if info.premium else ""
            click.echo(
                f"{info.id:{width}}  {info.songs:5} songs  {years:9}  {state}{kind}  {info.name}"
            )

    _run(work())


@app.command()
@click.option("--clear-flags", is_flag=True, help="Forget the players' flags once listed.")
@options(*WHERE)
def check(clear_flags: bool, **given: Any) -> None:
    """List flags of players, doubtful years, duplicates and missing files."""

    async def work() -> None:
        from varv.cli.scan_report import shown
        from varv.music.checking import check as look

        async with _catalogue(given) as catalogue:
            findings = await look(catalogue)
            for finding in findings:
                click.echo(shown(f"{finding.kind}: {finding.text}"))
            if not findings:
                click.echo("Nothing to look at.")
            if clear_flags:
                for song in {flag.song for flag in await catalogue.flags()}:
                    await catalogue.clear_flags(song)

    _run(work())


@app.command()
@MIX
@click.option("--single", is_flag=True, help="Sold singly: for Premium owners it is granted to.")
@click.option("--off", is_flag=True, help="Make it a base mix again.")
@options(*WHERE)
def premium(mix: str, single: bool, off: bool, **given: Any) -> None:
    """Mark a mix as premium, as sold singly, or as base again (ENT-01)."""
    if single and off:
        raise click.BadParameter("say one of them, not both", param_hint="--single, --off")

    async def work() -> None:
        from msgspec.structs import replace

        from varv.music.catalogue import Changes
        from varv.music.model import MixKind

        kind = MixKind.SINGLE if single else MixKind.BASE if off else MixKind.PREMIUM
        async with _catalogue(given) as catalogue:
            found = await _mix(catalogue, mix)
            await catalogue.apply(Changes(mixes=(replace(found, kind=kind),)))
        click.echo(f"{found.id} is a {kind} mix now.")
        if single:
            click.echo(f"Owners with Premium get it by `varv grant OWNER mix {found.id}`.")

    _run(work())


class _Trouble(Exception):
    """Something to tell the user in one line."""


async def _mix(catalogue: "Catalogue", wanted: str) -> "Mix":
    """The mix of this id, or of this name."""
    from varv.music.identity import mix_id

    for mix in await catalogue.mixes():
        if mix.id in (wanted, mix_id(wanted)):
            return mix
    raise _Trouble(f"There is no mix {wanted!r}. `varv music mixes` lists them.")


@contextlib.asynccontextmanager
async def _catalogue(given: dict[str, Any]) -> "AsyncIterator[Catalogue]":
    """The catalogue of the store that the settings name, with what we ship in it."""
    from varv.music.seeding import seed
    from varv.web.wiring import make_catalogue, make_store

    settings = settings_of(given)
    settings.check()
    store = make_store(settings)
    await store.open()
    catalogue = make_catalogue(settings, store)
    try:
        await seed(catalogue)
        yield catalogue
    finally:
        await catalogue.close()
        await store.close()


def _run(work: Coroutine[Any, Any, None]) -> None:
    """Run a command; what goes wrong is one line on standard error (exit status 1)."""
    try:
        trouble = _trouble_of(work)
    except KeyboardInterrupt:
        trouble = "stopped; what was done so far is kept."
    finally:
        # Ctrl-C may come before it has begun.
        work.close()
    if trouble:
        click.echo(f"varv: {trouble}", err=True)
        raise click.exceptions.Exit(1)


def _trouble_of(work: Coroutine[Any, Any, None]) -> str:
    """What went wrong, if anything did, in the words of whoever noticed."""
    import sqlite3

    from varv.config import ConfigError
    from varv.music.model import RecordingMissing
    from varv.music.musicbrainz import MusicBrainzDown
    from varv.music.scan import ScanError
    from varv.music.tables import TableError
    from varv.stores.errors import StoreError

    said = _Trouble, ConfigError, StoreError, ScanError, TableError, MusicBrainzDown
    try:
        asyncio.run(work)
    except (*said, RecordingMissing) as error:
        return str(error)
    except OSError as error:
        return f"{error.filename}: {error.strerror}." if error.filename else str(error)
    except sqlite3.Error as error:
        return f"the database cannot be used ({error}). Check its permissions and free space."
    return ""


@contextlib.contextmanager
def _progress(what: str) -> Iterator[Callable[[int, int], None]]:
    """A bar on a terminal, nothing elsewhere."""
    from rich.console import Console
    from rich.progress import (
        BarColumn,
        MofNCompleteColumn,
        Progress,
        TextColumn,
        TimeRemainingColumn,
    )

    columns = (TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(*columns, console=console, disable=not console.is_terminal) as bar:
        task = bar.add_task(what)
        yield lambda done, total: bar.update(task, completed=done, total=total)


def _pace() -> float:
    given = os.environ.get("VARV_MUSICBRAINZ_PACE") or "1"
    try:
        pace = float(given)
    except ValueError:
        pace = -1.0
    if not 0 <= pace <= _SLOWEST:
        raise click.BadParameter(
            f"takes seconds from 0 to {_SLOWEST}, not {given!r}",
            param_hint="VARV_MUSICBRAINZ_PACE",
        )
    return pace


async def _ask_musicbrainz(catalogue: "Catalogue", pace: float) -> None:
    from varv.music.musicbrainz import MUSICBRAINZ, MusicBrainz, ask

    service = MusicBrainz(os.environ.get("VARV_MUSICBRAINZ") or MUSICBRAINZ, pace=pace)
    try:
        with _progress("Asking MusicBrainz") as progress:
            asked, answered = await ask(catalogue, service, progress)
    finally:
        await service.close()
    click.echo(f"MusicBrainz knew {answered} of {asked} years.")


async def _find_previews(catalogue: "Catalogue", mix: str | None) -> None:
    from varv.music.finding import find_previews
    from varv.music.previews import Previews, PreviewsDown

    wanted = (await _mix(catalogue, mix)).id if mix else None
    service = Previews()
    try:
        with _progress("Looking for previews") as progress:
            asked, found = await find_previews(catalogue, service, progress, wanted)
    except PreviewsDown as error:
        raise _Trouble(f"{error}. Try again later; what was found so far is kept.") from error
    finally:
        await service.close()
    click.echo(
        f"Found previews for {found} of {asked} songs. They play when the server runs with "
        "--previews deezer; Deezer's terms are between you and Deezer."
    )
