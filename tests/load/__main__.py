"""Measure a judge with many games.

For example `python -m tests.load --games 10000 --due 500 --mails 1000`.

`--store postgres` uses a server of its own, which syncs its commits. `--workers 1,2,4` runs that
number of judges on it, `--resolvers 1` one more process that resolves games, and `--apart` one
listener with each other part in that number of processes. Run it on an idle machine: it prints the
load before it begins. `python -m tests.load.month` measures the memory of a judge over a month.
"""

import argparse
import os
import platform
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from judge.clock import SystemClock
from judge.config import Config, StoreSection
from judge.daemon.application import open_application
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from judge.store.database import Store
from judge.store.mail_queues import Post
from judge.store.table import micros
from tests import postgres
from tests.load.pictures import told_of_pictures
from tests.load.population import build, order_mail, pull
from tests.load.processes import PARTS, Judge, cpu_of, done_by, judges, memory_of, places_of
from tests.load.traffic import Told, send, shares

_LANES = 25
_CROWD = 50
_CALM = 20.0
"""Seconds of the same traffic while no game is due."""
_LOOKS = 200
_MAX_HOUR_SECONDS = 900.0
"""Seconds after which an unfinished full hour is abandoned."""


class Load:
    """One database, and the mails that go to it."""

    def __init__(self, folder: Path, url: str, asked: argparse.Namespace, hours: int) -> None:
        self.asked = asked
        self.folder, self.url = folder, url
        self.pace = _LANES / asked.rate
        """Seconds between two mails of a connection."""
        self.others = max(asked.games - asked.due * hours, asked.mails, 10)
        began = time.perf_counter()
        build(folder, url, asked.due * hours, self.others, asked.phases)
        self.seconds = time.perf_counter() - began
        self.store = Store(url)
        self.store.open(create=False)
        self._numbers = iter(range(10**9))

    def mails(self, most: int = 10**9) -> Iterator[tuple[str, bytes]]:
        """Yield mails of twenty orders, each for another game while there are any."""
        games = self.others - 2 * (self.others // 10)
        for _ in range(most):
            number = next(self._numbers)
            yield order_mail(number % games + 1, number)

    def many(self, what: str) -> int:
        """Return the number of rows in a table, or of those that match a condition."""
        return int(self.store.select_sql(f"SELECT COUNT(*) FROM {what}", ())[0][0])


def measure(folder: Path, url: str, asked: argparse.Namespace, workers: list[int]) -> Iterator[str]:
    """Yield a line for each figure."""
    load = Load(folder, url, asked, len(workers))
    names = ("games", "seats", "events", "turns")
    told = ", ".join(f"{load.many(name)} {name}" for name in names)
    yield f"{told}; made in {load.seconds:.0f} s"
    size = load.store.size_bytes()
    yield (
        f"database: {size / 2**20:.0f} MiB, {size / load.many('games') / 1024:.0f} KiB for each"
        f" game with {asked.phases} phases"
    )
    yield f"a look that finds nothing to do: {1000 * _idle(url):.1f} ms of a processor"
    for count in workers:
        yield from _measure_intake(load, count)
    for at, count in enumerate(workers):
        door, parts = ("listen", PARTS * count) if asked.apart else ("serve", ())
        with judges(folder, url, door, 1 if asked.apart else count, parts) as running:
            yield from _measure_service(load, running, (at * asked.due + 1, (at + 1) * asked.due))
    load.store.close()


def _idle(url: str) -> float:
    """Return the processor seconds of a look that finds nothing to do."""
    application = open_application(Config(store=StoreSection(url)), SystemClock(), create=False)
    resolving = ResolverLoop(application)
    worker = Worker(application, resolving)
    for _ in range(3):
        resolving.tick(application.clock.now())
    began = time.process_time()
    for _ in range(_LOOKS):
        worker.work_one()
        resolving.tick(application.clock.now())
        application.resolver.next_due()
    application.store.close()
    return (time.process_time() - began) / _LOOKS


def _measure_intake(load: Load, count: int) -> Iterator[str]:
    """Measure the intake of mails as fast as they are taken, then their processing."""
    with judges(load.folder, load.url, "listen", 1) as running:
        before = cpu_of(running)
        found = send([running[0].place], load.mails(load.asked.mails), _CROWD)
        each = (cpu_of(running) - before) / len(found.waits)
        yield (
            f"accepted: {found}, on {_CROWD} connections; {1000 * each:.1f} ms of a processor each"
        )
    waited = len(Post(load.store).new_numbers(10**6))
    took = done_by("work", load.url, count)
    yield f"worked by {count}: {waited / took:.1f} mails of 20 lines a second"


def _measure_service(load: Load, running: list[Judge], games: tuple[int, int]) -> Iterator[str]:
    """Measure running judges, first with mails alone, then with a full hour."""
    places, serving = places_of(running), _serving(load, running)
    send(places, load.mails(_LANES), _LANES)
    _settle(load)
    mark = load.many("mails")
    until = time.monotonic() + load.asked.calm
    found = send(places, load.mails(), _LANES, load.pace, lambda: time.monotonic() > until)
    _settle(load)
    yield f"{serving}, nothing due: {found}; receipts after {shares(_receipts(load, mark))}"
    yield from _full_hour(load, running, games)
    yield f"memory: {', '.join(map(str, memory_of(running)))} MiB"


def _serving(load: Load, running: list[Judge]) -> str:
    """Return a description of the running processes."""
    if not load.asked.apart:
        return f"{len(running)} serving"
    return f"a door and {len(running) // len(PARTS)} of each other part"


def _settle(load: Load) -> None:
    """Wait until all mails are processed."""
    until = time.monotonic() + _MAX_HOUR_SECONDS
    while load.many("mails WHERE state = 'new'") and time.monotonic() < until:
        time.sleep(0.2)


def _receipts(load: Load, mark: int) -> list[float]:
    """Return the seconds from the 250 of each mail since then to its queued receipt."""
    asked = (
        "SELECT outgoing.queued - mails.accepted FROM mails JOIN outgoing ON answers = mails.id"
        " WHERE mails.id > (SELECT MAX(id) FROM mails) - ? AND outgoing.kind = 'receipt'"
    )
    found = load.store.select_sql(asked, (load.many("mails") - mark,))
    return [int(wait) / 1e6 for (wait,) in found]


def _full_hour(load: Load, running: list[Judge], games: tuple[int, int]) -> Iterator[str]:
    """Make games due at once while mail arrives, and yield the results."""
    store, mark = load.store, load.many("mails")
    ((first,),) = store.select_sql("SELECT COALESCE(MAX(id), 0) FROM outgoing", ())
    due = micros(SystemClock().now())
    over = threading.Event()
    found: list[Told] = []
    places = places_of(running)
    traffic = threading.Thread(
        target=lambda: found.append(send(places, load.mails(), _LANES, load.pace, over.is_set))
    )
    used = cpu_of(running)
    pull(store, *games, due)
    began = time.perf_counter()
    traffic.start()
    many = load.asked.resolvers
    beside = threading.Thread(target=lambda: many and done_by("resolve", load.url, many))
    beside.start()
    left = _wait(lambda: load.many(f"games WHERE state = 'running' AND due <= {due}"))
    took = time.perf_counter() - began
    over.set()
    traffic.join()
    beside.join()
    used = cpu_of(running) - used
    _settle(load)
    letters = load.many(f"outgoing WHERE id > {first} AND answers = 0")
    yield (
        f"full hour with {games[1] - games[0] + 1} games, {_serving(load, running)}"
        f"{f', {many} resolving' if many else ''}: {took:.1f} s"
        f" ({used:.0f} of processors) to the last of {letters} letters, {left} games left;"
        f" meanwhile {found[0]}; receipts after {shares(_receipts(load, mark))}"
    )
    _wait(lambda: load.many("outgoing WHERE waits <> 0"))
    yield told_of_pictures(store, first)


def _wait(left: Callable[[], int]) -> int:
    """Wait until nothing is left and return the rest, which is 0 unless it timed out."""
    until = time.monotonic() + _MAX_HOUR_SECONDS
    while (many := left()) and time.monotonic() < until:
        time.sleep(0.2)
    return many


def main() -> None:
    """Print the report."""
    asked = argparse.ArgumentParser(prog="python -m tests.load", description=__doc__)
    asked.add_argument("--games", type=int, default=200)
    asked.add_argument("--due", type=int, default=20)
    asked.add_argument("--mails", type=int, default=100)
    asked.add_argument("--phases", type=int, default=2)
    asked.add_argument("--rate", type=float, default=50.0, help="mails a second meanwhile")
    asked.add_argument("--apart", action="store_true", help="each part in processes of its own")
    asked.add_argument("--resolvers", type=int, default=0)
    asked.add_argument("--calm", type=float, default=_CALM)
    asked.add_argument("--store", choices=("sqlite", "postgres"), default="sqlite")
    asked.add_argument("--workers", default="1")
    given = asked.parse_args()
    if given.apart and given.store == "sqlite":
        asked.error("--apart needs --store postgres")
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
