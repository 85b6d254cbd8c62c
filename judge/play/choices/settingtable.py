"""The table of settings: what may stand after SET, what it takes and what it is for.

A row says how the setting is written after SET, what it takes, who may change it and until when,
and what it is for. `settings.interpret` reads SET lines by it; HELP, LIST and the docs show it.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import Enum

from judge.digits import minutes_of_day
from judge.games.capabilities import Drawn, Neighbours, PlacesTold, StandIns
from judge.model.letter import Kind
from judge.model.person import LEVELS
from judge.model.phrase import Phrase, phrase
from judge.model.record import Role
from judge.play.chosen import NO_DEDICATION


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
    PERIOD = "date TO date"
    REMINDERS = "24h,6h or 25%"
    ADDRESSES = "[-]address"
    SHARE = "per cent"
    POINTS = "points"
    WORD = "word"
    KINDS = "kinds"
    DIGEST = "PHASE, DAY or hh:mm"
    LEVEL = "level"


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
    least: int = 0
    most: int = 0
    """The lowest and the highest number it takes; 0: any."""
    secret: bool = False
    """Only the master sees the value; others at most that there is one."""
    needs: type | None = None
    """The capability of a game's system without which it would say nothing."""


MANY_SEATS = 99
"""More powers than any map has: one person may have all of them."""


def _row(words: str, name: str, help: str, **more: object) -> Setting:
    return Setting(tuple(words.split()), name, help, **more)  # type: ignore[arg-type]


_PLAIN = (
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
    _row("GUNBOAT", "gunboat", "nobody but the master is told who plays which power",
         off=False, before_start=True),
    _row("RATED", "rated", "its result counts in the rating of its players",
         before_start=True),
    _row("UNRATED", "rated", "its result does not count in the rating of its players",
         value=False, off=True, before_start=True),
    _row("LIST", "listed", "LIST shows the game to everybody", off=False),
    _row("LISTED", "listed", "LIST shows the game to everybody", off=False),
    _row("PUBLIC", "listed", "LIST shows the game to everybody", off=False),
    _row("UNLISTED", "listed", "LIST does not show the game", value=False, off=True),
    _row("SEATS", "seats", "powers one person may have, by JOIN … AGAIN or TAKEOVER",
         takes=Takes.NUMBER, off=1, least=1, most=MANY_SEATS),
    _row("TAKEOVER SEATED", "seats", "one person may have any number of powers",
         value=MANY_SEATS, off=1),
    _row("ZONE", "zone", "time zone, such as Europe/Paris", takes=Takes.ZONE),
    _row("CRON", "cron", 'deadlines by a cron expression: SET CRON "0 20 * * tue,fri"',
         takes=Takes.CRON, off=""),
    _row("COMMENT", "comment", "one line about the game, shown by LIST", takes=Takes.TEXT, off=""),
    _row("REMINDER", "reminder",
         "when to remind those who owe orders: hours before the deadline, or a share of the time",
         takes=Takes.REMINDERS, off="0%"),
    _row("STRICT GRACE", "strict_grace", "grace may end on a day without deadlines", off=False),
    _row("LATE COUNT", "late_count", "letters tell how many are late, not who", off=False),
    _row("FIRST TURN PROTECTION", "first_turn",
         "in the first movement phase the late get a second grace, and nobody loses a power",
         off=False),
    _row("CD SUPPORT", "cd", "units of vacant powers support their neighbours", value="support",
         off="hold", needs=StandIns),
    _row("HOLD", "hold", "each phase that is over waits for the master's RELEASE", off=False),
    _row("RELEASE", "hold", "each phase that is over waits for the master's RELEASE", off=False),
    _row("CD HOLD", "cd", "units of vacant powers hold", value="hold"),
    _row("TAKEOVER TIME", "takeover_time",
         "hours that whoever takes a power over has at least for the first orders",
         takes=Takes.HOURS, off=0.0),
    _row("MAX ABSENCE", "max_absence", "days a player's absence may last at most",
         takes=Takes.NUMBER, most=31),
    _row("NEGOTIATION", "negotiation", "hours of negotiation before order writing",
         takes=Takes.HOURS, off=0.0),
    _row("FIRST NEGOTIATION", "first_negotiation", "hours of negotiation before the first orders",
         takes=Takes.HOURS, off=0.0),
    _row("DEADLINE", "deadline", "the deadline of this phase", takes=Takes.INSTANT),
    _row("GRACE", "grace", "until when the late may order in this phase", takes=Takes.INSTANT),
    _row("START", "not_before", "no adjudication in this phase before then", takes=Takes.INSTANT),
    _row("DIAS", "dias", "a draw is shared by all who still play, not by some of them",
         off=False),
    _row("CONCESSIONS", "concessions", "the others may concede the game to the leader", off=False),
    _row("VOTES OPEN", "votes", "letters tell who voted for what", value="open"),
    _row("VOTES COUNT", "votes", "letters tell how many voted, not who", value="count"),
    _row("VOTES SECRET", "votes", "nobody hears of votes before one is carried", value="secret"),
    _row("VOTES EXPIRE", "votes_expire", "votes end with the phase they were cast in", off=False),
    _row("VOTES STAND", "votes_expire", "votes stand until they are taken back", value=False,
         off=True),
    _row("ALWAYS WAIT", "always_wait", "no phase is adjudicated before its deadline", off=False),
    _row("FREEZE", "frozen", "orders and votes stay as they are, and the clock stands still",
         value="all", off=""),
    _row("FREEZE ORDERS", "frozen", "orders stay as they are, and the clock stands still",
         value="orders", off=""),
    _row("FREEZE VOTES", "frozen", "votes stay as they are", value="votes", off=""),
    *(_row(word, "absence", "you are away: deadlines of later phases fall after your return",
           takes=Takes.PERIOD, off=(), scope=Scope.SEAT)
      for word in ("ABSENCE", "HOLIDAY", "HOLIDAYS", "VACATION", "VACATIONS")),
    _row("WAIT", "wait", "no early adjudication before the deadline", off=False, scope=Scope.SEAT),
    _row("ORDERS REPLACE", "orders", "the orders of each mail of yours replace all on file",
         value="replace", off="merge", scope=Scope.SEAT),
    _row("ORDERS MERGE", "orders", "a new order replaces only that for the same unit",
         value="merge", scope=Scope.SEAT),
    _row("MAP PNG", "map", "your letters carry the board as a picture", value="png",
         scope=Scope.SEAT, needs=Drawn),
    _row("MAP SVG", "map", "the picture is a drawing that stays sharp at any size (SVG)",
         value="svg", scope=Scope.SEAT, needs=Drawn),
    _row("MAP TEXT", "map", "your letters tell the board in words, region by region",
         value="text", scope=Scope.SEAT, needs=PlacesTold),
    _row("MAP OFF", "map", "your letters show no board", value="off", scope=Scope.SEAT),
    _row("MAP", "map", "your letters carry the board as a picture", value="png", off="off",
         scope=Scope.SEAT, needs=Drawn),
    _row("PREVIEW ON", "preview", "receipts of orders carry a picture of your orders on file",
         scope=Scope.SEAT, needs=Drawn),
    _row("PREVIEW OFF", "preview", "receipts carry no picture", value=False, scope=Scope.SEAT),
    _row("PREVIEW", "preview", "receipts of orders carry a picture of your orders on file",
         off=False, scope=Scope.SEAT, needs=Drawn),
    _row("FORMAT HTML", "format", "your letters are text and, beside it, HTML", value="html",
         scope=Scope.SEAT),
    _row("FORMAT TEXT", "format", "your letters are text alone", value="text", scope=Scope.SEAT),
    _row("LANGUAGE DE", "language", "your letters are in German", value="de", scope=Scope.SEAT),
    _row("LANGUAGE EN", "language", "your letters are in English", value="en", scope=Scope.SEAT),
    *(_row(f"LANGUAGE {word}", "language", f"as SET LANGUAGE {code.upper()}", value=code,
           scope=Scope.SEAT)
      for word, code in (("GERMAN", "de"), ("DEUTSCH", "de"), ("ENGLISH", "en"))),
    _row("PREFERENCE", "preference",
         "powers in order of wish: N, or [ab]c for equal wishes, or names",
         takes=Takes.TEXT, off="", scope=Scope.SEAT, before_start=True),
    _row("ADDRESS", "address", "where your letters go, once the new address has confirmed it",
         takes=Takes.TEXT, scope=Scope.SEAT),
    _row("JSON OFF", "json", "your results carry no file for programs", value=False,
         scope=Scope.SEAT),
    _row("JSON ON", "json", "your results carry the result for programs, as JSON",
         scope=Scope.SEAT),
    _row("JSON", "json", "your results carry the result for programs, as JSON", off=False,
         scope=Scope.SEAT),
    _row("CALENDAR OFF", "calendar", "your letters carry no file for calendars", value=False,
         scope=Scope.SEAT),
    _row("CALENDAR ON", "calendar", "letters that tell a deadline carry it for your calendar",
         scope=Scope.SEAT),
    _row("CALENDAR", "calendar", "letters that tell a deadline carry it for your calendar",
         off=False, scope=Scope.SEAT),
    _row("TOKEN OFF", "token", "your letters carry no reply token: only your password opens"
         " your seat", value=False, scope=Scope.SEAT),
    _row("TOKEN ON", "token", "replies to your letters open your seat", scope=Scope.SEAT),
    _row("TOKEN", "token", "replies to your letters open your seat", off=False,
         scope=Scope.SEAT),
    _row("NOTICES", "notices", "which letters you want: ALL, NONE, RESULTS PRESS, -VOTES",
         takes=Takes.KINDS, off=("NONE",), scope=Scope.SEAT),
    _row("COPIES", "copies", "letters of this game go to all your addresses (HELP ADDRESSES)",
         off=False, scope=Scope.SEAT),
    _row("DIGEST", "digest", "one letter for all that happened: with the results or once a day",
         takes=Takes.DIGEST, off="", scope=Scope.SEAT),
    _row("OBSERVERS ANY", "observers", "whoever wants may observe", value="any"),
    _row("OBSERVERS APPROVAL", "observers", "the master approves those who want to observe",
         value="approval"),
    _row("OBSERVERS NONE", "observers", "nobody new may observe", value="none"),
    _row("OBSERVERS", "observers", "whoever wants may observe", value="any", off="none"),
    _row("PREF", "preference", "as SET PREFERENCE", takes=Takes.TEXT, off="", scope=Scope.SEAT,
         before_start=True),
)
_PRESS = (
    _row("WHITE PRESS", "press", "press names its writer", value="white"),
    _row("GREY PRESS", "press", "press names no writer", value="grey"),
    _row("WHITE/GREY PRESS", "press", "press names its writer, unless it is PRESS GREY",
         value="white/grey"),
    _row("GREY/WHITE PRESS", "press", "press names no writer, unless it is PRESS WHITE",
         value="grey/white"),
    _row("NO PRESS", "press", "no press but with the master", value="none"),
    _row("NONE PRESS", "press", "no press but with the master", value="none"),
    _row("GRAY PRESS", "press", "as SET GREY PRESS", value="grey"),
    _row("WHITE/GRAY PRESS", "press", "as SET WHITE/GREY PRESS", value="white/grey"),
    _row("GRAY/WHITE PRESS", "press", "as SET GREY/WHITE PRESS", value="grey/white"),
    _row("PARTIAL PRESS", "partial", "press to some only is allowed", off=False),
    _row("PARTIAL", "partial", "press to some only is allowed", off=False),
    _row("PARTIAL MAY BE FAKED", "fake", "press to some may show other readers than it has",
         value="may"),
    _row("PARTIAL FAKES BROADCAST", "fake", "press to some always looks like a broadcast",
         value="always"),
    _row("PARTIAL FAKES BROADCAST BY DEFAULT", "fake",
         "press to some looks like a broadcast, unless it is PRESS NO FAKE", value="default"),
    _row("FAKE", "fake", "as SET PARTIAL MAY BE FAKED", value="may", off="none"),
    _row("FAKE SENDER", "fake_sender", "press may show another power as its writer", off=False),
    _row("MINOR PRESS", "minor_press", "press is allowed in retreat and adjustment phases too",
         off=False),
    _row("FTF PRESS", "minor_press", "press in movement phases only, as at a table", value=False,
         off=True),
    _row("LATE PRESS", "late_press", "who is late with orders may send press", off=False),
    _row("GRACE PRESS", "grace_press", "press is allowed after the deadline, in grace", off=False),
    _row("MUST ORDER", "must_order", "no press before one's own orders are in", off=False),
    _row("TOUCH PRESS", "touch_press", "press only to powers whose units stand beside one's own,"
         " and one broadcast a phase", off=False, needs=Neighbours),
    _row("POSTAL PRESS", "postal_press", "press with the next results is allowed", off=False),
    _row("PRESS COPIES", "press_copies", "the master gets a copy of press to some", off=False),
    _row("REVEAL PRESS", "reveal_press", "when the game is over HISTORY shows all its press, and"
         " who wrote it, to everybody", off=False, before_start=True),
    _row("MAX PRESS", "max_press", "press letters a player may send a day", takes=Takes.NUMBER,
         off=0, most=1000),
    _row("OBSERVER PRESS", "observer_press", "observers may write press, under that name",
         value="white", off="read"),
    _row("OBSERVER PRESS READ", "observer_press", "observers read what is for all and write none",
         value="read"),
    _row("OBSERVER PRESS NONE", "observer_press", "observers read and write no press",
         value="none"),
    _row("OBSERVER PRESS WHITE", "observer_press", "as SET OBSERVER PRESS", value="white"),
    _row("OBSERVER PRESS ANY", "observer_press", "observers may write press as players may",
         value="any"),
    _row("OBSERVER NO PRESS", "observer_press", "as SET OBSERVER PRESS READ", value="read"),
    _row("OBSERVER WHITE PRESS", "observer_press", "as SET OBSERVER PRESS", value="white"),
    _row("OBSERVER ANY PRESS", "observer_press", "as SET OBSERVER PRESS ANY", value="any"),
)
"""What press a game has."""
_ENTRY = (
    _row("POWER CHOICE", "power_choice", "JOIN india@game takes that power at once, if it is free",
         off=False, before_start=True),
    _row("PRIVATE", "private", "who joins must write this word after the password",
         takes=Takes.WORD, off="", secret=True),
    _row("ALLOW PLAYER", "allow", "only these addresses may play (-address takes one out)",
         takes=Takes.ADDRESSES, off=(), secret=True),
    _row("DENY PLAYER", "deny", "these addresses may not play (-address takes one out)",
         takes=Takes.ADDRESSES, off=(), secret=True),
    _row("APPROVAL", "approval", "newcomers wait until the master approves them", off=False),
    _row("ONTIMERAT", "ontimerat", "players need this share of their orders on time",
         takes=Takes.SHARE, off=0),
    _row("RESRAT", "resrat", "players may have given up this share of their seats at most",
         takes=Takes.SHARE, off=100),
    _row("DEDICATION", "dedication", "players need this many points of dedication",
         takes=Takes.POINTS, off=NO_DEDICATION),
    _row("LEVEL", "level", "players need this level, as they registered it",
         takes=Takes.LEVEL, off=""),
    _row("MUSTER", "muster", "before the start all must CONFIRM within these hours",
         takes=Takes.HOURS, off=0.0, before_start=True),
    _row("NAME", "name", "your name, for the masters of your games", takes=Takes.TEXT, off="",
         scope=Scope.SEAT),
)
"""Who may play, and how a game gathers its players."""
_CLOCK_KEYS = {
    "NEXT": ("next", Takes.HOURS, "hours from one adjudication to the next deadline"),
    "MIN": ("min", Takes.HOURS, "fewest hours between two adjudications"),
    "CLOCK": ("clock", Takes.TIME_OF_DAY, "time of day at which deadlines fall (-1: any)"),
    "DAYS": ("days", Takes.DAYS, "weekdays on which deadlines fall, Sunday first: -MTWTF-"),
    "GRACE": ("grace", Takes.HOURS, "hours after the deadline in which the late may order"),
    "DELAY": ("delay", Takes.HOURS,
              "time between the last orders and early adjudication, such as 10m"),
}
CLOCK_WORDS = {"MOVE": "move", "RETREAT": "retreat", "ADJUST": "adjust", "BUILD": "adjust"}
SETTINGS: tuple[Setting, ...] = _PLAIN + _PRESS + _ENTRY + tuple(
    Setting((word, key), f"{CLOCK_WORDS[word]}.{field}", help, takes)
    for word in ("MOVE", "RETREAT", "ADJUST", "BUILD")
    for key, (field, takes, help) in _CLOCK_KEYS.items()
)
"""The table."""
HOUSE_RULES: Mapping[str, object] = {
    "house": True, "first_negotiation": 96.0, "negotiation": 48.0,
    "move.next": 24.0, "retreat.next": 24.0, "adjust.next": 24.0, "cron": "",
    "move.delay": 0.0,
}
"""The owner's house rules: four days, then two days of negotiation, then one of order writing."""


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
        return phrase("notices-unknown", words=unknown or ("nothing",), kinds=can)
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
