"""Tables declared by their records, with functions that read and write rows.

Columns are texts, integers and octets, which any database has. Conditions are written as SQL, with
a `?` for each value. Each statement is built once and cached. The library would build it each time,
which takes longer than to execute it.
"""

import json
import logging
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from datetime import UTC, datetime, timedelta
from enum import Enum
from functools import cache, lru_cache
from operator import attrgetter
from types import NoneType, UnionType
from typing import Any, Generic, NamedTuple, TypeVar, Union, get_args, get_origin, get_type_hints

from judge.model.clock_state import ClockState
from judge.model.letter import NO_SLOT, PictureSlot
from judge.model.record import Draw
from judge.model.seat_settings import SeatSettings
from judge.store.database import Store

EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
NEVER = datetime.max.replace(tzinfo=UTC)
"""Instant after all others."""

_MICROSECOND = timedelta(microseconds=1)
_dumps = json.JSONEncoder(ensure_ascii=False, sort_keys=True).encode
_loads = json.JSONDecoder().decode


class ColumnType(NamedTuple):
    """Column type, with the converters of its values.

    Values without a converter (None) are stored unchanged.
    """

    sql: str
    write: Callable[[Any], Any] | None = None
    read: Callable[[Any], Any] | None = None


class Column(NamedTuple):
    """One column of a table."""

    name: str
    sql: str
    is_null: bool
    """True if it may be NULL, which is None."""
    write: Callable[[Any], Any] | None
    """Converter from a value to that of the column, or None."""
    read: Callable[[Any], Any] | None
    """Converter from what is in the column to a value, or None."""


def micros(instant: datetime) -> int:
    """Return an instant as microseconds since 1970, exactly.

    >>> micros(datetime(1970, 1, 1, 0, 0, 1, 5, tzinfo=UTC))
    1000005
    """
    return (instant - EPOCH) // _MICROSECOND


@lru_cache(maxsize=10_000)
def instant_of(micros: int) -> datetime:
    """Return the instant *micros* microseconds after the beginning of 1970.

    The cache helps because the same instants are read often, such as those of a game and its seats.

    >>> instant_of(1000005).isoformat()
    '1970-01-01T00:00:01.000005+00:00'
    """
    return EPOCH + timedelta(0, 0, micros)


def _mapping(text: str) -> Any:
    # Fast path: most settings are empty.
    return {} if text == "{}" else _loads(text)


@lru_cache(maxsize=1_000)
def _clock(text: str) -> ClockState:
    # The clock of a game is read several times with each mail.
    return ClockState.read(_mapping(text))


def _dump_settings(settings: ClockState | SeatSettings) -> str:
    return _dumps(settings.as_json())


@lru_cache(maxsize=1_000)
def _seat_settings(text: str) -> SeatSettings:
    # Most seats have one of a few settings, which are read with each mail.
    return SeatSettings.read(_mapping(text))


def _words(text: str) -> tuple[str, ...]:
    return tuple(_loads(text))


def _places(text: str) -> tuple[PictureSlot, ...]:
    """Return the places of pictures, or one `NO_SLOT` if the text cannot be parsed.

    A damaged row must not make all others unreadable. It is detected when the places are filled.
    """
    try:
        return tuple(PictureSlot(*place) for place in _loads(text))
    except (ValueError, TypeError):
        return (NO_SLOT,)


def _draws(text: str) -> tuple[Draw, ...]:
    # Most turns have no draws. Databases from before "turn seeds" have a fifth value.
    return () if text == "[]" else tuple(Draw(*draw[:4]) for draw in _loads(text))


INTEGER = ColumnType("INTEGER", None, int)
BOOLEAN = ColumnType("INTEGER", int, bool)
TEXT = ColumnType("TEXT")
BLOB = ColumnType("BLOB", None, bytes)
INSTANT = ColumnType("BIGINT", micros, instant_of)
"""Microseconds as an integer, which compares and sorts by time."""
JSON = ColumnType("TEXT", _dumps, _mapping)
"""JSON value, the same text for the same value."""
WORDS = ColumnType("TEXT", _dumps, _words)
PLACES = ColumnType("TEXT", _dumps, _places)
DRAWS = ColumnType("TEXT", _dumps, _draws)
CLOCK = ColumnType("TEXT", _dump_settings, _clock)
SEAT_SETTINGS = ColumnType("TEXT", _dump_settings, _seat_settings)

_PLAIN: Mapping[object, ColumnType] = {
    int: INTEGER, bool: BOOLEAN, str: TEXT, bytes: BLOB, datetime: INSTANT,
    tuple[str, ...]: WORDS, tuple[PictureSlot, ...]: PLACES, tuple[Draw, ...]: DRAWS,
    ClockState: CLOCK, SeatSettings: SEAT_SETTINGS,
}


def column_of(name: str, hint: Any) -> Column:
    """Return the column of a record's field, by its annotation.

    JSON has a null of its own.

    >>> column_of("due", datetime | None).is_null, column_of("result", Mapping | None).is_null
    (True, False)
    """
    choices = get_args(hint) if get_origin(hint) in (Union, UnionType) else (hint,)
    [wanted] = [choice for choice in choices if choice is not NoneType]
    kind = _kind_of(wanted)
    is_null = NoneType in choices and kind is not JSON
    write, read = map(_or_none, kind[1:]) if is_null else kind[1:]
    return Column(name, kind.sql, is_null, write, read)


def _kind_of(hint: Any) -> ColumnType:
    if hint in _PLAIN:
        return _PLAIN[hint]
    if isinstance(hint, type) and issubclass(hint, Enum):
        return _members(hint)
    if (get_origin(hint) or hint) is Mapping:
        return JSON
    raise TypeError(f"nobody said how {hint} is kept")


def _members(members: type[Enum]) -> ColumnType:
    """Return the kind of an enumeration, whose members are stored by their values."""
    known = _Members((member.value, member) for member in members)
    known.members = members
    return ColumnType("TEXT", attrgetter("value"), known.__getitem__)


class _Members(dict[object, Enum]):
    """Members of an enumeration by their values. Other values raise ValueError."""

    members: type[Enum]

    def __missing__(self, value: object) -> Enum:
        return self.members(value)


def _or_none(turn: Callable[[Any], Any] | None) -> Callable[[Any], Any] | None:
    return None if turn is None else lambda value: None if value is None else turn(value)


def to_column(value: Any) -> Any:
    """Return a value of a condition as its column stores it.

    >>> to_column(True), to_column(False), to_column(EPOCH), to_column("marco")
    (1, 0, 0, 'marco')
    """
    if isinstance(value, str | int | bytes):
        return int(value) if value is True or value is False else value
    if isinstance(value, datetime):
        return micros(value)
    return value.value if isinstance(value, Enum) else value


R = TypeVar("R")

log = logging.getLogger("judge.store")

NUMBER = "id"
"""Key of rows that the database numbers; a number is never reused."""
_MAX_ROWS = 500
"""Maximum number of rows written by one statement."""

Converters = tuple[tuple[int, Callable[[Any], Any]], ...]
"""Converters of a row's values, with their positions."""


class RecordTable(Generic[R]):
    """Table with a column for each field of its record, typed by the annotation.

    `key` names the columns of the primary key. `beside` is a record of columns that are not read
    into the record. `unkept` names fields that are no columns, and are read as empty texts. `named`
    gives columns whose names differ from those of their fields. `refers` names the tables whose ids
    a column contains: such rows are deleted with their owner. `indexes` gives the SQL of each
    index, its columns and optionally its condition. Its name is that of the table and its own.
    """

    def __init__(
        self, name: str, record: type[R], key: Sequence[str] = (NUMBER,), *,
        beside: type[tuple[Any, ...]] | None = None, unkept: Collection[str] = (),
        named: Mapping[str, str] | None = None,
        refers: "Mapping[str, RecordTable[Any]] | None" = None, unique: Sequence[str] = (),
        indexes: Mapping[str, str] | None = None,
    ) -> None:
        self.name = name
        self.record = record
        self.key = tuple(key)
        self.refers = dict(refers or {})
        self.unique = tuple(unique)
        """Columns whose values are unique."""
        self.indexes = {f"{name}_{own}": what for own, what in (indexes or {}).items()}
        """SQL of each index, by its name in the database."""
        hints = get_type_hints(record)
        fields = tuple(getattr(record, "_fields", None) or getattr(record, "__dataclass_fields__"))
        self.named = {field: (named or {}).get(field, field) for field in fields}
        """Column name of each field, stored or not."""
        own = [column_of(self.named[f], hints[f]) for f in fields if f not in unkept]
        self._defaults: dict[str, Any] = getattr(beside, "_field_defaults", {})
        more = [column_of(*one) for one in get_type_hints(beside).items()] if beside else []
        if self.is_numbered and NUMBER not in fields:
            more.append(column_of(NUMBER, int))
        self.columns = {column.name: column for column in (*own, *more)}
        given = [c for c in self.columns if not (c == NUMBER and self.is_numbered)]
        fields_of = {column: field for field, column in self.named.items()}
        self.own = tuple(c for c in given if c in fields_of)
        """Columns that a record gives, without an id that the database gives."""
        self._beside = tuple(c for c in given if c not in fields_of)
        self.given = self.own + self._beside
        """Columns that are written with a new row, in the order of `to_row`."""
        self._values = attrgetter(*(fields_of[c] for c in self.own))
        self._writers = converters(self.columns[c].write for c in self.given)
        self.whole = ", ".join(
            "''" if field in unkept else f'"{column}"' for field, column in self.named.items()
        )
        self._readers = converters(
            self.columns[c].read if c in self.columns else None for c in self.named.values()
        )

    @property
    def is_numbered(self) -> bool:
        """True if the database numbers the rows."""
        return self.key == (NUMBER,)

    def read(self, row: Iterable[Any]) -> R:
        """Return a row as its record."""
        return self.record(*_convert_row(row, self._readers))

    def to_row(self, record: R, beside: Mapping[str, object]) -> list[Any]:
        """Return a record as a row."""
        found = self._values(record)
        values = list(found) if isinstance(found, tuple) else [found]
        values += [beside[c] if c in beside else self._defaults[c] for c in self._beside]
        return _convert_row(values, self._writers)


class Rows(Generic[R]):
    """Rows of one table in one store."""

    def __init__(self, store: Store, table: RecordTable[R]) -> None:
        self._store = store
        self._table = table

    def find_one(self, **equal: object) -> R | None:
        """Return the first row with these values, or None."""
        found = self.find_where(_equal(tuple(equal)), *equal.values())
        return found[0] if found else None

    def find(self, **equal: object) -> list[R]:
        """Return all rows with these values, in the order of their keys."""
        return self.find_where(_in_order(self._table, tuple(equal)), *equal.values())

    def find_where(self, condition: str, *values: object) -> list[R]:
        """Return the rows that match a condition, in the order it gives."""
        read = self._table.read
        return [read(row) for row in self._select_rows(self._table.whole, condition, values)]

    def readable(self, condition: str, *values: object) -> list[R]:
        """Return the rows as `find_where` does, but skip damaged ones, which are logged."""
        rows: list[R] = []
        for row in self._select_rows(self._table.whole, condition, values):
            try:
                rows.append(self._table.read(row))
            except (ValueError, TypeError, KeyError) as fault:
                name = self._table.name
                log.error("a row of %s cannot be read: %s: %r", name, row[0], fault)
        return rows

    def select(self, columns: str, condition: str, *values: object) -> list[tuple[Any, ...]]:
        """Return some columns, named as "id, due", of the rows that match a condition."""
        text, readers = _select_clause(self._table, columns)
        rows = self._select_rows(text, condition, values)
        return [tuple(_convert_row(row, readers)) for row in rows]

    def aggregate(self, functions: str, condition: str, *values: object) -> tuple[Any, ...]:
        """Return SQL aggregates of the rows that match a condition, as stored."""
        [row] = self._select_rows(functions, condition, values)
        return row

    def exists(self, condition: str, *values: object) -> bool:
        """Return whether any row matches a condition."""
        return bool(self._select_rows("1", f"{condition} LIMIT 1", values))

    def _select_rows(
        self, columns: str, condition: str, values: Iterable[object]
    ) -> list[tuple[Any, ...]]:
        text = f'SELECT {columns} FROM "{self._table.name}" WHERE {condition}'
        return self._store.select_sql(text, [to_column(value) for value in values])

    def add(self, record: R, **beside: object) -> int:
        """Insert a row. Return its id, or 0 if the table has no ids."""
        return next(iter(self.add_all([record], **beside)), 0)

    def add_all(self, records: Sequence[R], **beside: object) -> list[int]:
        """Insert rows in few statements. Return their ids in order."""
        numbers: list[int] = []
        for some in _pieces(records):
            values = [value for one in some for value in self._table.to_row(one, beside)]
            if self._table.is_numbered:
                numbers += self._store.insert(
                    _insert_statement(self._table, len(some)), values, len(some)
                )
            else:
                self._store.update_sql(_insert_statement(self._table, len(some)), values)
        return numbers

    def add_new(self, record: R) -> bool:
        """Insert a row unless its key or a unique value exists.

        Return whether it was inserted.
        """
        text = f"{_insert_statement(self._table, 1)} ON CONFLICT DO NOTHING"
        return self._store.update_sql(text, self._table.to_row(record, {})) == 1

    def upsert(self, *records: R, **beside: object) -> None:
        """Insert rows, replacing those with the same keys."""
        for some in _pieces(records):
            values = [value for one in some for value in self._table.to_row(one, beside)]
            self._store.update_sql(_upsert_statement(self._table, len(some)), values)

    def save(self, record: R) -> bool:
        """Update an existing row. Return whether it exists."""
        table = self._table
        values = table.to_row(record, {})[:len(table.own)]
        keys = [to_column(getattr(record, name)) for name in table.key]
        return self._store.update_sql(_save_statement(table), [*values, *keys]) == 1

    def save_all(self, records: Sequence[R]) -> int:
        """Update existing rows in few statements. Return the number that exist."""
        if len(records) == 1:
            return int(self.save(records[0]))
        table, key = self._table, attrgetter(*self._table.key)
        there = 0
        for some in _pieces(records):
            values: list[Any] = []
            for record in some:
                found = key(record)
                values += map(to_column, found if isinstance(found, tuple) else (found,))
                values += table.to_row(record, {})[:len(table.own)]
            there += self._store.update_sql(_save_all_statement(table, len(some)), values)
        return there

    def change(self, condition: str, /, *values: object, **columns: object) -> int:
        """Set columns of the rows that match a condition. Return their number."""
        text, writers = _update_clause(self._table, tuple(columns))
        new = _convert_row(columns.values(), writers)
        text = f"{text} WHERE {condition}"
        return self._store.update_sql(text, [*new, *(to_column(value) for value in values)])

    def remove(self, **equal: object) -> int:
        """Delete the rows with these values. Return their number."""
        return self.remove_where(_equal(tuple(equal)), *equal.values())

    def remove_where(self, condition: str, *values: object) -> int:
        """Delete the rows that match a condition. Return their number."""
        text = f'DELETE FROM "{self._table.name}" WHERE {condition}'
        return self._store.update_sql(text, [to_column(value) for value in values])


def in_condition(column: str, values: Collection[object]) -> str:
    """Return the condition that a column has one of some values.

    >>> in_condition("id", [3, 5])
    'id IN (?, ?)'
    """
    return f"{column} IN ({_placeholders(len(values))})" if values else "FALSE"


def converters(each: Iterable[Callable[[Any], Any] | None]) -> Converters:
    """Return the converters of a row's values, without those that are None."""
    return tuple((at, convert) for at, convert in enumerate(each) if convert is not None)


def _convert_row(row: Iterable[Any], wanted: Converters) -> list[Any]:
    values = list(row)
    for place, convert in wanted:
        values[place] = convert(values[place])
    return values


def _pieces(records: Sequence[R]) -> list[Sequence[R]]:
    return [records[at:at + _MAX_ROWS] for at in range(0, len(records), _MAX_ROWS)]


def _placeholders(many: int) -> str:
    return ", ".join("?" * many)


@cache
def _equal(names: tuple[str, ...]) -> str:
    return " AND ".join(f'"{name}" = ?' for name in names)


@cache
def _in_order(table: RecordTable[Any], names: tuple[str, ...]) -> str:
    order = ", ".join(f'"{name}"' for name in table.key)
    return f"{_equal(names) or 'TRUE'} ORDER BY {order}"


@cache
def _select_clause(table: RecordTable[Any], columns: str) -> tuple[str, Converters]:
    names = columns.split(", ")
    text = ", ".join(f'"{name}"' for name in names)
    return text, converters(table.columns[name].read for name in names)


@cache
def _insert_statement(table: RecordTable[Any], many: int) -> str:
    names = ", ".join(f'"{name}"' for name in table.given)
    row = f"({_placeholders(len(table.given))})"
    return f'INSERT INTO "{table.name}" ({names}) VALUES {", ".join([row] * many)}'


@cache
def _upsert_statement(table: RecordTable[Any], many: int) -> str:
    key = ", ".join(f'"{name}"' for name in table.key)
    new = [f'"{name}" = excluded."{name}"' for name in table.given if name not in table.key]
    return f"{_insert_statement(table, many)} ON CONFLICT ({key}) DO UPDATE SET {', '.join(new)}"


@cache
def _save_statement(table: RecordTable[Any]) -> str:
    return f"{_update_clause(table, table.own)[0]} WHERE {_equal(table.key)}"


@cache
def _save_all_statement(table: RecordTable[Any], many: int) -> str:
    """Return the statement that updates several rows.

    Their keys and columns are a table of values. The standard gives a bare `?` in it no type, so
    that the first row is typed.
    """
    columns = [*table.key, *table.own]
    typed = ", ".join(f"CAST(? AS {table.columns[name].sql})" for name in columns)
    rows = [f"({typed})", *[f"({_placeholders(len(columns))})"] * (many - 1)]
    at = len(table.key)
    new = ", ".join(f'"{name}" = new.column{at + n}' for n, name in enumerate(table.own, 1))
    same = [f'"{table.name}"."{name}" = new.column{n}' for n, name in enumerate(table.key, 1)]
    return (
        f'UPDATE "{table.name}" SET {new}'
        f" FROM (VALUES {', '.join(rows)}) AS new WHERE {' AND '.join(same)}"
    )


@cache
def _update_clause(table: RecordTable[Any], names: tuple[str, ...]) -> tuple[str, Converters]:
    new = ", ".join(f'"{name}" = ?' for name in names)
    writers = converters(table.columns[name].write for name in names)
    return f'UPDATE "{table.name}" SET {new}', writers
