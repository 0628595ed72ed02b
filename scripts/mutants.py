"""Show that the tests of the rules can fail (`make mutants`): see `scripts/mutation`."""

import runpy
import sys
from pathlib import Path

sys.path[0] = str(Path(__file__).parents[1])
runpy.run_module("scripts.mutation", run_name="__main__")
