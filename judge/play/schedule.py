"""Arithmetic of a game's clock: when phases end.

Pure functions, with instants in UTC.

A clock is either durations in hours for each kind of phase that the game's system names
(nJudge's keys next, min, clock, days, grace, delay) or one cron expression in the game's zone.
Local times follow the zone through changes to and from summer time. A local time that does not
exist is read as winter time. Durations are elapsed hours: 72 hours are 72 even if the wall
clock changes.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from functools import cache
from itertools import islice, pairwise
from zoneinfo import ZoneInfo, available_timezones

from cronsim import CronSim, CronSimError

EVERY_DAY = "SMTWTFS"
"""Sunday to Saturday.

Upper case is allowed, lower case only after noon, "-" never.
"""
_SEARCH_DAYS = 10
"""Number of instants of a cron expression that are compared with each other."""


@dataclass(frozen=True, slots=True)
class Timing:
    """One clock.

    Values are hours, but `clock` is minutes after midnight (-1: any time).
    """

    next: float
    min: float = 0.0
    clock: int = -1
    days: str = EVERY_DAY
    grace: float = 24.0


@dataclass(frozen=True, slots=True)
class Schedule:
    """The clock of one game.

    `negotiation` hours come before the order writing of each phase of a `main` clock
    (`first_negotiation` before the first one), with 0 for none. Players with missing orders are
    reminded when the share `reminder` of the time is left, or at each of the `reminders`, in
    hours before the deadline. The grace period ends on an allowed day too, unless
    `strict_grace` is set. However fast a clock was set, no deadline comes before `shortest` is
    over, as each phase costs every player a letter.
    """

    zone: str
    timings: Mapping[str, Timing]
    cron: str = ""
    first_negotiation: float = 0.0
    negotiation: float = 0.0
    reminder: float = 0.25
    reminders: tuple[float, ...] = ()
    strict_grace: bool = False
    shortest: timedelta = timedelta()
    main: frozenset[str] = frozenset()

    def negotiation_end(self, clock: str, opened: datetime, first: bool) -> datetime | None:
        """Return when order writing begins in a phase opened now (None: at once)."""
        hours = self.first_negotiation if first else self.negotiation
        return opened + timedelta(hours=hours) if clock in self.main and hours else None

    def deadline(self, clock: str, begun: datetime) -> datetime:
        """Return the deadline of a phase whose order writing begins at an instant."""
        timing = self.timings[clock]
        if self.cron:
            least = max(timedelta(hours=timing.min), self.shortest)
            return _next_by_cron(self.cron, self.zone, begun + least)
        return self.next_allowed(clock, max(_earliest(begun, timing), begun + self.shortest))

    def is_any_hasty(self, now: datetime) -> bool:
        """Return whether a clock is set faster than it may run."""
        if not self.cron:
            hours = min(max(each.next, each.min) for each in self.timings.values())
            return timedelta(hours=hours) < self.shortest
        instants = CronSim(self.cron, now.astimezone(ZoneInfo(self.zone)))
        found = [one.astimezone(UTC) for one in islice(instants, _SEARCH_DAYS)]
        return any(later - one < self.shortest for one, later in pairwise(found))

    def next_allowed(self, clock: str, earliest: datetime) -> datetime:
        """Return the first instant from `earliest` on at which a deadline may fall."""
        if self.cron:
            return _next_by_cron(self.cron, self.zone, earliest - timedelta(microseconds=1))
        return _find_allowed_instant(earliest.astimezone(ZoneInfo(self.zone)), self.timings[clock])

    def grace_end(self, clock: str, deadline: datetime) -> datetime:
        """Return the end of the grace period of late players."""
        timing = self.timings[clock]
        end = deadline + timedelta(hours=timing.grace)
        if self.strict_grace or self.cron or not timing.grace:
            return end
        return _on_allowed_day(end.astimezone(ZoneInfo(self.zone)), timing.days).astimezone(UTC)

    def remind_at(self, begun: datetime, deadline: datetime) -> tuple[datetime, ...]:
        """Return when to remind, in order, counted back from the deadline.

        Reminders that would come before the phase itself are left out.
        """
        if self.reminders:
            found = (deadline - timedelta(hours=hours) for hours in self.reminders)
            return tuple(sorted(instant for instant in found if instant > begun))
        return (deadline - (deadline - begun) * self.reminder,) if self.reminder else ()

    def earliest(self, clock: str, opened: datetime) -> datetime:
        """Return the earliest adjudication of a phase, even if all orders are in."""
        return opened + timedelta(hours=self.timings[clock].min)


def _earliest(begun: datetime, timing: Timing) -> datetime:
    """Return the earliest instant of a deadline, before `clock` and `days` apply.

    A deadline at a fixed hour may come an eighth of its hours early: otherwise the moment an
    adjudication takes would make each turn a day longer.
    """
    end = begun + timedelta(hours=max(timing.next, timing.min))
    if timing.clock < 0:
        return end
    return end - timedelta(hours=min(timing.next / 8, max(timing.next - timing.min, 0.0)))


def _find_allowed_instant(earliest: datetime, timing: Timing) -> datetime:
    """Return the first allowed instant from *earliest* (local time), in UTC.

    A time of day follows the wall clock of the zone, whereas durations are elapsed hours.
    """
    local = earliest
    if timing.clock >= 0:
        hour, minute = divmod(timing.clock, 60)
        due = earliest.replace(hour=hour, minute=minute, second=0, microsecond=0)
        local = due if due >= earliest else _tomorrow(due)
    return _on_allowed_day(local, timing.days).astimezone(UTC)


def _on_allowed_day(local: datetime, days: str) -> datetime:
    """Return a local time, or the same time on the next allowed day."""
    for _ in range(8):
        allowed = days[(local.weekday() + 1) % 7]
        if allowed.isupper():
            break
        if allowed.islower():
            # A day in lower case counts from noon on.
            return local if local.hour >= 12 else local.replace(hour=12, minute=0)
        local = _tomorrow(local)
    return local


def _tomorrow(local: datetime) -> datetime:
    """Return the same time of day one day on, by the calendar and not by 24 hours."""
    return local + timedelta(days=1)


def _next_by_cron(expression: str, zone: str, after: datetime) -> datetime:
    return next(CronSim(expression, after.astimezone(ZoneInfo(zone)))).astimezone(UTC)


def is_cron(expression: str) -> bool:
    """Return whether a text is a cron expression that matches any instant.

    >>> is_cron("0 20 * * tue,fri"), is_cron("0 20 30 2 *"), is_cron("at eight")
    (True, False, False)
    """
    try:
        next(CronSim(expression, datetime(2024, 1, 1, tzinfo=UTC)))
    except (CronSimError, StopIteration):
        return False
    return True


def find_zone(text: str) -> str | None:
    """Return the IANA name of a time zone regardless of its capitalisation, or None.

    >>> find_zone("europe/paris"), find_zone("Mars/Olympus")
    ('Europe/Paris', None)
    """
    return _zones().get(text.casefold())


@cache
def _zones() -> Mapping[str, str]:
    """Return the names of all time zones by their case-folded form.

    The result is cached, as each zone is a file and all of them are opened to list them.
    """
    return {name.casefold(): name for name in available_timezones()}
