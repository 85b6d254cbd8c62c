"""How a database comes to its present form."""

import sqlite3
from pathlib import Path

import pytest

from judge.errors import StoreError
from judge.store.database import Store
from judge.store.migrations import STEPS, Step, migrate
from judge.store.tables import TABLES


def columns(store: Store, table: str) -> list[str]:
    return [column.name for column in store.database.get_columns(table)]


@pytest.mark.parametrize("table", TABLES, ids=lambda table: str(table.__name__))
def test_the_steps_make_what_the_tables_say(store: Store, table: type) -> None:
    meta = table._meta  # type: ignore[attr-defined]
    assert columns(store, meta.table_name) == [field.column_name for field in meta.sorted_fields]
    made = {column.name: column for column in store.database.get_columns(meta.table_name)}
    for field in meta.sorted_fields:
        column = made[field.column_name]
        assert column.null == field.null or column.primary_key


def test_a_second_opening_applies_nothing(store: Store) -> None:
    with store.transaction():
        assert migrate(store.database) == []


def test_a_new_step_is_applied_once(file_store: Store) -> None:
    more = (*STEPS, Step("second", ("ALTER TABLE games ADD COLUMN colour TEXT",)))
    with file_store.transaction():
        assert migrate(file_store.database, more) == ["second"]
    with file_store.transaction():
        assert migrate(file_store.database, more) == []
    assert "colour" in columns(file_store, "games")


def test_a_failed_step_leaves_nothing_behind(file_store: Store) -> None:
    bad = Step("second", ("CREATE TABLE half (a INTEGER)", "ALTER TABLE nowhere ADD COLUMN b"))
    with pytest.raises(StoreError), file_store.transaction():
        migrate(file_store.database, (*STEPS, bad))
    assert "half" not in file_store.database.get_tables()
    with file_store.transaction():
        assert migrate(file_store.database, (*STEPS, Step("second", ()))) == ["second"]


def test_a_newer_database_is_refused(file_store: Store) -> None:
    with file_store.transaction():
        migrate(file_store.database, (*STEPS, Step("from the future", ())))
    with pytest.raises(StoreError, match="newer judge.*from the future"):
        Store(f"sqlite:///{file_store.path}").open(create=True)


def test_a_foreign_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.sqlite3"
    foreign = sqlite3.connect(path)
    foreign.execute("CREATE TABLE games (a INTEGER)")
    foreign.commit()
    foreign.close()
    with pytest.raises(StoreError):
        Store(f"sqlite:///{path}").open(create=False)
