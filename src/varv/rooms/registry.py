"""The rooms that are in memory: loaded when asked for, kept fresh, let go when idle."""

import asyncio
import contextlib
import secrets
import time
from collections.abc import Callable, Coroutine
from typing import Any

import msgspec
import structlog

from varv.rooms import codec, signals
from varv.rooms.keys import Keys, read_code
from varv.rooms.messages import Notice, encode
from varv.rooms.outage import Outage
from varv.rooms.outbox import Outbox
from varv.rooms.ports import Bus, Head, Loaded, Store
from varv.rooms.reasons import Refused, Trouble
from varv.rooms.room import Room

IDLE_AFTER = 120.0
"""Seconds after which a room that nobody looks at leaves memory."""
POLL_EVERY = 2.0
"""Seconds between two looks at what other workers have stored."""
MARK_EVERY = 20.0
FAREWELL = 2.0
"""Seconds that a shutdown gives the bus to hear of it."""
STUCK_AFTER = 20.0
"""Seconds that a socket may refuse to take a message before it is dropped."""

log = structlog.get_logger("varv.rooms")


class Registry:
    """Every room of this worker, and what the worker hears about them."""

    def __init__(self, store: Store, bus: Bus, *, poll_every: float = POLL_EVERY) -> None:
        """Nothing is touched before `open`."""
        self.store = store
        self.bus = bus
        self.outage = Outage(store.away)
        self.worker = secrets.token_hex(6)
        self.rooms: dict[str, Room] = {}
        self.keys = Keys(b"")
        self.draining = False
        self.dropped = 0
        """Sockets that took nothing for too long."""
        self.on_change: Callable[[Room], None] | None = None
        """Called after a game has moved on: the bots listen here."""
        self.on_again: Callable[[Room], None] | None = None
        """Called once another game goes on with the same people."""
        self.on_poll: Callable[[], None] | None = None
        """Called every few seconds: what is to be measured is measured here."""
        self._loading: dict[str, asyncio.Future[Room | None]] = {}
        self._telling: set[str] = set()
        self._tasks: set[asyncio.Task[None]] = set()
        self._poll_every = poll_every

    async def open(self) -> None:
        """Start listening."""
        self.keys = Keys(await self.store.secret("server"))
        await self.bus.open(self._heard)
        self.spawn(self._poll())
        self.spawn(self._mark())

    async def close(self) -> None:
        """Stop listening."""
        for task in tuple(self._tasks):
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        watched = [room.code for room in self.rooms.values() if room.watched]
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(FAREWELL):
                await asyncio.gather(*(self.bus.mark(code, self.worker, ()) for code in watched))
        await self.bus.close()

    def spawn(self, work: Coroutine[Any, Any, None]) -> None:
        """Do something without waiting for it."""
        task = asyncio.create_task(work)
        self._tasks.add(task)
        task.add_done_callback(self._done)

    def _done(self, task: "asyncio.Task[None]") -> None:
        self._tasks.discard(task)
        error = None if task.cancelled() else task.exception()
        if isinstance(error, Exception):
            self.outage.failed("a background task failed", error)

    # Finding rooms

    async def room(self, text: str, *, fresh: bool = False) -> Room:
        """The room of a game, from memory or the store. `fresh`: as far as any worker has come."""
        code = read_code(text)
        room = None if code is None else self.rooms.get(code)
        if room is None and code is not None:
            room = await self._load_once(code)
        elif room is not None and fresh and self.store.shared:
            await self.refresh(room)
            room = self.rooms.get(room.code)
        if room is None:
            raise Refused(Trouble.GAME_UNKNOWN)
        room.touched = time.monotonic()
        return room

    async def _load_once(self, code: str) -> Room | None:
        """Many may ask at once; one of them loads."""
        if code in self._loading:
            return await asyncio.shield(self._loading[code])
        future: asyncio.Future[Room | None] = asyncio.get_running_loop().create_future()
        self._loading[code] = future
        try:
            room = await self._load(code)
            future.set_result(room)
        except BaseException as error:
            future.set_exception(error)
            future.exception()
            raise
        finally:
            del self._loading[code]
        return room

    async def _load(self, code: str) -> Room | None:
        room = await self.find(code)
        if room is not None:
            self.rooms[code] = room
        return room

    async def find(self, code: str) -> Room | None:
        """A game as it is stored, to look at."""
        loaded = await self.store.load(code)
        return None if loaded is None else await self._restore(loaded)

    async def _restore(self, loaded: Loaded) -> Room:
        game, tail = codec.decode_game(loaded.snapshot), loaded.tail
        kept = loaded.snapshot.seq if loaded.snapshot and game else 0
        if loaded.snapshot is not None and game is None:
            # Written by another version of Varv: the events are the truth, not the snapshot.
            tail = await self.store.since(loaded.row.code, 0)
        game = codec.fold(game, tail)
        assert game is not None, "a stored game has at least its first event"
        room = Room(game, kept + len(tail), loaded.row.owner, self.keys)
        room.kept = kept
        room.successor = loaded.row.successor
        room.seat(loaded.seats, loaded.seating)
        return room

    # Keeping them fresh

    async def refresh(self, room: Room) -> None:
        """Take in what other workers have done; whoever is acting here is waited for only then."""
        heads = await self.store.heads([room.code])
        if _behind(room, heads.get(room.code)):
            async with room.lock:
                await self.catch_up(room)

    async def catch_up(self, room: Room) -> bool:
        """Like `refresh`, under a lock that the caller holds; False if the game is gone."""
        heads = await self.store.heads([room.code])
        head = heads.get(room.code)
        if head is None:
            self._forget(room)
            return False
        if head.seating != room.seating:
            room.seat(*await self.store.seats(room.code))
        self.continued(room, head.successor)
        if head.seq > room.seq:
            stored = await self.store.since(room.code, room.seq)
            events = tuple(codec.decode_event(event) for event in stored)
            game = codec.fold(room.game, stored)
            assert game is not None
            room.advance(game, events)
            self.changed(room)
        return True

    def continued(self, room: Room, successor: str | None) -> None:
        """Another game goes on with the same people: those who are here are told, once."""
        if successor in (None, room.successor):
            return
        room.successor = successor
        if self.on_again is not None:
            self.on_again(room)

    def changed(self, room: Room) -> None:
        """Let the bots know."""
        if self.on_change is not None and room.skills:
            self.on_change(room)

    def _forget(self, room: Room) -> None:
        """The game has been deleted."""
        self.rooms.pop(room.code, None)
        for viewer in tuple(room.viewers):
            viewer.dismiss("GAME_UNKNOWN", 4404)

    # Who is looking

    def enter(self, outbox: Outbox) -> None:
        """A viewer arrives and gets the state at once, whatever the bus is up to."""
        room = outbox.room
        room.viewers.add(outbox)
        outbox.flush()
        if not room.watched:
            room.watched = True
            self.spawn(self._watch(room))
        if outbox.player is not None:
            self._presence_changed(room)
        self.changed(room)

    async def _watch(self, room: Room) -> None:
        """Hear of the game from now on, and look up what was said before anyone listened."""
        await self.bus.watch(room.code)
        await self._look_elsewhere(room)
        if self.store.shared:
            await self.refresh(room)

    async def _look_elsewhere(self, room: Room) -> None:
        elsewhere = await self.bus.marked(room.code)
        elsewhere.pop(self.worker, None)
        if elsewhere != room.elsewhere:
            room.elsewhere = elsewhere
            room.tell_presence()

    def leave(self, outbox: Outbox) -> None:
        """A viewer is gone."""
        room = outbox.room
        room.viewers.discard(outbox)
        room.touched = time.monotonic()
        if outbox.player is not None:
            room.seen[outbox.player] = time.monotonic()
            self._presence_changed(room)
        if not room.viewers:
            room.rest()

    def _presence_changed(self, room: Room) -> None:
        room.tell_presence()
        if not self.bus.alone:
            telling = room.code in self._telling
            self._telling.add(room.code)
            if not telling:
                self.spawn(self._tell_presence(room))

    async def _tell_presence(self, room: Room) -> None:
        """One at a time, so that the last word is the newest."""
        here: list[str] | None = None
        try:
            while here != sorted(room.connected_here()):
                here = sorted(room.connected_here())
                present = signals.encode(signals.Present(self.worker, here))
                await self.bus.mark(room.code, self.worker, here)
                await self.bus.publish(room.code, present)
        finally:
            self._telling.discard(room.code)

    # Hearing from other workers

    def tell(self, code: str, signal: signals.Signal) -> None:
        """Tell the other workers, without waiting."""
        if not self.bus.alone:
            self.spawn(self.bus.publish(code, signals.encode(signal)))

    def _heard(self, code: str, message: bytes) -> None:
        room = self.rooms.get(code)
        if room is None:
            return
        try:
            signal = signals.DECODER.decode(message)
        except msgspec.MsgspecError:
            log.warning("a message on the bus could not be read")
            return
        if signal.worker != self.worker:
            self._take_in(room, signal)

    def _take_in(self, room: Room, signal: signals.Signal) -> None:
        match signal:
            case signals.Changed(seq=seq):
                if seq > room.seq:
                    self.spawn(self.refresh(room))
            case signals.Seated(rejoined=rejoined):
                self.spawn(self.refresh(room))
                if rejoined is not None:
                    room.tell(encode(Notice("REJOINED", player=rejoined)))
            case signals.Present(worker=worker, players=players):
                room.elsewhere[worker] = frozenset(players)
                room.tell_presence()
            case signals.Played(playing=playing):
                room.set_playing(playing)
            case signals.Again(code=successor):
                self.continued(room, successor)

    # Now and then

    async def _poll(self) -> None:
        """A lost bus delays but never loses; idle rooms and stuck sockets are let go."""
        while True:
            await asyncio.sleep(self._poll_every)
            try:
                await self._poll_once()
            except Exception as error:
                self.outage.failed("the store could not be polled", error)

    async def _poll_once(self) -> None:
        lately = time.monotonic() - 2 * self._poll_every
        used = [room for room in self.rooms.values() if room.viewers or room.touched > lately]
        heads = await self.store.heads([room.code for room in used])
        for room in used:
            if _behind(room, heads.get(room.code)):
                await self.refresh(room)
            # A bot may have been waiting for somebody who has been gone long enough by now.
            self.changed(room)
        await self.sweep()
        if self.on_poll is not None:
            self.on_poll()

    async def sweep(self, idle_after: float = IDLE_AFTER) -> None:
        """Let go of rooms that nobody uses, and of sockets that take nothing."""
        now = time.monotonic()
        for room in tuple(self.rooms.values()):
            if not room.viewers and not room.lock.locked() and now - room.touched > idle_after:
                self.rooms.pop(room.code, None)
                if room.watched:
                    room.watched = False
                    await self.bus.unwatch(room.code)
            for viewer in tuple(room.viewers):
                since = viewer.pipe.stuck_since
                if since is not None and now - since > STUCK_AFTER:
                    self.dropped += 1
                    viewer.pipe.abort()

    async def _mark(self) -> None:
        """Repeat who is connected here, and read who is connected elsewhere."""
        while True:
            await asyncio.sleep(MARK_EVERY)
            for room in [room for room in self.rooms.values() if room.viewers]:
                await self.bus.mark(room.code, self.worker, room.connected_here())
                await self._look_elsewhere(room)


def _behind(room: Room, head: Head | None) -> bool:
    """Whether the store knows more of a game than the room does, or that it is gone."""
    if head is None:
        return True
    known = (room.seating, room.successor)
    return head.seq > room.seq or (head.seating, head.successor) != known
