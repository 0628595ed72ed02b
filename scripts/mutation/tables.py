"""Changed tables: every row of every table of the rules, one at a time."""

import ast
import copy
import importlib.abc
import importlib.machinery
import importlib.util
import os
import sys
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from scripts.mutation import ROOT, RULES, selection
from scripts.mutation.changes import changes
from scripts.mutation.child import fails
from scripts.mutation.survivors import Survivor


@dataclass
class Mutant:
    """One change to one module: where, what it does, and the syntax tree with it."""

    module: str
    name: str
    change: str
    tree: ast.Module


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


def mutants(only: str) -> list[Mutant]:
    """Every changed table of the rules, of those whose name contains this."""
    found = []
    for path in sorted(RULES.rglob("*.py")):
        module = ".".join(path.relative_to(RULES).with_suffix("").parts)
        tree = ast.parse(path.read_text())
        for name, statement in assignments(tree):
            if only in f"{module}.{name}":
                for change, value in changes(statement.value):
                    changed = _with_value(tree, statement, value)
                    found.append(Mutant(module, name, change, changed))
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


def _passes(mutant: Mutant) -> bool:
    """Whether all tests pass, in a process that has not imported the rules yet."""
    import pytest

    os.environ["MUTANT_UNDER_TEST"] = "table"
    sys.meta_path.insert(0, Changed(mutant))
    with Path(os.devnull).open("w") as nowhere:
        os.dup2(nowhere.fileno(), 1)
        os.dup2(nowhere.fileno(), 2)
    options = ["-x", *selection.LEAN, *selection.deselected()]
    stages = selection.stages(ROOT, mutant.module)
    return all(pytest.main([*options, *stage]) == 0 for stage in stages)


def survivors(only: str, timeout: int, record: Path) -> list[Survivor]:
    """Change every table, and see which changes no test notices; go on from the record."""
    import hypothesis.stateful  # noqa: F401 - imported once here, not again in every child
    import msgspec  # noqa: F401
    import pytest_asyncio.plugin  # noqa: F401

    os.chdir(ROOT)
    os.environ.update(selection.ENVIRONMENT)
    sys.path.insert(0, str(ROOT / "src"))
    unchanged = Mutant("model", "", "nothing", ast.parse((RULES / "model.py").read_text()))
    if fails(lambda: _passes(unchanged), timeout):
        sys.exit("The tests fail without any change: make them pass first.")
    tried, survived = mutants(only), []
    killed = record.read_text().splitlines() if record.exists() else []
    for number, mutant in enumerate(tried, start=1):
        survivor = Survivor(f"{mutant.module}.{mutant.name}", mutant.change)
        if survivor.row() not in killed:
            if fails(lambda mutant=mutant: _passes(mutant), timeout):  # type: ignore[misc]
                killed.append(survivor.row())
            else:
                survived.append(survivor)
                print(f"\rsurvived: {survivor.where}: {survivor.change}")
            record.write_text("\n".join(killed))
        print(f"\r{number} of {len(tried)}", end="", flush=True)
    print(f"\rtables: {len(tried) - len(survived)} of {len(tried)} changes were noticed")
    return survived
