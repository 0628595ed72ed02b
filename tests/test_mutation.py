"""The document of survivors is true, and the tables are changed row by row."""

import ast
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

import pytest
from scripts.mutation import RULES, mutmut, selection, survivors, tables
from scripts.mutation.changes import changes
from scripts.mutation.survivors import Survivor

from varv.rules.editions import EDITIONS


def changed(value: str) -> dict[str, str]:
    return {what: ast.unparse(new) for what, new in changes(ast.parse(value, mode="eval").body)}


@pytest.mark.parametrize(
    ("value", "expected"),
    [
        ("3", {"3 becomes 2": "2", "3 becomes 4": "4"}),
        ("True", {"becomes False": "False"}),
        ("'a name'", {}),
        ("{A.B: A.C, A.C: A.B}", {
            "without A.B": "{A.C: A.B}",
            "A.B leads to A.B": "{A.B: A.B, A.C: A.B}",
            "without A.C": "{A.B: A.C}",
            "A.C leads to A.C": "{A.B: A.C, A.C: A.C}",
        }),
        ("frozenset({x})", {"without x": "frozenset(set())"}),
        ("set('ab')", {"without 'a'": "set('b')", "without 'b'": "set('a')"}),
        ("str.maketrans({'ø': 'o'})", {"without 'ø'": "str.maketrans({})"}),
        ("re.compile('a')", {}),
        ("(f(1), g(2))", {
            "without f(1)": "(g(2),)",
            "without g(2)": "(f(1),)",
            "f(1) after the next": "(g(2), f(1))",
        }),
        ("RoundState.LOCKED", {"becomes RoundState.GUESSING": "RoundState.GUESSING"}),
    ],
)  # fmt: skip
def test_what_is_changed(value: str, expected: dict[str, str]):
    assert changed(value) == expected


@pytest.mark.parametrize("edition", EDITIONS)
def test_every_row_of_a_transition_table_is_left_out_and_led_elsewhere(edition: str):
    name = f"editions.{edition}.{type(EDITIONS[edition]).__name__}.rounds"
    made = [mutant.change for mutant in tables.mutants(name)]
    rows = len(EDITIONS[edition].rounds)
    assert sum(change.startswith("without ") for change in made) == rows
    assert sum(" leads to " in change for change in made) == rows


ONE = Survivor("jokers.left", "`a | b` → `a`")
OTHER = Survivor("jokers.settle", "`max(0, …)` → `max(1, …)`")


@pytest.fixture
def document(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    path = tmp_path / "mutants.md"
    path.write_text(f"# Mutants\n\n## Tables\n\nNone.\n\n## mutmut\n\n{ONE.row()}\n\n## More\n")
    monkeypatch.setattr(survivors, "DOCUMENT", path)
    return path


def test_a_listed_survivor_is_explained(document: Path):
    assert survivors.listed(document.read_text(), "mutmut") == {ONE}
    assert survivors.all_explained([ONE], "mutmut")


def test_an_unlisted_one_is_told(document: Path, capsys: pytest.CaptureFixture[str]):
    assert not survivors.all_explained([ONE, OTHER], "mutmut")
    assert OTHER.row() in capsys.readouterr().out
    assert not survivors.all_explained([ONE], "Tables"), "it is listed elsewhere"


def test_one_that_is_killed_may_not_stay_in_the_list(document: Path):
    assert not survivors.all_explained([], "mutmut")
    assert survivors.all_explained([], "mutmut", whole=False)


def test_the_document_names_what_there_is_and_gives_a_reason():
    text = survivors.DOCUMENT.read_text()
    rows = [line for line in text.splitlines() if line.startswith("| `")]
    read = survivors.listed(text, "Tables") | survivors.listed(text, "mutmut")
    assert len(read) == len(rows), "each is in a section, and none is there twice"
    for row in rows:
        match = survivors.ROW.match(row)
        assert match and match["why"] != "why?"
        assert exists(match["where"])


def exists(where: str) -> bool:
    """Whether there is such a function or table: "editions.base.Edition.judge"."""
    names = where.split(".")
    last = max(n for n in range(1, len(names)) if module_path(names[:n]).exists())
    found: Any = import_module(".".join(("varv.rules", *names[:last])))
    return all((found := getattr(found, name, None)) is not None for name in names[last:])


def module_path(names: list[str]) -> Path:
    path = RULES.joinpath(*names)
    return path if path.is_dir() else path.with_suffix(".py")


def test_what_there_is_not_would_be_seen():
    assert exists("editions.base.Edition.judge") and exists("decide.join")
    assert not exists("decide.leave") and not exists("editions.base.Edition.judges")


def test_the_copy_that_is_mutated_has_all_that_the_tests_of_the_rules_need(tmp_path: Path):
    mutmut.make_copy(tmp_path)
    tests = selection.quick(tmp_path)
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "-p", "no:cacheprovider", "--collect-only", *tests],
        cwd=tmp_path,
        env=os.environ | {"PYTHONPATH": str(tmp_path / "src"), "PYTHONDONTWRITEBYTECODE": "1"},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout


def test_the_tests_of_a_module_are_tried_first_and_every_test_once():
    root = Path(__file__).parents[1]
    first, *later = selection.stages(root, "varv.rules.decide")
    names = [Path(path).name for path in first]
    assert names[0] == "test_decide.py" and "test_decide_guesses.py" in names
    tried = [Path(path).name for stage in (first, *later) for path in stage]
    every = {path.name for path in (root / "tests" / "rules").glob("test_*.py")}
    assert len(tried) == len(set(tried))
    assert every - set(tried) == {"test_purity.py", "test_walk.py"}
