"""Figures of several workers: they write files, and whichever is asked adds them up."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from varv.web import metrics

WORKER = """
import sys
from varv.web.metrics import Metrics
made = Metrics()
made.sockets.inc(3)
made.accepted.inc(2)
print("ready", flush=True)
sys.stdin.read()
"""
ASKED = """
from varv.web import metrics
metrics.forget_the_dead()
print(metrics.Metrics().text().decode())
"""


def test_a_worker_that_is_gone_counts_no_more(tmp_path: Path) -> None:
    environment = os.environ | {metrics.FOLDER: str(tmp_path)}
    workers = []
    for _ in range(2):
        worker = subprocess.Popen(
            [sys.executable, "-c", WORKER],
            env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
        )  # fmt: skip
        assert worker.stdout is not None and worker.stdout.readline() == "ready\n"
        workers.append(worker)
    workers[0].kill()
    workers[0].communicate()
    try:
        asked = subprocess.run(
            [sys.executable, "-c", ASKED],
            env=environment,
            capture_output=True,
            text=True,
            check=True,
        )
    finally:
        workers[1].communicate()
    assert "varv_sockets 3.0" in asked.stdout
    # What it did is done all the same.
    assert 'varv_commands_total{outcome="accepted"} 4.0' in asked.stdout


def test_files_of_others_are_left_alone(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(metrics.FOLDER, str(tmp_path))
    mine, odd = tmp_path / f"gauge_livesum_{os.getpid()}.db", tmp_path / "gauge_livesum_x.db"
    for file in (mine, odd):
        file.write_bytes(b"")
    metrics.forget_the_dead()
    assert mine.exists() and odd.exists()
