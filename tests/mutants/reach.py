"""Which tests reach a line: worked out by running them all once, and kept for next time.

What changed since is found again line by line (`difflib`), so that a day's work asks for no new
measuring; a file that did not stand there then does.
"""

import shutil
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path

from coverage.numbits import numbits_to_nums

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".mutants"
"""What was worked out, and the trees with faults in them; not in the repository."""
PROCESSES = (
    "tests/daemon/test_service.py", "tests/daemon/test_timekeeping.py", "tests/daemon/test_lost.py",
    "tests/daemon/test_door.py", "tests/crash/test_beside.py", "tests/crash/test_crash.py",
)
"""Tests of a judge in a process of its own; what only that runs is measured by nobody."""
_LEAST = 0.01
"""Seconds of a test that took too little to be told."""
_LIKE = 5
"""So many first letters of a file's name make a test's name like it: aliases, alias-…"""


@dataclass(frozen=True)
class Reach:
    """The tests there are with the seconds each took, and what they reached when it was measured.

    By line of a file: the tests that ran it, and "" where it ran when the file was loaded.
    """

    seconds: Mapping[str, float]
    new: frozenset[str] = frozenset()
    """Tests that were not there when it was measured."""
    _lines: dict[str, dict[int, frozenset[str]]] = field(default_factory=dict)

    def tests_of(self, place: Path, file: str, first: int, last: int) -> list[str]:
        """Return the tests that ran one of these lines of a tree, in the order to try them in.

        Of lines that run when a file is loaded: the tests that ran anything of the file. Of lines
        that no test runs: the same and those with processes of their own. Each test file has a like
        share of the time, its quickest tests first, for what sees a fault may lie anywhere; but
        tests of the same room have more, and those named like the file most.
        """
        if file not in self._lines:
            self._lines[file] = _measured_lines(file)
        lines = self._lines[file]
        was, now = ((root / file).read_text("utf-8") for root in (KEPT / "measured", place))
        then = range(*_lines_then(was, now, first, last))
        ran = frozenset[str]().union(*(lines.get(at, ()) for at in then))
        found = ran - {""} or frozenset[str]().union(*lines.values()) - {""}
        if not ran:
            found |= {test for test in self.seconds if test.startswith(PROCESSES)}
        # Of a test that is new, the others of its file tell best what it reaches.
        files = {_file_of(test) for test in found}
        known = {_file_of(test) for test in self.seconds.keys() - self.new}
        found |= {test for test in self.new
                  if _file_of(test) in files or _file_of(test) not in known}
        return self._in_turn(found & self.seconds.keys(), Path(file))

    def _in_turn(self, tests: Iterable[str], file: Path) -> list[str]:
        spent: dict[tuple[str, int], float] = defaultdict(float)
        turns = []
        for seconds, test in sorted((self.seconds[test], test) for test in tests):
            share = _share(test, file)
            heap = _file_of(test), share
            spent[heap] += seconds / share
            turns.append((spent[heap], test))
        return [test for _, test in sorted(turns)]

    def within(self, tests: Iterable[str], most: float) -> list[str]:
        """Return as many of the first tests as take no more seconds than these, and one at least.
        """
        taken: list[str] = []
        for test in tests:
            most -= self.seconds[test]
            if most < 0 and taken:
                break
            taken.append(test)
        return taken


def _file_of(test: str) -> str:
    return test.partition("::")[0]


def _share(test: str, file: Path) -> int:
    """Return how much more than others a test has of the time for faults in a file."""
    if file.stem[:_LIKE] in test.rpartition("/")[2].lower():
        return 16
    rooms = {"play": ("tests/play/", "tests/journeys/test_journeys")}
    room = file.parts[1]
    return 4 if test.startswith(rooms.get(room, f"tests/{room}/")) else 1


def measured(again: bool, files: Iterable[str]) -> Reach:
    """Return what the tests reach; they all run with coverage where it is not known of these files.
    """
    known = (KEPT / "times").exists() and all((KEPT / "measured" / name).exists() for name in files)
    if again or not known:
        _run_all()
    told = _seconds((KEPT / "times").read_text("utf-8"))
    now, then = _tests_now(), (KEPT / "tests").read_text("utf-8").splitlines()
    return Reach({test: told.get(test, _LEAST) for test in now}, frozenset(now) - set(then))


def _run_all() -> None:
    print("Finding out which tests reach what: all run once, some minutes.", flush=True)
    KEPT.mkdir(exist_ok=True)
    (KEPT / "times").unlink(missing_ok=True)
    shutil.rmtree(KEPT / "measured", ignore_errors=True)
    shutil.copytree(ROOT / "judge", KEPT / "measured" / "judge",
                    ignore=shutil.ignore_patterns("__pycache__"))
    (KEPT / "tests").write_text("\n".join(_tests_now()), "utf-8")
    rules = KEPT / "coveragerc"
    rules.write_text(f"[run]\nsource = judge\ndata_file = {KEPT / 'coverage'}\n", "ascii")
    command = [
        sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "--durations=0",
        "--durations-min=0.005", "--cov", "--cov-context=test", f"--cov-config={rules}",
        "--cov-report=", "-p", "no:cacheprovider",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout[-3000:] + "\nThe tests fail without a fault: mend that first.")
    (KEPT / "times").write_text(done.stdout, "utf-8")


def _tests_now() -> list[str]:
    """Return the tests there are: one that is gone cannot be asked for."""
    command = [sys.executable, "-m", "pytest", "-q", "--collect-only", "-p", "no:cacheprovider"]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    if done.returncode:
        sys.exit(done.stdout[-3000:])
    return [line for line in done.stdout.splitlines() if "::" in line]


def _measured_lines(file: str) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    query = ("SELECT context.context, numbits FROM line_bits JOIN file ON file.id = file_id"
             " JOIN context ON context.id = context_id WHERE file.path = ?")
    with sqlite3.connect(KEPT / "coverage") as held:
        for context, bits in held.execute(query, [str(ROOT / file)]):
            for line in numbits_to_nums(bits):
                found[line].add(str(context).rpartition("|")[0])
    return {at: frozenset(tests) for at, tests in found.items()}


def _lines_then(was: str, now: str, first: int, last: int) -> tuple[int, int]:
    """Return where lines of a text stood in an earlier one: from, and up to but without.

    What is new stands for all that was in its place.

    >>> _lines_then("a\\nb\\nc\\n", "a\\nnew\\nb\\nc\\n", 3, 4)
    (2, 4)
    """
    places = [0, 0]
    matcher = SequenceMatcher(None, was.splitlines(), now.splitlines(), autojunk=False)
    for tag, old, old_end, new, new_end in matcher.get_opcodes():
        for which, line in enumerate((first - 1, last - 1)):
            if new <= line < new_end:
                same = old + line - new
                begin, end = (same, same + 1) if tag == "equal" else (old, old_end)
                places[which] = end + 1 if which else begin + 1
    return places[0], max(places)


def _seconds(told: str) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for line in told.splitlines():
        words = line.split(maxsplit=2)
        if len(words) == 3 and words[0].endswith("s") and words[1] in ("call", "setup"):
            found[words[2]] += float(words[0][:-1])
    return found
