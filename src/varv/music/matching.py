"""Recognising a song by its title and artist, however they are written."""

import re

from rapidfuzz import fuzz

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
    if min(len(one), len(other)) < 5 or _digits(one) != _digits(other):
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
