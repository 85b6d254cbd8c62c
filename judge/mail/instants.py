"""Instants and durations as letters show them; English whatever the machine's locale."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()


def instant(moment: datetime | None, zone: str = "UTC") -> str:
    """Return an instant as nJudge writes it, which old tools read; "none" where there is none.

    >>> from datetime import UTC
    >>> instant(datetime(2026, 1, 6, 23, 30, tzinfo=UTC))
    'Tue Jan 06 2026 23:30:00 +0000'
    """
    if moment is None:
        return "none"
    local = moment.astimezone(ZoneInfo(zone))
    return f"{_day(local)} {_month(local)} {local:%d} {local.year} {local:%H:%M:%S %z}"


def when(moment: datetime | None, zone: str = "UTC") -> str:
    """Return an instant as people write it, with the zone it is told in.

    >>> from datetime import UTC
    >>> when(datetime(2026, 1, 6, 22, 30, tzinfo=UTC), "Europe/Paris")
    'Tue 6 Jan 2026, 23:30 (Europe/Paris)'
    """
    if moment is None:
        return "not set"
    local = moment.astimezone(ZoneInfo(zone))
    date = f"{_day(local)} {local.day} {_month(local)} {local.year}"
    return f"{date}, {local:%H:%M} ({zone})"


def span(duration: timedelta) -> str:
    """Return a duration in days, hours and minutes; seconds are left out.

    >>> span(timedelta(days=5, hours=23, minutes=30)), span(timedelta(hours=1))
    ('5 days, 23 hours and 30 minutes', '1 hour')
    >>> span(timedelta(seconds=59)), span(timedelta(seconds=-5))
    ('less than a minute', 'no time')
    """
    if duration <= timedelta():
        return "no time"
    minutes = int(duration.total_seconds()) // 60
    counts = ((minutes // 1440, "day"), (minutes // 60 % 24, "hour"), (minutes % 60, "minute"))
    parts = [f"{count} {what}{'s' if count > 1 else ''}" for count, what in counts if count]
    if not parts:
        return "less than a minute"
    return " and ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _day(local: datetime) -> str:
    return _DAYS[local.weekday()]


def _month(local: datetime) -> str:
    return _MONTHS[local.month - 1]
