"""Which tests reach a line: worked out by running them all once, and kept for next time.

What changed since is found again line by line (`difflib`), so that a day's work asks for no new
measuring (`--again`); after files were moved it is worth the minutes.
"""

import ast
import os
import shutil
import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from difflib import SequenceMatcher
from pathlib import Path
from threading import Lock

from coverage.numbits import numbits_to_nums

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".mutants"
"""What was worked out, and the trees with faults in them; not in the repository."""
MEASURED = KEPT / "measured"
"""The code as it was when the tests were last measured, and what came of it."""
PROCESSES = (
    "tests/daemon/test_service.py",
    "tests/daemon/test_clock_steps.py",
    "tests/daemon/test_lost.py",
    "tests/daemon/test_listener.py",
    "tests/daemon/test_outage.py",
    "tests/daemon/test_picture_worker.py",
    "tests/crash/test_beside.py",
    "tests/crash/test_crash.py",
)
"""Tests of a judge in a process of its own; what only that runs is measured by nobody."""
_LEAST = 0.01
"""Seconds of a test that took too little to be told."""
_ALL_TESTS = 300.0
"""Seconds of all tests without coverage, to which what was measured is brought."""
_MANY = 20
"""Where so many tests fail without a fault, it is no use to go on."""
_NAMED = 16
"""How much more of the time tests have that are named like the file."""
_PARSING = Lock()
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

        Of lines that run when a file is loaded, or once for all whose answer is kept (`cache`): the
        tests that ran anything of the file. Of lines that no test runs: the same and those with
        processes of their own. Each test file has a like share of the time, its quickest tests
        first, for what sees a fault may lie anywhere; but tests of the same room have more, and
        those named like the file most. Of a file that was not there when it was measured, or of
        which no test ran anything: these.
        """
        near = [test for test in self.seconds if _share(test, Path(file)) > 1]
        if not (MEASURED / file).exists():
            return self._in_turn(near, Path(file))
        ran, lines = self._ran(place, file, first, last), self._lines[file]
        found = ran - {""}
        if not found or _is_kept((place / file).read_text("utf-8"), first):
            found = frozenset[str]().union(*lines.values()) - {""} or frozenset(near)
        if not ran:
            found |= {test for test in self.seconds if test.startswith(PROCESSES)}
        # Of a test that is new, the others of its file tell best what it reaches; but it may be the
        # first of them to do so, and was then most likely written for a file of its own room.
        files = {file_of(test) for test in found}
        known = {file_of(test) for test in self.seconds.keys() - self.new}
        found |= {test for test in self.new
                  if file_of(test) in files or file_of(test) not in known
                  or _share(test, Path(file)) > 1}
        return self._in_turn(found & self.seconds.keys(), Path(file))

    def is_at_load(self, place: Path, file: str, first: int, last: int) -> bool:
        """Tell whether one of these lines of a tree runs before the first test, or may do so."""
        return not (MEASURED / file).exists() or "" in self._ran(place, file, first, last)

    def _ran(self, place: Path, file: str, first: int, last: int) -> frozenset[str]:
        if file not in self._lines:
            self._lines[file] = _measured_lines(file)
        was, now = ((root / file).read_text("utf-8") for root in (MEASURED, place))
        then = range(*_lines_then(was, now, first, last))
        return frozenset[str]().union(*(self._lines[file].get(at, ()) for at in then))

    def without(self, tests: Collection[str]) -> "Reach":
        """Return the same as if some tests were not there."""
        seconds = {test: took for test, took in self.seconds.items() if test not in tests}
        return Reach(seconds, self.new, self._lines)

    def _in_turn(self, tests: Iterable[str], file: Path) -> list[str]:
        spent: dict[tuple[str, int], float] = defaultdict(float)
        turns = []
        for seconds, test in sorted((self.seconds[test], test) for test in tests):
            share = _share(test, file)
            heap = file_of(test), share
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


def file_of(test: str) -> str:
    """Return the file of a test."""
    return test.partition("::")[0]


def _share(test: str, file: Path) -> int:
    """Return how much more than others a test has of the time for faults in a file."""
    if file.stem[:_LIKE] in test.rpartition("/")[2].lower():
        return _NAMED
    rooms = {"play": ("tests/play/", "tests/journeys/")}
    room = file.parts[1]
    return 4 if test.startswith(rooms.get(room, f"tests/{room}/")) else 1


def measured(place: Path, again: bool) -> Reach:
    """Return what the tests of a tree reach; worked out where it is not known, or `again`."""
    if again or not MEASURED.exists():
        _run_all(place)
    told = (MEASURED / "times").read_text("utf-8")
    seconds, lame = _seconds(told), set(_failed(told))
    now, then = _tests_in(place), (MEASURED / "tests").read_text("utf-8").splitlines()
    sound = [test for test in now if test not in lame]
    # A busy machine took longer for all of them.
    scale = _ALL_TESTS / max(1.0, sum(seconds.values()))
    return Reach(
        {test: scale * seconds.get(test, _LEAST) for test in sound}, frozenset(now) - set(then)
    )


def _run_all(place: Path) -> None:
    """Run all tests with coverage; what was known before is kept until that is done."""
    print("Finding out which tests reach what: all run once, some minutes.", flush=True)
    fresh = KEPT / "measuring"
    shutil.rmtree(fresh, ignore_errors=True)
    fresh.mkdir(parents=True)
    shutil.copytree(place / "judge", fresh / "judge",
                    ignore=shutil.ignore_patterns("__pycache__"))
    rules = fresh / "coveragerc"
    rules.write_text(
        f"[run]\nsource = judge\nrelative_files = true\ndata_file = {fresh / 'coverage'}\n", "ascii"
    )
    (fresh / "tests").write_text("\n".join(_tests_in(place)), "utf-8")
    done = _said(place, "-n", "2", "--dist", "worksteal", "--durations=0", "--durations-min=0.005",
                 "--cov", "--cov-context=test", f"--cov-config={rules}", "--cov-report=", "--tb=no")
    lame = _failed(done.stdout)
    if done.returncode and not 0 < len(lame) < _MANY:
        sys.exit(done.stdout[-3000:] + "\nThe tests fail without a fault: mend that first.")
    for test in lame:
        print(f"fails without a fault, and is left out: {test}")
    (fresh / "times").write_text(done.stdout, "utf-8")
    shutil.rmtree(MEASURED, ignore_errors=True)
    fresh.rename(MEASURED)


def _tests_in(place: Path) -> list[str]:
    """Return the tests there are: one that is gone cannot be asked for."""
    done = _said(place, "--collect-only")
    if done.returncode:
        sys.exit(done.stdout[-3000:])
    return [line for line in done.stdout.splitlines() if "::" in line]


def _said(place: Path, *words: str) -> "subprocess.CompletedProcess[str]":
    """Run the tests of a tree with some options."""
    return subprocess.run(
        [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", *words], cwd=place,
        capture_output=True, text=True, env={**os.environ, "PYTHONPATH": str(place)},
    )


def _measured_lines(file: str) -> dict[int, frozenset[str]]:
    found: dict[int, set[str]] = defaultdict(set)
    query = ("SELECT context.context, numbits FROM line_bits JOIN file ON file.id = file_id"
             " JOIN context ON context.id = context_id WHERE file.path = ?")
    with sqlite3.connect(MEASURED / "coverage") as held:
        for context, bits in held.execute(query, [file]):
            for line in numbits_to_nums(bits):
                found[line].add(str(context).rpartition("|")[0])
    return {at: frozenset(tests) for at, tests in found.items()}


def _is_kept(source: str, line: int) -> bool:
    r"""Tell whether a line stands in a function that runs once for all who call it alike.

    >>> _is_kept("@cache\ndef one() -> int:\n    return 1\ndef two() -> int:\n    return 2", 3)
    True
    >>> _is_kept("@cache\ndef one() -> int:\n    return 1\ndef two() -> int:\n    return 2", 5)
    False
    """
    # Python 3.11 counts how deep its parser is for all threads together, and may trip over that.
    with _PARSING:
        parsed = ast.parse(source)
    return any(
        isinstance(one, ast.FunctionDef) and one.lineno <= line <= (one.end_lineno or 0)
        and any("cache" in ast.unparse(each) for each in one.decorator_list)
        for one in ast.walk(parsed)
    )


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


def _failed(told: str) -> list[str]:
    """Return the tests that failed in a run."""
    return [line.removeprefix("FAILED ").partition(" - ")[0] for line in told.splitlines()
            if line.startswith("FAILED ")]


def _seconds(told: str) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for line in told.splitlines():
        words = line.split(maxsplit=2)
        if len(words) == 3 and words[0].endswith("s") and words[1] in ("call", "setup"):
            found[words[2]] += float(words[0][:-1])
    return found
