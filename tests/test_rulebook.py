"""Every rule of the rulebook is shown by a test, and every rule that a test cites is in it."""

from pathlib import Path

import pytest
from scripts import rules as rulebook

CITED = rulebook.citations()
RULES = rulebook.rules()


def test_the_rulebook_is_read_whole():
    """As many rules as there are bold IDs in it, in all its sections."""
    assert len(RULES) == rulebook.RULEBOOK.read_text().count("\n- **")
    sections = {rule.split("-")[0] for rule in RULES}
    assert sections == {
        "GAME", "RANK", "CYC", "RND", "PRF", "GUE", "PRE", "JOK", "CAN", "VIEW", "MUS", "ENT",
    }  # fmt: skip


@pytest.mark.parametrize("rule", RULES)
def test_rule_is_shown(rule: str):
    assert rule in CITED, f"no test cites {rule}: {RULES[rule]}"


def test_no_test_cites_a_rule_that_does_not_exist():
    unknown = {rule: tests for rule, tests in CITED.items() if rule not in RULES}
    assert not unknown


def test_the_scan_finds_citations_wherever_they_stand(tmp_path: Path):
    (tmp_path / "tests" / "scenarios").mkdir(parents=True)
    (tmp_path / "tests" / "test_it.py").write_text(
        "import pytest\n"
        "pytestmark = pytest.mark.rule('A-01')\n"
        "@pytest.mark.rule('A-02', 'A-03')\n"
        "def test_one(): ...\n"
        "class TestTwo:\n"
        "    @pytest.mark.rule('A-04')\n"
        "    async def test_three(self): ...\n"
        "@pytest.mark.parametrize('x', [pytest.param(1, marks=pytest.mark.rule('A-05'))])\n"
        "def test_four(x): 'A-06'\n"
    )
    (tmp_path / "tests" / "scenarios" / "a.txt").write_text("title: T\nrules: A-07, A-08\n")
    assert rulebook.citations(tmp_path / "tests") == {
        "A-01": ["tests/test_it.py"],
        "A-02": ["tests/test_it.py::test_one"],
        "A-03": ["tests/test_it.py::test_one"],
        "A-04": ["tests/test_it.py::TestTwo::test_three"],
        "A-05": ["tests/test_it.py::test_four"],
        "A-07": ["tests/scenarios/a.txt"],
        "A-08": ["tests/scenarios/a.txt"],
    }
