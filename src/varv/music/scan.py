"""Finding music in folders: only what is new is read, in parallel, and nothing is copied."""

import asyncio
import os
from collections import Counter
from collections.abc import Callable
from pathlib import Path

from msgspec import Struct

from varv.music.catalogue import Catalogue, Changes
from varv.music.decisions import Decider, Decision, Verdict
from varv.music.folders import Found, Walk, below, walk
from varv.music.identity import mix_id, recording_id
from varv.music.model import (
    CatalogueSong,
    FileNote,
    Membership,
    Mix,
    Origin,
    Recording,
    RecordingKind,
    YearSource,
)
from varv.music.paths import from_text
from varv.music.reading import read_all
from varv.music.settling import trust_unsure
from varv.music.tags import Tags
from varv.music.years import TRUSTED

MY_MUSIC = "My music"
BATCH = 2000
Progress = Callable[[int, int], None]


def silent(_done: int, _total: int) -> None:
    """Progress that nobody looks at."""


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
    gone: int = 0
    rows: list[Row] = []
    """About the files that were read."""
    unchanged: list[Row] = []
    """About the others: what was decided when they were."""
    closed: list[str] = []
    """Folders that could not be looked into; what is known of them stays."""

    @property
    def counts(self) -> Counter[Verdict]:
        """How many files of each verdict, among those that were read."""
        return Counter(row.verdict for row in self.rows)


class ScanError(Exception):
    """The scan cannot be done; the message says what to do."""


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
    seen = await asyncio.to_thread(walk, roots)
    shut = [str(root) for root in roots if str(root) in seen.closed]
    if shut:
        raise ScanError(f"{shut[0]} cannot be opened. Check that you may read it.")
    report = Report(mix_id(mix), files=len(seen.files), closed=sorted(seen.closed))
    scanning = _Scanning(catalogue, report, known)
    await scanning.forget(roots, seen)
    songs = {song.id: song for song in await catalogue.songs()}
    decider = Decider(songs.values(), await catalogue.claims(), trust_dates=trust_dates, live=live)
    new = {}
    for file in seen.files.values():
        note = known.get(file.text)
        if note is None or not _stands(note, file, live=live):
            new[file.path] = file
        else:
            report.unchanged.append(_row_of(note, songs.get(note.song)))
    waiting = {file.text for file in new.values()}
    for note in known.values():
        if note.song and Verdict(note.verdict).plays and note.path not in waiting:
            decider.heard(note.song, note.path)
    await scanning.begin(mix, {known[row.path].song for row in report.unchanged})
    progress(0, len(new))
    async for part in read_all(sorted(new), workers or os.cpu_count() or 1):
        for tags in part:
            scanning.add(new[tags.path], tags, decider.decide(tags))
        await scanning.save(BATCH)
        progress(len(report.rows), len(new))
    await scanning.save(1)
    await scanning.finish()
    if trust_dates:
        await trust_unsure(catalogue)
    return report


def _stands(note: FileNote, file: Found, *, live: bool) -> bool:
    """Whether what was decided about a file holds: it is the same, and the same is wanted."""
    same = (note.size, note.modified) == (file.size, file.modified)
    return same and not (live and note.verdict == Verdict.LIVE)


def _row_of(note: FileNote, song: CatalogueSong | None) -> Row:
    verdict = Verdict(note.verdict)
    if song is None:
        return Row(note.path, verdict, note.detail)
    return Row(note.path, verdict, note.detail, song.title, song.artist, song.year, song.source)


class _Scanning:
    """Rows on their way into the catalogue."""

    def __init__(self, catalogue: Catalogue, report: Report, known: dict[str, FileNote]) -> None:
        self._catalogue = catalogue
        self._report = report
        self._known = known
        self._pending: list[tuple[Found, Tags, Decision]] = []
        self._saving: asyncio.Task[None] | None = None
        self._left: set[str] = set()
        """Songs that have lost a file."""

    async def begin(self, mix: str, songs: set[str]) -> None:
        """The mix must be there before its songs; those of files that have not changed join it."""
        mixes = () if await self._has_mix() else (Mix(self._report.mix, mix),)
        inside = await self._catalogue.members() if songs - {""} else []
        already = {member.song for member in inside if member.mix == self._report.mix}
        joining = sorted(songs - already - {""})
        members = tuple(Membership(self._report.mix, song) for song in joining)
        if mixes or members:
            await self._catalogue.apply(Changes(mixes=mixes, members=members))

    async def _has_mix(self) -> bool:
        return any(found.id == self._report.mix for found in await self._catalogue.mixes())

    async def forget(self, roots: list[Path], seen: Walk) -> None:
        """Files that are no longer there. A folder that is suddenly empty is rather a lost disk."""
        found = {file.text for file in seen.files.values()}
        gone: dict[str, FileNote] = {}
        for root in roots:
            inside = [
                note
                for note in self._known.values()
                if (path := from_text(note.path)).startswith(below(root)) and not seen.hides(path)
            ]
            lost = {note.path: note for note in inside if note.path not in found}
            if inside and len(lost) == len(inside):
                raise ScanError(
                    f"None of the {len(inside)} files known in {root} is there any more. If a disk "
                    "is missing, mount it; if they are really gone, put one file there and scan."
                )
            gone |= lost
        self._report.gone = len(gone)
        if gone:
            await self._catalogue.apply(
                Changes(
                    gone_files=tuple(gone),
                    gone_recordings=tuple(n.recording for n in gone.values() if n.recording),
                )
            )
        for path, note in gone.items():
            del self._known[path]
            self._left.add(note.song)

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
            await self._saved()
            self._saving = asyncio.create_task(self._save())

    async def finish(self) -> None:
        """Until everything is durable; then songs that only a lost file spoke of are forgotten.

        A title put right would otherwise leave the wrong one behind, as an option beside it.
        """
        await self._saved()
        if not self._left:
            return
        heard = {recording.song for recording in await self._catalogue.recordings()}
        claims = [c for c in await self._catalogue.claims() if c.song in self._left - heard]
        said = {c.song for c in claims if c.source is YearSource.USER and c.detail != TRUSTED}
        lost = {
            song.id
            for song in await self._catalogue.songs()
            if song.id in self._left - heard - said and song.origin is Origin.USER
        }
        members = [m for m in await self._catalogue.members() if m.song in lost]
        if lost:
            await self._catalogue.apply(
                Changes(
                    gone_songs=tuple(lost),
                    gone_claims=tuple((c.song, c.source) for c in claims if c.song in lost),
                    gone_members=tuple((m.mix, m.song) for m in members),
                )
            )

    async def _saved(self) -> None:
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
                self._left.add(old.song)
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
