"""Reading many files in processes of their own, one of which may die."""

import asyncio
import os
import sys
from pathlib import Path
from typing import Any

import pytest
from tests.music.messy import sound, tagged

from varv.music import reading
from varv.music.tags import Tags

FRAGILE = f"""#!{sys.executable}
import os, sys
from varv.music import reader, tags

def read_many(paths):
    if any("killer" in path for path in paths):
        os._exit(9)
    return tags.read_many(paths)

reader.read_many = read_many
reader.main(sys.stdin.buffer, sys.stdout.buffer)
"""


def files(folder: Path, count: int) -> list[str]:
    content = tagged("mp3", {"title": "Söng", "artist": "Us"})
    paths = []
    for n in range(count):
        name = os.fsdecode(b"odd \xff.mp3") if n == 7 else f"{n:03} å.mp3"
        path = folder / ("killer.mp3" if n == 100 else name)
        path.write_bytes(content)
        paths.append(str(path))
    return paths


async def read(paths: list[str], workers: int = 2) -> list[Tags]:
    return [tags async for part in reading.read_all(paths, workers) for tags in part]


async def test_many_files_are_read_in_order(tmp_path: Path) -> None:
    paths = files(tmp_path, 3 * reading.CHUNK)
    found = await read(paths)
    assert [tags.path for tags in found] == paths
    assert {(tags.title, tags.trouble) for tags in found} == {("Söng", "")}


async def test_a_file_that_kills_its_reader_is_the_only_one_lost(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fragile = tmp_path / "fragile"
    fragile.write_text(FRAGILE)
    fragile.chmod(0o755)
    monkeypatch.setattr(reading.sys, "executable", str(fragile))
    paths = files(tmp_path, 3 * reading.CHUNK)
    found = await read(paths)
    assert [tags.path for tags in found] == paths
    assert [tags.path for tags in found if tags.trouble] == [str(tmp_path / "killer.mp3")]


async def test_a_reader_that_cannot_start_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(reading.sys, "executable", str(tmp_path / "nowhere"))
    with pytest.raises(OSError, match="nowhere"):
        await read(files(tmp_path, 3 * reading.CHUNK))


async def test_stopping_midway_leaves_no_process_behind(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    started: list[asyncio.subprocess.Process] = []
    start = asyncio.create_subprocess_exec

    async def keep(*command: Any, **how: Any) -> asyncio.subprocess.Process:
        started.append(await start(*command, **how))
        return started[-1]

    monkeypatch.setattr(asyncio, "create_subprocess_exec", keep)
    parts = reading.read_all(files(tmp_path, 4 * reading.CHUNK), 2)
    assert len(await anext(parts)) == reading.CHUNK
    await parts.aclose()
    assert started
    assert [process for process in started if process.returncode is None] == []


def test_unreadable_files_have_a_reason(tmp_path: Path) -> None:
    (tmp_path / "short.mp3").write_bytes(sound("mp3")[:100])
    names = ["short.mp3", "gone.mp3"]
    troubles = [t.trouble for t in reading.read_many([str(tmp_path / n) for n in names])]
    assert troubles[0] == "there is no sound in it that can be played"
    assert troubles[1].startswith("it cannot be opened")
