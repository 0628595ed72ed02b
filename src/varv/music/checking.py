"""What the operator should look at: flags, doubtful years, duplicates, missing files."""

import asyncio
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from varv.music.catalogue import Catalogue
from varv.music.keys import artist_key
from varv.music.matching import alike
from varv.music.model import CatalogueSong, RecordingKind, YearClaim, YearSource
from varv.music.paths import from_text
from varv.rules.candidates import fold


class Kind(StrEnum):
    """What is the matter."""

    FLAG = "flagged by a player"
    DOUBT = "doubtful year"
    DUPLICATE = "perhaps the same song"
    MISSING = "missing file"


class Finding(Struct, frozen=True):
    """One thing to look at."""

    kind: Kind
    text: str


async def check(catalogue: Catalogue) -> list[Finding]:
    """Everything there is to look at, the most pressing first."""
    songs = {song.id: song for song in await catalogue.songs()}
    recordings = await catalogue.recordings()
    used = {recording.song for recording in recordings}
    used |= {member.song for member in await catalogue.members()}
    claims: dict[str, list[YearClaim]] = {}
    for claim in await catalogue.claims():
        claims.setdefault(claim.song, []).append(claim)
    findings = []
    for flag in await catalogue.flags():
        song = songs.get(flag.song)
        name = _name(song) if song else "a song that is gone"
        note = f": {flag.note}" if flag.note else ""
        findings.append(Finding(Kind.FLAG, f"{name} (game {flag.game}, round {flag.round}){note}"))
    findings += [
        Finding(Kind.DOUBT, text)
        for song in songs.values()
        if song.id in used and (text := _doubt(song, claims.get(song.id, [])))
    ]
    findings += [Finding(Kind.DUPLICATE, text) for text in _duplicates(list(songs.values()))]
    files = [r.locator for r in recordings if r.kind is RecordingKind.FILE]
    findings += [Finding(Kind.MISSING, path) for path in await asyncio.to_thread(_missing, files)]
    return findings


def _name(song: CatalogueSong) -> str:
    return f"{song.artist}: {song.title} ({song.year or 'no year'}, {song.source})"


def _doubt(song: CatalogueSong, claims: list[YearClaim]) -> str:
    """An unsure year; or one that a good source contradicts with an older one."""
    if not song.sure:
        return _name(song)
    older = [
        f"{claim.source} says {claim.year}"
        for claim in claims
        if claim.year < song.year
        and claim.source not in (song.source, YearSource.TAG_ALBUM, YearSource.UNSURE)
    ]
    return f"{_name(song)}, but {', '.join(older)}" if older else ""


def _duplicates(songs: list[CatalogueSong]) -> list[str]:
    """Songs by one artist whose titles differ by a slip."""
    by_artist: dict[str, list[CatalogueSong]] = {}
    for song in songs:
        by_artist.setdefault(artist_key(song.artist), []).append(song)
    found = []
    for theirs in by_artist.values():
        for n, one in enumerate(theirs):
            found += [
                f"{_name(one)} and {_name(other)}"
                for other in theirs[n + 1 :]
                if alike(fold(one.title), fold(other.title))
            ]
    return found


def _missing(files: list[str]) -> list[str]:
    return sorted(path for path in files if not Path(from_text(path)).is_file())
