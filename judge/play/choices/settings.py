"""SET lines read by the table of settings, and what a game has set.

`interpret` turns the words of a SET line into changes or a reason why not.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import timedelta

from judge.digits import is_number, minutes_of_day
from judge.play.choices.houserules import read_option, words_of
from judge.play.choices.kinds import read_digest
from judge.play.choices.limits import listed, read_limit
from judge.play.choices.settingtable import CLOCK_WORDS, SETTINGS, Scope, Setting, Takes
from judge.play.chosen import GameSettings
from judge.play.times.instants import read_duration
from judge.play.times.schedule import EVERY_DAY, Schedule, Timing, find_zone, is_cron
from judge.words.reason import Reason, because
from judge.words.record import GameView, Role

_UNITS = ("m", "mins", "minute", "minutes", "h", "hour", "hours", "d", "day")
MOST_REMINDERS = 5
"""Reminders of one deadline; more would be a nuisance."""


@dataclass(frozen=True, slots=True)
class Change:
    """One setting that gets a new value; `raw` are words whose meaning depends on the hour."""

    setting: Setting
    value: object
    raw: tuple[str, ...] = ()
    told: str = ""
    """What it means as a sentence, where a table cannot say it."""


def value_said(row: Setting, value: object) -> str:
    """Return the value of a setting as letters say it: "48 hours", "23:30".

    >>> from judge.play.choices.settingtable import Takes
    >>> said = [value_said(Setting((), "", "", Takes.HOURS), hours) for hours in (1.0, 48.0, 1 / 6)]
    >>> said, value_said(Setting((), "", "", Takes.TIME_OF_DAY), 1410)
    (['1 hour', '48 hours', '10 minutes'], '23:30')
    """
    if row.takes is Takes.HOURS and isinstance(value, float):
        minutes = round(value * 60)
        count, unit = (minutes, "minute") if minutes % 60 else (minutes // 60, "hour")
        return f"{count} {unit}{'' if count == 1 else 's'}"
    if row.takes is Takes.TIME_OF_DAY and isinstance(value, int):
        return f"{value // 60:02}:{value % 60:02}" if value >= 0 else "any time of day"
    if isinstance(value, (list, tuple)):
        return ", ".join(map(str, value)) or "empty"
    return f"{value:g}" if isinstance(value, float) else str(value) or "none"


def schedule_of(settings: GameSettings, shortest: timedelta = timedelta()) -> Schedule:
    """Return the clock of a game; `shortest` is the operator's for the phases it begins."""
    return Schedule(
        zone=settings.zone,
        cron=settings.cron,
        first_negotiation=settings.first_negotiation,
        negotiation=settings.negotiation,
        reminder=_share(settings.reminder),
        reminders=_lead_times(settings.reminder),
        strict_grace=settings.strict_grace,
        shortest=shortest,
        timings={
            clock: Timing(each.next, each.min, each.clock, each.days, each.grace)
            for clock, each in settings.clocks.items()
        },
    )


def _share(reminder: str) -> float:
    return float(reminder[:-1]) / 100 if reminder.endswith("%") else 0.0


def _lead_times(reminder: str) -> tuple[float, ...]:
    """Return the hours of a value such as "24h, 6h"."""
    spans = (read_duration(part) for part in reminder.split(",") if "%" not in part)
    return tuple(span.total_seconds() / 3600 for span in spans if not isinstance(span, Reason))


def interpret(
    words: Sequence[str], off: bool, game: GameView, role: Role
) -> tuple[Change, ...] | Reason:
    """Return the changes a SET line asks for, or why it asks for none.

    Several key and value pairs may follow a clock word: `SET MOVE NEXT 48 GRACE 24`.
    """
    upper = [word.upper() for word in words]
    if upper and upper[0] in CLOCK_WORDS and len(words) >= 3 and not off:
        return _clock_changes(words)
    if off and upper == ["PRESS"]:
        words, upper, off = ["NO", "PRESS"], ["NO", "PRESS"], False
    row = _find(upper, role)
    if row is None:
        return _option_change(words, off, game)
    rest = tuple(words[len(row.words):])
    if row.takes is Takes.PERIOD:
        return (Change(row, row.off if off else None, rest),)
    if off:
        if row.off is None or rest:
            return because("setting-not-off", setting=" ".join(row.words))
        return (Change(row, row.off),)
    if row.takes is Takes.INSTANT:
        return (Change(row, None, rest),)
    value = _value(row, rest)
    if isinstance(value, tuple) and row.takes is Takes.ADDRESSES and not isinstance(value, Reason):
        value = listed(getattr(GameSettings.of(game.settings), row.name), value)
    return value if isinstance(value, Reason) else (Change(row, value),)


def _find(upper: Sequence[str], role: Role) -> Setting | None:
    """Return the row with the most words that fits; a person's own ZONE is not the game's."""
    fitting = [row for row in SETTINGS if tuple(upper[: len(row.words)]) == row.words]
    if not fitting:
        return None
    row = max(fitting, key=lambda row: len(row.words))
    if row.name == "zone" and role is not Role.MASTER:
        return Setting(row.words, row.name, row.help, row.takes, scope=Scope.SEAT)
    return row


def _clock_changes(words: Sequence[str]) -> tuple[Change, ...] | Reason:
    changes = []
    words = _with_units(words)
    clock = words[0].upper()
    for key, text in zip(words[1::2], words[2::2]):
        row = _find([clock, key.upper()], Role.MASTER)
        if row is None:
            return because("setting-unknown", setting=f"{clock} {key.upper()}")
        value = _value(row, (text,))
        if isinstance(value, Reason):
            return value
        changes.append(Change(row, value))
    if len(words) % 2 == 0:
        return because("setting-needs-value", setting=f"{clock} {words[-1].upper()}")
    return tuple(changes)


def _with_units(words: Sequence[str]) -> list[str]:
    """Join a number and the unit written after it; MIN and DAYS before a value are keys.

    >>> _with_units(["MOVE", "DELAY", "10", "minutes", "NEXT", "2", "DAYS", "-MTWTF-"])
    ['MOVE', 'DELAY', '10minutes', 'NEXT', '2', 'DAYS', '-MTWTF-']
    """
    joined: list[str] = []
    for at, word in enumerate(words):
        low, last = word.lower(), at == len(words) - 1
        unit = low in _UNITS or (last and low in ("min", "days"))
        if unit and joined and is_number(joined[-1].replace(".", "", 1)):
            joined[-1] += word
        else:
            joined.append(word)
    return joined


def _option_change(
    words: Sequence[str], off: bool, game: GameView
) -> tuple[Change, ...] | Reason:
    """Read an option of the game's system: `SET NO ICEBREAKER`, `SET PARADOX ALL HOLD`."""
    found = read_option(words, off, game)
    if found is None:
        return because("setting-unknown", setting=" ".join(words) or "nothing")
    if isinstance(found, Reason):
        return found
    option = found.option
    row = Setting(
        tuple(words_of(option).split()), option.name, option.help,
        before_start=not option.at_any_time,
    )
    return (Change(row, found.value, told=found.told),)


def _value(row: Setting, rest: Sequence[str]) -> object:
    """Return the value the words behind a setting stand for, or a Reason."""
    name = " ".join(row.words)
    if row.takes is Takes.NOTHING:
        return because("setting-too-much", setting=name) if rest else row.value
    if not rest:
        return because("setting-needs-value", setting=name)
    text = " ".join(rest)
    match row.takes:
        case Takes.HOURS:
            span = read_duration(text)
            return span if isinstance(span, Reason) else span.total_seconds() / 3600
        case Takes.TIME_OF_DAY:
            return _time_of_day(text, name)
        case Takes.DAYS:
            fits = len(text) == 7 and all(
                c == "-" or c.upper() == d for c, d in zip(text, EVERY_DAY)
            )
            usable = fits and text != "-------"
            return text if usable else because("setting-days", setting=name, text=text)
        case Takes.NUMBER:
            return _number(text, row)
        case Takes.REMINDERS:
            return _reminders(text)
        case Takes.CRON:
            return text if is_cron(text) else because("setting-cron", text=text)
        case Takes.ZONE:
            return find_zone(text) or because("setting-zone", text=text)
        case Takes.TEXT:
            return text[:200]
        case Takes.KINDS:
            return tuple(rest)
        case Takes.DIGEST:
            wish = read_digest(text)
            return because("digest-unknown", text=text) if wish is None else wish
        case _:
            return read_limit(row, rest)


def _number(text: str, row: Setting) -> object:
    name = " ".join(row.words)
    if not is_number(text):
        return because("setting-number", setting=name)
    if int(text) < row.least:
        return because("setting-between", setting=name, least=row.least, most=row.most)
    if row.most and int(text) > row.most:
        return because("setting-most", setting=name, most=row.most)
    return int(text)


def _reminders(text: str) -> object:
    """Read "25", "25%" (a share of the time) or "24h, 6h" (before the deadline).

    >>> _reminders("25"), _reminders("1D 6h")
    ('25%', '1d, 6h')
    """
    share = text.removesuffix("%").strip()
    if is_number(share, 2):
        return f"{int(share)}%"
    parts = text.lower().replace(",", " ").split()
    spans = [read_duration(part) for part in parts]
    usable = all(isinstance(span, timedelta) and span for span in spans)
    if not usable or len(spans) > MOST_REMINDERS or any(is_number(part[-1]) for part in parts):
        return because("setting-reminder")
    return ", ".join(parts)


def _time_of_day(text: str, name: str) -> object:
    if text == "-1":
        return -1
    hour, _, minute = text.partition(":")
    minutes = minutes_of_day(hour, minute) if minute else int(hour) if is_number(hour) else None
    if minutes is not None and minutes < 24 * 60:
        return minutes
    return because("setting-time", setting=name, text=text)
