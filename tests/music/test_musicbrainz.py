"""Years from MusicBrainz, asked of a stand-in on this machine."""

import time
from typing import Any

import pytest
from tests.music.standin import Answer, standing_in

from varv.music.catalogue import Catalogue, Changes
from varv.music.model import (
    CatalogueSong,
    FileNote,
    Recording,
    RecordingKind,
    YearClaim,
    YearSource,
)
from varv.music.musicbrainz import MusicBrainz, MusicBrainzDown, ask

ISRC = "SEAAA7700123"


def recording(title: str, artist: str, date: str, score: int = 100) -> dict[str, Any]:
    return {
        "id": "00000000-0000-0000-0000-000000000000",
        "score": score,
        "title": title,
        "artist-credit": [{"name": artist, "artist": {"name": artist}}],
        "first-release-date": date,
    }


def knows(*rows: dict[str, Any], isrc: list[dict[str, Any]] | None = None) -> Any:
    def answer(path: str, query: dict[str, str]) -> Answer:
        assert query["fmt"] == "json"
        if path == "/ws/2/recording":
            return 200, {"recordings": list(rows)}
        assert path == f"/ws/2/isrc/{ISRC}"
        return (200, {"isrc": ISRC, "recordings": isrc}) if isrc else (404, {"error": "Not Found"})

    return answer


SONG = recording("Dancing Queen", "ABBA", "1976-08-15")
ROWS = {
    "the oldest that matches": (
        [recording("Dancing Queen", "ABBA", "1992"), SONG],
        1976,
    ),
    "a remaster is the same song": (
        [recording("Dancing Queen (2001 remaster)", "Abba", "1976")],
        1976,
    ),
    "another artist's is not": ([recording("Dancing Queen", "A*Teens", "1999")], 0),
    "another song is not": ([recording("Dancing King", "ABBA", "1970")], 0),
    "a poor score is not": ([recording("Dancing Queen", "ABBA", "1976", score=80)], 0),
    "no date is no year": ([recording("Dancing Queen", "ABBA", "")], 0),
    "nonsense is no year": ([recording("Dancing Queen", "ABBA", "????-01")], 0),
    "nothing found": ([], 0),
}


@pytest.mark.parametrize(("rows", "year"), ROWS.values(), ids=ROWS)
async def test_the_year_of_first_release(rows: list[dict[str, Any]], year: int) -> None:
    with standing_in(knows(*rows)) as server:
        service = MusicBrainz(server.url, pace=0.0)
        assert await service.first_year("Dancing Queen", "ABBA") == year
        await service.close()
    ((_, query),) = server.asked
    assert query["query"] == 'recording:"Dancing Queen" AND artist:"ABBA"'
    assert all(agent.startswith("Varv/") for agent in server.agents)


async def test_the_older_of_name_and_isrc() -> None:
    old = recording("Dancing Queen", "ABBA", "1975")
    for by_isrc, year in (
        ([old], 1975),
        (None, 1976),
        ([recording("Other", "ABBA", "1960")], 1976),
    ):
        with standing_in(knows(SONG, isrc=by_isrc)) as server:
            service = MusicBrainz(server.url, pace=0.0)
            assert await service.first_year("Dancing Queen", "ABBA", ISRC) == year
            await service.close()


@pytest.mark.parametrize(
    "answer",
    [
        (200, {"recordings": [None, {"score": "x"}]}),
        (200, {"recordings": 7}),
        (400, {"error": "x"}),
    ],
)
async def test_odd_answers_are_no_answers(answer: Answer) -> None:
    with standing_in(lambda *_: answer) as server:
        service = MusicBrainz(server.url, pace=0.0)
        assert await service.first_year('A "Quoted" (Song)', "Us / Them") == 0
        await service.close()


@pytest.mark.parametrize("answer", [(200, b"<html>Log in</html>"), (200, []), (404, b"Not here")])
async def test_somebody_else_is_not_taken_for_it(catalogue: Catalogue, answer: Answer) -> None:
    """Nor is what they say remembered: the next try asks again."""
    await songs(catalogue)
    with standing_in(lambda *_: answer) as server:
        service = MusicBrainz(server.url, pace=0.0)
        for _ in range(2):
            with pytest.raises(MusicBrainzDown, match="Check VARV_MUSICBRAINZ"):
                await ask(catalogue, service, lambda *_: None)
        await service.close()
    assert len(server.asked) == 2


async def test_it_keeps_its_pace_and_backs_off_when_told() -> None:
    answers = [(503, {}), (503, {}), (200, {"recordings": [SONG]})]
    with standing_in(lambda *_: answers.pop(0)) as server:
        service = MusicBrainz(server.url, pace=0.05)
        start = time.monotonic()
        assert await service.first_year("Dancing Queen", "ABBA") == 1976
        assert time.monotonic() - start >= 0.15
        await service.close()
    with standing_in(lambda *_: (503, {})) as server:
        service = MusicBrainz(server.url, pace=0.001)
        with pytest.raises(MusicBrainzDown, match="503"):
            await service.first_year("Dancing Queen", "ABBA")
        await service.close()


async def songs(catalogue: Catalogue) -> None:
    """Three recorded songs: unsure, from a tag, and curated; and one without a recording."""
    rows = {"unsure": YearSource.UNSURE, "tag": YearSource.TAG_ALBUM, "curated": YearSource.CURATED}
    made = [CatalogueSong(name, name.title(), "Us", 1999, source) for name, source in rows.items()]
    await catalogue.apply(
        Changes(
            songs=(*made, CatalogueSong("silent", "Silent", "Us", 0, YearSource.UNSURE)),
            claims=tuple(YearClaim(song.id, song.source, song.year) for song in made),
            recordings=tuple(
                Recording(f"r-{song.id}", song.id, RecordingKind.FILE, "/x") for song in made
            ),
            files=(FileNote("/x", 1, 1, "unsure year", "", "unsure", "r-unsure"),),
        )
    )


async def test_only_doubtful_years_are_asked_about_and_only_once(catalogue: Catalogue) -> None:
    await songs(catalogue)
    progress: list[tuple[int, int]] = []

    def answer(path: str, query: dict[str, str]) -> Answer:
        found = "Unsure" in query["query"]
        return 200, {"recordings": [recording("Unsure", "Us", "1981-01-01")] if found else []}

    with standing_in(answer) as server:
        service = MusicBrainz(server.url, pace=0.0)
        asked = await ask(catalogue, service, lambda *step: progress.append(step))
        assert asked == (2, 1)
        assert len(server.asked) == 2
        assert await ask(catalogue, service, lambda *_: None) == (1, 0)
        assert len(server.asked) == 2
        await service.close()
    assert progress == [(1, 2), (2, 2)]
    years = {song.id: (song.year, song.source) for song in await catalogue.songs()}
    assert years["unsure"] == (1981, YearSource.MUSICBRAINZ)
    assert years["tag"] == (1999, YearSource.TAG_ALBUM)
    assert years["curated"] == (1999, YearSource.CURATED)
    assert [note.verdict for note in await catalogue.files()] == ["added"]


async def test_what_was_answered_is_kept_when_it_goes_down(catalogue: Catalogue) -> None:
    await songs(catalogue)
    with standing_in(lambda *_: (200, {"recordings": [recording("Tag", "Us", "1980")]})) as server:
        address = server.url
        service = MusicBrainz(address, pace=0.0)
        server.answer = lambda path, query: (
            (200, {"recordings": [recording("Tag", "Us", "1980")]})
            if "Tag" in query["query"]
            else (500, {})
        )
        with pytest.raises(MusicBrainzDown):
            await ask(catalogue, service, lambda *_: None)
        await service.close()
    years = {song.id: song.year for song in await catalogue.songs()}
    assert years["tag"] == 1980
    gone = MusicBrainz(address, pace=0.0)
    with pytest.raises(MusicBrainzDown, match="does not answer"):
        await gone.first_year("A", "B")
    await gone.close()
