"""Players' names: which are allowed, and how two of the same are told apart."""

import unicodedata
from collections.abc import Iterable

from varv.rules.model import NAME_LENGTH

_BIDIRECTIONAL = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_FORBIDDEN = {"Cc", "Cs", "Zl", "Zp"}
_INVISIBLE = ("C", "Z", "M")
_BLANK = set("\u115f\u1160\u2800\u3164\uffa0")
"""Letters and symbols that show nothing, though Unicode does not say so."""


def clean(name: str) -> str | None:
    """The name as it is kept, or None if it is not one."""
    trimmed = unicodedata.normalize("NFC", name.strip())
    if not 1 <= len(trimmed) <= NAME_LENGTH:
        return None
    categories = set(map(unicodedata.category, trimmed))
    if _BIDIRECTIONAL & set(trimmed) or _FORBIDDEN & categories:
        return None
    return trimmed if any(map(_shows, trimmed)) else None


def _shows(letter: str) -> bool:
    return unicodedata.category(letter)[0] not in _INVISIBLE and letter not in _BLANK


def distinct(name: str, taken: Iterable[str]) -> str:
    """The name, with a number if somebody at the table has it already."""
    used = {_as_seen(other) for other in taken}
    wanted, number = name, 1
    while _as_seen(wanted) in used:
        number += 1
        suffix = f" {number}"
        wanted = name[: NAME_LENGTH - len(suffix)].rstrip() + suffix
    return wanted


def _as_seen(name: str) -> tuple[str, ...]:
    """What two names have in common that look the same on a screen: their words."""
    plain = unicodedata.normalize("NFKC", name).casefold()
    shown = "".join(letter for letter in plain if unicodedata.category(letter) != "Cf")
    return tuple(shown.split())
