"""Clips on disk: how much room they take, and who may share a folder."""

import asyncio
import os
from pathlib import Path

import pytest
from tests.music.messy import sound

from varv.music.clips import Clips
from varv.music.model import RecordingMissing


async def test_clips_take_only_so_much_room(tmp_path: Path) -> None:
    clips = Clips(tmp_path, max_bytes=2500)
    content = sound("wav")[:1000]
    for age, name in enumerate(("a", "b", "c")):
        clip = await clips.make(name, lambda: content)
        if name != "c":
            os.utime(clip.path, (1000 + age, 1000 + age))
    assert clips.ready("a") is None
    assert clips.ready("b") is not None
    assert clips.ready("c") is not None
    assert clips.ready("c", max_age=-1) is None


async def test_a_clip_that_cannot_be_kept_is_no_clip(tmp_path: Path) -> None:
    clips = Clips(tmp_path / "clips")
    assert clips.ready("a") is None
    for path in (tmp_path / "clips").iterdir():
        path.unlink()
    (tmp_path / "clips").rmdir()
    with pytest.raises(RecordingMissing, match="cannot be kept"):
        await clips.make("a", lambda: b"sound")


async def test_clips_of_two_servers_in_one_folder(tmp_path: Path) -> None:
    """They share a key, and neither minds what the other makes or tidies away."""
    one, other = Clips(tmp_path, max_bytes=2500), Clips(tmp_path, max_bytes=2500)
    names = [f"r{n}" for n in range(60)]
    for clips in (one, other):
        await asyncio.gather(*(clips.make(name, lambda: bytes(1000)) for name in names[:2]))
    assert one.ready("r1") == other.ready("r1") is not None
    await asyncio.gather(
        *(clips.make(name, lambda: bytes(1000)) for name in names for clips in (one, other))
    )
    left = os.listdir(tmp_path)  # noqa: PTH208 - in an async function
    assert "key" in left
    assert not [name for name in left if name.endswith(".part")]
    assert len(left) <= 4
