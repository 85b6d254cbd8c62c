"""Processes of the measured judges, started as an operator starts them."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

ROOT = Path(__file__).parents[2]
_TICKS = os.sysconf("SC_CLK_TCK")


@dataclass(frozen=True)
class Judge:
    """A process of a judge, and the address that accepts mail, if any."""

    pid: int
    place: str


PARTS = ("work", "resolve", "send", "paint")
"""Commands that run next to `judge listen`, each in a process of its own."""


@contextmanager
def judges(
    folder: Path, url: str, command: str, many: int, parts: Sequence[str] = ()
) -> Iterator[list[Judge]]:
    """Run *many* processes of a command on a database, and `parts` next to them."""
    with ExitStack() as stack:
        doors = [stack.enter_context(_judge(folder, url, command)) for _ in range(many)]
        yield doors + [stack.enter_context(_judge(folder, url, part, "--loop")) for part in parts]


@contextmanager
def _judge(folder: Path, url: str, *words: str) -> Iterator[Judge]:
    environ = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")} | {
        "JUDGE_LISTEN_SMTP": "127.0.0.1:0", "JUDGE_STORE_URL": url, "PYTHONPATH": str(ROOT),
        "JUDGE_DELIVER_TO": f"maildir:{folder}/letters", "JUDGE_POLICY_PRESS_PER_DAY": "1000000",
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "judge", *words], cwd=folder, env=environ, text=True,
        stdout=subprocess.PIPE, stderr=subprocess.DEVNULL,
    )
    assert process.stdout is not None
    said = process.stdout.readline()
    assert said, f"judge {' '.join(words)} did not start"
    try:
        yield Judge(process.pid, said.partition(";")[0].partition(" takes mail at ")[2].strip())
    finally:
        process.terminate()
        process.communicate(timeout=60)


def done_by(kind: str, url: str, many: int) -> float:
    """Run *many* processes until their work is done and return the seconds.

    The time runs from their common start to the end of the last one.
    """
    hands = [
        subprocess.Popen(
            [sys.executable, "-m", "tests.load.hand", kind, url], cwd=ROOT, text=True,
            stdin=subprocess.PIPE, stdout=subprocess.PIPE,
        )
        for _ in range(many)
    ]
    for hand in hands:
        assert hand.stdout is not None and hand.stdout.readline() == "ready\n"
    began = time.perf_counter()
    for hand in hands:
        assert hand.stdin is not None
        hand.stdin.write("\n")
        hand.stdin.flush()
    for hand in hands:
        hand.communicate()
        assert hand.returncode == 0
    return time.perf_counter() - began


def places_of(those: list[Judge]) -> list[str]:
    """Return the addresses that accept mail."""
    return [judge.place for judge in those if judge.place]


def cpu_of(those: list[Judge]) -> float:
    """Return the processor seconds used by judges and their picture processes."""
    used, parents = dict[int, int](), dict[int, int]()
    for stat in Path("/proc").glob("[0-9]*/stat"):
        try:
            fields = stat.read_text().rpartition(") ")[2].split()
        except OSError:
            continue
        parents[int(stat.parent.name)] = int(fields[1])
        used[int(stat.parent.name)] = int(fields[11]) + int(fields[12])
    mine = {judge.pid for judge in those}
    mine |= {pid for pid, parent in parents.items() if parent in mine}
    return sum(used[pid] for pid in mine if pid in used) / _TICKS


def memory_of(those: list[Judge]) -> list[int]:
    """Return the resident MiB of each judge, without its picture processes."""
    statuses = [Path(f"/proc/{judge.pid}/statm").read_text().split() for judge in those]
    return [int(each[1]) * os.sysconf("SC_PAGE_SIZE") // 2**20 for each in statuses]
