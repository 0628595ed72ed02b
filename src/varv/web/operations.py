"""The HTTP calls as a table: the routes and the OpenAPI document are both made from it."""

from collections.abc import Awaitable, Callable
from typing import Any

from msgspec import Struct
from starlette.requests import Request
from starlette.responses import Response

from varv.rules.views import History
from varv.web import audio, routes, shapes

Handler = Callable[[Request], Awaitable[Response]]

PLAYER, OWNER, ANYONE = "player", "owner", "anyone"


class Operation(Struct, frozen=True):
    """One call. `refusals` are the statuses it may answer besides; 429 and 503 any may."""

    method: str
    path: str
    handler: Handler
    summary: str
    who: str = ANYONE
    body: type[Struct] | None = None
    answer: Any = None
    status: int = 200
    media_type: str = "application/json"
    refusals: tuple[int, ...] = ()
    idempotent: bool = False
    ranged: bool = False


GAME = "/api/v1/games/{code}"

OPERATIONS: tuple[Operation, ...] = (
    Operation(
        "POST", "/api/v1/games", routes.create_game, "Create a game", OWNER, shapes.CreateGame,
        shapes.GameCreated, 201, refusals=(400, 403, 409, 413, 422), idempotent=True,
    ),
    Operation(
        "GET", GAME, routes.game_card, "The lobby card, without secrets",
        answer=shapes.GameCard, refusals=(404,),
    ),
    Operation(
        "POST", f"{GAME}/players", routes.join_game, "Join a game", ANYONE, shapes.JoinGame,
        shapes.Seated, 201, refusals=(400, 403, 404, 409, 413, 422), idempotent=True,
    ),
    Operation(
        "GET", f"{GAME}/state", routes.state, "Everything you can see now", PLAYER,
        answer=shapes.StateAnswer, refusals=(401, 403, 404),
    ),
    Operation(
        "POST", f"{GAME}/commands", routes.send_command, "Send a command", PLAYER,
        shapes.SendCommand, shapes.CommandAnswer,
        refusals=(400, 401, 403, 404, 409, 413, 422),
    ),
    Operation(
        "POST", f"{GAME}/players/{{player}}/rejoin-link", routes.rejoin_link,
        "A single-use way back to a seat", PLAYER, answer=shapes.Link,
        refusals=(401, 403, 404, 409),
    ),
    Operation(
        "POST", f"{GAME}/rejoin", routes.rejoin, "Take a seat by a link", ANYONE, shapes.Rejoin,
        shapes.Seated, refusals=(400, 403, 404, 413, 422), idempotent=True,
    ),
    Operation(
        "GET", f"{GAME}/history", routes.game_history, "The whole game, once it is over", PLAYER,
        answer=History, refusals=(401, 403, 404, 409),
    ),
    Operation(
        "POST", f"{GAME}/bots", routes.add_bots, "Bots take seats", PLAYER, shapes.AddBots,
        shapes.BotsAdded, 201, refusals=(400, 401, 403, 404, 409, 413, 422),
    ),
    Operation(
        "POST", f"{GAME}/again", routes.again, "Another game with the same people", PLAYER,
        answer=shapes.GameAgain, status=201, refusals=(401, 403, 404, 409),
    ),
    Operation(
        "POST", f"{GAME}/flags", routes.flag, "Doubt the year of a song", PLAYER,
        shapes.FlagYear, shapes.Flagged, 201, refusals=(400, 401, 403, 404, 409, 413, 422),
    ),
    Operation(
        "POST", f"{GAME}/screens", routes.pair_screen, "Pair a shared screen", PLAYER,
        answer=shapes.ScreenLink, status=201, refusals=(401, 403, 404),
    ),
    Operation(
        "GET", f"{GAME}/qr.svg", routes.qr, "The join link as a QR code",
        media_type="image/svg+xml", refusals=(404,),
    ),
    Operation(
        "GET", "/api/v1/mixes", routes.mixes, "All mixes", OWNER, answer=shapes.Mixes,
    ),
    Operation(
        "GET", "/api/v1/owner", routes.owner_card, "Who creates games on this device", OWNER,
        answer=shapes.OwnerCard,
    ),
    Operation(
        "GET", "/api/v1/audio/{ticket}", audio.audio, "The song, for whoever plays it",
        media_type="audio/mpeg", refusals=(404, 409, 416), ranged=True,
    ),
)  # fmt: skip
