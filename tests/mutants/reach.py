"""Which tests reach a line: worked out once by running them all, and kept for next time."""

import sqlite3
import subprocess
import sys
from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from coverage.numbits import numbits_to_nums

ROOT = Path(__file__).parents[2]
KEPT = ROOT / ".mutants"
"""What was worked out, and the trees with faults in them; not in the repository."""


@dataclass(frozen=True)
class Reach:
    """By file and line, the tests that ran it; and how long each test took, in seconds."""

    lines: Mapping[str, Mapping[int, frozenset[str]]]
    seconds: Mapping[str, float]

    def tests_of(self, file: str, first: int, last: int) -> list[str]:
        """Return the tests that ran one of these lines, the quickest first.

        Of lines that run when a file is loaded: the tests that ran anything of the file.
        """
        lines = self.lines.get(file, {})
        found = frozenset[str]().union(*(lines.get(at, ()) for at in range(first, last + 1)))
        found = found or frozenset[str]().union(*lines.values())
        return sorted(found, key=lambda test: (self.seconds.get(test, 1.0), test))


def measured(again: bool) -> Reach:
    """Return what the tests reach; run them all with coverage where nothing is known or `again`."""
    data, times = KEPT / "coverage", KEPT / "times"
    if again or not data.exists():
        _run_all(data, times)
    return Reach(_lines(data), _seconds(times))


def _run_all(data: Path, times: Path) -> None:
    KEPT.mkdir(exist_ok=True)
    rules = KEPT / "coveragerc"
    rules.write_text(f"[run]\nsource = judge\ndata_file = {data}\n", "ascii")
    command = [
        sys.executable, "-m", "pytest", "-q", "-n", "2", "--dist", "worksteal", "--durations=0",
        "--durations-min=0.005", "--cov", "--cov-context=test", f"--cov-config={rules}",
        "--cov-report=", "-p", "no:cacheprovider",
    ]
    done = subprocess.run(command, cwd=ROOT, capture_output=True, text=True)
    times.write_text(done.stdout, "utf-8")
    if done.returncode:
        sys.exit(done.stdout[-3000:] + "\nThe tests fail without a fault: mend that first.")


def _lines(data: Path) -> dict[str, dict[int, frozenset[str]]]:
    found: dict[str, dict[int, set[str]]] = defaultdict(lambda: defaultdict(set))
    query = ("SELECT file.path, context.context, numbits FROM line_bits "
             "JOIN file ON file.id = file_id JOIN context ON context.id = context_id")
    with sqlite3.connect(data) as held:
        for path, context, bits in held.execute(query):
            test = str(context).rpartition("|")[0]
            if test:
                for line in numbits_to_nums(bits):
                    found[str(Path(path).relative_to(ROOT))][line].add(test)
    return {file: {at: frozenset(tests) for at, tests in lines.items()}
            for file, lines in found.items()}


def _seconds(times: Path) -> dict[str, float]:
    found: dict[str, float] = defaultdict(float)
    for line in times.read_text("utf-8").splitlines():
        words = line.split(maxsplit=2)
        if len(words) == 3 and words[0].endswith("s") and words[1] in ("call", "setup"):
            found[words[2]] += float(words[0][:-1])
    return found
