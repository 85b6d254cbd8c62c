"""New databases as copies of another one, which saves the migrations."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager

import peewee
import pytest

from judge.store import database as stores
from judge.store.migrations import Migration


@contextmanager
def beginning_as(store: stores.Store) -> Iterator[None]:
    """Fill each new SQLite database with the data of a store when it is opened."""
    ready: sqlite3.Connection = store.database.connection()
    steps_missing = stores.missing_steps

    def missing(database: peewee.Database) -> tuple[Migration, ...]:
        if isinstance(database, peewee.SqliteDatabase) and not database.get_tables():
            ready.backup(database.connection())
        return steps_missing(database)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(stores, "missing_steps", missing)
        yield
