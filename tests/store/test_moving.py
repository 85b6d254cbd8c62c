"""The move of a judge to another database, with a comparison of each row."""

from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from judge.config import Config, StoreSection
from judge.daemon.operator_tasks import migrate_store
from judge.errors import StoreError
from judge.store import copy_store
from judge.store.copy_store import compare_rows, continue_numbering, move, move_table, read_batches
from judge.store.database import Store
from judge.store.schema import MEMORY
from judge.store.sqlite_files import moved_copy
from judge.store.table import RecordTable

TABLE: RecordTable[Any] = MEMORY
ROWS = [("a", b"1"), ("b", b"2"), ("c\0", b"3")]
KEPT = [("a", b"1"), ("b", b"2"), ("c\ufffd", b"3")]


class Answering:
    """Database stub that returns the same rows for every query."""

    def __init__(self, *rows: tuple[object, ...]) -> None:
        self.rows = list(rows)
        self.asked: list[object] = []

    def select_sql(self, statement: str, values: list[object]) -> list[tuple[object, ...]]:
        """Return the rows."""
        self.asked.append(values)
        return self.rows


@pytest.mark.parametrize("rows, is_same", [
    (KEPT, True), (KEPT[::-1], True), (KEPT[1:], False), (KEPT[:-1], False), ([], False),
    ([("a", b"9"), *KEPT[1:]], False), ([*KEPT[:-1], ("c\ufffd", b"4")], False),
    ([*KEPT[:-1], ROWS[-1]], False),
])
def test_each_copied_row_is_compared(rows: list[tuple[object, ...]], is_same: bool) -> None:
    there = Answering(*rows)
    if is_same:
        compare_rows(TABLE, ROWS, cast(Store, there))
    else:
        with pytest.raises(StoreError, match="a row of memory is not what it was"):
            compare_rows(TABLE, ROWS, cast(Store, there))
    assert there.asked == [["a", "c\ufffd"]]


def test_rows_are_read_in_batches(store: Store) -> None:
    with store.transaction():
        store.update_sql("DELETE FROM memory", ())
        for number in range(450):
            store.update_sql("INSERT INTO memory VALUES (?, ?)", (f"{number:03}", b"x"))
    pieces = list(read_batches(TABLE, store))
    assert [len(piece) for piece in pieces] == [200, 200, 50]
    assert [row[0] for piece in pieces for row in piece] == [f"{n:03}" for n in range(450)]


@pytest.mark.parametrize("there, is_same", [(2, True), (1, False), (3, False)])
def test_number_of_copied_rows_is_compared(store: Store, there: int, is_same: bool) -> None:
    """Each row was compared, but others may have been added."""
    with store.transaction():
        store.update_sql("DELETE FROM memory", ())
        for name in ("a", "b"):
            store.update_sql("INSERT INTO memory VALUES (?, ?)", (name, b"x"))
    written: list[object] = []
    target = cast(Store, SimpleNamespace(
        update_sql=lambda statement, values: written.append(values),
        select_sql=lambda statement, values: [[there]],
    ))
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(copy_store, "compare_rows", lambda *asked: None)
        if is_same:
            assert move_table(TABLE, store, target) == 2
        else:
            with pytest.raises(StoreError, match=f"2 rows of memory were written, and {there} are"):
                move_table(TABLE, store, target)
    assert written == [["a", b"x", "b", b"x"]]


@pytest.mark.parametrize("last, goes_on", [([], 0), ([(0,)], 0), ([(1,)], 1), ([(7,)], 1)])
def test_no_number_is_given_twice(last: list[tuple[int]], goes_on: int) -> None:
    source, target = Answering(*last), Answering()
    continue_numbering(TABLE, cast(Store, source), cast(Store, target))
    assert target.asked == [[number] for [number] in last] * goes_on


def test_unsupported_moves_are_refused_at_once(tmp_path: Path) -> None:
    file, memory = Store(f"sqlite:///{tmp_path}/judge.sqlite3"), Store("sqlite:///:memory:")
    server = Store("postgresql://nobody@127.0.0.1:1/none")
    file.open(create=True)
    (tmp_path / "there.sqlite3").touch()
    moved_copy(tmp_path / "there.sqlite3").touch()
    there = Store(f"sqlite:///{tmp_path}/there.sqlite3")
    for source, target, told in (
        (file, there, "moved to a PostgreSQL database"),
        (memory, server, "only a database in a file"),
        (there, server, "is there already: put it away"),
    ):
        with pytest.raises(StoreError, match=told):
            move(source, target)
    assert (tmp_path / "judge.sqlite3").exists() and file.select_sql("SELECT 1", ()) == [(1,)]
    file.close()
    memory.close()


def test_both_databases_are_closed_after_any_move(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    urls = [f"sqlite:///{tmp_path / name}.sqlite3" for name in ("here", "there")]
    config = Config(store=StoreSection(urls[0]))
    store = Store(urls[0])
    store.open(create=True)
    store.close()
    closed, close = list[object](), Store.close

    def noting(store: Store) -> None:
        closed.append(store.path)
        close(store)

    monkeypatch.setattr(Store, "close", noting)
    with pytest.raises(StoreError, match="is moved to a PostgreSQL database"):
        migrate_store(config, urls[1])
    assert {tmp_path / "here.sqlite3", tmp_path / "there.sqlite3"} <= {*closed}
