"""The hits catalogue: songs as facts, and the mixes they make (MUS-01).

The rows are in one CSV file per decade beside this module, written from knowledge. A year is that
of the *first* release of the artist's own recording, single or album, whichever came first.
"""

import csv
from collections.abc import Callable
from functools import cache
from importlib import resources

import msgspec

from varv.music.identity import mix_id

# Small fixed sets: options are grouped by them (CAN-07), and a misspelt one would stand alone.
# fmt: off
GENRES = frozenset((
    "pop", "rock", "disco", "dance", "soul", "hiphop", "schlager", "country", "folk", "metal",
    "visa", "reggae", "jazz", "latin",
))
LANGUAGES = frozenset((
    "en", "sv", "de", "el", "es", "fi", "fr", "he", "hr", "it", "ko", "nl", "no", "pt", "ro", "ru",
    "sr", "uk", "zxx",
))
# fmt: on

_COLUMNS = ["title", "artist", "year", "language", "genre", "swedish", "mixes"]


class HitSong(msgspec.Struct, frozen=True):
    """A song as facts; it has no recording until a file or a preview is found (MUS-01)."""

    title: str
    artist: str
    year: int
    language: str
    genre: str
    swedish: bool
    mixes: tuple[str, ...] = ()


class HitMix(msgspec.Struct, frozen=True):
    """A mix of the catalogue: every song that the predicate accepts."""

    id: str
    name: str
    predicate: Callable[[HitSong], bool]


@cache
def songs() -> tuple[HitSong, ...]:
    """Every song of the catalogue, by decade, year and artist."""
    files = (f for f in resources.files(__name__).iterdir() if f.name.endswith(".csv"))
    return tuple(
        song
        for file in sorted(files, key=lambda f: f.name)
        for song in _read(file.read_text("utf-8"))
    )


def songs_in(mix: HitMix) -> tuple[HitSong, ...]:
    """The songs of a mix, in the catalogue's order."""
    return tuple(song for song in songs() if mix.predicate(song))


def _read(text: str) -> list[HitSong]:
    reader = csv.DictReader(text.splitlines(), strict=True)
    if reader.fieldnames != _COLUMNS:
        raise ValueError(f"expected the columns {_COLUMNS}, found {reader.fieldnames}")
    return [
        HitSong(
            title=row["title"],
            artist=row["artist"],
            year=int(row["year"]),
            language=row["language"],
            genre=row["genre"],
            swedish=row["swedish"] == "yes",
            mixes=tuple(row["mixes"].split()),
        )
        for row in reader
    ]


def _mix(name: str, predicate: Callable[[HitSong], bool]) -> HitMix:
    return HitMix(mix_id(name), name, predicate)


def _decade(first: int) -> HitMix:
    return _mix(f"{first % 100:02}-tal", lambda song: first <= song.year < first + 10)


def _genres(name: str, *genres: str) -> HitMix:
    return _mix(name, lambda song: song.genre in genres)


def _named(name: str) -> HitMix:
    """A mix that the rows themselves name in their last column."""
    wanted = mix_id(name)
    return _mix(name, lambda song: wanted in song.mixes)


MIXES: tuple[HitMix, ...] = (
    _mix("All Time Hits", lambda song: "jul" not in song.mixes),
    *(_decade(first) for first in range(1950, 2030, 10)),
    _mix("Svenska favoriter", lambda song: song.swedish),
    _mix(
        "Schlager & Melodifestivalen",
        lambda song: song.genre == "schlager" or "schlager-melodifestivalen" in song.mixes,
    ),
    _named("Eurovision"),
    _genres("Rock", "rock", "metal"),
    _genres("Disco & Dance", "disco", "dance"),
    _genres("Soul & Hiphop", "soul", "hiphop"),
    _named("Jul"),
)
