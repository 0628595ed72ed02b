"""Which tests show which rule: read from the markers in the tests and the heads of the scenarios.

`python scripts/rules.py` prints every rule of docs/rulebook.md with its tests;
tests/test_rulebook.py holds the suite to it.
"""

import ast
import re
import sys
from collections.abc import Iterator
from pathlib import Path

ROOT = Path(__file__).parents[1]
RULEBOOK = ROOT / "docs" / "rulebook.md"
TESTS = ROOT / "tests"


def rules() -> dict[str, str]:
    """Every rule ID of the rulebook, in its order, with the rule's text."""
    text = RULEBOOK.read_text()
    return dict(re.findall(r"^- \*\*([A-Z]+-\d\d)\*\* (.+)$", text, re.MULTILINE))


def citations(tests: Path = TESTS) -> dict[str, list[str]]:
    """Rule ID → the tests and scenarios that cite it."""
    cited: dict[str, list[str]] = {}
    for path in sorted(tests.rglob("*.py")):
        for test, rule in _cited_in_code(ast.parse(path.read_text())):
            where = f"{path.relative_to(tests.parent)}{test}"
            cited.setdefault(rule, []).append(where)
    for path in sorted((tests / "scenarios").glob("*.txt")):
        for rule in _cited_in_head(path.read_text()):
            cited.setdefault(rule, []).append(str(path.relative_to(tests.parent)))
    return cited


def _cited_in_head(text: str) -> list[str]:
    head = re.search(r"^rules:(.*)$", text, re.MULTILINE)
    return [rule.strip() for rule in head[1].split(",")] if head else []


def _cited_in_code(node: ast.AST, test: str = "") -> Iterator[tuple[str, str]]:
    """(test, rule) for each `pytest.mark.rule(…)`, wherever in the file it stands."""
    for child in ast.iter_child_nodes(node):
        inside = test
        if isinstance(child, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            inside = f"{test}::{child.name}"
        if isinstance(child, ast.Call) and _is_marker(child.func):
            for argument in child.args:
                if isinstance(argument, ast.Constant) and isinstance(argument.value, str):
                    yield test, argument.value
        yield from _cited_in_code(child, inside)


def _is_marker(function: ast.expr) -> bool:
    return (
        isinstance(function, ast.Attribute)
        and function.attr == "rule"
        and isinstance(function.value, ast.Attribute)
        and function.value.attr == "mark"
    )


def main() -> int:
    """Print rule → tests; fail if a rule has none or a test cites an unknown one."""
    cited, known = citations(), rules()
    for rule in known:
        tests = cited.get(rule, [])
        print(f"{rule}  ({len(tests)})")
        for test in tests:
            print(f"    {test}")
    uncovered = [rule for rule in known if rule not in cited]
    unknown = sorted(set(cited) - set(known))
    print(f"\n{len(known)} rules, {len(known) - len(uncovered)} shown by tests")
    if uncovered:
        print(f"not shown by any test: {', '.join(uncovered)}")
    if unknown:
        print(f"cited but not in the rulebook: {', '.join(unknown)}")
    return 1 if uncovered or unknown else 0


if __name__ == "__main__":
    sys.exit(main())
