"""Bots in live games: they act through the same room as people, a little slower than they could.

A bot has no memory: its chance follows from the game, the player and what it sees, so it can be
put back in its seat after a restart, and two workers that move it do the same thing once. It
follows from the server's secret too: nobody can work out what a bot has heard, or why it hesitates.
"""

import asyncio
import time
from random import Random

import structlog

from varv.bots import patience
from varv.bots.hearing import Hearing, hear
from varv.bots.player import Bot
from varv.bots.skills import DEFAULT_SKILL, SKILLS, Skill
from varv.rooms.reasons import Refused
from varv.rooms.room import Room
from varv.rooms.service import RoomService, now_ms
from varv.rules import commands as c
from varv.rules import views
from varv.rules.model import GameState

PATIENCE = 20.0
"""Seconds for which somebody who lost their connection still counts as there."""

log = structlog.get_logger("varv.bots")


class Bots:
    """Moves the bots of every room that somebody is looking at."""

    def __init__(self, service: RoomService, *, pace: float = 1.0) -> None:
        """`pace`: seconds that a bot thinks."""
        self._service = service
        self._pace = pace
        self._thinking: set[tuple[str, str]] = set()
        self._stopped = False
        service.registry.on_change = self.wake

    def stop(self) -> None:
        """No more moves."""
        self._stopped = True

    def wake(self, room: Room) -> None:
        """Something changed: whoever has something to do now begins to think."""
        if self._stopped or room.game.state is GameState.FINISHED or not people(room):
            return
        for player in room.skills:
            bot = (room.code, player)
            if bot not in self._thinking and self._move(room, player) is not None:
                self._thinking.add(bot)
                self._service.registry.spawn(self._think(room, player))

    async def _think(self, room: Room, player: str) -> None:
        """Take a moment, look again, act, and see what follows from it."""
        try:
            chance = _chance(room, player, "pace", str(room.version(player)))
            await asyncio.sleep(self._pace * chance.uniform(0.5, 1.5))
            await self._act(room, player)
        except Refused as refused:
            # Another worker or a person was first, or the mix is exhausted: wait for a change.
            log.debug("a bot was refused", game=room.code, reason=str(refused.reason))
            return
        finally:
            self._thinking.discard((room.code, player))
        self.wake(room)

    async def _act(self, room: Room, player: str) -> None:
        """A joker and what is chosen with it come in one go: a second thought would show it."""
        while not self._stopped:
            command = self._move(room, player)
            if command is None:
                return
            command_id = f"bot-{room.seq}-{room.version(player)}"
            await self._service.command(room, player, command_id, command)
            if not isinstance(command, c.UseJoker):
                return

    def _move(self, room: Room, player: str) -> c.Command | None:
        """What a bot would do now."""
        game = room.game
        if player not in game.players or game.state is GameState.FINISHED:
            return None
        rng = _chance(room, player, "move", str(room.version(player)))
        return Bot(_skill(room, player), rng).act(
            views.snapshot(game),
            views.viewer(game, player),
            _hearing(room, player),
            waiting_for=_waiting_for(room),
        )


def people(room: Room) -> set[str]:
    """People who are there, or were a moment ago."""
    now = time.monotonic()
    lately = {player for player, at in room.seen.items() if now - at < PATIENCE}
    there = set(room.connected()) | lately
    return {player for player in there if player in room.game.players} - set(room.skills)


def _waiting_for(room: Room) -> set[str]:
    """Whose guesses a bot that leads waits for: nobody's but bots' once they had time enough."""
    bots, round_ = set(room.skills), room.game.round
    performance = round_.performance if round_ else None
    deadline = performance.deadline if performance else None
    quiet = time.monotonic() - room.stirred
    if patience.seconds_left(deadline, now_ms(), quiet) <= 0:
        return bots
    return people(room) | bots


def _chance(room: Room, player: str, *about: str) -> Random:
    return Random(room.keys.seed("bot", room.code, player, *about))


def _skill(room: Room, player: str) -> Skill:
    return SKILLS.get(room.skills[player], SKILLS[DEFAULT_SKILL])


def _hearing(room: Room, player: str) -> Hearing | None:
    """What this bot makes of the song: the same every time it is asked about it."""
    round_ = room.game.round
    if round_ is None or round_.performance is None:
        return None
    performance = round_.performance
    rng = _chance(room, player, "song", str(round_.number), str(performance.number))
    return hear(performance.song, _skill(room, player), rng)
