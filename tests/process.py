"""`varv serve` as a process of its own, to be killed and started again."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from tests.live import Live
from tests.services import free_port

VARV = str(Path(sys.executable).parent / "varv")


class Varv:
    """A server process. `live` talks to it, from one event loop."""

    def __init__(self, data: Path, *options: str, port: int | None = None, **env: str) -> None:
        self.port = port or free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data = data
        self.command = [VARV, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        self.command += ["--data", str(data), "--limits", "off", *options]
        self.env = {k: v for k, v in os.environ.items() if not k.startswith("VARV_")}
        self.env |= {"VARV_BOT_PACE": "0.01", "VARV_LOG_LEVEL": "debug"} | env
        self.process: subprocess.Popen[bytes] | None = None
        self.live = self.talk()

    def talk(self) -> Live:
        """Another way to talk to it, for another event loop."""
        return Live(self.url, None, None)  # type: ignore[arg-type]

    @property
    def log(self) -> Path:
        return self.data / f"server-{self.port}.log"

    @property
    def pid(self) -> int:
        assert self.process is not None
        return self.process.pid

    def launch(self) -> "Varv":
        """Start, and do not wait."""
        self.data.mkdir(exist_ok=True, parents=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self.command, env=self.env, stdout=log, stderr=log)
        return self

    def wait(self) -> "Varv":
        """Until it serves."""
        assert self.process is not None
        for _ in range(6000):
            assert self.process.poll() is None, self.log.read_text()
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/readyz", timeout=30).status_code == 200:
                    return self
            time.sleep(0.02)
        raise RuntimeError("the server does not answer")

    async def start(self) -> "Varv":
        """Start, and wait until it serves."""
        self.launch()
        return await asyncio.to_thread(self.wait)

    def end(self) -> int:
        """SIGTERM, and its exit status."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        return self.process.wait(30)

    async def kill(self) -> None:
        """`kill -9`: no goodbye, no flush."""
        assert self.process is not None
        self.process.kill()
        await asyncio.to_thread(self.process.wait)

    async def stop(self) -> int:
        """The same without standing in the way."""
        return await asyncio.to_thread(self.end)

    async def close(self) -> None:
        """Leave nothing running."""
        await self.stop()
        await self.live.close()

    async def __aenter__(self) -> "Varv":
        return await self.start()

    async def __aexit__(self, *_: Any) -> None:
        await self.close()

    def kilobytes(self) -> int:
        """Memory in use."""
        for line in Path(f"/proc/{self.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1])
        raise RuntimeError("no such process")


def varv(*arguments: str, data: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    clean = {k: v for k, v in os.environ.items() if not k.startswith("VARV_")}
    clean |= {"VARV_DATA": str(data), "COLUMNS": "120"} | env
    return subprocess.run(
        [VARV, *arguments], env=clean, capture_output=True, text=True, timeout=60, check=False
    )
