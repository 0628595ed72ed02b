"""Games played once for all tests that look at what came out of them."""

import pytest

from varv.bots.simulate import Plan, play
from varv.bots.tally import Tally


@pytest.fixture(scope="session")
def mixed() -> dict[str, Tally]:
    """Games of players of all skills, in both editions."""
    return {
        edition: play(Plan(edition, sizes=(5, 8), games=40, seed=7), range(40))
        for edition in ("dj", "oracle")
    }
