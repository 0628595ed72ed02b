"""What a file becomes: which song it is, from when, and why it may be left out."""

from collections import Counter
from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache

from msgspec import Struct
from msgspec.structs import replace

from varv.music import titles
from varv.music.matching import Index
from varv.music.model import CatalogueSong, YearClaim, YearSource
from varv.music.paths import to_text
from varv.music.tags import Tags
from varv.music.years import TRUSTED, settle

_GENRES = {
    "hip": "hiphop",
    "rap": "hiphop",
    "metal": "metal",
    "schlager": "schlager",
    "dansband": "schlager",
    "disco": "disco",
    "dance": "dance",
    "house": "dance",
    "techno": "dance",
    "electro": "dance",
    "soul": "soul",
    "r&b": "soul",
    "funk": "soul",
    "country": "country",
    "reggae": "reggae",
    "jazz": "jazz",
    "latin": "latin",
    "visa": "visa",
    "visor": "visa",
    "folk": "folk",
    "punk": "rock",
    "rock": "rock",
    "pop": "pop",
}

LONGEST = 150
"""Letters of a title or an artist that can be shown."""


class Verdict(StrEnum):
    """What was decided about a file."""

    ADDED = "added"
    COPY = "another copy"
    UNSURE = "unsure year"
    UNNAMED = "no title or artist"
    KARAOKE = "karaoke or instrumental"
    LIVE = "live version"
    VERSION = "another version"
    UNPLAYABLE = "not playable"

    @property
    def plays(self) -> bool:
        """Whether the file can be heard in a game."""
        return self in (Verdict.ADDED, Verdict.COPY)


_LEFT_OUT = {
    titles.Version.KARAOKE.value: Verdict.KARAOKE,
    titles.Version.LIVE.value: Verdict.LIVE,
    titles.Version.OTHER.value: Verdict.VERSION,
}


class Decision(Struct, frozen=True):
    """A file's verdict, and its song if it is one that we know well enough to play."""

    verdict: Verdict
    detail: str = ""
    song: CatalogueSong | None = None
    claims: tuple[YearClaim, ...] = ()


class Decider:
    """Decides about one file after another; a song met twice is the same song."""

    def __init__(
        self,
        songs: Iterable[CatalogueSong],
        claims: Iterable[YearClaim],
        *,
        trust_dates: bool = False,
        live: bool = False,
    ) -> None:
        """`trust_dates`: the user vouches for the files' dates; `live`: concerts are welcome."""
        self._index = Index(songs)
        self._claims: dict[str, dict[YearSource, YearClaim]] = {}
        for claim in claims:
            self._claims.setdefault(claim.song, {})[claim.source] = claim
        self._trust_dates = trust_dates
        self._live = live
        self._heard: dict[str, str] = {}

    def heard(self, song: str, path: str) -> None:
        """Take note that this song is in that file, as the catalogue keeps its path."""
        self._heard.setdefault(song, path)

    def decide(self, tags: Tags) -> Decision:
        """About one file."""
        if tags.trouble:
            return Decision(Verdict.UNPLAYABLE, tags.trouble)
        if not (tags.title and tags.artist):
            return Decision(Verdict.UNNAMED, "neither its tags nor its name say what it is")
        if max(len(tags.title), len(tags.artist)) > LONGEST:
            return Decision(Verdict.UNNAMED, "its title or artist is too long to be one")
        left_out = _LEFT_OUT.get(tags.version)
        if left_out is not None and not (self._live and left_out is Verdict.LIVE):
            return Decision(left_out, f"{tags.artist}: {tags.title}")
        known = self._index.find_keys(tags.title_key, tags.artist_key)
        song = known or self._new_song(tags)
        claims = self._claimed(song, tags)
        year, source = settle(self._claims.get(song.id, {}).values())
        if (year, source) != (song.year, song.source):
            song = replace(song, year=year, source=source)
        if known is None:
            self._index.add_keys(song, tags.title_key, tags.artist_key)
        elif song is not known:
            self._index.add(song)
        if not song.sure:
            detail = f"its date, {year}, may be that of a reissue" if year else "it has no date"
            return Decision(Verdict.UNSURE, detail, song, claims)
        path = to_text(tags.path)
        first = self._heard.setdefault(song.id, path)
        if first != path:
            return Decision(Verdict.COPY, f"the same song as {first}", song, claims)
        return Decision(Verdict.ADDED, "", song, claims)

    def _new_song(self, tags: Tags) -> CatalogueSong:
        theirs = self._index.by_artist(tags.artist_key)
        return CatalogueSong(
            id=tags.song,
            title=tags.shown_title,
            artist=tags.shown_artist,
            year=0,
            source=YearSource.UNSURE,
            language=_most([song.language for song in theirs]),
            genre=_genre(tags.genre) or _most([song.genre for song in theirs]),
            swedish=bool(theirs) and any(song.swedish for song in theirs),
        )

    def _claimed(self, song: CatalogueSong, tags: Tags) -> tuple[YearClaim, ...]:
        """What this file says of the year, where it is news; of two files the older one counts."""
        said: list[YearClaim] = []
        if tags.original:
            said.append(YearClaim(song.id, YearSource.TAG_ORIGINAL, tags.original))
        if tags.date:
            source = YearSource.TAG_ALBUM if tags.studio else YearSource.UNSURE
            said.append(YearClaim(song.id, source, tags.date, tags.album))
            if self._trust_dates:
                said.append(YearClaim(song.id, YearSource.USER, tags.date, TRUSTED))
        known = self._claims.setdefault(song.id, {})
        news = []
        for claim in said:
            old = known.get(claim.source)
            if old is None or claim.year < old.year:
                known[claim.source] = claim
                news.append(claim)
        return tuple(news)


def _most(values: list[str]) -> str:
    """The most common of some values, if there is any."""
    if not values:
        return ""
    known = [value for value in values if value]
    return Counter(known).most_common(1)[0][0] if known else ""


@lru_cache(maxsize=1024)
def _genre(tag: str) -> str:
    """A tag's genre as one of ours, so that it can be compared."""
    lower = tag.casefold()
    return next((ours for part, ours in _GENRES.items() if part in lower), "")
