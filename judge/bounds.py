"""How much and how little each value of the configuration may be, and what a text may look like.

Floor 0. What is beyond a bound is a slip of the pen, and would be found out by players: a judge
that looks after its games every zero seconds, or keeps letters for ten million years.
"""

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date, timedelta
from typing import NamedTuple

KIB, MIB, GIB = 2**10, 2**20, 2**30
DAY = timedelta(days=1)
LONGEST_TEXT = 4000
MOST_HOLIDAYS = 120
"""Days of one year on which no deadline falls."""


class Between(NamedTuple):
    """The least and the most there may be, and whether 0 is another matter."""

    least: int
    most: int
    or_none: bool = False
    """0 is allowed below the least: never, for ever, none."""


class During(NamedTuple):
    """The same for spans of time."""

    least: timedelta
    most: timedelta
    or_none: bool = False


NUMBERS = {
    "policy.max_message": Between(10_000, 32 * MIB),
    "policy.strangers_per_hour": Between(0, 1_000_000),
    "policy.press_size": Between(100, 4 * MIB),
    "policy.press_per_day": Between(0, 1_000_000),
    "policy.press_volume": Between(100, GIB),
    "policy.observers": Between(0, 10_000),
    "policy.open_games": Between(0, 10_000),
    "policy.unconfirmed_per_day": Between(0, 10_000),
    "policy.export_volume": Between(0, GIB),
}
SPANS = {
    # Bounces, complaints and replies name letters that were sent.
    "store.keep_letters": During(30 * DAY, 36_500 * DAY, or_none=True),
    "policy.outage_grace": During(timedelta(), 30 * DAY),
    # A master is asked a week before.
    "policy.silent_master": During(8 * DAY, 3650 * DAY, or_none=True),
    "clock.tick": During(timedelta(seconds=1), timedelta(hours=1)),
    "clock.shortest": During(timedelta(), 7 * DAY),
}
CHOICES = {
    "policy.confirm": ("auto", "true", "false"),
    "policy.create": ("anyone", "keeper"),
    "policy.maps": ("png", "svg", "text", "off"),
    "log.level": ("info", "warning", "error"),
    "log.style": ("plain", "logfmt", "json"),
}
_ADDRESS = (r"[!-?A-~]{1,128}@[A-Za-z0-9\[][A-Za-z0-9.:\[\]-]{0,250}", "no mail address")
# 107 octets are what the system has room for (unix(7)).
_PLACE = (
    r"|unix:[^\0]{1,107}|(\[[0-9A-Fa-f:.%]+\]|[A-Za-z0-9._-]*):"
    r"([0-9]{1,4}|[1-5][0-9]{4}|6[0-4][0-9]{3}|65[0-4][0-9]{2}|655[0-2][0-9]|6553[0-5])",
    "no host:port with a port up to 65535, and no unix:PATH",
)
TEXTS = {
    "judge.address": _ADDRESS,
    "judge.keeper": _ADDRESS,
    "judge.name": (r"\S(.{0,58}\S)?", "no name of 1 to 60 letters"),
    "listen.smtp": _PLACE,
    "listen.lmtp": _PLACE,
    "listen.detail": (
        r"""[^\sA-Za-z0-9@<>"(),:;\\\[\]]{0,3}""", "no mark such as + between name and detail",
    ),
    "listen.trust": (r"\S{0,255}", "no name of a mail server"),
    "metrics.listen": (_PLACE[0].replace(r"|unix:[^\0]{1,107}", "", 1), _PLACE[1].split(",")[0]),
}
"""Patterns, and what is said of what is none."""


def fault_of(key: str, value: object) -> str:
    """Return what is wrong with the value of a key; empty when it may be so.

    >>> fault_of("clock.tick", timedelta())
    '0s is not allowed: 1s to 1h'
    >>> fault_of("policy.observers", 10**9)
    '1000000000 is not allowed: 0 to 10000'
    """
    if key in CHOICES:
        return "" if value in CHOICES[key] else f"{value!r} is none of {', '.join(CHOICES[key])}"
    if isinstance(value, str):
        pattern, told = TEXTS.get(key, ("(?s:.*)", ""))
        if len(value) > LONGEST_TEXT:
            return f"longer than {LONGEST_TEXT} letters"
        return "" if re.fullmatch(pattern, value) else f"{value!r} is {told}"
    if isinstance(value, timedelta):
        during = SPANS[key]
        if during.least <= value <= during.most or during.or_none and not value:
            return ""
        none = ", or 0" if during.or_none else ""
        return (
            f"{written(value)} is not allowed: {written(during.least)} to"
            f" {written(during.most)}{none}"
        )
    if isinstance(value, int):
        between = NUMBERS[key]
        if between.least <= value <= between.most or between.or_none and not value:
            return ""
        return f"{value} is not allowed: {between.least} to {between.most}"
    return ""


def fault_of_days(days: Sequence[tuple[date, date]]) -> str:
    """Return what is wrong with holidays: where all days are, no deadline could ever fall."""
    years: Counter[int] = Counter()
    for first, last in days:
        if (last - first).days >= MOST_HOLIDAYS:
            return f"{first} to {last} is more than {MOST_HOLIDAYS} days"
        years.update((first + DAY * n).year for n in range((last - first).days + 1))
        if max(years.values()) > MOST_HOLIDAYS:
            return f"more than {MOST_HOLIDAYS} days of one year"
    return ""


def written(span: timedelta) -> str:
    """Return a span of time as one writes it in the configuration.

    >>> written(timedelta(days=2)), written(timedelta(seconds=90))
    ('2d', '90s')
    """
    seconds = span // timedelta(seconds=1)
    for unit, many in (("d", 86400), ("h", 3600), ("m", 60)):
        if seconds and not seconds % many:
            return f"{seconds // many}{unit}"
    return f"{seconds}s"
