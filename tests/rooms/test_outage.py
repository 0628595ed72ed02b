"""What is logged when something could not be done."""

import pytest
import structlog

from varv.rooms import outage
from varv.rooms.outage import Outage


def test_an_outage_is_a_line_and_not_a_traceback() -> None:
    given = Outage((OSError,))
    with structlog.testing.capture_logs() as entries:
        for _ in range(3):
            given.failed("a command failed", ConnectionRefusedError("no answer"))
        given.over()
        given.over()
    assert [entry["log_level"] for entry in entries] == ["error", "warning"]
    assert "exc_info" not in entries[0]
    assert entries[0]["why"] == "no answer"


def test_a_long_one_is_told_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outage, "SAID_EVERY", -1)
    given = Outage((OSError,))
    with structlog.testing.capture_logs() as entries:
        given.failed("a command failed", OSError("gone"))
        given.failed("a command failed", OSError("gone"))
    assert len(entries) == 2


def test_a_mistake_of_ours_is_told_in_full() -> None:
    given = Outage((OSError,))
    mistake = RuntimeError("oh")
    with structlog.testing.capture_logs() as entries:
        given.failed("a command failed", mistake, game="K7QX")
        given.over()
    (entry,) = entries
    assert entry["exc_info"] is mistake
    assert (entry["event"], entry["game"]) == ("a command failed", "K7QX")
