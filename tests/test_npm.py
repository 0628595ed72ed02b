"""The client is built on a machine that has no Node.js."""

import shutil
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[1]


def test_what_npm_starts_finds_our_node(tmp_path: Path) -> None:
    for name in ("sh", "env"):
        found = shutil.which(name)
        assert found is not None
        (tmp_path / name).symlink_to(found)
    assert shutil.which("node", path=str(tmp_path)) is None
    npm = [sys.executable, str(ROOT / "scripts" / "npm.py")]
    done = subprocess.run(
        [*npm, "exec", "--no", "--", "vite", "--version"],
        env={"PATH": str(tmp_path), "HOME": str(tmp_path)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stderr
    assert done.stdout.startswith("vite/")
