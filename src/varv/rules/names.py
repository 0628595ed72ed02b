"""Players' names: which are allowed, and how two of the same are told apart."""

import unicodedata
from collections.abc import Iterable

from varv.rules.model import NAME_LENGTH

_BIDIRECTIONAL = set("\u061c\u200e\u200f\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069")
_FORBIDDEN = {"Cc", "Cs", "Zl", "Zp"}
_INVISIBLE = ("C", "Z", "M")


def clean(name: str) -> str | None:
    """The name as it is kept, or None if it is not one."""
    trimmed = unicodedata.normalize("NFC", name.strip())
    if not 1 <= len(trimmed) <= NAME_LENGTH:
        return None
    categories = [unicodedata.category(letter) for letter in trimmed]
    if _BIDIRECTIONAL & set(trimmed) or _FORBIDDEN & set(categories):
        return None
    return None if all(category[0] in _INVISIBLE for category in categories) else trimmed


def distinct(name: str, taken: Iterable[str]) -> str:
    """The name, with a number if somebody at the table has it already."""
    used = {other.casefold() for other in taken}
    wanted, number = name, 1
    while wanted.casefold() in used:
        number += 1
        suffix = f" {number}"
        wanted = name[: NAME_LENGTH - len(suffix)].rstrip() + suffix
    return wanted
