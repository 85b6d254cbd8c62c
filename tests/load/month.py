"""Measure the memory of a judge over a simulated month.

`python -m tests.load.month` plays thirty days at once. Every two hours players send orders,
strangers send HELP, a game has its deadline, its pictures are rendered, letters are sent, and old
data is deleted. The library for pictures runs in a process of its own, which ends when it is idle.
"""

import gc
import os
import sys
import tempfile
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from judge.config import Config, StoreSection
from judge.daemon.retention import Retention
from judge.model.incoming import Arrival
from judge.store.table import micros
from tests.journeys.rig import Rig
from tests.load.population import build, order_mail, pull
from tests.outbox import last_out

GAMES = 40
_TOLD = (1, 5, 10, 15, 20, 25, 30)
_STEP = timedelta(hours=2)


class Passing(Rig):
    """Rig that does not store its letters."""

    def put(self, address: str, message: bytes) -> None:
        """Discard a message."""


def month(folder: Path, days: int = 30, mails: int = 5) -> Iterator[str]:
    """Yield a line for some of the days."""
    url = f"sqlite:///{folder}/x.sqlite3"
    build(folder, url, GAMES, 100, 1)
    rig = Passing(Config(store=StoreSection(url)))
    tidying, number = Retention(rig.application), 0
    rig.clock.advance(days=5)
    for step in range(days * 12):
        rig.clock.advance(seconds=_STEP.total_seconds())
        for _ in range(mails):
            number += 1
            sender, raw = order_mail(number % 80 + 1, number)
            rig.application.post.accept(
                [Arrival(raw, sender, ("judge@localhost",))], rig.clock.now()
            )
        # `Rig.store` is not used, because it keeps what it writes.
        stranger = f"stranger{number}@example.net"
        asks = f"From: {stranger}\r\nMessage-ID: <{number}.month@example.net>\r\n\r\nHELP\r\n"
        rig.application.post.accept(
            [Arrival(asks.encode(), stranger, ("judge@localhost",))], rig.clock.now()
        )
        game = step % GAMES + 1
        pull(rig.application.store, game, game, micros(rig.clock.now()))
        rig.run()
        rig.easel.drawn.clear()
        tidying.run_once(rig.clock.now())
        day, hour = divmod(step + 1, 12)
        if not hour and day in _TOLD:
            gc.collect()
            letters = last_out(rig.application.post)
            yield (
                f"day {day}: {number} mails of orders, {letters} letters, {_octets() // 2**20} MiB,"
                f" {len(gc.get_objects())} objects"
            )
    rig.close()


def _octets() -> int:
    """Return the resident memory of this process in bytes."""
    pages = int(Path("/proc/self/statm").read_text().split()[1])
    return pages * os.sysconf("SC_PAGE_SIZE")


def main() -> None:
    """Print the report."""
    with tempfile.TemporaryDirectory() as folder:
        for line in month(Path(folder), *map(int, sys.argv[1:])):
            print(line, flush=True)


if __name__ == "__main__":
    main()
