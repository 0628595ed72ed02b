"""Trying mutmut's mutants on the tests that come by them."""

import gc
import json
import os
import signal
import subprocess
import sys
from collections import defaultdict
from pathlib import Path
from typing import Any

from scripts.mutation import ROOT, selection
from scripts.mutation.child import fails, limit

AT_IMPORT = ("x_sources", "xǁEditionǁ__init__", "xǁReasonǁ__new__")
"""Functions that have done their work once the rules are imported."""


PATIENCE = 3
"""Seconds of processor time, beyond twenty times the usual, after which a test never ends."""


class Trial:
    """A pytest plugin that collects the tests once and tries every mutant on them.

    mutmut itself starts pytest anew for every mutant; with thousands of mutants and of tests that
    is most of the time. Here each mutant is a fork of the session that has collected them, and
    the test that killed the last mutant of a function is the first that the next one meets.
    """

    def __init__(self, work: Path, timeout: int) -> None:
        """Read which mutants there are, and mutmut's record of which tests come by each."""
        stats = json.loads((work / "mutants" / "mutmut-stats.json").read_text())
        self.tests: dict[str, list[str]] = stats["tests_by_mangled_function_name"]
        self.seconds: dict[str, float] = stats["duration_by_test"]
        self.killers: dict[str, list[str]] = defaultdict(list)
        """For each function, the tests that killed its mutants, the latest last."""
        self.record = work / "results.json"
        self.killer = work / "killer"
        self.timeout = timeout
        self.names = [
            name
            for path in sorted((work / "mutants" / "src").rglob("*.meta"))
            for name in json.loads(path.read_text())["exit_code_by_key"]
        ]

    def pytest_runtestloop(self, session: Any) -> bool:
        """Instead of running the tests: try every mutant, and write down what became of it."""
        items = {item.nodeid: item for item in session.items}
        gc.freeze()
        if self.dies("nothing", list(items.values())):
            print(f"Without any change this fails: {self.killer.read_text()}")
            os._exit(1)
        results: dict[str, str] = (
            json.loads(self.record.read_text()) if self.record.exists() else {}
        )
        for name in self.names:
            if results.get(name) != "killed":
                killed = self.dies(name, [items[node] for node in self.nodes(name, items)])
                killed = killed or self.dies_afresh(name)
                results[name] = "killed" if killed else "survived"
                self.record.write_text(json.dumps(results, indent=1))
            print(f"\r{len(results)} of {len(self.names)}", end="", flush=True)
        print()
        return True

    def nodes(self, name: str, items: dict[str, Any]) -> list[str]:
        """The tests that come by a mutant: those that killed its like first, then the quickest."""
        function = name.rpartition("__mutmut_")[0]
        killers = self.killers[function]
        nodes = [node for node in self.tests.get(function, ()) if node in items]
        rank = {node: number for number, node in enumerate(killers)}
        return sorted(nodes, key=lambda node: (-rank.get(node, -1), self.seconds.get(node, 0)))

    def dies(self, name: str, items: list[Any]) -> bool:
        """Whether one of these tests fails with the mutant, in a fork of this process."""
        self.killer.write_text("")
        died = fails(lambda: self._passes(name, items), self.timeout)
        killer = self.killer.read_text()
        if killer:
            killers = self.killers[name.rpartition("__mutmut_")[0]]
            killers[:] = [*(other for other in killers if other != killer), killer]
        return died

    def _passes(self, name: str, items: list[Any]) -> bool:
        from _pytest.runner import runtestprotocol

        os.environ["MUTANT_UNDER_TEST"] = name
        signal.signal(signal.SIGPROF, lambda *_: self._killed_by(item))
        for item, following in zip(items, [*items[1:], None], strict=True):
            usual = self.seconds.get(item.nodeid, 0)
            signal.setitimer(signal.ITIMER_PROF, PATIENCE + 20 * usual)
            runtestprotocol(item, log=False, nextitem=following)
        return True

    def pytest_runtest_makereport(self, item: Any, call: Any) -> None:
        """A test has failed: that is all we want to know, and a report would take its time."""
        if call.excinfo is not None:
            self._killed_by(item)

    def _killed_by(self, item: Any) -> None:
        self.killer.write_text(item.nodeid)
        os._exit(1)

    def dies_afresh(self, name: str) -> bool:
        """Whether a new process notices: one that imports the rules with the mutant in place."""
        at_import = name.rpartition("__mutmut_")[0].rpartition(".")[2] in AT_IMPORT
        tests = selection.quick(Path.cwd()) if at_import else ["tests/rules/test_random_play.py"]
        command = [sys.executable, "-m", "pytest", "-x", *selection.LEAN, *tests]
        environment = {**os.environ, "MUTANT_UNDER_TEST": name, "PYTHONPATH": "src"}
        done = subprocess.run(
            command,
            env=environment,
            capture_output=True,
            check=False,
            preexec_fn=lambda: limit(self.timeout),
        )
        return done.returncode != 0


def try_mutants(work: Path, timeout: int) -> None:
    """Collect the tests of the folder of mutants, and try every mutant on them."""
    import pytest

    folder = work / "mutants"
    os.chdir(folder)
    others = [path for path in sys.path if path not in ("", str(ROOT))]
    sys.path[:] = [str(folder / "src"), str(folder), *others]
    os.environ.update(selection.ENVIRONMENT)
    arguments = [*selection.LEAN, *selection.quick(folder)]
    pytest.main(arguments, plugins=[Trial(work, timeout)])
