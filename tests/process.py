"""`varv serve` as a process of its own, to be killed and started again; and commands of `varv`."""

import asyncio
import contextlib
import os
import signal
import subprocess
import sys
import time
from pathlib import Path
from typing import Any, Self

import httpx
from tests.live import Live
from tests.patience import PATIENCE
from tests.services import free_port

VARV = str(Path(sys.executable).parent / "varv")


def _environment(env: dict[str, str]) -> dict[str, str]:
    """Ours, without settings that somebody has made for a server of their own."""
    return {k: v for k, v in os.environ.items() if not k.startswith("VARV_")} | env


class Server:
    """A server on a port and a data folder of its own, which it keeps through `kill -9`."""

    def __init__(self, data: Path, *options: str, **env: str) -> None:
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.data = data
        self._command = [VARV, "serve", "--host", "127.0.0.1", "--port", str(self.port)]
        self._command += ["--data", str(data), "--limits", "off", *options]
        self._env = _environment(env)
        self.process: subprocess.Popen[bytes] | None = None

    @property
    def log(self) -> Path:
        return self.data / f"server-{self.port}.log"

    def launch(self) -> Self:
        """Start, and do not wait."""
        self.data.mkdir(exist_ok=True, parents=True)
        with self.log.open("ab") as log:
            self.process = subprocess.Popen(self._command, env=self._env, stdout=log, stderr=log)
        return self

    def wait(self) -> Self:
        """Until it serves."""
        assert self.process is not None
        deadline = time.monotonic() + PATIENCE
        while time.monotonic() < deadline:
            if self.process.poll() is not None:
                raise RuntimeError(f"the server did not start: {self.log.read_text()}")
            with contextlib.suppress(httpx.TransportError):
                if httpx.get(f"{self.url}/readyz", timeout=PATIENCE).status_code == 200:
                    return self
            time.sleep(0.02)
        self.kill()
        raise RuntimeError(f"the server does not answer: {self.log.read_text()}")

    def start(self) -> Self:
        """Start, and wait until it serves."""
        return self.launch().wait()

    def kill(self) -> None:
        """`kill -9`: no goodbye, no flush."""
        assert self.process is not None
        self.process.kill()
        self.process.wait()

    def end(self) -> int:
        """SIGTERM, and its exit status; one that does not mind it is killed all the same."""
        assert self.process is not None
        if self.process.poll() is None:
            self.process.send_signal(signal.SIGTERM)
        try:
            return self.process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            self.kill()
            raise

    def kilobytes(self, *, most: bool = False) -> int:
        """Memory in use, or the most that ever was."""
        assert self.process is not None
        figure = "VmHWM" if most else "VmRSS"
        for line in Path(f"/proc/{self.process.pid}/status").read_text().splitlines():
            if line.startswith(figure):
                return int(line.split()[1])
        raise RuntimeError("no such process")


class Varv(Server):
    """One that tells in its log all it does. `live` talks to it, from one event loop."""

    def __init__(self, data: Path, *options: str, **env: str) -> None:
        super().__init__(
            data, *options, **{"VARV_BOT_PACE": "0.01", "VARV_LOG_LEVEL": "debug"} | env
        )
        self.live = self.talk()

    def talk(self) -> Live:
        """Another way to talk to it, for another event loop."""
        return Live(self.url, None, None)  # type: ignore[arg-type]

    async def stop(self) -> int:
        """`end` without standing in the way of those who are to be told."""
        return await asyncio.to_thread(self.end)

    async def close(self) -> None:
        """Leave nothing running."""
        await self.stop()
        await self.live.close()

    async def __aenter__(self) -> "Varv":
        return self.start()

    async def __aexit__(self, *_: Any) -> None:
        await self.close()


def varv(*arguments: str, data: Path, **env: str) -> subprocess.CompletedProcess[str]:
    """Run a command to its end."""
    return subprocess.run(
        [VARV, *arguments],
        env=_environment({"VARV_DATA": str(data), "COLUMNS": "120"} | env),
        capture_output=True,
        text=True,
        timeout=PATIENCE,
        check=False,
    )
