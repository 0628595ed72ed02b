"""What survived, beside what `docs/mutants.md` says of it."""

import re
from collections.abc import Collection
from typing import NamedTuple

from scripts.mutation import ROOT

DOCUMENT = ROOT / "docs" / "mutants.md"
ROW = re.compile(r"^\| `(?P<where>[^`]+)` \| (?P<change>.+?) \| (?P<why>[^|]+) \|$", re.MULTILINE)


class Survivor(NamedTuple):
    """A change that no test noticed: the function or table, and what was changed."""

    where: str
    change: str

    def row(self) -> str:
        """How the document lists it, but for the reason."""
        return f"| `{self.where}` | {self.change.replace('|', chr(92) + '|')} | why? |"


def listed(text: str, section: str) -> set[Survivor]:
    """The survivors that a section of the document gives a reason for."""
    _, _, rest = text.partition(f"\n## {section}\n")
    rows = ROW.finditer(rest.partition("\n## ")[0])
    return {Survivor(row["where"], row["change"].replace("\\|", "|")) for row in rows}


def all_explained(found: Collection[Survivor], section: str, *, whole: bool = True) -> bool:
    """Whether the document lists these survivors and, if it was a whole run, no others."""
    known = listed(DOCUMENT.read_text(), section)
    new = [survivor for survivor in dict.fromkeys(found) if survivor not in known]
    gone = sorted(known.difference(found)) if whole else []
    if new:
        print(f"Not in docs/mutants.md, “{section}”:", *(one.row() for one in new), sep="\n")
    if gone:
        print(
            f"In docs/mutants.md, “{section}”, but killed:", *(one.row() for one in gone), sep="\n"
        )
    return not new and not gone
