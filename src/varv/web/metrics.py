"""What an operator can watch: Prometheus text at /metrics."""

import os

from prometheus_client import (
    CollectorRegistry,
    Counter,
    Gauge,
    Histogram,
    generate_latest,
    multiprocess,
)

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
        if "PROMETHEUS_MULTIPROC_DIR" in os.environ:
            registry = CollectorRegistry()
            multiprocess.MultiProcessCollector(registry)  # type: ignore[no-untyped-call]
            return generate_latest(registry)
        return generate_latest(self.registry)
