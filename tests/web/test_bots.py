"""Bots of the server at a table with people: when they go on, and what they give away."""

import asyncio
from pathlib import Path
from random import Random
from typing import Any

import pytest
from tests.live import Live, Player, serving

from varv.bots import patience
from varv.rooms.keys import Keys
from varv.rules import commands as c
from varv.stores.memory import MemoryStore
from varv.web import bots


async def led_by_a_bot(live: Live, edition: str, seconds: int | None) -> Player:
    """A round in GUESSING that a bot leads, all other bots being done; the host says nothing."""
    host = await live.create(edition, options={"guess_seconds": seconds})
    await live.post(f"/api/v1/games/{host.code}/bots", {"count": 2}, host.token)
    await host.connect()
    await host.do("set_start_year", year=1990)
    await host.sees(lambda s: all(player["start_year"] for player in s["players"]))
    await host.do("start_game")
    await host.do("start_round")
    if edition == "oracle":
        await host.do("predict", difficulty="easy")
    await host.do("lock_round")
    for to in ("REVEALED_TIMELINE", "REVEALED_FULL") if edition == "dj" else ("REVEALED",):
        await host.do("reveal", to=to)
    await host.do("next_round")
    await host.sees(lambda s: s["round"]["number"] == 2 and bots_are_done(s))
    return host


def bots_are_done(snapshot: dict[str, Any]) -> bool:
    submitted = snapshot["round"]["submitted"].items()
    done = [len(parts) == 3 for player, parts in submitted if player != "p1"]
    return bool(done) and all(done)


@pytest.mark.parametrize("edition", ["dj", "oracle"])
async def test_a_bot_that_leads_goes_on_when_the_countdown_is_over(
    tmp_path: Path, edition: str
) -> None:
    async with serving(MemoryStore(), tmp_path, poll_every=0.05) as live:
        host = await led_by_a_bot(live, edition, 2)
        deadline = host.snapshot["round"]["deadline"]
        terminal = "REVEALED_FULL" if edition == "dj" else "REVEALED"
        await host.sees(lambda s: s["round"]["state"] == "LOCKED")
        assert host.state["now"] >= deadline
        await host.sees(lambda s: s["round"]["state"] == terminal)
        assert host.snapshot["round"]["results"]["p1"]["placement"] is False


async def test_without_a_countdown_it_waits_until_nothing_happens_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(MemoryStore(), tmp_path, poll_every=0.05) as live:
        host = await led_by_a_bot(live, "oracle", None)
        room = await live.services.rooms.room(host.code)
        stirred = room.stirred
        # What nobody can see is no reason to wait longer (VIEW-08).
        await host.do("use_joker", part="placement")
        assert room.stirred == stirred
        await host.do("guess", part="title", choice="t0")
        assert room.stirred > stirred
        assert host.snapshot["round"]["state"] == "GUESSING"
        monkeypatch.setattr(patience, "SILENCE", 0.0)
        await host.sees(lambda s: s["round"]["state"] == "REVEALED")


@pytest.mark.rule("VIEW-08")
async def test_a_joker_costs_a_bot_no_second_thought(monkeypatch: pytest.MonkeyPatch) -> None:
    moves = [c.UseJoker(1, 1, "placement"), c.SubmitGuess(1, 1, "placement", 0), None]
    done: list[c.Command] = []
    thoughts = 0

    class Registry:
        on_change = None

    class Service:
        registry = Registry()

        async def command(self, room: Any, player: str, name: str, command: c.Command) -> None:
            done.append(command)

    class Room:
        code, seq, keys = "K7QX", 7, Keys(b"secret")

        def version(self, player: str) -> int:
            return 7

    async def sleep(seconds: float) -> None:
        nonlocal thoughts
        thoughts += 1

    monkeypatch.setattr(asyncio, "sleep", sleep)
    made = bots.Bots(Service())  # type: ignore[arg-type]
    monkeypatch.setattr(made, "_move", lambda *_: moves.pop(0))
    monkeypatch.setattr(made, "wake", lambda _: None)
    await made._think(Room(), "p2")  # type: ignore[arg-type]
    assert (len(done), thoughts) == (2, 1)


@pytest.mark.rule("VIEW-05")
def test_what_a_bot_hears_cannot_be_worked_out_from_what_is_known() -> None:
    """Its noise is no secret to whoever knows the seed, and then neither is the year."""
    about = ("bot", "K7QX", "p2", "song", "1", "1")
    mine, other = Keys(b"one").seed(*about), Keys(b"another").seed(*about)
    assert mine == Keys(b"one").seed(*about)
    assert Random(mine).random() != Random(other).random()
