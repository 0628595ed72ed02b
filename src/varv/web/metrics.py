"""What an operator can watch: Prometheus text at /metrics."""

import os
from pathlib import Path

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

FOLDER = "PROMETHEUS_MULTIPROC_DIR"
"""Names the folder in which several workers write down their figures."""
CONTENT_TYPE = "text/plain; version=0.0.4; charset=utf-8"


class Metrics:
    """The figures of one worker; of all workers where they share a folder for it."""

    def __init__(self) -> None:
        """Every server has its own registry, so that tests can have many."""
        self.registry = CollectorRegistry()
        self.sockets = Gauge(
            "varv_sockets",
            "Open WebSockets",
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self.rooms = Gauge(
            "varv_rooms",
            "Games in memory",
            registry=self.registry,
            multiprocess_mode="livesum",
        )
        self.commands = Counter(
            "varv_commands", "Commands by outcome", ["outcome"], registry=self.registry
        )
        self.accepted = self.commands.labels("accepted")
        self.refused = self.commands.labels("refused")
        self.seconds = Histogram(
            "varv_command_seconds",
            "From receiving a command to its acknowledgement",
            buckets=(0.001, 0.002, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 1, 5),
            registry=self.registry,
        )
        self.requests = Counter(
            "varv_requests", "HTTP requests", ["route", "status"], registry=self.registry
        )
        self.dropped = Gauge(
            "varv_sockets_dropped",
            "Sockets that took nothing for too long",
            registry=self.registry,
            multiprocess_mode="livesum",
        )

    def text(self) -> bytes:
        """In Prometheus' format."""
        if FOLDER in os.environ:
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
            return generate_latest(registry)
        return generate_latest(self.registry)


def forget_the_dead() -> None:
    """A worker that was killed has no sockets any more; the one in its place says so."""
    for file in Path(os.environ[FOLDER]).glob("gauge_live*_*.db"):
        pid = file.stem.rpartition("_")[2]
        if pid.isdigit() and not _alive(int(pid)):
            multiprocess.mark_process_dead(int(pid))  # type: ignore[no-untyped-call]


def _alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True
