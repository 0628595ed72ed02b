"""What a mix is drawn from: its songs, others that keep it company, the rest of the catalogue."""

import hashlib
import re
from bisect import bisect_left, bisect_right
from collections import Counter, deque
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from varv.music.model import MIN_DIFFERENT, MIN_SONGS
from varv.rules.candidates import fold
from varv.rules.model import Song

SPAN = 20
"""Years that ten songs may be apart, if the mix can afford to choose."""
EVENING = 50
"""A mix with so many recordings needs no company: ten players lead three rounds each, and more."""
ENOUGH_SONGS = 50
"""So many songs are in play at first, with the company, so that ten of a kind can be found."""
COMPANY = 20
"""So many guests at least: ten can still be picked beside the very last song."""
MANY = 3
"""Songs by one artist that a player would notice."""
GAMES = 64
"""Games whose company is kept in mind."""

_TOGETHER = re.compile(
    r"\s*(?:&|\+|,|/|;|\band\b|\boch\b|\bmed\b|\bwith\b|\bvs\b\.?|\bx\b)\s*", re.IGNORECASE
)

_LARGEST = 2**64 - 1

Order = Callable[["Candidate"], int]


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
        self._company: dict[str, list[Candidate]] = {}

    def company(self, game: str) -> list[Candidate]:
        """Songs that cannot be drawn and are wrong options from the first round on (CAN-06).

        A mix that few songs can be drawn from needs them in the end; called in only then, they
        could be told by their newness.
        """
        if game not in self._company:
            while len(self._company) >= GAMES:
                self._company.pop(next(iter(self._company)))
            self._company[game] = self._invite(order_of(game))
        return self._company[game]

    def _invite(self, order: Order) -> list[Candidate]:
        """Guests who take after the songs that can be drawn, one song after another (CAN-07)."""
        if len(self.playable) >= EVENING:
            return []
        missing = max(ENOUGH_SONGS - len(self.playable), COMPANY)
        titles = {song.title_key for song in self.playable}
        songs_by = Counter(song.artist_key for song in self.playable)
        ranked = sorted(self.playable, key=order)
        models = deque(self._kindred(model, songs_by, order) for model in ranked)
        guests: list[Candidate] = []
        while models and len(guests) < missing:
            likes = models.popleft()
            guest = next((song for song in likes if song.title_key not in titles), None)
            if guest is not None:
                guests.append(guest)
                titles.add(guest.title_key)
                models.append(likes)
        return guests

    def _kindred(
        self, model: Candidate, songs_by: Counter[str], order: Order
    ) -> Iterator[Candidate]:
        """Songs like one of the mix, from the mix first; from outside only those of its genre.

        A carol among Christmas songs tells nothing; a hit from outside does. For an artist with
        many songs other songs by the same artist come first: else to have been the answer would
        tell of more to come.
        """
        inside, outside = self.shelves
        near = [*self._near(inside, model, order)]
        near += [c for c in self._near(outside, model, order) if model.genre in ("", c.genre)]
        if songs_by[model.artist_key] >= MANY:
            near.sort(key=lambda c: c.artist_key != model.artist_key)
        yield from near

    def like(
        self, model: Candidate, order: Order, eligible: Callable[[Candidate], bool]
    ) -> Iterator[Candidate]:
        """Songs like one of the mix, the best first, from the mix first (CAN-07)."""
        for same_language in (True, False):
            for shelf in self.shelves:
                near = self._near(shelf, model, order, same_language=same_language)
                yield from filter(eligible, near)

    @staticmethod
    def _near(
        shelf: "Shelf", model: Candidate, order: Order, *, same_language: bool = True
    ) -> Iterator[Candidate]:
        """Songs of about the same years; the window lies anywhere around the model."""
        start = model.song.year - SPAN * (order(model) % 1000) / 1000
        near = shelf.near(model, start, same_language=same_language)
        yield from sorted(near, key=lambda c: (c.genre != model.genre, order(c)))


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
        lot=lot(song.id),
    )


def playable(songs: Iterable[Candidate]) -> bool:
    """Whether a mix with these recordings can be played (MUS-02)."""
    found = list(songs)
    return (
        len(found) >= MIN_SONGS
        and len({c.title_key for c in found}) >= MIN_DIFFERENT
        and len({c.artist_key for c in found}) >= MIN_DIFFERENT
    )


def lot(text: str) -> int:
    """A number that means nothing, always the same for a text."""
    return int.from_bytes(hashlib.blake2b(text.encode(), digest_size=8).digest())


def order_of(game: str) -> Order:
    """An order of songs that stays the same during a game and differs between games."""
    salt = lot(game) | 1
    return lambda song: song.lot * salt & _LARGEST


class Hand:
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
