"""How long tests wait for what has to happen: for the thing itself, and never for a while."""

import asyncio
from collections.abc import Awaitable, Callable

PATIENCE = 120
"""Seconds, also for a machine that does much else; nothing that works takes nearly as long."""


async def becomes(condition: Callable[[], bool | Awaitable[bool]]) -> None:
    """Wait until this is so; a condition may have to be asked of a server."""
    async with asyncio.timeout(PATIENCE):
        while True:
            found = condition()
            if found if isinstance(found, bool) else await found:
                return
            await asyncio.sleep(0.01)
