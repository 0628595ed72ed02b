"""Reading what a music file says of itself, and whether there is sound in it at all.

Runs in worker processes: nothing here may raise, and PyAV is only loaded for doubtful files.
"""

import re
from collections.abc import Iterable
from pathlib import PurePath
from typing import Any

from msgspec import Struct
from tinytag import TinyTag, TinyTagException

from varv.music import titles
from varv.music.identity import song_id
from varv.music.keys import artist_key
from varv.music.years import plausible
from varv.rules.candidates import fold

EXTENSIONS = frozenset(
    [".mp3", ".m4a", ".mp4", ".aac", ".flac", ".ogg", ".oga", ".opus", ".wav", ".wave"]
)
_ORIGINAL = ("originaldate", "originalyear", "tdor", "tory", "original year", "origyear")
_YEAR = re.compile(r"(?<!\d)(\d{4})(?!\d)")
_BROKEN = "�"
_SMALL = 1000
"""Bytes in which there is hardly any sound."""
_FAINT = 500
"""Bytes per second below which a file holds less sound than it says."""


class Tags(Struct, frozen=True, array_like=True, gc=False):
    """What is known of a file. `trouble` says why it holds no music, and is empty otherwise."""

    path: str
    trouble: str = ""
    title: str = ""
    artist: str = ""
    album: str = ""
    date: int = 0
    original: int = 0
    genre: str = ""
    isrc: str = ""
    seconds: float = 0.0
    quality: int = 0
    # Worked out here rather than where it is used, since here there is a process per core.
    shown_title: str = ""
    shown_artist: str = ""
    song: str = ""
    title_key: str = ""
    artist_key: str = ""
    version: str = titles.Version.STUDIO
    studio: bool = False
    """Whether the date can be that of the song: on a studio album, first time round."""


def read(path: str) -> Tags:
    """The tags of a file; the file name helps where they are missing."""
    try:
        tag = TinyTag.get(path)
    except OSError as error:
        return Tags(path, trouble=f"it cannot be opened ({error.strerror})")
    except TinyTagException:
        tag = None
    if tag is not None and not tag.filesize:
        return Tags(path, trouble="the file is empty")
    if tag is None or _faint(tag) or _garbled(tag) or not tag.title:
        return _looked_into(path)
    return _from_tinytag(path, tag)


def read_many(paths: list[str]) -> list[Tags]:
    """The tags of some files: the unit of work of a process."""
    return [read(path) for path in paths]


def _faint(tag: TinyTag) -> bool:
    size, seconds = tag.filesize, tag.duration
    return not seconds or size < _SMALL or size / seconds < _FAINT


def _garbled(tag: TinyTag) -> bool:
    return any(text and _BROKEN in text for text in (tag.title, tag.artist))


def _from_tinytag(path: str, tag: TinyTag) -> Tags:
    other = {key.lower(): values for key, values in tag.other.items()} if tag.other else {}

    def first(*names: str) -> str:
        return next((other[name][0] for name in names if name in other), "") if other else ""

    return _named(
        path=path,
        title=titles.clean_text(tag.title),
        artist=_several(tag.artist, other.get("artist", ())),
        album=titles.clean_text(tag.album),
        album_artist=titles.clean_text(tag.albumartist),
        date=_year(tag.year),
        original=_year(first(*_ORIGINAL)),
        genre=titles.clean_text(tag.genre),
        isrc=titles.clean_text(first("isrc")).upper(),
        compilation=first("compilation", "cpil", "tcmp").strip() in ("1", "true", "True"),
        seconds=float(tag.duration or 0.0),
        quality=min(int(tag.bitrate or 0), 999) + (1000 if tag.is_lossless else 0),
    )


def _looked_into(path: str) -> Tags:
    """A second look at a doubtful file, by its content: its name may lie about what it is."""
    tag = None
    try:
        with open(path, "rb") as file:  # noqa: PTH123 - as tinytag does
            tag = TinyTag.get(file_obj=file)
    except (TinyTagException, OSError):
        pass
    if tag is None or _faint(tag) or _garbled(tag):
        return _decoded(path, tag)
    return _from_tinytag(path, tag)


def _decoded(path: str, tag: TinyTag | None) -> Tags:
    """A third one by decoding: whether there is sound, and its tags read another way."""
    import av

    try:
        with av.open(path, metadata_encoding="cp1252", metadata_errors="replace") as container:
            next(container.decode(audio=0))
            seconds = container.duration / av.time_base if container.duration else 0.0
            # The file's own tags may be the container's or the stream's (Ogg).
            found = {**container.streams.audio[0].metadata, **container.metadata}
    except (av.FFmpegError, OSError, ValueError, IndexError, StopIteration):
        return Tags(path, trouble="there is no sound in it that can be played")
    if tag is not None and not _garbled(tag):
        tag.duration = tag.duration or seconds
        return _from_tinytag(path, tag)
    lower: dict[str, Any] = {key.lower(): value for key, value in found.items()}
    return _named(
        path=path,
        title=titles.clean_text(lower.get("title")),
        artist=titles.clean_text(lower.get("artist")),
        album=titles.clean_text(lower.get("album")),
        album_artist=titles.clean_text(lower.get("album_artist")),
        date=_year(lower.get("date")),
        original=_year(next((lower[name] for name in _ORIGINAL if name in lower), None)),
        genre=titles.clean_text(lower.get("genre")),
        isrc=titles.clean_text(lower.get("isrc")).upper(),
        compilation=lower.get("compilation") == "1",
        seconds=seconds,
        quality=0,
    )


def _several(artist: str | None, more: Iterable[str]) -> str:
    """Artists named in several tags, unless the first already names them together."""
    first = titles.clean_text(artist)
    rest = [titles.clean_text(other) for other in more]
    return "; ".join([first, *(other for other in rest if other not in first)])


def _named(
    *,
    path: str,
    title: str,
    artist: str,
    album: str,
    album_artist: str,
    date: int,
    original: int,
    genre: str,
    isrc: str,
    compilation: bool,
    seconds: float,
    quality: int,
) -> Tags:
    """The file's name fills in what the tags do not say; then the rest is worked out."""
    if not titles.names_somebody(artist):
        artist = album_artist if titles.names_somebody(album_artist) else ""
    if not titles.names_something(title):
        title = ""
    if not (artist and title):
        named_artist, named_title = titles.from_file_name(_stem(path))
        title, artist = title or named_title, artist or named_artist
    shown_title, shown_artist = titles.show_title(title), titles.show_artist(artist)
    version = titles.version(title, artist, album)
    return Tags(
        path=path,
        title=title,
        artist=artist,
        album=album,
        date=date,
        original=original,
        genre=genre,
        isrc=isrc,
        seconds=seconds,
        quality=quality,
        shown_title=shown_title,
        shown_artist=shown_artist,
        song=song_id(shown_title, shown_artist),
        title_key=fold(shown_title),
        artist_key=artist_key(shown_artist),
        version=version.value,
        studio=version is titles.Version.STUDIO
        and not compilation
        and titles.studio_album(title, album, album_artist),
    )


def _stem(path: str) -> str:
    return PurePath(path).stem.encode("utf-8", "surrogateescape").decode("utf-8", "replace")


def _year(text: str | None) -> int:
    """The first year that a tag names: "1999-12-31", "(1999)"; 0 if it names none."""
    found = _YEAR.search(text or "")
    year = int(found[1]) if found else 0
    return year if year and plausible(year) else 0
