"""On a fresh data folder, with no network, the demo mix plays whole games in both editions."""

import errno
import socket
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import pytest
from tests.live import Live, Player, play_cycle, serving

from varv.music.clips import MEDIA_TYPE
from varv.music.service import Music
from varv.stores.sqlite import SqliteStore
from varv.stores.sqlite_catalogue import SqliteCatalogue


@pytest.fixture
async def live(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> AsyncIterator[Live]:
    """A server with real music on a machine without a network."""
    real = socket.socket.connect

    def connect(self: socket.socket, address: Any) -> None:
        if address[0] != "127.0.0.1":
            raise OSError(errno.ENETUNREACH, "Network is unreachable")
        real(self, address)

    monkeypatch.setattr(socket.socket, "connect", connect)
    store = SqliteStore(tmp_path / "varv.db")
    await store.open()
    catalogue = SqliteCatalogue(tmp_path / "varv.db")
    music = Music(catalogue, tmp_path)
    await music.open()
    async with serving(store, tmp_path, music=music) as live:  # type: ignore[arg-type]
        yield live
    await music.close()
    await catalogue.close()
    await store.close()


@pytest.mark.rule("MUS-02", "VIEW-06")
@pytest.mark.parametrize("edition", ["dj", "oracle"])
async def test_a_whole_game_with_the_demo_mix(live: Live, edition: str) -> None:
    host = await live.create(edition, mix="demo")
    people = [host, *[await live.join(host.code, name) for name in ("Bo", "Cleo")]]
    for person in people:
        await person.connect()
        await person.do("set_start_year", year=1990)
    await host.do("start_game")
    await play_cycle(people)
    sounds = [await sound(live, person) for person in people]
    assert len([content for content in sounds if content]) == 1
    answer = host.snapshot["round"]["answer"]
    assert 1600 <= answer["year"] <= 1928
    await host.do("finish_game")
    await host.sees(lambda s: s["state"] == "FINISHED")
    history = await live.get(f"/api/v1/games/{host.code}/history", host.token)
    songs = [row["round"]["answer"]["title"] for row in history.json()["rounds"]]
    assert len(set(songs)) == len(songs) == 3


async def sound(live: Live, person: Player) -> bytes:
    """What this person's phone is given to play, if anything."""
    if person.viewer["audio"] is None:
        return b""
    answer = await live.get(person.viewer["audio"]["url"])
    assert answer.status_code == 200
    assert answer.headers["content-type"] == MEDIA_TYPE
    assert answer.headers["cache-control"] == "no-store"
    assert len(answer.content) > 400_000
    return answer.content
