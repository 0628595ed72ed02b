"""Titles and artists as people write them on files: what to show, and which version they name."""

import contextlib
import re
import unicodedata
from enum import StrEnum

from varv.rules.candidates import FEATURING


class Version(StrEnum):
    """What kind of recording a file says it is."""

    STUDIO = "studio"
    KARAOKE = "karaoke"
    LIVE = "live"
    OTHER = "other"


def _suffix(words: str) -> re.Pattern[str]:
    """One of some words in brackets or after a dash, at the end: "(Live 1985)", "- 2011 Mix"."""
    # No second dash before the word: "River Deep – Mountain High - 2009 Remaster" has two parts.
    part = rf"(?:(?:(?!\s[-–—]\s)[^()\[\]])*\b)?(?:{words})\b[^()\[\]]*"
    return re.compile(rf"\s*(?:[(\[]\s*{part}\s*[)\]]|\s[-–—]\s+{part})\s*$", re.IGNORECASE)


_SAME = _suffix(
    r"(?:digital(?:ly)?\s)?re-?master(?:ed)?|radio\s(?:edit|version|mix)"
    r"|(?:single|album|original|full|short|7\"|7-inch|long)\s(?:version|edit|mix)|original"
    r"|mono|stereo|bonus(?:\strack)?|deluxe|anniversary|explicit|clean|\d{4}\sversion"
    r"|official(?:\s\w+)*|lyrics?(?:\svideo)?|hq|hd"
)
_WITH = re.compile(
    # With somebody who has a name: "Quit Playing Games (With My Heart)" is all title.
    r"\s*[(\[](?:with|med)\s(?!(?:a|an|the|my|your|me|you|us|him|her|it|mig|mej|dig|dej)\b)"
    r"[^()\[\]]*[)\]]\s*$",
    re.IGNORECASE,
)
_KARAOKE = re.compile(
    r"\b(?:karaoke|backing\strack|sing[\s-]?along|in\sthe\sstyle\sof|originally\sperformed"
    r"|made\s(?:famous|popular)\sby|tribute\sto|tribute\sband)\b",
    re.IGNORECASE,
)
_INSTRUMENTAL = _suffix(r"instrumental|a\s?cappella")
_LIVE_TITLE = _suffix(r"live|unplugged|in\sconcert|peel\ssession")
_LIVE_ALBUM = re.compile(
    r"\blive\s(?:at|in|from|on|&)\b|\bunplugged\b|\bin\sconcert\b|[(\[]live\b|[\s-]\slive$"
    r"|^live!?$",
    re.IGNORECASE,
)
_OTHER = _suffix(
    r"remix(?:ed)?|rmx|re-?recorded|re-?recording|acoustic|demo|rework|mash-?up|cover"
    r"|\w+['’]s\sversion|rehearsal|alternate\s\w+|outtake"
)
_VERSIONS = (
    (_INSTRUMENTAL, Version.KARAOKE),
    (_LIVE_TITLE, Version.LIVE),
    (_OTHER, Version.OTHER),
)
_HAS_SUFFIX = re.compile(r"[(\[]|\s[-–—]\s")
_VERSION_WORDS = frozenset(
    """kara back sing styl orig made trib inst acap capp live unpl conc peel remi rmx re rere acou
    demo rewo mash cove vers rehe alte outt""".split()  # noqa: SIM905 - sixty quotes say no more
)
"""How the words begin that can make a version: a quick look before a thorough one."""
_ALBUM_WORDS = frozenset(
    """rema re mast delu anni edit reis expa coll grea best very hit hits anth esse gold plat sing
    ulti comp defi now top abso soun orig sven saml bäst guld hitl part vari dj mega
    deca""".split()  # noqa: SIM905
)
_WORD = re.compile(r"\w+")
_DIGIT = re.compile(r"\d")
_REISSUE = re.compile(
    r"re-?master|deluxe|anniversary|edition|re-?issue|expanded|collector", re.IGNORECASE
)
_COMPILATION = re.compile(
    r"\b(?:greatest|best\sof|very\sbest|hits?|collection|anthology|essential|gold|platinum|singles"
    r"|ultimate|compilation|definitive|now\sthat['’]?s|top\s?\d+|\d+\sof|absolute|complete"
    r"|soundtrack|original\smotion|svenska\sfavoriter|samlade|bästa|guldkorn|hitlåtar|party"
    r"|various|dj[\s-]mix|megamix|decades?|\d0['’]?s|\d0-tal\w*)\b",
    re.IGNORECASE,
)
_VARIOUS = re.compile(
    r"^(?:various(?:\sartists)?|va|diverse(?:\sartister)?|unknown(?:\s\w+)?)$", re.IGNORECASE
)
_NUMBER = re.compile(r"^\s*(?:\d{1,2}[-.])?\d{1,3}(?:\s*[-._)]\s*|\s+)(?=\D)")
_UNKNOWN = re.compile(r"^(?:track|titel|spår|piste|audio)\s*\d*$|^unknown\b|^\W*$", re.IGNORECASE)


def clean_text(text: str | None) -> str:
    """A tag as one line of readable text; UTF-8 that was taken for Latin-1 is put right."""
    if not text:
        return ""
    if text.isascii() and text.isprintable():
        return " ".join(text.split())
    text = text.replace("\x00", "; ")
    with contextlib.suppress(UnicodeError):
        text = text.encode("latin-1").decode("utf-8")
    text = "".join(" " if unicodedata.category(c)[0] == "C" else c for c in text)
    return " ".join(unicodedata.normalize("NFC", text).split())


def show_title(title: str) -> str:
    """The title without what does not name the song: "(Remastered 2011)", "feat. …"."""
    while _HAS_SUFFIX.search(title) or FEATURING.search(title):
        shorter = _WITH.sub("", _SAME.sub("", FEATURING.sub("", title))).strip()
        if not shorter or shorter == title:
            return title
        title = shorter
    return title


def show_artist(artist: str) -> str:
    """The artist without guests, several of them joined as on a sleeve."""
    alone = FEATURING.sub("", artist).strip() or artist
    return " & ".join(part.strip() for part in alone.split(";") if part.strip())


def version(title: str, artist: str, album: str) -> Version:
    """Which version a file is. Titles such as "Live and Let Die" name no version."""
    everything = f"{title}\n{artist}\n{album}"
    if _telling(everything, _VERSION_WORDS):
        if _KARAOKE.search(everything):
            return Version.KARAOKE
        if _LIVE_ALBUM.search(album):
            return Version.LIVE
        for pattern, named in _VERSIONS:
            if pattern.search(title):
                return named
    return Version.STUDIO


def studio_album(title: str, album: str, album_artist: str) -> bool:
    """Whether the date of this album can be that of the song: no compilation and no reissue."""
    if not album or _VARIOUS.match(album_artist):
        return False
    if not _telling(f"{album}\n{title}", _ALBUM_WORDS) and not _DIGIT.search(album):
        return True
    return not (_COMPILATION.search(album) or _REISSUE.search(album) or _REISSUE.search(title))


def _telling(text: str, beginnings: frozenset[str]) -> bool:
    return any(word[:4] in beginnings for word in _WORD.findall(text.lower()))


def names_somebody(artist: str) -> bool:
    """Whether a tag names an artist at all."""
    return bool(artist) and not _VARIOUS.match(artist)


def names_something(title: str) -> bool:
    """Whether a tag names a song at all: "Track 01" does not."""
    return not _UNKNOWN.match(title)


def from_file_name(stem: str) -> tuple[str, str]:
    """Artist and title of a file named "01 - Artist - Title"; empty where it does not say."""
    text = clean_text(stem.replace("_", " "))
    parts = [part.strip() for part in re.split(r"\s+[-–—]\s+", text) if part.strip()]
    if len(parts) > 1 and parts[0].replace(".", "").isdigit():
        parts = parts[1:]
    parts = [_NUMBER.sub("", parts[0]), *parts[1:]] if parts else []
    if len(parts) >= 2:
        return parts[0], " - ".join(parts[1:])
    return "", parts[0] if parts else ""
