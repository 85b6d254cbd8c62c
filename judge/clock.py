"""The time: the only caller of `datetime.now`, so that every other room gets it as an argument."""

from datetime import UTC, datetime, timedelta
from typing import Protocol


class Clock(Protocol):
    """Tells the present instant, in UTC."""

    def now(self) -> datetime:
        """Return the present instant, aware, in UTC."""
        ...


class SystemClock:
    """The clock of the machine."""

    def now(self) -> datetime:
        """Return the machine's time."""
        return datetime.now(UTC)


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
