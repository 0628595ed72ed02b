"""Varv under load beside a bare broadcast of the same bytes, in one run.

Rooms of eight, SQLite with a flush per commit, every player their own view, the load in another
process. Every command is seen by all eight; a latency is from the command to the last of them.
"""

import argparse
import sys
import tempfile
from pathlib import Path
from typing import Any

sys.path.insert(0, str(Path(__file__).parent))

from support.disk import flushes
from support.goals import verdict
from support.machine import Stolen
from support.servers import Bare, Load, Server, Varv, load

GOALS = {"ratio": 0.6, "p99": 5.0, "connection": 40.0, "game": 30.0, "ready": 1.0}
UNDISTURBED = 0.5
"""Percent of the processors that others may have had in a turn that tells something of us."""


def row(name: str, got: dict[str, Any]) -> None:
    """One line of figures."""
    print(
        f"  {name:<28} {got['per_second']:>8.0f} commands/s   p50 {got['p50_ms']:>8.2f} ms"
        f"   p99 {got['p99_ms']:>8.2f} ms   {got['processor_us']:>6.0f} µs of processor each"
    )


def measure(server: Server, mode: str, tables: int, **options: Any) -> dict[str, Any]:
    """The figures of a run, with the server's processor time per command."""
    with Load(server.url, mode, tables, **options) as running:
        running.result()
        before, stolen = server.processor_seconds(), Stolen()
        running.go()
        got = running.result()
        used = server.processor_seconds() - before
        return got | {"processor_us": used / got["all_commands"] * 1e6, "stolen": stolen.percent()}


def in_turns(
    varv: Server, bare: Server, mode: str, tables: int, seconds: float, turns: int, most: int
) -> dict[str, list[dict[str, Any]]]:
    """Both servers, one after the other, until so many turns of both were undisturbed."""
    got: dict[str, list[dict[str, Any]]] = {"Varv": [], "bare broadcast": []}
    for _ in range(most):
        for (_, rows), server in zip(got.items(), (varv, bare), strict=True):
            rows.append(measure(server, mode, tables, bare=server is bare, seconds=seconds))
        quiet = [sum(row["stolen"] < UNDISTURBED for row in rows) for rows in got.values()]
        if min(quiet) >= turns:
            break
    return got


def closed(varv: Server, bare: Server, tables: int, seconds: float) -> float:
    """Both as fast as they go; the ratio of their best."""
    best = []
    for name, rows in in_turns(varv, bare, "closed", tables, seconds, 2, 2).items():
        best.append(max(rows, key=lambda got: float(got["per_second"])))
        row(f"{name}, {tables} rooms", best[-1])
    return float(best[0]["per_second"] / best[1]["per_second"])


def open_loop(varv: Server, bare: Server, seconds: float) -> float:
    """The steady load of 1,000 commands/s over 100 rooms; Varv's p99 in its best turn."""
    best = []
    for name, rows in in_turns(varv, bare, "open", 100, seconds, 3, 12).items():
        best.append(min(rows, key=lambda got: float(got["p99_ms"])))
        row(name, best[-1])
        turns = ", ".join(f"{got['p99_ms']:.1f} ({got['stolen']:.1f})" for got in rows)
        print(f"  p99 of every turn in ms (and percent of the processors taken by others): {turns}")
    disk = flushes(1000, seconds)
    print(f"  {'a flush of this disk alone':<41} p50 {disk['p50_ms']:>8.2f} ms", end="")
    print(f"   p99 {disk['p99_ms']:>8.2f} ms")
    return float(best[0]["p99_ms"])


def memory(connections: int) -> tuple[float, float, float]:
    """Kilobytes per idle connection, of Varv and of the bare server, and per idle game."""
    tables = connections // 8
    with Varv() as varv:
        load(varv.url, "games", 20)
        start = varv.kilobytes()
        load(varv.url, "games", tables)
        per_game = (varv.kilobytes() - start) / tables
    with Varv() as varv:
        load(varv.url, "idle", 2)
        load(varv.url, "games", tables)
        start = varv.kilobytes()
        with Load(varv.url, "idle", tables) as idle:
            idle.result()
            per_connection = (varv.kilobytes() - start - per_game * tables) / connections
    with Bare() as bare:
        load(bare.url, "idle", 2, bare=True)
        start = bare.kilobytes()
        with Load(bare.url, "idle", tables, bare=True) as idle:
            idle.result()
            per_bare = (bare.kilobytes() - start) / connections
    return per_connection, per_bare, per_game


def main() -> None:
    """Print every figure beside its goal."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--rooms", type=int, nargs="*", default=[1, 10, 100, 500])
    parser.add_argument("--seconds", type=float, default=5.0)
    parser.add_argument("--connections", type=int, default=5000)
    options = parser.parse_args()

    with Varv() as varv:
        state = load(varv.url, "closed", 1, seconds=1)["state"]
        print(f"A state message is {len(state.encode())} bytes.")
        with Bare(state) as bare:
            print("\nClosed loop: the next command when all eight have the last")
            for tables in options.rooms:
                ratio = closed(varv, bare, tables, options.seconds)
                goal = GOALS["ratio"]
                told = verdict(ratio >= goal) if tables == 100 else ""
                print(f"  ratio {ratio:.2f} {told}")
            print("\nOpen loop: 1,000 commands/s over 100 rooms")
            p99 = open_loop(varv, bare, options.seconds)
            print(f"  p99 {p99:.2f} ms: {verdict(p99 < GOALS['p99'])}")
    readies = []
    with tempfile.TemporaryDirectory(prefix="varv-bench-") as folder:
        for _ in range(3):
            with Varv(folder, loud=True) as server:
                readies.append(server.ready_after)
    ready = min(readies)
    print(f"\nReady {ready:.2f} s after the start: {verdict(ready < GOALS['ready'])}")
    if options.connections:
        connection, bare_connection, game = memory(options.connections)
        print(f"\nMemory at {options.connections} connections")
        print(
            f"  per idle connection {connection:.1f} kB (bare {bare_connection:.1f} kB): "
            f"{verdict(connection < GOALS['connection'])}"
        )
        print(f"  per idle game {game:.1f} kB: {verdict(game < GOALS['game'])}")


if __name__ == "__main__":
    main()
