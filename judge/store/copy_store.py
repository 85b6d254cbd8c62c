"""Copy of a whole store to another database, with every row read back.

Rows are compared as they are read, batch by batch, so that a database of any size needs little
memory. It is all one transaction in either database, so that readers see all or nothing.
"""

from collections.abc import Iterator, Sequence
from contextlib import suppress
from typing import Any, NamedTuple

from judge.errors import StoreError, StoreLost
from judge.store.backup import copy_database
from judge.store.database import Store
from judge.store.postgres import Postgres
from judge.store.schema import TABLES
from judge.store.sqlite_files import moved_copy, remove_files
from judge.store.table import NUMBER, RecordTable

_BATCH_ROWS = 200
"""Number of rows written and read back at a time."""


class CopiedTable(NamedTuple):
    """One table that was moved."""

    table: str
    rows: int


def move(source: Store, target: Store) -> list[CopiedTable]:
    """Move all rows of a store to an empty one, and compare each with its copy.

    The file is moved to another name before another process can write to it again. So a judge that
    runs on it stops accepting mail, and sends no replies from an outdated state.

    Raises:
        StoreError: the target is not supported, or not empty; or a row differs from its copy.
    """
    if not isinstance(target.engine, Postgres):
        raise StoreError("a judge is moved to a PostgreSQL database: --to postgresql://host/name")
    if source.path is None:
        raise StoreError("only a database in a file can be moved")
    if (copy := moved_copy(source.path)).exists():
        raise StoreError(f"{copy} is there already: put it away")
    moved: list[CopiedTable] = []
    # The end of a transaction raises StoreLost when the database was removed.
    with suppress(StoreLost), source.transaction():
        with target.transaction():
            for table in TABLES:
                if target.select_sql(f'SELECT 1 FROM "{table.name}" LIMIT 1', ()):
                    raise StoreError(f"{target.engine.name} holds rows of {table.name} already")
            moved += [
                CopiedTable(table.name, move_table(table, source, target)) for table in TABLES
            ]
            for table in TABLES:
                if table.is_numbered:
                    continue_numbering(table, source, target)
        # Nothing was written since. Processes that wait to write will find the file gone.
        copy_database(source.path, copy)
        remove_files(source.path)
    return moved


def move_table(table: RecordTable[Any], source: Store, target: Store) -> int:
    """Copy the rows of a table. Return their number."""
    columns, many = _names(table.columns), 0
    for rows in read_batches(table, source):
        marks = ", ".join([f"({', '.join('?' * len(table.columns))})"] * len(rows))
        values = [value for row in rows for value in row]
        target.update_sql(f'INSERT INTO "{table.name}" ({columns}) VALUES {marks}', values)
        compare_rows(table, rows, target)
        many += len(rows)
    [[there]] = target.select_sql(f'SELECT COUNT(*) FROM "{table.name}"', ())
    if there != many:
        raise StoreError(f"{many} rows of {table.name} were written, and {there} are there")
    return many


def read_batches(table: RecordTable[Any], source: Store) -> Iterator[list[tuple[Any, ...]]]:
    """Yield the rows of a table in batches, in the order of their keys."""
    columns, key = _names(table.columns), _names(table.key)
    marks = ", ".join("?" * len(table.key))
    text = f'SELECT {columns} FROM "{table.name}"'
    order = f"ORDER BY {key} LIMIT {_BATCH_ROWS}"
    rows = source.select_sql(f"{text} {order}", ())
    while rows:
        yield rows
        rows = source.select_sql(f"{text} WHERE ({key}) > ({marks}) {order}", _key(table, rows[-1]))


def compare_rows(table: RecordTable[Any], rows: Sequence[tuple[Any, ...]], target: Store) -> None:
    """Check that rows are in a store as they were written.

    Raises: StoreError if one is not.
    """
    columns, key = _names(table.columns), _names(table.key)
    marks = ", ".join("?" * len(table.key))
    found = target.select_sql(
        f'SELECT {columns} FROM "{table.name}" WHERE ({key}) >= ({marks}) AND ({key}) <= ({marks})'
        f" ORDER BY {key}", [*_key(table, rows[0]), *_key(table, rows[-1])],
    )
    written = {_key(table, row): row for row in found}
    for row in rows:
        if written.get(_key(table, row)) != tuple(map(_as_kept, row)):
            raise StoreError(f"a row of {table.name} is not what it was: {_key(table, row)}")


def _names(columns: Sequence[str] | dict[str, Any]) -> str:
    return ", ".join(f'"{name}"' for name in columns)


def _key(table: RecordTable[Any], row: Sequence[Any]) -> tuple[Any, ...]:
    names = list(table.columns)
    return tuple(_as_kept(row[names.index(name)]) for name in table.key)


def _as_kept(value: Any) -> Any:
    """Return a value as the new database stores it, whose texts contain no NUL."""
    return value.replace("\0", "\ufffd") if isinstance(value, str) else value


def continue_numbering(table: RecordTable[Any], source: Store, target: Store) -> None:
    """Continue the numbering of a table, so that ids of deleted rows are not reused."""
    last = source.select_sql("SELECT seq FROM sqlite_sequence WHERE name = ?", [table.name])
    if last and last[0][0]:
        target.select_sql(
            f"SELECT setval(pg_get_serial_sequence('\"{table.name}\"', '{NUMBER}'), ?)",
            [last[0][0]],
        )
