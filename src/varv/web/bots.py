"""Bots in live games: they act through the same room as people, a little slower than they could.

A bot has no memory: its chance follows from the game, the player and what it sees, so it can be
put back in its seat after a restart, and two workers that move it do the same thing once.
"""

import asyncio
import time
from random import Random

import structlog

from varv.bots.hearing import Hearing, hear
from varv.bots.player import Bot
from varv.bots.skills import DEFAULT_SKILL, SKILLS
from varv.rooms.reasons import Refused
from varv.rooms.room import Room
from varv.rooms.service import RoomService
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
        self._awake: set[str] = set()
        self._stopped = False
        service.registry.on_change = self.wake

    def stop(self) -> None:
        """No more moves."""
        self._stopped = True

    def wake(self, room: Room) -> None:
        """Something changed: somebody may have to move."""
        if room.code not in self._awake and not self._stopped:
            self._awake.add(room.code)
            self._service.registry.spawn(self._play(room))

    async def _play(self, room: Room) -> None:
        """Until no bot has anything to do, or no person is there to see it."""
        try:
            while not self._stopped:
                moves = self._moves(room) if people(room) else []
                if not moves:
                    return
                player, command = moves[0]
                chance = Random(f"{room.code} {player} {room.version(player)}")
                await asyncio.sleep(self._pace * chance.uniform(0.5, 1.5))
                # People may have acted in the meantime.
                if (player, command) in self._moves(room) and not await self._move(
                    room, player, command
                ):
                    return
        finally:
            self._awake.discard(room.code)

    def _moves(self, room: Room) -> list[tuple[str, c.Command]]:
        """What the bots would do now, in join order; guesses before ceremony."""
        game = room.game
        if game.state is GameState.FINISHED:
            return []
        snapshot = views.snapshot(game)
        waiting_for = people(room) | set(room.skills)
        moves = []
        for player, skill_name in room.skills.items():
            if player not in game.players:
                continue
            viewer = views.viewer(game, player)
            skill = SKILLS.get(skill_name, SKILLS[DEFAULT_SKILL])
            rng = Random(f"{room.code} {player} {room.version(player)}")
            bot = Bot(skill, rng)
            command = bot.act(snapshot, viewer, _hearing(room, player), waiting_for=waiting_for)
            if command is not None:
                moves.append((player, command))
        return moves

    async def _move(self, room: Room, player: str, command: c.Command) -> bool:
        command_id = f"bot-{room.seq}-{room.version(player)}"
        try:
            await self._service.command(room, player, command_id, command)
        except Refused as refused:
            # Another worker or a person was first, or the mix is exhausted: wait for a change.
            log.info("a bot was refused", game=room.code, reason=str(refused.reason))
            return False
        return True


def people(room: Room) -> set[str]:
    """People who are there, or were a moment ago."""
    now = time.monotonic()
    lately = {player for player, at in room.seen.items() if now - at < PATIENCE}
    there = set(room.connected()) | lately
    return {player for player in there if player in room.game.players} - set(room.skills)


def _hearing(room: Room, player: str) -> Hearing | None:
    """What this bot makes of the song: the same every time it is asked about it."""
    round_ = room.game.round
    if round_ is None or round_.performance is None:
        return None
    performance = round_.performance
    rng = Random(f"{room.code} {player} {round_.number} {performance.number}")
    skill = SKILLS.get(room.skills[player], SKILLS[DEFAULT_SKILL])
    return hear(performance.song, skill, rng)
