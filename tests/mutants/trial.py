"""One fault tried: it is put into a copy of the house, and the tests that reach it run there."""

import os
import shutil
import signal
import subprocess
import sys
from collections.abc import Sequence
from enum import Enum
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tests.mutants.faults import Fault
from tests.mutants.reach import KEPT, ROOT, Reach

ENOUGH = 150.0
"""Seconds of tests that are run for a fault, as they were measured: alone they take a third."""
PATIENCE = 60.0
"""Seconds a run may take, and five times what its tests took; who hangs longer has noticed, unless
the tests take half as long without the fault: then the machine is busy, and has twice the time."""

_times = count(1_000_000_000)


class Verdict(Enum):
    """What became of a fault."""

    SEEN = "."
    HUNG = "h"
    UNSEEN = "x"


class Outcome(NamedTuple):
    """A verdict, and the tests by which it is one: those that failed, or all that did not."""

    verdict: Verdict
    tests: Sequence[str]
    reached: int
    """How many tests there are that reach the fault."""


def tree(name: str) -> Path:
    """Make a copy of the house that faults are put into, with its tests."""
    place = KEPT / name
    shutil.rmtree(place, ignore_errors=True)
    leave = shutil.ignore_patterns(
        ".git", ".venv", ".mutants", ".hypothesis", "var", ".mypy_cache", "__pycache__"
    )
    shutil.copytree(ROOT, place, ignore=leave)
    # The package is installed from where it is made; in a copy these two lie inside.
    for inner in ("grammar", "mailtemplates"):
        (place / "judge" / inner).symlink_to(Path("..") / inner)
    return place


def tried(fault: Fault, place: Path, reach: Reach) -> Outcome:
    """Put a fault into a tree, run what reaches it, and tell whether a test failed."""
    reached = reach.tests_of(place, fault.file, fault.first, fault.last)
    tests = reach.within(reached, ENOUGH)
    if not tests:
        return Outcome(Verdict.UNSEEN, (), 0)
    file = place / fault.file
    sound = file.read_bytes()
    patience = PATIENCE + 5 * sum(reach.seconds[test] for test in tests)
    while True:
        try:
            _write(file, fault.put_into(sound))
            failed = failures(tests, place, patience)
        finally:
            _write(file, sound)
        if failed is not None:
            break
        if failures(tests, place, patience / 2) is not None:
            return Outcome(Verdict.HUNG, tests, len(reached))
        patience *= 2
    if failed:
        return Outcome(Verdict.SEEN, failed, len(reached))
    return Outcome(Verdict.UNSEEN, tests, len(reached))


def failures(
    tests: Sequence[str], place: Path, patience: float, *, go_on: bool = False
) -> list[str] | None:
    """Run tests in a tree up to the first that fails; return what failed, None where they hang.

    What fails before a test could begin has no name but "".
    """
    (place / "chosen").write_text("\n".join(tests), "utf-8")
    command = [
        sys.executable, "-m", "pytest", "-q", "--tb=no", "-rfE", "-p", "no:cacheprovider",
        "-p", "no:xdist", "-p", "no:pytest_cov", *([] if go_on else ["-x"]), "@chosen",
    ]
    with (place / "told").open("w+", encoding="utf-8") as told:
        process = subprocess.Popen(
            command, cwd=place, stdin=subprocess.DEVNULL, stdout=told, stderr=subprocess.STDOUT,
            env={**os.environ, "PYTHONPATH": str(place)}, start_new_session=True,
        )
        try:
            code = process.wait(patience)
        except subprocess.TimeoutExpired:
            return None
        finally:
            # Judges that the tests started go with them.
            _end(process)
        told.seek(0)
        lines = [line.partition(" ") for line in told.read().splitlines()]
    if not code:
        return []
    said = [rest for word, _, rest in lines if word in ("FAILED", "ERROR")]
    return [test for test in tests if any(f"{one} ".startswith(f"{test} ") for one in said)] or [""]


def _end(process: "subprocess.Popen[bytes]") -> None:
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
    process.wait()


def _write(file: Path, octets: bytes) -> None:
    """Write a source file as of an instant of its own: what was compiled of another is not used."""
    file.write_bytes(octets)
    instant = next(_times)
    os.utime(file, (instant, instant))
