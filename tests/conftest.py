"""What all tests share."""

from collections.abc import Iterator

import pytest
from tests.table import open_tables


@pytest.fixture(autouse=True)
def no_unexpected_refusals() -> Iterator[None]:
    """A refusal at the end of a test that the test did not expect is a failure of it."""
    open_tables.clear()
    yield
    tables = list(open_tables)
    open_tables.clear()
    for at in tables:
        at.settled()
