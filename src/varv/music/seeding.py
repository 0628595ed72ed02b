"""Putting what we ship into the catalogue: the demo mix and the hits.

It happens at the first start and again after an upgrade. What the user has said or added is never
touched.
"""

import hashlib
from collections.abc import Callable, Iterator
from importlib import resources
from importlib.resources.abc import Traversable

import msgspec

from varv.music import demo, hits
from varv.music.catalogue import Catalogue, Changes
from varv.music.identity import recording_id, song_id
from varv.music.model import (
    CatalogueSong,
    Membership,
    Mix,
    Origin,
    Recording,
    RecordingKind,
    World,
    YearClaim,
    YearSource,
)
from varv.music.years import settle

STAMP = "shipped"
DEMO_MIX = "demo"
DEMO_NAME = "Demo"
_FORM = "1"
"""Raise it when the same facts are to be stored differently."""


class Shipment(msgspec.Struct, frozen=True):
    """Everything we ship, as rows."""

    songs: tuple[CatalogueSong, ...]
    recordings: tuple[Recording, ...]
    mixes: tuple[Mix, ...]
    members: tuple[Membership, ...]


def stamp() -> str:
    """The same for the same files: a start with nothing new need not understand them."""
    digest = hashlib.blake2b(_FORM.encode(), digest_size=12)
    for package in (demo, hits):
        for content in sorted(_contents(resources.files(package))):
            digest.update(content)
    return digest.hexdigest()


def _contents(folder: Traversable) -> Iterator[bytes]:
    for entry in folder.iterdir():
        if entry.is_dir():
            yield from _contents(entry)
        elif entry.name.endswith((".py", ".csv", ".txt")):
            yield entry.read_bytes()


def shipment() -> Shipment:
    """The demo mix first: it is the one that always plays."""
    songs: dict[str, CatalogueSong] = {}
    recordings = []
    mixes = [Mix(DEMO_MIX, DEMO_NAME, 0, origin=Origin.SHIPPED)]
    members = []
    for melody in demo.melodies():
        song = _demo_song(melody)
        songs[song.id] = song
        members.append(Membership(DEMO_MIX, song.id, Origin.SHIPPED))
        identity = recording_id(RecordingKind.DEMO, melody.id)
        recordings.append(Recording(identity, song.id, RecordingKind.DEMO, melody.id))
    for fact in demo.facts():
        song = _demo_song(fact)
        songs.setdefault(song.id, song)
    ids = {}
    for hit in hits.songs():
        song = _song(hit.title, hit.artist, hit.year, hit.language, hit.genre, swedish=hit.swedish)
        ids[hit] = songs.setdefault(song.id, song).id
    for position, mix in enumerate(hits.MIXES, 1):
        mixes.append(Mix(mix.id, mix.name, position, origin=Origin.SHIPPED))
        in_mix = dict.fromkeys(ids[hit] for hit in hits.songs_in(mix))
        members += [Membership(mix.id, song, Origin.SHIPPED) for song in in_mix]
    return Shipment(tuple(songs.values()), tuple(recordings), tuple(mixes), tuple(members))


def _demo_song(fact: demo.Melody | demo.Fact) -> CatalogueSong:
    return _song(
        fact.title,
        fact.artist,
        fact.year,
        fact.language,
        fact.genre,
        swedish=fact.language == "sv",
        world=World.DEMO,
    )


def _song(
    title: str,
    artist: str,
    year: int,
    language: str = "",
    genre: str = "",
    *,
    swedish: bool = False,
    world: World = World.POP,
) -> CatalogueSong:
    return CatalogueSong(
        id=song_id(title, artist),
        title=title,
        artist=artist,
        year=year,
        source=YearSource.CURATED,
        language=language,
        genre=genre,
        swedish=swedish,
        world=world,
        origin=Origin.SHIPPED,
    )


async def seed(
    catalogue: Catalogue, version: str = "", ship: Callable[[], Shipment] = shipment
) -> bool:
    """Bring the catalogue up to date with what we ship; says whether there was anything to do."""
    newest = version or stamp()
    if await catalogue.meta(STAMP) == newest:
        return False
    goods = ship()
    old_songs = {song.id: song for song in await catalogue.songs()}
    claims: dict[str, list[YearClaim]] = {}
    for claim in await catalogue.claims():
        claims.setdefault(claim.song, []).append(claim)
    kinds = {mix.id: mix.kind for mix in await catalogue.mixes()}
    members = await catalogue.members()
    shipped = {member for member in members if member.origin is Origin.SHIPPED}
    users = {(member.mix, member.song) for member in members if member.origin is Origin.USER}
    recordings = await catalogue.recordings()
    used = {r.song for r in recordings if r.kind is not RecordingKind.DEMO}
    used |= {song for _, song in users}
    kept = {recording.id for recording in goods.recordings}
    new_claims = {
        song.id: YearClaim(song.id, YearSource.CURATED, song.year) for song in goods.songs
    }
    songs = []
    for song in goods.songs:
        rest = [c for c in claims.get(song.id, []) if c.source is not YearSource.CURATED]
        year, source = settle([*rest, new_claims[song.id]])
        songs.append(msgspec.structs.replace(song, year=year, source=source))
    no_longer = [
        song.id
        for song in old_songs.values()
        if song.origin is Origin.SHIPPED and song.id not in new_claims and song.id not in used
    ]
    await catalogue.apply(
        Changes(
            songs=tuple(songs),
            claims=tuple(new_claims.values()),
            recordings=goods.recordings,
            mixes=tuple(
                msgspec.structs.replace(mix, kind=kinds.get(mix.id, mix.kind))
                for mix in goods.mixes
            ),
            members=tuple(m for m in goods.members if (m.mix, m.song) not in users),
            meta=((STAMP, newest),),
            gone_songs=tuple(no_longer),
            gone_claims=tuple((song, YearSource.CURATED.value) for song in no_longer),
            gone_recordings=tuple(
                r.id for r in recordings if r.kind is RecordingKind.DEMO and r.id not in kept
            ),
            gone_members=tuple((m.mix, m.song) for m in shipped - set(goods.members)),
        )
    )
    return True
