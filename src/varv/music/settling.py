"""Years that become known later: new claims are kept, and the songs they are about settled anew."""

from collections.abc import Iterable

from msgspec.structs import replace

from varv.music.catalogue import Catalogue, Changes
from varv.music.decisions import Verdict
from varv.music.model import YearClaim, YearSource
from varv.music.years import TRUSTED, settle


async def add_claims(catalogue: Catalogue, claims: Iterable[YearClaim]) -> int:
    """Keep these claims; says how many songs got another year or a better source for it."""
    new = {(claim.song, claim.source): claim for claim in claims}
    about = {song for song, _ in new}
    if not about:
        return 0
    all_claims = {(c.song, c.source): c for c in await catalogue.claims() if c.song in about} | new
    changed, sure = [], set()
    for song in await catalogue.songs():
        if song.id not in about:
            continue
        year, source = settle(c for c in all_claims.values() if c.song == song.id)
        settled = replace(song, year=year, source=source)
        if settled != song:
            changed.append(settled)
        if settled.sure and not song.sure:
            sure.add(song.id)
    files = [
        replace(note, verdict=Verdict.ADDED.value, detail="")
        for note in await catalogue.files()
        if note.song in sure and note.verdict == Verdict.UNSURE
    ]
    await catalogue.apply(
        Changes(songs=tuple(changed), claims=tuple(new.values()), files=tuple(files))
    )
    return len(changed)


async def trust_unsure(catalogue: Catalogue) -> int:
    """The user vouches for the dates that were in doubt."""
    doubtful = {song.id for song in await catalogue.songs() if not song.sure}
    return await add_claims(
        catalogue,
        [
            YearClaim(claim.song, YearSource.USER, claim.year, TRUSTED)
            for claim in await catalogue.claims()
            if claim.song in doubtful and claim.source is YearSource.UNSURE and claim.year
        ],
    )
