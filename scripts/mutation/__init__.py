"""Show that the tests of the rules can fail: change the rules, and see that a test notices.

Two kinds of change, each made in a copy or in the memory of a process, never in the project's own
files:

* `tables`: every row of every table of the rules is left out, and led somewhere else, in turn;
  every threshold is moved by one, both ways; every flag of an edition is turned.
* `mutmut`: the changes that mutmut makes to the code of every function.

`python scripts/mutants.py` does both. `docs/mutants.md` says what survived, and why; it ends with
status 1 if something else survives, if something there no longer does, or if fewer than 95 % of
mutmut's mutants are killed.
"""

from pathlib import Path

ROOT = Path(__file__).parents[2]
RULES = ROOT / "src" / "varv" / "rules"
