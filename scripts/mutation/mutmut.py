"""mutmut's mutants: made in a copy of the rules and their tests, tried by `trial`."""

import json
import os
import shutil
import subprocess
import sys
from pathlib import Path

from scripts.mutation import ROOT, RULES, selection
from scripts.mutation.survivors import Survivor

GOAL = 0.95
SETTINGS = """
[tool.mutmut]
source_paths = ["src"]
only_mutate = ["src/varv/rules/*"]
also_copy = ["docs", "scripts"]
pytest_add_cli_args = ["-p", "no:cacheprovider", "-p", "no:cov", "-p", "no:xdist"]
pytest_add_cli_args_test_selection = {selection}

[tool.pytest.ini_options]
asyncio_mode = "auto"
asyncio_default_fixture_loop_scope = "function"
addopts = "-q --strict-markers"
pythonpath = ["."]
markers = ["rule(*ids): the rules that this test shows"]
"""


def make_copy(to: Path) -> None:
    """The rules and their tests, alone, with mutmut's settings."""
    (to / "src" / "varv").mkdir(parents=True)
    shutil.copy(ROOT / "src/varv/__init__.py", to / "src/varv/__init__.py")
    ignore = shutil.ignore_patterns("__pycache__", "*.png")
    shutil.copytree(RULES, to / "src/varv/rules", ignore=ignore)
    for name in ("docs", "scripts", "tests/rules", "tests/scenarios"):
        shutil.copytree(ROOT / name, to / name, ignore=ignore)
    for name in ("conftest.py", "onlooker.py", "table.py"):
        shutil.copy(ROOT / "tests" / name, to / "tests" / name)
    text = SETTINGS.format(selection=json.dumps(selection.quick(to)))
    (to / "pyproject.toml").write_text(text)


def changed_since(copied: Path) -> list[str]:
    """The rules and tests that are no longer what they were when the copy was made."""
    folders = (ROOT / "src/varv/rules", ROOT / "tests/rules", ROOT / "tests/scenarios")
    paths = {
        path.relative_to(root)
        for root in (ROOT, copied)
        for folder in folders
        for path in (root / folder.relative_to(ROOT)).rglob("*")
        if path.suffix in (".py", ".txt") and path.is_file()
    }
    return sorted(str(path) for path in paths if _bytes(ROOT / path) != _bytes(copied / path))


def _bytes(path: Path) -> bytes | None:
    return path.read_bytes() if path.exists() else None


def survivors(work: Path, timeout: int) -> tuple[list[Survivor], bool]:
    """Which of mutmut's mutants no test kills, and whether enough are killed."""
    if not (work / "pyproject.toml").exists():
        make_copy(work)
    changed = changed_since(work)
    if changed:
        sys.exit(f"Not what {work} was made from: {', '.join(changed)}. Remove it to start again.")
    environment = {**os.environ, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    if not (work / "mutants" / "mutmut-stats.json").exists():
        first = "varv.rules.timeline.x_fits__mutmut_1"
        command = [sys.executable, "-m", "mutmut", "run", "--max-children", "1", first]
        subprocess.run(command, cwd=work, env=environment, check=True, stdout=subprocess.DEVNULL)
    command = [sys.executable, "-m", "scripts.mutation", "try"]
    command += ["--work", str(work), "--timeout", str(timeout)]
    subprocess.run(command, cwd=ROOT, env=environment, check=True)
    results: dict[str, str] = json.loads((work / "results.json").read_text())
    names = [name for name, result in results.items() if result == "survived"]
    killed = len(results) - len(names)
    print(f"mutmut: {killed} of {len(results)} mutants killed, {100 * killed / len(results):.1f} %")
    return [Survivor(_where(name), _change(work, name)) for name in names], killed >= GOAL * len(
        results
    )


def _where(name: str) -> str:
    """The function as it is called: "evolve._given" for "varv.rules.evolve.x__given__mutmut_1"."""
    module, _, function = name.rpartition("__mutmut_")[0].rpartition(".")
    plain = ".".join(function.split("ǁ")[1:]) if "ǁ" in function else function.removeprefix("x_")
    return f"{module.removeprefix('varv.rules.')}.{plain}"


def _change(work: Path, name: str) -> str:
    """What mutmut changed, as "`before` → `after`"."""
    command = [sys.executable, "-m", "mutmut", "show", name]
    shown = subprocess.run(command, cwd=work, capture_output=True, text=True, check=True).stdout
    lines = [line for line in shown.splitlines() if not line.startswith(("+++", "---"))]
    before, after = (
        " ".join(line[1:].strip() for line in lines if line.startswith(sign)) for sign in "-+"
    )
    return f"`{before}` → `{after}`"
