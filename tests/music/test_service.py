"""What the rest of the program asks of music, on a fresh data folder without a network."""

import asyncio
import os
import random
import time
from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.music.messy import tagged
from tests.music.worlds import request

from varv.music import audio, service
from varv.music.catalogue import Catalogue, Changes
from varv.music.identity import song_id
from varv.music.model import (
    CatalogueSong,
    Flag,
    Membership,
    Mix,
    PassedOver,
    Recording,
    RecordingKind,
    RecordingMissing,
    YearSource,
)
from varv.music.service import Music
from varv.rules.candidates import valid
from varv.rules.model import Draw, DrawRequest


async def drawn(music: Music, asked: DrawRequest, passed: list[PassedOver] | None = None) -> Draw:
    made = await music.draw(asked, random.Random(1), passed)
    assert isinstance(made, Draw), made
    return made


@pytest.fixture
async def music(catalogue: Catalogue, tmp_path: Path) -> AsyncIterator[Music]:
    music = Music(catalogue, tmp_path)
    yield music
    await music.close()


async def own_mix(catalogue: Catalogue, folder: Path, count: int = 24) -> list[Path]:
    """A mix of files that all sound the same."""
    os.mkdir(folder)  # noqa: PTH102 - in an async function
    songs, recordings, paths = [], [], []
    for n in range(count):
        title, artist = f"Song {n:02}", f"Artist {n:02}"
        identity = song_id(title, artist)
        songs.append(CatalogueSong(identity, title, artist, 1980 + n, YearSource.USER))
        path = folder / f"{n:02}.mp3"
        path.write_bytes(tagged("mp3", {"title": title}))
        paths.append(path)
        recordings.append(Recording(f"r{n:02}", identity, RecordingKind.FILE, str(path)))
    await catalogue.apply(
        Changes(
            songs=tuple(songs),
            recordings=tuple(recordings),
            mixes=(Mix("own", "Own"),),
            members=tuple(Membership("own", song.id) for song in songs),
        )
    )
    return paths


@pytest.mark.rule("MUS-02", "VIEW-06")
async def test_the_demo_plays_on_a_fresh_data_folder(music: Music) -> None:
    await music.open()
    first, *others = await music.mixes()
    assert (first.id, first.playable, first.premium) == ("demo", True, False)
    assert first.songs >= 40
    assert 1600 <= first.years[0] < first.years[1] <= 1928
    assert not any(mix.playable for mix in others)
    assert {"all-time-hits", "80-tal"} <= {mix.id for mix in others}
    assert await music.mix("demo") == first
    assert await music.mix("nothing") is None
    played: frozenset[str] = frozenset()
    for _ in range(30):
        made = await drawn(music, request("demo", played=played, revealed=played))
        assert valid(made)
        assert made.song.id not in played
        played |= {made.song.id}
    clip = await music.clip(made.recording)
    assert clip.media_type == "audio/mpeg"
    assert clip.size == clip.path.stat().st_size
    name = clip.path.name.casefold()
    assert made.recording not in name
    assert len(name) == 32
    assert clip.path.suffix == ""


@pytest.fixture
def made(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The recordings that a clip has been made of, which is what takes time."""
    made = []
    real = audio.clip_of_file

    def count(path: str, recording: str) -> bytes:
        made.append(recording)
        return real(path, recording)

    monkeypatch.setattr(audio, "clip_of_file", count)
    return made


async def test_a_prepared_clip_is_there_at_once(
    music: Music, catalogue: Catalogue, tmp_path: Path, made: list[str]
) -> None:
    """Its first byte in under 50 ms, which is the best of a few times on a busy machine."""
    await own_mix(catalogue, tmp_path / "music")
    await music.prepare("r00")
    took = []
    for _ in range(10):
        start = time.perf_counter()
        clip = await music.clip("r00")
        with clip.path.open("rb") as file:
            file.read(1)
        took.append(time.perf_counter() - start)
    assert min(took) < 0.05
    again = Music(catalogue, tmp_path)
    assert await again.clip("r00") == clip
    assert made == ["r00"]


async def test_a_clip_is_made_once_however_many_ask(
    music: Music, catalogue: Catalogue, tmp_path: Path, made: list[str]
) -> None:
    await own_mix(catalogue, tmp_path / "music")
    waiting = [asyncio.create_task(music.clip("r01")) for _ in range(5)]
    await asyncio.sleep(0)
    waiting[0].cancel()
    clips = await asyncio.gather(*waiting[1:])
    assert made == ["r01"]
    assert len({clip.path for clip in clips}) == 1


@pytest.mark.rule("PRF-09")
async def test_a_song_that_cannot_be_played_is_passed_over_and_noted(
    music: Music, catalogue: Catalogue, tmp_path: Path
) -> None:
    paths = await own_mix(catalogue, tmp_path / "music")
    first = await drawn(music, request("own"))
    number = int(first.recording[1:])
    (tmp_path / "clips" / (await music.clip(first.recording)).path.name).unlink()
    paths[number].write_bytes(b"broken")
    passed: list[PassedOver] = []
    second = await drawn(music, request("own"), passed)
    assert second.song != first.song
    assert [note.song for note in passed] == [first.song.id]
    with pytest.raises(RecordingMissing):
        await music.clip(first.recording)
    with pytest.raises(RecordingMissing):
        await music.clip("never-heard-of")


async def test_a_song_is_found_however_many_files_are_gone(
    music: Music, catalogue: Catalogue, tmp_path: Path
) -> None:
    paths = await own_mix(catalogue, tmp_path / "music")
    for path in paths[:-1]:
        path.unlink()
    passed: list[PassedOver] = []
    assert (await drawn(music, request("own"), passed)).recording == "r23"
    assert len(passed) > service.TRIES


@pytest.mark.rule("MUS-01")
async def test_another_recording_of_the_same_song_takes_over(
    music: Music, catalogue: Catalogue, tmp_path: Path
) -> None:
    await own_mix(catalogue, tmp_path / "music")
    gone = tuple(
        Recording(f"x{n:02}", song.id, RecordingKind.FILE, "/gone.mp3", quality=999)
        for n, song in enumerate(await catalogue.songs())
    )
    await catalogue.apply(Changes(recordings=gone))
    passed: list[PassedOver] = []
    made = await drawn(music, request("own"), passed)
    assert made.recording.startswith("r")
    assert passed == []


async def test_a_change_of_the_catalogue_is_seen(
    music: Music, catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LOOK_AGAIN", 0.0)
    assert await music.mixes() == []
    await own_mix(catalogue, tmp_path / "music")
    assert [(mix.id, mix.songs, mix.playable) for mix in await music.mixes()] == [("own", 24, True)]
    unsure = CatalogueSong("s-new", "New", "Nobody", 1990, YearSource.UNSURE)
    await catalogue.apply(
        Changes(
            songs=(unsure,),
            recordings=(Recording("r-new", "s-new", RecordingKind.FILE, "/x"),),
            members=(Membership("own", "s-new"),),
        )
    )
    found = await music.mix("own")
    assert found is not None
    assert (found.songs, found.years) == (24, (1980, 2003))


async def test_the_next_song_is_drawn_and_prepared_ahead(
    music: Music, catalogue: Catalogue, tmp_path: Path, made: list[str]
) -> None:
    await own_mix(catalogue, tmp_path / "music")
    asked = request("own")
    await music.ahead(asked, random.Random(5))
    (ready,) = made
    first = await drawn(music, asked)
    await music.clip(first.recording)
    assert (first.recording, made) == (ready, [ready])
    others = [await drawn(music, asked) for _ in range(3)]
    assert any(other != first for other in others)


async def test_a_round_that_starts_early_waits_for_the_song_on_its_way(
    music: Music, catalogue: Catalogue, tmp_path: Path, made: list[str]
) -> None:
    """Not for another one, which would be begun later and take as long."""
    await own_mix(catalogue, tmp_path / "music")
    asked = request("own")
    ahead = [asyncio.create_task(music.ahead(asked, random.Random(n))) for n in range(2)]
    await asyncio.sleep(0)
    first = await drawn(music, asked)
    await music.clip(first.recording)
    await asyncio.gather(*ahead)
    assert made == [first.recording]


async def test_flags_reach_the_operator(music: Music) -> None:
    await music.flag("s1", "it was 1973", "K7QX", 4)
    (flag,) = await music.flags()
    assert flag == Flag("s1", "K7QX", 4, "it was 1973", flag.at)
