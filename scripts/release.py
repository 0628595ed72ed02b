"""Make a release: `make release VERSION=x.y.z`.

Everything that can be refused is refused before anything is changed (`--check` does no more than
that). Then the changelog and the version are written, the wheel and the sdist are built and tried,
and only what works is committed and tagged.
"""

import re
import shutil
import subprocess
import sys
from collections.abc import Callable
from datetime import UTC, date, datetime
from pathlib import Path

ROOT = Path(__file__).parent.parent
BRANCH = "main"
NUMBER = re.compile(r"(0|[1-9]\d*)\.(0|[1-9]\d*)\.(0|[1-9]\d*)")
VERSION = re.compile(r'__version__ = "([^"]+)"')
UNRELEASED = re.compile(r"^## Unreleased\n(.*?)(?=^## |\Z)", re.DOTALL | re.MULTILINE)


class Refused(Exception):
    """No release now; says what to do first."""


def git(root: Path, *arguments: str) -> str:
    """What git answers."""
    done = subprocess.run(["git", *arguments], cwd=root, capture_output=True, text=True)
    if done.returncode:
        raise Refused(f"git {arguments[0]} failed: {done.stderr.strip()}")
    return done.stdout.strip()


def _changelog(root: Path) -> Path:
    return root / "CHANGELOG.md"


def _version_file(root: Path) -> Path:
    """The one place of the version: the wheel, `varv --version` and the protocol read it there."""
    return root / "src" / "varv" / "__init__.py"


def _order(version: str) -> tuple[int, ...]:
    return tuple(map(int, version.split(".")))


def check(root: Path, version: str) -> None:
    """Refuse what would make no good release of this version."""
    if not NUMBER.fullmatch(version):
        raise Refused(f"“{version}” is no version: make release VERSION=x.y.z")
    branch = git(root, "branch", "--show-current")
    if branch != BRANCH:
        raise Refused(f"Releases are made from {BRANCH}, and this is {branch or 'no branch'}.")
    if git(root, "status", "--porcelain"):
        raise Refused("There are changes that are not committed: commit or discard them first.")
    if git(root, "tag", "--list", f"v{version}"):
        raise Refused(f"There is a tag v{version} already: choose a higher version.")
    current = VERSION.search(_version_file(root).read_text())
    if current is None:
        raise Refused(f"{_version_file(root).relative_to(root)} names no version.")
    if _order(version) < _order(current[1]):
        raise Refused(f"{version} is lower than {current[1]}, which this is: choose a higher one.")
    unreleased = UNRELEASED.search(_changelog(root).read_text())
    if unreleased is None or not unreleased[1].strip():
        raise Refused("CHANGELOG.md has nothing under “Unreleased”: say what users get first.")


def write(root: Path, version: str, today: date) -> None:
    """Give what is unreleased its number and date, and the package its version."""
    heading = f"## Unreleased\n\n## {version} ({today})\n"
    changelog, module = _changelog(root), _version_file(root)
    changelog.write_text(UNRELEASED.sub(lambda found: heading + found[1], changelog.read_text(), 1))
    module.write_text(VERSION.sub(f'__version__ = "{version}"', module.read_text(), 1))


def build(root: Path) -> None:
    """Build sdist and wheel into an empty dist/, and play a game with the wheel."""
    shutil.rmtree(root / "dist", ignore_errors=True)
    subprocess.run([sys.executable, "-m", "build"], cwd=root, check=True)
    subprocess.run([root / "scripts" / "try_wheel.sh"], cwd=root, check=True)


def release(
    root: Path, version: str, today: date, build: Callable[[Path], None] = build
) -> list[str]:
    """Make the release, or leave everything as it was; gives the files that were built."""
    check(root, version)
    head = git(root, "rev-parse", "HEAD")
    files = (_changelog(root), _version_file(root))
    before = [path.read_text() for path in files]
    try:
        write(root, version, today)
        build(root)
        built = sorted(path.name for path in (root / "dist").iterdir())
        expected = [f"varv-{version}-py3-none-any.whl", f"varv-{version}.tar.gz"]
        if built != expected:
            raise Refused(f"dist/ should have {expected}, and has {built}.")
        git(root, "commit", "--quiet", "--all", "--message", f"Release {version}")
        git(root, "tag", "--annotate", f"v{version}", "--message", f"Varv {version}")
    except BaseException:
        for path, text in zip(files, before, strict=True):
            path.write_text(text)
        git(root, "reset", "--quiet", head)
        raise
    return built


def main(arguments: list[str], root: Path = ROOT) -> int:
    """Check, or check and release; one line says why not."""
    only_check = arguments[:1] == ["--check"]
    versions = arguments[1:] if only_check else arguments
    if len(versions) != 1:
        print("Usage: make release VERSION=x.y.z", file=sys.stderr)
        return 2
    (version,) = versions
    try:
        if only_check:
            check(root, version)
            return 0
        built = release(root, version, datetime.now(UTC).date())
    except Refused as refused:
        print(refused, file=sys.stderr)
        return 1
    except subprocess.CalledProcessError:
        print(f"Varv {version} could not be built: nothing was tagged.", file=sys.stderr)
        return 1
    print(
        f"Varv {version} is committed, tagged v{version} and built:",
        *(f"  dist/{name}" for name in built),
        "Publish the commit and the tag with: git push --follow-tags",
        "and give the files in dist/ to whoever installs it: pip install varv-*.whl",
        sep="\n",
    )
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
