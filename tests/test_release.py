"""A release is made whole, or not at all."""

import subprocess
from collections.abc import Callable
from datetime import date
from pathlib import Path

import pytest
from scripts import release

TODAY = date(2026, 2, 3)
CHANGELOG = """# Changelog

What a player gets.

## Unreleased

- A third edition.

## 0.1.0 (2026-01-01)

- Two editions.
"""


@pytest.fixture
def root(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A repository with a version and something unreleased."""
    for role in ("AUTHOR", "COMMITTER"):
        monkeypatch.setenv(f"GIT_{role}_NAME", "Maja")
        monkeypatch.setenv(f"GIT_{role}_EMAIL", "maja@example.org")
    root = tmp_path / "varv"
    (root / "src" / "varv").mkdir(parents=True)
    (root / "src" / "varv" / "__init__.py").write_text('"""Varv."""\n\n__version__ = "0.1.0"\n')
    (root / "CHANGELOG.md").write_text(CHANGELOG)
    (root / ".gitignore").write_text("dist/\n")
    release.git(tmp_path, "init", "--quiet", "--initial-branch", "main", str(root))
    commit(root, "First")
    release.git(root, "tag", "v0.1.0")
    return root


def commit(root: Path, message: str) -> None:
    release.git(root, "add", ".")
    release.git(root, "commit", "--quiet", "--message", message)


def builds(*names: str) -> Callable[[Path], None]:
    """Stands in for a build that leaves these files."""

    def build(root: Path) -> None:
        (root / "dist").mkdir(exist_ok=True)
        for name in names:
            (root / "dist" / name).touch()

    return build


GOOD = builds("varv-0.2.0-py3-none-any.whl", "varv-0.2.0.tar.gz")


def test_it_writes_version_and_changelog_and_tags_what_was_built(root: Path):
    seen = []

    def build(root: Path) -> None:
        seen.append((root / "src" / "varv" / "__init__.py").read_text())
        GOOD(root)

    built = release.release(root, "0.2.0", TODAY, build)
    assert built == ["varv-0.2.0-py3-none-any.whl", "varv-0.2.0.tar.gz"]
    assert seen == ['"""Varv."""\n\n__version__ = "0.2.0"\n']
    assert release.git(root, "show", "v0.2.0:src/varv/__init__.py") == seen[0].strip()
    assert release.git(root, "show", "v0.2.0:CHANGELOG.md").splitlines()[4:9] == [
        "## Unreleased",
        "",
        "## 0.2.0 (2026-02-03)",
        "",
        "- A third edition.",
    ]
    assert release.git(root, "cat-file", "-t", "v0.2.0") == "tag"  # what --follow-tags pushes
    assert release.git(root, "log", "-1", "--format=%s") == "Release 0.2.0"
    assert release.git(root, "status", "--porcelain") == ""


def test_the_version_it_has_may_be_its_first_release(root: Path):
    release.git(root, "tag", "--delete", "v0.1.0")
    release.check(root, "0.1.0")


def test_a_higher_number_is_higher_though_it_sorts_before(root: Path):
    release.check(root, "0.10.0")


@pytest.mark.parametrize(
    ("version", "says"),
    [
        ("0.2", "no version"),
        ("v0.2.0", "no version"),
        ("0.02.0", "no version"),
        ("0.2.0\n", "no version"),
        ("0.2.0rc1", "no version"),
        ("0.1.0", "a tag v0.1.0 already"),
        ("0.0.9", "lower than 0.1.0"),
    ],
)
def test_a_version_that_will_not_do_is_refused(root: Path, version: str, says: str):
    with pytest.raises(release.Refused, match=says):
        release.check(root, version)


def _on_a_branch(root: Path) -> None:
    release.git(root, "switch", "--quiet", "--create", "idea")


def _on_no_branch(root: Path) -> None:
    release.git(root, "switch", "--quiet", "--detach")


def _changed(root: Path) -> None:
    (root / "CHANGELOG.md").write_text(CHANGELOG + "\n")


def _with_a_new_file(root: Path) -> None:
    (root / "notes.txt").touch()


def _with_nothing_unreleased(root: Path) -> None:
    (root / "CHANGELOG.md").write_text(CHANGELOG.replace("- A third edition.\n", ""))
    commit(root, "Nothing new")


def _without_the_heading(root: Path) -> None:
    (root / "CHANGELOG.md").write_text(CHANGELOG.replace("## Unreleased", "## Soon"))
    commit(root, "No heading")


@pytest.mark.parametrize(
    ("change", "says"),
    [
        (_on_a_branch, "made from main, and this is idea"),
        (_on_no_branch, "made from main, and this is no branch"),
        (_changed, "not committed"),
        (_with_a_new_file, "not committed"),
        (_with_nothing_unreleased, "nothing under “Unreleased”"),
        (_without_the_heading, "nothing under “Unreleased”"),
    ],
)
def test_a_tree_that_will_not_do_is_refused_and_left_alone(
    root: Path, change: Callable[[Path], None], says: str
):
    change(root)
    before = [release.git(root, "rev-parse", "HEAD"), release.git(root, "diff")]
    with pytest.raises(release.Refused, match=says):
        release.release(root, "0.2.0", TODAY, GOOD)
    assert [release.git(root, "rev-parse", "HEAD"), release.git(root, "diff")] == before
    assert release.git(root, "tag") == "v0.1.0"


def _breaks(root: Path) -> None:
    raise subprocess.CalledProcessError(1, "build")


@pytest.mark.parametrize(
    "build", [_breaks, builds("varv-0.1.0.tar.gz"), builds()], ids=["breaks", "old", "empty"]
)
def test_what_cannot_be_built_is_not_tagged_and_changes_nothing(
    root: Path, build: Callable[[Path], None]
):
    with pytest.raises((subprocess.CalledProcessError, release.Refused)):
        release.release(root, "0.2.0", TODAY, build)
    assert release.git(root, "tag") == "v0.1.0"
    assert release.git(root, "status", "--porcelain") == ""
    assert release.git(root, "log", "-1", "--format=%s") == "First"


def test_a_commit_that_git_refuses_changes_nothing(root: Path):
    hook = root / ".git" / "hooks" / "pre-commit"
    hook.parent.mkdir(exist_ok=True)
    hook.write_text("#!/bin/sh\necho not today >&2\nexit 1\n")
    hook.chmod(0o755)
    with pytest.raises(release.Refused, match="git commit failed: not today"):
        release.release(root, "0.2.0", TODAY, GOOD)
    assert release.git(root, "status", "--porcelain") == ""


def test_a_tag_that_git_refuses_takes_the_commit_with_it(root: Path):
    before = release.git(root, "rev-parse", "HEAD")
    release.git(root, "config", "tag.gpgSign", "true")
    release.git(root, "config", "gpg.program", "false")
    with pytest.raises(release.Refused, match="git tag failed"):
        release.release(root, "0.2.0", TODAY, GOOD)
    assert release.git(root, "rev-parse", "HEAD") == before
    assert release.git(root, "status", "--porcelain") == ""
    assert release.git(root, "tag") == "v0.1.0"


@pytest.mark.parametrize(
    ("arguments", "code", "says"),
    [
        ([], 2, "Usage"),
        (["--check"], 2, "Usage"),
        (["0.2.0", "0.3.0"], 2, "Usage"),
        (["0.0.1"], 1, "lower than"),
        (["--check", "0.0.1"], 1, "lower than"),
        (["--check", "0.2.0"], 0, ""),
    ],
)
def test_the_command_says_why_not_in_one_line(
    root: Path,
    capsys: pytest.CaptureFixture[str],
    arguments: list[str],
    code: int,
    says: str,
):
    assert release.main(arguments, root) == code
    error = capsys.readouterr().err
    assert says in error and error.count("\n") == bool(says)
    assert release.git(root, "status", "--porcelain") == ""
