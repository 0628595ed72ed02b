"""Music files in folders, as the folders list them: nothing is opened here."""

import os
from pathlib import Path

from msgspec import Struct

from varv.music.paths import to_text
from varv.music.tags import EXTENSIONS


class Found(Struct, frozen=True, gc=False):
    """A file as its folder lists it."""

    path: str
    size: int
    modified: int
    text: str
    """The path as the catalogue keeps it."""


class Walk(Struct):
    """What is below some folders, and which of the folders below could not be looked into."""

    files: dict[str, Found] = {}
    closed: list[str] = []

    def hides(self, path: str) -> bool:
        """Whether a path is where we could not look."""
        return any(path.startswith(below(folder)) for folder in self.closed)


def walk(roots: list[Path]) -> Walk:
    """Every music file below some folders. Hidden ones and links to folders are passed by."""
    seen = Walk()
    pending = [os.fspath(root) for root in roots]
    while pending:
        folder = pending.pop()
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    if entry.name.startswith("."):
                        continue
                    if entry.is_dir(follow_symlinks=False):
                        pending.append(entry.path)
                    elif _extension(entry.name) in EXTENSIONS and entry.is_file():
                        stat = entry.stat()
                        seen.files[entry.path] = Found(
                            entry.path, stat.st_size, stat.st_mtime_ns, to_text(entry.path)
                        )
        except OSError:
            seen.closed.append(folder)
    return seen


def below(folder: str | Path) -> str:
    """What the paths of everything in a folder begin with."""
    return os.path.join(folder, "")  # noqa: PTH118 - keeps the final slash


def _extension(name: str) -> str:
    return name[name.rfind(".") :].lower() if "." in name else ""
