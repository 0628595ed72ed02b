"""The documents that other programs go by: OpenAPI for HTTP, JSON Schema for WebSocket messages."""

from functools import cache
from typing import Any

import msgspec
from msgspec import Struct

from varv import __version__
from varv.rooms.messages import ClientMessage, ServerMessage
from varv.rules.views import History
from varv.web.operations import OPERATIONS, OWNER, PLAYER, Operation
from varv.web.problems import STATUS, TITLES, Problem

REFERENCE = "#/components/schemas/{name}"
PARAMETERS = {
    "code": {"type": "string", "description": "The game's join code"},
    "player": {"type": "string", "description": "A player's id, such as p3"},
    "ticket": {"type": "string", "description": "The ticket from the viewer's audio address"},
}
PHRASES = {STATUS[code]: title for code, title in TITLES.items()} | {416: "Range not satisfiable"}


@cache
def openapi() -> bytes:
    """OpenAPI 3.1, made from the same table as the routes."""
    kinds = {kind for op in OPERATIONS for kind in (op.body, op.answer) if kind is not None}
    kinds.add(Problem)
    ordered = sorted(kinds, key=lambda kind: str(kind.__name__))
    _, components = msgspec.json.schema_components(ordered, ref_template=REFERENCE)
    paths: dict[str, dict[str, Any]] = {}
    for op in OPERATIONS:
        paths.setdefault(op.path, {})[op.method.lower()] = _operation(op)
    document = {
        "openapi": "3.1.0",
        "info": {
            "title": "Varv",
            "version": __version__,
            "summary": "A social music game. Live play is on the WebSocket: /api/v1/schema.json.",
        },
        "paths": paths,
        "components": {
            "schemas": components,
            "securitySchemes": {
                PLAYER: {"type": "http", "scheme": "bearer"},
                "owner_header": {"type": "apiKey", "in": "header", "name": "X-Varv-Owner"},
                "owner_cookie": {"type": "apiKey", "in": "cookie", "name": "varv_owner"},
            },
        },
    }
    return msgspec.json.encode(document)


def _reference(kind: type[Struct]) -> dict[str, str]:
    return {"$ref": REFERENCE.format(name=kind.__name__)}


def _operation(op: Operation) -> dict[str, Any]:
    content: dict[str, Any] = {"schema": _reference(op.answer)} if op.answer else {}
    answers: dict[str, Any] = {
        str(op.status): {"description": "Done", "content": {op.media_type: content}}
    }
    if op.ranged:
        answers["206"] = {"description": "A part of it", "content": {op.media_type: {}}}
    for status in sorted({*op.refusals, 429, 503}):
        described: dict[str, Any] = {"description": PHRASES[status]}
        if status != 416:
            described["content"] = {"application/problem+json": {"schema": _reference(Problem)}}
        answers[str(status)] = described
    answers["429"]["headers"] = {
        "Retry-After": {"schema": {"type": "integer", "minimum": 1}, "description": "Seconds"}
    }
    made: dict[str, Any] = {
        "operationId": op.handler.__name__,
        "summary": op.summary,
        "responses": answers,
    }
    parameters = [
        {"name": name, "in": "path", "required": True, "schema": schema}
        for name, schema in PARAMETERS.items()
        if f"{{{name}}}" in op.path
    ]
    if op.idempotent:
        key = {"type": "string", "minLength": 1, "maxLength": 255}
        parameters.append(
            {"name": "Idempotency-Key", "in": "header", "required": False, "schema": key}
        )
    if op.ranged:
        parameters.append(
            {"name": "Range", "in": "header", "required": False, "schema": {"type": "string"}}
        )
    if parameters:
        made["parameters"] = parameters
    if op.body is not None:
        body = {"application/json": {"schema": _reference(op.body)}}
        made["requestBody"] = {"required": True, "content": body}
    if op.who == PLAYER:
        made["security"] = [{PLAYER: []}]
    elif op.who == OWNER:
        made["security"] = [{}, {"owner_header": []}, {"owner_cookie": []}]
    return made


@cache
def message_schema() -> bytes:
    """Every WebSocket message, both ways, and the history of a game."""
    template = "#/$defs/{name}"
    (client, server, history), definitions = msgspec.json.schema_components(
        [ClientMessage, ServerMessage, History], ref_template=template
    )
    document = {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "title": "Messages",
        "type": "object",
        "properties": {"client": client, "server": server, "history": history},
        "required": ["client", "server", "history"],
        "$defs": definitions,
    }
    return msgspec.json.encode(document)
