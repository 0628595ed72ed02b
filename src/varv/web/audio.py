"""Sound on its way to whoever plays it: bytes of the song and nothing about it (VIEW-06)."""

import asyncio
import re

from starlette.requests import Request
from starlette.responses import Response

from varv.music.model import RecordingMissing
from varv.rooms.reasons import Refused, Trouble
from varv.web import requests

RANGE = re.compile(r"bytes=(\d{0,12})-(\d{0,12})")
HEADERS = {
    "Accept-Ranges": "bytes",
    "Cache-Control": "no-store",
    "Content-Disposition": "inline",
    "X-Content-Type-Options": "nosniff",
}
"""No ETag, no Last-Modified, no file name: each would tell one song from another."""


async def audio(request: Request) -> Response:
    """The recording behind a ticket, while its performance is the current one."""
    serving = requests.services(request)
    ticket = serving.rooms.keys.read_audio_ticket(request.path_params["ticket"])
    if ticket is None:
        serving.limits.spend("miss", requests.address(request))
        raise Refused(Trouble.AUDIO_UNKNOWN)
    room = await serving.rooms.room(ticket.code, fresh=True)
    recording = room.hears(ticket.round, ticket.performance, ticket.viewer)
    if recording is None:
        raise Refused(Trouble.AUDIO_UNKNOWN)
    try:
        clip = await serving.music.clip(recording)
        content = await asyncio.to_thread(clip.path.read_bytes)
    except (RecordingMissing, OSError) as error:
        raise Refused(Trouble.SOUND_UNAVAILABLE) from error
    return ranged(content, clip.media_type, request.headers.get("range"))


def ranged(content: bytes, media_type: str, wanted: str | None) -> Response:
    """All of it, or the one range that was asked for (RFC 9110)."""
    size = len(content)
    found = RANGE.fullmatch(wanted.strip()) if wanted else None
    if found is None or found[0] == "bytes=-":
        return Response(content, 200, HEADERS, media_type)
    if found[1]:
        first = int(found[1])
        last = min(int(found[2]), size - 1) if found[2] else size - 1
    else:
        first, last = max(0, size - int(found[2])), size - 1
    if found[1] and found[2] and int(found[2]) < first:
        return Response(content, 200, HEADERS, media_type)
    if first >= size or first > last:
        return Response(b"", 416, HEADERS | {"Content-Range": f"bytes */{size}"}, media_type)
    headers = HEADERS | {"Content-Range": f"bytes {first}-{last}/{size}"}
    return Response(content[first : last + 1], 206, headers, media_type)
