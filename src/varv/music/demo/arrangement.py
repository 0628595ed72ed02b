"""How a tune is set: round after round, each a little richer, until it has lasted 20–30 s."""

import math

from msgspec import Struct

from varv.music.demo.accompaniment import STYLES, accompany
from varv.music.demo.library import Melody, Score
from varv.music.demo.notation import Note

SHORTEST = 21.0
LONGEST = 28.0
TAIL = 0.8
CUT_FADE = 2.5


class Turn(Struct, frozen=True):
    """The tune, or half of a long one, played once: its beats from `first` to `last`."""

    number: int
    first: float
    last: float
    delay: float


class Part(Struct, frozen=True):
    """Notes in seconds for one instrument; `pan` from -1, left, to 1, right."""

    timbre: str
    notes: tuple[Note, ...]
    volume: float
    pan: float


class Plan(Struct, frozen=True):
    """What is played, how long, and whether it ends by itself or is faded out."""

    parts: tuple[Part, ...]
    seconds: float
    fade: float


def plan(melody: Melody) -> Plan:
    """Round after round until it is long enough, cut off with a fade if it would be too long."""
    score = melody.score
    once = score.beats * 60.0 / score.tempo
    rounds = max(1, math.ceil(SHORTEST / once - 1e-9))
    parts = tuple(part for turn in turns(score, rounds) for part in arrange(score, turn))
    if rounds * once > LONGEST:
        return Plan(parts, LONGEST + TAIL, CUT_FADE)
    return Plan(parts, rounds * once + TAIL, TAIL)


def turns(score: Score, rounds: int) -> list[Turn]:
    """One turn a round; a tune that is long enough by itself changes at the bar in its middle."""
    if rounds > 1:
        return [Turn(number, 0, score.beats, number * score.beats) for number in range(rounds)]
    bars = round((score.beats / 2 - score.upbeat) / score.bar)
    middle = score.upbeat + bars * score.bar
    return [Turn(0, 0, middle, 0), Turn(1, middle, score.beats, 0)]


def arrange(score: Score, turn: Turn) -> list[Part]:
    """Plain first, then with another instrument, an octave and held chords."""
    bass, above = accompany(score.chords, STYLES[score.style], score.upbeat)
    lead = score.timbres[turn.number % len(score.timbres)]
    hand = "pluck" if lead == "piano" else "piano"
    other = "organ" if lead == "organ" else "piano"
    parts = [
        Part(lead, _placed(score, turn, score.melody), 1.0, 0.1),
        Part("bass", _placed(score, turn, bass), 0.55, -0.05),
        Part(hand, _placed(score, turn, above), 0.4, -0.3),
        Part(other, _placed(score, turn, score.second), 0.5, -0.2),
    ]
    if score.chords and turn.number % 3 == 1:
        parts.append(Part("musicbox", _placed(score, turn, score.melody, up=12), 0.3, 0.35))
    if score.chords and turn.number % 3 == 2:
        parts.append(Part("strings", _placed(score, turn, score.melody, up=-12), 0.35, -0.3))
    if turn.number % 2:
        _, held = accompany(score.chords, STYLES["block"], score.upbeat)
        parts.append(Part("strings", _placed(score, turn, held), 0.2, 0.4))
    return parts


def _placed(score: Score, turn: Turn, notes: tuple[Note, ...], *, up: int = 0) -> tuple[Note, ...]:
    """The turn's notes, from beats to seconds."""
    beat = 60.0 / score.tempo
    return tuple(
        Note(
            (turn.delay + note.start) * beat,
            note.beats * beat,
            tuple(pitch + up for pitch in note.pitches),
        )
        for note in notes
        if turn.first <= note.start < turn.last
    )
