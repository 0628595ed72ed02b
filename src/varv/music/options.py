"""Drawing a song with its options (PRF-09, CAN-01 … CAN-07).

The ten are found first, and only then is one of them made the answer, by lot among those that may
be drawn. While a mix lasts all ten of them may be, so that nothing about a list can point at the
answer. When few are left, others stand in, and each of those takes after a song of the mix, in
language, era and genre. Then no feature tells them apart.
"""

import hashlib
import random
import re
from bisect import bisect_left, bisect_right
from collections.abc import Callable, Iterable, Iterator
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
    lot: int
    """A number by which songs are put into an order that means nothing."""


class Pool:
    """A mix, ready to be drawn from."""

    def __init__(self, members: Iterable[Candidate], others: Iterable[Candidate] = ()) -> None:
        """`others` are the rest of the catalogue: only ever wrong options."""
        self.members = list(members)
        self.others = list(others)
        self.playable = [c for c in self.members if c.recordings]
        self.shelves = Shelf(self.members), Shelf(self.others)


class Shelf:
    """Songs by world, language and year."""

    def __init__(self, songs: Iterable[Candidate]) -> None:
        """Sorted once, so that a draw need not look at every song."""
        self._songs: dict[tuple[str, str], list[Candidate]] = {}
        for song in sorted(songs, key=_year):
            self._songs.setdefault((song.world, song.language), []).append(song)

    def near(self, model: Candidate, start: float, *, same_language: bool) -> Iterator[Candidate]:
        """Songs of the model's world from `start` and a span on, in its language or any other."""
        for (world, language), songs in self._songs.items():
            if world == model.world and (language == model.language) == same_language:
                first = bisect_left(songs, start, key=_year)
                last = bisect_right(songs, start + SPAN, key=_year)
                yield from songs[first:last]


def _year(song: Candidate) -> int:
    return song.song.year


def candidate(
    song: Song, world: str, language: str, genre: str, recordings: tuple[str, ...] = ()
) -> Candidate:
    """Prepare a song."""
    whole = fold(song.artist)
    people = frozenset(fold(part) for part in _TOGETHER.split(song.artist) if part)
    return Candidate(
        song=song,
        title_key=fold(song.title),
        artist_key=whole,
        artist_keys=people | {whole},
        world=world,
        language=language,
        genre=genre,
        recordings=recordings,
        lot=_lot(song.id),
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
    if not may_be_drawn:
        return Reason.OPTIONS_EXHAUSTED
    group, answers = _group(pool, may_be_drawn, request, rng)
    if len(group) < OPTIONS:
        return Reason.OPTIONS_EXHAUSTED
    return _lay_out(group, rng.choice(answers), rng)


def _fresh(songs: Iterable[Candidate], request: DrawRequest) -> list[Candidate]:
    """Songs that were no option in this round and look like none (CAN-05)."""
    retired, texts = request.retired, request.retired_texts
    if not retired and not texts:
        return list(songs)
    return [
        c
        for c in songs
        if c.song.id not in retired and c.title_key not in texts and c.artist_key not in texts
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
    for strict in (True, False):
        hand = _Hand(strict=strict)
        hand.fill(answers, OPTIONS)
        _stand_in(hand, pool, may_be_drawn, request)
        if len(hand.songs) == OPTIONS:
            break
    drawable = {c.song.id for c in may_be_drawn}
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


def _stand_in(hand: _Hand, pool: Pool, may_be_drawn: list[Candidate], request: DrawRequest) -> None:
    """Fill up to ten with songs that each take after a song of the mix.

    The songs left to draw are a random part of the mix; so are the models, and what takes after
    them is as they are: as often the only one of its language, or the latest.
    """
    known = hand.songs[0].song.id in request.revealed
    drawable = {c.song.id for c in may_be_drawn}
    order = _order(request)
    models = sorted(pool.playable, key=order)
    # Round and round, since a model whose likes all clash must not end it.
    alike = [_like(model, pool, drawable, request, order, known=known) for model in models]
    while alike and len(hand.songs) < OPTIONS:
        likes = alike.pop(0)
        if any(hand.take(c) for c in likes):
            alike.append(likes)
    if len(hand.songs) < OPTIONS:
        hand.fill(_whatever_is_left(hand.songs, pool, may_be_drawn, request, order), OPTIONS)


def _like(
    model: Candidate,
    pool: Pool,
    drawable: set[str],
    request: DrawRequest,
    order: Callable[[Candidate], int],
    *,
    known: bool,
) -> Iterator[Candidate]:
    """Songs like the model, the best first, none of which may be drawn.

    The window of years lies anywhere around it, not with it in the middle; and songs that the table
    has heard stand in for those it has heard, and for no others.
    """
    start = model.song.year - SPAN * (order(model) % 1000) / 1000
    for same_language in (True, False):
        for shelf in pool.shelves:
            near = _fresh(shelf.near(model, start, same_language=same_language), request)
            found = [
                c
                for c in near
                if (c.song.id in request.revealed) == known and c.song.id not in drawable
            ]
            yield from sorted(found, key=lambda c: (c.genre != model.genre, order(c)))


def _whatever_is_left(
    hand: list[Candidate],
    pool: Pool,
    may_be_drawn: list[Candidate],
    request: DrawRequest,
    order: Callable[[Candidate], int],
) -> list[Candidate]:
    """Songs in the order of how little they give away; then none is kept for a change of song."""
    worlds = {c.world for c in hand}
    known = any(c.song.id in request.revealed for c in hand)
    drawable = {c.song.id for c in may_be_drawn}
    rest = [c for c in _fresh(pool.members + pool.others, request) if c.song.id not in drawable]
    rest.sort(key=order)
    here = [c for c in rest if c.world in worlds]
    as_known = [c for c in here if (c.song.id in request.revealed) == known]
    not_so = [c for c in here if (c.song.id in request.revealed) != known]
    return as_known + may_be_drawn + not_so + [c for c in rest if c.world not in worlds]


def _order(request: DrawRequest) -> Callable[[Candidate], int]:
    """An order of the stand-ins that stays the same during a game and differs between games.

    Songs left to draw have mostly been on a list before. Stand-ins that were always new would give
    themselves away; in this order they come back too.
    """
    salt = _lot(request.game)
    return lambda c: c.lot * (salt | 1) & _LARGEST


_LARGEST = 2**64 - 1


def _lot(text: str) -> int:
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


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
