"""Keeping to the pace that a service outside asks for."""

import asyncio
import time


class Throttle:
    """Lets `calls` through per `seconds`, one after another, evenly spaced."""

    def __init__(self, calls: int, seconds: float) -> None:
        """The first call passes at once."""
        self._gap = seconds / calls
        self._next = 0.0
        self._turn = asyncio.Lock()

    async def wait(self) -> None:
        """Until it is our turn."""
        async with self._turn:
            now = time.monotonic()
            if now < self._next:
                await asyncio.sleep(self._next - now)
            self._next = max(now, self._next) + self._gap
