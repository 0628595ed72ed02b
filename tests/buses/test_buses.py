"""What every bus promises: one suite, run against memory and Redis."""

import asyncio
from collections.abc import AsyncIterator, Callable

import pytest
from redis.exceptions import RedisError
from tests.patience import PATIENCE

from varv.buses.memory import Hub, MemoryBus
from varv.buses.redis import RedisBus
from varv.rooms.ports import Bus

Make = Callable[[], Bus]


@pytest.fixture(params=["memory", "redis"])
async def make(request: pytest.FixtureRequest) -> AsyncIterator[Make]:
    hub, made = Hub(), []
    url = request.getfixturevalue("redis_url") if request.param == "redis" else ""

    def one() -> Bus:
        made.append(RedisBus(url) if url else MemoryBus(hub))
        return made[-1]

    yield one
    for bus in made:
        await bus.close()


class Ear:
    """Hears, and can be waited for."""

    def __init__(self) -> None:
        self.heard: list[tuple[str, bytes]] = []
        self.changed = asyncio.Event()

    def __call__(self, code: str, message: bytes) -> None:
        self.heard.append((code, message))
        self.changed.set()

    async def until(self, wanted: tuple[str, bytes]) -> None:
        async with asyncio.timeout(PATIENCE):
            while wanted not in self.heard:
                self.changed.clear()
                await self.changed.wait()


async def test_who_watches_a_game_hears_of_it_and_of_no_other(make: Make) -> None:
    one, other = make(), make()
    mine, theirs = Ear(), Ear()
    await one.open(mine)
    await other.open(theirs)
    await one.ping()
    await other.watch("AAAA")
    await other.watch("BBBB")
    # A subscription takes a moment: the first message is repeated until it is heard.
    async with asyncio.timeout(PATIENCE):
        while ("AAAA", b"hello") not in theirs.heard:
            await one.publish("AAAA", b"hello")
            await one.publish("CCCC", b"never")
            await asyncio.sleep(0.02)
    await one.publish("BBBB", b"2")
    await theirs.until(("BBBB", b"2"))
    assert all(code != "CCCC" for code, _ in theirs.heard)
    await other.unwatch("AAAA")
    await one.publish("AAAA", b"no more")
    await one.publish("BBBB", b"3")
    await theirs.until(("BBBB", b"3"))
    assert ("AAAA", b"no more") not in theirs.heard


async def test_marks_tell_who_is_connected_where(make: Make) -> None:
    one, other = make(), make()
    await one.open(Ear())
    await other.open(Ear())
    await one.mark("AAAA", "w1", ["p1", "p2"])
    await other.mark("AAAA", "w2", ["p3"])
    assert await one.marked("AAAA") == {"w1": {"p1", "p2"}, "w2": {"p3"}}
    await one.mark("AAAA", "w1", [])
    assert await other.marked("AAAA") == {"w2": {"p3"}}
    assert await one.marked("BBBB") == {}


async def test_a_bus_that_is_away_fails_quietly_but_says_so_when_asked() -> None:
    bus = RedisBus("redis://127.0.0.1:9/0")
    await bus.open(Ear())
    await bus.watch("AAAA")
    await bus.publish("AAAA", b"lost")
    await bus.mark("AAAA", "w", ["p1"])
    assert await bus.marked("AAAA") == {}
    with pytest.raises(RedisError):
        await bus.ping()
    await bus.close()


async def test_a_worker_that_went_silent_fades(
    redis_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    bus = RedisBus(redis_url)
    await bus.open(Ear())
    await bus.mark("FADE", "w", ["p1"])
    monkeypatch.setattr("varv.buses.redis.FADES_AFTER", -1.0)
    assert await bus.marked("FADE") == {}
    await bus.close()


async def test_games_that_are_watched_while_the_first_is_asked_for_are_heard(make: Make) -> None:
    """After a restart everybody comes back at once."""
    one, other = make(), make()
    ear = Ear()
    await one.open(Ear())
    await other.open(ear)
    await one.ping()
    codes = [f"RUS{letter}" for letter in "ABCDEFGHJKMNPQRSTUVWXYZ"]

    async def watch(number: int, code: str) -> None:
        await asyncio.sleep(number * 0.002)
        await other.watch(code)

    await asyncio.gather(*(watch(number, code) for number, code in enumerate(codes)))
    async with asyncio.timeout(PATIENCE):
        while {code for code, _ in ear.heard} != set(codes):
            for code in codes:
                await one.publish(code, b"hello")
            await asyncio.sleep(0.05)


async def test_what_others_have_written_there_harms_nobody(redis_url: str) -> None:
    bus = RedisBus(redis_url)
    await bus.open(Ear())
    await bus.mark("ODDS", "w", ["p1"])
    await bus._redis.hset("varv:marks:ODDS", "stranger", b"not a mark")
    assert await bus.marked("ODDS") == {"w": {"p1"}}
    await bus.close()


async def test_a_bus_that_hangs_is_asked_only_now_and_then(monkeypatch: pytest.MonkeyPatch) -> None:
    """Every command of every game publishes: none of them must wait for a bus that is stuck."""
    monkeypatch.setattr("varv.buses.redis.TIMEOUT", 0.05)
    monkeypatch.setattr("varv.buses.redis.PAUSE", 60.0)
    asked = 0

    async def hang(reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        nonlocal asked
        asked += 1
        await reader.read()
        writer.close()

    server = await asyncio.start_server(hang, "127.0.0.1", 0)
    port = server.sockets[0].getsockname()[1]
    bus = RedisBus(f"redis://127.0.0.1:{port}/0")
    await bus.publish("AAAA", b"lost")
    before = asked
    assert before > 0
    async with asyncio.timeout(PATIENCE):
        for _ in range(1000):
            await bus.publish("AAAA", b"lost")
    assert asked == before
    await bus.close()
    server.close()
