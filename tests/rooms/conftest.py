"""Workers without a network."""

from pathlib import Path
from typing import Any

import pytest
from tests.rooms.workers import Worker

from varv.buses.memory import Hub
from varv.stores.memory import MemoryStore


@pytest.fixture
async def worker(tmp_path: Path) -> Any:
    made = Worker(MemoryStore(), Hub(), tmp_path)
    await made.registry.open()
    yield made
    await made.registry.close()


@pytest.fixture
async def two(tmp_path: Path) -> Any:
    """Two workers over one store whose bus is lost: neither hears of the other."""
    store = MemoryStore()
    workers = [Worker(store, Hub(), tmp_path), Worker(store, Hub(), tmp_path)]
    for worker in workers:
        await worker.registry.open()
    yield workers
    for worker in workers:
        await worker.registry.close()
