"""What the operator is shown to look at."""

from pathlib import Path

from varv.music.catalogue import Catalogue, Changes
from varv.music.checking import Finding, Kind, check
from varv.music.model import (
    CatalogueSong,
    Flag,
    Membership,
    Recording,
    RecordingKind,
    YearClaim,
    YearSource,
)


async def test_flags_doubts_duplicates_and_missing_files(
    catalogue: Catalogue, tmp_path: Path
) -> None:
    here = tmp_path / "here.mp3"
    here.write_bytes(b"")
    songs = (
        CatalogueSong("s1", "Waterloo", "ABBA", 1975, YearSource.CURATED),
        CatalogueSong("s2", "Bohemian Rhapsody", "Queen", 1975, YearSource.USER),
        CatalogueSong("s3", "Bohemian Rapsody", "queen", 1976, YearSource.USER),
        CatalogueSong("s4", "Mystery", "Us", 0, YearSource.UNSURE),
        CatalogueSong("s5", "Nobody has this", "Us", 0, YearSource.UNSURE),
    )
    claims = (
        YearClaim("s1", YearSource.CURATED, 1975),
        YearClaim("s1", YearSource.TAG_ORIGINAL, 1974),
        YearClaim("s1", YearSource.TAG_ALBUM, 1973),
        YearClaim("s2", YearSource.USER, 1975),
        YearClaim("s2", YearSource.TAG_ORIGINAL, 1990),
    )
    await catalogue.apply(
        Changes(
            songs=songs,
            claims=claims,
            recordings=(
                Recording("r1", "s1", RecordingKind.FILE, "/nowhere/at all.mp3"),
                Recording("r2", "s2", RecordingKind.FILE, str(here)),
            ),
            members=(Membership("mix", "s4"),),
        )
    )
    await catalogue.add_flag(Flag("s1", "K7QX", 4, "it won in 1974", 1))
    await catalogue.add_flag(Flag("gone", "K7QX", 5, "", 2))
    assert await check(catalogue) == [
        Finding(Kind.FLAG, "ABBA: Waterloo (1975, curated) (game K7QX, round 4): it won in 1974"),
        Finding(Kind.FLAG, "a song that is gone (game K7QX, round 5)"),
        Finding(Kind.DOUBT, "ABBA: Waterloo (1975, curated), but tag-original says 1974"),
        Finding(Kind.DOUBT, "Us: Mystery (no year, unsure)"),
        Finding(
            Kind.DUPLICATE,
            "Queen: Bohemian Rhapsody (1975, user) and queen: Bohemian Rapsody (1976, user)",
        ),
        Finding(Kind.MISSING, "/nowhere/at all.mp3"),
    ]
    await catalogue.clear_flags("s1")
    assert [f.text for f in await check(catalogue) if f.kind is Kind.FLAG] == [
        "a song that is gone (game K7QX, round 5)"
    ]
