"""The rules are pure: the standard library and msgspec, no clock, no chance, nothing that waits."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

RULES = Path(__file__).parents[2] / "src" / "varv" / "rules"
FILES = sorted(RULES.rglob("*.py"))
ALLOWED = {
    "abc", "bisect", "collections", "enum", "functools", "itertools", "re", "typing",
    "unicodedata", "msgspec", "varv",
}  # fmt: skip
FORBIDDEN_CALLS = {"open", "print", "input", "exec", "eval", "hash", "id", "globals", "setattr"}


def imports(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from (name.name for name in node.names)
        elif isinstance(node, ast.ImportFrom):
            assert node.level == 0, "imports are absolute"
            yield node.module or ""


@pytest.mark.parametrize("path", FILES, ids=[str(path.relative_to(RULES)) for path in FILES])
def test_file(path: Path):
    tree = ast.parse(path.read_text())
    for module in imports(tree):
        assert module.split(".")[0] in ALLOWED, module
        assert not module.startswith("varv") or module.startswith("varv.rules"), module
    for node in ast.walk(tree):
        assert not isinstance(
            node, ast.AsyncFunctionDef | ast.Await | ast.AsyncFor | ast.AsyncWith
        ), "nothing waits"
        assert not isinstance(node, ast.Global | ast.Nonlocal), "nothing is kept between calls"
        if isinstance(node, ast.Call) and isinstance(node.func, ast.Name):
            assert node.func.id not in FORBIDDEN_CALLS, node.func.id


def test_importing_the_rules_brings_in_nothing_but_msgspec():
    code = (
        "import sys, msgspec; before = set(sys.modules)\n"
        "import varv.rules, varv.rules.views\n"
        "new = {name.split('.')[0] for name in set(sys.modules) - before}\n"
        "print(*sorted(new - set(sys.stdlib_module_names)))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.split() == ["varv"]
