"""Setting and filling tables: create, join, bots, the same people again."""

import hashlib
from collections.abc import Awaitable, Callable, Iterable

import msgspec
from msgspec import UNSET, Struct, UnsetType

from varv.rooms import codec, signals
from varv.rooms.keys import hash_token, new_code, new_owner, new_token
from varv.rooms.ports import Append, Creation, Idempotency, Outcome, Seat
from varv.rooms.reasons import Refused, Trouble, refused
from varv.rooms.room import Room
from varv.rooms.service import ATTEMPTS, RoomService, follow, now_ms
from varv.rules import commands as c
from varv.rules import create, join
from varv.rules.events import Event
from varv.rules.model import Game, GameState
from varv.rules.refusals import Reason, Refusal, refuse

MOST_BOTS = 9


class Wanted(Struct, frozen=True):
    """A game as somebody asks for it."""

    edition: str
    mix: str
    name: str
    options: c.OptionsChange | UnsetType = UNSET


class Created(Struct, frozen=True):
    """A game, and the way to its first seat."""

    code: str
    player: str
    token: str
    owner_token: str


class Joined(Struct, frozen=True):
    """A seat, and the way to it."""

    player: str
    token: str


class _Newcomer(Struct, frozen=True):
    """Who asks for a seat."""

    name: str
    bot: bool


class _Answer(Struct, frozen=True):
    """What is kept of an answer: no secrets."""

    code: str
    player: str


class Tables:
    """Everything that gives somebody a seat for the first time."""

    def __init__(self, service: RoomService) -> None:
        """On the same rooms."""
        self._service = service
        self._registry = service.registry
        self._store = service.store

    # Once, however often it is asked

    async def _first_answer(self, key: bytes, mark: bytes) -> _Answer | None:
        record = await self._store.idempotent(key)
        if record is None:
            return None
        if record.fingerprint != mark:
            raise Refused(Trouble.ID_REUSED)
        return msgspec.json.decode(record.answer, type=_Answer)

    async def _once(
        self,
        scope: str,
        key: str | None,
        body: Struct,
        act: Callable[[str, Idempotency | None], Awaitable[_Answer | None]],
    ) -> tuple[_Answer, str]:
        """Act with a token of one's own; a repeated key gets the first answer and token again.

        `act` gives None when it lost a race against the same key.
        """
        mark = _mark(body)
        if key is None:
            token = new_token()
            answer = await act(token, None)
            assert answer is not None, "only a key can be a duplicate"
            return answer, token
        stored = self._registry.keys.idempotency_key(scope, key)
        token = self._registry.keys.token(scope, key, mark)
        for _ in range(2):
            first = await self._first_answer(stored, mark)
            if first is not None:
                return first, token
            made = await act(token, Idempotency(stored, mark, ""))
            if made is not None:
                return made, token
        raise Refused(Trouble.CONTENDED)

    # Create

    async def create(self, wanted: Wanted, owner_token: str | None, key: str | None) -> Created:
        """A new game whose host is its first player (GAME-01, GAME-23)."""
        owner = None if owner_token is None else await self._store.owner(hash_token(owner_token))
        fresh = None
        if owner is None:
            mark = _mark(wanted)
            fresh = new_token() if key is None else self._registry.keys.token("owner", key, mark)
            owner = await self._store.owner(hash_token(fresh)) or new_owner()

        async def act(token: str, idempotency: Idempotency | None) -> _Answer | None:
            creation = Creation(owner, wanted.edition, hash_token(fresh) if fresh else None)
            setup = await self._service.entitlements.setup(owner, wanted.mix)
            if isinstance(setup, Reason):
                raise refused(refuse(setup, mix=wanted.mix))
            options = c.OptionsChange() if wanted.options is UNSET else wanted.options

            def events(code: str) -> tuple[Event, ...] | Refusal:
                return create(code, wanted.edition, wanted.name, setup, options)

            seats = (Seat("p1", hash_token(token)),)
            return await self._found(events, creation, seats, idempotency)

        answer, token = await self._once("create", key, wanted, act)
        return Created(answer.code, answer.player, token, fresh or owner_token or "")

    async def _found(
        self,
        events_for: Callable[[str], tuple[Event, ...] | Refusal],
        creation: Creation,
        seats: tuple[Seat, ...],
        idempotency: Idempotency | None,
    ) -> _Answer | None:
        """Store a new game under a free code."""
        for attempt in range(ATTEMPTS):
            # Four letters are easiest to say; when they run short the codes grow.
            code = new_code(min(4 + attempt // 4, 6))
            events = events_for(code)
            if isinstance(events, Refusal):
                raise refused(events)
            answer = _Answer(code, "p1")
            if idempotency is not None:
                kept = msgspec.json.encode(answer).decode()
                idempotency = Idempotency(idempotency.key, idempotency.fingerprint, kept)
            game = codec.fold(None, map(codec.encode_event, events))
            assert game is not None
            outcome = await self._store.append(
                Append(
                    code=code,
                    expected=0,
                    events=tuple(map(codec.encode_event, events)),
                    state=game.state,
                    players=len(game.players),
                    at=now_ms(),
                    seats=seats,
                    idempotency=idempotency,
                    creation=creation,
                )
            )
            match outcome:
                case Outcome.APPENDED:
                    return answer
                case Outcome.DUPLICATE:
                    return None
                case Outcome.OWNER_BUSY:
                    unfinished = await self._store.unfinished(creation.owner)
                    if unfinished is not None:
                        raise Refused(Trouble.GAME_UNFINISHED, {"game": unfinished})
        raise Refused(Trouble.CONTENDED)

    # Join

    async def join(self, room: Room, name: str, key: str | None, *, bot: bool = False) -> Joined:
        """A seat for somebody, or for a bot from elsewhere (GAME-18 … GAME-20)."""
        body = _Newcomer(name, bot)

        async def act(token: str, idempotency: Idempotency | None) -> _Answer | None:
            def sit(game: Game) -> tuple[tuple[Event, ...], tuple[Seat, ...]] | Refusal:
                events = join(game, name, bot=bot)
                if isinstance(events, Refusal):
                    return events
                return events, (Seat(_newcomer(events), hash_token(token)),)

            players = await self._sit(room, sit, idempotency)
            return None if players is None else _Answer(room.code, players[0])

        answer, token = await self._once(f"join {room.code}", key, body, act)
        return Joined(answer.player, token)

    async def _sit(
        self,
        room: Room,
        sit: Callable[[Game], tuple[tuple[Event, ...], tuple[Seat, ...]] | Refusal],
        idempotency: Idempotency | None = None,
    ) -> list[str] | None:
        """Seats at the table, decided again if another worker was first."""
        if self._registry.draining:
            raise Refused(Trouble.RESTARTING)
        async with room.lock:
            for _ in range(ATTEMPTS):
                decided = sit(room.game)
                if isinstance(decided, Refusal):
                    before = room.seq
                    if self._store.shared:
                        await self._service.catch_up(room)
                    if room.seq != before:
                        continue
                    raise refused(decided)
                events, seats = decided
                if idempotency is not None:
                    answer = msgspec.json.encode(_Answer(room.code, seats[0].player)).decode()
                    idempotency = Idempotency(idempotency.key, idempotency.fingerprint, answer)
                game = follow(room.game, events)
                outcome = await self._service.commit(
                    room, game, events, seats=seats, idempotency=idempotency
                )
                if outcome is Outcome.APPENDED:
                    signal = signals.Seated(self._registry.worker)
                    self._registry.tell(room.code, signal)
                    return [seat.player for seat in seats]
                if outcome is Outcome.DUPLICATE:
                    return None
                await self._service.catch_up(room)
        raise Refused(Trouble.CONTENDED)

    async def add_bots(
        self, room: Room, player: str, count: int, skill: str, name: Callable[[Iterable[str]], str]
    ) -> list[str]:
        """Bots take seats, all of them or none; `name` finds one that nobody has."""
        if not 1 <= count <= MOST_BOTS:
            raise Refused(Trouble.OUT_OF_RANGE, {"count": [1, MOST_BOTS]})

        def sit(game: Game) -> tuple[tuple[Event, ...], tuple[Seat, ...]] | Refusal:
            if player != game.host:
                return refuse(Reason.HOST_ONLY)
            events: tuple[Event, ...] = ()
            seats: tuple[Seat, ...] = ()
            for _ in range(count):
                taken = [someone.name for someone in game.players.values()]
                seated = join(game, name(taken), bot=True)
                if isinstance(seated, Refusal):
                    return seated
                events += seated
                seats += (Seat(_newcomer(seated), skill=skill),)
                game = follow(game, seated)
            return events, seats

        players = await self._sit(room, sit)
        assert players is not None, "without a key there are no duplicates"
        return players

    # Again

    async def again(self, room: Room, player: str) -> Created:
        """A new game with a seat for everyone who was left; the same answer if asked twice."""
        game = room.game
        if player != game.host:
            raise Refused(Reason.HOST_ONLY)
        if game.state is not GameState.FINISHED:
            raise Refused(Trouble.GAME_NOT_FINISHED, {"state": game.state})
        token = self._registry.keys.token("again", room.code, room.owner.encode())
        async with room.lock:
            await self._service.catch_up(room)
            code = room.successor
            if code is None or not await self._store.heads([code]):
                code = await self._continue(room, token)
                self._registry.continued(room, code)
                self._registry.tell(room.code, signals.Again(self._registry.worker, code))
        return Created(code, "p1", token, "")

    async def _continue(self, room: Room, token: str) -> str:
        gone = room.successor
        try:
            return await self._found_again(room, token)
        except Refused:
            # Asked for twice at once, the other worker may have been first (GAME-23).
            await self._service.catch_up(room)
            if room.successor in (None, gone):
                raise
            return room.successor

    async def _found_again(self, room: Room, token: str) -> str:
        old = room.game
        setup = await self._service.entitlements.setup(room.owner, old.mix.id)
        if isinstance(setup, Reason):
            raise refused(refuse(setup, mix=old.mix.id))
        people = [old.players[player] for player in staying(room)]
        options = c.OptionsChange(old.options.audio, old.options.guess_seconds)

        def events(code: str) -> tuple[Event, ...] | Refusal:
            made = create(code, old.edition, people[0].name, setup, options)
            for person in people[1:]:
                if isinstance(made, Refusal):
                    return made
                game = codec.fold(None, map(codec.encode_event, made))
                assert game is not None
                seated = join(game, person.name, bot=person.bot)
                made = seated if isinstance(seated, Refusal) else made + seated
            return made

        seats = [Seat("p1", hash_token(token))]
        for number, person in enumerate(people[1:], 2):
            seats.append(Seat(f"p{number}", skill=room.skills.get(person.id)))
        creation = Creation(room.owner, old.edition, continues=room.code)
        answer = await self._found(events, creation, tuple(seats), None)
        assert answer is not None, "without a key there are no duplicates"
        return answer.code


def staying(room: Room) -> list[str]:
    """Who has a seat in the next game: all but bots from elsewhere, which have got up by then."""
    players = room.game.players.values()
    return [player.id for player in players if not player.bot or player.id in room.skills]


def seat_again(room: Room, player: str) -> str | None:
    """Which seat of the next game is kept for a player of this one, if any."""
    players = staying(room)
    return f"p{players.index(player) + 1}" if player in players else None


def _mark(body: Struct) -> bytes:
    """Tells a repeated call from another one under the same key."""
    return hashlib.sha256(msgspec.json.encode(body, order="deterministic")).digest()


def _newcomer(events: tuple[Event, ...]) -> str:
    joined = events[0]
    player: str = joined.player  # type: ignore[union-attr]
    return player
