"""The demo mix's instruments: what `tones` makes a tone of."""

from msgspec import Struct


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
