"""Builds the web client into the wheel, so that installing Varv needs no Node.js."""

import subprocess
import sys
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface


class ClientBuild(BuildHookInterface):  # type: ignore[type-arg]
    """An editable install is for development: there `make client` builds it."""

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Build the client and include what came out, though git ignores it."""
        if version == "editable":
            return
        root = Path(self.root)
        if (root / "client" / "package.json").exists():
            for arguments in (["ci", "--no-audit", "--no-fund"], ["run", "build"]):
                subprocess.run(
                    [sys.executable, root / "scripts" / "npm.py", *arguments], check=True
                )
        build_data["artifacts"].append("src/varv/web/client/**")
