"""One fault tried: it is put into a copy of the house, and the tests that reach it run there."""

import os
import shutil
from collections.abc import Mapping, Sequence
from enum import Enum
from itertools import count
from pathlib import Path
from typing import NamedTuple

from tests.mutants.faults import Fault
from tests.mutants.nurseries import HungError, LoadedError, Nursery
from tests.mutants.reach import KEPT, ROOT, Reach, file_of

ENOUGH = 150.0
"""Seconds of tests that are run for a fault: half of all, which only what nobody sees costs."""
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


def tried(fault: Fault, nursery: Nursery, reach: Reach) -> Outcome:
    """Put a fault into a tree, run what reaches it, and tell whether a test failed.

    Who hangs has noticed, unless the test takes half as long without the fault: then the machine is
    busy, and the tests have twice the time.
    """
    place, where = nursery.place, (fault.file, fault.first, fault.last)
    reached = reach.tests_of(place, *where)
    tests = {test: reach.seconds[test] for test in reach.within(reached, ENOUGH)}
    if not tests:
        return Outcome(Verdict.UNSEEN, (), 0)
    file = place / fault.file
    sound = file.read_bytes()
    swap = [str(file), sound.decode(), fault.put_into(sound).decode()]
    is_swapped = not reach.is_at_load(place, *where)
    factor = 1.0
    while True:
        try:
            _write(file, fault.put_into(sound))
            if is_swapped:
                failed = nursery.failures(tests, swap, factor=factor)
            else:
                failed = _failures_anew(tests, place, factor)
        except LoadedError:
            is_swapped = False
        except HungError as hung:
            _write(file, sound)
            if not _hangs(str(hung), tests, nursery, factor / 2):
                return Outcome(Verdict.HUNG, [str(hung)], len(reached))
            factor *= 2
        else:
            verdict = Verdict.SEEN if failed else Verdict.UNSEEN
            return Outcome(verdict, failed or list(tests), len(reached))
        finally:
            _write(file, sound)


def _failures_anew(tests: Mapping[str, float], place: Path, factor: float) -> list[str]:
    """Run tests in a process that loads the files as they are now.

    Raises: HungError.
    """
    with Nursery(place, sorted({file_of(test) for test in tests})) as fresh:
        return fresh.failures(tests, factor=factor)


def _hangs(test: str, tests: Mapping[str, float], nursery: Nursery, factor: float) -> bool:
    """Tell whether a test takes too long without a fault."""
    try:
        nursery.failures({test: tests[test]} if test else {}, factor=factor)
    except HungError:
        return True
    return False


def _write(file: Path, octets: bytes) -> None:
    """Write a source file as of an instant of its own: what was compiled of another is not used."""
    file.write_bytes(octets)
    instant = next(_times)
    os.utime(file, (instant, instant))
