"""The log: lines for a person or for a program, and no secrets even when something goes wrong."""

import io
import logging
import sys
from collections.abc import Iterator

import pytest
import structlog

from varv.web import logs


@pytest.fixture(autouse=True)
def as_before() -> Iterator[None]:
    root = logging.getLogger()
    handlers, level = root.handlers[:], root.level
    yield
    root.handlers[:] = handlers
    root.setLevel(level)
    structlog.reset_defaults()


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize("kind", [Terminal, io.StringIO])
def test_a_traceback_shows_no_values(
    kind: type[io.StringIO], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(sys, "stderr", written := kind())
    logs.configure()

    def fails(token: str) -> None:
        raise RuntimeError("oh")

    for log in (structlog.get_logger("varv.test"), logging.getLogger("uvicorn.error")):
        try:
            fails("s3cr3t"[::-1])
        except RuntimeError as error:
            log.error("a command failed", exc_info=error)
    text = written.getvalue()
    assert text.count("Traceback") == 2
    assert "t3rc3s" not in text
