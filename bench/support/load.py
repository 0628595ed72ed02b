"""Eight people at each of many tables, in one process of their own: the load on a server.

Every command is one that everybody at the table can see (a part submitted or withdrawn), so each
leads to eight state messages. Run by bench/rooms.py; prints one JSON document.
"""

import argparse
import asyncio
import json
import sys
import time
from typing import Any

import httpx
import picows
import uvloop

SEATS = 8
STATE = b'{"type":"state"'
REFUSED = b'{"type":"refused"'


class Seat(picows.WSListener):
    """One connection."""

    def __init__(self, table: "Table", player: str) -> None:
        self.table, self.player = table, player
        self.transport: Any = None
        self.states = 0
        self.refused: bytes | None = None
        self.last = b""
        self.changed = asyncio.Event()

    def on_ws_connected(self, transport: Any) -> None:
        self.transport = transport

    def on_ws_frame(self, transport: Any, frame: Any) -> None:
        if frame.msg_type != picows.WSMsgType.TEXT:
            return
        payload = frame.get_payload_as_memoryview()
        if payload[:15] == STATE:
            self.states += 1
            if not self.table.running:
                self.last = bytes(payload)
            self.table.arrived()
        elif payload[:17] == REFUSED:
            self.refused = bytes(payload)
            print(self.refused.decode(), file=sys.stderr)
        self.changed.set()

    def say(self, message: dict[str, Any]) -> None:
        self.transport.send(picows.WSMsgType.TEXT, json.dumps(message).encode())

    async def until_state(self, count: int) -> None:
        async with asyncio.timeout(60):
            while self.states < count:
                self.changed.clear()
                await self.changed.wait()


class Table:
    """Eight seats; when all have the last state, the next command is due."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.seats: list[Seat] = []
        self.running = False
        self.waiting = 0
        self.sent_at = 0.0
        self.turn = -1
        self.latencies: list[float] = []
        self.closed_loop = True
        self.done: asyncio.Event | None = None
        self.queue: list[float] = []

    def arrived(self) -> None:
        if not self.running:
            return
        self.waiting -= 1
        if self.waiting:
            return
        now = time.perf_counter()
        self.latencies.append(now - self.sent_at)
        if self.closed_loop:
            self.next(now)
        elif self.queue:
            self.next(self.queue.pop(0))

    def due(self, at: float) -> None:
        """Open loop: a command is due now, whatever became of the last one."""
        if self.waiting > 0:
            self.queue.append(at)
        else:
            self.next(at)

    def next(self, at: float) -> None:
        self.sent_at, self.waiting = at, SEATS
        self.turn += 1
        seat = self.seats[1 + self.turn // 2 % (SEATS - 1)]
        choice = 0 if self.turn % 2 == 0 else None
        command = (
            b'{"type":"command","id":"t-%d","command":{"type":"guess","round":1,"performance":1,'
            b'"part":"placement","choice":%s}}'
        ) % (self.turn, b"0" if choice == 0 else b"null")
        seat.transport.send(picows.WSMsgType.TEXT, command)


async def seat(url: str, table: Table, player: str, token: str) -> Seat:
    """Connect and say hello."""
    address = f"{url.replace('http', 'ws')}/api/v1/games/{table.code}/ws"
    _, listener = await picows.ws_connect(
        lambda: Seat(table, player), address, enable_auto_pong=True
    )
    assert isinstance(listener, Seat)
    found = listener
    found.say({"type": "hello", "token": token, "version": 0})
    table.seats.append(found)
    return found


async def set_table(http: httpx.AsyncClient, url: str, mix: str, connect: bool) -> Table:
    """A game with eight people; connected ones have started their first round."""
    body = {"edition": "oracle", "mix": mix, "name": "Maja"}
    stranger = {"X-Varv-Owner": f"{time.time_ns()}"}
    answer = await http.post("/api/v1/games", json=body, headers=stranger)
    made = answer.raise_for_status().json()
    code = made["code"]
    table = Table(code)
    tokens = [made["token"]]
    for n in range(1, SEATS):
        path = f"/api/v1/games/{code}/players"
        answer = await http.post(path, json={"name": f"Player {n}"})
        tokens.append(answer.raise_for_status().json()["token"])
    if not connect:
        return table
    for n, token in enumerate(tokens):
        await seat(url, table, f"p{n + 1}", token)
    for one in table.seats:
        await one.until_state(1)
    for n, one in enumerate(table.seats):
        year = {"type": "set_start_year", "year": 1980 + n}
        one.say({"type": "command", "id": "y", "command": year})
    host = table.seats[0]
    await _until(host, b'"start_game"', absent=b'"start_game":"START_YEAR_MISSING"')
    host.say({"type": "command", "id": "s", "command": {"type": "start_game"}})
    await _until(host, b'"READY"')
    host.say({"type": "command", "id": "r", "command": {"type": "start_round", "round": 1}})
    for one in table.seats:
        await _until(one, b'"GUESSING"')
    return table


async def _until(one: Seat, present: bytes, absent: bytes | None = None) -> None:
    async with asyncio.timeout(60):
        while present not in one.last or (absent is not None and absent in one.last):
            one.changed.clear()
            await one.changed.wait()


async def bare_table(url: str, number: int) -> Table:
    """A table of the bare server: nothing to set up."""
    table = Table(str(number))
    for n in range(SEATS):
        await seat(url, table, str(n), "-")
    for one in table.seats:
        await one.until_state(1)
    return table


async def closed_loop(tables: list[Table], seconds: float) -> dict[str, float]:
    """Every table sends its next command when all eight have the last."""
    for table in tables:
        table.running, table.closed_loop, table.latencies = True, True, []
    started = time.perf_counter()
    for table in tables:
        table.next(time.perf_counter())
    await asyncio.sleep(seconds)
    elapsed = time.perf_counter() - started
    for table in tables:
        table.closed_loop = False
        table.queue.clear()
    await _settle(tables)
    return _figures(tables, elapsed)


async def open_loop(tables: list[Table], rate: float, seconds: float) -> dict[str, float]:
    """Commands at an even rate, whatever becomes of them; latency from when each was due."""
    for table in tables:
        table.running, table.closed_loop, table.latencies = True, False, []
    started = time.perf_counter()
    for n in range(int(rate * seconds)):
        due = started + n / rate
        wait = due - time.perf_counter()
        if wait > 0:
            await asyncio.sleep(wait)
        tables[n % len(tables)].due(due)
    await _settle(tables)
    return _figures(tables, time.perf_counter() - started)


async def _settle(tables: list[Table]) -> None:
    for _ in range(6000):
        if not any(table.waiting > 0 or table.queue for table in tables):
            break
        await asyncio.sleep(0.01)
    for table in tables:
        table.running = False


def _figures(tables: list[Table], elapsed: float) -> dict[str, float]:
    latencies = sorted(latency for table in tables for latency in table.latencies)
    count = len(latencies)
    return {
        "commands": count,
        "per_second": count / elapsed,
        "p50_ms": latencies[count // 2] * 1000,
        "p99_ms": latencies[min(count - 1, int(count * 0.99))] * 1000,
        "worst_ms": latencies[-1] * 1000,
    }


async def main(options: argparse.Namespace) -> None:
    """Set the tables, run the load, print what came out."""
    tables: list[Table] = []
    limits = httpx.Limits(max_connections=16)
    async with httpx.AsyncClient(base_url=options.url, timeout=60, limits=limits) as http:
        gate = asyncio.Semaphore(8)

        async def one(number: int) -> None:
            async with gate:
                if options.bare:
                    tables.append(await bare_table(options.url, number))
                else:
                    connect = options.mode != "games"
                    tables.append(await set_table(http, options.url, options.mix, connect))

        await asyncio.gather(*(one(number) for number in range(options.tables)))
    result: dict[str, Any] = {}
    if tables[0].seats:
        result["state"] = tables[0].seats[1].last.decode()
    print(json.dumps(result), flush=True)
    if options.mode == "games":
        return
    await asyncio.to_thread(sys.stdin.readline)
    if options.mode == "idle":
        return
    figures: dict[str, float] = {}
    commands = 0.0
    for seconds in (1.0, options.seconds):
        if options.mode == "closed":
            figures = await closed_loop(tables, seconds)
        else:
            figures = await open_loop(tables, options.rate, seconds)
        commands += figures["commands"]
    print(json.dumps(figures | {"all_commands": commands}), flush=True)


if __name__ == "__main__":
    parser = argparse.ArgumentParser()
    parser.add_argument("--url", required=True)
    parser.add_argument("--mode", choices=["closed", "open", "idle", "games"], required=True)
    parser.add_argument("--tables", type=int, required=True)
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--rate", type=float, default=1000.0)
    parser.add_argument("--mix", default="demo")
    parser.add_argument("--bare", action="store_true")
    uvloop.run(main(parser.parse_args()))
