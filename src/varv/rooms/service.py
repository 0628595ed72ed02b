"""A command's way: load → decide → append → acknowledge → publish."""

import asyncio
import time
from collections.abc import Iterable
from functools import reduce
from random import Random, SystemRandom

import structlog
from msgspec import UNSET

from varv.music.model import PassedOver, RecordingMissing
from varv.rooms import codec, signals
from varv.rooms.entitlements import Entitlements
from varv.rooms.messages import Notice, encode
from varv.rooms.outbox import Outbox
from varv.rooms.ports import (
    Append,
    Bus,
    CommandRecord,
    Idempotency,
    Music,
    Outcome,
    Seat,
    Store,
    StoredSnapshot,
)
from varv.rooms.reasons import Refused, Trouble, refused
from varv.rooms.registry import POLL_EVERY, Registry
from varv.rooms.room import Room
from varv.rules import Chance, Setup, check, coupling, drawing, evolve, take, views
from varv.rules import commands as c
from varv.rules.editions import EDITIONS
from varv.rules.events import Event, PerformanceStarted, RoundCreated, RoundRevealed
from varv.rules.model import Draw, Game, GameState
from varv.rules.refusals import Reason, Refusal

ATTEMPTS = 50
"""So often a command is decided again because another worker was first."""

log = structlog.get_logger("varv.rooms")


def now_ms() -> int:
    """Epoch milliseconds."""
    return time.time_ns() // 1_000_000


class RoomService:
    """Takes commands for every game; all that is acknowledged is durable."""

    def __init__(
        self,
        store: Store,
        bus: Bus,
        music: Music,
        *,
        enforced: bool = False,
        poll_every: float = POLL_EVERY,
        rng: Random | None = None,
    ) -> None:
        """`enforced`: entitlements count; otherwise everyone has Premium."""
        self.store = store
        self.music = music
        self.registry = Registry(store, bus, poll_every=poll_every)
        self.entitlements = Entitlements(store, music, enforced=enforced)
        self.rng = rng or SystemRandom()
        self.idle = asyncio.Event()
        """Set while no command is being worked on."""
        self.idle.set()
        self._busy = 0

    async def command(
        self,
        room: Room,
        player: str,
        command_id: str,
        command: c.Command,
        sender: Outbox | None = None,
    ) -> int:
        """Do it once, however often it is sent; the version to acknowledge, or `Refused`.

        The `sender` is not shown the change: it comes together with the acknowledgement.
        """
        if self.registry.draining:
            raise Refused(Trouble.RESTARTING)
        self._busy += 1
        self.idle.clear()
        try:
            return await self._command(room, player, command_id, command, sender)
        finally:
            self._busy -= 1
            if not self._busy:
                self.idle.set()

    async def _command(
        self,
        room: Room,
        player: str,
        command_id: str,
        command: c.Command,
        sender: Outbox | None,
    ) -> int:
        fingerprint = codec.fingerprint(command)
        async with room.lock:
            for _ in range(ATTEMPTS):
                chance = await self._chance(room, player, command)
                step = take(room.game, player, command, chance)
                if isinstance(step, Refusal):
                    if self.store.shared and await self._moved(room):
                        continue
                    seen = await self._seen(room, player, command_id, fingerprint)
                    if seen is not None:
                        return seen
                    raise refused(step)
                version = views.version(step.game, player)
                record = CommandRecord(player, command_id, fingerprint, version)
                outcome = await self.commit(
                    room, step.game, step.events, command=record, sender=sender
                )
                if outcome is Outcome.APPENDED:
                    if isinstance(command, c.Play | c.Stop):
                        self._play(room, command)
                    return version
                if outcome is Outcome.DUPLICATE:
                    seen = await self._seen(room, player, command_id, fingerprint)
                    if seen is not None:
                        return seen
                await self.catch_up(room)
        raise Refused(Trouble.CONTENDED)

    async def _moved(self, room: Room) -> bool:
        """Whether another worker has moved the game on since this one looked."""
        before = room.seq
        await self.catch_up(room)
        return room.seq != before

    async def catch_up(self, room: Room) -> None:
        """Take in what is new; `Refused` if the game is gone. The caller holds the lock."""
        if not await self.registry.catch_up(room):
            raise Refused(Trouble.GAME_UNKNOWN)

    async def _seen(self, room: Room, player: str, command_id: str, mark: bytes) -> int | None:
        """The first acknowledgement of this command id, if there was one."""
        record = await self.store.command(room.code, player, command_id)
        if record is None:
            return None
        if record.fingerprint != mark:
            raise Refused(Trouble.ID_REUSED)
        return record.version

    # What comes from outside

    async def _chance(self, room: Room, player: str, command: c.Command) -> Chance:
        draws = isinstance(command, c.StartRound | c.ChangeSong)
        mix = command.mix if isinstance(command, c.Configure) else UNSET
        if not (draws or mix is not UNSET) or check(room.game, player, command) is not None:
            return Chance(now_ms())
        if draws:
            return Chance(now_ms(), draw=await self._draw(room))
        assert mix is not UNSET
        if mix == room.game.mix.id:
            # Naming the mix that the game already has changes nothing, whatever became of it.
            return Chance(now_ms(), setup=Setup(room.game.mix, room.game.max_players))
        return Chance(now_ms(), setup=await self.entitlements.setup(room.owner, mix))

    async def _draw(self, room: Room) -> Draw | Reason:
        """A song whose sound is ready; the host is told of songs that were passed over."""
        passed: list[PassedOver] = []
        draw = await self.music.draw(drawing.request(room.game), self.rng, passed)
        if not isinstance(draw, Reason):
            try:
                await self.music.prepare(draw.recording)
            except RecordingMissing as error:
                log.warning("no sound", game=room.code, error=type(error).__name__)
                raise Refused(Trouble.SOUND_UNAVAILABLE) from error
        for _ in passed:
            room.tell(encode(Notice("SONG_PASSED_OVER")), only=room.game.host)
        return draw

    def _look_ahead(self, game: Game, events: tuple[Event, ...]) -> None:
        """Make the next song ready while people listen to this one, or at the latest look at it."""
        for event in events:
            if isinstance(event, PerformanceStarted):
                self.registry.spawn(self.music.ahead(drawing.likely_next(game), self.rng))
                continue
            if isinstance(event, RoundRevealed) and event.to is EDITIONS[game.edition].terminal:
                if game.cycle is None or coupling.next_leader(game) is None:
                    continue
                game = follow(game, coupling.next_round(game))
            elif not isinstance(event, RoundCreated):
                continue
            if game.state is GameState.IN_PROGRESS:
                self.registry.spawn(self.music.ahead(drawing.request(game), self.rng))

    def _play(self, room: Room, command: c.Play | c.Stop) -> None:
        room.play(command)
        self.registry.tell(room.code, signals.Played(self.registry.worker, room.playing))

    # Making it durable

    async def commit(
        self,
        room: Room,
        game: Game,
        events: tuple[Event, ...],
        *,
        command: CommandRecord | None = None,
        seats: tuple[Seat, ...] = (),
        idempotency: Idempotency | None = None,
        sender: Outbox | None = None,
    ) -> Outcome:
        """Append at the version the room is at; once durable, show and publish it."""
        seq = room.seq + len(events)
        snapshot: StoredSnapshot | None = None
        if seq - room.kept >= codec.SNAPSHOT_EVERY:
            snapshot = codec.encode_game(game, seq)
        outcome = await self.store.append(
            Append(
                code=room.code,
                expected=room.seq,
                events=tuple(map(codec.encode_event, events)),
                state=game.state,
                players=len(game.players),
                at=now_ms(),
                command=command,
                seats=seats,
                snapshot=snapshot,
                idempotency=idempotency,
            )
        )
        self.registry.outage.over()
        if outcome is not Outcome.APPENDED:
            return outcome
        if snapshot is not None:
            room.kept = seq
        if seats:
            room.seat(*await self.store.seats(room.code))
        if events:
            room.advance(game, events, sender)
            self.registry.changed(room)
            self._look_ahead(game, events)
            self.registry.tell(room.code, signals.Changed(self.registry.worker, seq))
        return outcome


def follow(game: Game, events: Iterable[Event]) -> Game:
    """The game after these events."""
    return reduce(evolve, events, game)
