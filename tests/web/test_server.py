"""What a process does before it serves."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

from varv.config import Settings
from varv.web import metrics
from varv.web.server import FACTORY

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
        env=environment, capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    said = done.stdout.splitlines()
    assert said == ["lifespan.startup.complete", "frozen", "50 us"], done.stderr
