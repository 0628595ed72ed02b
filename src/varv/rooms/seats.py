"""Coming back: tokens, rejoin links, and the way into the next game (GAME-21)."""

import time

from msgspec import Struct

from varv.rooms import signals
from varv.rooms.keys import hash_token, new_token
from varv.rooms.messages import Notice, encode
from varv.rooms.ports import RejoinTicket, Store
from varv.rooms.reasons import Refused, Trouble
from varv.rooms.room import Room
from varv.rooms.service import RoomService
from varv.rooms.tables import Joined, seat_again
from varv.rules.refusals import Reason

LINK_LIVES = 24 * 3600
"""Seconds that a rejoin link may wait to be used."""


class Ticket(Struct, frozen=True):
    """A single-use way to a seat; `expires` in epoch seconds."""

    secret: str
    expires: int


async def new_ticket(store: Store, code: str, player: str) -> Ticket:
    """Kept as a hash, until it is used or expires."""
    ticket = Ticket(new_token(), int(time.time()) + LINK_LIVES)
    hashed = hash_token(ticket.secret)
    await store.add_ticket(RejoinTicket(hashed, code, player, ticket.expires))
    return ticket


class Seats:
    """Who a token names, and how the same player comes back on another device."""

    def __init__(self, service: RoomService) -> None:
        """On the same rooms."""
        self._registry = service.registry
        self._store = service.store
        service.registry.on_again = self._tell_again

    async def player(self, room: Room, token: str | None) -> str:
        """The remaining player that a token names."""
        if not token:
            raise Refused(Trouble.TOKEN_MISSING)
        hashed = hash_token(token)
        player = room.tokens.get(hashed)
        if player is None and self._store.shared:
            await self._registry.refresh(room)
            player = room.tokens.get(hashed)
        if player is None:
            raise Refused(Trouble.TOKEN_UNKNOWN)
        if player not in room.game.players:
            raise Refused(Reason.REMOVED)
        room.seen[player] = time.monotonic()
        return player

    async def link(
        self, room: Room, player: str, token: str | None, owner_token: str | None
    ) -> Ticket:
        """For the player themself, by the host for anyone, by the owner for the host's seat."""
        by = await self.player(room, token) if token else None
        owner = None
        if by is None:
            if not owner_token:
                raise Refused(Trouble.TOKEN_MISSING)
            owner = await self._store.owner(hash_token(owner_token))
        host = room.game.host
        if player not in room.game.players:
            raise Refused(Trouble.PLAYER_UNKNOWN, {"player": player})
        allowed = by in (player, host) if by else owner == room.owner and player == host
        if not allowed:
            raise Refused(Trouble.NOT_YOURS)
        return await self.ticket(room, player)

    async def ticket(self, room: Room, player: str) -> Ticket:
        """A way to a seat, whoever asked."""
        if player not in room.game.players:
            raise Refused(Trouble.PLAYER_UNKNOWN, {"player": player})
        if player in room.skills:
            raise Refused(Trouble.SEAT_OF_A_BOT)
        return await new_ticket(self._store, room.code, player)

    async def rejoin(self, room: Room, ticket: str, key: str | None) -> Joined:
        """Take a seat with a ticket; the old token stops working, and everyone is told."""
        hashed = hash_token(ticket)
        token = new_token()
        if key is not None:
            token = self._registry.keys.token(f"rejoin {room.code}", key, hashed)
        now = int(time.time())
        used = await self._store.use_ticket(hashed, room.code, hash_token(token), now)
        if used is None:
            raise Refused(Trouble.TICKET_UNKNOWN)
        player, was_taken = used
        if player not in room.game.players:
            raise Refused(Reason.REMOVED)
        async with room.lock:
            room.seat(*await self._store.seats(room.code))
        rejoined = player if was_taken else None
        if rejoined is not None:
            room.tell(encode(Notice("REJOINED", player=player)))
        self._registry.tell(room.code, signals.Seated(self._registry.worker, rejoined))
        return Joined(player, token)

    # The next game

    def _tell_again(self, room: Room) -> None:
        for player in room.connected_here():
            self._registry.spawn(self.invite(room, player))

    async def invite(self, room: Room, player: str) -> None:
        """Tell a player of a game that goes on elsewhere their own way in, if not yet taken."""
        code = room.successor
        if code is None or player not in room.game.players or player == room.game.host:
            return
        wanted = seat_again(room, player)
        seats, _ = await self._store.seats(code)
        if wanted is not None and any(
            seat.player == wanted and seat.token is None for seat in seats
        ):
            ticket = await new_ticket(self._store, code, wanted)
            notice = Notice("AGAIN", code=code, ticket=ticket.secret)
            room.tell(encode(notice), only=player)
