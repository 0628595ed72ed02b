"""The demo mix's tones, as sums of decaying partials.

Harmonic k of a tone is `weights[k] · exp(-(decay + k·damping)·t) · sin(k·ω·t)`: with
`z = exp((-damping + iω)·t)` that is a polynomial in z, which Horner's rule sums without a sine per
partial. A whole melody takes a fraction of a second that way.
"""

import numpy as np
from numpy.typing import NDArray

from varv.music.demo.timbres import Timbre

SAMPLE_RATE = 44_100
Samples = NDArray[np.float32]

_HIGHEST = 15_000.0
_WOBBLE = 5.2


def frequency(pitch: int) -> float:
    """Equal temperament, A4 = 440 Hz."""
    return float(440.0 * 2.0 ** ((pitch - 69) / 12))


def tone(timbre: Timbre, pitch: int, seconds: float) -> Samples:
    """One note of that length plus its release, with a peak near 1."""
    hertz = frequency(pitch)
    count = int((seconds + timbre.release) * SAMPLE_RATE)
    time = np.arange(count, dtype=np.float64) / SAMPLE_RATE
    turns = hertz * time
    if timbre.vibrato:
        # The wobble sets in after the attack, as a player's would.
        onset = np.clip((time - 0.15) / 0.35, 0.0, 1.0)
        wobble = np.cos((2 * np.pi * _WOBBLE * time).astype(np.float32))
        turns += hertz * timbre.vibrato / (2 * np.pi * _WOBBLE) * onset * (1 - wobble)
    # Whole turns go while there are digits enough; what is left is fast in single precision.
    angle = (2 * np.pi * (turns - np.floor(turns))).astype(np.float32)
    moment = time.astype(np.float32)
    phasor = np.empty(count, dtype=np.complex64)
    phasor.real, phasor.imag = np.cos(angle), np.sin(angle)
    if timbre.damping:
        phasor *= np.exp(np.float32(-timbre.damping) * moment)
    weights = timbre.weights[: max(1, int(_HIGHEST / hertz))]
    total = np.full(count, weights[-1], dtype=np.complex64)
    for weight in reversed(weights[:-1]):
        total *= phasor
        total += weight
    total *= phasor
    wave = np.ascontiguousarray(total.imag)
    for ratio, weight, rate in timbre.bells:
        if hertz * ratio < _HIGHEST:
            swing = np.sin((2 * np.pi * ((ratio * turns) % 1.0)).astype(np.float32))
            wave += np.float32(weight) * np.exp(np.float32(-rate) * moment) * swing
    if timbre.tremolo:
        beating = np.cos(np.float32(2 * np.pi * _WOBBLE) * moment)
        wave *= 1 - np.float32(timbre.tremolo / 2) * (1 - beating)
    if timbre.breath:
        noise = np.random.default_rng(pitch).standard_normal(count, dtype=np.float32)
        wave[3:] += np.float32(timbre.breath) * (noise[3:] + noise[2:-1] + noise[1:-2] + noise[:-3])
    _shape(wave, timbre, moment, seconds)
    wave /= np.float32(sum(timbre.weights))
    return wave


def _shape(wave: Samples, timbre: Timbre, moment: Samples, seconds: float) -> None:
    """Attack, decay or sustain, and a release that starts when the note is let go."""
    if timbre.decay:
        wave *= np.exp(np.float32(-timbre.decay) * moment)
    rise = max(1, min(len(wave), int(timbre.attack * SAMPLE_RATE)))
    wave[:rise] *= np.sin(np.linspace(0, np.pi / 2, rise, dtype=np.float32))
    held = int(seconds * SAMPLE_RATE)
    wave[held:] *= np.linspace(1, 0, len(wave) - held, dtype=np.float32) ** 2
