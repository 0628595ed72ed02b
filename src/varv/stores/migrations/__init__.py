"""Numbered SQL files, one folder per kind of database, applied in order and never changed after."""

from importlib.resources import files

from msgspec import Struct


class Migration(Struct, frozen=True):
    """One numbered file."""

    number: int
    name: str
    sql: str


def migrations(kind: str) -> tuple[Migration, ...]:
    """The migrations of a kind of database (`sqlite`, `postgres`), in order."""
    found = []
    for file in (files(__name__) / kind).iterdir():
        if file.name.endswith(".sql"):
            number, _, _ = file.name.partition("_")
            found.append(Migration(int(number), file.name, file.read_text("utf-8")))
    return tuple(sorted(found, key=lambda migration: migration.number))
