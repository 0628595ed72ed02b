"""What a process does before it serves."""

import asyncio
import os
import socket
import subprocess
import sys
from pathlib import Path

import pytest
from tests.patience import PATIENCE

from varv.config import Settings
from varv.web import metrics
from varv.web.server import FACTORY, bind

PROCESS = """
import asyncio, gc, sys
from uvicorn.importer import import_from_string
from varv.config import from_environment
from varv.web import server

async def main(application):
    messages = asyncio.Queue()
    await messages.put({"type": "lifespan.startup"})
    said = asyncio.Queue()
    scope = {"type": "lifespan", "state": {}}
    living = asyncio.create_task(application(scope, messages.get, said.put))
    print((await said.get())["type"])
    print("frozen" if gc.get_freeze_count() > 10_000 else "not frozen")
    print(round(sys.getswitchinterval() * 1e6), "us")
    await messages.put({"type": "lifespan.shutdown"})
    await living

if sys.argv[1] == "worker":
    application = import_from_string(sys.argv[2])()
else:
    application = server.settled_application(from_environment())
asyncio.run(main(application))
"""


@pytest.mark.parametrize("kind", ["worker", "alone"])
def test_it_settles_once_everything_is_open(tmp_path: Path, kind: str) -> None:
    """The garbage collector leaves alone what stays, in every worker process too."""
    environment = os.environ | Settings(data=str(tmp_path)).environment()
    if kind == "worker":
        environment[metrics.FOLDER] = str(tmp_path)
    done = subprocess.run(
        [sys.executable, "-c", PROCESS, kind, FACTORY],
        env=environment, capture_output=True, text=True, timeout=PATIENCE, check=False,
    )  # fmt: skip
    said = done.stdout.splitlines()
    assert said == ["lifespan.startup.complete", "frozen", "50 us"], done.stderr


def test_a_server_loads_nothing_that_it_can_do_without(tmp_path: Path) -> None:
    """It is ready sooner: sound, drawings and other stores come in when they are asked for."""
    code = (
        "import os, sys, varv.web.server as server\n"
        "from varv.config import Settings\n"
        "heavy = 'numpy av segno httpx asyncpg redis pydantic typer multiprocessing.pool'.split()\n"
        "def ready(port):\n"
        "    print([name for name in heavy if name in sys.modules], flush=True)\n"
        "    os._exit(0)\n"
        "server.run(Settings(host='127.0.0.1', port=0, data=sys.argv[1]), ready)\n"
    )
    done = subprocess.run(
        [sys.executable, "-c", code, str(tmp_path)], capture_output=True, text=True, check=False
    )
    assert done.stdout.strip() == "[]", done.stderr


async def test_what_is_written_is_sent_at_once() -> None:
    """Also by asyncio's own loop, where there is no other: each answer would wait 40 ms."""
    accepted: asyncio.Queue[int] = asyncio.Queue()

    class Look(asyncio.Protocol):
        def connection_made(self, transport: asyncio.BaseTransport) -> None:
            connection = transport.get_extra_info("socket")
            accepted.put_nowait(connection.getsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY))
            transport.close()

    listening = bind(Settings(host="127.0.0.1", port=0))
    async with await asyncio.get_running_loop().create_server(Look, sock=listening):
        _, writer = await asyncio.open_connection(*listening.getsockname())
        assert await asyncio.wait_for(accepted.get(), PATIENCE) == 1
        writer.close()
        await writer.wait_closed()
