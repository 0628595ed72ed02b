"""Whole games: over the WebSocket and over HTTP alone, in both editions."""

from typing import Any

import pytest
from tests.live import Live, Player, play_cycle


@pytest.mark.parametrize("edition", ["dj", "oracle"])
async def test_a_whole_game_over_the_websocket(live: Live, edition: str) -> None:
    people = await live.started(edition, 3)
    await play_cycle(people)
    await people[0].do("start_cycle")
    await play_cycle(people)
    await people[0].do("finish_game")
    for person in people:
        await person.sees(lambda s: s["state"] == "FINISHED")
        assert person.snapshot["counted_cycles"] == [1, 2]
        assert person.snapshot["ranking"] is not None
    answer = await live.get(f"/api/v1/games/{people[0].code}/history", people[1].token)
    assert answer.status_code == 200
    assert len(answer.json()["rounds"]) == 6


class Caller:
    """A player without a socket."""

    def __init__(self, live: Live, player: Player) -> None:
        self.live, self.player = live, player

    async def state(self) -> dict[str, Any]:
        return await self.player.fetch()

    async def do(self, kind: str, **fields: Any) -> int:
        self.player.state = await self.state()
        command = {"type": kind} | self.player.about(kind) | fields
        body = {"id": f"h-{next(self.player.ids)}", "command": command}
        path = f"/api/v1/games/{self.player.code}/commands"
        answer = await self.live.post(path, body, self.player.token)
        assert answer.status_code == 200, answer.text
        version: int = answer.json()["version"]
        return version


@pytest.mark.parametrize("edition", ["dj", "oracle"])
async def test_a_whole_game_over_http_alone(live: Live, edition: str) -> None:
    host = await live.create(edition)
    people = [host] + [await live.join(host.code, name) for name in ("Bo", "Cleo")]
    callers = {person.player: Caller(live, person) for person in people}
    for caller in callers.values():
        await caller.do("set_start_year", year=1985)
    first = callers["p1"]
    await first.do("start_game")
    for turn in range(3):
        state = await first.state()
        leader = callers[state["snapshot"]["round"]["leader"]]
        await leader.do("start_round")
        for caller in callers.values():
            if caller is leader and edition == "oracle":
                await caller.do("predict", difficulty="easy")
                continue
            await caller.do("guess", part="placement", choice=1)
            for part in ("title", "artist"):
                options = (await caller.state())["viewer"]["options"][part]
                await caller.do("guess", part=part, choice=options[3]["id"])
        await leader.do("lock_round")
        for to in ("REVEALED_TIMELINE", "REVEALED_FULL") if edition == "dj" else ("REVEALED",):
            await leader.do("reveal", to=to)
        if turn < 2:
            await leader.do("next_round")
    await first.do("finish_game")
    state = await callers["p3"].state()
    assert state["snapshot"]["state"] == "FINISHED"
    assert state["snapshot"]["counted_cycles"] == [1]
