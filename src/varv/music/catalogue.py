"""The port to the catalogue: a store that keeps songs, recordings and mixes, and counts changes."""

from typing import Protocol

from msgspec import Struct

from varv.music.model import (
    CatalogueSong,
    FileNote,
    Flag,
    Membership,
    Mix,
    Recording,
    YearClaim,
)


class Changes(Struct, frozen=True):
    """One change of the catalogue, made whole or not at all. Rows replace rows of the same key."""

    songs: tuple[CatalogueSong, ...] = ()
    claims: tuple[YearClaim, ...] = ()
    recordings: tuple[Recording, ...] = ()
    mixes: tuple[Mix, ...] = ()
    members: tuple[Membership, ...] = ()
    files: tuple[FileNote, ...] = ()
    meta: tuple[tuple[str, str], ...] = ()
    gone_songs: tuple[str, ...] = ()
    gone_claims: tuple[tuple[str, str], ...] = ()
    gone_recordings: tuple[str, ...] = ()
    gone_members: tuple[tuple[str, str], ...] = ()
    gone_files: tuple[str, ...] = ()


class Catalogue(Protocol):
    """What every store of the catalogue can do; one contract suite holds all of them to it."""

    async def generation(self) -> int:
        """A number that grows with every change, so that readers know when to read again."""

    async def songs(self) -> list[CatalogueSong]:
        """Every song, by id."""

    async def claims(self) -> list[YearClaim]:
        """Every claim about a year, by song and source."""

    async def recordings(self) -> list[Recording]:
        """Every recording, by id."""

    async def mixes(self) -> list[Mix]:
        """Every mix, in the order to show them."""

    async def members(self) -> list[Membership]:
        """Which songs are in which mixes."""

    async def files(self) -> list[FileNote]:
        """Every file that the scan has seen, by path."""

    async def meta(self, key: str) -> str | None:
        """A note that the program keeps about the catalogue."""

    async def apply(self, changes: Changes) -> None:
        """Make a change durable, whole or not at all. What is gone goes first."""

    async def add_flag(self, flag: Flag) -> None:
        """Keep a flag; the same song in the same round again replaces it."""

    async def flags(self) -> list[Flag]:
        """Every flag, the oldest first."""

    async def clear_flags(self, song: str) -> None:
        """The operator has looked at this song."""

    async def lookup(self, service: str, key: str) -> str | None:
        """What a service outside answered to a question before, misses too."""

    async def remember(self, service: str, key: str, answer: str) -> None:
        """Keep such an answer."""

    async def close(self) -> None:
        """Let go of the store."""
