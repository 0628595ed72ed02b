"""Remote bots at a real server."""

import asyncio
from collections.abc import AsyncIterator
from pathlib import Path

import httpx
import pytest
from tests.live import Live, Player, serving
from tests.patience import PATIENCE, becomes

from varv.bots import patience
from varv.bots.remote import CannotPlay, Joined, Manner, RemoteBot, join, play, socket_address
from varv.rooms.messages import Order
from varv.rules import commands as c
from varv.stores.memory import MemoryStore

BRISK = Manner(pace=0.0, leads_on=True)


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Live]:
    store = MemoryStore()
    await store.open()
    async with serving(store, tmp_path) as running:
        yield running
    await store.close()


async def seated(live: Live, edition: str, count: int, manner: Manner = BRISK):
    """A game with a host and bots who have chosen their start years."""
    host = await live.create(edition)
    await host.connect()
    await host.do("set_start_year", year=1990)
    said: list[str] = []
    task = asyncio.create_task(play(live.url, host.code, count, manner, said.append))
    await host.sees(
        lambda s: len(s["players"]) == count + 1 and all(p["start_year"] for p in s["players"])
    )
    return host, task, said


async def lead(host: Player) -> None:
    """The host's own turn, alone: the bots have guessed once it locks."""
    await host.do("start_round")
    if host.snapshot["edition"] == "oracle":
        await host.do("predict", difficulty="easy")
    await host.sees(
        lambda s: all(
            len(parts) == 3 for player, parts in s["round"]["submitted"].items() if player != "p1"
        )
    )
    await host.do("lock_round")
    while "reveal" in host.viewer["actions"]:
        two_steps = host.snapshot["edition"] == "dj"
        first = host.snapshot["round"]["state"] == "LOCKED"
        to = ("REVEALED_TIMELINE" if first else "REVEALED_FULL") if two_steps else "REVEALED"
        await host.do("reveal", to=to)


async def guess(host: Player) -> None:
    for part in ("placement", "title", "artist"):
        await host.until(lambda: part in host.viewer["open_parts"])  # noqa: B023
        choice = 0 if part == "placement" else host.viewer["options"][part][0]["id"]
        await host.do("guess", part=part, choice=choice)


async def refusals(live: Live) -> float:
    text = (await live.get("/metrics")).text
    (line,) = (n for n in text.splitlines() if n.startswith('varv_commands_total{outcome="refused'))
    return float(line.split()[-1])


@pytest.mark.parametrize("edition", ["dj", "oracle"])
async def test_bots_play_a_whole_game(live, edition):
    host, task, said = await seated(live, edition, 3)
    await host.do("start_game")
    await lead(host)
    await host.do("next_round")
    for number in (2, 3, 4):
        await host.sees(
            lambda s: s["round"]["number"] == number and s["round"]["state"] == "GUESSING"  # noqa: B023
        )
        await guess(host)
    await host.sees(lambda s: s["cycle"]["state"] == "BOUNDARY_DECISION")
    await host.do("finish_game")
    await asyncio.wait_for(task, PATIENCE)
    assert await refusals(live) == 0
    assert len(said) == 6
    assert sum("the game is over" in line for line in said) == 3


async def test_they_leave_the_next_round_to_people_unless_told(live):
    host, task, _ = await seated(live, "oracle", 2, Manner(pace=0.0))
    await host.do("start_game")
    await lead(host)
    await host.do("next_round")
    await host.sees(lambda s: s["round"]["state"] == "GUESSING")
    await guess(host)
    await host.sees(lambda s: s["round"]["state"] == "REVEALED")
    await host.do("next_round")
    # Once the third round waits for the host alone, nobody has anything left to say.
    await host.sees(
        lambda s: s["round"]["predicted"] and len(s["round"]["submitted"].get("p2", ())) == 3
    )
    assert host.snapshot["round"]["number"] == 3
    await host.do("finish_game")
    await asyncio.wait_for(task, PATIENCE)
    assert await refusals(live) == 0  # a bot that wanted it too would have come too late


async def test_a_removed_bot_gets_up(live):
    host, task, said = await seated(live, "oracle", 1)
    await host.do("remove_player", player="p2")
    await asyncio.wait_for(task, PATIENCE)
    assert "removed" in said[-1]


async def test_a_bot_comes_back_when_its_connection_breaks(live):
    host, task, said = await seated(live, "oracle", 2)
    await host.do("start_game")
    await host.do("start_round")
    await host.do("predict", difficulty="easy")
    room = await live.services.rooms.room(host.code)
    dismissed = {viewer for viewer in room.viewers if viewer.player != host.player}
    assert len(dismissed) == 2
    for viewer in dismissed:
        viewer.dismiss("RESTARTING", 1012)
    await becomes(lambda: dismissed.isdisjoint(room.viewers))
    await becomes(lambda: len(room.viewers) == 3)
    await host.until(lambda: host.presence == ["p1", "p2", "p3"])
    await host.sees(lambda s: [len(p) for p in s["round"]["submitted"].values()] == [3, 3])
    await host.do("finish_game")
    await asyncio.wait_for(task, PATIENCE)
    assert sum("the game is over" in line for line in said) == 2


async def test_a_game_that_is_not_there(live):
    with pytest.raises(CannotPlay, match="No seat in QQQQ"):
        await play(live.url, "qqqq", 1, BRISK, print)


async def test_a_full_game_has_no_seat(live):
    host, task, _ = await seated(live, "oracle", 2)
    await host.do("start_game")
    with pytest.raises(CannotPlay, match="No seat in"):
        await play(live.url, host.code, 1, BRISK, print)
    await host.do("finish_game")
    await asyncio.wait_for(task, PATIENCE)


async def test_a_bad_token_ends_it(live):
    host = await live.create("oracle")
    bot = RemoteBot(socket_address(live.url, host.code), Joined("p9", "x" * 30), BRISK)
    assert await asyncio.wait_for(bot.play(), PATIENCE) == "its seat was taken"


async def test_joining_too_often_waits_as_told_with_the_same_key():
    keys: list[str] = []

    def answer(request: httpx.Request) -> httpx.Response:
        keys.append(request.headers["Idempotency-Key"])
        if len(keys) == 1:
            return httpx.Response(429, headers={"Retry-After": "0"})
        return httpx.Response(201, json={"player": "p2", "token": "t"})

    transport = httpx.MockTransport(answer)
    async with httpx.AsyncClient(base_url="http://x", transport=transport) as client:
        assert await join(client, "K7QX", "Oboe") == Joined("p2", "t")
    assert len(keys) == 2 and len(set(keys)) == 1


def test_where_the_socket_is():
    assert socket_address("https://x.example/varv/", "K7QX") == (
        "wss://x.example/varv/api/v1/games/K7QX/ws"
    )


@pytest.mark.rule("VIEW-06")
async def test_when_such_a_bot_should_play_the_song_the_hosts_device_does(live):
    host, task, _ = await seated(live, "dj", 2)
    assert [player["bot"] for player in host.snapshot["players"]] == [False, True, True]
    await host.do("start_game")
    await lead(host)
    await host.do("next_round")
    await host.sees(lambda s: s["round"]["state"] == "GUESSING" and s["round"]["number"] == 2)
    assert host.snapshot["round"]["leader"] == "p2"
    assert host.viewer["plays_audio"]
    assert (await live.get(host.viewer["audio"]["url"])).status_code == 200
    await host.do("play")
    await host.do("finish_game")
    await asyncio.wait_for(task, PATIENCE)
    # They have got up, so no seat is kept for them.
    again = await live.post(f"/api/v1/games/{host.code}/again", token=host.token)
    code, token = again.json()["code"], again.json()["token"]
    state = (await live.get(f"/api/v1/games/{code}/state", token)).json()
    assert [player["name"] for player in state["snapshot"]["players"]] == ["Maja"]


@pytest.mark.parametrize("seconds", [1, None])
async def test_it_leads_on_when_there_has_been_time_enough(live, monkeypatch, seconds):
    if seconds is None:
        monkeypatch.setattr(patience, "SILENCE", 0.5)
    host, task, _ = await seated(live, "oracle", 2)
    await host.do("configure", options={"guess_seconds": seconds})
    await host.do("start_game")
    await lead(host)
    await host.do("next_round")
    await host.sees(lambda s: s["round"]["number"] == 2 and s["round"]["state"] == "REVEALED")
    assert host.snapshot["round"]["results"]["p1"]["placement"] is False
    await host.do("finish_game")
    await asyncio.wait_for(task, PATIENCE)


async def test_told_to_stop_it_stops_though_it_is_being_spoken_to(live):
    """Ctrl-C at the moment at which a message arrives."""
    host = await live.create("oracle")
    joined = await live.join(host.code, "Oboe")
    bot = RemoteBot(
        socket_address(live.url, host.code), Joined(joined.player, joined.token), Manner(pace=60.0)
    )

    bot._order = Order("x", c.StartGame())  # it waits for an answer, with a time-out

    class Socket:
        """One that is always just receiving something."""

        async def send(self, _: str) -> None:
            pass

        async def recv(self) -> str:
            heard = asyncio.get_running_loop().create_future()
            asyncio.get_running_loop().call_soon(heard.set_result, '{"type":"pong"}')
            asyncio.get_running_loop().call_soon(task.cancel)
            return await heard

    task = asyncio.create_task(bot._converse(Socket()))
    with pytest.raises(asyncio.CancelledError):
        await asyncio.wait_for(asyncio.shield(task), PATIENCE)
