"""Recognising a song by its title and artist, however they are written."""

import re
from collections.abc import Iterable

from rapidfuzz import fuzz, process

from varv.music.model import CatalogueSong
from varv.rules.candidates import fold

CLOSE = 90.0
"""How alike two folded texts are, of 100, to be the same with a slip of the pen."""

_ARTICLE = re.compile(r"^(?:the|a|los|las|die|der|les|le|la)\s+(?=\S)", re.IGNORECASE)
_TRAILING_ARTICLE = re.compile(r"^(.*),\s*(the|a|los|las|die|der|les|le|la)$", re.IGNORECASE)


def artist_key(artist: str) -> str:
    """The artist folded, "The" or no "The": "Beatles, The" is "The Beatles" is "Beatles"."""
    artist = _TRAILING_ARTICLE.sub(r"\2 \1", artist.strip())
    return fold(_ARTICLE.sub("", artist))


def alike(one: str, other: str) -> bool:
    """Whether two folded texts are the same but for a slip. Short ones must be the same."""
    if one == other:
        return True
    if min(len(one), len(other)) < 6 or _digits(one) != _digits(other):
        return False
    return fuzz.ratio(one, other) >= CLOSE


def same_title(one: str, other: str) -> bool:
    """Whether two titles name the same song."""
    return alike(fold(one), fold(other))


def same_artist(one: str, other: str) -> bool:
    """Whether two artists are the same."""
    return alike(artist_key(one), artist_key(other))


def _digits(text: str) -> str:
    """A number is never a slip: "Part 1" is not "Part 2"."""
    return "".join(filter(str.isdigit, text))


class Index:
    """Songs to be recognised. Exact first; then an artist, and a title of theirs, with a slip."""

    def __init__(self, songs: Iterable[CatalogueSong] = ()) -> None:
        """Every song can be found by every way of writing it."""
        self._exact: dict[tuple[str, str], CatalogueSong] = {}
        self._by_artist: dict[str, list[tuple[str, CatalogueSong]]] = {}
        self._guessed: dict[str, str | None] = {}
        for song in songs:
            self.add(song)

    def add(self, song: CatalogueSong) -> None:
        """Recognise this song too, or a newer row of it."""
        title, artist = fold(song.title), artist_key(song.artist)
        old = self._exact.get((title, artist))
        self._exact[title, artist] = song
        titles = self._by_artist.setdefault(artist, [])
        if old is not None:
            titles[:] = [entry for entry in titles if entry[0] != title]
        else:
            self._guessed.clear()
        titles.append((title, song))

    def exact(self, title: str, artist: str) -> CatalogueSong | None:
        """The song of this title by this artist, as a person would compare (CAN-01)."""
        return self._exact.get((fold(title), artist_key(artist)))

    def find(self, title: str, artist: str) -> CatalogueSong | None:
        """The same, allowing for slips."""
        wanted_title, wanted_artist = fold(title), artist_key(artist)
        found = self._exact.get((wanted_title, wanted_artist))
        if found is not None:
            return found
        known = self._known_artist(wanted_artist)
        if known is None:
            return None
        close = [
            (fuzz.ratio(wanted_title, other), song)
            for other, song in self._by_artist[known]
            if alike(wanted_title, other)
        ]
        return max(close, key=lambda entry: entry[0])[1] if close else None

    def by_artist(self, artist: str) -> list[CatalogueSong]:
        """The songs of an artist."""
        return [song for _, song in self._by_artist.get(artist_key(artist), [])]

    def _known_artist(self, wanted: str) -> str | None:
        if wanted in self._by_artist:
            return wanted
        if wanted not in self._guessed:
            best = process.extractOne(
                wanted, self._by_artist.keys(), scorer=fuzz.ratio, score_cutoff=CLOSE
            )
            self._guessed[wanted] = best[0] if best and alike(wanted, best[0]) else None
        return self._guessed[wanted]
