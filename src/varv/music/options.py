"""Drawing a song with its options (PRF-09, CAN-01 … CAN-07).

The ten are found first, and only then is one of them made the answer, by lot among those that may
be drawn. While a mix lasts all ten of them may be, so that nothing about a list can point at the
answer. When few are left, others stand in, and each of those takes after one of the few: in
language and era, and in whether the table has already heard it. Then no feature tells them apart.
"""

import hashlib
import random
import re
from collections.abc import Callable, Iterable
from typing import NamedTuple

from varv.music.model import MIN_DIFFERENT, MIN_SONGS
from varv.rules.candidates import FEW, OPTIONS, fold
from varv.rules.model import Draw, DrawRequest, Song
from varv.rules.refusals import Reason

SPAN = 20
"""Years that ten songs may be apart, if the mix can afford to choose."""
SPARE = 3
"""Songs kept out of the ten when a mix runs low, so that the song can still be changed."""

_TOGETHER = re.compile(
    r"\s*(?:&|\+|,|/|;|\band\b|\boch\b|\bmed\b|\bwith\b|\bvs\b\.?|\bx\b)\s*", re.IGNORECASE
)


class Candidate(NamedTuple):
    """A song prepared for comparing and grouping."""

    song: Song
    title_key: str
    artist_key: str
    artist_keys: frozenset[str]
    """The artist and everybody in it: "Queen" beside "Queen & David Bowie" would confuse."""
    world: str
    language: str
    genre: str
    recordings: tuple[str, ...]


class Pool(NamedTuple):
    """A mix, ready to be drawn from."""

    members: list[Candidate]
    playable: list[Candidate]
    others: list[Candidate]
    """The rest of the catalogue: only ever wrong options."""


def candidate(
    song: Song, world: str, language: str, genre: str, recordings: tuple[str, ...] = ()
) -> Candidate:
    """Prepare a song."""
    whole = fold(song.artist)
    people = frozenset(fold(part) for part in _TOGETHER.split(song.artist) if part)
    return Candidate(
        song, fold(song.title), whole, people | {whole}, world, language, genre, recordings
    )


def playable(songs: Iterable[Candidate]) -> bool:
    """Whether a mix with these recordings can be played (MUS-02)."""
    found = list(songs)
    return (
        len(found) >= MIN_SONGS
        and len({c.title_key for c in found}) >= MIN_DIFFERENT
        and len({c.artist_key for c in found}) >= MIN_DIFFERENT
    )


def draw(pool: Pool, request: DrawRequest, rng: random.Random) -> Draw | Reason:
    """A song of the mix with its options, or why there is none."""
    left = [c for c in pool.playable if c.song.id not in request.this_round]
    if not left:
        return Reason.MIX_EXHAUSTED
    may_be_drawn = _first_choice(_fresh(left, request), request)
    group, answers = _group(pool, may_be_drawn, request, rng)
    if len(group) < OPTIONS:
        return Reason.OPTIONS_EXHAUSTED
    return _lay_out(group, rng.choice(answers), rng)


def _fresh(songs: Iterable[Candidate], request: DrawRequest) -> list[Candidate]:
    """Songs that were no option in this round and look like none (CAN-05)."""
    if not request.retired and not request.retired_texts:
        return list(songs)
    return [
        c
        for c in songs
        if c.song.id not in request.retired
        and c.title_key not in request.retired_texts
        and c.artist_key not in request.retired_texts
    ]


def _first_choice(songs: list[Candidate], request: DrawRequest) -> list[Candidate]:
    """Those not played in this game; else those on no table; else any (PRF-09)."""
    return (
        [c for c in songs if c.song.id not in request.played]
        or [c for c in songs if c.song.id not in request.on_tables]
        or songs
    )


class _Hand:
    """Songs picked so far, no two of which a person would take for the same (CAN-01)."""

    def __init__(self, *, strict: bool = True) -> None:
        self.songs: list[Candidate] = []
        self._titles: set[str] = set()
        self._artists: set[str] = set()
        self._strict = strict

    def take(self, song: Candidate) -> bool:
        """Pick a song unless it clashes."""
        artists = song.artist_keys if self._strict else {song.artist_key}
        if song.title_key in self._titles or not self._artists.isdisjoint(artists):
            return False
        self.songs.append(song)
        self._titles.add(song.title_key)
        self._artists |= artists
        return True

    def fill(self, songs: Iterable[Candidate], size: int) -> None:
        """Pick until there are `size`."""
        for song in songs:
            if len(self.songs) >= size:
                return
            self.take(song)


def _pick(songs: list[Candidate], size: int, rng: random.Random) -> list[Candidate]:
    """Up to `size` songs at random that do not clash."""
    best: list[Candidate] = []
    # A few shuffles: an unlucky order can block itself where another finds enough.
    for _ in range(4):
        hand = _Hand()
        hand.fill(rng.sample(songs, len(songs)), size)
        if len(hand.songs) > len(best):
            best = hand.songs
        if len(best) >= size:
            break
    return best


def _group(
    pool: Pool, may_be_drawn: list[Candidate], request: DrawRequest, rng: random.Random
) -> tuple[list[Candidate], list[Candidate]]:
    """Ten songs, and those of them that the answer is drawn from (CAN-06)."""
    some = _pick(may_be_drawn, OPTIONS + SPARE, rng)
    if len(some) == OPTIONS + SPARE:
        ten = _pick(_narrow(may_be_drawn, rng), OPTIONS, rng)
        if len(ten) == OPTIONS:
            return ten, ten
    size = min(OPTIONS, max(len(some) - SPARE, (len(some) + 1) // 2))
    answers = some[:size]
    drawable = {c.song.id for c in may_be_drawn}
    for strict in (True, False):
        hand = _Hand(strict=strict)
        hand.fill(answers, OPTIONS)
        _stand_in(hand, pool, drawable, request, rng)
        if len(hand.songs) == OPTIONS:
            break
        # Nothing else is left: then none is kept for a change of song.
        hand.fill(may_be_drawn, OPTIONS)
        if len(hand.songs) == OPTIONS:
            break
    return hand.songs, [c for c in hand.songs if c.song.id in drawable]


# Narrowing down: songs near each other (CAN-07)


def _enough(songs: list[Candidate]) -> bool:
    """Whether ten can be picked here whatever the luck."""
    hand = _Hand()
    hand.fill(songs, OPTIONS + SPARE)
    return len(hand.songs) == OPTIONS + SPARE


def _narrow(songs: list[Candidate], rng: random.Random) -> list[Candidate]:
    """Songs of one kind and time.

    Each part is as likely as it is large, so that every song of the mix is about as likely to be
    drawn (PRF-09).
    """
    songs = _one_kind(songs, lambda c: c.world, rng)
    songs = _one_kind(songs, lambda c: c.language, rng)
    songs = _one_era(songs, rng)
    return _one_kind(songs, lambda c: c.genre, rng)


def _one_kind(
    songs: list[Candidate], kind: Callable[[Candidate], str], rng: random.Random
) -> list[Candidate]:
    """Songs of one kind; kinds too small to stand alone are one kind together."""
    kinds: dict[str, list[Candidate]] = {}
    for song in songs:
        kinds.setdefault(kind(song), []).append(song)
    if len(kinds) == 1:
        return songs
    parts = [part for part in kinds.values() if _enough(part)]
    large = {id(part) for part in parts}
    rest = [song for part in kinds.values() if id(part) not in large for song in part]
    if not parts:
        return songs
    if _enough(rest):
        parts.append(rest)
    else:
        # Too few to be a part: they join one, so that they too are heard.
        parts[rng.randrange(len(parts))] += rest
    return rng.choices(parts, [len(part) for part in parts])[0]


def _one_era(songs: list[Candidate], rng: random.Random) -> list[Candidate]:
    """Songs not many years apart. Where the cuts fall is chance, so that no year is ever first."""
    songs = sorted(songs, key=lambda c: c.song.year)
    while songs[-1].song.year - songs[0].song.year > SPAN:
        cut = rng.randint(len(songs) // 3, len(songs) - len(songs) // 3)
        early, late = songs[:cut], songs[cut:]
        if not (_enough(early) and _enough(late)):
            break
        songs = rng.choices((early, late), (len(early), len(late)))[0]
    return songs


# Standing in: wrong options that cannot be told from songs that may be drawn (CAN-06, CAN-07)


def _stand_in(
    hand: _Hand, pool: Pool, drawable: set[str], request: DrawRequest, rng: random.Random
) -> None:
    """Fill up to ten with songs that each take after one already there, from the mix first."""
    models = list(hand.songs)
    order = _order(request)
    mates = [c for c in _fresh(pool.members, request) if c.song.id not in drawable]
    rest = _fresh(pool.others, request)
    offset = rng.random() * SPAN
    while models and len(hand.songs) < OPTIONS:
        model = rng.choice(models)
        near = (
            sorted(
                _like(songs, model, offset, request, same_language=same_language),
                key=lambda c: (c.genre != model.genre, order(c)),
            )
            for same_language in (True, False)
            for songs in (mates, rest)
        )
        if not any(hand.take(c) for part in near for c in part):
            models.remove(model)
    worlds = {c.world for c in hand.songs}
    last = sorted(
        mates + rest,
        key=lambda c: (c.world not in worlds, c.song.id in request.revealed, order(c)),
    )
    hand.fill(last, OPTIONS)


def _like(
    songs: list[Candidate],
    model: Candidate,
    offset: float,
    request: DrawRequest,
    *,
    same_language: bool,
) -> list[Candidate]:
    """Songs like the model.

    The window of years lies anywhere around it, not with it in the middle; and songs that the table
    has heard stand in for one it has heard, and for no other.
    """
    start = model.song.year - offset
    known = model.song.id in request.revealed
    return [
        c
        for c in songs
        if start <= c.song.year <= start + SPAN
        and (c.language == model.language) == same_language
        and c.world == model.world
        and (c.song.id in request.revealed) == known
    ]


def _order(request: DrawRequest) -> Callable[[Candidate], bytes]:
    """An order of the stand-ins that hardly changes during a game and differs between games.

    Songs left to draw have mostly been on a list before. Stand-ins that were always new would give
    themselves away; in this order they come back too.
    """
    salt = min((_hash(song) for song in request.played), default=b"")
    return lambda c: _hash(c.song.id, salt)


def _hash(text: str, salt: bytes = b"") -> bytes:
    return hashlib.blake2b(text.encode(), digest_size=8, salt=salt).digest()


# Laying out


def _lay_out(group: list[Candidate], answer: Candidate, rng: random.Random) -> Draw:
    """Both lists from the same ten songs, shuffled each for itself; the reduced ones likewise."""
    by_title = rng.sample(group, OPTIONS)
    by_artist = rng.sample(group, OPTIONS)
    wrong = [c for c in group if c is not answer]
    few = {c.song.id for c in (answer, *rng.sample(wrong, FEW - 1))}
    return Draw(
        song=answer.song,
        titles=tuple(c.song.title for c in by_title),
        artists=tuple(c.song.artist for c in by_artist),
        few_titles=tuple(i for i, c in enumerate(by_title) if c.song.id in few),
        few_artists=tuple(i for i, c in enumerate(by_artist) if c.song.id in few),
        group=tuple(sorted(c.song.id for c in group)),
        recording=answer.recordings[0] if answer.recordings else "",
    )
