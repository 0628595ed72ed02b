"""Servers in processes of their own, and the load on them."""

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

BENCH = Path(__file__).parent.parent
PYTHON = sys.executable


def free_port() -> int:
    """A port that nobody listens on right now."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


class Server:
    """A server process; `url` answers while it is open."""

    def __init__(self, command: list[str], port: int, env: dict[str, str], path: str) -> None:
        self.url = f"http://127.0.0.1:{port}"
        self._command, self._env, self._path = command, env, path
        self._process: subprocess.Popen[bytes] | None = None
        self.ready_after = 0.0

    def __enter__(self) -> "Server":
        started = time.perf_counter()
        self._process = subprocess.Popen(
            self._command, env=os.environ | self._env, stdout=subprocess.DEVNULL
        )
        while True:
            try:
                urllib.request.urlopen(self.url + self._path, timeout=5).close()
                break
            except urllib.error.HTTPError as error:
                if error.code == 404:
                    break
                raise
            except OSError:
                if self._process.poll() is not None:
                    raise RuntimeError("the server did not start") from None
                time.sleep(0.005)
        self.ready_after = time.perf_counter() - started
        return self

    def __exit__(self, *_: object) -> None:
        assert self._process is not None
        self._process.terminate()
        self._process.wait(30)

    def processor_seconds(self) -> float:
        """Processor time used so far: comparable also on a machine that does other things."""
        assert self._process is not None
        fields = Path(f"/proc/{self._process.pid}/stat").read_text().rpartition(")")[2].split()
        return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")

    def kilobytes(self) -> int:
        """Memory in use."""
        assert self._process is not None
        for line in Path(f"/proc/{self._process.pid}/status").read_text().splitlines():
            if line.startswith("VmRSS"):
                return int(line.split()[1])
        raise RuntimeError("no such process")


class Varv(Server):
    """`varv serve` with SQLite, on a new data folder unless one is given; silent unless loud."""

    def __init__(self, data: str | None = None, *, loud: bool = False) -> None:
        self._folder = None if data else tempfile.TemporaryDirectory(prefix="varv-bench-")
        port = free_port()
        folder = data or (self._folder.name if self._folder else "")
        command = [PYTHON, str(BENCH / "support" / "silent.py"), "serve"]
        if loud:
            command = [str(Path(PYTHON).parent / "varv"), "serve"]
        options = ["--host", "127.0.0.1", "--port", str(port), "--limits", "off", "--data", folder]
        super().__init__([*command, *options], port, {}, "/readyz")

    def __exit__(self, *error: object) -> None:
        super().__exit__(*error)
        if self._folder is not None:
            self._folder.cleanup()


class Bare(Server):
    """bench/limit.py under the same uvicorn."""

    def __init__(self, state: str | None = None) -> None:
        port = free_port()
        env = {}
        if state is not None:
            self._folder = tempfile.TemporaryDirectory(prefix="varv-bench-")
            file = Path(self._folder.name) / "state.json"
            file.write_text(state)
            env["BENCH_STATE"] = str(file)
        options = ["--host", "127.0.0.1", "--port", str(port), "--log-level", "warning"]
        command = [PYTHON, "-m", "uvicorn", "limit:app", "--app-dir", str(BENCH), *options]
        command += ["--ws-per-message-deflate", "false", "--no-access-log"]
        super().__init__(command, port, env, "/")


def load(url: str, mode: str, tables: int, *, bare: bool = False, **options: Any) -> dict[str, Any]:
    """Set the tables and, if there is more to do, do it; what was printed last."""
    with Load(url, mode, tables, bare=bare, **options) as running:
        result = running.result()
        if mode in ("closed", "open"):
            running.go()
            result |= running.result()
        return result


class Load:
    """The load in a process of its own; in idle mode it stays until closed."""

    def __init__(
        self, url: str, mode: str, tables: int, *, bare: bool = False, **options: Any
    ) -> None:
        command = [PYTHON, str(BENCH / "support" / "load.py"), "--url", url, "--mode", mode]
        command += ["--tables", str(tables)]
        command += ["--bare"] if bare else []
        for name, value in options.items():
            command += [f"--{name}", str(value)]
        self._process = subprocess.Popen(
            command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )

    def __enter__(self) -> "Load":
        return self

    def go(self) -> None:
        """Begin, now that the tables are set."""
        assert self._process.stdin is not None
        self._process.stdin.write("\n")
        self._process.stdin.flush()

    def result(self) -> dict[str, Any]:
        """What it printed."""
        assert self._process.stdout is not None
        line = self._process.stdout.readline()
        if not line:
            raise RuntimeError("the load failed")
        found: dict[str, Any] = json.loads(line)
        return found

    def __exit__(self, *_: object) -> None:
        self._process.communicate("\n", timeout=60)
