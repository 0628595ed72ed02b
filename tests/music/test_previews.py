"""Previews, asked of a stand-in on this machine; when it is down, no round is broken."""

import asyncio
import os
import random
from pathlib import Path
from typing import Any

import pytest
from tests.music.messy import tagged
from tests.music.standin import Answer, StandIn, standing_in
from tests.music.worlds import request
from tests.patience import becomes

from varv.music import service
from varv.music.catalogue import Catalogue, Changes
from varv.music.finding import find_previews
from varv.music.model import (
    CatalogueSong,
    Membership,
    Mix,
    PassedOver,
    Recording,
    RecordingKind,
    RecordingMissing,
    YearSource,
)
from varv.music.previews import Previews, PreviewsDown
from varv.music.service import Music
from varv.rules.model import Draw
from varv.rules.refusals import Reason

SOUND = tagged("mp3", {"title": "Hemligtitel", "artist": "Hemligartist"})


def track(number: int, title: str, artist: str, **more: Any) -> dict[str, Any]:
    sound = {"preview": "https://cdn.example/old-and-expired.mp3"}
    return {"id": number, "title": title, "artist": {"id": 1, "name": artist}, **sound, **more}


class Deezer:
    """A stand-in that signs a new address for every question and lets it be used once."""

    def __init__(self, *tracks: dict[str, Any]) -> None:
        self.tracks = {row["id"]: row for row in tracks}
        self.signed: set[str] = set()
        self.url = ""

    def __call__(self, path: str, query: dict[str, str]) -> Answer:
        if path == "/search":
            rows = [t for t in self.tracks.values() if t["title"].split(" (")[0] in query["q"]]
            return 200, {"data": rows, "total": len(rows)}
        if path.startswith("/track/"):
            row = self.tracks.get(int(path.rpartition("/")[2]))
            if row is None:
                return 200, {"error": {"type": "DataException", "message": "no data", "code": 800}}
            address = f"/sound/{len(self.signed)}"
            self.signed.add(address)
            return 200, {**row, "preview": self.url + address}
        if path in self.signed:
            self.signed.remove(path)
            self.signed.add("used")
            return 200, SOUND
        return 403, b""


async def test_finds_the_right_track() -> None:
    deezer = Deezer(
        track(1, "Waterloo (Karaoke)", "Party Singers"),
        track(2, "Waterloo", "ABBA", preview=""),
        track(4, "Waterloo (Live at Wembley Arena)", "ABBA"),
        track(5, "Waterloo", "ABBA", album={"id": 9, "title": "Live at Wembley Arena"}),
        track(6, "Waterloo (Club Remix)", "ABBA", album=None),
        track(3, "Waterloo (Remastered 2014)", "Abba", album={"id": 8, "title": "Waterloo"}),
    )
    with standing_in(deezer) as server:
        previews = Previews(server.url)
        found = await previews.find("Waterloo", "ABBA")
        assert found is not None
        assert found.id == "3"
        assert server.asked == [("/search", {"q": 'artist:"ABBA" track:"Waterloo"', "limit": "10"})]
        assert await previews.find("Fernando", "ABBA") is None
        await previews.close()


async def test_every_performance_gets_a_fresh_address() -> None:
    deezer = Deezer(track(7, "Waterloo", "ABBA"))
    with standing_in(deezer) as server:
        deezer.url = server.url
        previews = Previews(server.url)
        assert await previews.fetch("7") == SOUND
        assert await previews.fetch("7") == SOUND
        sounds = [path for path, _ in server.asked if path.startswith("/sound/")]
        assert len(set(sounds)) == 2
        with pytest.raises(RecordingMissing, match="no longer offered"):
            await previews.fetch("8")
        assert not previews.down
        await previews.close()


@pytest.mark.parametrize(
    "address", ["", None, "http://10.0.0.1/x", "file:///etc/passwd", "https://evil.example/x.mp3"]
)
async def test_an_answer_cannot_send_us_elsewhere(address: str | None) -> None:
    with standing_in(lambda *_: (200, {"id": 7, "preview": address})) as server:
        previews = Previews(server.url)
        with pytest.raises(RecordingMissing, match="no longer offered"):
            await previews.fetch("7")
        assert len(server.asked) == 1
        await previews.close()


@pytest.mark.parametrize(
    "answer", [(500, {}), (200, b"<html>"), (200, {"error": {"code": 4, "message": "Quota"}})]
)
async def test_a_service_in_trouble_is_left_alone_for_a_while(answer: Answer) -> None:
    with standing_in(lambda *_: answer) as server:
        previews = Previews(server.url)
        for _ in range(3):
            with pytest.raises(PreviewsDown):
                await previews.fetch("7")
        assert previews.down
        assert len(server.asked) == 1
        await previews.close()


async def catalogue_with(catalogue: Catalogue, folder: Path, files: int) -> None:
    """A mix of 40 songs, the first of which have a file."""
    os.makedirs(folder)  # noqa: PTH103 - in an async function
    songs = [
        CatalogueSong(f"s{n:02}", f"Song {n:02}", f"Artist {n:02}", 1980, YearSource.CURATED)
        for n in range(40)
    ]
    recordings = []
    for n in range(files):
        path = os.path.join(folder, f"{n}.mp3")  # noqa: PTH118
        with open(path, "wb") as file:  # noqa: PTH123, ASYNC230
            file.write(SOUND)
        recordings.append(Recording(f"r{n:02}", f"s{n:02}", RecordingKind.FILE, path))
    await catalogue.apply(
        Changes(
            songs=tuple(songs),
            recordings=tuple(recordings),
            mixes=(Mix("hits", "Hits"),),
            members=tuple(Membership("hits", song.id) for song in songs),
        )
    )


def forty() -> Deezer:
    return Deezer(*(track(n + 100, f"Song {n:02}", f"Artist {n:02}") for n in range(38)))


async def find(catalogue: Catalogue, server: StandIn) -> tuple[int, int]:
    previews = Previews(server.url)
    previews._throttle._gap = 0.0
    try:
        return await find_previews(catalogue, previews, lambda *_: None)
    finally:
        await previews.close()


async def test_previews_make_a_mix_playable(catalogue: Catalogue, tmp_path: Path) -> None:
    await catalogue_with(catalogue, tmp_path / "music", files=0)
    deezer = forty()
    with standing_in(deezer) as server:
        deezer.url = server.url
        assert await find(catalogue, server) == (40, 38)
        asked = len(server.asked)
        assert await find(catalogue, server) == (2, 0)
        assert len(server.asked) == asked  # misses are remembered too
        silent = Music(catalogue, tmp_path / "one")
        mix = await silent.mix("hits")
        assert mix is not None
        assert (mix.songs, mix.playable) == (0, False)
        music = Music(catalogue, tmp_path / "two", previews=Previews(server.url))
        mix = await music.mix("hits")
        assert mix is not None
        assert (mix.songs, mix.playable) == (38, True)
        made = await music.draw(request("hits"), random.Random(1))
        assert isinstance(made, Draw)
        clip = await music.clip(made.recording)
        content = clip.path.read_bytes()
        assert b"Hemlig" not in content
        await music.close()
    locators = {recording.locator for recording in await catalogue.recordings()}
    assert all(locator.isdigit() for locator in locators)  # ids are kept, addresses are not


async def test_when_it_is_down_songs_are_passed_over_and_the_host_is_told(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    await catalogue_with(catalogue, tmp_path / "music", files=2)
    deezer = forty()
    with standing_in(deezer) as server:
        deezer.url = server.url
        await find(catalogue, server)
        server.answer = lambda *_: (500, {})
        music = Music(catalogue, tmp_path, previews=Previews(server.url))
        passed: list[PassedOver] = []
        made = await music.draw(request("hits"), random.Random(3), passed)
        assert isinstance(made, Draw)
        assert made.song.id in ("s00", "s01")
        assert len(passed) == 1
        assert "does not answer" in passed[0].why
        await music.close()
        music = Music(catalogue, tmp_path, previews=Previews(server.url))
        await music.ahead(request("hits"), random.Random(3))
        told: list[PassedOver] = []
        assert isinstance(await music.draw(request("hits"), random.Random(3), told), Draw)
        assert len(told) == 1  # of what was passed over when it was drawn ahead
        everything = frozenset(["s00", "s01"])
        asked = request("hits", played=everything, this_round=everything)
        assert await music.draw(asked, random.Random(3)) is Reason.MIX_EXHAUSTED
        await music.close()


async def test_a_server_with_previews_finds_them_by_itself(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await catalogue_with(catalogue, tmp_path / "music", files=0)
    monkeypatch.setattr(service, "seed", lambda _: asyncio.sleep(0))
    with standing_in(forty()) as server:
        monkeypatch.setenv("VARV_DEEZER", server.url)
        previews = Previews()
        previews._throttle._gap = 0.0
        music = Music(catalogue, tmp_path, previews=previews)
        await music.open()
        assert music._finding is not None
        await music._finding
        assert len(await catalogue.recordings()) == 38
        await music.close()


async def test_a_server_that_starts_before_the_network_finds_them_later(
    catalogue: Catalogue, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    await catalogue_with(catalogue, tmp_path / "music", files=0)
    monkeypatch.setattr(service, "seed", lambda _: asyncio.sleep(0))
    monkeypatch.setattr(service, "FIND_AGAIN", 0.01)
    monkeypatch.setattr("varv.music.previews._REST", 0.0)
    deezer = forty()
    with standing_in(lambda *_: (500, {})) as server:
        previews = Previews(server.url)
        previews._throttle._gap = 0.0
        music = Music(catalogue, tmp_path, previews=previews)
        await music.open()
        await becomes(lambda: len(server.asked) >= 2)
        server.answer = deezer
        assert music._finding is not None
        await music._finding
        assert len(await catalogue.recordings()) == 38
        await music.close()


async def test_finding_stops_when_it_goes_down_and_keeps_what_it_has(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    await catalogue_with(catalogue, tmp_path / "music", files=0)
    deezer = forty()
    with standing_in(deezer) as server:
        server.answer = lambda path, query: (
            deezer(path, query) if len(server.asked) <= 10 else (500, {})
        )
        with pytest.raises(PreviewsDown):
            await find(catalogue, server)
    assert len(await catalogue.recordings()) == 10
