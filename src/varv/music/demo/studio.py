"""The studio: an arrangement is played, put in a room and brought to the common loudness."""

import math
import wave
import zlib
from functools import cache
from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from varv.music.demo.arrangement import Part, plan
from varv.music.demo.library import Melody
from varv.music.demo.timbres import TIMBRES
from varv.music.demo.tones import SAMPLE_RATE, Samples, tone

LOUDNESS = 10 ** (-18 / 20)
_CEILING = 0.97
_KNEE = 0.7
_LEGATO = 0.96


def render(melody: Melody) -> Samples:
    """Stereo sound, float32 of shape (n, 2), 20–30 s, every melody equally loud, never clipped."""
    plot = plan(melody)
    size = int(plot.seconds * SAMPLE_RATE)
    dry = np.zeros((2, size), dtype=np.float32)
    jitter = np.random.default_rng(zlib.crc32(melody.id.encode()))
    made: dict[tuple[str, int, float], Samples] = {}
    for part in plot.parts:
        _play(part, dry, jitter, made)
    sound = dry + _reverb(dry)
    ramp = int(plot.fade * SAMPLE_RATE)
    sound[:, -ramp:] *= np.cos(np.linspace(0, np.pi / 2, ramp, dtype=np.float32)) ** 2
    return np.ascontiguousarray(level(sound).T)


def _play(
    part: Part,
    stereo: Samples,
    jitter: np.random.Generator,
    made: dict[tuple[str, int, float], Samples],
) -> None:
    """Adds the part's notes; equal ones are made once. A hand is never quite on the beat."""
    left = np.float32(math.sqrt((1 - part.pan) / 2))
    right = np.float32(math.sqrt((1 + part.pan) / 2))
    for note in part.notes:
        begin = int((note.start + float(jitter.uniform(0.0, 0.006))) * SAMPLE_RATE)
        force = part.volume * float(jitter.uniform(0.9, 1.0)) / math.sqrt(len(note.pitches))
        for pitch in note.pitches:
            key = (part.timbre, pitch, round(note.beats, 3))
            if key not in made:
                made[key] = tone(TIMBRES[part.timbre], pitch, note.beats * _LEGATO)
            piece = made[key][: max(0, stereo.shape[1] - begin)] * np.float32(force)
            stereo[0, begin : begin + len(piece)] += piece * left
            stereo[1, begin : begin + len(piece)] += piece * right


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
        rms = math.sqrt(float(np.vdot(sound, sound)) / sound.size)
        sound = sound * np.float32(LOUDNESS / rms)
        if not _bend(sound):
            break
    return sound


def _bend(sound: Samples) -> bool:
    """Leaves what is below the knee alone, never reaches the ceiling; tells if it did a thing."""
    high = np.abs(sound) > _KNEE
    if not high.any():
        return False
    room = _CEILING - _KNEE
    loud = sound[high]
    sound[high] = np.sign(loud) * (_KNEE + room * np.tanh((np.abs(loud) - _KNEE) / room))
    return True


def write_wav(melody: Melody, path: Path | str) -> None:
    """16-bit stereo WAV, the sound and nothing else: no tag gives the song away (VIEW-06)."""
    samples = (render(melody) * 32767).astype("<i2")
    with wave.open(str(path), "wb") as file:
        file.setnchannels(2)
        file.setsampwidth(2)
        file.setframerate(SAMPLE_RATE)
        file.writeframes(samples.tobytes())
