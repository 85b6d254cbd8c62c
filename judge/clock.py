"""The time: the only caller of `datetime.now`, so that every other room gets it as an argument."""

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, Protocol

STEP = timedelta(days=1)
"""Steps of a machine's clock up to this are followed: it was a little wrong, and was set right."""
AWAY = timedelta(days=30)
"""A machine that was started anew may have been off for so long; what is older is tidied away."""
BOOT = "JUDGE_BOOT_ID"
"""Where a service manager tells which start of the machine this is, if /proc may not."""
_BOOT_FILE = Path("/proc/sys/kernel/random/boot_id")


class Clock(Protocol):
    """Tells the present instant, in UTC."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        ...


class Reading(NamedTuple):
    """What a machine's clock says, and how long the machine has run: that nobody sets."""

    at: datetime
    boot: str
    """Which start of which machine it runs since."""
    since: float
    """Seconds since then, those asleep too."""


class Machine(Protocol):
    """A clock that somebody may set, and a count that nobody does."""

    def read(self) -> Reading:
        """Return both as they are now."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the machine's time."""
        return datetime.now(UTC)

    def read(self) -> Reading:
        """Return the machine's time, and how long it has run."""
        return Reading(self.now(), _boot(), _uptime())


class SteadyClock:
    """A machine's clock, but for steps of more than a day: those wait until they are confirmed.

    Until then, or until the clock is right again, it goes on from where it was. Who believes such a
    step plays phases before their time, and tidies away what is young. `last` is a reading that was
    believed, of this start of the machine or an earlier one.
    """

    def __init__(self, machine: Machine, last: Reading | None = None) -> None:
        self._machine = machine
        self._first = machine.read()
        self._last = last or self._first
        self._step = timedelta()
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """Return the time that is believed."""
        return self.read().at

    def read(self) -> Reading:
        """Return the time that is believed, and how long the machine has run."""
        found = self._machine.read()
        with self._lock:
            last, same = self._last, found.boot == self._last.boot
            began = last.since if same else self._first.since
            expected = last.at + timedelta(seconds=max(found.since - began, 0.0))
            step = found.at - expected
            if -STEP <= step <= (STEP if same else AWAY):
                self._last, self._step = found, timedelta()
                return found
            self._step = step
            return found._replace(at=expected)

    def step(self) -> timedelta:
        """Return by how much the machine's clock is not believed; none for most of the time."""
        self.read()
        return self._step

    def believe(self, reading: Reading) -> None:
        """Go on from a reading that somebody has confirmed, or that was believed before."""
        with self._lock:
            self._last = reading


class FixedClock:
    """A clock that stands still until it is told to move; for tests and `--now`.

    >>> clock = FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
    >>> clock.forward(hours=3)
    >>> clock.now().isoformat()
    '2026-01-01T03:00:00+00:00'
    """

    def __init__(self, instant: datetime) -> None:
        self._instant = instant

    def now(self) -> datetime:
        """Return the instant it stands at."""
        return self._instant

    def forward(self, **duration: float) -> None:
        """Move on by a `timedelta` given in its keywords."""
        self._instant += timedelta(**duration)

    def set(self, instant: datetime) -> None:
        """Move to an instant, forwards or backwards."""
        self._instant = instant


def _boot() -> str:
    """Return a name of this start of this machine; where it has none, one of this process."""
    told = os.environ.get(BOOT, "")
    if not told:
        try:
            told = _BOOT_FILE.read_text("ascii").strip()
        except OSError:
            return _NAMELESS
    return told.replace("-", "")


_NAMELESS = f"process-{os.getpid()}-{time.monotonic_ns()}"


def _uptime() -> float:
    """Return seconds since the start of the machine."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
