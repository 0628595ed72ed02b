"""Recognising a song by its title and artist, however they are written."""

from collections.abc import Iterable, Iterator

from rapidfuzz import fuzz

from varv.music.keys import artist_key
from varv.music.model import CatalogueSong, Origin
from varv.rules.candidates import fold

CLOSE = 90.0
"""How alike two folded texts are, of 100, to be the same with a slip of the pen."""


def alike(one: str, other: str) -> bool:
    """Whether two folded texts are the same but for a slip. Short ones must be the same."""
    if one == other:
        return True
    if min(len(one), len(other)) < 6 or not fuzz.ratio(one, other, score_cutoff=CLOSE):
        return False
    return _digits(one) == _digits(other)


def same_title(one: str, other: str) -> bool:
    """Whether two titles name the same song."""
    return alike(fold(one), fold(other))


def same_artist(one: str, other: str) -> bool:
    """Whether two artists are the same."""
    return alike(artist_key(one), artist_key(other))


def _digits(text: str) -> str:
    """A number is never a slip: "Part 1" is not "Part 2"."""
    return "".join(filter(str.isdigit, text))


def _without_one(text: str) -> Iterator[str]:
    """The text, and every text with one letter less: what two spellings with one slip share."""
    yield text
    for n in range(len(text)):
        yield text[:n] + text[n + 1 :]


class Index:
    """Songs to be recognised, by their keys: exactly, or with a slip if we ship the artist."""

    def __init__(self, songs: Iterable[CatalogueSong] = ()) -> None:
        """Every song can be found by every way of writing it."""
        self._exact: dict[tuple[str, str], CatalogueSong] = {}
        self._by_artist: dict[str, dict[str, CatalogueSong]] = {}
        self._slips: dict[str, list[str]] = {}
        self._guessed: dict[str, str] = {}
        for song in songs:
            new = artist_key(song.artist) not in self._by_artist
            self.add(song)
            if new and song.origin is Origin.SHIPPED:
                for slip in _without_one(artist_key(song.artist)):
                    self._slips.setdefault(slip, []).append(artist_key(song.artist))

    def add(self, song: CatalogueSong) -> None:
        """Recognise this song too, or a newer row of it."""
        self.add_keys(song, fold(song.title), artist_key(song.artist))

    def add_keys(self, song: CatalogueSong, title: str, artist: str) -> None:
        """The same, where the keys are known."""
        self._exact[title, artist] = song
        self._by_artist.setdefault(artist, {})[title] = song

    def exact(self, title: str, artist: str) -> CatalogueSong | None:
        """The song of this title by this artist, as a person would compare (CAN-01)."""
        return self._exact.get((fold(title), artist_key(artist)))

    def find(self, title: str, artist: str) -> CatalogueSong | None:
        """The same, allowing for slips."""
        return self.find_keys(fold(title), artist_key(artist))

    def find_keys(self, title: str, artist: str) -> CatalogueSong | None:
        """The same, where the keys are known."""
        found = self._exact.get((title, artist))
        if found is not None:
            return found
        theirs = self._by_artist.get(artist) or self._by_artist.get(self._meant(artist))
        if not theirs:
            return None
        close = [(fuzz.ratio(title, o), o) for o in theirs if alike(title, o)]
        return theirs[max(close)[1]] if close else None

    def by_artist(self, artist: str) -> list[CatalogueSong]:
        """The songs of an artist, named by their key."""
        return list(self._by_artist.get(artist, {}).values())

    def _meant(self, artist: str) -> str:
        """The artist that was meant, or an empty text."""
        if artist not in self._guessed:
            slips = self._slips
            meant = {other for slip in _without_one(artist) for other in slips.get(slip, ())}
            self._guessed[artist] = max((o for o in meant if alike(artist, o)), default="")
        return self._guessed[artist]
