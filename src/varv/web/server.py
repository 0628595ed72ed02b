"""Running it: one process, or several that share a socket; an orderly end."""

import asyncio
import contextlib
import ctypes
import gc
import os
import signal
import socket
import sys
import tempfile
import threading
import time
from collections.abc import AsyncIterator, Callable
from contextlib import AbstractContextManager, asynccontextmanager

import uvicorn

from varv.config import ConfigError, Settings, from_environment
from varv.web import logs, metrics
from varv.web.app import Application
from varv.web.protocol import Protocol
from varv.web.services import Services
from varv.web.sockets import LARGEST
from varv.web.wiring import make_store, open_services

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD = -1, -3
"""Names of glibc's, from malloc.h."""
LARGE = 1 << 20
"""Bytes; above what a socket reads at once, below what a second of sound takes."""
FACTORY = "varv.web.server:worker_application"


class Server(uvicorn.Server):
    """Says when it serves."""

    def __init__(self, config: uvicorn.Config, ready: Callable[[], None]) -> None:
        """`ready` is called once connections are accepted."""
        super().__init__(config)
        self._ready = ready

    async def startup(self, sockets: list[socket.socket] | None = None) -> None:
        """As always, and then say so."""
        await super().startup(sockets)
        if self.started:
            self._ready()


def settle() -> None:
    """Fewer and shorter pauses from here on."""
    # What is there now stays: collecting garbage among it would find nothing.
    gc.collect()
    gc.freeze()
    gc.set_threshold(5_000, 80, 50)
    # A flush to disk that is done must not wait 5 ms for a busy loop to hear of it.
    sys.setswitchinterval(0.00005)


def let_go() -> None:
    """Large pieces of memory go back to the system as soon as they are free (glibc).

    By itself it learns from the first songs that are rendered to keep their tens of megabytes for
    the next: a server that needs 110 MB would hold on to 240, and a small machine has little.
    """
    if sys.platform == "linux":
        library = ctypes.CDLL(None)
        for setting in (M_MMAP_THRESHOLD, M_TRIM_THRESHOLD):
            with contextlib.suppress(AttributeError):
                library.mallopt(setting, LARGE)


def make_config(app: Application | str, settings: Settings) -> uvicorn.Config:
    """How uvicorn serves it.

    permessage-deflate is off on purpose: it costs 1.4 times the CPU and most of the memory of an
    idle connection, for messages of a few kB on a local network.
    """
    return uvicorn.Config(
        app,
        factory=isinstance(app, str),
        host=settings.host,
        port=settings.port,
        workers=settings.workers,
        ws=Protocol,
        ws_max_size=LARGEST,
        ws_per_message_deflate=False,
        ws_ping_interval=20,
        ws_ping_timeout=20,
        log_config=None,
        access_log=False,
        server_header=False,
        timeout_graceful_shutdown=5,
        backlog=4096,
        lifespan="on",
    )


def settled_application(settings: Settings) -> Application:
    """A whole server that settles once everything is open, before the first call comes in."""

    @asynccontextmanager
    async def settled() -> AsyncIterator[Services]:
        async with open_services(settings) as services:
            settle()
            yield services

    return Application(settled)


def worker_application() -> Application:
    """What each of several worker processes runs."""
    settings = from_environment()
    let_go()
    metrics.forget_the_dead()
    logs.configure(settings.log_level)
    return settled_application(settings)


def bind(settings: Settings) -> socket.socket:
    """The socket to listen on, or an explanation."""
    family = socket.AF_INET6 if ":" in settings.host else socket.AF_INET
    # With its protocol by name, which is where asyncio looks before it turns off Nagle's delay.
    listening = socket.socket(family, socket.SOCK_STREAM, socket.IPPROTO_TCP)
    listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        listening.bind((settings.host, settings.port))
    except socket.gaierror as error:
        listening.close()
        raise ConfigError(
            f"{settings.host} is no address of this machine ({error.strerror}). "
            "Choose another with --host; 0.0.0.0 is all of them."
        ) from error
    except (OSError, OverflowError) as error:
        listening.close()
        raise ConfigError(
            f"Port {settings.port} on {settings.host} cannot be used "
            f"({getattr(error, 'strerror', None) or error}). "
            "Choose another with --port, or end the program that uses it."
        ) from error
    listening.set_inheritable(True)
    return listening


def run(settings: Settings, announce: Callable[[int], None]) -> None:
    """Serve until told to stop. `announce` is called with the port once it serves."""
    settings.check()
    let_go()
    logs.configure(settings.log_level)
    listening = bind(settings)
    check_folder(settings)
    with claimed(settings):
        asyncio.run(_probe(settings))
        port: int = listening.getsockname()[1]
        if settings.workers > 1:
            _run_workers(settings, listening, lambda: announce(port))
        else:
            _run_alone(settings, listening, lambda: announce(port))


def _run_alone(settings: Settings, listening: socket.socket, announce: Callable[[], None]) -> None:
    server = Server(make_config(settled_application(settings), settings), announce)
    # uvicorn has shut down in order by the time it raises the signal again: all is well.
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(0))
    try:
        server.run(sockets=[listening])
    except KeyboardInterrupt:
        if not server.started:
            raise
    if not server.started:
        sys.exit(1)


def claimed(settings: Settings) -> AbstractContextManager[None]:
    """A database that only one server at a time can use is this one's."""
    if settings.postgres:
        return contextlib.nullcontext()
    from varv.stores.sqlite_file import claim

    return claim(settings.database)


async def _probe(settings: Settings) -> None:
    """What is wrong is told in one line; uvicorn would log a traceback."""
    store = make_store(settings)
    await store.open()
    await store.close()


def check_folder(settings: Settings) -> None:
    """Sound is prepared in the data folder, wherever the games are."""
    try:
        settings.folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryFile(dir=settings.folder):
            pass
    except OSError as error:
        raise ConfigError(
            f"The folder {settings.folder} cannot be written to ({error.strerror}). "
            "Choose another with --data, or check its permissions and free space."
        ) from error


def _run_workers(
    settings: Settings, listening: socket.socket, announce: Callable[[], None]
) -> None:
    from uvicorn.supervisors import Multiprocess

    os.environ.update(settings.environment())
    with tempfile.TemporaryDirectory(prefix="varv-metrics-") as folder:
        os.environ[metrics.FOLDER] = folder
        config = make_config(FACTORY, settings)
        port: int = listening.getsockname()[1]
        waiting = threading.Thread(target=_announce_later, args=(port, announce), daemon=True)
        waiting.start()
        Multiprocess(config, sockets=[listening]).run()


def _announce_later(port: int, announce: Callable[[], None]) -> None:
    """Once a worker answers."""
    import urllib.request

    for _ in range(300):
        with contextlib.suppress(OSError):
            urllib.request.urlopen(f"http://127.0.0.1:{port}/readyz", timeout=2).close()
            announce()
            return
        time.sleep(0.1)
