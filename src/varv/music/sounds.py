"""Where the sound of a recording comes from, by its kind."""

from collections.abc import Callable

from varv.music import audio, demo
from varv.music.model import Recording, RecordingKind, RecordingMissing
from varv.music.paths import from_text
from varv.music.previews import Previews


def may_fail(recording: Recording) -> bool:
    """A file may be gone and a service down; the demo is made here."""
    return recording.kind is not RecordingKind.DEMO


async def source(recording: Recording, previews: Previews | None) -> Callable[[], bytes]:
    """What makes the clip: work for a thread. What needs the network is fetched here and now."""
    if recording.kind is RecordingKind.DEMO:
        return lambda: _demo(recording.locator)
    if recording.kind is RecordingKind.FILE:
        path = from_text(recording.locator)
        return lambda: audio.clip_of_file(path, recording.id)
    if previews is None:
        raise RecordingMissing("previews are turned off")
    content = await previews.fetch(recording.locator)
    return lambda: audio.clip_of_bytes(content, recording.id)


def _demo(melody: str) -> bytes:
    for found in demo.melodies():
        if found.id == melody:
            return audio.clip_of_sound(demo.render(found).T, demo.SAMPLE_RATE)
    raise RecordingMissing("this melody is no longer in the demo")
