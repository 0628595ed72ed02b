"""A store for tests: everything the port promises, but gone with the process."""

import secrets
from collections.abc import Sequence

from msgspec import structs

from varv.rooms.ports import (
    Append,
    CommandRecord,
    GameRow,
    Head,
    Idempotency,
    Loaded,
    Outcome,
    RejoinTicket,
    Seat,
    StoredEvent,
    StoredSnapshot,
)


class MemoryStore:
    """`rooms.ports.Store` in dictionaries. Several rooms services in one process may share one."""

    shared = True
    away: tuple[type[Exception], ...] = ()

    def __init__(self) -> None:
        """Empty."""
        self._games: dict[str, GameRow] = {}
        self._seating: dict[str, int] = {}
        self._events: dict[str, list[StoredEvent]] = {}
        self._snapshots: dict[str, StoredSnapshot] = {}
        self._commands: dict[tuple[str, str, str], CommandRecord] = {}
        self._seats: dict[tuple[str, str], Seat] = {}
        self._tickets: dict[bytes, tuple[RejoinTicket, bytes | None]] = {}
        self._idempotency: dict[bytes, tuple[str, Idempotency]] = {}
        self._owners: dict[bytes, str] = {}
        self._entitlements: set[tuple[str, str]] = set()
        self._secrets: dict[str, bytes] = {}

    async def open(self) -> None:
        """Nothing to do."""

    async def close(self) -> None:
        """Nothing to do."""

    async def ping(self) -> None:
        """Always there."""

    async def append(self, append: Append) -> Outcome:
        """All checks first, so that nothing is half done."""
        a = append
        if a.idempotency is not None and a.idempotency.key in self._idempotency:
            return Outcome.DUPLICATE
        if a.command is not None and (a.code, a.command.actor, a.command.id) in self._commands:
            return Outcome.DUPLICATE
        seq = a.expected + len(a.events)
        known = self._games.get(a.code)
        if a.creation is not None:
            if known is not None:
                return Outcome.CODE_TAKEN
            if await self.unfinished(a.creation.owner):
                return Outcome.OWNER_BUSY
            if a.creation.owner_token is not None:
                self._owners.setdefault(a.creation.owner_token, a.creation.owner)
            c = a.creation
            row = GameRow(a.code, c.owner, c.edition, a.state, a.players, seq, a.at, a.at)
        elif known is None or known.seq != a.expected:
            return Outcome.CONFLICT
        else:
            row = structs.replace(known, state=a.state, players=a.players, seq=seq, updated=a.at)
        self._games[a.code] = row
        before = a.creation.continues if a.creation else None
        if before in self._games:
            self._games[before] = structs.replace(self._games[before], successor=a.code)
        self._keep(a)
        return Outcome.APPENDED

    def _keep(self, a: Append) -> None:
        self._events.setdefault(a.code, []).extend(a.events)
        if a.command is not None:
            self._commands[a.code, a.command.actor, a.command.id] = a.command
        for seat in a.seats:
            self._seats[a.code, seat.player] = seat
        self._seating[a.code] = self._seating.get(a.code, 0) + bool(a.seats)
        if a.snapshot is not None:
            self._snapshots[a.code] = a.snapshot
        if a.idempotency is not None:
            self._idempotency[a.idempotency.key] = (a.code, a.idempotency)

    async def load(self, code: str) -> Loaded | None:
        """The snapshot and what came after."""
        row = self._games.get(code)
        if row is None:
            return None
        snapshot = self._snapshots.get(code)
        tail = await self.since(code, snapshot.seq if snapshot else 0)
        seats, seating = await self.seats(code)
        return Loaded(row, snapshot, tail, seats, seating)

    async def since(self, code: str, seq: int) -> tuple[StoredEvent, ...]:
        """A slice."""
        return tuple(self._events.get(code, [])[seq:])

    async def heads(self, codes: Sequence[str]) -> dict[str, Head]:
        """Those that exist."""
        return {
            code: Head(self._games[code].seq, self._seating[code], self._games[code].successor)
            for code in codes
            if code in self._games
        }

    async def command(self, code: str, actor: str, command_id: str) -> CommandRecord | None:
        """If it took effect."""
        return self._commands.get((code, actor, command_id))

    async def idempotent(self, key: bytes) -> Idempotency | None:
        """The first answer."""
        found = self._idempotency.get(key)
        return found[1] if found else None

    async def seats(self, code: str) -> tuple[tuple[Seat, ...], int]:
        """Who sits where."""
        seats = tuple(seat for (game, _), seat in self._seats.items() if game == code)
        return seats, self._seating.get(code, 0)

    async def add_ticket(self, ticket: RejoinTicket) -> None:
        """Keep it."""
        self._tickets[ticket.hash] = (ticket, None)

    async def use_ticket(
        self, ticket: bytes, code: str, token: bytes, now: int
    ) -> tuple[str, bool] | None:
        """Spend it."""
        known, used_by = self._tickets.get(ticket, (None, None))
        if known is None or known.code != code:
            return None
        if used_by is not None:
            return (known.player, False) if used_by == token else None
        seat = self._seats.get((code, known.player))
        if known.expires < now or seat is None:
            return None
        self._tickets[ticket] = (known, token)
        self._seats[code, known.player] = structs.replace(seat, token=token)
        self._seating[code] += 1
        return known.player, seat.token is not None

    async def owner(self, token: bytes) -> str | None:
        """By the hash."""
        return self._owners.get(token)

    async def unfinished(self, owner: str) -> str | None:
        """GAME-23."""
        for row in self._games.values():
            if row.owner == owner and row.state != "FINISHED":
                return row.code
        return None

    async def entitlements(self, owner: str) -> frozenset[str]:
        """What was granted."""
        return frozenset(what for who, what in self._entitlements if who == owner)

    async def grant(self, owner: str, entitlement: str) -> bool:
        """To an owner that exists."""
        if owner not in self._owners.values():
            return False
        self._entitlements.add((owner, entitlement))
        return True

    async def revoke(self, owner: str, entitlement: str) -> bool:
        """If it was there."""
        found = (owner, entitlement) in self._entitlements
        self._entitlements.discard((owner, entitlement))
        return found

    async def games(self, *, finished: bool) -> tuple[GameRow, ...]:
        """Latest first."""
        rows = [row for row in self._games.values() if finished or row.state != "FINISHED"]
        return tuple(sorted(rows, key=lambda row: (-row.updated, row.code)))

    async def delete(self, code: str) -> bool:
        """With everything that belongs to it."""
        found = self._games.pop(code, None) is not None
        for single in (self._seating, self._events, self._snapshots):
            single.pop(code, None)
        self._commands = {k: v for k, v in self._commands.items() if k[0] != code}
        self._seats = {k: v for k, v in self._seats.items() if k[0] != code}
        self._tickets = {k: v for k, v in self._tickets.items() if v[0].code != code}
        self._idempotency = {k: v for k, v in self._idempotency.items() if v[0] != code}
        return found

    async def prune(self, before: int) -> int:
        """All untouched since."""
        old = [row.code for row in self._games.values() if row.updated < before]
        for code in old:
            await self.delete(code)
        return len(old)

    async def secret(self, name: str) -> bytes:
        """Made by whoever asks first."""
        return self._secrets.setdefault(name, secrets.token_bytes(32))
