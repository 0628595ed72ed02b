"""Invented songs to play with where there is no music: as many of each year as people know."""

import random
from collections.abc import Iterable

from varv.music.options import lay_out
from varv.rules.candidates import OPTIONS
from varv.rules.model import Draw, DrawRequest, Song
from varv.rules.refusals import Reason

SONGS = 600
NEAR = 40
"""The ten are drawn from this many songs of about the same time (CAN-07)."""

_DECADES = {1950: 3, 1960: 10, 1970: 16, 1980: 22, 1990: 19, 2000: 15, 2010: 12, 2020: 4}
"""How many of a hundred songs at a party are from each decade."""
_LAST_YEAR = 2025

_QUALITIES = (
    "Amber", "Blue", "Broken", "Crystal", "Distant", "Electric", "Empty", "Endless", "Faded",
    "Golden", "Hidden", "Hollow", "Lonely", "Lucky", "Midnight", "Neon", "Paper", "Restless",
    "Scarlet", "Secret", "Silent", "Silver", "Stolen", "Sudden", "Tender", "Velvet", "Wild",
    "Winter",
)  # fmt: skip
_THINGS = (
    "Avenue", "Balcony", "Carousel", "Comet", "Compass", "Daydream", "Diamond", "Echo", "Feather",
    "Firefly", "Garden", "Harbour", "Highway", "Horizon", "Island", "Lantern", "Letter", "Mirror",
    "Morning", "Mountain", "Orchard", "Planet", "Promise", "River", "Shadow", "Summer", "Telephone",
    "Thunder", "Tower", "Window",
)  # fmt: skip


class Deck:
    """Songs in the order of their years, and a way to draw one with its options."""

    def __init__(self, rng: random.Random, size: int = SONGS) -> None:
        """No two of its songs share a title or an artist."""
        titles = rng.sample([f"{a} {b}" for a in _QUALITIES for b in _THINGS], size)
        artists = rng.sample([f"The {a} {b}s" for a in _QUALITIES for b in _THINGS], size)
        self.songs = tuple(
            Song(f"s{number}", title, artist, year)
            for number, (title, artist, year) in enumerate(
                zip(titles, artists, sorted(_year(rng) for _ in range(size)), strict=True)
            )
        )

    def draw(self, request: DrawRequest, rng: random.Random) -> Draw | Reason:
        """Ten songs that belong together, then one of them by lot (PRF-09, CAN-05, CAN-06)."""
        usable = [song for song in self.songs if song.id not in request.retired]
        fresh = (
            _without(usable, request.played)
            or _without(usable, request.on_tables)
            or _without(usable, request.this_round)
        )
        if not fresh:
            return Reason.MIX_EXHAUSTED
        if len(usable) < OPTIONS:
            return Reason.OPTIONS_EXHAUSTED
        pool = fresh if len(fresh) >= OPTIONS else usable
        start = rng.randint(0, max(0, len(pool) - NEAR))
        group = rng.sample(pool[start : start + NEAR], OPTIONS)
        drawable = {song.id for song in fresh}
        answers = [song for song in group if song.id in drawable]
        if not answers:
            group[0] = rng.choice(fresh)
        return lay_out(group, rng.choice(answers or group[:1]), rng)


def _without(songs: list[Song], ids: Iterable[str]) -> list[Song]:
    return [song for song in songs if song.id not in ids]


def _year(rng: random.Random) -> int:
    (decade,) = rng.choices(list(_DECADES), list(_DECADES.values()))
    return rng.randint(decade, min(decade + 9, _LAST_YEAR))
