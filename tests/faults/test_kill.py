"""`kill -9` in the middle of play: nothing acknowledged is lost, nothing happens twice."""

import asyncio
import random
import sqlite3
import statistics
from pathlib import Path

import msgspec
import pytest
import websockets
from tests.live import Gone, Player
from tests.patience import PATIENCE
from tests.process import Varv

KILLS = 20


class Enough:
    """Says when so many commands have been sent."""

    def __init__(self) -> None:
        self.left = 0
        self.reached = asyncio.Event()

    def after(self, commands: int) -> None:
        self.left = commands
        self.reached.clear()

    def count(self) -> None:
        self.left -= 1
        if self.left <= 0:
            self.reached.set()


class Restless:
    """Keeps changing its mind, and remembers what was acknowledged."""

    def __init__(self, player: Player, enough: "Enough") -> None:
        self.player, self.enough = player, enough
        self.sent = 0
        self.acked: dict[str, int] = {}
        self.pending: tuple[str, int] | None = None
        self.choice: int | None = None

    async def run(self) -> None:
        """Until the connection is lost. What was not acknowledged is sent again, unchanged."""
        try:
            await self.player.connect()
            while self.player.closed is None:
                if self.pending is None:
                    self.sent += 1
                    self.enough.count()
                    self.pending = (f"m-{self.sent}", self.sent % 2)
                command_id, choice = self.pending
                answer = await self.player.say("guess", command_id, part="placement", choice=choice)
                assert answer["type"] == "ack", answer
                assert self.acked.setdefault(command_id, answer["version"]) == answer["version"]
                self.choice, self.pending = choice, None
        except (OSError, Gone, websockets.WebSocketException):
            pass


@pytest.mark.rule("GAME-22")
async def test_twenty_kills_lose_and_repeat_nothing(tmp_path: Path) -> None:
    rng = random.Random(1)
    server = Varv(tmp_path / "data").start()
    live = server.live
    host = await live.create("oracle", mix="demo")
    people = [host] + [await live.join(host.code, name) for name in ("Bo", "Cleo", "Dag")]
    for person in people:
        await person.connect()
        await person.do("set_start_year", year=1990)
    await host.do("start_game")
    await host.do("start_round")
    enough = Enough()
    guessers = [Restless(person, enough) for person in people[1:]]
    for _ in range(KILLS):
        enough.after(rng.randint(5, 60))
        running = [asyncio.create_task(guesser.run()) for guesser in guessers]
        async with asyncio.timeout(PATIENCE):
            await enough.reached.wait()
        server.kill()
        await asyncio.gather(*running)
        server.start()
        # Every acknowledged command is known, with the version it was acknowledged with.
        with sqlite3.connect(server.data / "varv.db") as database:
            rows = database.execute("SELECT actor, id, version FROM commands").fetchall()
        stored = {(actor, command_id): version for actor, command_id, version in rows}
        for guesser in guessers:
            for command_id, version in guesser.acked.items():
                assert stored[guesser.player.player, command_id] == version
    for guesser in guessers:
        await guesser.player.connect()
        if guesser.pending is not None:
            command_id, guesser.choice = guesser.pending
            answer = await guesser.player.say(
                "guess", command_id, part="placement", choice=guesser.choice
            )
            guesser.acked[command_id] = answer["version"]
        assert guesser.player.viewer["guess"]["placement"] == guesser.choice
    await server.close()
    # Every command changed something, so each must have left exactly one event.
    with sqlite3.connect(server.data / "varv.db") as database:
        rows = database.execute("SELECT data FROM events WHERE name = 'guess_submitted'").fetchall()
    told = [msgspec.json.decode(data)["player"] for (data,) in rows]
    assert sum(len(guesser.acked) for guesser in guessers) > KILLS
    for guesser in guessers:
        assert told.count(guesser.player.player) == len(guesser.acked) == guesser.sent


async def test_a_dropped_client_is_back_with_the_whole_state_in_no_time(tmp_path: Path) -> None:
    """Well under a second; now and then a busy machine takes longer for anything at all."""
    async with Varv(tmp_path / "data") as server:
        host = await server.live.create("dj", mix="demo")
        people = [host] + [await server.live.join(host.code, n) for n in ("Bo", "Cleo")]
        for person in people:
            await person.connect()
            await person.do("set_start_year", year=1990)
        await host.do("start_game")
        await host.do("start_round")
        loop = asyncio.get_running_loop()
        took = []
        for _ in range(10):
            assert people[1].socket is not None
            people[1].socket.transport.abort()
            await people[1].until(lambda: people[1].closed is not None)
            started = loop.time()
            await people[1].connect()
            took.append(loop.time() - started)
            assert people[1].snapshot["round"]["state"] == "GUESSING"
        assert statistics.median(took) < 1, took
