"""The demo mix's instruments, as sums of decaying partials.

Harmonic k of a tone is `weights[k] · exp(-(decay + k·damping)·t) · sin(k·ω·t)`: with
`z = exp((-damping + iω)·t)` that is a polynomial in z, which Horner's rule sums without a sine per
partial. A whole melody takes a fraction of a second that way.
"""

import numpy as np
from msgspec import Struct
from numpy.typing import NDArray

SAMPLE_RATE = 44_100
Samples = NDArray[np.float32]

_HIGHEST = 15_000.0
_WOBBLE = 5.2


class Timbre(Struct, frozen=True):
    """One instrument. Times in seconds, rates per second.

    `vibrato` is in parts of the frequency, `tremolo` in parts of the strength (two reeds beating).
    """

    weights: tuple[float, ...]
    attack: float
    release: float
    decay: float = 0.0
    damping: float = 0.0
    vibrato: float = 0.0
    tremolo: float = 0.0
    bells: tuple[tuple[float, float, float], ...] = ()
    breath: float = 0.0


TIMBRES: dict[str, Timbre] = {
    "piano": Timbre(
        weights=(1.0, 0.55, 0.34, 0.2, 0.13, 0.09, 0.05, 0.04, 0.02),
        attack=0.004, release=0.22, decay=0.6, damping=0.5,
    ),
    "pluck": Timbre(
        weights=(1.0, 0.62, 0.42, 0.18, 0.2, 0.1, 0.07, 0.05, 0.04, 0.03),
        attack=0.002, release=0.25, decay=0.9, damping=1.1,
    ),
    "musicbox": Timbre(
        weights=(1.0, 0.12, 0.05),
        attack=0.001, release=0.6, decay=1.2, damping=0.9,
        bells=((2.76, 0.22, 7.0), (5.4, 0.12, 12.0)),
    ),
    "flute": Timbre(
        weights=(1.0, 0.32, 0.14, 0.05, 0.02),
        attack=0.05, release=0.09, vibrato=0.0035, breath=0.0025,
    ),
    "clarinet": Timbre(
        weights=(1.0, 0.06, 0.52, 0.05, 0.26, 0.03, 0.12, 0.02, 0.05),
        attack=0.03, release=0.08, vibrato=0.0015,
    ),
    "organ": Timbre(
        weights=(1.0, 0.72, 0.3, 0.46, 0.0, 0.22, 0.0, 0.2),
        attack=0.02, release=0.1,
    ),
    "strings": Timbre(
        weights=(1.0, 0.56, 0.42, 0.3, 0.21, 0.15, 0.1, 0.07, 0.05, 0.03),
        attack=0.08, release=0.2, vibrato=0.004,
    ),
    "brass": Timbre(
        weights=(0.8, 1.0, 0.82, 0.58, 0.4, 0.27, 0.17, 0.1, 0.06),
        attack=0.035, release=0.09, vibrato=0.002,
    ),
    "accordion": Timbre(
        weights=(1.0, 0.95, 0.3, 0.6, 0.12, 0.34, 0.06, 0.3, 0.03, 0.12),
        attack=0.03, release=0.08, tremolo=0.3,
    ),
    "bass": Timbre(
        weights=(1.0, 0.6, 0.36, 0.18, 0.08, 0.04),
        attack=0.006, release=0.1, decay=1.6, damping=0.9,
    ),
}  # fmt: skip


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
