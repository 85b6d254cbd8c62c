"""Crash test of ten processes, two of each kind, on one PostgreSQL database."""

import random
import signal
import time
from pathlib import Path

from judge.failpoints import VARIABLE
from tests.crash.ordeal import PATIENCE, Ordeal
from tests.judges import Judge

PARTS = ("listen", "work", "resolve", "send", "paint")


class Company(Ordeal):
    """Processes of one judge by name, such as "work-1"."""

    def __init__(self, folder: Path, url: str) -> None:
        super().__init__(folder, url)
        self.members: dict[str, Judge] = {}
        self._places: dict[str, tuple[str, int]] = {}
        self._doors = random.Random(1)
        self.names = [f"{part}-{number}" for part in PARTS for number in (1, 2)]

    def engage(self, *names: str, failpoint: str = "") -> None:
        """Start processes, each of which kills itself at the failpoint."""
        for name in names:
            self.lives += 1
            part = name.partition("-")[0]
            environ = self.environment(**{VARIABLE: failpoint, "JUDGE_CLOCK_TICK": "1s"})
            with (self.folder / f"{name}.log").open("a") as log:
                member = self.members[name] = Judge(
                    [part] if part == "listen" else [part, "--loop"], self.folder, environ,
                    log=log, is_read=True,
                )
            assert member.stdout is not None
            said = member.stdout.readline()
            if part == "listen" and said:
                host, _, port = said.partition(";")[0].partition(" takes mail at ")[2].rpartition(
                    ":")
                self._places[name] = host, int(port)

    def where(self) -> tuple[str, int] | None:
        """Return one of the addresses that accept mail now, or None."""
        places = list(self._places.values())
        return self._doors.choice(places) if places else None

    def end(self, name: str) -> None:
        """Kill a process."""
        self.members[name].send_signal(signal.SIGKILL)
        self.died(name)

    def died(self, name: str) -> None:
        """Wait until a process has exited, and check that it was killed."""
        assert _wait_for_end(self.members.pop(name)) == -signal.SIGKILL, self.log(name)
        self._places.pop(name, None)

    def log(self, name: str) -> str:
        """Return the log of a process."""
        return (self.folder / f"{name}.log").read_text()

    def finish_all(self) -> None:
        """Stop the players, wait until all work is done, then stop all processes."""
        self.stop_players()
        until = time.monotonic() + 2 * PATIENCE
        while self.waiting():
            assert time.monotonic() < until, f"not done: {self.waiting()}"
            time.sleep(0.05)
        for member in self.members.values():
            member.terminate()
        for name, member in self.members.items():
            assert _wait_for_end(member) == 0, self.log(name)
        for name in self.members:
            # A listener logs a traceback when the database went away under a session.
            assert "Traceback" not in self.log(name) or name.startswith("listen"), self.log(name)
        self._places.clear()

    def kill_all(self) -> None:
        """Kill all processes that still run."""
        for member in self.members.values():
            member.kill()


def _wait_for_end(member: Judge) -> int:
    """Wait for the end of a process and return its exit status."""
    status = member.wait(PATIENCE)
    assert member.stdout is not None
    member.stdout.close()
    return status
