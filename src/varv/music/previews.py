"""Previews from Deezer, if the operator turns them on: ids are kept, sound is fetched afresh.

A preview's address is signed and dies within minutes, so the id of the track is all that is stored.
The server fetches the sound itself: players never see where it comes from (VIEW-06).
"""

import os
import time
from typing import Any
from urllib.parse import urlsplit

import httpx
from msgspec import Struct

from varv.music import titles
from varv.music.matching import same_artist, same_title
from varv.music.model import RecordingMissing
from varv.music.throttle import Throttle

DEEZER = "https://api.deezer.com"
MAX_BYTES = 8_000_000
_REST = 30.0
"""Seconds that a service which is down is left alone."""
_TIMEOUT = httpx.Timeout(5.0, connect=3.0)
_SOUND_HOSTS = (".dzcdn.net", ".deezer.com")


class Track(Struct, frozen=True):
    """A track that can be previewed."""

    id: str
    title: str
    artist: str
    album: str = ""

    def is_song(self, title: str, artist: str) -> bool:
        """Whether it is this song as this artist first recorded it, and no concert or remix."""
        return (
            same_title(self.title, title)
            and same_artist(self.artist, artist)
            and titles.version(self.title, self.artist, self.album) is titles.Version.STUDIO
        )


class PreviewsDown(RecordingMissing):
    """The service does not answer: no other preview will play either."""


class Previews:
    """A client of the service, polite and quick to give up."""

    def __init__(self, base: str = "", client: httpx.AsyncClient | None = None) -> None:
        """At the service's own address, unless `base` or VARV_DEEZER names another."""
        self._base = (base or os.environ.get("VARV_DEEZER") or DEEZER).rstrip("/")
        self._client = client or httpx.AsyncClient(timeout=_TIMEOUT, follow_redirects=False)
        self._throttle = Throttle(50, 5.0)
        self._down_until = 0.0

    @property
    def down(self) -> bool:
        """Whether it did not answer a moment ago."""
        return time.monotonic() < self._down_until

    async def find(self, title: str, artist: str) -> Track | None:
        """The track that is this song by this artist, or none."""
        clean = (text.replace('"', " ") for text in (artist, title))
        query = 'artist:"{}" track:"{}"'.format(*clean)
        answer = await self._json("/search", {"q": query, "limit": "10"})
        for row in answer.get("data") or []:
            track = _track(row)
            if track is not None and row.get("preview") and track.is_song(title, artist):
                return track
        return None

    async def fetch(self, track: str) -> bytes:
        """The sound of a preview, from an address made for this very call."""
        address = (await self._json(f"/track/{int(track)}")).get("preview")
        if not isinstance(address, str) or not self._trusted(address):
            raise RecordingMissing("the preview is no longer offered")
        await self._throttle.wait()
        try:
            async with self._client.stream("GET", address) as response:
                if response.status_code != httpx.codes.OK:
                    raise RecordingMissing(f"the preview answered {response.status_code}")
                content = bytearray()
                async for part in response.aiter_bytes():
                    content += part
                    if len(content) > MAX_BYTES:
                        raise RecordingMissing("the preview is far too large")
        except httpx.HTTPError as error:
            raise self._rest(type(error).__name__) from error
        return bytes(content)

    async def close(self) -> None:
        """Close the connections."""
        await self._client.aclose()

    async def _json(self, path: str, query: dict[str, str] | None = None) -> dict[str, Any]:
        if self.down:
            raise PreviewsDown("the preview service did not answer a moment ago")
        await self._throttle.wait()
        try:
            response = await self._client.get(self._base + path, params=query)
            answer = response.json() if response.status_code == httpx.codes.OK else None
        except (httpx.HTTPError, ValueError) as error:
            raise self._rest(type(error).__name__) from error
        if not isinstance(answer, dict):
            raise self._rest(f"status {response.status_code}")
        fault = answer.get("error")
        if isinstance(fault, dict):
            # Errors come with status 200. "Quota" passes by itself, "no data" is about this track.
            if fault.get("code") == 4:
                raise self._rest("it asks us to slow down")
            raise RecordingMissing("the preview is no longer offered")
        return answer

    def _rest(self, why: str) -> PreviewsDown:
        self._down_until = time.monotonic() + _REST
        return PreviewsDown(f"the preview service does not answer ({why})")

    def _trusted(self, address: str) -> bool:
        """An answer must not send us to look around in our own network."""
        url = urlsplit(address)
        host = url.hostname or ""
        return url.netloc == urlsplit(self._base).netloc or (
            url.scheme == "https" and host.endswith(_SOUND_HOSTS)
        )


def _track(row: Any) -> Track | None:
    try:
        album = row.get("album") or {}
        return Track(
            str(int(row["id"])),
            str(row["title"]),
            str(row["artist"]["name"]),
            str(album.get("title") or ""),
        )
    except (AttributeError, KeyError, TypeError, ValueError):
        return None
