"""The options of a performance: when two of them are the same, and which sets are valid."""

import re
import unicodedata
from collections.abc import Iterable
from functools import lru_cache

from varv.rules.model import Draw, Part

OPTIONS = 10
FEW = 3
ALL = tuple(range(OPTIONS))
"""Indexes of all the options of a part."""

_EDITION = re.compile(
    # "(Remastered 2011)", "[Live]", " - 2009 Remaster"; the last dash begins it, a hyphen nothing
    r"""\s*(?:[(\[/]|\s[–—-])\s*(?:(?:(?!\s[–—-]\s)[^()\[\]])*\b)?
    (?:re-?master(?:ed)?|remix(?:ed)?|radio\ edit|version|mono|stereo|live|karaoke|edit
      |bonus\ track|deluxe|anniversary)\b[^()\[\]]*[)\]]?\s*$""",
    re.VERBOSE | re.IGNORECASE,
)
FEATURING = re.compile(r"\s*[(\[]?\b(?:feat|ft|featuring)\b\.?\s[^()\[\]]*[)\]]?", re.IGNORECASE)
"""Guests that are named in a title or after an artist."""
_LETTERS = str.maketrans(
    {"ø": "o", "æ": "ae", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "&": " and "}
)


@lru_cache(maxsize=1 << 14)
def fold(text: str) -> str:
    """What is left of a title or an artist when compared as a person would (CAN-01)."""
    bare = _EDITION.sub("", FEATURING.sub("", text))
    plain = unicodedata.normalize("NFKD", bare.casefold().translate(_LETTERS))
    return "".join(filter(str.isalnum, plain)) or text.strip().casefold()


_IDS = {part: [f"{part[0]}{index}" for index in ALL] for part in (Part.TITLE, Part.ARTIST)}
_INDEXES: dict[Part, dict[int | str, int]] = {
    part: {option: index for index, option in enumerate(ids)} for part, ids in _IDS.items()
}


def option_id(part: Part, index: int) -> str:
    """The public id of an option: "t0"…"t9" or "a0"…"a9"."""
    return _IDS[part][index]


def option_index(part: Part, option: int | str) -> int | None:
    """Which option of a part has this id, if any."""
    return _INDEXES[part].get(option)


def right_option(options: tuple[str, ...], answer: str) -> int | None:
    """The one option that is the answer, or None if there is none or more than one (CAN-01)."""
    wanted = fold(answer)
    right = [index for index, text in enumerate(options) if fold(text) == wanted]
    return right[0] if len(right) == 1 else None


def _valid_list(options: tuple[str, ...], answer: str, old: set[str]) -> bool:
    folded = {fold(text) for text in options}
    return (
        len(options) == OPTIONS
        and len(folded) == OPTIONS
        and folded.isdisjoint(old)
        and right_option(options, answer) is not None
    )


def valid(draw: Draw, retired_texts: Iterable[str] = ()) -> bool:
    """Whether these options may be played with (CAN-01, CAN-04, CAN-05)."""
    old = set(retired_texts)
    return _valid_list(draw.titles, draw.song.title, old) and _valid_list(
        draw.artists, draw.song.artist, old
    )


def _valid_few(few: tuple[int, ...], options: tuple[str, ...], answer: str) -> bool:
    return (
        len(few) == FEW
        and tuple(sorted(set(few))) == few
        and few[0] >= 0
        and few[-1] < OPTIONS
        and right_option(options, answer) in few
    )


def valid_few(draw: Draw) -> bool:
    """Whether a joker may reduce the options to these (CAN-03)."""
    return _valid_few(draw.few_titles, draw.titles, draw.song.title) and _valid_few(
        draw.few_artists, draw.artists, draw.song.artist
    )
