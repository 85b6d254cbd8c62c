"""The table of settings: what may stand after SET, what it takes and what it is for.

A row says how the setting is written after SET, what it takes, who may change it and until when,
and what it is for. `settings.interpret` reads SET lines by it; HELP, LIST and the docs show it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache

from judge.digits import minutes_of_day
from judge.games import all_systems, find_system
from judge.games.capabilities import Bots, Drawn, Fronts, Neighbours, PlacesTold, StandIns
from judge.games.system import ClockKind
from judge.languages import languages, names_of
from judge.model.letter import Kind
from judge.model.person import LEVELS
from judge.model.phrase import Phrase, phrase
from judge.model.record import GameView, Role
from judge.play.chosen import NO_DEDICATION


class Takes(Enum):
    """What stands behind the words of a setting, each kind with the code of what it is called."""

    NOTHING = ""
    HOURS = "takes-hours"
    TIME_OF_DAY = "takes-time-of-day"
    DAYS = "takes-days"
    NUMBER = "takes-number"
    CRON = "takes-cron"
    ZONE = "takes-zone"
    TEXT = "takes-text"
    INSTANT = "takes-instant"
    PERIOD = "takes-period"
    REMINDERS = "takes-reminders"
    ADDRESSES = "takes-addresses"
    SHARE = "takes-share"
    POINTS = "takes-points"
    WORD = "takes-word"
    KINDS = "takes-kinds"
    DIGEST = "takes-digest"
    LEVEL = "takes-level"


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
    help: Phrase
    takes: Takes = Takes.NOTHING
    value: object = True
    off: object = None
    scope: Scope = Scope.GAME
    before_start: bool = False
    least: int = 0
    most: int = 0
    """The lowest and the highest number it takes; 0: any."""
    secret: bool = False
    """Only the master sees the value; others at most that there is one."""
    needs: type | None = None
    """The capability of a game's system without which it would say nothing."""


MANY_SEATS = 99
"""More powers than any map has: one person may have all of them."""


def _row(words: str, name: str, help: str | Phrase, **more: object) -> Setting:
    """Return a row; `help` is the code of what it is for, or a phrase."""
    told = phrase(help) if isinstance(help, str) else help
    return Setting(tuple(words.split()), name, told, **more)  # type: ignore[arg-type]


def _as(words: str) -> Phrase:
    """Return what another setting is, for one that does the same."""
    return phrase("set-as", words=words)


_PLAIN = (
    _row("HOUSE RULES", "house", "set-house-rules"),
    _row("NMR HOLD", "nmr", "set-nmr-hold",
         value="hold"),
    _row("NMR WAIT", "nmr", "set-nmr-wait",
         value="wait"),
    _row("NMR CD", "nmr", "set-nmr-cd", value="cd"),
    _row("MANUAL START", "manual_start", "set-manual-start",
         off=False, before_start=True),
    _row("AUTO START", "manual_start", "set-auto-start",
         value=False, off=True, before_start=True),
    _row("GM PLAYS", "gm_plays",
         "set-gm-plays",
         off=False, before_start=True),
    _row("SHOW ADDRESSES", "show_addresses", "set-show-addresses", off=False),
    _row("GUNBOAT", "gunboat", "set-gunboat",
         off=False, before_start=True),
    _row("NAMES AT END", "names_at_end", "set-names-at-end",
         off=False, before_start=True),
    _row("TELL NAME", "tell_name", "set-tell-name", off=False, scope=Scope.SEAT),
    _row("RATED", "rated", "set-rated",
         before_start=True),
    _row("UNRATED", "rated", "set-unrated",
         value=False, off=True, before_start=True),
    _row("LIST", "listed", "set-list", off=False),
    _row("LISTED", "listed", "set-list", off=False),
    _row("PUBLIC", "listed", "set-list", off=False),
    _row("UNLISTED", "listed", "set-unlisted", value=False, off=True),
    _row("SEATS", "seats", "set-seats",
         takes=Takes.NUMBER, off=1, least=1, most=MANY_SEATS),
    _row("TAKEOVER SEATED", "seats", "set-takeover-seated",
         value=MANY_SEATS, off=1),
    _row("ZONE", "zone", "set-zone", takes=Takes.ZONE, off="UTC"),
    _row("CRON", "cron", "set-cron",
         takes=Takes.CRON, off=""),
    _row("COMMENT", "comment", "set-comment", takes=Takes.TEXT, off=""),
    _row("REMINDER", "reminder",
         "set-reminder",
         takes=Takes.REMINDERS, off="0%"),
    _row("STRICT GRACE", "strict_grace", "set-strict-grace", off=False),
    _row("LATE COUNT", "late_count", "set-late-count", off=False),
    _row("FIRST TURN PROTECTION", "first_turn",
         "set-first-turn-protection",
         off=False),
    _row("CD SUPPORT", "cd", "set-cd-support", value="support",
         off="hold", needs=StandIns),
    _row("HOLD", "hold", "set-hold", off=False),
    _row("RELEASE", "hold", "set-hold", off=False),
    _row("ABANDONED BOT", "abandoned", "set-abandoned-bot", value="bot",
         off="vacant", needs=Bots),
    _row("ABANDONED VACANT", "abandoned", "set-abandoned-vacant", value="vacant"),
    _row("BOTS", "bots", "set-bots", off=False, before_start=True, needs=Bots),
    _row("CD HOLD", "cd", "set-cd-hold", value="hold"),
    _row("TAKEOVER TIME", "takeover_time",
         "set-takeover-time",
         takes=Takes.HOURS, off=0.0),
    _row("EXCUSES", "excuses", "set-excuses", takes=Takes.NUMBER, off=0, most=20),
    _row("EXCUSE TIME", "excuse_time", "set-excuse-time", takes=Takes.HOURS, least=1, most=168),
    _row("AUTO EXCUSES", "auto_excuses", "set-auto-excuses", off=False),
    _row("MAX ABSENCE", "max_absence", "set-max-absence",
         takes=Takes.NUMBER, most=31),
    _row("NEGOTIATION", "negotiation", "set-negotiation",
         takes=Takes.HOURS, off=0.0),
    _row("FIRST NEGOTIATION", "first_negotiation", "set-first-negotiation",
         takes=Takes.HOURS, off=0.0),
    _row("NEGOTIATION END", "negotiation_end", "set-negotiation-end", takes=Takes.INSTANT),
    _row("DEADLINE", "deadline", "set-deadline", takes=Takes.INSTANT),
    _row("GRACE", "grace", "set-grace", takes=Takes.INSTANT),
    _row("START", "not_before", "set-start", takes=Takes.INSTANT),
    _row("DIAS", "dias", "set-dias",
         off=False),
    _row("CONCESSIONS", "concessions", "set-concessions", off=False),
    _row("VOTES OPEN", "votes", "set-votes-open", value="open"),
    _row("VOTES COUNT", "votes", "set-votes-count", value="count"),
    _row("VOTES SECRET", "votes", "set-votes-secret", value="secret"),
    _row("VOTES EXPIRE", "votes_expire", "set-votes-expire", off=False),
    _row("VOTES STAND", "votes_expire", "set-votes-stand", value=False,
         off=True),
    _row("ALWAYS WAIT", "always_wait", "set-always-wait", off=False),
    _row("FREEZE", "frozen", "set-freeze",
         value="all", off=""),
    _row("FREEZE ORDERS", "frozen", "set-freeze-orders",
         value="orders", off=""),
    _row("FREEZE VOTES", "frozen", "set-freeze-votes", value="votes", off=""),
    *(_row(word, "absence", "set-absence",
           takes=Takes.PERIOD, off=(), scope=Scope.SEAT)
      for word in ("ABSENCE", "HOLIDAY", "HOLIDAYS", "VACATION", "VACATIONS")),
    _row("WAIT", "wait", "set-wait", off=False, scope=Scope.SEAT),
    _row("ORDERS REPLACE", "orders", "set-orders-replace",
         value="replace", off="merge", scope=Scope.SEAT),
    _row("ORDERS MERGE", "orders", "set-orders-merge",
         value="merge", scope=Scope.SEAT),
    _row("MAP PNG", "map", "set-map-png", value="png",
         scope=Scope.SEAT, needs=Drawn),
    _row("MAP SMALL", "map", "set-map-small", value="small",
         scope=Scope.SEAT, needs=Fronts),
    _row("MAP SVG", "map", "set-map-svg",
         value="svg", scope=Scope.SEAT, needs=Drawn),
    _row("MAP TEXT", "map", "set-map-text",
         value="text", scope=Scope.SEAT, needs=PlacesTold),
    _row("MAP OFF", "map", "set-map-off", value="off", scope=Scope.SEAT),
    _row("MAP", "map", "set-map-png", value="png", off="off",
         scope=Scope.SEAT, needs=Drawn),
    _row("PREVIEW ON", "preview", "set-preview-on",
         scope=Scope.SEAT, needs=Drawn),
    _row("PREVIEW OFF", "preview", "set-preview-off", value=False, scope=Scope.SEAT),
    _row("PREVIEW", "preview", "set-preview-on",
         off=False, scope=Scope.SEAT, needs=Drawn),
    _row("FORMAT HTML", "format", "set-format-html", value="html",
         scope=Scope.SEAT),
    _row("FORMAT TEXT", "format", "set-format-text", value="text", scope=Scope.SEAT),
    _row("SHORT", "short", "set-short", off=False, scope=Scope.SEAT),
    *(_row(f"LANGUAGE {code.upper()}", "language", phrase("set-language", language=code),
           value=code, scope=Scope.SEAT)
      for code in sorted(languages())),
    *(_row(f"LANGUAGE {word}", "language", _as(f"LANGUAGE {code.upper()}"), value=code,
           scope=Scope.SEAT)
      for code in sorted(languages()) for word in names_of(code)),
    _row("PREFERENCE", "preference",
         "set-preference",
         takes=Takes.TEXT, off="", scope=Scope.SEAT, before_start=True),
    _row("ADDRESS", "address", "set-address",
         takes=Takes.TEXT, scope=Scope.SEAT),
    _row("JSON OFF", "json", "set-json-off", value=False,
         scope=Scope.SEAT),
    _row("JSON ON", "json", "set-json-on",
         scope=Scope.SEAT),
    _row("JSON", "json", "set-json-on", off=False,
         scope=Scope.SEAT),
    _row("CALENDAR OFF", "calendar", "set-calendar-off", value=False,
         scope=Scope.SEAT),
    _row("CALENDAR ON", "calendar", "set-calendar-on",
         scope=Scope.SEAT),
    _row("CALENDAR", "calendar", "set-calendar-on",
         off=False, scope=Scope.SEAT),
    _row("TOKEN OFF", "token", "set-token-off", value=False, scope=Scope.SEAT),
    _row("TOKEN ON", "token", "set-token-on", scope=Scope.SEAT),
    _row("TOKEN", "token", "set-token-on", off=False,
         scope=Scope.SEAT),
    _row("NOTICES", "notices", "set-notices",
         takes=Takes.KINDS, off=("NONE",), scope=Scope.SEAT),
    _row("COPIES", "copies", "set-copies",
         off=False, scope=Scope.SEAT),
    _row("OWN PRESS", "own_press", "set-own-press", off=False, scope=Scope.SEAT),
    _row("DIGEST", "digest", "set-digest",
         takes=Takes.DIGEST, off="", scope=Scope.SEAT),
    _row("OBSERVERS ANY", "observers", "set-observers-any", value="any"),
    _row("OBSERVERS APPROVAL", "observers", "set-observers-approval",
         value="approval"),
    _row("OBSERVERS NONE", "observers", "set-observers-none", value="none"),
    _row("OBSERVERS", "observers", "set-observers-any", value="any", off="none"),
    _row("PREF", "preference", _as("PREFERENCE"), takes=Takes.TEXT, off="", scope=Scope.SEAT,
         before_start=True),
)
_PRESS = (
    _row("WHITE PRESS", "press", "set-white-press", value="white"),
    _row("GREY PRESS", "press", "set-grey-press", value="grey"),
    _row("WHITE/GREY PRESS", "press", "set-white-grey-press",
         value="white/grey"),
    _row("GREY/WHITE PRESS", "press", "set-grey-white-press",
         value="grey/white"),
    _row("NO PRESS", "press", "set-no-press", value="none"),
    _row("NONE PRESS", "press", "set-no-press", value="none"),
    _row("GRAY PRESS", "press", _as("GREY PRESS"), value="grey"),
    _row("WHITE/GRAY PRESS", "press", _as("WHITE/GREY PRESS"), value="white/grey"),
    _row("GRAY/WHITE PRESS", "press", _as("GREY/WHITE PRESS"), value="grey/white"),
    _row("PARTIAL PRESS", "partial", "set-partial-press", off=False),
    _row("PARTIAL", "partial", "set-partial-press", off=False),
    _row("PARTIAL MAY BE FAKED", "fake", "set-partial-may-be-faked",
         value="may"),
    _row("PARTIAL FAKES BROADCAST", "fake", "set-partial-fakes-broadcast",
         value="always"),
    _row("PARTIAL FAKES BROADCAST BY DEFAULT", "fake",
         "set-partial-fakes-broadcast-by-default", value="default"),
    _row("FAKE", "fake", _as("PARTIAL MAY BE FAKED"), value="may", off="none"),
    _row("FAKE SENDER", "fake_sender", "set-fake-sender", off=False),
    _row("MINOR PRESS", "minor_press", "set-minor-press",
         off=False),
    _row("FTF PRESS", "minor_press", "set-ftf-press", value=False,
         off=True),
    _row("LATE PRESS", "late_press", "set-late-press", off=False),
    _row("GRACE PRESS", "grace_press", "set-grace-press", off=False),
    _row("MUST ORDER", "must_order", "set-must-order", off=False),
    _row("TOUCH PRESS", "touch_press", "set-touch-press", off=False, needs=Neighbours),
    _row("POSTAL PRESS", "postal_press", "set-postal-press", off=False),
    _row("PRESS COPIES", "press_copies", "set-press-copies", off=False),
    _row("REVEAL PRESS", "reveal_press", "set-reveal-press", off=False, before_start=True),
    _row("MAX PRESS", "max_press", "set-max-press", takes=Takes.NUMBER,
         off=0, most=1000),
    _row("TALK", "talk", "set-talk", takes=Takes.NUMBER, off=0, most=60),
    _row("OBSERVER PRESS", "observer_press", "set-observer-press",
         value="white", off="read"),
    _row("OBSERVER PRESS READ", "observer_press", "set-observer-press-read",
         value="read"),
    _row("OBSERVER PRESS NONE", "observer_press", "set-observer-press-none",
         value="none"),
    _row("OBSERVER PRESS WHITE", "observer_press", _as("OBSERVER PRESS"), value="white"),
    _row("OBSERVER PRESS ANY", "observer_press", "set-observer-press-any",
         value="any"),
    _row("OBSERVER NO PRESS", "observer_press", _as("OBSERVER PRESS READ"), value="read"),
    _row("OBSERVER WHITE PRESS", "observer_press", _as("OBSERVER PRESS"), value="white"),
    _row("OBSERVER ANY PRESS", "observer_press", _as("OBSERVER PRESS ANY"), value="any"),
)
"""What press a game has."""
_ENTRY = (
    _row("POWER CHOICE", "power_choice", phrase("set-power-choice", power="power", game="marco"),
         off=False, before_start=True),
    _row("PRIVATE", "private", "set-private",
         takes=Takes.WORD, off="", secret=True),
    _row("ALLOW PLAYER", "allow", "set-allow-player",
         takes=Takes.ADDRESSES, off=(), secret=True),
    _row("DENY PLAYER", "deny", "set-deny-player",
         takes=Takes.ADDRESSES, off=(), secret=True),
    _row("APPROVAL", "approval", "set-approval", off=False),
    _row("ONTIMERAT", "ontimerat", "set-ontimerat",
         takes=Takes.SHARE, off=0),
    _row("RESRAT", "resrat", "set-resrat",
         takes=Takes.SHARE, off=100),
    _row("DEDICATION", "dedication", "set-dedication",
         takes=Takes.POINTS, off=NO_DEDICATION),
    _row("LEVEL", "level", "set-level",
         takes=Takes.LEVEL, off=""),
    _row("MUSTER", "muster", "set-muster",
         takes=Takes.HOURS, off=0.0, before_start=True),
    _row("NAME", "name", "set-name", takes=Takes.TEXT, off="",
         scope=Scope.SEAT),
)
"""Who may play, and how a game gathers its players."""
_CLOCK_KEYS = {
    "NEXT": ("next", Takes.HOURS, "set-clock-next"),
    "MIN": ("min", Takes.HOURS, "set-clock-min"),
    "CLOCK": ("clock", Takes.TIME_OF_DAY, "set-clock-clock"),
    "DAYS": ("days", Takes.DAYS, "set-clock-days"),
    "GRACE": ("grace", Takes.HOURS, "set-clock-grace"),
    "DELAY": ("delay", Takes.HOURS,
              "set-clock-delay"),
}


def settings_of(game: GameView) -> tuple[Setting, ...]:
    """Return the table as a game has it: the clocks are those of its system."""
    return _table(find_system(game.system).clocks)


def all_settings() -> tuple[Setting, ...]:
    """Return the table with the clocks of all systems, for whoever asks without a game."""
    return _table([kind for system in all_systems() for kind in system.clocks])


def _table(kinds: Sequence[ClockKind]) -> tuple[Setting, ...]:
    rows = {row.words: row for kind in kinds for row in _clock_rows(kind.name, kind.words)}
    return (*_PLAIN, *_PRESS, *_ENTRY, *rows.values())


@cache
def _clock_rows(name: str, words: tuple[str, ...]) -> tuple[Setting, ...]:
    """Return what is set of a clock, by each of the words it goes by."""
    return tuple(
        _row(f"{word} {key}", f"{name}.{field}", help, takes=takes)
        for word in words for key, (field, takes, help) in _CLOCK_KEYS.items()
    )


def house_rules_of(kinds: Sequence[ClockKind]) -> dict[str, object]:
    """Return what SET HOUSE RULES sets, the owner's rules: four days, then two days of negotiation,
    then one of order writing."""
    return {
        "house": True, "first_negotiation": 96.0, "negotiation": 48.0,
        **{f"{kind.name}.next": 24.0 for kind in kinds}, "cron": "",
        **{f"{kind.name}.delay": 0.0 for kind in kinds if kind.is_main},
    }


MOST_LISTED = 100
"""Addresses a list of a game may have."""
_ADDRESS = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")
_SHARE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})%?")
_POINTS = re.compile(r"[+-]?[0-9]{1,6}")


def is_address(text: str) -> bool:
    """Tell whether a text has the shape of a mail address.

    >>> is_address("ann@example.org"), is_address("ann")
    (True, False)
    """
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


def read_limit(row: Setting, rest: Sequence[str]) -> object:
    """Return the value that words stand for behind a setting of this kind, or a Phrase."""
    name, text = " ".join(row.words), rest[0]
    if row.takes is Takes.ADDRESSES:
        words = tuple(word.strip("<>,;").lower() for word in rest)
        wrong = next((word for word in words if not is_address(word.lstrip("-"))), None)
        return phrase("setting-address", setting=name, text=wrong) if wrong is not None else words
    if len(rest) > 1:
        return phrase("setting-one-word", setting=name)
    match row.takes:
        case Takes.SHARE:
            share = _share(text)
            return phrase("setting-share", setting=name) if share is None else share
        case Takes.POINTS:
            points = _POINTS.fullmatch(text)
            return int(points[0]) if points else phrase("setting-number", setting=name)
        case Takes.LEVEL:
            level = "" if text.lower() == "any" else text.lower()
            fits = level in ("", *LEVELS)
            allowed = ", ".join(("any", *LEVELS)).upper()
            return level if fits else phrase("setting-value", setting=name, allowed=allowed)
        case _:
            return text.lower()[:40]


def _share(text: str) -> int | None:
    """Return a share in per cent: "90", "90%" and nJudge's "0.9" are the same.

    >>> _share("90"), _share("90%"), _share("0.9"), _share("1"), _share("1.0"), _share("lots")
    (90, 90, 90, 1, 100, None)
    """
    found = _SHARE.fullmatch(text)
    if not found:
        return None
    number = float(found[1])
    if "." in text and number <= 1:
        number *= 100
    return round(number) if 0 <= number <= 100 else None


def listed(known: Sequence[str], changes: Sequence[str]) -> tuple[str, ...]:
    """Return a list of addresses after some were put in, and those with a - taken out.

    >>> listed(("a@x.org", "b@x.org"), ("c@x.org", "-a@x.org"))
    ('b@x.org', 'c@x.org')
    """
    out = {word[1:] for word in changes if word.startswith("-")}
    put = (word for word in changes if not word.startswith("-"))
    return tuple(word for word in dict.fromkeys([*known, *put]) if word not in out)[:MOST_LISTED]


KINDS: Mapping[str, Kind] = {
    "RESULTS": Kind.RESULTS,
    "PRESS": Kind.PRESS,
    "NEWS": Kind.NOTICE,
    "VOTES": Kind.VOTE,
    "VACANCIES": Kind.VACANCY,
    "REMINDERS": Kind.REMINDER,
}
"""Words of SET NOTICES → kind of letter. Answers, the start and the end always come."""
PHASE = "phase"
"""The digest that comes with the results of each phase."""
EVENING = 18 * 60
"""When SET DIGEST DAY is mailed, in minutes of the reader's own day."""
_OTHER_WORDS = {
    "RESULT": "RESULTS", "BROADCAST": "PRESS", "BROADCASTS": "PRESS", "NOTICES": "NEWS",
    "NOTICE": "NEWS", "VOTE": "VOTES", "VACANCY": "VACANCIES", "REMINDER": "REMINDERS",
    "LATE": "REMINDERS",
}
_PLAYING = (Kind.VOTE, Kind.VACANCY, Kind.REMINDER)
_WATCHING = (Kind.RESULTS, Kind.PRESS, Kind.NOTICE, Kind.VOTE, Kind.VACANCY)


def may_mute(role: Role) -> tuple[str, ...]:
    """Return the words of the kinds that somebody in this role may do without.

    >>> may_mute(Role.PLAYER)
    ('VOTES', 'VACANCIES', 'REMINDERS')
    """
    watches = role in (Role.OBSERVER, Role.MONITOR)
    kinds = _WATCHING if watches else _PLAYING
    return tuple(word for word, kind in KINDS.items() if kind in kinds)


def muted_by(words: Sequence[str], muted: Sequence[str], role: Role) -> tuple[str, ...] | Phrase:
    """Return which kinds are muted after SET NOTICES with these words, or why that cannot be.

    ALL and NONE mean all; kinds alone mean these only; -KIND takes one out of what there was.

    >>> muted_by(["NONE"], [], Role.PLAYER), muted_by(["-votes"], ["REMINDERS"], Role.PLAYER)
    (('VOTES', 'VACANCIES', 'REMINDERS'), ('VOTES', 'REMINDERS'))
    >>> muted_by(["votes,", "results"], [], Role.OBSERVER)
    ('PRESS', 'NEWS', 'VACANCIES')
    """
    can = may_mute(role)
    typed = [word.strip(",;.").upper() for word in words]
    typed = [word for word in typed if word not in ("", "AND")]
    if typed in (["ALL"], ["NONE"], ["ON"], ["OFF"]):
        return () if typed[0] in ("ALL", "ON") else can
    names = [_OTHER_WORDS.get(word.lstrip("+-"), word.lstrip("+-")) for word in typed]
    unknown = tuple(word for word, name in zip(typed, names) if name not in KINDS)
    if unknown or not names:
        return phrase("notices-unknown", words=unknown or (phrase("nothing"),), kinds=can)
    if not any(word[0] in "+-" for word in typed):
        return tuple(word for word in can if word not in names)
    out = {name for word, name in zip(typed, names) if word[0] == "-"}
    kept = tuple(sorted(out - set(can)))
    if kept:
        return phrase("notices-kept", words=kept, kinds=can)
    back = set(names) - out
    return tuple(word for word in can if word in out or word in muted and word not in back)


def mutes(muted: Sequence[str], kind: Kind) -> bool:
    """Tell whether a kind of letter is among those muted."""
    return any(KINDS.get(word) is kind for word in muted)


def read_digest(text: str) -> int | str | None:
    """Return what SET DIGEST asks for: PHASE, or minutes of the day; None if it cannot be read.

    >>> read_digest("phase"), read_digest("DAILY"), read_digest("7:30"), read_digest("weekly")
    ('phase', 1080, 450, None)
    """
    low = text.lower()
    if low in ("phase", "phases", "turn", "results"):
        return PHASE
    if low in ("day", "daily", "on"):
        return EVENING
    hour, colon, minute = low.partition(":")
    if colon:
        return minutes_of_day(hour, minute)
    return None
