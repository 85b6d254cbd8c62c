"""Texts of the configuration for spans of time, days and sizes."""

import re
from datetime import date, timedelta

_SPAN = re.compile(r"([0-9]{1,15})\s*([smhd]?)", re.IGNORECASE)
_SPAN_UNITS = {"": 1, "s": 1, "m": 60, "h": 3600, "d": 86400}
_SIZE = re.compile(r"([0-9]{1,15})\s*(B|[kKMG]i?B?)?")
_SIZE_UNITS = {"": 1, "k": 10**3, "m": 10**6, "g": 10**9, "ki": 2**10, "mi": 2**20, "gi": 2**30}


def format_duration(span: timedelta) -> str:
    """Return a span of time in the form of the configuration.

    >>> format_duration(timedelta(days=2)), format_duration(timedelta(seconds=90))
    ('2d', '90s')
    """
    seconds = span // timedelta(seconds=1)
    for unit, many in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds and not seconds % many:
            return f"{seconds // many}{unit}"
    return f"{seconds}s"


def read_span(text: str) -> timedelta:
    """Parse a span of time: seconds, or a number with s, m, h or d.

    >>> read_span("1h"), read_span("90")
    (datetime.timedelta(seconds=3600), datetime.timedelta(seconds=90))

    Raises:
        ValueError: the text is not a span of time.
    """
    found = _SPAN.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text!r} is no span of time such as 10s, 15m, 1h or 2d")
    try:
        return timedelta(seconds=int(found[1]) * _SPAN_UNITS[found[2].lower()])
    except OverflowError as fault:
        raise ValueError(f"{text!r} is more than anybody waits for") from fault


def read_days(text: str) -> tuple[tuple[date, date], ...]:
    """Parse days and spans of days, separated by commas.

    >>> read_days("2026-12-24 to 2026-12-26, 2027-01-01")[1]
    (datetime.date(2027, 1, 1), datetime.date(2027, 1, 1))

    Raises:
        ValueError: a part is not a day or a span of days.
    """
    found = []
    for part in filter(None, (part.strip() for part in text.split(","))):
        first, _, last = part.partition(" to ")
        days = date.fromisoformat(first.strip()), date.fromisoformat((last or first).strip())
        if days[0] > days[1]:
            raise ValueError(f"{part!r} ends before it begins")
        found.append(days)
    return tuple(found)


def read_size(text: str) -> int:
    """Parse a number or a size in bytes.

    >>> read_size("5MiB"), read_size("20"), read_size("2kB")
    (5242880, 20, 2000)

    Raises:
        ValueError: the text is neither.
    """
    found = _SIZE.fullmatch(text.strip())
    if not found:
        raise ValueError(f"{text!r} is no number or size such as 20, 500kB or 5MiB")
    return int(found[1]) * _SIZE_UNITS[(found[2] or "").lower().removesuffix("b")]
