"""The catalogue in memory: what drawing needs, read once per change of the catalogue."""

from collections.abc import Iterable

from varv.music import pool
from varv.music.catalogue import Catalogue
from varv.music.model import CatalogueSong, Membership, Mix, MixInfo, Recording, RecordingKind
from varv.music.pool import Candidate, Pool
from varv.rules.model import Song

_PREFERRED = {kind: place for place, kind in enumerate(RecordingKind)}


class Library:
    """Songs prepared for drawing, by mix. Never changes: a new one is made when something has."""

    def __init__(
        self,
        generation: int,
        songs: Iterable[CatalogueSong],
        recordings: Iterable[Recording],
        mixes: Iterable[Mix],
        members: Iterable[Membership],
    ) -> None:
        """Songs of unsure year are left out: nobody could place them."""
        self.generation = generation
        self.recordings = {recording.id: recording for recording in recordings}
        self.mixes = {mix.id: mix for mix in mixes}
        by_song: dict[str, list[Recording]] = {}
        for recording in self.recordings.values():
            by_song.setdefault(recording.song, []).append(recording)
        self._songs = {
            song.id: _candidate(song, by_song.get(song.id, [])) for song in songs if song.sure
        }
        self._members: dict[str, set[str]] = {}
        for member in members:
            self._members.setdefault(member.mix, set()).add(member.song)
        self._pools: dict[str, Pool] = {}

    def song(self, song: str) -> Candidate | None:
        """A song that could be drawn or stand beside one."""
        return self._songs.get(song)

    def recordings_of(self, song: str) -> list[Recording]:
        """A song's recordings, the best first."""
        found = self._songs.get(song)
        return [self.recordings[recording] for recording in found.recordings] if found else []

    def only_previewed(self, mix: str) -> frozenset[str]:
        """Songs of a mix that are silent when the preview service is."""
        return frozenset(
            c.song.id
            for c in self.pool(mix).playable
            if self.recordings[c.recordings[0]].kind is RecordingKind.DEEZER
        )

    def pool(self, mix: str) -> Pool:
        """What a mix is drawn from; an unknown one is empty."""
        if mix not in self._pools:
            inside = self._members.get(mix, set())
            self._pools[mix] = Pool(
                members=[c for c in self._songs.values() if c.song.id in inside],
                others=[c for c in self._songs.values() if c.song.id not in inside],
            )
        return self._pools[mix]

    def info(self, mix: str) -> MixInfo | None:
        """A mix as people see it (MUS-02)."""
        found = self.mixes.get(mix)
        if found is None:
            return None
        songs = self.pool(mix).playable
        years = [c.song.year for c in songs or self.pool(mix).members]
        return MixInfo(
            id=found.id,
            name=found.name,
            songs=len(songs),
            years=(min(years, default=0), max(years, default=0)),
            playable=pool.playable(songs),
            kind=found.kind,
        )


def _candidate(song: CatalogueSong, recordings: list[Recording]) -> Candidate:
    best = sorted(recordings, key=lambda r: (_PREFERRED[r.kind], -r.quality, r.id))
    return pool.candidate(
        Song(song.id, song.title, song.artist, song.year),
        song.world,
        song.language,
        song.genre,
        tuple(recording.id for recording in best),
    )


async def read(catalogue: Catalogue, *, previews: bool = False) -> Library:
    """The catalogue as it is now. A change meanwhile gets a higher number and is read next time."""
    generation = await catalogue.generation()
    recordings = await catalogue.recordings()
    return Library(
        generation,
        await catalogue.songs(),
        [r for r in recordings if previews or r.kind is not RecordingKind.DEEZER],
        await catalogue.mixes(),
        await catalogue.members(),
    )
