"""What a handler wants to know of a request: body, tokens, address, room."""

from typing import TypeVar

import msgspec
from starlette.requests import ClientDisconnect, Request

from varv.rooms.reasons import Refused, Trouble
from varv.rooms.room import Room
from varv.web import problems
from varv.web.origins import base_url
from varv.web.services import Services

Body = TypeVar("Body")

LARGEST = 16 * 1024
LONGEST_KEY = 255
OWNER_COOKIE = "varv_owner"
_decoders: dict[type, "msgspec.json.Decoder[object]"] = {}


def services(request: Request) -> Services:
    """The services of this worker."""
    found: Services = request.app.state.services
    return found


async def body(request: Request, kind: type[Body]) -> Body:
    """The body, if it is one of this kind and not too large."""
    read = bytearray()
    try:
        async for chunk in request.stream():
            read += chunk
            if len(read) > LARGEST:
                raise Refused(Trouble.TOO_LARGE, {"most": LARGEST})
    except ClientDisconnect:
        # Gone in the middle of a sentence: nobody hears this.
        raise Refused(Trouble.MALFORMED) from None
    decoder = _decoders.get(kind)
    if decoder is None:
        decoder = _decoders[kind] = msgspec.json.Decoder(kind)
    try:
        return decoder.decode(bytes(read))  # type: ignore[return-value]
    except (msgspec.MsgspecError, UnicodeDecodeError, RecursionError) as error:
        raise problems.malformed(error) from None


def address(request: Request) -> str:
    """Who is asking, as far as rates go."""
    return request.client.host if request.client else ""


def base(request: Request) -> str:
    """The address to hand out to other phones."""
    return base_url(request.scope, services(request).settings.public_url)


def token(request: Request) -> str | None:
    """The player's token, if one came along."""
    scheme, _, value = request.headers.get("authorization", "").partition(" ")
    return value.strip() or None if scheme.lower() == "bearer" else None


def owner_token(request: Request) -> str | None:
    """The owner's token, if one came along."""
    return request.headers.get("x-varv-owner") or request.cookies.get(OWNER_COOKIE) or None


def idempotency_key(request: Request) -> str | None:
    """The key that makes a call repeatable."""
    key = request.headers.get("idempotency-key")
    if key is not None and not 1 <= len(key) <= LONGEST_KEY:
        raise Refused(Trouble.OUT_OF_RANGE, {"Idempotency-Key": [1, LONGEST_KEY]})
    return key


async def room(request: Request) -> Room:
    """The room that anyone may ask about: guessing codes is slowed."""
    limits, who = services(request).limits, address(request)
    limits.guard("miss", who)
    try:
        return await services(request).rooms.room(request.path_params["code"], fresh=True)
    except Refused as refused:
        if refused.reason is Trouble.GAME_UNKNOWN:
            limits.spend("miss", who)
        raise


async def seat(request: Request) -> tuple[Room, str]:
    """The room and the player whose token came along; guessing is slowed here too."""
    serving = services(request)
    try:
        found = await serving.rooms.room(request.path_params["code"], fresh=True)
        player = await serving.seats.player(found, token(request))
    except Refused as refused:
        if refused.reason.code in ("not_found", "unauthorized"):
            serving.limits.spend("miss", address(request))
        raise
    serving.rooms.changed(found)
    return found, player
