"""What the catalogue is made of (MUS-01): songs, where their years come from, recordings, mixes.

Rows of which there are many hold nothing but texts and numbers, and are none of the garbage
collector's business (`gc=False`): ten thousand files are noticeably faster so.
"""

from enum import StrEnum
from pathlib import Path

from msgspec import Struct

MIN_SONGS = 20
"""A playable mix has this many songs with a recording (MUS-02)."""
MIN_DIFFERENT = 10
"""And this many different titles, and artists (MUS-02)."""


class World(StrEnum):
    """Songs of one world are plausible together; a fugue among pop hits gives itself away."""

    DEMO = "demo"
    POP = "pop"


class Origin(StrEnum):
    """Who put a row there: what we ship is refreshed by an upgrade, what the user says never is."""

    SHIPPED = "shipped"
    USER = "user"


class YearSource(StrEnum):
    """The ladder of sources of a year of first release, the most trusted first."""

    USER = "user"
    CURATED = "curated"
    MUSICBRAINZ = "musicbrainz"
    TAG_ORIGINAL = "tag-original"
    TAG_ALBUM = "tag-album"
    UNSURE = "unsure"


class RecordingKind(StrEnum):
    """Where the sound of a recording is fetched from; files are preferred to previews."""

    FILE = "file"
    DEMO = "demo"
    DEEZER = "deezer"


class MixKind(StrEnum):
    """Whose a mix is (ENT-01): everyone's, with Premium, or sold singly to those with Premium."""

    BASE = "base"
    PREMIUM = "premium"
    SINGLE = "single"


class CatalogueSong(Struct, frozen=True, gc=False):
    """A song with the year that the ladder settled on (0 when nobody knows)."""

    id: str
    title: str
    artist: str
    year: int
    source: YearSource
    language: str = ""
    genre: str = ""
    swedish: bool = False
    world: World = World.POP
    origin: Origin = Origin.USER

    @property
    def sure(self) -> bool:
        """Songs of unsure year are known but never drawn: years are the point of the game."""
        return self.source is not YearSource.UNSURE


class YearClaim(Struct, frozen=True, gc=False):
    """What one source says of one song's year, kept so that every year can be accounted for."""

    song: str
    source: YearSource
    year: int
    detail: str = ""


class Recording(Struct, frozen=True, gc=False):
    """One playable instance of a song (MUS-01); `locator` is a path, a melody or a track id."""

    id: str
    song: str
    kind: RecordingKind
    locator: str
    quality: int = 0
    seconds: float = 0.0
    isrc: str = ""


class Mix(Struct, frozen=True):
    """A collection of songs; which ones are in it is said by `Membership`."""

    id: str
    name: str
    position: int = 1000
    kind: MixKind = MixKind.BASE
    origin: Origin = Origin.USER


class Membership(Struct, frozen=True, gc=False):
    """A song is in a mix."""

    mix: str
    song: str
    origin: Origin = Origin.USER


class FileNote(Struct, frozen=True, gc=False):
    """What the scan decided about a file, and what the file looked like then."""

    path: str
    size: int
    modified: int
    verdict: str
    detail: str = ""
    song: str = ""
    recording: str = ""


class Flag(Struct, frozen=True):
    """A player doubts the year of a song; `at` is in epoch seconds."""

    song: str
    game: str
    round: int
    note: str = ""
    at: int = 0


class MixInfo(Struct, frozen=True):
    """A mix as people choose it: `songs` counts those with a recording."""

    id: str
    name: str
    songs: int
    years: tuple[int, int]
    playable: bool
    kind: MixKind = MixKind.BASE

    @property
    def premium(self) -> bool:
        """Whether it requires Premium; a mix that is sold singly does, too (ENT-01)."""
        return self.kind is not MixKind.BASE


class Clip(Struct, frozen=True):
    """Sound that is ready to be served; its file name tells nothing of the song (VIEW-06)."""

    path: Path
    media_type: str
    size: int


class PassedOver(Struct, frozen=True):
    """A song could not be played just now and another was drawn; `why` is for the host."""

    song: str
    why: str


class RecordingMissing(Exception):
    """The sound of a recording cannot be had: its file is gone or broken, or a service is down."""
