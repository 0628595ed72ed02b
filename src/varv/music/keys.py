"""Artists folded for comparing."""

import re
from functools import lru_cache

from varv.rules.candidates import fold

_ARTICLE = re.compile(r"^(?:the|a|los|las|die|der|les|le|la)\s+(?=\S)", re.IGNORECASE)
_TRAILING_ARTICLE = re.compile(r"^(.*),\s*(the|a|los|las|die|der|les|le|la)$", re.IGNORECASE)


@lru_cache(maxsize=1 << 14)
def artist_key(artist: str) -> str:
    """The artist folded, "The" or no "The": "Beatles, The" is "The Beatles" is "Beatles"."""
    artist = _TRAILING_ARTICLE.sub(r"\2 \1", artist.strip())
    return fold(_ARTICLE.sub("", artist))
