"""Games in plain words, and the examples in the documents, are played as they stand."""

from pathlib import Path

import pytest
from tests.scenarios.notation import Scenario, documented, parse, play, scenarios
from tests.table import open_tables

ROOT = Path(__file__).parents[2]
DOCUMENTS = [
    *sorted(ROOT.glob("*.md")),
    *sorted((ROOT / "docs").glob("*.md")),
    ROOT / "tests" / "scenarios" / "README.md",
]
ALL = scenarios()
EXAMPLES = [example for document in DOCUMENTS for example in documented(document)]


def test_there_are_enough_of_both_editions():
    for edition in ("dj", "oracle"):
        assert len([scenario for scenario in ALL if scenario.edition == edition]) >= 20
    assert len({scenario.where for scenario in ALL}) >= 45


def test_the_examples_in_the_documents_are_found():
    assert "README.md" in {example.where for example in EXAMPLES}


@pytest.mark.parametrize(
    "scenario", [*ALL, *EXAMPLES], ids=lambda scenario: f"{scenario.edition}: {scenario.title}"
)
def test_scenario(scenario: Scenario):
    play(scenario)


HEAD = "title: T\nedition: oracle\nrules: GAME-01\n\nAt the table: Ada, Bo, Cia\n"


@pytest.mark.parametrize(
    ("body", "message"),
    [
        ("Ada locks", "refused"),
        ("Ada starts with a song from 1995  refused: LEADER_ONLY", "accepted"),
        ("Bo starts with a song from 1995  refused: HOST_ONLY", "LEADER_ONLY"),
        ("Ada dances", "no such phrase"),
        ("  - Bo's jokers: 2", "it is 1"),
        ("Ada finishes the game\n  - places: 1 Ada, 1 Bo, 1 Cia", r"it is \[\]"),
        ("Ada starts with a song from 1995", "shows nothing"),
    ],
)
def test_a_scenario_can_fail(body: str, message: str):
    (scenario,) = parse("here", HEAD + body)
    with pytest.raises(AssertionError, match=message):
        play(scenario)
    open_tables.clear()
