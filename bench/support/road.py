"""A long road to a server: every byte takes its time, those of a WebSocket too.

A browser can be told to be slow by itself, but it then delays requests only, and never a message.
"""

import asyncio
import threading
from types import TracebackType
from urllib.parse import urlsplit


class Road:
    """Another address of a server, `trip` seconds there and back."""

    def __init__(self, url: str, trip: float) -> None:
        """Nothing is open before it is entered."""
        self._host, self._port = urlsplit(url).hostname, urlsplit(url).port
        self._half = trip / 2
        self._loop = asyncio.new_event_loop()
        self._thread = threading.Thread(target=self._loop.run_forever, daemon=True)
        self._tasks: set[asyncio.Task[None]] = set()
        self.url = ""

    def __enter__(self) -> "Road":
        self._thread.start()
        opening = asyncio.start_server(self._carry, "127.0.0.1", 0)
        server = asyncio.run_coroutine_threadsafe(opening, self._loop).result()
        self.url = f"http://127.0.0.1:{server.sockets[0].getsockname()[1]}"
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        asyncio.run_coroutine_threadsafe(self._end(), self._loop).result()
        self._loop.call_soon_threadsafe(self._loop.stop)
        self._thread.join()

    async def _end(self) -> None:
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)

    async def _carry(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        there = await asyncio.open_connection(self._host, self._port)
        for source, target in ((reader, there[1]), (there[0], writer)):
            task = self._loop.create_task(self._one_way(source, target))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _one_way(self, source: asyncio.StreamReader, target: asyncio.StreamWriter) -> None:
        """Nothing overtakes anything; nothing waits for what went before."""
        try:
            while data := await source.read(1 << 16):
                self._loop.call_later(self._half, _deliver, target, data)
        except ConnectionError:
            pass
        self._loop.call_later(self._half, target.close)


def _deliver(target: asyncio.StreamWriter, data: bytes) -> None:
    if not target.is_closing():
        target.write(data)
