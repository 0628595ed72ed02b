"""`varv music …`: finding music, and looking after the catalogue. Imports wait until needed."""

import asyncio
import contextlib
import csv
import os
import sys
from collections.abc import AsyncIterator, Callable, Coroutine, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

if TYPE_CHECKING:
    from varv.music.catalogue import Catalogue
    from varv.music.scan import Report

app = typer.Typer(
    name="music",
    no_args_is_help=True,
    pretty_exceptions_enable=False,
)

Data = Annotated[str, typer.Option(help="Folder for the database and prepared sound.")]
Store = Annotated[str, typer.Option(help="sqlite:///FILE or postgresql://…")]
MixName = Annotated[str | None, typer.Option("--mix", help="Name of the mix to put songs into.")]

_MANY = 20


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

    async def work() -> None:
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
                _print_report(result, report)
            if musicbrainz:
                await _ask_musicbrainz(catalogue)
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
        from varv.music.tables import TableError, import_table

        async with _catalogue(data, store) as catalogue:
            done = await import_table(catalogue, file, mix)
        for trouble in done.troubles:
            typer.echo(f"{file.name}, {trouble}", err=True)
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
            table = await export_mix(catalogue, mix, unsure=unsure)
        if table is None:
            raise _no_mix(mix)
        if output is None:
            sys.stdout.write(table)
        else:
            await asyncio.to_thread(output.write_text, table, "utf-8")

    _run(work())


@app.command()
def mixes(data: Data = "", store: Store = "") -> None:
    """List the mixes: id, songs with a recording, years, and whether they can be played."""

    async def work() -> None:
        from varv.music.library import read

        async with _catalogue(data, store) as catalogue:
            library = await read(catalogue, previews=True)
        infos = [info for mix in library.mixes if (info := library.info(mix))]
        width = max(len(info.id) for info in infos)
        for info in infos:
            years = f"{info.years[0]}–{info.years[1]}" if info.songs else ""
            state = "playable" if info.playable else "needs recordings"
            premium = ", premium" if info.premium else ""
            typer.echo(
                f"{info.id:{width}}  {info.songs:5} songs  {years:9}  {state}{premium}  {info.name}"
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
        from varv.music.checking import check as look

        async with _catalogue(data, store) as catalogue:
            findings = await look(catalogue)
            for finding in findings:
                typer.echo(f"{finding.kind}: {finding.text}")
            if not findings:
                typer.echo("Nothing to look at.")
            if clear_flags:
                for song in {flag.song for flag in await catalogue.flags()}:
                    await catalogue.clear_flags(song)

    _run(work())


@app.command()
def premium(
    mix: Annotated[str, typer.Argument(metavar="MIX")],
    off: Annotated[bool, typer.Option("--off", help="Make it a base mix again.")] = False,
    data: Data = "",
    store: Store = "",
) -> None:
    """Mark a mix as premium (ENT-01)."""

    async def work() -> None:
        from msgspec.structs import replace

        from varv.music.catalogue import Changes

        async with _catalogue(data, store) as catalogue:
            found = [known for known in await catalogue.mixes() if known.id == mix]
            if not found:
                raise _no_mix(mix)
            await catalogue.apply(Changes(mixes=(replace(found[0], premium=not off),)))
        typer.echo(f"{mix} is a {'base' if off else 'premium'} mix now.")

    _run(work())


class _Trouble(Exception):
    """Something to tell the user in one line."""


def _no_mix(mix: str) -> _Trouble:
    return _Trouble(f"There is no mix {mix!r}. `varv music mixes` lists them.")


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
    from varv.config import ConfigError
    from varv.music.model import RecordingMissing
    from varv.music.musicbrainz import MusicBrainzDown
    from varv.music.scan import ScanError
    from varv.music.tables import TableError
    from varv.stores.errors import StoreError

    known = (
        _Trouble,
        ConfigError,
        StoreError,
        ScanError,
        TableError,
        MusicBrainzDown,
        RecordingMissing,
        OSError,
    )
    try:
        asyncio.run(work)
    except known as error:
        typer.echo(f"varv: {error}", err=True)
        raise typer.Exit(1) from None
    except KeyboardInterrupt:
        typer.echo("varv: stopped; what was done so far is kept.", err=True)
        raise typer.Exit(1) from None


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


async def _ask_musicbrainz(catalogue: "Catalogue") -> None:
    from varv.music.musicbrainz import MUSICBRAINZ, MusicBrainz, ask

    pace = float(os.environ.get("VARV_MUSICBRAINZ_PACE") or 1.0)
    service = MusicBrainz(os.environ.get("VARV_MUSICBRAINZ") or MUSICBRAINZ, pace=pace)
    try:
        with _progress("Asking MusicBrainz") as progress:
            asked, answered = await ask(catalogue, service, progress)
    finally:
        await service.close()
    typer.echo(f"MusicBrainz knew {answered} of {asked} years.")


async def _find_previews(catalogue: "Catalogue", mix: str | None) -> None:
    from varv.music.finding import find_previews
    from varv.music.identity import mix_id
    from varv.music.previews import Previews

    service = Previews()
    try:
        with _progress("Looking for previews") as progress:
            wanted = mix_id(mix) if mix else None
            asked, found = await find_previews(catalogue, service, progress, wanted)
    finally:
        await service.close()
    typer.echo(
        f"Found previews for {found} of {asked} songs. They play when the server runs with "
        "--previews deezer; Deezer's terms are between you and Deezer."
    )


def _print_report(result: "Report", file: Path | None) -> None:
    """How much of everything, and what was left out and why."""
    counts = result.counts
    typer.echo(
        f"{result.files} files: {len(result.rows)} read, {result.unchanged} unchanged, "
        f"{result.gone} gone since last time."
    )
    for verdict, count in counts.most_common():
        typer.echo(f"{count:7} {verdict}")
    left_out = [row for row in result.rows if not row.verdict.plays]
    if left_out:
        typer.echo("Left out:")
    for row in left_out[:_MANY]:
        typer.echo(f"  {row.path}: {row.verdict}, {row.detail}")
    if len(left_out) > _MANY:
        typer.echo(f"  … and {len(left_out) - _MANY} more; --report FILE.csv lists them all.")
    typer.echo(f"The mix is {result.mix}")
    if file is not None:
        with file.open("w", encoding="utf-8", newline="") as out:
            table = csv.writer(out)
            table.writerow(["path", "verdict", "detail", "title", "artist", "year", "source"])
            for row in result.rows:
                values = (row.path, row.verdict, row.detail, row.title, row.artist, row.year)
                table.writerow([*values, row.source])
