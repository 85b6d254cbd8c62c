"""The clock, the only module that calls `datetime.now`.

All other packages get a clock or an instant as an argument.
"""

import os
import threading
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import NamedTuple, Protocol

STEP = timedelta(days=1)
"""Longest step of the machine's clock that is accepted at once, as a correction."""
AWAY = timedelta(days=30)
"""Longest step accepted after a restart, since the machine may have been off.

A longer step must be confirmed, since data of that age is deleted.
"""
BOOT_ID_VARIABLE = "JUDGE_BOOT_ID"
"""Environment variable with the boot ID, for service managers that hide /proc."""
_BOOT_FILE = Path("/proc/sys/kernel/random/boot_id")


class Clock(Protocol):
    """Source of the present instant, in UTC."""

    def now(self) -> datetime:
        """Return the present instant as an aware datetime in UTC."""
        ...


class ClockReading(NamedTuple):
    """A wall-clock reading together with the uptime, which cannot be set."""

    at: datetime
    boot: str
    """ID of the boot from which the uptime counts."""
    since: float
    """Seconds since boot, including sleep."""


class ClockSource(Protocol):
    """Source of readings of the wall clock, which can be set, and the uptime."""

    def read(self) -> ClockReading:
        """Return the present reading."""
        ...


class SystemClock:
    """The machine's own clock."""

    def now(self) -> datetime:
        """Return the wall-clock time in UTC."""
        return datetime.now(UTC)

    def read(self) -> ClockReading:
        """Return the wall-clock time and the uptime."""
        return ClockReading(self.now(), _boot(), _uptime())


class SteadyClock:
    """The machine's clock with steps of more than a day held back until confirmed.

    Until then, or until the clock is correct again, the time continues from the last accepted
    reading. A wrong step would adjudicate phases early and delete recent data. `last` is a reading
    that was accepted, from this boot of the machine or an earlier one.
    """

    def __init__(self, machine: ClockSource, last: ClockReading | None = None) -> None:
        self._machine = machine
        self._first = machine.read()
        self._last = last or self._first
        self._step = timedelta()
        self._lock = threading.Lock()

    def now(self) -> datetime:
        """Return the accepted time."""
        return self.read().at

    def read(self) -> ClockReading:
        """Return the accepted time and the uptime."""
        found = self._machine.read()
        with self._lock:
            last, same = self._last, found.boot == self._last.boot
            began = last.since if same else self._first.since
            expected = last.at + timedelta(seconds=max(found.since - began, 0.0))
            pending_jump = found.at - expected
            if -STEP <= pending_jump <= (STEP if same else AWAY):
                self._last, self._step = found, timedelta()
                return found
            self._step = pending_jump
            return found._replace(at=expected)

    def pending_jump(self) -> timedelta:
        """Return the unconfirmed step of the machine's clock, usually zero."""
        self.read()
        return self._step

    def accept(self, reading: ClockReading) -> None:
        """Accept a reading that the operator confirmed, or that was accepted before."""
        with self._lock:
            self._last = reading


class FixedClock:
    """A clock that moves only on request, for tests and `--now`.

    >>> clock = FixedClock(datetime(2026, 1, 1, tzinfo=UTC))
    >>> clock.advance(hours=3)
    >>> clock.now().isoformat()
    '2026-01-01T03:00:00+00:00'
    """

    def __init__(self, instant: datetime) -> None:
        self._instant = instant

    def now(self) -> datetime:
        """Return the instant it is set to."""
        return self._instant

    def advance(self, **duration: float) -> None:
        """Advance the clock by a `timedelta` given in its keywords."""
        self._instant += timedelta(**duration)

    def set(self, instant: datetime) -> None:
        """Set the clock to an instant, forwards or backwards."""
        self._instant = instant


def _boot() -> str:
    """Return the ID of the machine's boot, or one of this process if unknown."""
    told = os.environ.get(BOOT_ID_VARIABLE, "")
    if not told:
        try:
            told = _BOOT_FILE.read_text("ascii").strip()
        except OSError:
            return _FALLBACK_BOOT_ID
    return told.replace("-", "")


_FALLBACK_BOOT_ID = f"process-{os.getpid()}-{time.monotonic_ns()}"


def _uptime() -> float:
    """Return seconds since boot, including sleep if the system counts it."""
    return time.clock_gettime(getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC))
