"""`python scripts/mutants.py`: run what is asked for."""

import argparse
import sys
import tempfile
from pathlib import Path

from scripts import mutation
from scripts.mutation import mutmut, tables
from scripts.mutation.survivors import all_explained
from scripts.mutation.trial import try_mutants


def main() -> None:
    """Run what is asked for, and say by the status whether all is well."""
    parser = argparse.ArgumentParser(
        prog="python scripts/mutants.py",
        description=mutation.__doc__,
        formatter_class=argparse.RawTextHelpFormatter,
    )
    choices = ["all", "tables", "mutmut", "try"]
    parser.add_argument("what", nargs="?", choices=choices, default="all")
    parser.add_argument("--only", default="", help="tables whose name contains this")
    parser.add_argument("--timeout", type=int, default=150, help="processor seconds for a mutant")
    parser.add_argument("--work", type=Path, help="folder that is kept, to go on from later")
    arguments = parser.parse_args()
    if arguments.what == "try":
        try_mutants(arguments.work, arguments.timeout)
        return
    well = True
    with tempfile.TemporaryDirectory() as folder:
        work = (arguments.work or Path(folder)).resolve()
        work.mkdir(parents=True, exist_ok=True)
        if arguments.what in ("all", "tables"):
            found = tables.survivors(arguments.only, arguments.timeout, work / "tables.txt")
            well &= all_explained(found, "Tables", whole=not arguments.only)
        if arguments.what in ("all", "mutmut"):
            found, enough = mutmut.survivors(work, arguments.timeout)
            well &= all_explained(found, "mutmut") and enough
    sys.exit(0 if well else 1)


if __name__ == "__main__":
    main()
