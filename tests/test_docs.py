"""The generated documents say what the rules say."""

import doctest
import re
import subprocess
import sys
from pathlib import Path

import pytest
from scripts import docs

from varv.rules.coupling import CONSEQUENCES
from varv.rules.editions import EDITIONS
from varv.rules.refusals import Reason

ROOT = Path(__file__).parents[1]


def test_they_are_fresh():
    done = subprocess.run(
        [sys.executable, "scripts/docs.py", "--check"], cwd=ROOT, capture_output=True, text=True
    )
    assert done.returncode == 0, done.stderr


def test_a_stale_one_is_found(tmp_path: Path):
    assert docs.stale(tmp_path) == ["refusals.md", "machines.md"]
    for name, text in docs.documents().items():
        (tmp_path / name).write_text(text)
    assert docs.stale(tmp_path) == []
    (tmp_path / "machines.md").write_text("old")
    assert docs.stale(tmp_path) == ["machines.md"]


@pytest.mark.parametrize("reason", Reason)
def test_every_reason_is_listed_with_its_rule(reason: Reason):
    (row,) = re.findall(rf"^\| `{reason}` \|.*$", docs.refusals(), re.MULTILINE)
    assert row == f"| `{reason}` | `{reason.code}` | {reason.rule} | {reason.detail} |"


def test_every_consequence_is_described():
    assert list(docs.FOLLOWS) == [row.rules for row in CONSEQUENCES]


@pytest.mark.parametrize("name", EDITIONS)
def test_every_move_of_an_edition_is_drawn(name: str):
    text = docs.machines().split(f"## Rounds of the `{name}` edition")[1].split("\n## ")[0]
    for (source, _), target in EDITIONS[name].rounds.items():
        if source is not target:
            assert f"{source} --> {target} : " in text


@pytest.mark.parametrize("name", ["LOCKED --> ABORTED", "REVEALED_TIMELINE --> ABORTED"])
def test_what_happens_by_itself_is_drawn_too(name: str):
    assert re.search(rf"{name} : .*end of the game\*", docs.machines())


DOCUMENTS = [*sorted(ROOT.glob("*.md")), *sorted((ROOT / "docs").glob("*.md"))]
SESSIONS = [path for path in DOCUMENTS if "\n>>> " in path.read_text()]


def test_there_is_a_session_to_try():
    assert ROOT / "docs" / "architecture.md" in SESSIONS


@pytest.mark.parametrize("path", SESSIONS, ids=lambda path: path.name)
def test_what_a_document_types_in_answers_as_it_says(path: Path):
    tried = doctest.testfile(str(path), module_relative=False, encoding="utf-8")
    assert tried.attempted and not tried.failed
