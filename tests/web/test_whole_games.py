"""Whole games over the WebSocket and over HTTP alone."""

from collections.abc import AsyncIterator
from pathlib import Path

import pytest
from tests.live import Live, play_cycle, serving

from varv.stores.sqlite import SqliteStore


@pytest.fixture
async def live(tmp_path: Path) -> AsyncIterator[Live]:
    store = SqliteStore(tmp_path / "varv.db")
    await store.open()
    async with serving(store, tmp_path) as running:
        yield running
    await store.close()


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
