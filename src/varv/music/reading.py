"""Reading the tags of many files at once: a process per core, which may die of a broken file.

A process of our own making rather than a pool: it loads nothing but the tag reader, speaks
MessagePack, and when a decoder crashes in it only the file that did it is lost.
"""

import asyncio
import contextlib
import os
import sys
from collections import deque
from collections.abc import AsyncIterator

import msgspec

from varv.music.reader import LENGTH
from varv.music.tags import Tags, read_many

CHUNK = 64
CRASHED = "reading it crashed the reader"

_tags = msgspec.msgpack.Decoder(list[Tags])


async def read_all(paths: list[str], workers: int) -> AsyncIterator[list[Tags]]:
    """The tags of all files, in order, some at a time. A few are read right here."""
    chunks = [paths[start : start + CHUNK] for start in range(0, len(paths), CHUNK)]
    if len(chunks) <= 2:
        for chunk in chunks:
            yield await asyncio.to_thread(read_many, chunk)
        return
    loop = asyncio.get_running_loop()
    results: list[asyncio.Future[list[Tags]]] = [loop.create_future() for _ in chunks]
    todo = deque(range(len(chunks)))

    async def work() -> None:
        reader = _Reader()
        try:
            while todo:
                n = todo.popleft()
                try:
                    results[n].set_result(await reader.read(chunks[n]))
                except OSError as error:
                    results[n].set_exception(error)
        finally:
            await reader.stop()

    tasks = [asyncio.create_task(work()) for _ in range(workers)]
    try:
        for result in results:
            yield await result
    finally:
        # Left to finish what they are at rather than cancelled: that could lose a process.
        todo.clear()
        await asyncio.gather(*tasks, return_exceptions=True)
        for result in results:
            result.cancel()


class _Reader:
    """The other end of a reading process."""

    def __init__(self) -> None:
        self._process: asyncio.subprocess.Process | None = None

    async def read(self, paths: list[str]) -> list[Tags]:
        """The tags of some files; if that kills the process, one by one to find out which did."""
        try:
            return await self._ask(paths)
        except (asyncio.IncompleteReadError, ConnectionError):
            await self.stop()
        if len(paths) == 1:
            return [Tags(paths[0], trouble=CRASHED)]
        return [tags for path in paths for tags in await self.read([path])]

    async def _ask(self, paths: list[str]) -> list[Tags]:
        if self._process is None:
            self._process = await asyncio.create_subprocess_exec(
                sys.executable,
                "-m",
                "varv.music.reader",
                stdin=asyncio.subprocess.PIPE,
                stdout=asyncio.subprocess.PIPE,
                stderr=asyncio.subprocess.DEVNULL,
                # Ctrl-C is for us: we end it in good order.
                start_new_session=True,
            )
        stdin, stdout = self._process.stdin, self._process.stdout
        assert stdin is not None and stdout is not None
        message = msgspec.msgpack.encode([os.fsencode(path) for path in paths])
        stdin.write(LENGTH.pack(len(message)) + message)
        await stdin.drain()
        (length,) = LENGTH.unpack(await stdout.readexactly(LENGTH.size))
        found = _tags.decode(await stdout.readexactly(length))
        return [
            msgspec.structs.replace(tags, path=path) if tags.path != path else tags
            for tags, path in zip(found, paths, strict=True)
        ]

    async def stop(self) -> None:
        """End the process, however it is."""
        if self._process is not None:
            if self._process.returncode is None:
                self._process.kill()
            await self._process.wait()
            if self._process.stdin is not None:
                self._process.stdin.close()
                with contextlib.suppress(OSError):
                    await self._process.stdin.wait_closed()
            # The transport keeps its pipes open until told, and warns about them.
            self._process._transport.close()  # type: ignore[attr-defined]
            self._process = None
