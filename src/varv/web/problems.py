"""Refusals as RFC 9457 problem documents and as WebSocket messages: the same words in both."""

from typing import Any

import msgspec
from msgspec import UNSET, Struct, UnsetType
from starlette.responses import Response

from varv.rooms.messages import RefusedMessage
from varv.rooms.reasons import Refused, Trouble

STATUS = {
    "malformed": 400,
    "unauthorized": 401,
    "forbidden": 403,
    "not_found": 404,
    "not_allowed": 405,
    "conflict": 409,
    "too_large": 413,
    "invalid": 422,
    "too_often": 429,
    "unavailable": 503,
}
TITLES = {
    "malformed": "Malformed",
    "unauthorized": "Unauthorized",
    "forbidden": "Forbidden",
    "not_found": "Not found",
    "not_allowed": "Method not allowed",
    "conflict": "Not now",
    "too_large": "Too large",
    "invalid": "Not valid",
    "too_often": "Too often",
    "unavailable": "Unavailable",
}


class Problem(Struct, frozen=True):
    """RFC 9457. `game` is the unfinished game that stands in the way (GAME-23)."""

    type: str
    title: str
    status: int
    code: str
    reason: str
    facts: dict[str, Any]
    detail: str
    game: str | UnsetType = UNSET


def problem(refused: Refused) -> Problem:
    """The document for a refusal."""
    reason = refused.reason
    in_the_way = reason is Trouble.GAME_UNFINISHED
    return Problem(
        type=f"urn:varv:refusal:{reason}",
        title=TITLES[reason.code],
        status=STATUS[reason.code],
        code=reason.code,
        reason=str(reason),
        facts=refused.facts,
        detail=reason.detail,
        game=refused.facts.get("game", UNSET) if in_the_way else UNSET,
    )


def response(refused: Refused) -> Response:
    """The HTTP answer for a refusal."""
    document = problem(refused)
    headers = {"Cache-Control": "no-store"}
    if refused.retry_after is not None:
        headers["Retry-After"] = str(refused.retry_after)
    if document.status == 401:
        headers["WWW-Authenticate"] = "Bearer"
    return Response(
        msgspec.json.encode(document),
        document.status,
        headers,
        media_type="application/problem+json",
    )


def message(refused: Refused, command_id: str | None) -> bytes:
    """The WebSocket answer for a refusal."""
    reason = refused.reason
    told = RefusedMessage(command_id, reason.code, str(reason), refused.facts, reason.detail)
    return msgspec.json.encode(told)


def malformed(error: Exception) -> Refused:
    """What is wrong with a message, without repeating what it said."""
    text = str(error)
    # msgspec names the place ("… - at `$.year`") and the types; values are left out.
    wrong = text if isinstance(error, msgspec.ValidationError) and len(text) < 200 else None
    return Refused(Trouble.MALFORMED, {"wrong": wrong} if wrong else {})
