"""Structured logs: JSON lines, or readable ones on a terminal. No secrets are ever passed in."""

import logging
import sys
from typing import Any

import structlog


class _NoTraceback(logging.Filter):
    """uvicorn logs a traceback when a client sends invalid UTF-8: that is the client's mistake."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Everything else is worth a line."""
        return "Invalid UTF-8" not in record.getMessage()


def configure(level: str = "info") -> None:
    """For the whole process, once. At `debug` there is a line per request."""
    terminal = sys.stderr.isatty()
    shared: list[Any] = [
        structlog.stdlib.add_log_level,
        structlog.processors.TimeStamper(fmt="iso", utc=True),
    ]
    if not terminal:
        shared.append(structlog.processors.format_exc_info)
    last: Any = structlog.processors.JSONRenderer()
    if terminal:
        # The default for tracebacks shows the values of local variables: tokens, names, answers.
        plain = structlog.dev.plain_traceback
        last = structlog.dev.ConsoleRenderer(exception_formatter=plain)
    structlog.configure(
        processors=[*shared, last],
        wrapper_class=structlog.make_filtering_bound_logger(level),
        logger_factory=structlog.PrintLoggerFactory(sys.stderr),
        cache_logger_on_first_use=True,
    )
    formatter = structlog.stdlib.ProcessorFormatter(
        foreign_pre_chain=shared,
        processors=[structlog.stdlib.ProcessorFormatter.remove_processors_meta, last],
    )
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(formatter)
    handler.addFilter(_NoTraceback())
    root = logging.getLogger()
    root.handlers[:] = [handler]
    root.setLevel(logging.WARNING)
    # Its pool logs a traceback a second while PostgreSQL is away; that has its own line.
    logging.getLogger("asyncpg").setLevel(logging.ERROR)
    for name in ("uvicorn", "uvicorn.error", "uvicorn.access"):
        logging.getLogger(name).handlers.clear()
        logging.getLogger(name).propagate = True
        # Below this they hold whole addresses and messages, and those can hold tickets and tokens.
        logging.getLogger(name).setLevel(logging.WARNING)
