"""Several worker processes over PostgreSQL and Redis: any worker serves any player."""

import asyncio
import re
from collections.abc import AsyncIterator, Iterator
from contextlib import ExitStack
from pathlib import Path
from typing import NamedTuple

import asyncpg
import pytest
from tests.live import Live, Player, play_cycle
from tests.patience import becomes
from tests.process import Varv, varv
from tests.services import free_port, start_redis


class Worker(NamedTuple):
    """A worker process, and a way to talk to it."""

    process: Varv
    live: Live


@pytest.fixture(scope="module")
def database(postgres_url: str, tmp_path_factory: pytest.TempPathFactory) -> str:
    """A database of this module's own, up to date."""
    _run(postgres_url, "DROP DATABASE IF EXISTS workers")
    _run(postgres_url, "CREATE DATABASE workers")
    url = postgres_url.rpartition("/")[0] + "/workers"
    done = varv("migrate", "--store", url, data=tmp_path_factory.mktemp("data"))
    assert done.returncode == 0, done.stderr
    return url


def _run(url: str, sql: str) -> None:
    async def run() -> None:
        connection = await asyncpg.connect(url)
        await connection.execute(sql)
        await connection.close()

    asyncio.run(run())


@pytest.fixture(scope="module")
def processes(
    database: str, redis_url: str, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[tuple[Varv, Varv]]:
    """Two workers, each on a port of its own so that the test chooses who sits where."""
    folder = tmp_path_factory.mktemp("workers")
    options = ("--store", database, "--bus", redis_url)
    # In one folder, so that the sound is prepared once for both.
    with ExitStack() as running:
        pair = []
        for _ in range(2):
            pair.append(Varv(folder, *options).start())
            running.callback(pair[-1].end)
        yield pair[0], pair[1]


@pytest.fixture
async def workers(processes: tuple[Varv, Varv]) -> AsyncIterator[tuple[Worker, Worker]]:
    one, other = (Worker(process, process.talk()) for process in processes)
    yield one, other
    await one.live.close()
    await other.live.close()


async def seated(one: Worker | Varv, other: Worker | Varv, edition: str) -> list[Player]:
    """A game in progress whose players sit on both workers in turn."""
    host = await one.live.create(edition, mix="demo")
    people = [host] + [await one.live.join(host.code, name) for name in ("Bo", "Cleo", "Dag")]
    for number, person in enumerate(people):
        person.live = (one, other)[number % 2].live
        await person.connect()
        await person.do("set_start_year", year=1990)
    await host.do("start_game")
    for person in people:
        await person.sees(lambda s: s["state"] == "IN_PROGRESS")
    return people


@pytest.mark.parametrize("edition", ["dj", "oracle"])
async def test_a_whole_game_across_two_workers(
    workers: tuple[Worker, Worker], edition: str
) -> None:
    people = await seated(*workers, edition)
    for person in people:
        await person.until(lambda p=person: p.presence == ["p1", "p2", "p3", "p4"])  # type: ignore[misc]
    await play_cycle(people)
    await people[0].do("finish_game")
    for person in people:
        await person.sees(lambda s: s["state"] == "FINISHED")
        assert person.snapshot["counted_cycles"] == [1]
    await people[1].disconnect()
    await people[0].until(lambda: people[0].presence == ["p1", "p3", "p4"])


async def test_seats_tickets_and_sound_work_on_either_worker(
    workers: tuple[Worker, Worker],
) -> None:
    one, other = workers
    people = await seated(one, other, "dj")
    dj, bo = people[:2]
    await dj.do("start_round")
    url = dj.viewer["audio"]["url"]
    assert (await other.live.get(url)).status_code == 200
    await dj.do("play")
    await bo.message(type="playing", playing=True)
    path = f"/api/v1/games/{dj.code}/players/p2/rejoin-link"
    link = (await one.live.post(path, token=dj.token)).json()["link"]
    ticket = link.partition("#")[2]
    used = await one.live.post(f"/api/v1/games/{dj.code}/rejoin", {"ticket": ticket})
    assert used.status_code == 200
    await people[3].message(type="notice", kind="REJOINED", player="p2")
    await bo.until(lambda: bo.closed is not None)
    assert bo.closed == 4401
    state = f"/api/v1/games/{dj.code}/state"
    for worker in workers:
        assert (await worker.live.get(state, bo.token)).status_code == 401
        assert (await worker.live.get(state, used.json()["token"])).status_code == 200


async def test_thousands_of_simultaneous_commands_come_to_one_order(
    workers: tuple[Worker, Worker], database: str
) -> None:
    people = await seated(*workers, "oracle")
    oracle, left, right = people[0], people[1], people[2]
    assert left.live is not right.live
    await oracle.do("start_round")
    steps = 1000

    async def restless(player: Player) -> None:
        await player.sees(lambda s: s["round"]["state"] == "GUESSING")
        for n in range(steps):
            answer = await player.say("guess", part="placement", choice=n % 2)
            assert answer["type"] == "ack", answer
            player.inbox.clear()

    await asyncio.gather(restless(left), restless(right))
    await asyncio.gather(*(p.do("guess", part="placement", choice=None) for p in (left, right)))
    for person in people:
        await person.sees(
            lambda s: s["round"]["submitted"]["p2"] == s["round"]["submitted"]["p3"] == []
        )
    fetched = [await person.fetch() for person in people]
    assert len({str(state["snapshot"]) for state in fetched}) == 1
    connection = await asyncpg.connect(database)
    rows = await connection.fetch(
        "SELECT seq, name FROM events WHERE code = $1 ORDER BY seq", oracle.code
    )
    await connection.close()
    assert [row["seq"] for row in rows] == list(range(1, len(rows) + 1))
    assert sum(row["name"] == "guess_submitted" for row in rows) == 2 * steps


async def test_the_same_command_sent_to_both_workers_counts_once(
    workers: tuple[Worker, Worker],
) -> None:
    one, other = workers
    people = await seated(one, other, "oracle")
    await people[0].do("start_round")
    bo = people[1]
    await bo.sees(lambda s: s["round"]["state"] == "GUESSING")
    guess = {"type": "guess", "round": 1, "performance": 1, "part": "placement", "choice": 1}
    path = f"/api/v1/games/{bo.code}/commands"
    for n in range(30):
        body = {"id": f"x-{n}", "command": guess | {"choice": n % 2}}
        answers = await asyncio.gather(
            one.live.post(path, body, bo.token), other.live.post(path, body, bo.token)
        )
        assert [answer.status_code for answer in answers] == [200, 200]
        assert answers[0].json() == answers[1].json()


async def test_losing_the_bus_delays_but_never_loses(database: str, tmp_path: Path) -> None:
    port = free_port()
    redis = start_redis(port)
    options = ("--store", database, "--bus", f"redis://127.0.0.1:{port}/0")
    try:
        async with Varv(tmp_path / "one", *options) as one, Varv(tmp_path / "o", *options) as other:
            people = await seated(one, other, "oracle")
            redis.kill()
            redis.wait()
            await people[0].do("start_round")
            for person in people:
                await person.sees(lambda s: s["round"]["state"] == "GUESSING")
            assert (await one.live.get("/readyz")).status_code == 503
            await people[1].do("guess", part="placement", choice=0)
            await people[2].sees(lambda s: s["round"]["submitted"]["p2"] == ["placement"])
            redis = start_redis(port)

            async def ready() -> bool:
                return (await one.live.get("/readyz")).status_code == 200

            await becomes(ready)
            await people[1].do("guess", part="placement", choice=None)
            await people[2].sees(lambda s: s["round"]["submitted"]["p2"] == [])
    finally:
        redis.kill()
        redis.wait()


async def figure_becomes(server: Varv, name: str, *wanted: float) -> None:
    """Wait until a figure is one of these."""

    async def there() -> bool:
        text = (await server.live.get("/metrics")).text
        found = re.search(rf"^{name} (\S+)$", text, re.MULTILINE)
        return found is not None and float(found[1]) in wanted

    await becomes(there)


async def test_workers_of_one_server_share_a_port(
    database: str, redis_url: str, tmp_path: Path
) -> None:
    options = ("--store", database, "--bus", redis_url, "--workers", "2")
    async with Varv(tmp_path / "both", *options) as server:
        people = await seated(server, server, "dj")
        await play_cycle(people)
        # Whichever worker is asked tells of all of them; the players may sit on one or on both.
        await figure_becomes(server, "varv_sockets", 4.0)
        await figure_becomes(server, "varv_rooms", 1.0, 2.0)
        assert await server.stop() == 0
        for person in people:
            await person.until(lambda p=person: p.closed is not None)  # type: ignore[misc]
            assert person.inbox[-1] == {"type": "bye", "reason": "RESTARTING"}


def test_an_old_database_is_refused_with_one_clear_line(postgres_url: str, tmp_path: Path) -> None:
    _run(postgres_url, "DROP DATABASE IF EXISTS old")
    _run(postgres_url, "CREATE DATABASE old")
    url = postgres_url.rpartition("/")[0] + "/old"
    refused = varv("serve", "--store", url, "--port", str(free_port()), data=tmp_path)
    assert refused.returncode == 1
    assert refused.stderr.strip().endswith("run `varv migrate` first.")
    assert "Traceback" not in refused.stderr
