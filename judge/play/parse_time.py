"""Parser of dates, instants and durations as people write them in commands.

It reads the forms of nJudge (weekday, or day and month, a year, hh:mm, in any order), ISO 8601,
times from now ("+36h", "in 2 days"), and dates as letters of any language write them. A time is
in the reader's zone unless the text names one.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime, time, timedelta, timezone, tzinfo
from typing import NamedTuple
from zoneinfo import ZoneInfo

from judge.date_words import DateWord, find_date_word
from judge.model.phrase import Phrase, phrase
from judge.play.schedule import find_zone

AT_NIGHT = time(23, 30)
"""Time of day of a date without one, as in nJudge."""
FARTHEST_WITHOUT_YEAR = timedelta(days=120)
"""Farthest date without a year. A later one is more likely a slip."""
MAX_DURATION = timedelta(days=3660)
_TOKEN = re.compile(
    r"""[\s,()]*(?:
      (?P<iso>[0-9]{4}-[0-9][0-9]-[0-9][0-9])(?![0-9-])t?
    | (?P<numbered_day>[0-9]{1,2})\.\s?(?P<numbered_month>0?[1-9]|1[0-2])
      \.(?:\s?(?P<full_year>(?:19|20|21)[0-9][0-9])|(?P<short_year>[0-9][0-9]))?(?![0-9:.])
    | (?P<hour>[0-9]{1,2})(?::|\.(?=[0-5][0-9](?![0-9]|\.\s*[0-9])))(?P<minute>[0-9][0-9])
      (?P<second>:[0-9][0-9])?\s*(?:(?P<half>[ap])\.?m\b\.?)?
    | (?P<plain_hour>[0-9]{1,2})\s*(?:(?P<plain_half>[ap])\.?m|uhr|o'clock)\b\.?
    | (?P<offset>z\b|(?:utc|gmt)?[+-][0-9][0-9]:?[0-9][0-9](?![0-9]))
    | (?P<year>(?:19|20|21)[0-9][0-9])(?![0-9])
    | (?P<day>[0-9]{1,2})(?:st|nd|rd|th)?\b\.?
    | (?P<zone>[a-z_]+(?:/[a-z0-9_+-]+)+|(?<=\()[a-z][a-z0-9_+-]*(?=\)))
    | (?P<word>[^\W\d_]+)\.?
    )""",
    re.VERBOSE,
)
_END = re.compile(r"[\s,().]*")
_UNITS = {"w": 168 * 60, "d": 24 * 60, "t": 24 * 60, "h": 60, "s": 60, "m": 1}
_PART = re.compile(
    r"\s*([0-9]{1,6}(?:\.[0-9]{1,4})?)\s*"
    r"(w(?:eeks?|ochen?)?|d(?:ays?)?|tage?n?|h(?:ours?|rs?)?|std|stunden?|m(?:in(?:ute)?[sn]?)?)"
    r"(?![a-z])\s*(?:,|and\b|und\b)?"
)
_HOURS = re.compile(r"\s*([0-9]{1,6}(?:\.[0-9]{1,4})?)\s*")


def read_duration(text: str) -> timedelta | Phrase:
    """Read a duration. A number alone is hours, as in nJudge's settings.

    >>> read_duration("48"), read_duration("1d12h") == read_duration("36 hours")
    (datetime.timedelta(days=2), True)
    >>> read_duration("90m"), read_duration("soon").code
    (datetime.timedelta(seconds=5400), 'duration-unreadable')
    """
    lower = text.lower()
    if hours := _HOURS.fullmatch(lower):
        minutes = float(hours[1]) * 60
    else:
        minutes, at = 0.0, 0
        while found := _PART.match(lower, at):
            minutes += float(found[1]) * _UNITS[found[2][0]]
            at = found.end()
        if not at or lower[at:].strip():
            return phrase("duration-unreadable", text=text)
    if minutes > MAX_DURATION / timedelta(minutes=1):
        return phrase("duration-too-long", text=text)
    return timedelta(minutes=minutes)


def read_instant(
    words: Sequence[str],
    now: datetime,
    zone: tzinfo,
    *,
    hour: time | None = AT_NIGHT,
    past: bool = False,
) -> datetime | Phrase:
    """Return the instant that words mean, in UTC.

    `hour` applies if no time is named, in its own zone if it has one. An `hour` of None is the
    beginning of the day, also if clocks then go forward. Words that leave the day open mean the
    next such instant (with `past`, the last one). A weekday alone is never today, and a date
    may need its year. If clocks are put back, the first of the two instants is meant unless it
    is over. A time skipped when clocks go forward is refused.

    >>> monday = datetime(2026, 1, 5, 12, tzinfo=UTC)
    >>> paris = ZoneInfo("Europe/Paris")
    >>> str(read_instant(["Tue", "20:00"], monday, paris))
    '2026-01-06 19:00:00+00:00'
    >>> str(read_instant(["2026-01-06T23:30Z"], monday, paris))
    '2026-01-06 23:30:00+00:00'
    >>> str(read_instant(["in", "2", "days"], monday, paris))
    '2026-01-07 12:00:00+00:00'
    """
    text = " ".join(words).lower().strip(" ,")
    if text in ("now", "jetzt"):
        return now.astimezone(UTC)
    if found := re.fullmatch(r"(?:\+|in\s)\s*(.+)", text):
        span = read_duration(found[1])
        return span if isinstance(span, Phrase) else (now + span).astimezone(UTC)
    parts = _parts(text, now.astimezone(zone).date())
    if parts is None:
        return phrase("instant-unreadable", text=text)
    own = hour.tzinfo if hour and parts.hour is None else None
    hour = parts.hour or (hour and hour.replace(tzinfo=None))
    return _InstantSearch(now, parts.zone or own or zone, past).find(parts, hour)


def read_past(
    words: Sequence[str], now: datetime, zone: tzinfo, after: datetime | None = None
) -> datetime | date | Phrase:
    """Return a past instant, or the whole day if the words name no hour.

    Words that leave the year or the day open mean the last such day up to today. If the day
    ends a period begun with `after` and the last one is before it, the first such day from then
    on is meant.

    >>> evening = datetime(2026, 4, 7, 20, tzinfo=UTC)
    >>> read_past(["7", "Apr"], evening, UTC), read_past(["Tue"], evening, UTC)
    (datetime.date(2026, 4, 7), datetime.date(2026, 3, 31))
    >>> read_past(["8", "Apr"], evening, UTC, after=evening)
    datetime.date(2026, 4, 8)
    """
    found = read_instant(words, now, zone, hour=None, past=True)
    parts = _parts(" ".join(words).lower().strip(" ,"), now.astimezone(zone).date())
    if isinstance(found, Phrase) or parts is None:
        return found
    if after and found < day_begins(after.astimezone(zone).date(), zone) and parts.year is None:
        # One second earlier, so that the beginning of that very day is in the future.
        begun = day_begins(after.astimezone(zone).date(), zone) - timedelta(seconds=1)
        later = read_instant(words, begun, zone, hour=None)
        found = found if isinstance(later, Phrase) else later
    return found if parts.hour else found.astimezone(parts.zone or zone).date()


def read_time_of_day(text: str) -> time | None:
    """Return a time of day, or None.

    >>> read_time_of_day("8.30 pm"), read_time_of_day("noon"), read_time_of_day("Fri")
    (datetime.time(20, 30), datetime.time(12, 0), None)
    """
    parts = _parts(text.lower(), date.min)
    return parts.hour if parts and parts == _Parts(hour=parts.hour) else None


def day_begins(day: date, zone: tzinfo) -> datetime:
    """Return the first instant of a day, which is not always at 0:00."""
    return datetime.combine(day, time(), zone).astimezone(UTC)


@dataclass(slots=True)
class _Parts:
    """Parts of an instant that a text names."""

    year: int | None = None
    month: int | None = None
    day: int | None = None
    weekday: int | None = None
    hour: time | None = None
    zone: tzinfo | None = None

    def put(self, name: str, value: object) -> bool:
        """Set a part. Return whether it has a value and was not set before."""
        if value is None or getattr(self, name) is not None:
            return False
        setattr(self, name, value)
        return True

    def put_date(self, day: date | None) -> bool:
        """Set a whole date. Return whether it is one and no part of it was set before."""
        if day is None or not (self.year is self.month is self.day is None):
            return False
        self.year, self.month, self.day = day.year, day.month, day.day
        return True


def _parts(text: str, today: date) -> _Parts | None:
    parts, at = _Parts(), 0
    while not _END.fullmatch(text, at):
        found = _TOKEN.match(text, at)
        if found is None or not _note(parts, found, today):
            return None
        at = found.end()
    return None if parts == _Parts(zone=parts.zone) else parts


def _note(parts: _Parts, found: re.Match[str], today: date) -> bool:
    """Put the meaning of one token into the parts. Return whether it made sense."""
    named = {name: text for name, text in found.groupdict().items() if text is not None}
    match named:
        case {"iso": iso}:
            return parts.put_date(_date(*map(int, iso.split("-"))))
        case {"numbered_day": _}:
            if "full_year" in named and not parts.put("year", int(named["full_year"])):
                return False
            if "short_year" in named and not parts.put("year", 2000 + int(named["short_year"])):
                return False
            month = parts.put("month", int(named["numbered_month"]))
            return month and parts.put("day", int(named["numbered_day"]))
        case {"hour": _}:
            hour, minute = int(named["hour"]), int(named["minute"])
            second = int(named.get("second", ":00")[1:])
            return parts.put("hour", _time(hour, minute, second, named.get("half", "")))
        case {"plain_hour": _}:
            hour = int(named["plain_hour"])
            return parts.put("hour", _time(hour, 0, 0, named.get("plain_half", "")))
        case {"offset": offset}:
            return parts.put("zone", _offset(offset))
        case {"year": _}:
            return parts.put("year", int(named["year"]))
        case {"day": _}:
            return parts.put("day", int(named["day"]))
        case {"zone": name}:
            return parts.put("zone", _zone(name))
        case _:
            return _note_word(parts, named["word"], today)


def _note_word(parts: _Parts, word: str, today: date) -> bool:
    match find_date_word(word):
        case (DateWord.FILLER, _):
            return True
        case (DateWord.DAYS_FROM_TODAY, days):
            return parts.put_date(today + timedelta(days=days))
        case (DateWord.HOUR, hour):
            return parts.put("hour", time(hour))
        case (kind, number):
            return parts.put(kind.value, number)
        case _:
            return parts.put("zone", _zone(word))


def _zone(name: str) -> tzinfo | None:
    if name in ("utc", "gmt", "z"):
        return UTC
    known = find_zone(name)
    return ZoneInfo(known) if known else None


def _date(year: int, month: int, day: int) -> date | None:
    try:
        return date(year, month, day) if 1900 <= year < 2200 else None
    except ValueError:
        return None


def _time(hour: int, minute: int, second: int, half: str) -> time | None:
    if half:
        if not 1 <= hour <= 12:
            return None
        hour = hour % 12 + (12 if half == "p" else 0)
    try:
        return time(hour, minute, second)
    except ValueError:
        return None


def _offset(text: str) -> tzinfo | None:
    """Return the zone of "z", "+0100" or "utc-05:00"."""
    if text == "z":
        return UTC
    sign, digits = text.removeprefix("utc").removeprefix("gmt")[0], re.sub(r"[^0-9]", "", text)
    away = timedelta(hours=int(digits[:2]), minutes=int(digits[2:]))
    return timezone(away if sign == "+" else -away) if away <= timedelta(hours=14) else None


class _InstantSearch(NamedTuple):
    """Search for the instant that parts of a date mean, as seen from now."""

    now: datetime
    zone: tzinfo
    past: bool

    def find(self, parts: _Parts, hour: time | None) -> datetime | Phrase:
        """Return the instant, or the reason why none was found."""
        fixed = parts.year is not None
        for day in self.days(parts):
            moments = self.moments(day, hour) if hour else [day_begins(day, self.zone)]
            if not moments:
                return phrase("instant-skipped", date=f"{day}", time=f"{hour:%H:%M}")
            moment = next(filter(self.fits, moments), None)
            if moment is None and not fixed:
                continue
            moment = moment or moments[0]
            if parts.weekday not in (None, day.weekday()):
                return phrase("instant-other-weekday", date=f"{day}")
            if not (fixed or self.past) and moment - self.now > FARTHEST_WITHOUT_YEAR:
                return phrase("instant-needs-year", date=f"{day}")
            return moment
        vague = parts.day is None or (fixed and parts.month is None)
        return phrase("instant-needs-day" if vague else "no-such-date")

    def fits(self, moment: datetime) -> bool:
        """Return whether a moment is on the right side of now."""
        return moment <= self.now if self.past else moment > self.now

    def moments(self, day: date, hour: time) -> list[datetime]:
        """Return the instants with this local time: none, one or (clocks put back) two."""
        found: list[datetime] = []
        for fold in (0, 1):
            local = datetime.combine(day, hour, self.zone).replace(fold=fold)
            moment = local.astimezone(UTC)
            shown = moment.astimezone(self.zone).replace(tzinfo=None, fold=0)
            if shown == local.replace(tzinfo=None, fold=0) and moment not in found:
                found.append(moment)
        return sorted(found, reverse=self.past)

    def days(self, parts: _Parts) -> Iterator[date]:
        """Yield the days that may be meant, nearest first."""
        today = self.now.astimezone(self.zone).date()
        step = -1 if self.past else 1
        match parts:
            case _Parts(year=int(year), month=int(month), day=int(day)):
                yield from _real([(year, month, day)])
            case _Parts(year=None, month=int(month), day=int(day)):
                yield from _real((today.year + step * n, month, day) for n in range(9))
            case _Parts(year=None, month=None, day=int(day)):
                months = (today.year * 12 + today.month - 1 + step * n for n in range(13))
                yield from _real((m // 12, m % 12 + 1, day) for m in months)
            case _Parts(year=None, month=None, day=None, weekday=int(weekday)):
                week = (today + timedelta(days=step * n) for n in range(1, 8))
                yield from (day for day in week if day.weekday() == weekday)
            case _Parts(year=None, month=None, day=None):
                yield from (today + timedelta(days=step * n) for n in range(2))
            case _:
                return


def _real(days: Iterable[tuple[int, int, int]]) -> Iterator[date]:
    """Yield the days that exist in the calendar."""
    yield from (day for day in (_date(*numbers) for numbers in days) if day)
