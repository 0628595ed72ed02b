"""The documents are true: what is generated, what they name, and what they tell one to type."""

import ast
import doctest
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from scripts import docs

from varv.cli.commands import app
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


@pytest.mark.parametrize("path", DOCUMENTS, ids=lambda path: path.name)
def test_links_lead_somewhere(path: Path):
    text = path.read_text()
    for link in (*re.findall(r"\]\(([^)]+)\)", text), *re.findall(r'src="([^"]+)"', text)):
        file, _, heading = link.partition("#")
        target = path.parent / file if file else path
        assert target.exists(), link
        assert not heading or heading in headings(target), link


def headings(path: Path) -> set[str]:
    """What a link can name after its `#`."""
    found = re.findall(r"^#+ (.+)$", path.read_text(), re.MULTILINE)
    return {re.sub(r"[^\w -]", "", heading.lower()).replace(" ", "-") for heading in found}


PLACES = [ROOT / place for place in (
    ".", "docs", "src", "src/varv", "src/varv/rules", "src/varv/rules/views", "src/varv/music",
    "client/src",
)]  # fmt: skip
MAPS = ["architecture.md", "CONTRIBUTING.md"]


@pytest.mark.parametrize("name", MAPS)
def test_a_map_names_files_that_there_are(name: str):
    (text,) = (path.read_text() for path in DOCUMENTS if path.name == name)
    named = re.findall(r"`([\w./*-]+\.(?:py|md|ts|svelte|css))`", text)
    there = {file for file in named if any(any(place.glob(file)) for place in PLACES)}
    assert named and set(named) - there <= {"docs/manual.xx.md"}, "xx is any language"


def test_the_map_has_a_place_for_every_module_of_the_rules():
    text = (ROOT / "docs" / "architecture.md").read_text().split("## The way of a command")[0]
    for path in (ROOT / "src" / "varv" / "rules").glob("[!_]*.py"):
        assert f"`{path.name}`" in text


def commands() -> Iterator[tuple[str, str]]:
    """Every line to type in a document, and where it stands."""
    for path in DOCUMENTS:
        for block in re.findall(r"^```(?:sh)?\n(.*?)^```", path.read_text(), re.DOTALL | re.M):
            yield from ((line.split("#")[0].strip(), path.name) for line in block.splitlines())
        quoted = re.findall(r"`((?:varv|make) [^`\n]+)`", path.read_text())
        yield from ((line, path.name) for line in quoted)


VARV = [(line, name) for line, name in commands() if re.match(r"(\.venv/bin/)?varv( |$)", line)]
MAKE = [(line, name) for line, name in commands() if line.startswith("make ")]


@pytest.mark.parametrize(("line", "name"), VARV, ids=lambda value: value)
def test_commands_to_type_are_commands_of_varv(line: str, name: str):
    """Every word is a command, an option of one that stands before it, or a value."""
    command: click.Command = app
    known = {"--help", *(option for one in app.params for option in one.opts)}
    before = ""
    for word in shlex.split(re.sub(r"[][\\|]", " ", line))[1:]:
        group = isinstance(command, click.Group)
        inner = command.get_command(click.Context(command), word) if group else None
        if inner is not None:
            command = inner
            known |= {option for one in command.params for option in one.opts}
        elif word.startswith("-"):
            assert word in known, name
        else:
            assert not group or before.startswith("-") or word == "…", (name, word)
        before = word


@pytest.mark.parametrize(("line", "name"), MAKE, ids=lambda value: value)
def test_targets_to_make_are_in_the_makefile(line: str, name: str):
    makefile = (ROOT / "Makefile").read_text()
    target = line.split()[1]
    assert re.search(rf"^{re.escape(target)}:", makefile, re.MULTILINE), name


def test_the_readme_taps_a_button_that_there_is():
    words = (ROOT / "client" / "src" / "lib" / "i18n" / "en.ts").read_text()
    tapped = re.findall(r"[Tt]ap\s\*\*(.+?)\*\*", (ROOT / "README.md").read_text())
    assert tapped and all(f"'{button}'" in words for button in tapped)


def test_every_module_says_what_lives_there():
    folders = ("src", "tests", "scripts", "bench")
    modules = [path for folder in folders for path in (ROOT / folder).rglob("*.py")]
    silent = [path for path in modules if not ast.get_docstring(ast.parse(path.read_text()))]
    assert modules and not silent
