"""Bots of the server at a table with people: when they go on, and what they give away."""

import asyncio
from pathlib import Path
from typing import Any

import pytest
from tests.live import Live, Player, serving

from varv.bots import patience
from varv.rooms.keys import Keys
from varv.rules import commands as c
from varv.stores.memory import MemoryStore
from varv.web import bots


async def test_bots_take_seats_and_play(live: Live) -> None:
    host = await live.create("oracle")
    path = f"/api/v1/games/{host.code}/bots"
    assert (await live.post(path, {"count": 0}, host.token)).status_code == 422
    assert (await live.post(path, {"count": 1, "skill": "god"}, host.token)).status_code == 422
    assert (await live.post(path, {"count": "1"}, host.token)).status_code == 400
    assert (await live.post(path, {"count": 1})).status_code == 401
    guest = await live.join(host.code, "Bo")
    assert (await live.post(path, {"count": 1}, guest.token)).json()["reason"] == "HOST_ONLY"
    made = await live.post(path, {"count": 2, "skill": "expert"}, host.token)
    assert made.status_code == 201
    assert made.json()["players"] == ["p3", "p4"]
    full = await live.post(path, {"count": 9}, host.token)
    assert full.json()["reason"] == "TOO_MANY_PLAYERS"
    await host.connect()
    await host.sees(lambda s: all(p["start_year"] for p in s["players"] if p["bot"]))
    await host.until(lambda: host.presence == ["p1", "p3", "p4"])
    link = await live.post(f"/api/v1/games/{host.code}/players/p3/rejoin-link", token=host.token)
    assert (link.status_code, link.json()["reason"]) == (409, "SEAT_OF_A_BOT")


async def test_one_person_plays_a_whole_lap_with_bots(live: Live) -> None:
    host = await live.create("dj")
    await live.post(f"/api/v1/games/{host.code}/bots", {"count": 3}, host.token)
    await host.connect()
    await host.do("set_start_year", year=1990)
    await host.sees(lambda s: all(p["start_year"] for p in s["players"]))
    await host.do("start_game")
    for turn in range(4):
        if turn == 0:
            await host.do("start_round")
        await host.sees(lambda s: s["round"]["state"] == "GUESSING")
        round_ = host.snapshot["round"]
        others = [p for p in round_["submitted"] if p != "p1"]
        await host.sees(
            lambda s, o=others: all(len(s["round"]["submitted"][p]) == 3 for p in o)  # type: ignore[misc]
        )
        # A bot that leads waits for the person who is connected.
        assert host.snapshot["round"]["state"] == "GUESSING"
        for part, choice in (("placement", 0), ("title", "t0"), ("artist", "a0")):
            await host.do("guess", part=part, choice=choice)
        if turn == 0:
            await host.do("lock_round")
            await host.do("reveal", to="REVEALED_TIMELINE")
            await host.do("reveal", to="REVEALED_FULL")
        await host.sees(lambda s: s["round"]["state"] == "REVEALED_FULL")
        if turn < 3:
            assert host.snapshot["round"]["number"] == turn + 1
            await host.do("next_round")
    await host.sees(lambda s: s["cycle"]["state"] == "BOUNDARY_DECISION")


async def test_bots_survive_a_restart(tmp_path: Path) -> None:
    store = MemoryStore()
    async with serving(store, tmp_path) as live:
        host = await live.create("oracle")
        await live.post(f"/api/v1/games/{host.code}/bots", {"count": 2}, host.token)
        await host.connect()
        await host.sees(lambda s: all(p["start_year"] for p in s["players"] if p["bot"]))
        await host.do("set_start_year", year=1990)
        await host.do("start_game")
    async with serving(store, tmp_path) as live:
        host.live = live
        await host.connect()
        await host.do("start_round")
        await host.sees(lambda s: all(len(s["round"]["submitted"][p]) == 3 for p in ("p2", "p3")))


async def led_by_a_bot(live: Live, edition: str, seconds: int | None) -> Player:
    """The second round, which a bot leads; the host says nothing."""
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
    await host.sees(lambda s: s["round"]["number"] == 2)
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
        terminal = "REVEALED_FULL" if edition == "dj" else "REVEALED"
        await host.sees(lambda s: s["round"]["state"] == terminal)
        states = [message for message in host.inbox if message["type"] == "state"]
        told = [state for state in states if (state["snapshot"]["round"] or {}).get("number") == 2]
        rounds = [state["snapshot"]["round"] for state in told]
        guessing = [n for n, round_ in enumerate(rounds) if round_["state"] == "GUESSING"]
        (deadline,) = {rounds[n]["deadline"] for n in guessing}
        assert told[guessing[-1] + 1]["now"] >= deadline
        assert host.snapshot["round"]["results"]["p1"]["placement"] is False


async def test_without_a_countdown_it_waits_until_nothing_happens_any_more(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with serving(MemoryStore(), tmp_path, poll_every=0.05) as live:
        host = await led_by_a_bot(live, "oracle", None)
        await host.sees(bots_are_done)
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
