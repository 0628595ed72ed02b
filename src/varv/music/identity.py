"""Ids of songs, recordings and mixes: the same thing found twice gets the same id."""

import hashlib
import re

from varv.rules.candidates import fold


def _digest(*parts: str) -> str:
    text = "\x1f".join(parts).encode("utf-8", "surrogateescape")
    return hashlib.blake2b(text, digest_size=10).hexdigest()


def song_id(title: str, artist: str) -> str:
    """The id of a song: titles and artists that a person takes for the same share it (CAN-01)."""
    return "s" + _digest(fold(title), fold(artist))


def recording_id(kind: str, locator: str) -> str:
    """The id of a recording, which stays when the song it is taken for changes."""
    return "r" + _digest(kind, locator)


def mix_id(name: str) -> str:
    """A mix's name in lower case with hyphens: "Rock & Roll" is "rock-roll"."""
    return re.sub(r"[^\w]+", "-", name.casefold()).strip("-") or "m" + _digest(name)
