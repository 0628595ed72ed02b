"""A server for a small machine: what rendering needs is given back."""

from pathlib import Path

from tests.process import Varv


async def test_songs_that_are_rendered_leave_nothing_behind(tmp_path: Path) -> None:
    async with Varv(tmp_path / "data") as server:
        host = await server.live.create("dj", mix="demo")
        people = [host] + [await server.live.join(host.code, name) for name in ("Bo", "Cleo")]
        for person in people:
            await person.connect()
            await person.do("set_start_year", year=1990)
        await host.do("start_game")
        for _ in range(4):
            await host.do("start_round")
            assert server.kilobytes() < 165_000
            await host.do("abort_round")
