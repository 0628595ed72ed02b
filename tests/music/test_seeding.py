"""What we ship comes once, is refreshed by an upgrade, and leaves alone what is the user's."""

import pytest
from msgspec.structs import replace

from varv.music.catalogue import Catalogue, Changes
from varv.music.identity import recording_id, song_id
from varv.music.model import (
    CatalogueSong,
    Membership,
    Mix,
    MixKind,
    Origin,
    Recording,
    RecordingKind,
    YearSource,
)
from varv.music.seeding import Shipment, seed, shipment, stamp
from varv.music.settling import YearClaim, add_claims


def shipped(title: str, year: int) -> CatalogueSong:
    identity = song_id(title, "Us")
    return CatalogueSong(identity, title, "Us", year, YearSource.CURATED, origin=Origin.SHIPPED)


ONE, TWO, THREE = shipped("One", 1971), shipped("Two", 1972), shipped("Three", 1973)
DEMO = Recording(recording_id("demo", "one"), ONE.id, RecordingKind.DEMO, "one")
MIX = Mix("ours", "Ours", 1, origin=Origin.SHIPPED)


def goods(*songs: CatalogueSong, recordings: tuple[Recording, ...] = ()) -> Shipment:
    members = tuple(Membership("ours", song.id, Origin.SHIPPED) for song in songs)
    return Shipment(songs, recordings, (MIX,), members)


async def test_a_second_start_changes_nothing(any_catalogue: Catalogue) -> None:
    assert await seed(any_catalogue, "1", lambda: goods(ONE, TWO, recordings=(DEMO,)))
    before = await any_catalogue.generation()
    assert not await seed(any_catalogue, "1", lambda: goods(ONE, TWO, recordings=(DEMO,)))
    assert await any_catalogue.generation() == before
    assert {song.year for song in await any_catalogue.songs()} == {1971, 1972}
    assert await any_catalogue.recordings() == [DEMO]


async def test_an_upgrade_refreshes_facts(catalogue: Catalogue) -> None:
    await seed(catalogue, "1", lambda: goods(ONE, TWO, recordings=(DEMO,)))
    await seed(catalogue, "2", lambda: goods(replace(TWO, year=1969), THREE))
    songs = {song.title: song.year for song in await catalogue.songs()}
    assert songs == {"Two": 1969, "Three": 1973}
    assert {member.song for member in await catalogue.members()} == {TWO.id, THREE.id}
    assert await catalogue.recordings() == []


async def test_an_upgrade_leaves_what_the_user_said(catalogue: Catalogue) -> None:
    await seed(catalogue, "1", lambda: goods(ONE, TWO))
    file = Recording("r1", ONE.id, RecordingKind.FILE, "/music/one.mp3")
    own = CatalogueSong("s-own", "Own", "Me", 1999, YearSource.USER)
    await catalogue.apply(
        Changes(
            songs=(own,),
            recordings=(file,),
            mixes=(Mix("party", "Party"),),
            members=(Membership("party", TWO.id), Membership("ours", own.id)),
        )
    )
    await add_claims(catalogue, [YearClaim(TWO.id, YearSource.USER, 1970)])
    await seed(catalogue, "2", lambda: goods(replace(TWO, year=1969), THREE))
    songs = {song.title: (song.year, song.source) for song in await catalogue.songs()}
    assert songs["Two"] == (1970, YearSource.USER)
    assert songs["Own"] == (1999, YearSource.USER)
    assert "One" in songs  # no longer shipped, but the user has a recording of it
    assert await catalogue.recordings() == [file]
    members = {(member.mix, member.song) for member in await catalogue.members()}
    assert {("party", TWO.id), ("ours", own.id)} <= members


@pytest.mark.rule("ENT-01")
@pytest.mark.parametrize("kind", MixKind)
async def test_an_upgrade_leaves_whose_a_mix_is(any_catalogue: Catalogue, kind: MixKind) -> None:
    await seed(any_catalogue, "1", lambda: goods(ONE))
    await any_catalogue.apply(Changes(mixes=(replace(MIX, kind=kind),)))
    newer = replace(MIX, name="All ours", kind=MixKind.PREMIUM)
    await seed(any_catalogue, "2", lambda: replace(goods(ONE), mixes=(newer,)))
    assert await any_catalogue.mixes() == [replace(newer, kind=kind)]


def test_what_we_ship_fits_together() -> None:
    ours = shipment()
    songs = {song.id for song in ours.songs}
    mixes = {mix.id for mix in ours.mixes}
    assert len(songs) == len(ours.songs)
    assert {recording.song for recording in ours.recordings} <= songs
    assert {(member.mix in mixes, member.song in songs) for member in ours.members} == {
        (True, True)
    }
    assert len(ours.recordings) >= 50
    assert ours.mixes[0].id == "demo"
    assert stamp() == stamp()


async def test_a_start_with_nothing_new_does_not_look_at_it(catalogue: Catalogue) -> None:
    assert await seed(catalogue)
    assert await catalogue.meta("shipped") == stamp()
    assert not await seed(catalogue, ship=lambda: pytest.fail("it looked"))
