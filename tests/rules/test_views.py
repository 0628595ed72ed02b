"""What is shown has the fields that the protocol promises."""

import json
import re
from pathlib import Path

import pytest
from tests.table import table

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
EDITIONS = pytest.mark.parametrize("edition", ["dj", "oracle"])


def promised(heading: str) -> dict:
    """The example under a heading of the protocol, without its comments."""
    block = re.search(rf"## {heading}\n\n```jsonc\n(.*?)```", PROTOCOL, re.DOTALL)
    assert block
    text = re.sub(r"//.*", "", block[1]).replace(", …", "").replace("[…]", "[]")
    return json.loads(text)


@EDITIONS
def test_the_snapshot_has_the_fields_of_the_protocol(edition):
    example = promised("Snapshot")
    shown = table(edition, 3).starts().snapshot()
    assert set(example) <= set(shown)
    assert set(example["round"]) <= set(shown["round"])
    assert set(example["cycle"]) == set(shown["cycle"])
    assert set(example["players"][0]) <= set(shown["players"][0])
    assert set(example["standings"][0]) == set(shown["standings"][0])


def test_cards_have_the_fields_of_the_protocol():
    example = promised("Snapshot")["players"][0]
    at = table("oracle", 3).plays_round(right=["Bo"])
    bo, ada = at.snapshot()["players"][1], at.snapshot()["players"][0]
    assert [set(card) for card in bo["timeline"]] == [set(card) for card in example["timeline"]]
    assert set(example["side_cards"][0]) <= set(ada["side_cards"][0])


def test_the_viewer_has_the_fields_of_the_protocol():
    example = promised("Viewer")
    shown = table("oracle", 3).starts().uses_joker("Bo").view("Bo")
    assert set(example) == set(shown)
    assert set(example["guess"]) == set(shown["guess"])
    assert set(example["decade"]) == set(shown["decade"])
