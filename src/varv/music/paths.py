"""Paths of files as text that every store takes."""

from urllib.parse import quote_from_bytes, unquote_to_bytes

_ODD = "odd-path:"


def to_text(path: str) -> str:
    """The path itself, or an escaped form where its bytes are no text."""
    try:
        path.encode("utf-8")
    except UnicodeEncodeError:
        return _ODD + quote_from_bytes(path.encode("utf-8", "surrogateescape"))
    return path


def from_text(text: str) -> str:
    """The path as the system knows it."""
    if text.startswith(_ODD):
        return unquote_to_bytes(text.removeprefix(_ODD)).decode("utf-8", "surrogateescape")
    return text
