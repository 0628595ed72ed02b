"""What a bot hears of a song, as a person does: roughly when, and sometimes what."""

import random

from msgspec import Struct

from varv.bots.skills import Skill
from varv.rules.model import Song

_TYPICAL_YEAR, _TYPICAL_SPREAD = 1990, 16.0


class Hearing(Struct, frozen=True):
    """A noisy idea of a song. `spread` is how unsure the listener is of the year."""

    year: int
    spread: float
    title: str | None = None
    artist: str | None = None


def hear(song: Song, skill: Skill, rng: random.Random) -> Hearing:
    """What a listener of this skill makes of a song."""
    recognised = rng.random() < skill.recognises
    spread = skill.known_error if recognised else skill.heard_error
    titled, attributed = (recognised and rng.random() < skill.names for _ in range(2))
    return Hearing(
        year=round(rng.gauss(song.year, spread)),
        spread=spread,
        title=song.title if titled else None,
        artist=song.artist if attributed else None,
    )


def imagine(rng: random.Random) -> Hearing:
    """What somebody goes by who hears nothing: songs are mostly from a while ago."""
    return Hearing(round(rng.gauss(_TYPICAL_YEAR, _TYPICAL_SPREAD)), _TYPICAL_SPREAD)
