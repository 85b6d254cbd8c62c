"""Measure a judge with many games: `python -m tests.load --games 10000 --due 500 --mails 2000`.

With `--store postgres` on a server of its own, which keeps what it commits; `--workers 1,2,4` has
each part done by so many processes. Run it on a machine that does nothing else; it says how busy
that was before.
"""

import argparse
import os
import platform
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from judge.clock import SystemClock
from judge.store.database import Store
from judge.store.post import Worklist
from judge.store.table import micros
from tests import postgres
from tests.load.population import build, order_mail, pull
from tests.load.traffic import send

ROOT = Path(__file__).parents[2]
_LANES, _PACE = 10, 0.2
"""Ten connections with a mail every fifth of a second are fifty mails a second."""
_CROWD = 50


@contextmanager
def listening(folder: Path, url: str) -> Iterator[str]:
    """Have `judge listen` take mail in; yield where."""
    environ = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")} | {
        "JUDGE_LISTEN_SMTP": "127.0.0.1:0", "JUDGE_STORE_URL": url, "PYTHONPATH": str(ROOT),
    }
    process = subprocess.Popen(
        [sys.executable, "-m", "judge", "listen"], cwd=folder, env=environ, text=True,
        stdout=subprocess.PIPE,
    )
    assert process.stdout is not None
    words = process.stdout.readline().partition(";")[0].split(" takes mail at ")
    try:
        yield words[1].strip()
    finally:
        process.terminate()
        process.communicate(timeout=60)


def done_by(kind: str, url: str, many: int, meanwhile: threading.Event | None = None) -> float:
    """Have so many processes do what there is; return the seconds from their start to the end of
    the last."""
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
    if meanwhile is not None:
        meanwhile.set()
    return time.perf_counter() - began


def measure(folder: Path, url: str, asked: argparse.Namespace, workers: list[int]) -> Iterator[str]:
    """Yield a line for each figure."""
    others = max(asked.games - asked.due * len(workers), asked.mails)
    began = time.perf_counter()
    build(folder, url, asked.due * len(workers), others)
    store = Store(url)
    store.open(create=False)
    rows = {name: many(store, name) for name in ("games", "seats", "events", "turns")}
    told = ", ".join(f"{count} {name}" for name, count in rows.items())
    yield f"{told}; made in {time.perf_counter() - began:.0f} s"
    size = store.octets()
    each = size / rows["turns"] / 1024
    yield f"database: {size / 2**20:.0f} MiB, {each:.1f} KiB for each turn played"
    numbers = iter(range(1, 10**9))
    with listening(folder, url) as place:
        for count in workers:
            mails = (order_mail(n % others + 1, next(numbers)) for n in range(asked.mails))
            found = send(place, mails, _CROWD)
            yield (
                f"accepted: {len(found.waits) / found.seconds:.0f} mails a second on {_CROWD}"
                f" connections, 250 after {1000 * found.share(0.5):.0f} ms (p50),"
                f" {1000 * found.share(0.99):.0f} ms (p99), {found.refused} refused"
            )
            waited = len(Worklist(store).new_numbers(10**6))
            took = done_by("work", url, count)
            yield f"worked by {count}: {waited / took:.1f} mails of 20 lines a second"
        for at, count in enumerate(workers):
            yield full_hour(store, url, place, count, (at * asked.due + 1, (at + 1) * asked.due))
    store.close()


def full_hour(store: Store, url: str, place: str, count: int, games: tuple[int, int]) -> str:
    """Have games be due at once while mail comes in; return what was seen."""
    before = many(store, "outgoing")
    clock = SystemClock()
    pull(store, *games, micros(clock.now()))
    over = threading.Event()
    took: list[float] = []
    resolving = threading.Thread(
        target=lambda: took.append(done_by("resolve", url, count, over)), daemon=True
    )
    resolving.start()
    questions = ((f"q{n}@example.net", _question(n)) for n in range(10**9))
    found = send(place, questions, _LANES, _PACE, over.is_set)
    resolving.join()
    letters = many(store, "outgoing") - before
    # Nobody works them here: the next full hour shall not find them.
    store.change("DELETE FROM mails", ())
    due = "SELECT COUNT(*) FROM games WHERE state = 'running' AND due <= ?"
    ((left,),) = store.found(due, (micros(clock.now()),))
    return (
        f"full hour with {games[1] - games[0] + 1} games, {count} resolving: {took[0]:.1f} s to the"
        f" last of {letters} letters, {left} games left; meanwhile"
        f" {len(found.waits) / found.seconds:.0f} mails a second, 250 after"
        f" {1000 * found.share(0.5):.0f} ms (p50), {1000 * found.share(0.99):.0f} ms (p99),"
        f" {found.refused} refused"
    )


def _question(number: int) -> bytes:
    """Return a mail that asks for nothing of a game, and waits."""
    return (
        f"From: q{number}@example.net\r\nTo: judge@localhost\r\nMessage-ID: <{number}.q@x>\r\n\r\n"
        "HELP\r\n"
    ).encode()


def many(store: Store, table: str) -> int:
    """Return how many rows a table has."""
    return int(store.found(f'SELECT COUNT(*) FROM "{table}"', ())[0][0])


def main() -> None:
    """Print the report."""
    asked = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    asked.add_argument("--games", type=int, default=200)
    asked.add_argument("--due", type=int, default=20)
    asked.add_argument("--mails", type=int, default=100)
    asked.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    asked.add_argument("--workers", default="1")
    given = asked.parse_args()
    workers = [int(one) for one in given.workers.split(",")]
    print(
        f"{given.store}, {os.cpu_count()} cores, Python {platform.python_version()},"
        f" load before {os.getloadavg()[0]:.1f}", flush=True,
    )
    with tempfile.TemporaryDirectory() as folder:
        if given.store == "postgres":
            postgres.be_lasting()
        url = postgres.judge_url() if given.store == "postgres" else f"sqlite:///{folder}/x.sqlite3"
        for line in measure(Path(folder), url, given, workers):
            print(line, flush=True)


if __name__ == "__main__":
    main()
