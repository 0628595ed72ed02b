"""A thread for what would keep the event loop waiting."""

import asyncio
import queue
import threading
from collections.abc import Callable
from typing import Any, TypeVar

Result = TypeVar("Result")


class Thread:
    """Runs one thing after another, and costs less per thing than an executor."""

    def __init__(self, name: str) -> None:
        """Nothing runs before `start`."""
        self._name = name
        self._work: queue.SimpleQueue[tuple[Callable[[], Any], asyncio.Future[Any]] | None]
        self._work = queue.SimpleQueue()

    def start(self) -> None:
        """For the running event loop."""
        arguments = (asyncio.get_running_loop(),)
        threading.Thread(target=self._run, args=arguments, name=self._name, daemon=True).start()

    def stop(self) -> None:
        """After what was given to it."""
        self._work.put(None)

    async def run(self, work: Callable[[], Result]) -> Result:
        """The result, or what it raised."""
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        self._work.put((work, future))
        result: Result = await future
        return result

    def _run(self, loop: asyncio.AbstractEventLoop) -> None:
        while (given := self._work.get()) is not None:
            work, future = given
            result: Any
            try:
                result = work()
            except Exception as error:
                result = error
            try:
                loop.call_soon_threadsafe(settle, future, result)
            except RuntimeError:
                # The loop is gone and nobody is left to hear; what was done stays so.
                return


def settle(future: "asyncio.Future[Any]", result: Any) -> None:
    """Tell whoever waits; they may have gone away."""
    if future.done():
        return
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)
