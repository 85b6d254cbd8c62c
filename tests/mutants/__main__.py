"""Draw faults, run the tests that should see them, tell which nobody saw.

`python -m tests.mutants [--count 60] [--seed 1] [--again] [--only judge/store]`; the figures go to
`.mutants/report.json` too. The exit code is 1 where fewer than nine in ten were seen.
"""

import argparse
import json
import os
import random
import shutil
import subprocess
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from queue import Queue

from tests.mutants.faults import Fault, faults
from tests.mutants.reach import KEPT, ROOT, Reach, measured

GROUPS = ("judge/games", "judge/mail", "judge/store", "judge/daemon", "judge/play")
"""A like share of the faults is put into each."""
WANTED = 0.9
PATIENCE = 180
"""Seconds for the tests of one fault; who hangs has noticed."""
MOST = 600
"""So many tests are run for a fault, the quickest; a line that more run is seen by these."""


def drawn(count: int, seed: int, only: str) -> list[Fault]:
    """Draw faults, a like share from each group, never one that is known to change nothing."""
    known = {tuple(row.split("\t")[:3]) for row in _equivalent()}
    luck = random.Random(seed)
    heaps = []
    for group in GROUPS:
        if group.startswith(only) or only.startswith(group):
            files = sorted((ROOT / group).rglob("*.py"))
            found = [
                fault
                for file in files if str(file.relative_to(ROOT)).startswith(only)
                for fault in faults(str(file.relative_to(ROOT)), file.read_bytes())
                if fault.name not in known
            ]
            heaps.append(_mixed(found, luck))
    chosen: list[Fault] = []
    for heap in cycle(heaps):
        if len(chosen) == count or not any(heaps):
            return chosen
        if heap:
            chosen.append(heap.pop())
    return chosen


def _mixed(found: list[Fault], luck: random.Random) -> list[Fault]:
    """Return faults in an order drawn by lot in which each kind comes as often as the others."""
    luck.shuffle(found)
    kinds: dict[str, int] = Counter()
    places = {}
    for fault in found:
        places[fault.name, fault.start] = kinds[fault.kind]
        kinds[fault.kind] += 1
    return sorted(found, key=lambda fault: places[fault.name, fault.start], reverse=True)


def _equivalent() -> list[str]:
    lines = (Path(__file__).parent / "equivalent.tsv").read_text("utf-8").splitlines()
    return [line for line in lines if line and not line.startswith("#")]


def tree(number: int) -> Path:
    """Make a copy of the house that faults are put into, with its tests."""
    place = KEPT / f"tree{number}"
    shutil.rmtree(place, ignore_errors=True)
    leave = shutil.ignore_patterns(".git", ".venv", ".mutants", "var", ".mypy_cache", "__pycache__")
    shutil.copytree(ROOT, place, ignore=leave)
    # The package is installed from where it is made; in a copy these two lie inside.
    for inner in ("grammar", "mailtemplates"):
        (place / "judge" / inner).symlink_to(Path("..") / inner)
    return place


def is_seen(fault: Fault, place: Path, reach: Reach) -> bool:
    """Put a fault into a tree, run what reaches it, and tell whether a test failed."""
    tests = reach.tests_of(fault.file, fault.first, fault.last)[:MOST]
    file = place / fault.file
    sound = file.read_bytes()
    listed = place / "chosen"
    listed.write_text("\n".join(tests or ["tests"]), "utf-8")
    command = [
        sys.executable, "-m", "pytest", "-x", "-q", "-p", "no:cacheprovider", "-p", "no:pytest_cov",
        f"@{listed}",
    ]
    try:
        file.write_bytes(fault.put_into(sound))
        done = subprocess.run(
            command, cwd=place, capture_output=True, timeout=PATIENCE,
            env={**os.environ, "PYTHONPATH": str(place)},
        )
        return done.returncode != 0
    except subprocess.TimeoutExpired:
        return True
    finally:
        file.write_bytes(sound)


def run(chosen: Sequence[Fault], reach: Reach, workers: int) -> list[Fault]:
    """Try faults side by side and return those nobody saw."""
    places: Queue[Path] = Queue()
    for number in range(workers):
        places.put(tree(number))

    def tried(fault: Fault) -> bool:
        place = places.get()
        try:
            seen = is_seen(fault, place, reach)
        finally:
            places.put(place)
        print("." if seen else f"\n{told(fault)}\n", end="", flush=True)
        return seen

    with ThreadPoolExecutor(workers) as pool:
        verdicts = list(pool.map(tried, chosen))
    print()
    return [fault for fault, seen in zip(chosen, verdicts) if not seen]


def told(fault: Fault) -> str:
    """Say where a fault is and what it is, in one line that `equivalent.tsv` can take."""
    return f"{fault.kind} at {fault.file}:{fault.first}\n" + "\t".join(fault.name)


def main() -> int:
    """Run, print and keep the figures."""
    asked = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    asked.add_argument("--count", type=int, default=60)
    asked.add_argument("--seed", type=int, default=1)
    asked.add_argument("--only", default="", help="the beginning of a path")
    asked.add_argument("--again", action="store_true", help="work out anew what tests reach")
    asked.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    said = asked.parse_args()
    chosen = drawn(said.count, said.seed, said.only)
    unseen = run(chosen, measured(said.again), said.jobs)
    by_kind, missed = Counter(f.kind for f in chosen), Counter(f.kind for f in unseen)
    for kind, many in sorted(by_kind.items()):
        print(f"{kind:12} {many - missed[kind]:4} of {many:4} seen")
    share = 1 - len(unseen) / max(1, len(chosen))
    print(f"{len(chosen) - len(unseen)} of {len(chosen)} seen ({share:.0%}), seed {said.seed}")
    report = {"seed": said.seed, "count": len(chosen), "unseen": [f.name for f in unseen]}
    (KEPT / "report.json").write_text(json.dumps(report, indent=1), "utf-8")
    return int(share < WANTED)


if __name__ == "__main__":
    sys.exit(main())
