"""Draw faults, run the tests that should see them, tell which nobody saw.

`python -m tests.mutants [--count 60] [--seed N] [--again] [--only judge/store]`; without a seed one
is drawn, and told. The figures go to `.mutants/report.json` too. The exit code is 1 where fewer
than nine in ten were seen.
"""

import argparse
import json
import os
import random
import sys
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from itertools import cycle
from pathlib import Path
from queue import Queue

from tests.mutants.faults import Fault, faults
from tests.mutants.nurseries import HungError, Nursery
from tests.mutants.reach import KEPT, Reach, measured
from tests.mutants.trial import Outcome, Verdict, tree, tried

GROUPS = ("judge/games", "judge/mail", "judge/store", "judge/daemon", "judge/play")
"""A like share of the faults is put into each."""
WANTED = 0.9


def drawn(place: Path, count: int, seed: int, only: str) -> list[Fault]:
    """Draw faults of a tree, as many of each group, never one that is known to change nothing."""
    harmless = known()
    luck = random.Random(seed)
    heaps = []
    # What stands in none of the groups is drawn from where it is asked for.
    groups = [each for each in GROUPS if each.startswith(only) or only.startswith(each)]
    for group in groups or [only]:
        root = place / group
        sources = sorted(root.rglob("*.py")) if root.is_dir() else [root]
        files = {str(file.relative_to(place)): file for file in sources}
        heaps.append(_mixed([
            fault
            for name, file in files.items() if name.startswith(only)
            for fault in faults(name, file.read_bytes())
            if fault.name not in harmless
        ], luck))
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


def known() -> set[tuple[str, ...]]:
    """Return the names of the faults that are known to change nothing."""
    lines = (Path(__file__).parent / "equivalent.tsv").read_text("utf-8").splitlines()
    return {tuple(row.split("\t")[:4]) for row in lines if row and not row.startswith("#")}


def run(
    chosen: Sequence[Fault], reach: Reach, nurseries: Sequence[Nursery]
) -> list[Outcome]:
    """Try faults side by side, one in each tree, and return what became of each."""
    free: Queue[Nursery] = Queue()
    for nursery in nurseries:
        free.put(nursery)

    def one(fault: Fault) -> Outcome:
        nursery = free.get()
        try:
            outcome = tried(fault, nursery, reach)
        finally:
            free.put(nursery)
        said = outcome.verdict.value
        if outcome.verdict is Verdict.UNSEEN:
            said = f"\n{told(fault)}\n({len(outcome.tests)} of {outcome.reached} tests)\n"
        print(said, end="", flush=True)
        return outcome

    with ThreadPoolExecutor(len(nurseries)) as pool:
        outcomes = list(pool.map(one, chosen))
    print()
    return outcomes


def unsound(outcomes: Sequence[Outcome], reach: Reach, nursery: Nursery) -> list[str]:
    """Return the tests that saw faults and fail without one too: they have seen nothing."""
    tests = sorted({test for outcome in outcomes if outcome.verdict is Verdict.SEEN
                    for test in outcome.tests if test})
    try:
        return nursery.failures({test: reach.seconds[test] for test in tests}, go_on=True)
    except HungError as hung:
        return [str(hung)]


def _tried(
    chosen: Sequence[Fault], reach: Reach, nurseries: Sequence[Nursery]
) -> list[Outcome]:
    """Try faults, again where only such tests saw them as fail without them too."""
    outcomes = run(chosen, reach, nurseries)
    while lame := unsound(outcomes, reach, nurseries[0]):
        print("\n".join(f"fails without a fault too, and is left out: {test}" for test in lame))
        reach = reach.without(lame)
        again = [at for at, outcome in enumerate(outcomes)
                 if outcome.verdict is Verdict.SEEN and set(outcome.tests) & set(lame)]
        for at, outcome in zip(again, run([chosen[at] for at in again], reach, nurseries)):
            outcomes[at] = outcome
    return outcomes


def told(fault: Fault) -> str:
    """Say where a fault is and what it is, in one line that `equivalent.tsv` can take."""
    return f"{fault.kind} at {fault.file}:{fault.first}\n" + "\t".join(fault.name)


def main() -> int:
    """Run, print and keep the figures."""
    asked = argparse.ArgumentParser(prog="python -m tests.mutants", description=__doc__)
    asked.add_argument("--count", type=int, default=60)
    asked.add_argument("--seed", type=int, default=random.SystemRandom().randrange(1_000_000))
    asked.add_argument("--only", default="", help="the beginning of a path")
    asked.add_argument("--again", action="store_true", help="work out anew what tests reach")
    asked.add_argument("--part", default="1/1", help="of the faults drawn only, say, the 2/5th")
    asked.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    said = asked.parse_args()
    # Work may go on beside it: everything is done in copies of how the house stands now.
    trees = [tree(f"tree{number}") for number in range(said.jobs)]
    chosen = drawn(trees[0], said.count, said.seed, said.only)
    part, parts = map(int, said.part.split("/"))
    chosen = chosen[part - 1::parts]
    reach = measured(trees[0], said.again)
    with ExitStack() as stack:
        nurseries = [stack.enter_context(Nursery(place)) for place in trees]
        outcomes = _tried(chosen, reach, nurseries)
    unseen = [fault for fault, outcome in zip(chosen, outcomes)
              if outcome.verdict is Verdict.UNSEEN]
    by_kind, missed = Counter(f.kind for f in chosen), Counter(f.kind for f in unseen)
    for kind, many in sorted(by_kind.items()):
        print(f"{kind:12} {many - missed[kind]:4} of {many:4} seen")
    hung = sum(outcome.verdict is Verdict.HUNG for outcome in outcomes)
    share = 1 - len(unseen) / max(1, len(chosen))
    print(f"{len(chosen) - len(unseen)} of {len(chosen)} seen ({share:.0%}), {hung} of them by"
          f" tests that hung; seed {said.seed}")
    report = {"seed": said.seed, "count": len(chosen), "hung": hung,
              "unseen": [fault.name for fault in unseen]}
    (KEPT / "report.json").write_text(json.dumps(report, indent=1), "utf-8")
    return int(share < WANTED)


if __name__ == "__main__":
    sys.exit(main())
