"""Chord symbols become an accompaniment: a pattern of bass notes and chords for every bar."""

from msgspec import Struct

from varv.music.demo.notation import Chord, Note

# What a step plays: the bass, its alternate (the fifth, if the chord has one), the whole chord, or
# one tone of the chord counted from below.
BASS, FIFTH, ALL = "bass", "fifth", "all"


class Step(Struct, frozen=True):
    """One stroke of a pattern, `at` beats from its beginning."""

    at: float
    beats: float
    plays: str | int


class Style(Struct, frozen=True):
    """A pattern that comes back every `period` beats from the bar line; 0: once per chord."""

    period: float
    steps: tuple[Step, ...]


def _run(unit: float, *order: str | int) -> Style:
    steps = tuple(Step(unit * place, unit, plays) for place, plays in enumerate(order))
    return Style(unit * len(order), steps)


STYLES: dict[str, Style] = {
    "none": Style(1, ()),
    "block": Style(0, (Step(0, 1, BASS), Step(0, 1, ALL))),
    "pulse": _run(1, ALL),
    "waltz": Style(3, (Step(0, 1, BASS), Step(1, 0.7, ALL), Step(2, 0.7, ALL))),
    "quick-waltz": Style(
        1.5, (Step(0, 0.5, BASS), Step(0.5, 0.35, ALL), Step(1, 0.35, ALL))
    ),
    "march": Style(
        4, (Step(0, 0.9, BASS), Step(1, 0.6, ALL), Step(2, 0.9, FIFTH), Step(3, 0.6, ALL))
    ),
    "polka": Style(
        2, (Step(0, 0.45, BASS), Step(0.5, 0.3, ALL), Step(1, 0.45, FIFTH), Step(1.5, 0.3, ALL))
    ),
    "jig": Style(
        3, (Step(0, 0.9, BASS), Step(1, 0.4, ALL), Step(1.5, 0.9, FIFTH), Step(2.5, 0.4, ALL))
    ),
    "alberti": _run(0.5, 0, 2, 1, 2),
    "arpeggio": _run(0.5, BASS, 0, 1, 2, 1, 0),
    "triplets": _run(1 / 3, 0, 1, 2),
    "compound": _run(0.5, BASS, 1, 2),
    "harp": _run(0.5, BASS, 0, 1, 2),
    "habanera": Style(
        2, (Step(0, 0.7, BASS), Step(0.75, 0.25, FIFTH), Step(1, 0.5, ALL), Step(1.5, 0.5, FIFTH))
    ),
    "sarabande": Style(3, (Step(0, 1, BASS), Step(0, 1, ALL), Step(1, 2, ALL))),
    "ripple": Style(1.5, (Step(0, 0.5, BASS), Step(0.25, 0.25, 1), Step(0.5, 0.75, 2))),
    "slow-waltz": Style(3, (Step(0, 3, BASS), Step(1, 2, ALL))),
}  # fmt: skip

_BASS_FLOOR = 38
_CHORD_FLOOR = 52


def bass_pitch(pitch_class: int) -> int:
    """The bass tone between D2 and C♯3."""
    return _BASS_FLOOR + (pitch_class - _BASS_FLOOR) % 12


def chord_pitches(chord: Chord) -> tuple[int, ...]:
    """The chord in close position between E3 and E♭4, below where melodies move."""
    return tuple(sorted(_CHORD_FLOOR + (tone - _CHORD_FLOOR) % 12 for tone in chord.tones))


def accompany(
    chords: tuple[Chord, ...], style: Style, upbeat: float
) -> tuple[tuple[Note, ...], tuple[Note, ...]]:
    """The bass line and the chords above it; patterns are counted from the bar line."""
    bass: list[Note] = []
    above: list[Note] = []
    for chord in chords:
        end = chord.start + chord.beats
        for at, beats, plays in _strokes(chord, style, upbeat):
            beats = min(beats, end - at)
            if plays == BASS:
                bass.append(Note(at, beats, (bass_pitch(chord.bass),)))
            elif plays == FIFTH:
                fifth = chord.tones[2] if len(chord.tones) > 2 else chord.tones[-1]
                bass.append(Note(at, beats, (bass_pitch(fifth),)))
            elif plays == ALL:
                above.append(Note(at, beats, chord_pitches(chord)))
            elif isinstance(plays, int):
                tones = chord_pitches(chord)
                above.append(Note(at, beats, (tones[plays % len(tones)],)))
    return tuple(bass), tuple(above)


def _strokes(chord: Chord, style: Style, upbeat: float) -> list[tuple[float, float, str | int]]:
    """Every step of the pattern that begins while the chord lasts."""
    if not style.period:
        return [(chord.start, chord.beats, step.plays) for step in style.steps]
    strokes: list[tuple[float, float, str | int]] = []
    first, end = chord.start - 1e-9, chord.start + chord.beats - 1e-9
    turn = int((chord.start - upbeat) // style.period)
    while (began := upbeat + turn * style.period) < end:
        strokes += [
            (began + step.at, step.beats, step.plays)
            for step in style.steps
            if first <= began + step.at < end
        ]
        turn += 1
    return strokes
