"""`varv music …`: finding music, and looking after the catalogue. Imports wait until needed."""

import asyncio
import contextlib
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from varv.music.catalogue import Catalogue
    from varv.music.model import Mix

app = typer.Typer(
    name="music",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

Data = Annotated[str, typer.Option(help="Folder for the database and prepared sound.")]
Store = Annotated[str, typer.Option(help="sqlite:///FILE or postgresql://…")]
MixName = Annotated[str | None, typer.Option("--mix", help="Name of the mix to put songs into.")]

_SLOWEST = 60


@app.callback()
def music(data: Data = "", store: Store = "") -> None:
    """Find music, and look after songs and mixes."""
    # Options before a command are handed on through the environment.
    for name, value in (("VARV_DATA", data), ("VARV_STORE", store)):
        if value:
            os.environ[name] = value


@app.command()
def scan(
    folders: Annotated[list[Path] | None, typer.Argument(metavar="DIR…")] = None,
    mix: MixName = None,
    musicbrainz: Annotated[
        bool, typer.Option("--musicbrainz", help="Ask MusicBrainz for years (one per second).")
    ] = False,
    previews: Annotated[
        str, typer.Option(help='"deezer": find previews for songs without a file.')
    ] = "off",
    trust_dates: Annotated[
        bool, typer.Option("--trust-dates", help="Believe the dates of compilations too.")
    ] = False,
    live: Annotated[bool, typer.Option("--live", help="Take live versions too.")] = False,
    report: Annotated[
        Path | None, typer.Option(help="Write what was decided about every file as CSV.")
    ] = None,
    data: Data = "",
    store: Store = "",
) -> None:
    """Find music files, read their tags, settle years, make recordings."""
    if previews not in ("off", "deezer"):
        raise typer.BadParameter("takes off or deezer", param_hint="--previews")
    if not folders and not (musicbrainz or previews == "deezer"):
        raise typer.BadParameter("name at least one folder", param_hint="DIR…")
    if report is not None and not report.parent.is_dir():
        raise typer.BadParameter(f"there is no folder {report.parent}", param_hint="--report")
    pace = _pace() if musicbrainz else 1.0

    async def work() -> None:
        from varv.cli_scan_report import print_report, write_report
        from varv.music.scan import MY_MUSIC
        from varv.music.scan import scan as scan_folders

        async with _catalogue(data, store) as catalogue:
            if folders:
                with _progress("Reading") as progress:
                    result = await scan_folders(
                        catalogue,
                        folders,
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
def import_(
    file: Annotated[Path, typer.Argument(metavar="FILE.csv")],
    mix: MixName = None,
    data: Data = "",
    store: Store = "",
) -> None:
    """Put the songs of a table (title,artist,year,audio[,language,genre]) into a mix."""

    async def work() -> None:
        from varv.cli_scan_report import shown
        from varv.music.tables import TableError, import_table

        async with _catalogue(data, store) as catalogue:
            done = await import_table(catalogue, file, mix)
        for trouble in done.troubles:
            typer.echo(shown(f"{file.name}, {trouble}"), err=True)
        if not done.songs:
            raise TableError(f"{file}: no song could be imported.")
        typer.echo(
            f"Imported {done.songs} songs, {done.recordings} of them with sound, "
            f"into the mix {done.mix}"
        )

    _run(work())


@app.command()
def export(
    mix: Annotated[str, typer.Argument(metavar="MIX")],
    output: Annotated[Path | None, typer.Option(help="Write to this file.")] = None,
    unsure: Annotated[
        bool, typer.Option("--unsure", help="Only songs whose year is not known, to fill in.")
    ] = False,
    data: Data = "",
    store: Store = "",
) -> None:
    """Print a mix as a table that `import` takes."""

    async def work() -> None:
        from varv.music.tables import export_mix

        async with _catalogue(data, store) as catalogue:
            found = await _mix(catalogue, mix)
            table = await export_mix(catalogue, found.id, unsure=unsure)
        if output is None:
            sys.stdout.write(table)
        else:
            await asyncio.to_thread(output.write_text, table, "utf-8")

    _run(work())


@app.command()
def mixes(data: Data = "", store: Store = "") -> None:
    """List the mixes: id, songs with a recording, years, whether they can be played, and kind."""

    async def work() -> None:
        from varv.music.library import read

        async with _catalogue(data, store) as catalogue:
            library = await read(catalogue, previews=True)
        infos = [info for mix in library.mixes if (info := library.info(mix))]
        width = max(len(info.id) for info in infos)
        for info in infos:
            years = f"{info.years[0]}–{info.years[1]}" if info.songs else ""
            state = "playable" if info.playable else "needs recordings"
            kind = f", {info.kind}" if info.premium else ""
            typer.echo(
                f"{info.id:{width}}  {info.songs:5} songs  {years:9}  {state}{kind}  {info.name}"
            )

    _run(work())


@app.command()
def check(
    clear_flags: Annotated[
        bool, typer.Option("--clear-flags", help="Forget the players' flags after listing them.")
    ] = False,
    data: Data = "",
    store: Store = "",
) -> None:
    """List flags of players, doubtful years, duplicates and missing files."""

    async def work() -> None:
        from varv.cli_scan_report import shown
        from varv.music.checking import check as look

        async with _catalogue(data, store) as catalogue:
            findings = await look(catalogue)
            for finding in findings:
                typer.echo(shown(f"{finding.kind}: {finding.text}"))
            if not findings:
                typer.echo("Nothing to look at.")
            if clear_flags:
                for song in {flag.song for flag in await catalogue.flags()}:
                    await catalogue.clear_flags(song)

    _run(work())


@app.command()
def premium(
    mix: Annotated[str, typer.Argument(metavar="MIX")],
    single: Annotated[
        bool, typer.Option("--single", help="Sold singly: for Premium owners it is granted to.")
    ] = False,
    off: Annotated[bool, typer.Option("--off", help="Make it a base mix again.")] = False,
    data: Data = "",
    store: Store = "",
) -> None:
    """Mark a mix as premium, as sold singly, or as base again (ENT-01)."""
    if single and off:
        raise typer.BadParameter("say one of them, not both", param_hint="--single, --off")

    async def work() -> None:
        from msgspec.structs import replace

        from varv.music.catalogue import Changes
        from varv.music.model import MixKind

        kind = MixKind.SINGLE if single else MixKind.BASE if off else MixKind.PREMIUM
        async with _catalogue(data, store) as catalogue:
            found = await _mix(catalogue, mix)
            await catalogue.apply(Changes(mixes=(replace(found, kind=kind),)))
        typer.echo(f"{found.id} is a {kind} mix now.")
        if single:
            typer.echo(f"Owners with Premium get it by `varv grant OWNER mix {found.id}`.")

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
async def _catalogue(data: str, store: str) -> "AsyncIterator[Catalogue]":
    """The catalogue of the store that the settings name, with what we ship in it."""
    from msgspec.structs import replace

    from varv.config import from_environment
    from varv.music.seeding import seed
    from varv.stores.postgres import PostgresStore
    from varv.stores.postgres_catalogue import PostgresCatalogue
    from varv.stores.sqlite import SqliteStore
    from varv.stores.sqlite_catalogue import SqliteCatalogue

    given = {name: value for name, value in (("data", data), ("store", store)) if value}
    settings = replace(from_environment(), **given)
    settings.check()
    catalogue: Catalogue
    if settings.postgres:
        games = PostgresStore(settings.store)
        await games.open()
        catalogue = PostgresCatalogue(games.pool)
        closing = games.close
    else:
        file = SqliteStore(settings.database)
        await file.open()
        catalogue = SqliteCatalogue(settings.database)
        closing = file.close
    try:
        await seed(catalogue)
        yield catalogue
    finally:
        await catalogue.close()
        await closing()


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
        typer.echo(f"varv: {trouble}", err=True)
        raise typer.Exit(1)


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
        raise typer.BadParameter(
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
    typer.echo(f"MusicBrainz knew {answered} of {asked} years.")


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
    typer.echo(
        f"Found previews for {found} of {asked} songs. They play when the server runs with "
        "--previews deezer; Deezer's terms are between you and Deezer."
    )
