"""Table of settings: their words after SET, values, scope and purpose.

A row of `settings.tsv` defines the words of the setting after SET, the value it takes, who may
change it and until when, and its purpose. `settings.interpret` reads SET lines by it. HELP,
LIST and the docs show it.
"""

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from enum import Enum
from functools import cache
from importlib.resources import files

from judge.digits import minutes_of_day
from judge.games import all_systems, capabilities, find_system
from judge.games.system import ClockKind
from judge.languages import languages, names_of
from judge.model.letter import LetterKind
from judge.model.person import LEVELS
from judge.model.phrase import Phrase, phrase
from judge.model.record import Role
from judge.play.game import GameView
from judge.textfiles import read_rows


class Takes(Enum):
    """Kinds of values of settings, each with the code of its name."""

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
    """Owner of a setting."""

    GAME = "game"
    """The master's, for everyone."""
    SEAT = "seat"
    """Each person's own."""


@dataclass(frozen=True, slots=True)
class Setting:
    """One row: `SET words [value]` sets `name` to `value`, or to the value read.

    `SET NO words` sets it to `off` (None: cannot be switched off).
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
    """Lowest and highest number it takes (0: any)."""
    secret: bool = False
    """True if only the master sees the value. Others see at most that it is set."""
    needs: type | None = None
    """Capability of a game's system without which it would have no effect."""


MANY_SEATS = 99
"""A number higher than the powers of any map, so that one person may have all."""
_VALUES: Mapping[str, object] = {"-": None, "yes": True, "no": False}
_EXAMPLES = {"POWER CHOICE": {"power": "power", "game": "marco"}}
"""Facts of sentences that show an example."""


@cache
def _plain_rows() -> tuple[Setting, ...]:
    """Return the rows of `settings.tsv`."""
    rows = read_rows((files(__package__) / "settings.tsv").read_text("utf-8"))
    return tuple(
        setting for row in rows
        for setting in ((_plain_row(row),) if row["words"] != "LANGUAGE" else _language_rows())
    )


def _language_rows() -> Iterator[Setting]:
    for code in sorted(languages()):
        told = phrase("set-language", language=code)
        yield Setting(("LANGUAGE", code.upper()), "language", told, value=code, scope=Scope.SEAT)
    for code in sorted(languages()):
        told = phrase("set-as", words=f"LANGUAGE {code.upper()}")
        for word in names_of(code):
            yield Setting(("LANGUAGE", word), "language", told, value=code, scope=Scope.SEAT)


def _plain_row(row: Mapping[str, str]) -> Setting:
    words, sentence, value = row["words"], row["sentence"], row["value"]
    usual = re.sub("[ /]", "-", words.lower())
    least, _, most = row["limits"].strip("-").partition("-")
    return Setting(
        tuple(words.split()), row["name"],
        phrase("set-as", words=sentence[1:]) if sentence[0] == "=" else
        phrase(f"set-{usual if sentence == '-' else sentence}", **_EXAMPLES.get(words, {})),
        takes=Takes(f"takes-{value[1:-1]}") if value[0] == "<" else Takes.NOTHING,
        value=True if value[0] == "<" else read_cell(value),
        off=read_cell(row["off"]),
        scope=Scope.SEAT if "seat" in row["marks"] else Scope.GAME,
        before_start="forming" in row["marks"],
        secret="secret" in row["marks"],
        least=int(least or 0), most=int(most or 0),
        needs=None if row["needs"] == "-" else getattr(capabilities, row["needs"]),
    )


def read_cell(text: str) -> object:
    """Return the value of a cell of a table of settings."""
    if text in _VALUES:
        return _VALUES[text]
    if text[0].isalpha():
        return text
    value = json.loads(text)
    return tuple(value) if isinstance(value, list) else value


_CLOCK_KEYS = {
    "next": Takes.HOURS, "min": Takes.HOURS, "clock": Takes.TIME_OF_DAY, "days": Takes.DAYS,
    "grace": Takes.HOURS, "delay": Takes.HOURS,
}
"""Setting of a clock → the value it takes."""


def settings_of(game: GameView) -> tuple[Setting, ...]:
    """Return the table as a game has it, with the clocks of its system."""
    return _table(find_system(game.system).clocks)


def all_settings() -> tuple[Setting, ...]:
    """Return the table with the clocks of all systems, for requests without a game."""
    return _table([kind for system in all_systems() for kind in system.clocks])


def _table(kinds: Sequence[ClockKind]) -> tuple[Setting, ...]:
    rows = {row.words: row for kind in kinds for row in _clock_rows(kind.name, kind.words)}
    return (*_plain_rows(), *rows.values())


@cache
def _clock_rows(name: str, words: tuple[str, ...]) -> tuple[Setting, ...]:
    """Return the settings of a clock, by each of its names."""
    return tuple(
        Setting((word, key.upper()), f"{name}.{key}", phrase(f"set-clock-{key}"), takes)
        for word in words for key, takes in _CLOCK_KEYS.items()
    )


def house_rules_of(kinds: Sequence[ClockKind]) -> dict[str, object]:
    """Return the values that SET HOUSE RULES sets.

    They are four days of first negotiation, two days of later ones, and one of order writing.
    """
    return {
        "house": True, "first_negotiation": 96.0, "negotiation": 48.0,
        **{f"{kind.name}.next": 24.0 for kind in kinds}, "cron": "",
        **{f"{kind.name}.delay": 0.0 for kind in kinds if kind.is_main},
    }


MAX_LISTED = 100
"""Maximum number of addresses in a list of a game."""
_ADDRESS = re.compile(r"[^\s@<>,;]+@[^\s@<>,;]+")
_SHARE = re.compile(r"([0-9]{1,3}(?:\.[0-9]{0,6})?|\.[0-9]{1,6})%?")
_POINTS = re.compile(r"[+-]?[0-9]{1,6}")


def is_address(text: str) -> bool:
    """Return whether a text has the shape of a mail address.

    >>> is_address("ann@example.org"), is_address("ann")
    (True, False)
    """
    return len(text) <= 254 and _ADDRESS.fullmatch(text) is not None


def read_limit(row: Setting, rest: Sequence[str]) -> object:
    """Return the value of words after a setting of this kind, or a Phrase."""
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
    """Return a share in per cent. "90", "90%" and nJudge's "0.9" are the same.

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


def update_addresses(known: Sequence[str], changes: Sequence[str]) -> tuple[str, ...]:
    """Return a list of addresses with additions, and without those after a "-".

    >>> update_addresses(("a@x.org", "b@x.org"), ("c@x.org", "-a@x.org"))
    ('b@x.org', 'c@x.org')
    """
    out = {word[1:] for word in changes if word.startswith("-")}
    put = (word for word in changes if not word.startswith("-"))
    return tuple(word for word in dict.fromkeys([*known, *put]) if word not in out)[:MAX_LISTED]


KINDS: Mapping[str, LetterKind] = {
    "RESULTS": LetterKind.RESULTS, "PRESS": LetterKind.PRESS, "NEWS": LetterKind.NOTICE,
    "VOTES": LetterKind.VOTE, "VACANCIES": LetterKind.VACANCY, "REMINDERS": LetterKind.REMINDER,
}
"""Words of SET NOTICES → kind of letter.

Replies, the start and the end are always sent.
"""
PHASE = "phase"
"""The digest that comes with the results of each phase."""
EVENING = 18 * 60
"""Time of SET DIGEST DAY, in minutes of the reader's own day."""
_OTHER_WORDS = {
    "RESULT": "RESULTS", "BROADCAST": "PRESS", "BROADCASTS": "PRESS", "NOTICES": "NEWS",
    "NOTICE": "NEWS", "VOTE": "VOTES", "VACANCY": "VACANCIES", "REMINDER": "REMINDERS",
    "LATE": "REMINDERS",
}
_PLAYING = (LetterKind.VOTE, LetterKind.VACANCY, LetterKind.REMINDER)
WATCHING = (
    LetterKind.RESULTS, LetterKind.PRESS, LetterKind.NOTICE, LetterKind.VOTE, LetterKind.VACANCY,
)


def may_mute(role: Role) -> tuple[str, ...]:
    """Return the words of the kinds that a person in this role may mute.

    >>> may_mute(Role.PLAYER)
    ('VOTES', 'VACANCIES', 'REMINDERS')
    """
    watches = role in (Role.OBSERVER, Role.MONITOR)
    kinds = WATCHING if watches else _PLAYING
    return tuple(word for word, kind in KINDS.items() if kind in kinds)


def muted_by(words: Sequence[str], muted: Sequence[str], role: Role) -> tuple[str, ...] | Phrase:
    """Return the muted kinds after SET NOTICES, or why the words are refused.

    ALL and NONE apply to all kinds. Kinds alone mean only these. -KIND removes one from those
    present.

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


def read_digest(text: str) -> int | str | None:
    """Return the value of SET DIGEST: PHASE, minutes of the day, or None.

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
