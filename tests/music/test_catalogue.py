"""The contract that every store of the catalogue keeps."""

import asyncio

import pytest

from varv.music.catalogue import Catalogue, Changes
from varv.music.model import (
    CatalogueSong,
    FileNote,
    Flag,
    Membership,
    Mix,
    MixKind,
    Origin,
    Recording,
    RecordingKind,
    World,
    YearClaim,
    YearSource,
)

WATERLOO = CatalogueSong(
    "s1", "Waterloo", "ABBA", 1974, YearSource.CURATED, "en", "pop", True, World.POP, Origin.SHIPPED
)
NIGHT = CatalogueSong("s2", "Ständchen ‘Leise’ 🎶", "Schubert", 0, YearSource.UNSURE)
EVERYTHING = Changes(
    songs=(WATERLOO, NIGHT),
    claims=(YearClaim("s1", YearSource.CURATED, 1974), YearClaim("s1", YearSource.USER, 1975, "x")),
    recordings=(Recording("r1", "s1", RecordingKind.FILE, "/music/a.mp3", 320, 166.5),),
    mixes=(Mix("rock", "Rock", 2), Mix("demo", "Demo", 0, MixKind.PREMIUM, Origin.SHIPPED)),
    members=(Membership("rock", "s1"), Membership("demo", "s1", Origin.SHIPPED)),
    files=(FileNote("/music/a.mp3", 2**40, 1_763_240_000_123_456_789, "added", "", "s1", "r1"),),
    meta=(("shipped", "v1"),),
)


@pytest.mark.rule("MUS-01")
async def test_keeps_what_it_is_given(any_catalogue: Catalogue) -> None:
    await any_catalogue.apply(EVERYTHING)
    assert await any_catalogue.songs() == [WATERLOO, NIGHT]
    assert await any_catalogue.claims() == list(EVERYTHING.claims)
    assert await any_catalogue.recordings() == list(EVERYTHING.recordings)
    assert [mix.id for mix in await any_catalogue.mixes()] == ["demo", "rock"]
    assert await any_catalogue.members() == [EVERYTHING.members[1], EVERYTHING.members[0]]
    assert await any_catalogue.files() == list(EVERYTHING.files)
    assert await any_catalogue.meta("shipped") == "v1"
    assert await any_catalogue.meta("other") is None


async def test_replaces_by_key(any_catalogue: Catalogue) -> None:
    await any_catalogue.apply(EVERYTHING)
    later = CatalogueSong("s1", "Waterloo", "ABBA", 1975, YearSource.USER)
    rock = Mix("rock", "Rock!", 2, MixKind.SINGLE)
    await any_catalogue.apply(Changes(songs=(later,), mixes=(rock,)))
    assert (await any_catalogue.songs())[0] == later
    assert rock in await any_catalogue.mixes()


async def test_what_is_gone_goes_first(any_catalogue: Catalogue) -> None:
    await any_catalogue.apply(EVERYTHING)
    await any_catalogue.apply(
        Changes(
            gone_songs=("s1", "s2"),
            songs=(NIGHT,),
            gone_claims=(("s1", "user"),),
            gone_recordings=("r1",),
            gone_members=(("rock", "s1"),),
            gone_files=("/music/a.mp3",),
        )
    )
    assert await any_catalogue.songs() == [NIGHT]
    assert await any_catalogue.claims() == [EVERYTHING.claims[0]]
    assert await any_catalogue.recordings() == []
    assert await any_catalogue.members() == [EVERYTHING.members[1]]
    assert await any_catalogue.files() == []


async def test_every_change_raises_the_generation(any_catalogue: Catalogue) -> None:
    before = await any_catalogue.generation()
    await any_catalogue.apply(EVERYTHING)
    await any_catalogue.apply(Changes())
    assert await any_catalogue.generation() == before + 2


async def test_a_change_is_whole_or_not_at_all(any_catalogue: Catalogue) -> None:
    before = await any_catalogue.generation()
    broken = Recording("r2", None, RecordingKind.FILE, "/x")  # type: ignore[arg-type]
    with pytest.raises(Exception, match=r"(?i)null"):
        await any_catalogue.apply(Changes(songs=(WATERLOO,), recordings=(broken,)))
    assert await any_catalogue.songs() == []
    assert await any_catalogue.generation() == before


async def test_changes_at_once_are_all_kept(any_catalogue: Catalogue) -> None:
    before = await any_catalogue.generation()
    songs = [CatalogueSong(f"t{n:02}", str(n), "Various", 1990, YearSource.USER) for n in range(20)]
    await asyncio.gather(*(any_catalogue.apply(Changes(songs=(song,))) for song in songs))
    assert await any_catalogue.songs() == songs
    assert await any_catalogue.generation() == before + 20


async def test_flags_are_kept_until_looked_at(any_catalogue: Catalogue) -> None:
    await any_catalogue.add_flag(Flag("s1", "K7QX", 3, "1973?", 200))
    await any_catalogue.add_flag(Flag("s2", "K7QX", 1, "", 100))
    await any_catalogue.add_flag(Flag("s1", "K7QX", 3, "I am sure: 1973", 300))
    assert await any_catalogue.flags() == [
        Flag("s2", "K7QX", 1, "", 100),
        Flag("s1", "K7QX", 3, "I am sure: 1973", 300),
    ]
    await any_catalogue.clear_flags("s1")
    assert await any_catalogue.flags() == [Flag("s2", "K7QX", 1, "", 100)]


async def test_remembers_answers_from_outside(any_catalogue: Catalogue) -> None:
    assert await any_catalogue.lookup("musicbrainz", "waterloo") is None
    await any_catalogue.remember("musicbrainz", "waterloo", "")
    assert await any_catalogue.lookup("musicbrainz", "waterloo") == ""
    await any_catalogue.remember("musicbrainz", "waterloo", "1974")
    assert await any_catalogue.lookup("musicbrainz", "waterloo") == "1974"
    assert await any_catalogue.lookup("deezer", "waterloo") is None
