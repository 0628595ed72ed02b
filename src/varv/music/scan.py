"""Finding music in folders: only what is new is read, in parallel, and nothing is copied."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from varv.music.catalogue import Catalogue, Changes
from varv.music.decisions import Decider, Decision, Verdict
from varv.music.identity import mix_id, recording_id
from varv.music.model import FileNote, Membership, Mix, Recording, RecordingKind
from varv.music.paths import to_text
from varv.music.reading import read_all
from varv.music.settling import trust_unsure
from varv.music.tags import EXTENSIONS, Tags

MY_MUSIC = "My music"
BATCH = 2000
Progress = Callable[[int, int], None]


def silent(_done: int, _total: int) -> None:
    """Progress that nobody looks at."""


class Found(Struct, frozen=True, gc=False):
    """A file as the folder lists it."""

    path: str
    size: int
    modified: int
    text: str
    """The path as the catalogue keeps it."""


class Row(Struct, frozen=True, gc=False):
    """A line of the report."""

    path: str
    verdict: Verdict
    detail: str = ""
    title: str = ""
    artist: str = ""
    year: int = 0
    source: str = ""


class Report(Struct):
    """What a scan found and decided."""

    mix: str
    files: int = 0
    unchanged: int = 0
    gone: int = 0
    rows: list[Row] = []

    @property
    def counts(self) -> Counter[Verdict]:
        """How many files of each verdict, among those that were read."""
        return Counter(row.verdict for row in self.rows)


class ScanError(Exception):
    """The scan cannot be done; the message says what to do."""


def walk(folder: Path) -> Iterator[Found]:
    """Every music file below a folder, by name; what cannot be entered is passed by."""
    pending = [os.fspath(folder)]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    elif _extension(entry.name) in EXTENSIONS and entry.is_file():
                        stat = entry.stat()
                        yield Found(entry.path, stat.st_size, stat.st_mtime_ns, to_text(entry.path))
        except OSError:
            continue


def _extension(name: str) -> str:
    return name[name.rfind(".") :].lower() if "." in name else ""


async def scan(
    catalogue: Catalogue,
    folders: list[Path],
    *,
    mix: str = MY_MUSIC,
    trust_dates: bool = False,
    live: bool = False,
    progress: Progress = silent,
    workers: int | None = None,
) -> Report:
    """Bring the catalogue up to date with what is in these folders."""
    roots = [folder.expanduser().resolve() for folder in folders]
    missing = [str(root) for root in roots if not root.is_dir()]
    if missing:
        raise ScanError(f"There is no folder {missing[0]}. Check the path, or mount the disk.")
    known = {note.path: note for note in await catalogue.files()}
    found = await asyncio.to_thread(_found, roots)
    new = [file for file in found.values() if not _same(file, known.get(file.text))]
    report = Report(mix_id(mix), files=len(found), unchanged=len(found) - len(new))
    scanning = _Scanning(catalogue, report, known)
    await scanning.forget(roots, {file.text for file in found.values()})
    decider = Decider(
        await catalogue.songs(), await catalogue.claims(), trust_dates=trust_dates, live=live
    )
    by_path = {file.path: file for file in new}
    for note in known.values():
        if note.song and Verdict(note.verdict).plays and note.path not in by_path:
            decider.heard(note.song, note.path)
    await scanning.begin(mix)
    progress(0, len(new))
    async for part in read_all(sorted(by_path), workers or os.cpu_count() or 1):
        for tags in part:
            scanning.add(by_path[tags.path], tags, decider.decide(tags))
        await scanning.save(BATCH)
        progress(len(report.rows), len(new))
    await scanning.save(1)
    await scanning.saved()
    if trust_dates:
        await trust_unsure(catalogue)
    return report


def _found(roots: list[Path]) -> dict[str, Found]:
    return {file.path: file for root in roots for file in walk(root)}


def _same(file: Found, note: FileNote | None) -> bool:
    return note is not None and (note.size, note.modified) == (file.size, file.modified)


class _Scanning:
    """Rows on their way into the catalogue."""

    def __init__(self, catalogue: Catalogue, report: Report, known: dict[str, FileNote]) -> None:
        self._catalogue = catalogue
        self._report = report
        self._known = known
        self._pending: list[tuple[Found, Tags, Decision]] = []
        self._saving: asyncio.Task[None] | None = None

    async def begin(self, mix: str) -> None:
        """The mix must be there before its songs."""
        if all(found.id != self._report.mix for found in await self._catalogue.mixes()):
            await self._catalogue.apply(Changes(mixes=(Mix(self._report.mix, mix),)))

    async def forget(self, roots: list[Path], found: set[str]) -> None:
        """Files that are no longer there. A folder that is suddenly empty is rather a lost disk."""
        gone: list[FileNote] = []
        for root in roots:
            prefix = to_text(os.path.join(root, ""))  # noqa: PTH118 - keeps the final slash
            inside = [note for note in self._known.values() if note.path.startswith(prefix)]
            lost = [note for note in inside if note.path not in found]
            if inside and len(lost) == len(inside):
                raise ScanError(
                    f"None of the {len(inside)} files known in {root} is there any more. If a disk "
                    "is missing, mount it; if they are really gone, put one file there and scan."
                )
            gone += lost
        self._report.gone = len(gone)
        if gone:
            await self._catalogue.apply(
                Changes(
                    gone_files=tuple(note.path for note in gone),
                    gone_recordings=tuple(note.recording for note in gone if note.recording),
                )
            )
            for note in gone:
                self._known.pop(note.path, None)

    def add(self, file: Found, tags: Tags, decision: Decision) -> None:
        """One more file."""
        self._pending.append((file, tags, decision))
        song = decision.song
        self._report.rows.append(
            Row(
                path=file.text,
                verdict=decision.verdict,
                detail=decision.detail,
                title=song.title if song else tags.title,
                artist=song.artist if song else tags.artist,
                year=song.year if song else 0,
                source=song.source if song else "",
            )
        )

    async def save(self, at_least: int) -> None:
        """Begin to make what has been added durable, in batches: an interruption loses little."""
        if len(self._pending) >= at_least:
            await self.saved()
            self._saving = asyncio.create_task(self._save())

    async def saved(self) -> None:
        """Until what was begun is done."""
        if self._saving is not None:
            await self._saving

    async def _save(self) -> None:
        pending, self._pending = self._pending, []
        songs = {d.song.id: d.song for _, _, d in pending if d.song}
        claims = {(c.song, c.source): c for _, _, d in pending for c in d.claims}
        recordings, files, stale = [], [], []
        for file, tags, decision in pending:
            recording = _recording(file, tags, decision)
            if recording is not None:
                recordings.append(recording)
            old = self._known.get(file.text)
            if old is not None and old.recording:
                stale.append(old.recording)
            files.append(
                FileNote(
                    path=file.text,
                    size=file.size,
                    modified=file.modified,
                    verdict=decision.verdict,
                    detail=decision.detail,
                    song=decision.song.id if decision.song else "",
                    recording=recording.id if recording else "",
                )
            )
        await self._catalogue.apply(
            Changes(
                songs=tuple(songs.values()),
                claims=tuple(claims.values()),
                recordings=tuple(recordings),
                members=tuple(Membership(self._report.mix, song) for song in songs),
                files=tuple(files),
                gone_recordings=tuple(stale),
            )
        )


def _recording(file: Found, tags: Tags, decision: Decision) -> Recording | None:
    if decision.song is None:
        return None
    # A file with new content is another recording, so that no old clip of it is played.
    content = f"{file.text}\x1f{file.size}\x1f{file.modified}"
    return Recording(
        id=recording_id(RecordingKind.FILE, content),
        song=decision.song.id,
        kind=RecordingKind.FILE,
        locator=file.text,
        quality=tags.quality,
        seconds=tags.seconds,
        isrc=tags.isrc,
    )
