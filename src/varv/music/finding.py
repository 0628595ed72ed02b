"""Finding previews for songs of the catalogue that have no sound of their own."""

from collections.abc import Callable

from varv.music.catalogue import Catalogue, Changes
from varv.music.identity import recording_id
from varv.music.keys import artist_key
from varv.music.model import CatalogueSong, Recording, RecordingKind, RecordingMissing, World
from varv.music.previews import Previews, PreviewsDown
from varv.rules.candidates import fold

SERVICE = "deezer"
_SAVE_EVERY = 50


async def find_previews(
    catalogue: Catalogue,
    previews: Previews,
    progress: Callable[[int, int], None],
    mix: str | None = None,
) -> tuple[int, int]:
    """Look for a preview of every song (of a mix) without a recording: (looked for, found).

    Raises PreviewsDown when the service stops answering; what was found is kept.
    """
    recorded = {recording.song for recording in await catalogue.recordings()}
    inside = {m.song for m in await catalogue.members() if mix is None or m.mix == mix}
    songs = [
        song
        for song in await catalogue.songs()
        if song.id in inside and song.id not in recorded and song.sure and song.world is World.POP
    ]
    new: list[Recording] = []
    found = 0
    try:
        for done, song in enumerate(songs, 1):
            track = await _track(catalogue, previews, song)
            if track:
                found += 1
                identity = recording_id(RecordingKind.DEEZER, track)
                new.append(Recording(identity, song.id, RecordingKind.DEEZER, track, seconds=30.0))
            if len(new) >= _SAVE_EVERY:
                await catalogue.apply(Changes(recordings=tuple(new)))
                new = []
            progress(done, len(songs))
    finally:
        if new:
            await catalogue.apply(Changes(recordings=tuple(new)))
    return len(songs), found


async def _track(catalogue: Catalogue, previews: Previews, song: CatalogueSong) -> str:
    """The id of the song's track, asked for once only; empty if there is none."""
    key = f"{fold(song.title)}\x1f{artist_key(song.artist)}"
    known = await catalogue.lookup(SERVICE, key)
    if known is None:
        try:
            track = await previews.find(song.title, song.artist)
        except PreviewsDown:
            raise
        except RecordingMissing:
            track = None
        known = track.id if track else ""
        await catalogue.remember(SERVICE, key, known)
    return known
