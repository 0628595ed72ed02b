"""The HTTP calls of docs/protocol.md, one handler each."""

import io
from collections.abc import Iterable

import msgspec
from msgspec import UNSET, Struct
from starlette.requests import Request
from starlette.responses import Response

from varv.bots.names import bot_name
from varv.bots.skills import DEFAULT_SKILL, SKILLS
from varv.rooms import codec
from varv.rooms.keys import hash_token
from varv.rooms.reasons import Refused, Trouble
from varv.rooms.tables import Wanted
from varv.rules.editions import EDITIONS
from varv.rules.events import Event, PerformanceStarted, RoundCreated, RoundRevealed
from varv.rules.model import GameState
from varv.rules.permission import joining_refused
from varv.rules.refusals import Reason
from varv.rules.views import history
from varv.web import requests, shapes
from varv.web.requests import services
from varv.web.sockets import check_id

LANGUAGES = ("sv", "en")
LONGEST_NOTE = 500
YEAR = 365 * 24 * 3600


def answer(value: Struct | bytes, status: int = 200) -> Response:
    """JSON that no cache keeps: it is somebody's own."""
    content = value if isinstance(value, bytes) else msgspec.json.encode(value)
    headers = {"Cache-Control": "no-store", "X-Content-Type-Options": "nosniff"}
    return Response(content, status, headers, "application/json")


async def create_game(request: Request) -> Response:
    """A game; the caller is its host and first player."""
    serving = services(request)
    wanted = await requests.body(request, shapes.CreateGame)
    if wanted.language not in (UNSET, None, *LANGUAGES):
        raise Refused(Trouble.OUT_OF_RANGE, {"language": list(LANGUAGES)})
    serving.limits.spend("create", requests.address(request))
    created = await serving.tables.create(
        Wanted(wanted.edition, wanted.mix, wanted.name, wanted.options or UNSET),
        requests.owner_token(request),
        requests.idempotency_key(request),
    )
    told = shapes.GameCreated(created.code, created.player, created.token, created.owner_token)
    response = answer(told, 201)
    response.headers["Location"] = f"/api/v1/games/{created.code}"
    response.set_cookie(
        requests.OWNER_COOKIE,
        created.owner_token,
        max_age=YEAR,
        httponly=True,
        samesite="lax",
        secure=requests.base(request).startswith("https://"),
    )
    return response


async def game_card(request: Request) -> Response:
    """What anyone may know."""
    game = (await requests.room(request)).game
    return answer(
        shapes.GameCard(
            code=game.code,
            edition=game.edition,
            state=game.state,
            players=len(game.players),
            max_players=game.max_players,
            joinable=joining_refused(game) is None,
        )
    )


async def join_game(request: Request) -> Response:
    """A seat, when joining is open."""
    wanted = await requests.body(request, shapes.JoinGame)
    room = await requests.room(request)
    services(request).limits.spend("join", requests.address(request))
    key = requests.idempotency_key(request)
    joined = await services(request).tables.join(room, wanted.name, key, bot=wanted.bot)
    return answer(shapes.Seated(joined.player, joined.token), 201)


async def state(request: Request) -> Response:
    """Everything that this player can see now."""
    room, player = await requests.seat(request)
    content = room.state(player, room.version(player))
    return answer(content.replace(b'"type":"state",', b"", 1))


async def send_command(request: Request) -> Response:
    """The same effect as over the WebSocket."""
    wanted = await requests.body(request, shapes.SendCommand)
    room, player = await requests.seat(request)
    check_id(wanted.id)
    version = await services(request).commands.command(room, player, wanted.id, wanted.command)
    return answer(shapes.CommandAnswer(version))


async def rejoin_link(request: Request) -> Response:
    """A single-use way back to a seat (GAME-21)."""
    room = await requests.room(request)
    ticket = await services(request).seats.link(
        room,
        request.path_params["player"],
        requests.token(request),
        requests.owner_token(request),
    )
    link = f"{requests.base(request)}/g/{room.code}#{ticket.secret}"
    return answer(shapes.Link(link, ticket.expires))


async def rejoin(request: Request) -> Response:
    """Take a seat by a link."""
    wanted = await requests.body(request, shapes.Rejoin)
    room = await requests.room(request)
    try:
        joined = await services(request).seats.rejoin(
            room, wanted.ticket, requests.idempotency_key(request)
        )
    except Refused as refused:
        if refused.reason is Trouble.TICKET_UNKNOWN:
            services(request).limits.spend("miss", requests.address(request))
        raise
    return answer(shapes.Seated(joined.player, joined.token))


async def game_history(request: Request) -> Response:
    """The whole game, round by round, once it is over."""
    room, _ = await requests.seat(request)
    if room.game.state is not GameState.FINISHED:
        raise Refused(Trouble.GAME_NOT_FINISHED, {"state": room.game.state})
    stored = await services(request).store.since(room.code, 0)
    return answer(history(codec.decode_event(event) for event in stored))


async def add_bots(request: Request) -> Response:
    """Bots take seats."""
    wanted = await requests.body(request, shapes.AddBots)
    room, player = await requests.seat(request)
    skill = wanted.skill or DEFAULT_SKILL
    if skill not in SKILLS:
        raise Refused(Trouble.OUT_OF_RANGE, {"skill": list(SKILLS)})
    tables = services(request).tables
    players = await tables.add_bots(room, player, wanted.count, skill, bot_name)
    services(request).rooms.changed(room)
    return answer(shapes.BotsAdded(players), 201)


async def again(request: Request) -> Response:
    """Another game with the same people."""
    room, player = await requests.seat(request)
    created = await services(request).tables.again(room, player)
    return answer(shapes.GameAgain(created.code, created.player, created.token), 201)


async def flag(request: Request) -> Response:
    """Somebody doubts the year of a song."""
    wanted = await requests.body(request, shapes.FlagYear)
    room, _ = await requests.seat(request)
    note = wanted.note or ""
    if len(note) > LONGEST_NOTE or not note.replace("\n", " ").isprintable():
        raise Refused(Trouble.OUT_OF_RANGE, {"note": [0, LONGEST_NOTE]})
    stored = await services(request).store.since(room.code, 0)
    song = _revealed_song((codec.decode_event(event) for event in stored), wanted.round)
    if song is None:
        raise Refused(Trouble.ROUND_NOT_REVEALED, {"round": wanted.round})
    await services(request).music.flag(song, note, room.code, wanted.round)
    return answer(shapes.Flagged(True), 201)


def _revealed_song(events: Iterable[Event], wanted: int) -> str | None:
    """The song of a round that has been fully revealed."""
    number, song = 0, None
    terminal = {edition.terminal for edition in EDITIONS.values()}
    for event in events:
        if isinstance(event, RoundCreated):
            number, song = event.number, None
        elif isinstance(event, PerformanceStarted):
            song = event.performance.song.id
        elif isinstance(event, RoundRevealed) and number == wanted and event.to in terminal:
            return song
    return None


async def pair_screen(request: Request) -> Response:
    """A shared screen that may play the sound."""
    room, player = await requests.seat(request)
    if player != room.game.host:
        raise Refused(Reason.HOST_ONLY)
    keys = services(request).rooms.keys
    link = f"{requests.base(request)}/screen/{room.code}#{keys.screen_ticket(room.code)}"
    return answer(shapes.ScreenLink(link, keys.screen_code(room.code)), 201)


async def qr(request: Request) -> Response:
    """The join link as a picture."""
    import segno  # the start need not wait for it

    room = await requests.room(request)
    drawing = io.BytesIO()
    code = segno.make(f"{requests.base(request)}/g/{room.code}", error="m", micro=False)
    code.save(drawing, kind="svg", border=2, xmldecl=False, nl=False, light="#fff", dark="#000")
    headers = {"Cache-Control": "no-store"}
    return Response(drawing.getvalue(), 200, headers, "image/svg+xml")


async def mixes(request: Request) -> Response:
    """All mixes, and whether the owner who asks may use them (ENT-01)."""
    serving = services(request)
    held = await serving.commands.entitlements.of(await _owner(request))
    cards = [
        shapes.MixCard(
            id=mix.id,
            name=mix.name,
            songs=mix.songs,
            years=mix.years,
            playable=mix.playable,
            allowed=held.allows(mix),
        )
        for mix in await serving.music.mixes()
    ]
    return answer(shapes.Mixes(cards))


async def _owner(request: Request) -> str | None:
    token = requests.owner_token(request)
    return None if token is None else await services(request).store.owner(hash_token(token))


async def owner_card(request: Request) -> Response:
    """The public id that `varv grant` takes, and the game to go back to."""
    serving = services(request)
    owner = await _owner(request)
    return answer(
        shapes.OwnerCard(
            owner=owner,
            premium=(await serving.commands.entitlements.of(owner)).premium,
            game=await serving.store.unfinished(owner) if owner else None,
        )
    )
