"""The command line: `varv` and everything after it. Everything is wired together in here.

Only what is needed is imported, and only when it is needed, so that all of it is quick.
"""

import os
import signal
from types import FrameType

INTERRUPTED = 130
"""The exit status of a program that was ended by Ctrl-C."""


def main() -> None:
    """Ctrl-C ends it quietly, at whatever moment it comes."""
    python = signal.default_int_handler
    if signal.getsignal(signal.SIGINT) is python:
        signal.signal(signal.SIGINT, _leave)
    from varv.cli.commands import run

    if signal.getsignal(signal.SIGINT) is _leave:
        signal.signal(signal.SIGINT, python)
    run()


def _leave(_number: int, _frame: FrameType | None) -> None:
    """While importing there is nothing yet to be put in order."""
    os._exit(INTERRUPTED)
