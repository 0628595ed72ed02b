"""`varv serve` as a process of its own, for browsers to visit: it can be killed and come back."""

import os
import subprocess
import sys
import time
from pathlib import Path
from typing import Any

import httpx
from tests.services import free_port

VARV = str(Path(sys.executable).parent / "varv")
READY_WITHIN = 60.0


class House:
    """A server on a port and a data folder of its own, which it keeps through `kill -9`."""

    def __init__(self, data: Path, **env: str) -> None:
        self.data = data
        self.port = free_port()
        self.url = f"http://127.0.0.1:{self.port}"
        self.http = httpx.Client(base_url=self.url, timeout=20)
        self._env = {k: v for k, v in os.environ.items() if not k.startswith("VARV_")}
        self._env |= {"VARV_BOT_PACE": "0.02"} | env
        self._process: subprocess.Popen[bytes] | None = None

    @property
    def _log(self) -> Path:
        return self.data / "server.log"

    def varv(self, *words: str) -> str:
        """A command of the program, on the same data."""
        done = subprocess.run(
            [VARV, *words, "--data", str(self.data)],
            env=self._env, capture_output=True, text=True, check=True,
        )  # fmt: skip
        return done.stdout

    def start(self) -> "House":
        """Start, and wait until it serves."""
        self.data.mkdir(parents=True, exist_ok=True)
        where = ["--host", "127.0.0.1", "--port", str(self.port), "--data", str(self.data)]
        with self._log.open("ab") as log:
            self._process = subprocess.Popen(
                [VARV, "serve", *where, "--limits", "off"], env=self._env, stdout=log, stderr=log
            )
        deadline = time.monotonic() + READY_WITHIN
        while not self._ready():
            if self._process.poll() is not None or time.monotonic() > deadline:
                raise RuntimeError(f"the server did not start: {self._log.read_text()}")
            time.sleep(0.02)
        return self

    def _ready(self) -> bool:
        try:
            return self.http.get("/readyz").status_code == 200
        except httpx.TransportError:
            return False

    def kill(self) -> None:
        """`kill -9`: no goodbye, no flush."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

    def close(self) -> None:
        """The test is over."""
        if self._process is not None and self._process.poll() is None:
            self._process.terminate()
            self._process.wait(30)
        self.http.close()

    def __enter__(self) -> "House":
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def call(self, method: str, path: str, *, token: str | None = None, body: Any = None) -> Any:
        """The HTTP half of the protocol; a refusal is an error. No cookie is kept: a stranger."""
        headers = {} if token is None else {"Authorization": f"Bearer {token}"}
        self.http.cookies.clear()
        answer = self.http.request(method, f"/api/v1{path}", json=body, headers=headers)
        if answer.is_error:
            raise RuntimeError(f"{method} {path}: {answer.status_code} {answer.text}")
        return answer.json()
