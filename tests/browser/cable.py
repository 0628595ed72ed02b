"""A cable between a phone and the server that can be cut, as flight mode or a lift does it.

The browser's own "offline" leaves open WebSockets alone; a cable does not.
"""

import contextlib
import socket
import threading


class Cable:
    """A proxy on a port of its own: bytes in, bytes out, until it is cut."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._door = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._door.getsockname()[1]}"
        self._ends: set[socket.socket] = set()
        self._whole = True
        self._lock = threading.Lock()

    def __enter__(self) -> "Cable":
        threading.Thread(target=self._listen, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self.cut()
        with contextlib.suppress(OSError):
            self._door.shutdown(socket.SHUT_RDWR)
        self._door.close()

    def cut(self) -> None:
        """Nothing gets through, and nothing that was open stays so."""
        with self._lock:
            self._whole = False
            ends, self._ends = self._ends, set()
        for end in ends:
            with contextlib.suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def mend(self) -> None:
        """As good as new."""
        self._whole = True

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                near, _ = self._door.accept()
                threading.Thread(target=self._join, args=(near,), daemon=True).start()

    def _join(self, near: socket.socket) -> None:
        with near, contextlib.suppress(OSError):
            if not self._whole:
                return
            with socket.create_connection(("127.0.0.1", self._port)) as far:
                with self._lock:
                    self._ends |= {near, far}
                back = threading.Thread(target=_pour, args=(far, near), daemon=True)
                back.start()
                _pour(near, far)
                back.join()
                with self._lock:
                    self._ends -= {near, far}


def _pour(source: socket.socket, sink: socket.socket) -> None:
    with contextlib.suppress(OSError):
        while chunk := source.recv(65536):
            sink.sendall(chunk)
        sink.shutdown(socket.SHUT_WR)
