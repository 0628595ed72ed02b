"""What the demo mix holds: melodies that can be rendered, and facts for wrong options (CAN-07).

Everything here is music first published 1600–1928; `year` is the year of first publication, which
can be long after the piece was written (Für Elise: 1867), and `source` says where it was published.
"""

import csv
from fractions import Fraction
from functools import cache
from importlib.resources import files

from msgspec import Struct

from varv.music.demo.accompaniment import STYLES
from varv.music.demo.notation import (
    Chord,
    NotationError,
    Note,
    check_bars,
    length,
    read_chords,
    read_voice,
)
from varv.music.demo.timbres import TIMBRES

_VOICES = ("melody", "second", "chords")
_FACTS = ("title", "artist", "year", "language", "genre", "source")
_SOUND = ("tempo", "bar", "style", "timbre")


class Score(Struct, frozen=True):
    """A tune to be played round and round: lengths in beats, tempo in beats per minute."""

    tempo: float
    bar: float
    upbeat: float
    beats: float
    timbres: tuple[str, ...]
    style: str
    melody: tuple[Note, ...]
    second: tuple[Note, ...]
    chords: tuple[Chord, ...]


class Melody(Struct, frozen=True):
    """A song of the demo mix, with what is needed to play it (MUS-01)."""

    id: str
    title: str
    artist: str
    year: int
    language: str
    genre: str
    source: str
    score: Score


class Fact(Struct, frozen=True):
    """A song that is known but not played: it stands among the wrong options (CAN-07)."""

    title: str
    artist: str
    year: int
    language: str
    genre: str


def read_sections(text: str) -> dict[str, dict[str, str]]:
    """`[id]` opens a melody, `key: value` fills it; a repeated key goes on where it left off."""
    sections: dict[str, dict[str, str]] = {}
    fields: dict[str, str] = {}
    for number, raw in enumerate(text.splitlines(), start=1):
        line = raw.strip()
        if not line or line.startswith("#"):
            continue
        if line.startswith("["):
            name = line.strip("[]")
            if name in sections:
                raise NotationError(f"line {number}: {name} is there already")
            fields = sections[name] = {}
            continue
        key, colon, value = line.partition(":")
        if not colon or key not in _VOICES + _FACTS + _SOUND:
            raise NotationError(f"line {number}: not a known `key: value`: {line!r}")
        if key in fields and key not in _VOICES:
            raise NotationError(f"line {number}: {key} is said twice")
        fields[key] = f"{fields.get(key, '')} {value.strip()}".strip()
    return sections


def read_score(fields: dict[str, str]) -> Score:
    """The music of one section, checked bar by bar."""
    voice = read_voice(fields["melody"])
    bar = length(fields["bar"])
    check_bars(voice.bars, bar)
    second = read_voice(fields["second"]) if "second" in fields else None
    if second and second.bars != voice.bars:
        raise NotationError("the second voice has other bars than the melody")
    timbres = tuple(fields["timbre"].split())
    unknown = [name for name in timbres if name not in TIMBRES]
    if unknown or not timbres:
        raise NotationError(f"unknown timbre: {unknown}")
    if fields["style"] not in STYLES:
        raise NotationError(f"unknown style: {fields['style']}")
    total = sum(voice.bars, Fraction(0))
    return Score(
        tempo=float(fields["tempo"]),
        bar=float(bar),
        upbeat=float(voice.bars[0] % bar),
        beats=float(total),
        timbres=timbres,
        style=fields["style"],
        melody=voice.notes,
        second=second.notes if second else (),
        chords=read_chords(fields["chords"], voice.bars) if "chords" in fields else (),
    )


def read_melody(name: str, fields: dict[str, str]) -> Melody:
    """One section of a score file."""
    try:
        return Melody(
            id=name,
            title=fields["title"],
            artist=fields["artist"],
            year=int(fields["year"]),
            language=fields["language"],
            genre=fields["genre"],
            source=fields["source"],
            score=read_score(fields),
        )
    except KeyError as missing:
        raise NotationError(f"{name}: {missing} is missing") from None
    except ValueError as wrong:
        raise NotationError(f"{name}: {wrong}") from None


@cache
def melodies() -> tuple[Melody, ...]:
    """The playable songs of the demo mix, oldest first."""
    found: dict[str, Melody] = {}
    folder = files(__package__).joinpath("scores")
    for file in sorted(folder.iterdir(), key=lambda entry: entry.name):
        if not file.name.endswith(".txt"):
            continue
        for name, fields in read_sections(file.read_text(encoding="utf-8")).items():
            if name in found:
                raise NotationError(f"{file.name}: {name} is in another file too")
            found[name] = read_melody(name, fields)
    return tuple(sorted(found.values(), key=lambda melody: (melody.year, melody.id)))


@cache
def facts() -> tuple[Fact, ...]:
    """Songs that keep the wrong options in the demo mix's world, oldest first."""
    text = files(__package__).joinpath("facts.csv").read_text(encoding="utf-8")
    rows = csv.DictReader(text.splitlines())
    read = (
        Fact(row["title"], row["artist"], int(row["year"]), row["language"], row["genre"])
        for row in rows
    )
    return tuple(sorted(read, key=lambda fact: (fact.year, fact.title)))
