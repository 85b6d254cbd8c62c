"""Every setting of a game and of a seat, in one table: the parser, HELP, LIST and the docs read it.

A row says how the setting is written after SET, what it takes, who may change it and until when,
and what it is for. `interpret` turns the words of a SET line into changes or a reason why not.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from judge.games import find_system
from judge.games.system import Option
from judge.play.instants import read_duration
from judge.play.schedule import CLOCKS, EVERY_DAY, Schedule, Timing, find_zone, is_cron
from judge.words.reason import Reason, because
from judge.words.record import GameRecord, Role


class Takes(Enum):
    """What stands behind the words of a setting."""

    NOTHING = "nothing"
    HOURS = "hours"
    TIME_OF_DAY = "hh:mm"
    DAYS = "days"
    NUMBER = "number"
    CRON = "cron"
    ZONE = "zone"
    TEXT = "text"
    INSTANT = "date"


class Scope(Enum):
    """Whose setting it is."""

    GAME = "game"
    """The master's, for everybody."""
    SEAT = "seat"
    """Each person's own."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: `SET words [value]` puts `name` to `value`, or to what is read behind the words.

    `off` is what `SET NO words` puts it to (None: cannot be switched off).
    """

    words: tuple[str, ...]
    name: str
    help: str
    takes: Takes = Takes.NOTHING
    value: object = True
    off: object = None
    scope: Scope = Scope.GAME
    before_start: bool = False


@dataclass(frozen=True, slots=True)
class Change:
    """One setting that gets a new value; `raw` are words whose meaning depends on the hour."""

    setting: Setting
    value: object
    raw: tuple[str, ...] = ()


def _row(words: str, name: str, help: str, **more: object) -> Setting:
    return Setting(tuple(words.split()), name, help, **more)  # type: ignore[arg-type]


_PLAIN = (
    _row("WHITE PRESS", "press", "press names its writer", value="white"),
    _row("NO PRESS", "press", "no press but with the master", value="none"),
    _row("NONE PRESS", "press", "no press but with the master", value="none"),
    _row("PARTIAL PRESS", "partial", "press to some only is allowed", off=False),
    _row("PARTIAL", "partial", "press to some only is allowed", off=False),
    _row("HOUSE RULES", "house", "the owner's house rules: negotiation, then order writing"),
    _row("NMR HOLD", "nmr", "a power without orders holds; the second time its seat is vacant",
         value="hold"),
    _row("NMR WAIT", "nmr", "a power without orders is vacant and the game waits for a player",
         value="wait"),
    _row("NMR CD", "nmr", "a power without orders is at once in civil disorder", value="cd"),
    _row("MANUAL START", "manual_start", "the game begins only when the master says START",
         off=False, before_start=True),
    _row("AUTO START", "manual_start", "the game begins when every power has a player",
         value=False, off=True, before_start=True),
    _row("GM PLAYS", "gm_plays",
         "the master may hold a power, and sees no orders or press of others",
         off=False, before_start=True),
    _row("SHOW ADDRESSES", "show_addresses", "players see each other's addresses", off=False),
    _row("LIST", "listed", "LIST shows the game to everybody", off=False),
    _row("LISTED", "listed", "LIST shows the game to everybody", off=False),
    _row("TAKEOVER SEATED", "takeover_seated", "players of the game may take over a second power",
         off=False),
    _row("ZONE", "zone", "time zone, such as Europe/Paris", takes=Takes.ZONE),
    _row("CRON", "cron", 'deadlines by a cron expression: SET CRON "0 20 * * tue,fri"',
         takes=Takes.CRON, off=""),
    _row("COMMENT", "comment", "one line about the game, shown by LIST", takes=Takes.TEXT, off=""),
    _row("REMINDER", "reminder", "remind when this share (per cent) of the time is left",
         takes=Takes.NUMBER, off=0),
    _row("NEGOTIATION", "negotiation", "hours of negotiation before order writing",
         takes=Takes.HOURS, off=0.0),
    _row("FIRST NEGOTIATION", "first_negotiation", "hours of negotiation before the first orders",
         takes=Takes.HOURS, off=0.0),
    _row("DEADLINE", "deadline", "the deadline of this phase", takes=Takes.INSTANT),
    _row("GRACE", "grace", "until when the late may order in this phase", takes=Takes.INSTANT),
    _row("START", "not_before", "no adjudication in this phase before then", takes=Takes.INSTANT),
    _row("WAIT", "wait", "no early adjudication before the deadline", off=False, scope=Scope.SEAT),
    _row("PREFERENCE", "preference", "powers in order of wish: N, or [ab]c for equal wishes",
         takes=Takes.TEXT, off="", scope=Scope.SEAT, before_start=True),
    _row("ADDRESS", "address", "where your letters go, once the new address has confirmed it",
         takes=Takes.TEXT, scope=Scope.SEAT),
    _row("TOKEN OFF", "token", "your letters carry no reply token: only your password opens"
         " your seat", value=False, scope=Scope.SEAT),
    _row("TOKEN ON", "token", "replies to your letters open your seat", scope=Scope.SEAT),
    _row("TOKEN", "token", "replies to your letters open your seat", off=False,
         scope=Scope.SEAT),
    _row("PREF", "preference", "as SET PREFERENCE", takes=Takes.TEXT, off="", scope=Scope.SEAT,
         before_start=True),
)

_CLOCK_KEYS = {
    "NEXT": ("next", Takes.HOURS, "hours from one adjudication to the next deadline"),
    "MIN": ("min", Takes.HOURS, "fewest hours between two adjudications"),
    "CLOCK": ("clock", Takes.TIME_OF_DAY, "time of day at which deadlines fall (-1: any)"),
    "DAYS": ("days", Takes.DAYS, "weekdays on which deadlines fall, Sunday first: -MTWTF-"),
    "GRACE": ("grace", Takes.HOURS, "hours after the deadline in which the late may order"),
    "DELAY": ("delay", Takes.HOURS, "hours between the last order and early adjudication"),
}

_CLOCK_WORDS = {"MOVE": "move", "RETREAT": "retreat", "ADJUST": "adjust", "BUILD": "adjust"}

SETTINGS: tuple[Setting, ...] = _PLAIN + tuple(
    Setting((word, key), f"{_CLOCK_WORDS[word]}.{field}", help, takes)
    for word in ("MOVE", "RETREAT", "ADJUST", "BUILD")
    for key, (field, takes, help) in _CLOCK_KEYS.items()
)
"""The table."""

DEFAULTS: Mapping[str, object] = {
    "press": "white", "partial": True, "nmr": "hold", "manual_start": False, "gm_plays": False,
    "show_addresses": False, "listed": True, "takeover_seated": False, "zone": "UTC", "cron": "",
    "comment": "", "reminder": 25, "negotiation": 0.0, "first_negotiation": 0.0, "house": False,
    **{f"{clock}.{key}": value for clock, hours in zip(CLOCKS, (72.0, 24.0, 24.0))
       for key, value in {"next": hours, "min": 0.0, "clock": -1, "days": EVERY_DAY,
                          "grace": 24.0, "delay": 0.0}.items()},
}
"""What holds where nobody set anything."""

HOUSE_RULES: Mapping[str, object] = {
    "house": True, "first_negotiation": 96.0, "negotiation": 48.0,
    "move.next": 24.0, "retreat.next": 24.0, "adjust.next": 24.0, "cron": "",
}
"""The owner's house rules: four days, then two days of negotiation, then one of order writing."""


def setting(game: GameRecord, name: str) -> object:
    """Return what a game has set, or the default."""
    return game.settings.get(name, DEFAULTS.get(name))


def schedule_of(game: GameRecord) -> Schedule:
    """Return the clock of a game."""
    def hours(name: str) -> float:
        return float(str(setting(game, name)))

    return Schedule(
        zone=str(setting(game, "zone")),
        cron=str(setting(game, "cron")),
        first_negotiation=hours("first_negotiation"),
        negotiation=hours("negotiation"),
        reminder=hours("reminder") / 100,
        timings={
            clock: Timing(
                next=hours(f"{clock}.next"),
                min=hours(f"{clock}.min"),
                clock=int(hours(f"{clock}.clock")),
                days=str(setting(game, f"{clock}.days")),
                grace=hours(f"{clock}.grace"),
                delay=hours(f"{clock}.delay"),
            )
            for clock in CLOCKS
        },
    )


def interpret(
    words: Sequence[str], off: bool, game: GameRecord, role: Role
) -> tuple[Change, ...] | Reason:
    """Return the changes a SET line asks for, or why it asks for none.

    Several key and value pairs may follow a clock word: `SET MOVE NEXT 48 GRACE 24`.
    """
    upper = [word.upper() for word in words]
    if upper and upper[0] in _CLOCK_WORDS and len(words) >= 3 and not off:
        return _clock_changes(words)
    if off and upper == ["PRESS"]:
        words, upper, off = ["NO", "PRESS"], ["NO", "PRESS"], False
    row = _find(upper, role)
    if row is None:
        return _option_change(words, off, game)
    rest = tuple(words[len(row.words):])
    if off:
        if row.off is None or rest:
            return because("setting-not-off", setting=" ".join(row.words))
        return (Change(row, row.off),)
    if row.takes is Takes.INSTANT:
        return (Change(row, None, rest),)
    value = _value(row, rest)
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


def _option_change(
    words: Sequence[str], off: bool, game: GameRecord
) -> tuple[Change, ...] | Reason:
    """Read a system's own option: `SET NO ICEBREAKER`, `SET PARADOX ALL_HOLD`."""
    name = words[0].lower() if words else ""
    for option in find_system(game.system).options():
        if option.name.lower() != name:
            continue
        value = _option_value(option, [w.lower() for w in words[1:]], off)
        if value is None:
            allowed = ", ".join(option.values) or "a number"
            return because("setting-value", setting=option.name.upper(), allowed=allowed)
        row = Setting((option.name.upper(),), option.name, option.help, before_start=True)
        return (Change(row, value),)
    return because("setting-unknown", setting=" ".join(words) or "nothing")


def _option_value(option: Option, rest: Sequence[str], off: bool) -> object:
    if not option.values:
        return int(rest[0]) if len(rest) == 1 and rest[0].isdigit() else (0 if off else None)
    if not rest and set(option.values) == {"on", "off"}:
        return "off" if off else "on"
    return rest[0] if len(rest) == 1 and rest[0] in option.values and not off else None


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
            return int(text) if text.isdigit() else because("setting-number", setting=name)
        case Takes.CRON:
            return text if is_cron(text) else because("setting-cron", text=text)
        case Takes.ZONE:
            return find_zone(text) or because("setting-zone", text=text)
        case _:
            return text[:200]


def _time_of_day(text: str, name: str) -> object:
    if text == "-1":
        return -1
    hour, _, minute = text.partition(":")
    if hour.isdigit() and (minute or "0").isdigit():
        minutes = int(hour) * 60 + int(minute) if minute else int(hour)
        if 0 <= minutes < 24 * 60 and (not minute or int(minute) < 60):
            return minutes
    return because("setting-time", setting=name, text=text)
