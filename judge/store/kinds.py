"""What values become in the database, and how they are read back: by the types of a record.

All is kept as text, whole numbers and octets, which any database has.
"""

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import lru_cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, NamedTuple, Union, get_args, get_origin

from judge.words.clockstate import ClockState
from judge.words.picture import NOWHERE, Place
from judge.words.seatsettings import SeatSettings

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)

_MICROSECOND = timedelta(microseconds=1)
_dumps = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
_loads = json.JSONDecoder().decode


class Kind(NamedTuple):
    """One way to keep values: the type of the column, and what turns a value into its and back;
    None: it is kept as it is."""

    sql: str
    write: Callable[[Any], Any] | None = None
    read: Callable[[Any], Any] | None = None


class Column(NamedTuple):
    """One column of a table."""

    name: str
    kind: Kind
    is_null: bool = False
    """It may be NULL, which is None."""

    @property
    def write(self) -> Callable[[Any], Any] | None:
        """What turns a value into that of the column."""
        return _or_none(self.kind.write) if self.is_null else self.kind.write

    @property
    def read(self) -> Callable[[Any], Any] | None:
        """What turns what is in the column into a value."""
        return _or_none(self.kind.read) if self.is_null else self.kind.read


def micros(instant: datetime) -> int:
    """Return an instant as microseconds since 1970, exactly.

    >>> micros(datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC))
    1000005
    """
    return (instant - EPOCH) // _MICROSECOND


@lru_cache(maxsize=10_000)
def instant_of(micros: int) -> datetime:
    """Return the instant so many microseconds after the beginning of 1970.

    The same ones are read again and again: of a game, of all its seats.

    >>> instant_of(1000005).isoformat()
    '1970-01-01T00:00:01.000005+00:00'
    """
    return EPOCH + timedelta(0, 0, micros)


def _mapping(text: str) -> Any:
    # Most settings are none at all.
    return {} if text == "{}" else _loads(text)


def _clock(text: str) -> ClockState:
    return ClockState.read(_mapping(text))


def _of_clock(clock: ClockState) -> str:
    return _dumps(clock.as_json())


@lru_cache(maxsize=1_000)
def _seat_settings(text: str) -> SeatSettings:
    # Those of most seats are the same few, read with each mail.
    return SeatSettings.read(_mapping(text))


def _of_seat_settings(settings: SeatSettings) -> str:
    return _dumps(settings.as_json())


def _words(text: str) -> tuple[str, ...]:
    return tuple(_loads(text))


def _places(text: str) -> tuple[Place, ...]:
    """Return the places of pictures; of what cannot be read one place that is nowhere.

    One damaged row must not keep all others from being read; who fills the places finds it.
    """
    try:
        return tuple(Place(*place) for place in _loads(text))
    except (ValueError, TypeError):
        return (NOWHERE,)


NUMBER = Kind("INTEGER", None, int)
TRUTH = Kind("INTEGER", int, bool)
TEXT = Kind("TEXT")
OCTETS = Kind("BLOB", None, bytes)
INSTANT = Kind("BIGINT", micros, instant_of)
"""Whole microseconds: they compare and sort as they happened."""
JSON = Kind("TEXT", _dumps, _mapping)
"""A JSON value, the same text for the same value."""
WORDS = Kind("TEXT", _dumps, _words)
PLACES = Kind("TEXT", _dumps, _places)
CLOCK = Kind("TEXT", _of_clock, _clock)
SEAT_SETTINGS = Kind("TEXT", _of_seat_settings, _seat_settings)

_PLAIN: Mapping[object, Kind] = {
    int: NUMBER, bool: TRUTH, str: TEXT, bytes: OCTETS, datetime: INSTANT,
    tuple[str, ...]: WORDS, tuple[Place, ...]: PLACES,
    ClockState: CLOCK, SeatSettings: SEAT_SETTINGS,
}


def column_of(name: str, hint: Any) -> Column:
    """Return the column in which a field of a record is kept, by its annotation.

    JSON has a null of its own.

    >>> column_of("due", datetime | None).is_null, column_of("told", Mapping | None).is_null
    (True, False)
    """
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    [wanted] = [choice for choice in choices if choice is not NoneType]
    kind = _kind_of(wanted)
    return Column(name, kind, NoneType in choices and kind is not JSON)


def _kind_of(hint: Any) -> Kind:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _members(hint)
    if (get_origin(hint) or hint) is Mapping:
        return JSON
    raise TypeError(f"nobody said how {hint} is kept")


def _members(members: type[Enum]) -> Kind:
    """Return the kind of an enumeration, whose members are kept by their values."""
    known = _Members((member.value, member) for member in members)
    known.members = members
    return Kind("TEXT", attrgetter("value"), known.__getitem__)


class _Members(dict[object, Enum]):
    """The members of an enumeration by their values; there is none for another value."""

    members: type[Enum]

    def __missing__(self, value: object) -> Enum:
        return self.members(value)


def _or_none(turn: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    return None if turn is None else lambda value: None if value is None else turn(value)


def plain(value: Any) -> Any:
    """Return a value that is asked for as its column has it.

    >>> plain(True), plain(EPOCH), plain("marco")
    (1, 0, 'marco')
    """
    if isinstance(value, str | int | bytes):
        return int(value) if value is True or value is False else value
    if isinstance(value, datetime):
        return micros(value)
    return value.value if isinstance(value, Enum) else value
