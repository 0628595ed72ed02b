"""Real PostgreSQL and Redis for tests, each on a free port, gone when the test session ends.

Works as root and as an ordinary user, and with pytest-xdist. The data folder is not under pytest's
tmp_path, which is closed to the user that PostgreSQL runs as.
"""

import os
import pwd
import shutil
import signal
import socket
import subprocess
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import asyncpg
import pytest
from tests.patience import PATIENCE

from varv.stores.postgres import PostgresStore


def free_port() -> int:
    """A port that nobody listens on right now."""
    with socket.socket() as s:
        s.bind(("127.0.0.1", 0))
        port: int = s.getsockname()[1]
        return port


def wait_until_ready(command: list[str]) -> None:
    """Ask until it answers; a server that never does is an error, not a longer wait."""
    deadline = time.monotonic() + PATIENCE
    while subprocess.run(command, capture_output=True, check=False).returncode:
        if time.monotonic() > deadline:
            raise RuntimeError(f"not ready: {command}")
        time.sleep(0.05)


def _postgres_programs() -> Path:
    """Debian keeps those of each version in a folder of their own; elsewhere they are on the path.

    The newest version, if there are several.
    """
    debian = Path("/usr/lib/postgresql").glob("*/bin")
    if newest := max(debian, key=lambda folder: int(folder.parent.name), default=None):
        return newest
    found = shutil.which("initdb")
    if found is None:
        raise RuntimeError("there is no PostgreSQL: scripts/services.sh installs it")
    return Path(found).parent


def _as_postgres(home: str) -> dict[str, Any]:
    """How to start a program of PostgreSQL's, which refuses to run as root."""
    how: dict[str, Any] = {
        "cwd": home,
        "env": {"PATH": "/usr/bin:/bin", "LC_ALL": "C.UTF-8"},
        "stdout": subprocess.DEVNULL,
        "stderr": subprocess.DEVNULL,
    }
    if os.geteuid() == 0:
        user = pwd.getpwnam("postgres")
        os.chown(home, user.pw_uid, user.pw_gid)
        how |= {"user": user.pw_uid, "group": user.pw_gid, "extra_groups": []}
    return how


@pytest.fixture(scope="session")
def postgres_url() -> Iterator[str]:
    """A PostgreSQL of our own."""
    programs = _postgres_programs()
    home = tempfile.mkdtemp(prefix="pgtest-")
    port = str(free_port())
    how = _as_postgres(home)
    init = [f"{programs}/initdb", "-D", f"{home}/data", "-U", "postgres", "-A", "trust"]
    subprocess.run([*init, "-E", "UTF8", "--no-sync"], check=True, **how)
    server = subprocess.Popen(
        [
            f"{programs}/postgres", "-D", f"{home}/data", "-p", port, "-k", home,
            "-c", "listen_addresses=127.0.0.1", "-c", "max_connections=200",
        ],
        **how,
    )  # fmt: skip
    try:
        wait_until_ready([f"{programs}/pg_isready", "-h", "127.0.0.1", "-p", port])
        yield f"postgresql://postgres@127.0.0.1:{port}/postgres"
    finally:
        server.send_signal(signal.SIGINT)
        server.wait(PATIENCE)
        shutil.rmtree(home, ignore_errors=True)


def start_redis(port: int) -> "subprocess.Popen[bytes]":
    """One that keeps nothing on disk, and answers."""
    where = ["--port", str(port), "--bind", "127.0.0.1"]
    server = subprocess.Popen(
        ["redis-server", *where, "--save", "", "--appendonly", "no"],
        stdout=subprocess.DEVNULL,
        cwd=tempfile.gettempdir(),
    )
    try:
        wait_until_ready(["redis-cli", "-p", str(port), "ping"])
    except BaseException:
        server.kill()
        server.wait()
        raise
    return server


@pytest.fixture(scope="session")
def redis_url() -> Iterator[str]:
    """A Redis of our own."""
    port = free_port()
    server = start_redis(port)
    try:
        yield f"redis://127.0.0.1:{port}/0"
    finally:
        server.terminate()
        server.wait(PATIENCE)


async def blank_postgres(url: str, sql: str = "") -> None:
    """Without even tables, but for what this makes."""
    connection = await asyncpg.connect(url)
    await connection.execute("DROP SCHEMA public CASCADE; CREATE SCHEMA public;" + sql)
    await connection.close()


async def empty_postgres(url: str) -> None:
    """Migrated, with nothing in it."""
    await blank_postgres(url)
    store = PostgresStore(url)
    await store.migrate()
    await store.close()
