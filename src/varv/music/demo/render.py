"""A melody of the demo mix becomes sound: round after round, each a little richer, to 20–30 s."""

import math
import wave
import zlib
from collections.abc import Iterable
from functools import cache
from pathlib import Path

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

from varv.music.demo.accompaniment import STYLES, accompany
from varv.music.demo.library import Melody
from varv.music.demo.notation import Note
from varv.music.demo.timbres import SAMPLE_RATE, TIMBRES, Samples, tone

SHORTEST = 21.0
LONGEST = 28.0
TAIL = 1.2
CUT_FADE = 2.5

LOUDNESS = 10 ** (-18 / 20)
_CEILING = 0.97
_KNEE = 0.7


class Part(Struct, frozen=True):
    """Notes in seconds for one instrument."""

    timbre: str
    notes: tuple[Note, ...]
    volume: float
    pan: float = 0.0


class Plan(Struct, frozen=True):
    """What is played, how long, and whether it ends by itself or is faded out."""

    parts: tuple[Part, ...]
    seconds: float
    fade: float


def plan(melody: Melody) -> Plan:
    """The rounds of a melody: plain first, then another instrument, an octave and a fuller chord."""
    score = melody.score
    beat = 60.0 / score.tempo
    once = score.beats * beat
    rounds = max(1, math.ceil(SHORTEST / once - 1e-9))
    whole = rounds * once <= LONGEST
    seconds = rounds * once + TAIL if whole else LONGEST + TAIL
    bass, above = accompany(score.chords, STYLES[score.style], score.upbeat)
    parts: list[Part] = []
    for turn in range(rounds):
        begin = turn * once

        def placed(notes: Iterable[Note], up: int = 0, begin: float = begin) -> tuple[Note, ...]:
            return tuple(
                Note(
                    begin + note.start * beat,
                    note.beats * beat,
                    tuple(pitch + up for pitch in note.pitches),
                )
                for note in notes
            )

        lead = score.timbres[turn % len(score.timbres)]
        parts.append(Part(lead, placed(score.melody), 1.0, 0.1))
        if turn % 3 == 1:
            parts.append(Part("musicbox", placed(score.melody, 12), 0.3, 0.35))
        if turn % 3 == 2:
            parts.append(Part("strings", placed(score.melody, -12), 0.35, -0.3))
        parts.append(Part("bass", placed(bass), 0.55, -0.05))
        parts.append(Part("pluck" if lead == "piano" else "piano", placed(above), 0.4, -0.3))
        parts.append(Part("piano", placed(score.second), 0.5, -0.25))
        if turn % 2 and score.chords:
            held, pad = accompany(score.chords, STYLES["block"], score.upbeat)
            parts.append(Part("strings", placed(pad), 0.2, 0.4))
    return Plan(tuple(parts), seconds, TAIL if whole else CUT_FADE)


def render(melody: Melody) -> Samples:
    """Stereo sound, float32 of shape (n, 2), 20–30 s, every melody equally loud, never clipped."""
    plot = plan(melody)
    size = int(plot.seconds * SAMPLE_RATE)
    dry = np.zeros((2, size), dtype=np.float32)
    jitter = np.random.default_rng(zlib.crc32(melody.id.encode()))
    for part in plot.parts:
        _play(part, dry, jitter)
    sound = dry + _reverb(dry)
    ramp = int(plot.fade * SAMPLE_RATE)
    sound[:, -ramp:] *= np.cos(np.linspace(0, np.pi / 2, ramp, dtype=np.float32)) ** 2
    return np.ascontiguousarray(level(sound).T)


def _play(part: Part, stereo: Samples, jitter: np.random.Generator) -> None:
    """Adds the part's notes; equal notes are made once. A hand is never quite on the beat."""
    timbre = TIMBRES[part.timbre]
    made: dict[tuple[int, float], Samples] = {}
    size = stereo.shape[1]
    mono = np.zeros(size, dtype=np.float32)
    for note in part.notes:
        late = float(jitter.uniform(0.0, 0.006))
        begin = int((note.start + late) * SAMPLE_RATE)
        force = part.volume * float(jitter.uniform(0.9, 1.0)) / math.sqrt(len(note.pitches))
        for pitch in note.pitches:
            key = (pitch, round(note.beats, 4))
            if key not in made:
                made[key] = tone(timbre, pitch, note.beats * 0.96)
            piece = made[key][: max(0, size - begin)]
            mono[begin : begin + len(piece)] += force * piece
    stereo[0] += mono * math.sqrt((1 - part.pan) / 2)
    stereo[1] += mono * math.sqrt((1 + part.pan) / 2)


@cache
def _room() -> NDArray[np.float32]:
    """The echo of a small hall: noise that dies away, duller as it goes."""
    count = int(1.1 * SAMPLE_RATE)
    time = np.arange(count) / SAMPLE_RATE
    noise = np.random.default_rng(1600).standard_normal((2, count)) * np.exp(-5.2 * time)
    kernel = np.hanning(9)
    dull = np.stack([np.convolve(side, kernel / kernel.sum(), mode="same") for side in noise])
    dull[:, : int(0.012 * SAMPLE_RATE)] = 0.0
    scaled = dull / np.sqrt((dull**2).sum(axis=1, keepdims=True))
    return np.asarray(scaled, dtype=np.float32)


def _reverb(dry: Samples, amount: float = 0.24) -> Samples:
    """The room's answer to both sides together, by FFT in blocks."""
    room = _room()
    block = 1 << 17
    step = block - room.shape[1] + 1
    size = dry.shape[1]
    sent = dry.sum(axis=0) * np.float32(0.7)
    count = -(-size // step)
    padded = np.zeros(count * step, dtype=np.float32)
    padded[:size] = sent
    spectra = np.fft.rfft(padded.reshape(count, step), block)
    wet = np.zeros((2, count * step + block), dtype=np.float32)
    for side in (0, 1):
        answers = np.fft.irfft(spectra * np.fft.rfft(room[side], block), block)
        for place, answer in enumerate(answers):
            wet[side, place * step : place * step + block] += answer
    return wet[:, :size] * np.float32(amount)


def level(sound: Samples) -> Samples:
    """The same loudness for all, peaks bent instead of cut."""
    for _ in range(3):
        rms = float(np.sqrt(np.mean(np.square(sound, dtype=np.float64))))
        sound = _bend(sound * np.float32(LOUDNESS / rms))
    return sound


def _bend(sound: Samples) -> Samples:
    """Leaves what is below the knee alone and never reaches the ceiling."""
    size = np.abs(sound)
    room = _CEILING - _KNEE
    bent = _KNEE + room * np.tanh(np.maximum(size - _KNEE, 0) / room)
    return np.where(size > _KNEE, np.sign(sound) * bent, sound).astype(np.float32)


def write_wav(melody: Melody, path: Path | str) -> None:
    """16-bit stereo WAV with the sound and nothing else: no tags to give the song away (VIEW-06)."""
    samples = (render(melody) * 32767).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(samples.tobytes())
