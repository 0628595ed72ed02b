"""Cards have the fields that the protocol promises (all others: tests/web)."""

import json
import re
from pathlib import Path

from tests.table import table

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()


def promised(heading: str) -> dict:
    """The example under a heading of the protocol, without its comments."""
    block = re.search(rf"## {heading}\n\n```jsonc\n(.*?)```", PROTOCOL, re.DOTALL)
    assert block
    return json.loads(re.sub(r"//.*", "", block[1]))


def test_cards_have_the_fields_of_the_protocol():
    """Which of them a card has depends on its kind, and that no schema says."""
    start, won = promised("Snapshot")["players"][0]["timeline"]
    at = table("oracle", 3).plays_round(right=["Bo"])
    ada, bo, _ = at.snapshot()["players"]
    assert [set(card) for card in bo["timeline"]] == [set(start), set(won)]
    assert [set(card) for card in ada["side_cards"]] == [set(won)]
