"""The catalogue's tables as data, from which both SQL stores make their statements."""

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Sequence
from enum import StrEnum
from typing import Any, NamedTuple, TypeVar, get_type_hints

import msgspec

from varv.music.catalogue import Changes
from varv.music.model import (
    CatalogueSong,
    FileNote,
    Flag,
    Membership,
    Mix,
    Recording,
    YearClaim,
)

Row = TypeVar("Row", bound=msgspec.Struct)


class Table(NamedTuple):
    """A table whose columns are the fields of a Struct; `keys` tell a row from others."""

    name: str
    row: type[msgspec.Struct]
    keys: tuple[str, ...]
    order: str

    @property
    def columns(self) -> tuple[str, ...]:
        """Names of the columns, in the order of the Struct's fields."""
        return self.row.__struct_fields__

    def select(self) -> str:
        """All rows, in a stable order."""
        return f"SELECT {', '.join(self.columns)} FROM {self.name} ORDER BY {self.order}"  # noqa: S608

    def upsert(self, marks: Iterable[str]) -> str:
        """Insert a row, or replace the one with the same key."""
        rest = [column for column in self.columns if column not in self.keys]
        update = ", ".join(f"{column} = excluded.{column}" for column in rest)
        values = ", ".join(mark for mark, _ in zip(marks, self.columns, strict=False))
        return (
            f"INSERT INTO {self.name} ({', '.join(self.columns)}) VALUES ({values}) "  # noqa: S608
            f"ON CONFLICT ({', '.join(self.keys)}) DO UPDATE SET {update}"
        )

    def delete(self, marks: Iterable[str]) -> str:
        """Remove the row with this key."""
        where = " AND ".join(f"{k} = {m}" for k, m in zip(self.keys, marks, strict=False))
        return f"DELETE FROM {self.name} WHERE {where}"  # noqa: S608


SONGS = Table("music_songs", CatalogueSong, ("id",), "id")
CLAIMS = Table("music_claims", YearClaim, ("song", "source"), "song, source")
RECORDINGS = Table("music_recordings", Recording, ("id",), "id")
MIXES = Table("music_mixes", Mix, ("id",), "position, id")
MEMBERS = Table("music_members", Membership, ("mix", "song"), "mix, song")
FILES = Table("music_files", FileNote, ("path",), "path")
FLAGS = Table("music_flags", Flag, ("song", "game", "round"), "at, game, round, song")

BUMP = "UPDATE music_generation SET number = number + 1"
GENERATION = "SELECT number FROM music_generation"


class Lists(ABC):
    """The part of a `Catalogue` that lists whole tables: the same in every database."""

    @abstractmethod
    async def _all(self, table: Table, row: type[Row]) -> list[Row]:
        """Every row of a table."""

    async def songs(self) -> list[CatalogueSong]:
        """See `Catalogue`."""
        return await self._all(SONGS, CatalogueSong)

    async def claims(self) -> list[YearClaim]:
        """See `Catalogue`."""
        return await self._all(CLAIMS, YearClaim)

    async def recordings(self) -> list[Recording]:
        """See `Catalogue`."""
        return await self._all(RECORDINGS, Recording)

    async def mixes(self) -> list[Mix]:
        """See `Catalogue`."""
        return await self._all(MIXES, Mix)

    async def members(self) -> list[Membership]:
        """See `Catalogue`."""
        return await self._all(MEMBERS, Membership)

    async def files(self) -> list[FileNote]:
        """See `Catalogue`."""
        return await self._all(FILES, FileNote)

    async def flags(self) -> list[Flag]:
        """See `Catalogue`."""
        return await self._all(FLAGS, Flag)


def values(row: msgspec.Struct) -> tuple[Any, ...]:
    """A row as values; a StrEnum is a string to both drivers."""
    return msgspec.structs.astuple(row)


def decode(table: type[Row], rows: Iterable[Sequence[Any]]) -> list[Row]:
    """Rows of a database as Structs.

    Databases know no enumerations, and SQLite no booleans; the rest is as it should be. Thousands
    of rows are read before a server is ready, so no more is done to them than that.
    """
    odd: list[tuple[int, Callable[[Any], Any]]] = []
    for at, kind in enumerate(get_type_hints(table).values()):
        if kind is bool:
            odd.append((at, bool))
        elif issubclass(kind, StrEnum):
            odd.append((at, {member.value: member for member in kind}.__getitem__))
    found = []
    for row in rows:
        values = [*row]
        for at, understand in odd:
            values[at] = understand(values[at])
        found.append(table(*values))
    return found


def deletions(changes: Changes) -> list[tuple[Table, list[tuple[Any, ...]]]]:
    """The keys of what is gone, by table."""
    return [
        (SONGS, [(key,) for key in changes.gone_songs]),
        (CLAIMS, list(changes.gone_claims)),
        (RECORDINGS, [(key,) for key in changes.gone_recordings]),
        (MEMBERS, list(changes.gone_members)),
        (FILES, [(key,) for key in changes.gone_files]),
    ]


def upserts(changes: Changes) -> list[tuple[Table, list[tuple[Any, ...]]]]:
    """The rows that are new or changed, by table."""
    tables: list[tuple[Table, tuple[msgspec.Struct, ...]]] = [
        (SONGS, changes.songs),
        (CLAIMS, changes.claims),
        (RECORDINGS, changes.recordings),
        (MIXES, changes.mixes),
        (MEMBERS, changes.members),
        (FILES, changes.files),
    ]
    return [(table, [values(row) for row in rows]) for table, rows in tables]
