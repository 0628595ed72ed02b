"""Where the sound of a recording comes from, by its kind.

What makes sound (numpy, PyAV) is imported when the first clip is made, in its thread: a server is
ready before that.
"""

from collections.abc import Callable
from typing import TYPE_CHECKING

from varv.music import demo
from varv.music.model import Recording, RecordingKind, RecordingMissing
from varv.music.paths import from_text

if TYPE_CHECKING:
    from varv.music.previews import Previews


PREVIEW_KEEPS = 3600.0
"""Seconds a preview may be served before it is fetched again."""


def may_fail(recording: Recording) -> bool:
    """A file may be gone and a service down; the demo is made here."""
    return recording.kind is not RecordingKind.DEMO


def keeps(recording: Recording) -> float | None:
    """Seconds that a clip of it may be served; None is for ever."""
    return PREVIEW_KEEPS if recording.kind is RecordingKind.DEEZER else None


async def source(recording: Recording, previews: "Previews | None") -> Callable[[], bytes]:
    """What makes the clip: work for a thread. What needs the network is fetched here and now."""
    if recording.kind is RecordingKind.DEMO:
        return lambda: _demo(recording.locator)
    if recording.kind is RecordingKind.FILE:
        return lambda: _file(recording)
    if previews is None:
        raise RecordingMissing("previews are turned off")
    content = await previews.fetch(recording.locator)
    return lambda: _preview(content, recording.id)


def _file(recording: Recording) -> bytes:
    from varv.music import audio

    return audio.clip_of_file(from_text(recording.locator), recording.id)


def _preview(content: bytes, recording: str) -> bytes:
    from varv.music import audio

    return audio.clip_of_bytes(content, recording)


def _demo(melody: str) -> bytes:
    from varv.music import audio
    from varv.music.demo.studio import render
    from varv.music.demo.tones import SAMPLE_RATE

    for found in demo.melodies():
        if found.id == melody:
            return audio.clip_of_sound(render(found).T, SAMPLE_RATE)
    raise RecordingMissing("this melody is no longer in the demo")
