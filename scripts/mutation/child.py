"""A process of its own, for tests that may fail, never end, or have imported a changed module."""

import os
import resource
from collections.abc import Callable


def limit(seconds: int) -> None:
    """End this process when it has used so much processor time, however busy the machine is."""
    resource.setrlimit(resource.RLIMIT_CPU, (seconds, seconds))


def fails(work: Callable[[], bool], seconds: int) -> bool:
    """Whether the work fails in a fork of this process, or takes too long."""
    child = os.fork()
    if child == 0:
        limit(seconds)
        os._exit(0 if work() else 1)
    return os.waitpid(child, 0)[1] != 0
