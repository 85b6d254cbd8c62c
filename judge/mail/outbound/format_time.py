"""Formatting of times and durations in letters, independent of the locale."""

from datetime import date, datetime, timedelta
from functools import lru_cache
from zoneinfo import ZoneInfo

from judge.languages import grammar_of
from judge.model.phrase import phrase
from judge.phrases import phrasebook


# Cached, since every letter of a phase shows the same deadline and remaining time repeatedly.
@lru_cache(maxsize=512)
def format_njudge(moment: datetime | None, zone: str = "UTC") -> str:
    """Format a time as nJudge does, for old tools. None gives "none".

    >>> from datetime import UTC
    >>> format_njudge(datetime(2026, 1, 6, 23, 30, tzinfo=UTC))
    'Tue Jan 06 2026 23:30:00 +0000'
    """
    if moment is None:
        return "none"
    local, english = moment.astimezone(ZoneInfo(zone)), grammar_of("")
    day, month = english.days[local.weekday()], english.months[local.month - 1]
    return f"{day} {month} {local:%d} {local.year} {local:%H:%M:%S %z}"


@lru_cache(maxsize=512)
def format_local(moment: datetime | date | None, zone: str = "UTC", language: str = "") -> str:
    """Format a time or a whole day for people, with its time zone.

    >>> from datetime import UTC
    >>> format_local(datetime(2026, 1, 6, 22, 30, tzinfo=UTC), "Europe/Paris")
    'Tue 6 Jan 2026, 23:30 (Europe/Paris)'
    >>> format_local(datetime(2026, 1, 6, 22, 30, tzinfo=UTC), "Europe/Paris", "de")
    'Di 6. Jan. 2026, 23:30 (Europe/Paris)'
    >>> format_local(date(2026, 1, 6), "Europe/Paris")
    'Tue 6 Jan 2026 (Europe/Paris)'
    """
    book = phrasebook("", language)
    if moment is None:
        return book.render(phrase("time-not-set"))
    local = moment.astimezone(ZoneInfo(zone)) if isinstance(moment, datetime) else moment
    day = phrase(
        "time-day", weekday=book.grammar.days[local.weekday()], day=local.day,
        month=book.grammar.months[local.month - 1], year=local.year,
    )
    if isinstance(local, datetime):
        return book.render(phrase("time-instant", day=day, time=f"{local:%H:%M}", zone=zone))
    return book.render(phrase("time-whole-day", day=day, zone=zone))


@lru_cache(maxsize=512)
def format_duration(duration: timedelta, language: str = "") -> str:
    """Format a duration in days, hours and minutes, to the nearest minute.

    >>> (format_duration(timedelta(days=5, hours=23, minutes=30)),
    ...  format_duration(timedelta(hours=1)))
    ('5 days, 23 hours and 30 minutes', '1 hour')
    >>> format_duration(timedelta(seconds=59)), format_duration(timedelta(seconds=-5))
    ('less than a minute', 'no time')
    >>> format_duration(timedelta(days=3) - timedelta(seconds=1))
    '3 days'
    >>> format_duration(timedelta(days=1, hours=2), "de")
    '1 Tag und 2 Stunden'
    """
    book = phrasebook("", language)
    if duration <= timedelta():
        return book.render(phrase("value-no-time"))
    seconds = duration.total_seconds()
    minutes = round(seconds / 60) if seconds >= 60 else 0
    parts = [
        phrase(code, count=count)
        for code, count in (
            ("value-days", minutes // 1440), ("value-hours", minutes // 60 % 24),
            ("value-minutes", minutes % 60),
        )
        if count
    ]
    return book.join_list(parts) if parts else book.render(phrase("time-no-minute"))
