"""Mixes as tables: `title,artist,year,audio` and optionally `language,genre`."""

import asyncio
import csv
import io
import re
from codecs import BOM_UTF16_BE, BOM_UTF16_LE
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from varv.music import tags, titles
from varv.music.catalogue import Catalogue, Changes
from varv.music.decisions import LONGEST
from varv.music.identity import mix_id, recording_id, song_id
from varv.music.matching import Index
from varv.music.model import (
    CatalogueSong,
    Membership,
    Mix,
    Recording,
    RecordingKind,
    YearClaim,
    YearSource,
)
from varv.music.paths import from_text, to_text
from varv.music.years import plausible, settle

COLUMNS = ("title", "artist", "year", "audio", "language", "genre")
NEEDED = COLUMNS[:3]
_FOUR_DIGITS = re.compile(r"[0-9]{4}\Z")


class TableError(Exception):
    """The table cannot be read at all; the message says what to do."""


class Imported(Struct):
    """What became of a table. `troubles` are lines with what is wrong with them."""

    mix: str
    songs: int = 0
    recordings: int = 0
    troubles: list[str] = []


class Line(Struct, frozen=True):
    """A line of a table, as it stands there."""

    number: int
    title: str
    artist: str
    year: str
    audio: str
    language: str
    genre: str


def read_table(path: Path) -> list[Line]:
    """The lines of a table; from spreadsheets too, which like semicolons and old encodings."""
    try:
        content = path.read_bytes()
    except OSError as error:
        raise TableError(f"{path} cannot be read: {error.strerror}.") from error
    text = _decoded(content).replace("\x00", "")
    header = text.split("\n", 1)[0]
    delimiter = max(",;\t", key=header.count)
    rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    try:
        names = [name.strip().casefold() for name in next(rows, [])]
        absent = [name for name in NEEDED if name not in names]
        if absent:
            raise TableError(
                f"{path} has no column {absent[0]!r}. The first line must name the columns: "
                f"{','.join(COLUMNS[:4])} and optionally language,genre."
            )
        lines = []
        for row in rows:
            cells = dict(zip(names, row, strict=False))
            if any(cell.strip() for cell in row):
                # A path is what it is: two spaces in it are two spaces.
                values = {name: titles.clean_text(cells.get(name)) for name in COLUMNS}
                values["audio"] = (cells.get("audio") or "").strip()
                lines.append(Line(rows.line_num, **values))
    except csv.Error as error:
        raise TableError(f"{path}, line {rows.line_num}: {error}.") from error
    return lines


def _decoded(content: bytes) -> str:
    """Text as programs write it: UTF-8, "Unicode" (UTF-16), or the encoding of old Windows."""
    encoding = "utf-16" if content[:2] in (BOM_UTF16_LE, BOM_UTF16_BE) else "utf-8-sig"
    try:
        return content.decode(encoding)
    except UnicodeDecodeError:
        return content.decode("cp1252", "replace")


async def import_table(catalogue: Catalogue, path: Path, mix: str | None = None) -> Imported:
    """Put the songs of a table into a mix; the years are the user's word (YearSource.USER)."""
    lines = await asyncio.to_thread(read_table, path)
    name = mix or path.stem
    importing = _Importing(
        Imported(mix_id(name)),
        path,
        Index(await catalogue.songs()),
        await catalogue.claims(),
    )
    for line in lines:
        await asyncio.to_thread(importing.add, line)
    done = importing.done
    done.songs = len(importing.songs)
    done.recordings = len(importing.recordings)
    if not importing.songs:
        return done
    known = any(found.id == done.mix for found in await catalogue.mixes())
    await catalogue.apply(
        Changes(
            songs=tuple(importing.songs.values()),
            claims=tuple(importing.claims.values()),
            recordings=tuple(importing.recordings.values()),
            mixes=() if known else (Mix(done.mix, name),),
            members=tuple(Membership(done.mix, song) for song in importing.songs),
        )
    )
    return done


class _Importing:
    def __init__(self, done: Imported, table: Path, index: Index, claims: list[YearClaim]) -> None:
        self.done = done
        self.songs: dict[str, CatalogueSong] = {}
        self.claims: dict[str, YearClaim] = {}
        self.recordings: dict[str, Recording] = {}
        self._folder = table.resolve().parent
        self._index = index
        self._known: dict[str, list[YearClaim]] = {}
        for claim in claims:
            self._known.setdefault(claim.song, []).append(claim)

    def add(self, line: Line) -> None:
        """One line; a trouble is noted, and the rest goes on."""
        if not (line.title and line.artist):
            self._trouble(line, "it has no title or no artist; left out")
            return
        if max(len(line.title), len(line.artist)) > LONGEST:
            self._trouble(line, f"its title or artist is over {LONGEST} letters long; left out")
            return
        found = self._index.exact(line.title, line.artist)
        song = found or CatalogueSong(
            song_id(line.title, line.artist), line.title, line.artist, 0, YearSource.UNSURE
        )
        song = replace(
            song,
            language=line.language.casefold() or song.language,
            genre=line.genre.casefold() or song.genre,
        )
        year = int(line.year) if _FOUR_DIGITS.match(line.year) else 0
        if line.year and not plausible(year):
            self._trouble(line, f"{line.year[:20]!r} is no year; left out")
            return
        if year:
            claim = YearClaim(song.id, YearSource.USER, year)
            others = [c for c in self._known.get(song.id, []) if c.source is not YearSource.USER]
            year, source = settle([*others, claim])
            song = replace(song, year=year, source=source)
            self.claims[song.id] = claim
        elif not song.sure:
            self._trouble(line, f"{line.title} has no year and is not in the catalogue; left out")
            return
        if song.id in self.songs:
            self._trouble(line, f"{line.title} is there twice; the last one counts")
        self.songs[song.id] = song
        self._index.add(song)
        if line.audio:
            self._add_audio(line, song)

    def _add_audio(self, line: Line, song: CatalogueSong) -> None:
        path = (self._folder / Path(line.audio).expanduser()).resolve()
        try:
            stat = path.stat()
        except (OSError, ValueError):
            self._trouble(line, f"there is no file {path}; the song has no sound")
            return
        found = tags.read(str(path))
        if found.trouble:
            self._trouble(line, f"{path}: {found.trouble}; the song has no sound")
            return
        text = to_text(str(path))
        content = f"{text}\x1f{stat.st_size}\x1f{stat.st_mtime_ns}"
        identity = recording_id(RecordingKind.FILE, content)
        self.recordings[identity] = Recording(
            id=identity,
            song=song.id,
            kind=RecordingKind.FILE,
            locator=text,
            quality=found.quality,
            seconds=found.seconds,
            isrc=found.isrc,
        )

    def _trouble(self, line: Line, what: str) -> None:
        self.done.troubles.append(f"line {line.number}: {what}")


async def export_mix(catalogue: Catalogue, mix: str, *, unsure: bool = False) -> str:
    """A mix as a table; with `unsure` only what lacks a year."""
    inside = {member.song for member in await catalogue.members() if member.mix == mix}
    files: dict[str, Recording] = {}
    for recording in await catalogue.recordings():
        best = files.get(recording.song)
        if recording.kind is RecordingKind.FILE and (
            best is None or recording.quality > best.quality
        ):
            files[recording.song] = recording
    out = io.StringIO(newline="")
    table = csv.writer(out, lineterminator="\n")
    table.writerow(COLUMNS)
    songs = [song for song in await catalogue.songs() if song.id in inside]
    for song in sorted(songs, key=lambda s: (s.year, s.artist.casefold(), s.title.casefold())):
        if unsure == song.sure:
            continue
        audio = from_text(files[song.id].locator) if song.id in files else ""
        year = song.year if song.sure else ""
        table.writerow([song.title, song.artist, year, audio, song.language, song.genre])
    return out.getvalue().encode("utf-8", "surrogateescape").decode("utf-8", "replace")
