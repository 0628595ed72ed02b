"""A server for a small machine: what rendering needs is given back."""

from pathlib import Path

from tests.patience import becomes
from tests.process import Varv


async def test_songs_that_are_rendered_leave_nothing_behind(tmp_path: Path) -> None:
    """But what renders them, which is less than half of what it takes to do so."""
    async with Varv(tmp_path / "data") as server:
        before = server.kilobytes()
        host = await server.live.create("dj", mix="demo")
        people = [host] + [await server.live.join(host.code, name) for name in ("Bo", "Cleo")]
        for person in people:
            await person.connect()
            await person.do("set_start_year", year=1990)
        await host.do("start_game")
        for _ in range(4):
            await host.do("start_round")
            await host.do("abort_round")
        # The next song may still be on its way: one is always made ahead.
        taken = server.kilobytes(most=True) - before
        await becomes(lambda: server.kilobytes() - before < taken / 2)
