"""Durable accepts per second, next to an empty aiosmtpd and Postfix."""

import json
import os
import subprocess
import sys
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from statistics import median

from tests.bench.postfix import is_here, postfix

ROOT = Path(__file__).parents[2]
CROWDS = (1, 10, 50)
MANNERS = ("new", "kept")


@contextmanager
def server(*words: str, folder: Path = ROOT, **environ: str) -> Iterator[str]:
    """Run a module as a server and yield its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", *words], cwd=folder, text=True, stdout=subprocess.PIPE,
        env=os.environ | {"PYTHONPATH": str(ROOT)} | environ, stdin=subprocess.DEVNULL,
    )
    try:
        assert process.stdout is not None
        yield process.stdout.readline().partition(";")[0].split()[-1]
    finally:
        process.terminate()
        process.wait(30)


@contextmanager
def judge(folder: Path, command: str = "listen") -> Iterator[str]:
    """Run a judge in a folder of its own and yield its address."""
    folder.mkdir(parents=True, exist_ok=True)
    with server(
        "judge", command, folder=folder, JUDGE_LISTEN_SMTP="127.0.0.1:0",
        JUDGE_STORE_URL=f"sqlite:///{folder}/judge.sqlite3",
        JUDGE_DELIVER_TO=f"maildir:{folder}/outbox", JUDGE_POLICY_STRANGERS_PER_HOUR="1000000",
    ) as place:
        yield place


def measure_intake(place: str, crowd: int, manner: str, seconds: float) -> float:
    """Return the messages per second that a server accepts."""
    words = [sys.executable, "-m", "tests.bench.load", place, str(crowd), str(seconds), manner]
    done = subprocess.run(words, cwd=ROOT, capture_output=True, text=True, timeout=120, check=True)
    found = json.loads(done.stdout)
    assert not found["refused"], f"{place} refused {found['refused']} messages"
    return float(found["per_second"])


def accepts(folder: Path, rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """Return the median messages per second by server and case, such as "new 50".

    In each round every server is loaded in turn, so that changes of the machine affect all of them.
    """
    with ExitStack() as stack:
        places = {
            "empty aiosmtpd": stack.enter_context(server("tests.bench.servers", "empty")),
            "judge": stack.enter_context(judge(folder / "accepts")),
        }
        if is_here():
            places["postfix"] = stack.enter_context(postfix())
        return _measure(places, rounds, seconds, [(m, c) for m in MANNERS for c in CROWDS])


def slow_disk(folder: Path, rounds: int, seconds: float) -> dict[str, dict[str, float]]:
    """Return the same for a sync of 5 ms: the judge, and a commit for each message."""
    with ExitStack() as stack:
        places = {
            kind: stack.enter_context(
                server("tests.bench.servers", kind, f"sqlite:///{folder}/{kind}.sqlite3")
            )
            for kind in ("group", "single")
        }
        return _measure(places, rounds, seconds, [("new", 50)])


def _measure(
    places: dict[str, str], rounds: int, seconds: float, cases: list[tuple[str, int]]
) -> dict[str, dict[str, float]]:
    found: dict[str, dict[str, float]] = {name: {} for name in places}
    for manner, crowd in cases:
        runs: dict[str, list[float]] = {name: [] for name in places}
        for _ in range(rounds):
            for name, place in places.items():
                runs[name].append(measure_intake(place, crowd, manner, seconds))
        for name, rates in runs.items():
            found[name][f"{manner} {crowd}"] = median(rates)
    return found
