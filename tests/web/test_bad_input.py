"""What only somebody with bad intentions sends: refused in words, and no traceback in the log."""

import asyncio
import contextlib
import itertools
import json
import logging
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
import structlog
import websockets
from msgspec import structs
from tests.live import SETTINGS, Live, deaf, serving
from tests.patience import PATIENCE, becomes

from varv.stores.memory import MemoryStore
from varv.web.limits import RATES, Rate
from varv.web.problems import STATUS

BAD_ORIGINS = ["http://[::1", "http://[zz]", "https://evil.example", "null", "x", "//"]


@pytest.fixture(autouse=True)
def nothing_is_logged(caplog: pytest.LogCaptureFixture) -> Iterator[None]:
    """It is not our mistake, so it is no error of ours."""
    with structlog.testing.capture_logs() as entries, caplog.at_level(logging.WARNING):
        yield
    assert [entry for entry in entries if entry["log_level"] in ("warning", "error")] == []
    assert [record for record in caplog.records if record.name.startswith("uvicorn")] == []


@pytest.mark.parametrize("body", [b"\xff", b'{"name":"\xff\xfe"}', b'{"name":"\xed\xa0\x80"}'])
async def test_a_body_that_is_no_utf8_is_malformed(live: Live, body: bytes) -> None:
    host = await live.create()
    answer = await live.post(f"/api/v1/games/{host.code}/players", body)
    assert (answer.status_code, answer.json()["reason"]) == (400, "MALFORMED")
    # The connection is as good as before.
    assert (await live.get("/healthz")).status_code == 200


@pytest.mark.parametrize("origin", BAD_ORIGINS)
async def test_no_other_site_may_post_anything(live: Live, origin: str) -> None:
    host = await live.create()
    game = f"/api/v1/games/{host.code}"
    year = {"id": "a", "command": {"type": "set_start_year", "year": 1990}}
    calls: list[tuple[str, Any]] = [
        ("/api/v1/games", {"edition": "dj", "mix": "party", "name": "Maja"}),
        (f"{game}/players", {"name": "Bo"}),
        (f"{game}/commands", year),
        (f"{game}/players/p1/rejoin-link", None),
        (f"{game}/rejoin", {"ticket": "x"}),
        (f"{game}/bots", {"count": 1}),
        (f"{game}/again", None),
        (f"{game}/flags", {"round": 1}),
        (f"{game}/screens", None),
    ]
    before = await host.fetch()
    for path, body in calls:
        answer = await live.post(path, body, host.token, Origin=origin)
        assert (answer.status_code, answer.json()["reason"]) == (403, "ORIGIN_REFUSED"), path
    after = await host.fetch()
    assert (after["version"], after["snapshot"]) == (before["version"], before["snapshot"])


@pytest.mark.parametrize("origin", BAD_ORIGINS)
async def test_no_other_site_may_open_a_socket(live: Live, origin: str) -> None:
    host = await live.create()
    with pytest.raises(websockets.InvalidStatus) as refused:
        await websockets.connect(host.address, additional_headers={"Origin": origin})
    assert refused.value.response.status_code == 403


async def test_our_own_site_may(live: Live) -> None:
    new = {"edition": "dj", "mix": "party", "name": "Maja"}
    assert (await live.post("/api/v1/games", new, Origin=live.url)).status_code == 201
    host, headers = await live.create(), {"Origin": live.url}
    async with websockets.connect(host.address, additional_headers=headers) as socket:
        await socket.send(json.dumps({"type": "hello", "token": host.token}))
        assert json.loads(await socket.recv())["type"] == "state"


async def test_a_host_name_that_no_code_could_hold(live: Live) -> None:
    host = await live.create()
    answer = await live.get(f"/api/v1/games/{host.code}/qr.svg", Host="a" * 5000)
    assert (answer.status_code, answer.headers["content-type"]) == (200, "image/svg+xml")


@pytest.mark.parametrize(
    "name", ["a" * 300, "a" * 5000, "%00", "..%00", "%ff"], ids=lambda name: name[:9]
)
@pytest.mark.parametrize("folder", ["/", "/assets/", "/g/X/", "/api/v1/"])
async def test_names_of_files_that_there_cannot_be(live: Live, folder: str, name: str) -> None:
    answer = await live.get(folder + name)
    assert (answer.status_code, answer.json()["code"]) == (404, "not_found")


@pytest.mark.parametrize(
    ("digits", "told"),
    [
        (20, ("invalid", "invalid", "conflict")),
        (400, ("invalid", "invalid", "conflict")),
        # Longer than what Python reads as a number.
        (6000, ("malformed", "malformed", "malformed")),
    ],
)
async def test_numbers_beyond_all_bounds(
    live: Live, digits: int, told: tuple[str, str, str]
) -> None:
    host = await (await live.create()).connect()
    number = "9" * digits
    command = f'{{"type":"set_start_year","year":{number}}}'
    bodies = {
        "commands": f'{{"id":"x","command":{command}}}',
        "bots": f'{{"count":{number}}}',
        "flags": f'{{"round":{number}}}',
    }
    answers = [
        await live.post(f"/api/v1/games/{host.code}/{path}", body.encode(), host.token)
        for path, body in bodies.items()
    ]
    assert tuple(answer.json()["code"] for answer in answers) == told
    assert [answer.status_code for answer in answers] == [STATUS[code] for code in told]
    await host.send(f'{{"type":"command","id":"x","command":{command}}}')
    assert (await host.message(type="refused"))["code"] == told[0]


async def test_silent_sockets_are_counted_too(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever opens sockets and says nothing is turned away before they have said it."""
    monkeypatch.setitem(RATES, "connect", Rate(5, 0.001))
    settings = structs.replace(SETTINGS, limits="default")
    async with serving(MemoryStore(), tmp_path, settings=settings) as live:
        host = await live.create()
        silent = [await websockets.connect(host.address) for _ in range(5)]
        async with websockets.connect(host.address) as one_more:
            refused = json.loads(await asyncio.wait_for(one_more.recv(), PATIENCE))
            assert refused["reason"] == "TOO_OFTEN"
            with pytest.raises(websockets.ConnectionClosed):
                await one_more.recv()
            assert one_more.close_code == 1008
        for socket in silent:
            await socket.close()


async def test_addresses_are_believed_from_a_proxy_on_this_machine_only(tmp_path: Path) -> None:
    """Whoever guesses codes cannot get a fresh allowance by naming another address."""
    settings = structs.replace(SETTINGS, limits="default")
    async with serving(MemoryStore(), tmp_path, settings=settings) as live:
        forwarded = [
            (await live.get("/api/v1/games/ZZZZ", X_Forwarded_For=f"10.0.0.{n}")).status_code
            for n in range(30)
        ]
        assert forwarded == [404] * 30
        one = [
            (await live.get("/api/v1/games/ZZZZ", X_Forwarded_For="10.9.9.9")).status_code
            for _ in range(30)
        ]
        assert one[0] == 404 and one[-1] == 429


@pytest.mark.rule("VIEW-08")
async def test_figures_are_for_whoever_is_at_the_machine(tmp_path: Path) -> None:
    """A count of commands would tell a player that somebody uses a joker."""
    async with serving(MemoryStore(), tmp_path) as live:
        assert (await live.get("/metrics")).status_code == 200
        phone = await live.get("/metrics", X_Forwarded_For="192.168.1.20")
        assert (phone.status_code, phone.json()["reason"]) == (404, "PATH_UNKNOWN")
    settings = structs.replace(SETTINGS, metrics="open")
    async with serving(MemoryStore(), tmp_path, settings=settings) as live:
        assert (await live.get("/metrics", X_Forwarded_For="192.168.1.20")).status_code == 200


async def test_a_flood_below_the_level_of_messages_ends_the_socket(live: Live) -> None:
    """Pings are answered before anyone counts messages; pieces of one are kept until the last."""
    other = await (await live.create()).connect()
    for pieces in (False, True):
        host = await (await live.create()).connect()
        assert host.socket is not None
        with contextlib.suppress(websockets.ConnectionClosed):
            if pieces:
                await host.socket.send(itertools.repeat("", 400))
            for _ in range(400):
                await host.socket.ping()
        await host.until(lambda p=host: p.closed is not None)  # type: ignore[misc]
        assert host.closed == 1008
    await other.send({"type": "ping"})
    await other.message(type="pong")


async def test_a_flood_from_somebody_who_does_not_read_is_cut_off(live: Live) -> None:
    host = await (await live.create()).connect()
    guest = await live.join(host.code, "Bo")
    connection = await deaf(live, host.code, guest.token)
    ping = bytes([0x89, 0x80 | 125]) + bytes(4) + b"x" * 125

    async def flood() -> None:
        while True:
            await asyncio.get_running_loop().sock_sendall(connection, ping * 100)

    with connection, pytest.raises((ConnectionResetError, BrokenPipeError)):
        await asyncio.wait_for(flood(), PATIENCE)
    await host.until(lambda: host.presence == ["p1"])


@pytest.mark.parametrize(
    "raw",
    [
        b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nContent-Length: 4000\r\n\r\n{",
        b"POST /api/v1/games HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n1\r\n{\r\n",
    ],
    ids=["length", "chunked"],
)
async def test_somebody_who_is_gone_in_the_middle_of_a_request(live: Live, raw: bytes) -> None:
    host, _, port = live.url.removeprefix("http://").partition(":")
    _, writer = await asyncio.open_connection(host, int(port))
    writer.write(raw)
    await writer.drain()
    writer.close()
    await writer.wait_closed()

    async def counted() -> bool:
        return 'route="/api/v1/games",status="400"' in (await live.get("/metrics")).text

    await becomes(counted)
