"""Check the changelog, set the version, commit, tag and build: `make release VERSION=x.y.z`."""

import re
import subprocess
import sys
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parent.parent
CHANGELOG = ROOT / "CHANGELOG.md"
VERSION_FILE = ROOT / "src" / "varv" / "__init__.py"
NUMBER = re.compile(r"\d+\.\d+\.\d+")


def run(*command: str) -> str:
    """Run a command and give back what it printed."""
    return subprocess.run(command, cwd=ROOT, check=True, capture_output=True, text=True).stdout


def name_in_changelog(version: str, today: str) -> None:
    """Give what is unreleased its number and date; refuse a release that says nothing."""
    text = CHANGELOG.read_text()
    unreleased = re.search(r"## Unreleased\n(.*?)(?=\n## |\Z)", text, re.DOTALL)
    if unreleased is None or not unreleased.group(1).strip():
        sys.exit("CHANGELOG.md has nothing under “Unreleased”: say what users get first.")
    heading = f"## Unreleased\n\n## {version} ({today})\n"
    CHANGELOG.write_text(text.replace("## Unreleased\n", heading, 1))


def main(arguments: list[str]) -> None:
    """Make one release from a clean tree."""
    if len(arguments) != 1 or not NUMBER.fullmatch(arguments[0]):
        sys.exit("Usage: make release VERSION=x.y.z")
    (version,) = arguments
    if run("git", "status", "--porcelain").strip():
        sys.exit("There are changes that are not committed: commit or discard them first.")
    name_in_changelog(version, f"{datetime.now(UTC):%Y-%m-%d}")
    text = VERSION_FILE.read_text()
    VERSION_FILE.write_text(re.sub(r'__version__ = "[^"]+"', f'__version__ = "{version}"', text))
    run("git", "commit", "-am", f"Release {version}")
    run("git", "tag", "-a", f"v{version}", "-m", f"Varv {version}")
    subprocess.run([sys.executable, "-m", "build"], cwd=ROOT, check=True)
    print(f"Varv {version} is tagged and built in dist/. Publish with: git push --follow-tags")


if __name__ == "__main__":
    main(sys.argv[1:])
