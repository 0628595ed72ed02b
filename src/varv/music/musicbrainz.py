"""Years of first release from MusicBrainz, if the user asks for them: one question per second."""

import asyncio
import re
from collections.abc import Callable
from typing import Any

import httpx

from varv import __version__
from varv.music.catalogue import Catalogue
from varv.music.keys import artist_key
from varv.music.matching import same_artist, same_title
from varv.music.model import YearClaim, YearSource
from varv.music.settling import add_claims
from varv.music.throttle import Throttle
from varv.music.years import plausible
from varv.rules.candidates import fold

MUSICBRAINZ = "https://musicbrainz.org"
SERVICE = "musicbrainz"
MIN_SCORE = 90
TRIES = 4
_SAVE_EVERY = 25
_ANSWERS = (httpx.codes.OK, httpx.codes.NOT_FOUND, httpx.codes.BAD_REQUEST)
"""It has no page for an ISRC that it does not know, and does not like every query."""
_BETTER = (YearSource.USER, YearSource.CURATED, YearSource.MUSICBRAINZ)
_ISRC = re.compile(r"^[A-Z]{2}[A-Z0-9]{3}\d{7}$")
_SPECIAL = re.compile(r'([+\-!(){}\[\]^"~*?:\\/&|])')


class MusicBrainzDown(Exception):
    """It does not answer; the message says so."""


class MusicBrainz:
    """A client that keeps to the pace it is asked for."""

    def __init__(
        self,
        base: str = MUSICBRAINZ,
        client: httpx.AsyncClient | None = None,
        *,
        pace: float = 1.0,
    ) -> None:
        """`base` may be a mirror, and `pace` the seconds between questions that it allows."""
        self._base = base.rstrip("/")
        self._client = client or httpx.AsyncClient(timeout=10.0)
        self._client.headers["User-Agent"] = f"Varv/{__version__} (self-hosted music game)"
        self._pace = pace
        self._throttle = Throttle(1, pace)

    async def first_year(self, title: str, artist: str, isrc: str = "") -> int:
        """The year of first release, the older of what name and ISRC find; 0 if neither does."""
        query = f'recording:"{_quoted(title)}" AND artist:"{_quoted(artist)}"'
        found = await self._json("/ws/2/recording", {"query": query, "limit": "25"})
        years = [
            _year(row)
            for row in _rows(found)
            if _score(row) >= MIN_SCORE and _is(row, title, artist)
        ]
        if _ISRC.match(isrc):
            rows = _rows(await self._json(f"/ws/2/isrc/{isrc}", {"inc": "artist-credits"}))
            years += [_year(row) for row in rows if same_title(_text(row, "title"), title)]
        return min((year for year in years if year), default=0)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _json(self, path: str, query: dict[str, str]) -> dict[str, Any]:
        for attempt in range(TRIES):
            await self._throttle.wait()
            try:
                response = await self._client.get(
                    self._base + path, params={**query, "fmt": "json"}
                )
            except (httpx.HTTPError, httpx.InvalidURL) as error:
                raise MusicBrainzDown(
                    f"MusicBrainz does not answer ({type(error).__name__}). Try again later; what "
                    "it has said so far is kept."
                ) from error
            if response.status_code in _ANSWERS:
                answer = _object(response)
                if answer is None:
                    # A hotel's log-in page must not be remembered as "not known".
                    raise MusicBrainzDown(
                        f"{self._base} does not answer as MusicBrainz does. Check VARV_MUSICBRAINZ "
                        "and the network; what it has said so far is kept."
                    )
                return answer
            # 503 is how it says "too fast": back off more each time.
            await asyncio.sleep(self._pace * 2**attempt)
        raise MusicBrainzDown(
            f"MusicBrainz answers {response.status_code}. Try again later; what it has said so far "
            "is kept."
        )


async def ask(
    catalogue: Catalogue,
    service: MusicBrainz,
    progress: Callable[[int, int], None],
) -> tuple[int, int]:
    """Ask about every recorded song whose year has no better source: (asked about, answered)."""
    isrcs: dict[str, str] = {}
    for recording in await catalogue.recordings():
        isrcs[recording.song] = isrcs.get(recording.song) or recording.isrc
    songs = [s for s in await catalogue.songs() if s.id in isrcs and s.source not in _BETTER]
    claims: list[YearClaim] = []
    answered = 0
    try:
        for done, song in enumerate(songs, 1):
            year = await _remembered(catalogue, service, song.title, song.artist, isrcs[song.id])
            if year:
                answered += 1
                claims.append(YearClaim(song.id, YearSource.MUSICBRAINZ, year))
            if len(claims) >= _SAVE_EVERY:
                await add_claims(catalogue, claims)
                claims = []
            progress(done, len(songs))
    finally:
        await add_claims(catalogue, claims)
    return len(songs), answered


async def _remembered(
    catalogue: Catalogue, service: MusicBrainz, title: str, artist: str, isrc: str
) -> int:
    """Its answer, asked for once only: a miss is remembered too."""
    key = f"{fold(title)}\x1f{artist_key(artist)}\x1f{isrc}"
    known = await catalogue.lookup(SERVICE, key)
    if known is None:
        known = str(await service.first_year(title, artist, isrc))
        await catalogue.remember(SERVICE, key, known)
    return int(known)


def _object(response: httpx.Response) -> dict[str, Any] | None:
    try:
        answer = response.json()
    except ValueError:
        return None
    return answer if isinstance(answer, dict) else None


def _rows(answer: dict[str, Any]) -> list[Any]:
    rows = answer.get("recordings")
    return [row for row in rows if isinstance(row, dict)] if isinstance(rows, list) else []


def _text(row: dict[str, Any], name: str) -> str:
    value = row.get(name)
    return value if isinstance(value, str) else ""


def _score(row: dict[str, Any]) -> int:
    try:
        return int(row.get("score", 0))
    except (TypeError, ValueError):
        return 0


def _is(row: dict[str, Any], title: str, artist: str) -> bool:
    credits_ = row.get("artist-credit")
    names = [_text(c, "name") for c in credits_ if isinstance(c, dict)] if credits_ else []
    together = " & ".join(names)
    return same_title(_text(row, "title"), title) and any(
        same_artist(name, artist) for name in (together, *names)
    )


def _year(row: dict[str, Any]) -> int:
    head = _text(row, "first-release-date")[:4]
    year = int(head) if head.isascii() and head.isdigit() else 0
    return year if year and plausible(year) else 0


def _quoted(text: str) -> str:
    return _SPECIAL.sub(r"\\\1", text)
