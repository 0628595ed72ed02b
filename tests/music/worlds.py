"""Small worlds of made-up songs with all the features that could give an answer away, and ours."""

import random
from functools import cache

from varv.music.library import Library
from varv.music.options import draw
from varv.music.pool import Candidate, Pool, candidate
from varv.music.seeding import shipment
from varv.rules.model import Draw, DrawRequest, Song

NONE: frozenset[str] = frozenset()
_SYLLABLES = ["ba", "di", "ko", "lu", "ma", "ne", "po", "ra", "si", "tu", "ve", "zo"]
_LANGUAGES = ["en"] * 7 + ["sv"] * 2 + ["fr"]
_GENRES = ["pop", "pop", "rock", "disco", "soul"]


def word(rng: random.Random, syllables: int) -> str:
    return "".join(rng.choice(_SYLLABLES) for _ in range(syllables)).title()


def songs(
    count: int,
    *,
    seed: int = 1,
    recorded: float = 1.0,
    world: str = "pop",
    artists: int | None = None,
    years: tuple[int, int] = (1955, 2024),
    mark: str = "s",
) -> list[Candidate]:
    """Songs of every language, genre and year; some of them have a recording."""
    rng = random.Random(seed)
    singers = [f"{word(rng, 2)} {word(rng, 3)} {mark}{n:04}" for n in range(artists or count // 2)]
    made = []
    for n in range(count):
        title = " ".join(word(rng, rng.randint(1, 3)) for _ in range(rng.randint(1, 4)))
        song = Song(
            f"{mark}{n:04}", f"{title} {n:04}", singers[n % len(singers)], rng.randint(*years)
        )
        sound = (f"r-{song.id}",) if rng.random() < recorded else ()
        made.append(candidate(song, world, rng.choice(_LANGUAGES), rng.choice(_GENRES), sound))
    return made


def pool(members: list[Candidate], others: list[Candidate] | None = None) -> Pool:
    return Pool(members, others or [])


@cache
def shipped() -> Library:
    """The songs that Varv comes with."""
    sent = shipment()
    return Library(1, sent.songs, sent.recordings, sent.mixes, sent.members)


def request(
    mix: str = "mix",
    *,
    played: frozenset[str] = NONE,
    on_tables: frozenset[str] = NONE,
    this_round: frozenset[str] = NONE,
    retired: frozenset[str] = NONE,
    retired_texts: frozenset[str] = NONE,
    revealed: frozenset[str] = NONE,
    game: str = "K7QX",
) -> DrawRequest:
    """Nothing has been played yet, unless told."""
    return DrawRequest(mix, played, on_tables, this_round, retired, retired_texts, revealed, game)


def drawn(mix: Pool, asked: DrawRequest, rng: random.Random) -> Draw:
    """A song that there is."""
    made = draw(mix, asked, rng)
    assert isinstance(made, Draw), made
    return made


def ids(candidates: list[Candidate]) -> frozenset[str]:
    return frozenset(c.song.id for c in candidates)
