"""Times formatted: instants and durations as letters show them, whatever the locale."""

from datetime import date, datetime, timedelta
from typing import NamedTuple
from zoneinfo import ZoneInfo

_DAYS = ("Mon", "Tue", "Wed", "Thu", "Fri", "Sat", "Sun")
_MONTHS = "Jan Feb Mar Apr May Jun Jul Aug Sep Oct Nov Dec".split()
_TAGE = ("Mo", "Di", "Mi", "Do", "Fr", "Sa", "So")
_MONATE = "Jan. Feb. März April Mai Juni Juli Aug. Sept. Okt. Nov. Dez.".split()


class _SpanWords(NamedTuple):
    """Words for durations: one and many of each unit, what links the last, none, hardly any."""

    units: tuple[tuple[str, str], ...]
    link: str
    none: str
    less: str


_SPANS = {
    "": _SpanWords(
        (("day", "days"), ("hour", "hours"), ("minute", "minutes")),
        "and", "no time", "less than a minute",
    ),
    "de": _SpanWords(
        (("Tag", "Tage"), ("Stunde", "Stunden"), ("Minute", "Minuten")),
        "und", "keine Zeit", "weniger als eine Minute",
    ),
}


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


def when(moment: datetime | date | None, zone: str = "UTC", language: str = "") -> str:
    """Return an instant, or a whole day, as people write it, with the zone it is told in.

    >>> from datetime import UTC
    >>> when(datetime(2026, 1, 6, 22, 30, tzinfo=UTC), "Europe/Paris")
    'Tue 6 Jan 2026, 23:30 (Europe/Paris)'
    >>> when(datetime(2026, 1, 6, 22, 30, tzinfo=UTC), "Europe/Paris", "de")
    'Di 6. Jan. 2026, 23:30 (Europe/Paris)'
    >>> when(date(2026, 1, 6), "Europe/Paris")
    'Tue 6 Jan 2026 (Europe/Paris)'
    """
    if moment is None:
        return {"de": "nicht gesetzt"}.get(language, "not set")
    local = moment.astimezone(ZoneInfo(zone)) if isinstance(moment, datetime) else moment
    if language == "de":
        day, month = _TAGE[local.weekday()], _MONATE[local.month - 1]
        told = f"{day} {local.day}. {month} {local.year}"
    else:
        told = f"{_day(local)} {local.day} {_month(local)} {local.year}"
    hour = f", {local:%H:%M}" if isinstance(local, datetime) else ""
    return f"{told}{hour} ({zone})"


def span(duration: timedelta, language: str = "") -> str:
    """Return a duration in days, hours and minutes; seconds are left out.

    >>> span(timedelta(days=5, hours=23, minutes=30)), span(timedelta(hours=1))
    ('5 days, 23 hours and 30 minutes', '1 hour')
    >>> span(timedelta(seconds=59)), span(timedelta(seconds=-5))
    ('less than a minute', 'no time')
    >>> span(timedelta(days=1, hours=2), "de")
    '1 Tag und 2 Stunden'
    """
    words = _SPANS.get(language, _SPANS[""])
    if duration <= timedelta():
        return words.none
    minutes = int(duration.total_seconds()) // 60
    counts = zip((minutes // 1440, minutes // 60 % 24, minutes % 60), words.units)
    parts = [f"{count} {unit[count > 1]}" for count, unit in counts if count]
    if not parts:
        return words.less
    return f" {words.link} ".join(filter(None, (", ".join(parts[:-1]), parts[-1])))


def _day(local: date) -> str:
    return _DAYS[local.weekday()]


def _month(local: date) -> str:
    return _MONTHS[local.month - 1]
