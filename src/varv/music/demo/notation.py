"""The demo mix's note list: a plain text that a person can sing from.

    melody: E5:1/4 D#5 | E5 D#5 E5 B4 D5 C5 | A4:1/2 -:1/4 C4 …
    chords: N | Am | E7:1 Am:1/2

A note is a letter, an accidental and an octave (C4 is middle C); `:` sets its length in beats, and
the length stays until it is changed. `-` is a rest, `_` holds the note before, `E4+G4` sounds
together, `|` ends a bar. Bars are counted, so a slip of rhythm is an error and not a stumble.
Chords share their bar evenly unless they say otherwise; `N` is no chord, `C/G` has G in the bass.
"""

import re
from fractions import Fraction

from msgspec import Struct

STEPS = {"C": 0, "D": 2, "E": 4, "F": 5, "G": 7, "A": 9, "B": 11}
SHIFTS = {"": 0, "#": 1, "b": -1}
QUALITIES = {
    "": (0, 4, 7),
    "m": (0, 3, 7),
    "7": (0, 4, 7, 10),
    "m7": (0, 3, 7, 10),
    "maj7": (0, 4, 7, 11),
    "6": (0, 4, 7, 9),
    "m6": (0, 3, 7, 9),
    "dim": (0, 3, 6),
    "dim7": (0, 3, 6, 9),
    "aug": (0, 4, 8),
    "sus4": (0, 5, 7),
    "5": (0, 7),
}

_PITCH = re.compile(r"([A-G])([#b]?)(-?\d)")
_CHORD = re.compile(r"([A-G])([#b]?)(maj7|dim7|dim|aug|sus4|m7|m6|m|7|6|5|)(?:/([A-G])([#b]?))?")


class NotationError(ValueError):
    """A note list that cannot be played; the message says where."""


class Note(Struct, frozen=True):
    """Pitches (MIDI numbers) sounding together, from `start` for `beats`."""

    start: float
    beats: float
    pitches: tuple[int, ...]


class Chord(Struct, frozen=True):
    """A chord symbol: the pitch class of its bass and of its tones, root first."""

    start: float
    beats: float
    bass: int
    tones: tuple[int, ...]


class Voice(Struct, frozen=True):
    """A parsed line: its notes without rests, and the length of each bar."""

    notes: tuple[Note, ...]
    bars: tuple[Fraction, ...]


def pitch(text: str) -> int:
    """`"A4"` is 69, as in MIDI."""
    found = _PITCH.fullmatch(text)
    if not found:
        raise NotationError(f"not a note: {text!r}")
    letter, shift, octave = found.groups()
    return 12 * (int(octave) + 1) + STEPS[letter] + SHIFTS[shift]


def length(text: str) -> Fraction:
    """Beats: `1`, `1/2`, `3/4`, `1.5`."""
    try:
        beats = Fraction(text)
    except (ValueError, ZeroDivisionError):
        raise NotationError(f"not a length in beats: {text!r}") from None
    if beats <= 0:
        raise NotationError(f"a length must be more than nothing: {text!r}")
    return beats


def bars_of(text: str) -> list[list[str]]:
    """The tokens of every bar; a `|` at the very end closes the last bar and opens none."""
    bars = [bar.split() for bar in text.split("|")]
    if bars and not bars[-1]:
        bars.pop()
    if not bars or not all(bars):
        raise NotationError("an empty bar")
    return bars


def read_voice(text: str) -> Voice:
    """A line of notes."""
    notes: list[Note] = []
    sizes: list[Fraction] = []
    now = Fraction(0)
    beats = Fraction(1)
    for bar in bars_of(text):
        began = now
        for token in bar:
            name, _, size = token.partition(":")
            beats = length(size) if size else beats
            if name == "_":
                if not notes or notes[-1].start + notes[-1].beats != float(now):
                    raise NotationError("nothing to hold at `_`")
                last = notes.pop()
                notes.append(Note(last.start, float(now + beats) - last.start, last.pitches))
            elif name != "-":
                pitches = tuple(pitch(part) for part in name.split("+"))
                notes.append(Note(float(now), float(beats), pitches))
            now += beats
        sizes.append(now - began)
    return Voice(tuple(notes), tuple(sizes))


def read_chord(name: str) -> tuple[int, tuple[int, ...]]:
    """`"Am/E"` is E in the bass under A, C and E: `(4, (9, 0, 4))`."""
    found = _CHORD.fullmatch(name)
    if not found:
        raise NotationError(f"not a chord: {name!r}")
    letter, shift, quality, under, under_shift = found.groups()
    root = (STEPS[letter] + SHIFTS[shift]) % 12
    bass = (STEPS[under] + SHIFTS[under_shift]) % 12 if under else root
    return bass, tuple((root + step) % 12 for step in QUALITIES[quality])


def read_chords(text: str, sizes: tuple[Fraction, ...]) -> tuple[Chord, ...]:
    """A line of chords over bars of these sizes."""
    bars = bars_of(text)
    if len(bars) != len(sizes):
        raise NotationError(f"{len(bars)} bars of chords for {len(sizes)} bars of notes")
    chords: list[Chord] = []
    now = Fraction(0)
    for number, (bar, size) in enumerate(zip(bars, sizes, strict=True)):
        began = now
        for token in bar:
            name, _, own = token.partition(":")
            beats = length(own) if own else size / len(bar)
            if name != "N":
                chords.append(Chord(float(now), float(beats), *read_chord(name)))
            now += beats
        if now - began != size:
            raise NotationError(f"chords of bar {number} last {now - began} beats, not {size}")
    return tuple(chords)


def check_bars(sizes: tuple[Fraction, ...], bar: Fraction) -> None:
    """Every bar is full; an upbeat is made good by the last one, so that the tune can go round."""
    for number, size in enumerate(sizes[1:-1], start=1):
        if size != bar:
            raise NotationError(f"bar {number} lasts {size} beats, not {bar}")
    if sizes[0] > bar or sizes[-1] > bar:
        raise NotationError(f"the first or last bar is longer than {bar} beats")
    if sum(sizes) % bar:
        raise NotationError(f"{sum(sizes)} beats are not whole bars of {bar}")
