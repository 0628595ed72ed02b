"""What `varv music scan` says of a folder: on the terminal, and as a table of every file."""

import csv
from pathlib import Path

import click

from varv.music.decisions import Verdict
from varv.music.scan import Report

_MANY = 20
"""Files that are left out and named on the terminal, at most."""


def shown(text: str) -> str:
    """Text as it may be put on a terminal: names of files and players' notes can hold anything."""
    return "".join(c if c.isprintable() else "\N{REPLACEMENT CHARACTER}" for c in text)


def print_report(result: Report) -> None:
    """How much of everything, what was left out and why, and what can be done about it."""
    click.echo(
        f"{result.files} files: {len(result.rows)} read, {len(result.unchanged)} unchanged, "
        f"{result.gone} gone since last time."
    )
    for verdict, count in result.counts.most_common():
        click.echo(f"{count:7} {verdict}")
    left_out = [row for row in result.rows if not row.verdict.plays]
    if left_out:
        click.echo("Left out:")
    for row in left_out[:_MANY]:
        click.echo(shown(f"  {row.path}: {row.verdict}, {row.detail}"))
    if len(left_out) > _MANY:
        click.echo(f"  … and {len(left_out) - _MANY} more; --report FILE.csv lists them all.")
    for folder in result.closed:
        click.echo(shown(f"varv: {folder} cannot be opened. Check that you may read it."), err=True)
    if not result.files:
        click.echo("There is no music there: no MP3, M4A, AAC, FLAC, Ogg, Opus or WAV file.")
    if result.counts[Verdict.UNSURE]:
        click.echo(
            "Songs of unsure year are not played. --musicbrainz asks for their years, --trust-dates"
            f" believes their dates, `varv music export {result.mix} --unsure` makes a table to "
            "fill in."
        )
    click.echo(f"The mix is {result.mix}")


def write_report(result: Report, file: Path) -> None:
    """Every file, whether it was read this time or before."""
    rows = sorted((*result.rows, *result.unchanged), key=lambda row: row.path)
    with file.open("w", encoding="utf-8", newline="") as out:
        table = csv.writer(out)
        table.writerow(["path", "verdict", "detail", "title", "artist", "year", "source"])
        table.writerows(
            (r.path, r.verdict, r.detail, r.title, r.artist, r.year or "", r.source) for r in rows
        )
