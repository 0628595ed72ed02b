"""Which tests a mutant is tried on, and in which order."""

from pathlib import Path

PROOFS = ("test_walk.py", "test_secrets.py", "test_random_play.py")
"""Too slow to be tried first; what survives all others is tried on the last two."""
SOURCE_TESTS = ("test_purity.py",)
READS_SOURCES = (
    "tests/rules/test_editions.py::test_nobody_asks_which_edition_it_is",
    "tests/rules/test_editions.py::test_no_other_rule_names_an_edition",
)
"""Tests that read the sources themselves, which are not what runs."""

ENVIRONMENT = {"PYTEST_DISABLE_PLUGIN_AUTOLOAD": "1"}
LEAN = ("-q", "-p", "pytest_asyncio.plugin", "-p", "no:cacheprovider", "--assert=plain", "--tb=no")
"""Nothing that these tests do not need, nor a word on why one fails, which takes longest."""

TINY = ("machine", "difficulty", "jokers", "names", "timeline")
SMALL = ("candidates", "ranking", "coupling", "refusals", "edition_dj", "edition_oracle")


def deselected() -> list[str]:
    """The arguments for pytest that leave out what reads the sources."""
    return [f"--deselect={test}" for test in READS_SOURCES]


def quick(root: Path) -> list[str]:
    """The arguments for pytest that select all tests of the rules but the slow ones."""
    tests = [
        f"tests/rules/{path.name}"
        for path in sorted((root / "tests" / "rules").glob("test_*.py"))
        if path.name not in (*PROOFS, *SOURCE_TESTS)
    ]
    return [*tests, *deselected()]


def stages(root: Path, module: str) -> list[list[str]]:
    """All tests of the rules, in the order in which to try them: the module's own first."""
    folder = root / "tests" / "rules"
    own = module.rpartition(".")[2]
    known = {folder / name for name in (*PROOFS, *SOURCE_TESTS)}
    found: list[list[str]] = []
    for names in ((own, f"{own}_*", f"edition_{own}"), TINY, SMALL):
        matching = (sorted(folder.glob(f"test_{name}.py")) for name in names)
        paths = [path for paths in matching for path in paths if path not in known]
        known.update(paths)
        found.append([str(path) for path in paths])
    found.append([str(path) for path in sorted(folder.glob("test_*.py")) if path not in known])
    found.append([str(folder / name) for name in ("test_random_play.py", "test_secrets.py")])
    return [stage for stage in found if stage]
