"""Every reason for which a command is refused: its class, its rule, and a test that meets it."""

import re
from pathlib import Path

import pytest
from scripts.rules import rules

from varv.rules.editions import EDITIONS
from varv.rules.refusals import Reason, Refusal, refuse

PROTOCOL = (Path(__file__).parents[2] / "docs" / "protocol.md").read_text()
FORBIDDEN = {
    "REMOVED", "HOST_ONLY", "LEADER_ONLY", "LEADER_OR_HOST_ONLY", "PLAYS_NO_AUDIO",
    "ORACLE_DOES_NOT_GUESS", "LEADER_USES_NO_JOKER", "MIX_NOT_ALLOWED",
}  # fmt: skip
"""Role refusals and the like: not yours to do (docs/protocol.md)."""
INVALID = {
    "UNKNOWN_PLAYER", "START_YEAR_OUT_OF_RANGE", "UNKNOWN_PART", "POSITION_OUT_OF_RANGE",
    "UNKNOWN_OPTION", "UNKNOWN_DIFFICULTY", "UNKNOWN_STATE", "OPTIONS_INVALID", "NAME_INVALID",
    "UNKNOWN_EDITION", "UNKNOWN_MIX",
}  # fmt: skip
"""Values out of range or unknown; all else is a conflict."""


@pytest.mark.parametrize("reason", Reason)
def test_reason(reason: Reason):
    """Its class as in the protocol, its rule from the rulebook, and a sentence."""
    expected = (
        "forbidden" if reason in FORBIDDEN else "invalid" if reason in INVALID else "conflict"
    )
    assert reason.code == expected
    assert reason.rule in rules()
    assert re.fullmatch(r"[A-Z][^.]+\.", reason.detail), reason.detail
    assert reason.name == reason.value
    assert re.fullmatch(r"[A-Z]+(_[A-Z]+)*", reason.value)


HERE = Path(__file__)


def met() -> set[str]:
    """What somebody is refused for: in a test of the rules, a scenario, a cell of `who_may`."""
    code = "".join(path.read_text() for path in HERE.parent.glob("test_*.py") if path != HERE)
    played = "".join(path.read_text() for path in (HERE.parents[1] / "scenarios").glob("*.txt"))
    tables = "".join((HERE.parent / f"who_may/{edition}.txt").read_text() for edition in EDITIONS)
    rows = (line for line in tables.splitlines() if line[:1].islower())
    return {
        *re.findall(r'\.refused\(\s*"(\w+)"', code),
        *re.findall(r"== refuse\(Reason\.(\w+)", code),
        *re.findall(r"^\w.*  refused: (\w+)$", played, re.MULTILINE),
        *(cell for row in rows for cell in re.split(r"\s{2,}", row)[1:]),
    }


MET = met()


@pytest.mark.parametrize("reason", Reason)
def test_somebody_is_refused_for_it_in_a_test(reason: Reason):
    assert reason in MET


def test_every_reason_that_the_protocol_names_exists():
    promised = re.search(r"Refusal `reason`s are.*?and so on", PROTOCOL, re.DOTALL)
    assert promised
    named = set(re.findall(r"`([A-Z_]+)`", promised[0]))
    assert len(named) > 20
    assert named <= {reason.value for reason in Reason}


def test_each_state_of_a_round_has_its_reason():
    states = {"WAITING_FOR_DJ", "READY", "GUESSING", "LOCKED", "REVEALED_TIMELINE",
              "REVEALED_FULL", "REVEALED"}  # fmt: skip
    found = {r.removeprefix("ROUND_NOT_IN_") for r in Reason if r.startswith("ROUND_NOT_IN_")}
    assert found == states


def test_a_refusal_carries_its_facts():
    assert refuse(Reason.STALE, round=3) == Refusal(Reason.STALE, {"round": 3})
    assert refuse(Reason.STALE) == Refusal(Reason.STALE, {})


def test_sentences_differ_where_reasons_do():
    """Two reasons may share a sentence only if they are the same thing in two editions."""
    sentences = [reason.detail for reason in Reason]
    doubles = {sentence for sentence in sentences if sentences.count(sentence) > 1}
    assert doubles == {Reason.ROUND_NOT_IN_READY.detail}
    assert Reason.ROUND_NOT_IN_READY.detail == Reason.ROUND_NOT_IN_WAITING_FOR_DJ.detail
