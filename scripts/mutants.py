"""Show that the tests of the rules can fail: change the rules, and see that a test notices.

Two kinds of change, each made in a copy of the sources, never in the project's own files:

* `tables`: every row of every table of the rules is left out, and led somewhere else, in turn;
  every threshold is moved by one, both ways; every flag of an edition is turned.
* `mutmut`: the changes that mutmut makes to the code of every function.

`python scripts/mutants.py` does both and ends with status 1 if a changed table goes unnoticed or
fewer than 95 % of mutmut's mutants are killed. `docs/mutants.md` says what survived, and why.
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import json
import os
import random
import resource
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parents[1]
RULES = ROOT / "src" / "varv" / "rules"
GOAL = 0.95

SLOW = ("test_walk.py", "test_secrets.py", "test_random_play.py")
SOURCE_TESTS = ("test_purity.py",)
"""Tests that read the sources themselves."""
READS_SOURCES = (
    "tests/rules/test_editions.py::test_nobody_asks_which_edition_it_is",
    "tests/rules/test_editions.py::test_no_other_rule_names_an_edition",
)

HARMLESS = {
    "coupling.NOTHING_FOLLOWS": "it only saves the time to ask when nothing can follow",
    "candidates._IDS": "made from the parts; see OPTIONS",
    "commands.COMMANDS": "made from the union of commands",
    "events.EVENTS": "made from the union of events",
}
"""Tables whose rows change nothing that anybody could notice, and why."""


# Changed tables


@dataclass
class Mutant:
    """One change to one module: what it does, and the syntax tree with it."""

    module: str
    name: str
    change: str
    tree: ast.Module

    def __str__(self) -> str:
        """How it is printed."""
        return f"{self.module}.{self.name}: {self.change}"


def assignments(tree: ast.Module) -> Iterator[tuple[str, Any]]:
    """Every constant of a module, and of the editions in it: its name and the statement."""
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and _is_edition(node):
            for inner in node.body:
                yield from ((f"{node.name}.{name}", inner) for name in _names(inner))
        else:
            yield from ((name, node) for name in _names(node))


def _is_edition(node: ast.ClassDef) -> bool:
    return node.name == "Edition" or any(
        isinstance(base, ast.Name) and base.id == "Edition" for base in node.bases
    )


def _names(node: ast.stmt) -> list[str]:
    if isinstance(node, ast.Assign) and len(node.targets) == 1:
        target: ast.expr = node.targets[0]
    elif isinstance(node, ast.AnnAssign) and node.value is not None:
        target = node.target
    else:
        return []
    return [target.id] if isinstance(target, ast.Name) and target.id != "__all__" else []


def changes(value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    """Every change to a constant's value that a test should notice."""
    if isinstance(value, ast.Call) and isinstance(value.func, ast.Name) and value.args:
        if value.func.id in ("frozenset", "set"):
            yield from _inside(value, value.args[0])
    elif isinstance(value, ast.Dict):
        handlers = all(isinstance(row, ast.Name) for row in value.values)
        yield from _dict_changes(value, redirect=not handlers)
    elif isinstance(value, ast.Set | ast.Tuple | ast.List):
        yield from _sequence_changes(value)
    elif isinstance(value, ast.Constant):
        yield from _number_changes(value)
    elif _member(value):
        yield from ((f"becomes {ast.unparse(other)}", other) for other in _others(value, [])[:1])


def _inside(call: ast.Call, inner: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    for change, changed in changes(inner):
        yield change, ast.Call(call.func, [changed, *call.args[1:]], call.keywords)


def _dict_changes(value: ast.Dict, *, redirect: bool = True) -> Iterator[tuple[str, ast.expr]]:
    for index, key in enumerate(value.keys):
        if key is None:
            continue
        row = ast.unparse(key)
        yield f"without {row}", _dict_with(value, index, None)
        for other in _others(value.values[index], value.values)[:1] if redirect else ():
            yield f"{row} leads to {ast.unparse(other)}", _dict_with(value, index, other)
        for change, changed in _number_changes(value.values[index]):
            yield f"{row} {change}", _dict_with(value, index, changed)
        if isinstance(value.values[index], ast.Tuple):
            for change, changed in _sequence_changes(value.values[index], delete=False):
                yield f"{row} {change}", _dict_with(value, index, changed)


def _dict_with(value: ast.Dict, index: int, changed: ast.expr | None) -> ast.Dict:
    keys, values = list(value.keys), list(value.values)
    if changed is None:
        del keys[index], values[index]
    else:
        values[index] = changed
    return ast.Dict(keys, values)


def _sequence_changes(value: Any, *, delete: bool = True) -> Iterator[tuple[str, ast.expr]]:
    numbers = all(
        isinstance(item, ast.Constant) and isinstance(item.value, int) for item in value.elts
    )
    for index, item in enumerate(value.elts):
        if numbers:
            for change, changed in _number_changes(item):
                yield f"[{index}] {change}", _with_item(value, index, changed)
        elif delete:
            yield f"without {_short(item)}", _with_item(value, index, None)
    calls = all(isinstance(item, ast.Call) for item in value.elts)
    for index in range(len(value.elts) - 1) if calls and isinstance(value, ast.Tuple) else ():
        swapped = list(value.elts)
        swapped[index : index + 2] = swapped[index + 1], swapped[index]
        yield f"{_short(value.elts[index])} after the next", ast.Tuple(swapped, ast.Load())


def _with_item(value: Any, index: int, changed: ast.expr | None) -> ast.expr:
    items = list(value.elts)
    items[index : index + 1] = [] if changed is None else [changed]
    if isinstance(value, ast.Set):
        return ast.Set(items) if items else ast.Call(ast.Name("set", ast.Load()), [], [])
    return type(value)(items, ast.Load())  # type: ignore[no-any-return]


def _short(item: ast.expr) -> str:
    text = ast.unparse(item)
    return text if len(text) < 60 else text[:57] + "…"


def _number_changes(value: ast.expr) -> Iterator[tuple[str, ast.expr]]:
    if not isinstance(value, ast.Constant):
        return
    if isinstance(value.value, bool):
        yield f"becomes {not value.value}", ast.Constant(not value.value)
    elif isinstance(value.value, int):
        for number in (value.value - 1, value.value + 1):
            yield f"{value.value} becomes {number}", ast.Constant(number)


def _member(value: ast.expr) -> bool:
    """Whether it is a member of an enumeration or a function, such as `RoundState.LOCKED`."""
    return isinstance(value, ast.Name) or (
        isinstance(value, ast.Attribute) and isinstance(value.value, ast.Name)
    )


def _others(value: ast.expr, row: Sequence[ast.expr]) -> list[ast.expr]:
    """Other places a row could lead to: what other rows lead to, or another of the same kind."""
    if not _member(value):
        return []
    text = ast.unparse(value)
    known = {ast.unparse(other): other for other in row if _member(other)}
    texts = list(known)
    start = texts.index(text) + 1 if text in texts else 0
    found = [known[other] for other in texts[start:] + texts[:start] if other != text]
    if not found and isinstance(value, ast.Attribute):
        found = [
            ast.Attribute(value.value, sibling, ast.Load())
            for sibling in _SIBLINGS.get(ast.unparse(value.value), ())
            if sibling != value.attr
        ]
    return found


_SIBLINGS = {
    "RoundState": ("GUESSING", "LOCKED"),
    "CycleState": ("FINISHED", "ACTIVE"),
    "GameState": ("FINISHED", "LOBBY"),
    "CardKind": ("START", "DJ"),
    "Reason": ("STALE",),
    "Role": ("AUDIO", "HOST"),
}


def table_mutants(only: str) -> list[Mutant]:
    """Every changed table of the rules."""
    found = []
    for path in sorted(RULES.rglob("*.py")):
        module = ".".join(path.relative_to(RULES).with_suffix("").parts)
        tree = ast.parse(path.read_text())
        for name, statement in assignments(tree):
            if f"{module}.{name}" in HARMLESS or f"{module}.{name}".find(only) < 0:
                continue
            for change, changed in changes(statement.value):
                found.append(Mutant(module, name, change, _with_value(tree, statement, changed)))
    return found


def _with_value(tree: ast.Module, statement: Any, value: ast.expr) -> ast.Module:
    original, statement.value = statement.value, value
    mutated = copy.deepcopy(tree)
    statement.value = original
    return ast.fix_missing_locations(mutated)


class Changed(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Imports one module from a changed tree, and leaves all others alone."""

    def __init__(self, mutant: Mutant) -> None:
        """A finder for the mutant's module."""
        name = mutant.module.removesuffix("__init__").rstrip(".")
        self.name = f"varv.rules.{name}".rstrip(".")
        self.path = RULES / f"{mutant.module.replace('.', '/')}.py"
        self.tree = mutant.tree

    def find_spec(
        self, fullname: str, path: Any = None, target: Any = None
    ) -> importlib.machinery.ModuleSpec | None:
        """Ours, if it is the changed module."""
        if fullname != self.name:
            return None
        return importlib.util.spec_from_loader(
            fullname, self, origin=str(self.path), is_package=self.path.name == "__init__.py"
        )

    def exec_module(self, module: Any) -> None:
        """Run the changed module."""
        module.__file__ = str(self.path)
        exec(compile(self.tree, str(self.path), "exec"), module.__dict__)


def quick_tests(module: str) -> list[list[str]]:
    """Tests in the order in which they are tried: the module's own, then the small ones."""
    own = (module.rpartition(".")[2], f"edition_{module.rpartition('.')[2]}")
    tiny = ("machine", "difficulty", "jokers", "names", "timeline")
    small = ("candidates", "ranking", "coupling", "refusals", "edition_dj", "edition_oracle")
    folder = ROOT / "tests" / "rules"
    known = {folder / name for name in (*SLOW, *SOURCE_TESTS)}
    stages: list[list[str]] = []
    for names in (own, tiny, small):
        paths = [folder / f"test_{name}.py" for name in names]
        paths = [path for path in paths if path.exists() and path not in known]
        known.update(paths)
        stages.append([str(path) for path in paths])
    stages.append([str(path) for path in sorted(folder.glob("test_*.py")) if path not in known])
    stages.append([str(folder / name) for name in ("test_random_play.py", "test_secrets.py")])
    return [stage for stage in stages if stage]


def is_killed(mutant: Mutant, timeout: int) -> bool:
    """Whether a test notices; in a process of its own, which has not imported the rules yet."""
    child = os.fork()
    if child == 0:
        os._exit(_run_tests(mutant, timeout))
    _, status = os.waitpid(child, 0)
    return status != 0


def _run_tests(mutant: Mutant, timeout: int) -> int:
    import pytest

    limit(timeout)
    os.environ["MUTANT_UNDER_TEST"] = "table"
    sys.meta_path.insert(0, Changed(mutant))
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    for stage in quick_tests(mutant.module):
        arguments = ["-x", "-q", "-p", "no:cacheprovider", "-p", "no:cov", *stage]
        arguments += ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
        for test in READS_SOURCES:
            arguments += ["--deselect", test]
        if pytest.main(arguments) != 0:
            return 1
    return 0


def run_tables(only: str, timeout: int) -> bool:
    """Change every table; whether every change was noticed."""
    import hypothesis  # noqa: F401 - imported once here, not again in every child
    import msgspec  # noqa: F401
    import pytest  # noqa: F401

    os.chdir(ROOT)
    sys.path[:0] = [str(ROOT), str(ROOT / "src")]
    unchanged = ast.parse((RULES / "model.py").read_text())
    if is_killed(Mutant("model", "", "nothing", unchanged), timeout):
        print("The tests fail without any change: make them pass first.")
        return False
    mutants, survivors = table_mutants(only), []
    for number, mutant in enumerate(mutants, start=1):
        if not is_killed(mutant, timeout):
            survivors.append(mutant)
            print(f"\rsurvived: {mutant}")
        print(f"\r{number} of {len(mutants)}", end="", flush=True)
    print(f"\rtables: {len(mutants) - len(survivors)} of {len(mutants)} changes were noticed")
    return not survivors


# mutmut

PYPROJECT = """
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


def selection(folder: Path) -> list[str]:
    """The tests that mutmut's mutants are tried on, save for the slow ones."""
    left_out = (*SLOW, *SOURCE_TESTS)
    tests = [
        f"tests/rules/{path.name}"
        for path in sorted((folder / "tests" / "rules").glob("test_*.py"))
        if path.name not in left_out
    ]
    return [*tests, *(f"--deselect={test}" for test in READS_SOURCES)]


def make_copy(to: Path) -> None:
    """The rules and their tests, alone, with mutmut's settings."""
    (to / "src" / "varv").mkdir(parents=True)
    shutil.copy(ROOT / "src/varv/__init__.py", to / "src/varv/__init__.py")
    ignore = shutil.ignore_patterns("__pycache__")
    shutil.copytree(RULES, to / "src/varv/rules", ignore=ignore)
    shutil.copytree(ROOT / "docs", to / "docs", ignore=shutil.ignore_patterns("*.png"))
    shutil.copytree(ROOT / "scripts", to / "scripts", ignore=ignore)
    (to / "tests").mkdir()
    for name in ("rules", "scenarios"):
        shutil.copytree(ROOT / "tests" / name, to / "tests" / name, ignore=ignore)
    for name in ("conftest.py", "table.py"):
        shutil.copy(ROOT / "tests" / name, to / "tests" / name)
    text = PYPROJECT.format(selection=json.dumps(selection(to)))
    (to / "pyproject.toml").write_text(text)


def run_mutmut(work: Path) -> bool:
    """Let mutmut make its mutants and find the tests for each; whether enough are killed."""
    if not (work / "pyproject.toml").exists():
        make_copy(work)
    environment = {**os.environ, "PYTHONPATH": "", "PYTHONDONTWRITEBYTECODE": "1"}
    if not (work / "mutants" / "mutmut-stats.json").exists():
        first = "varv.rules.timeline.x_fits__mutmut_1"
        command = [sys.executable, "-m", "mutmut", "run", "--max-children", "1", first]
        subprocess.run(command, cwd=work, env=environment, check=True, stdout=subprocess.DEVNULL)
    command = [sys.executable, str(Path(__file__).resolve()), "try", "--work", str(work)]
    subprocess.run(command, cwd=work / "mutants", env=environment, check=True)
    results: dict[str, str] = json.loads((work / "results.json").read_text())
    survivors = [name for name, result in results.items() if result == "survived"]
    for name in survivors:
        show = [sys.executable, "-m", "mutmut", "show", name]
        shown = subprocess.run(
            show, cwd=work, env=environment, capture_output=True, text=True, check=False
        )
        print(f"survived: {name}", *_changed_lines(shown.stdout), sep="\n")
    killed = len(results) - len(survivors)
    print(f"mutmut: {killed} of {len(results)} mutants killed, {100 * killed / len(results):.1f} %")
    return killed >= GOAL * len(results)


class Trial:
    """A pytest plugin that collects the tests once and tries every mutant on them.

    mutmut itself starts pytest anew for every mutant; with two thousand mutants and as many tests
    that is most of the time. Here each mutant is a fork of the session that has collected them.
    """

    def __init__(self, work: Path, timeout: int) -> None:
        """Read which mutants there are, and mutmut's record of which tests come by each."""
        stats = json.loads((work / "mutants" / "mutmut-stats.json").read_text())
        self.tests: dict[str, list[str]] = stats["tests_by_mangled_function_name"]
        self.results_file = work / "results.json"
        self.timeout = timeout
        self.names = [
            name
            for path in sorted((work / "mutants" / "src").rglob("*.meta"))
            for name in json.loads(path.read_text())["exit_code_by_key"]
        ]
        random.Random(1).shuffle(self.names)  # so that what is done so far is a fair sample

    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of running the tests: try every mutant, and write down what became of it."""
        items = {item.nodeid: item for item in session.items}
        if self.dies("nothing", list(items.values())):
            print("The tests fail without any change: make them pass first.")
            os._exit(1)
        known = self.results_file
        results: dict[str, str] = json.loads(known.read_text()) if known.exists() else {}
        for name in self.names:
            if results.get(name) != "killed":
                killed = self.dies(name, [items[node] for node in self.nodes(name, items)])
                results[name] = "killed" if killed else "survived"
                known.write_text(json.dumps(results, indent=1))
            print(f"\r{len(results)} of {len(self.names)}", end="", flush=True)
        for name in [name for name, result in results.items() if result == "survived"]:
            if self.dies_afresh(name):
                results[name] = "killed"
                known.write_text(json.dumps(results, indent=1))
        print()
        return True

    def nodes(self, name: str, items: dict[str, Any]) -> list[str]:
        """The tests that come by a mutant, those most likely to notice it first."""
        function = name.rpartition("__mutmut_")[0]
        module = function.rpartition(".")[0]
        own = next(
            (test for part, test in LIKELY.items() if part in module), module.rpartition(".")[2]
        )
        likely = (f"/test_{own}.py", "/test_scenarios.py")
        nodes = [node for node in self.tests.get(function, ()) if node in items]
        random.Random(name).shuffle(nodes)  # neighbours are alike; let the first ones differ
        return sorted(nodes, key=lambda node: not node.partition("::")[0].endswith(likely))

    def dies(self, name: str, items: list[Any]) -> bool:
        """Whether one of these tests fails with the mutant, in a fork of this process."""
        child = os.fork()
        if child == 0:
            os._exit(self._run(name, items))
        return os.waitpid(child, 0)[1] != 0

    def _run(self, name: str, items: list[Any]) -> int:
        from _pytest.runner import runtestprotocol

        limit(self.timeout)
        os.environ["MUTANT_UNDER_TEST"] = name
        for item, following in zip(items, [*items[1:], None], strict=True):
            reports = runtestprotocol(item, log=False, nextitem=following)
            if any(report.failed for report in reports):
                return 1
        return 0

    def dies_afresh(self, name: str) -> bool:
        """Whether a new process notices: one that imports the rules with the mutant in place."""
        at_import = name.rpartition("__mutmut_")[0].rpartition(".")[2] in AT_IMPORT
        tests = selection(Path.cwd()) if at_import else ["tests/rules/test_random_play.py"]
        command = [sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", *tests]
        environment = {**os.environ, "MUTANT_UNDER_TEST": name, "PYTHONPATH": "src"}
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            check=False,
            preexec_fn=lambda: limit(self.timeout),
        )
        return done.returncode != 0


def limit(seconds: int) -> None:
    """End this process when it has used so much processor time, however busy the machine is."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


LIKELY = {
    "views": "views",
    "editions.base": "edition_dj",
    "editions.dj": "edition_dj",
    "editions.oracle": "edition_oracle",
    "permission": "who_may",
    "roles": "who_may",
}
"""Where to look first for a test that notices, if not in the module's own."""

AT_IMPORT = ("x_sources", "xǁEditionǁ__init__", "xǁReasonǁ__new__")
"""Functions that have done their work once the rules are imported."""


def try_mutants(work: Path, timeout: int) -> None:
    """In the folder of mutants: collect the tests, and try every mutant on them."""
    import pytest

    sys.path[:0] = [str(Path.cwd() / "src"), str(Path.cwd())]
    trial = Trial(work, timeout)
    pytest.main(["-p", "no:cacheprovider", "-p", "no:cov", *selection(Path.cwd())], plugins=[trial])


def _changed_lines(diff: str) -> list[str]:
    lines = [line for line in diff.splitlines() if line[:1] in "+-"]
    return [f"  {line}" for line in lines if not line.startswith(("+++", "---"))]


def main() -> None:
    """Run what is asked for."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawTextHelpFormatter
    )
    parser.add_argument(
        "what", nargs="?", choices=["all", "tables", "mutmut", "try"], default="all"
    )
    parser.add_argument("--only", default="", help="tables whose name contains this")
    parser.add_argument("--timeout", type=int, default=150, help="processor seconds for a mutant")
    parser.add_argument("--work", type=Path, help="folder for mutmut's copy, kept (to go on later)")
    arguments = parser.parse_args()
    if arguments.what == "try":
        try_mutants(arguments.work, arguments.timeout)
        return
    done = True
    if arguments.what in ("all", "tables"):
        done &= run_tables(arguments.only, arguments.timeout)
    if arguments.what in ("all", "mutmut"):
        with tempfile.TemporaryDirectory() as folder:
            work = arguments.work or Path(folder)
            work.mkdir(parents=True, exist_ok=True)
            done &= run_mutmut(work.resolve())
    sys.exit(0 if done else 1)


if __name__ == "__main__":
    main()
