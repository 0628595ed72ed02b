"""What the disk alone does: a small commit, flushed, at an even pace."""

import sqlite3
import statistics
import tempfile
import time
from pathlib import Path


def flushes(rate: float, seconds: float) -> dict[str, float]:
    """Milliseconds that one commit of one row takes, with nothing else going on."""
    took = []
    with tempfile.TemporaryDirectory(prefix="varv-bench-") as folder:
        connection = sqlite3.connect(Path(folder) / "flushes.db", isolation_level=None)
        connection.execute("PRAGMA journal_mode=WAL")
        connection.execute("PRAGMA synchronous=FULL")
        connection.execute("CREATE TABLE flushes (number INTEGER PRIMARY KEY, content BLOB)")
        started = time.perf_counter()
        for number in range(int(rate * seconds)):
            time.sleep(max(0.0, started + number / rate - time.perf_counter()))
            before = time.perf_counter()
            connection.execute("INSERT INTO flushes VALUES (?, ?)", (number, bytes(200)))
            took.append(time.perf_counter() - before)
        connection.close()
    hundredths = statistics.quantiles(took, n=100)
    return {"p50_ms": hundredths[49] * 1000, "p99_ms": hundredths[98] * 1000}
