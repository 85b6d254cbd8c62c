"""The database file, its pragmas and its transactions."""

import sqlite3
import stat
import subprocess
import sys
import threading
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime, timedelta
from itertools import count
from pathlib import Path
from typing import Any

import peewee
import pytest

from judge.clock import FixedClock, SystemClock
from judge.errors import StoreConflict, StoreError, StoreRefused, StoreTrouble
from judge.store.database import MAX_CLOCK_SKEW, Store
from judge.store.key_values import KeyValues
from judge.store.postgres import Postgres
from judge.store.sqlite import BUSY_MS

NOW = datetime(2026, 1, 1, tzinfo=UTC)


def test_file_and_folder_are_private(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/var/deep/judge.sqlite3")
    store.open(create=True)
    assert store.path is not None
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    KeyValues(store).put("name", b"value")
    for beside in store.path.parent.iterdir():
        assert stat.S_IMODE(beside.stat().st_mode) == 0o600
    store.close()


def test_a_missing_database_is_named_and_not_made(tmp_path: Path) -> None:
    missing = tmp_path / "none.sqlite3"
    with pytest.raises(StoreError, match=str(missing)):
        Store(f"sqlite:///{missing}").open(create=False)
    assert list(tmp_path.iterdir()) == []


def test_a_relative_url_counts_from_the_working_directory(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    store = Store("sqlite:///var/judge.sqlite3")
    store.open(create=True)
    assert (tmp_path / "var" / "judge.sqlite3").is_file()
    store.close()


@pytest.mark.parametrize("name", ["a b#c?d%41.sqlite3", "ä.sqlite3"])
def test_a_path_may_hold_any_character(tmp_path: Path, name: str) -> None:
    store = Store(f"sqlite:///{tmp_path / name}")
    store.open(create=True)
    store.close()
    assert (tmp_path / name).stat().st_size > 0


@pytest.mark.parametrize("url", ["mysql://localhost/judge", "sqlite:///", "var/judge.db"])
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(StoreError, match="not supported"):
        Store(url)


def test_folder_that_cannot_be_made_is_a_store_error(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")
    with pytest.raises(StoreError, match="cannot be made"):
        Store(f"sqlite:///{tmp_path}/var/judge.sqlite3").open(create=True)


def test_file_that_is_no_database_is_a_store_error(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 100)
    with pytest.raises(StoreRefused, match="letter.txt.*judge restore"):
        Store(f"sqlite:///{path}").open(create=True)


def test_every_connection_syncs_fully(file_store: Store) -> None:
    found: list[object] = []

    def look() -> None:
        names = ("synchronous", "journal_mode", "foreign_keys", "busy_timeout")
        found.append([file_store.pragma(name) for name in names])
        file_store.close()

    look()
    look()
    thread = threading.Thread(target=look)
    thread.start()
    thread.join()
    assert found == [[2, "wal", 1, 10_000]] * 3


def test_a_transaction_is_all_or_nothing(store: Store) -> None:
    key_values = KeyValues(store)
    with pytest.raises(KeyError), store.transaction():
        key_values.put("a", b"1")
        raise KeyError
    assert key_values.get("a") is None


def test_a_savepoint_undoes_only_itself(store: Store) -> None:
    key_values = KeyValues(store)
    with store.transaction():
        key_values.put("a", b"1")
        with pytest.raises(KeyError), store.transaction():
            key_values.put("b", b"2")
            raise KeyError
        key_values.put("c", b"3")
    assert [key_values.get(name) for name in "abc"] == [b"1", None, b"3"]


def test_a_transaction_inside_another_is_a_savepoint(store: Store) -> None:
    key_values = KeyValues(store)
    with store.transaction():
        key_values.put("a", b"1")
        with pytest.raises(KeyError), store.transaction():
            key_values.put("a", b"2")
            raise KeyError
    assert key_values.get("a") == b"1"


def test_transaction_locks_the_database_from_its_begin(file_store: Store) -> None:
    """Data read in it cannot change, because another writer has to wait."""
    other = Store(f"sqlite:///{file_store.path}")
    other.open(create=False)
    other.patience = 0.001
    with file_store.transaction():
        with pytest.raises(StoreError, match="locked"), other.transaction():
            pass
    with other.transaction():
        pass
    other.close()


@pytest.mark.sqlite
def test_library_errors_are_store_faults(store: Store) -> None:
    store.pragma("data_version")
    for work in (
        lambda: store.select_sql("SELECT * FROM nowhere", []),
        lambda: store.insert("INSERT INTO nowhere VALUES (1)", []),
        lambda: store.update_sql("DELETE FROM nowhere", []), lambda: store.pragma("="),
    ):
        with pytest.raises(StoreTrouble, match="the database at memory failed"):
            work()
    with store.transaction(), pytest.raises(StoreTrouble):
        store.close()


@pytest.mark.parametrize("ask, on", [
    (lambda store: store.close(), "close"),
    (lambda store: store.lock_keys(["game 1"]), "lock_keys"),
    (lambda store: store.now(FixedClock(NOW)) and store.now(SystemClock()), "now"),
    (lambda store: store.intake_complete_until(SystemClock()), "intake_complete_until"),
    (lambda store: store.pragma("x"), "pragma"),
    (lambda store: store.health(), "health"),
    (lambda store: store.size_bytes(), "size_bytes"),
    (lambda store: store.announce("mails"), "announce"),
])
def test_failure_of_any_request_is_a_store_fault(
    ask: Callable[[Store], object], on: str, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*given: object) -> None:
        raise peewee.OperationalError("no connection")

    with monkeypatch.context() as patch:
        patch.setattr(store.database if on == "close" else store.engine, on, fails)
        with pytest.raises(StoreTrouble, match="no connection"):
            ask(store)


ODD = timedelta(microseconds=1)


@pytest.mark.parametrize(
    "off, is_believed",
    [
        (None, False), (timedelta(), True), (MAX_CLOCK_SKEW, True), (-MAX_CLOCK_SKEW, True),
        (MAX_CLOCK_SKEW + ODD, False), (-MAX_CLOCK_SKEW - ODD, False),
    ],
)
def test_database_clock_is_used_if_near_the_system_clock(
    off: timedelta | None, is_believed: bool, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    told = None if off is None else NOW + off
    with monkeypatch.context() as patch:
        patch.setattr(SystemClock, "now", lambda clock: NOW)
        patch.setattr(store.engine, "now", lambda: told)
        patch.setattr(store.engine, "intake_complete_until", lambda: told)
        assert store.now(SystemClock()) == (told if is_believed else NOW)
        assert store.intake_complete_until(SystemClock()) == (told if is_believed else None)
        assert (
            store.now(FixedClock(NOW)) == NOW
            and store.intake_complete_until(FixedClock(NOW)) is None
        )


def test_conflicting_work_is_repeated_in_a_transaction(store: Store) -> None:
    inside: list[bool] = []

    def work() -> int:
        inside.append(store.database.in_transaction())
        if len(inside) == 1:
            raise StoreConflict("written meanwhile")
        return 7

    assert (
        store.lock_keys(["game 1"]) and store.run_concurrently(work) == 7 and inside == [True, True]
    )
    store.release_keys()


def test_locking_waits_only_if_requested(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[tuple[object, bool]] = []
    monkeypatch.setattr(
        store.engine, "lock_keys", lambda keys, waits: bool(asked.append((keys, waits))) or True
    )
    assert store.lock_keys(["game 1"]) and store.lock_keys(["game 2"], waits=True)
    assert asked == [(["game 1"], False), (["game 2"], True)]


NUMBERS = count()
READS: list[Callable[[Store], object]] = [
    lambda store: store.select_sql("SELECT id FROM games", ()),
]
WRITES: list[Callable[[Store], object]] = [
    lambda store: store.update_sql("DELETE FROM games", ()),
    lambda store: store.insert("INSERT INTO addresses (address) VALUES (?)", (f"{next(NUMBERS)}",)),
]


@pytest.mark.parametrize(
    "ask, checks", [*((ask, 0) for ask in READS), *((ask, 2) for ask in WRITES)]
)
def test_files_are_checked_around_each_write(
    ask: Callable[[Store], object], checks: int, file_store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    engine: Any = file_store.engine
    checked: list[int] = []
    with monkeypatch.context() as patch:
        patch.setattr(engine.files, "check", lambda: checked.append(1))
        with file_store.transaction():
            ask(file_store)
            ask(file_store)
        assert len(checked) == 2
        checked.clear()
        ask(file_store)
    assert len(checked) == checks


def test_change_returns_the_number_of_rows(store: Store) -> None:
    had = store.update_sql("DELETE FROM memory", ())
    for name in ("one", "other"):
        KeyValues(store).put(name, b"1")
    assert had >= 0 and store.update_sql("DELETE FROM memory WHERE name = 'nobody'", ()) == 0
    assert store.update_sql("DELETE FROM memory", ()) == 2


def test_failed_open_leaves_no_connection(store: Store) -> None:
    store.update_sql("INSERT INTO migrations VALUES (999, 'from the future')", ())
    with pytest.raises(StoreError, match="newer judge"):
        store.open(create=True)
    assert store.database.is_closed()


def test_two_stores_are_open_side_by_side(store: Store, file_store: Store) -> None:
    KeyValues(store).put("which", b"memory")
    KeyValues(file_store).put("which", b"file")
    assert KeyValues(store).get("which") == b"memory"
    assert KeyValues(file_store).get("which") == b"file"


def test_a_lost_file_is_not_replaced_by_an_empty_one(file_store: Store) -> None:
    file_store.close()
    assert file_store.path is not None
    file_store.path.unlink()
    with pytest.raises(StoreError):
        KeyValues(file_store).get("a")
    assert not file_store.path.exists()


@pytest.mark.parametrize("url, kind", [
    ("mysql://host/judge", "mysql"), ("judge.sqlite3", "judge.sqlite3"), ("sqlite:///", "sqlite"),
])
def test_database_of_an_unknown_kind_is_refused(url: str, kind: str) -> None:
    with pytest.raises(StoreError, match=f"^a {kind} database is not supported"):
        Store(url)


def test_commit_of_another_connection_is_noticed_once(file_store: Store) -> None:
    assert not file_store.engine.has_changed() and not file_store.engine.has_changed()
    KeyValues(file_store).put("a", b"1")
    assert not file_store.engine.has_changed(), "it was this connection's own"
    other = Store(f"sqlite:///{file_store.path}")
    KeyValues(other).put("a", b"2")
    other.close()
    assert file_store.engine.has_changed() and not file_store.engine.has_changed()


def test_thread_waits_a_limited_time_to_write(file_store: Store) -> None:
    def write() -> None:
        other = Store(f"sqlite:///{file_store.path}")
        other.patience = 0.05
        with pytest.raises(StoreTrouble, match="locked by another thread"), other.transaction():
            pytest.fail("there is one writer")
        other.close()

    with file_store.transaction():
        thread = threading.Thread(target=write)
        thread.start()
        thread.join(60)
    with file_store.transaction():
        pass


_BUSY = """
import sys, time
from judge.store.database import Store

store = Store(sys.argv[1])
while True:
    with store.transaction():
        time.sleep(0.01)
        print("w", end="", flush=True)
"""


@pytest.mark.slow
def test_busy_process_keeps_no_other_from_writing(file_store: Store) -> None:
    url = f"sqlite:///{file_store.path}"
    other = [sys.executable, "-c", _BUSY, url]
    with subprocess.Popen(other, stdout=subprocess.PIPE) as busy:
        assert busy.stdout is not None
        for _ in range(10):
            busy.stdout.read(1)
            with file_store.transaction():
                KeyValues(file_store).put("a", b"1")
        busy.kill()


def test_writer_waits_a_limited_time_for_another_process(file_store: Store) -> None:
    file_store.patience = 0.05
    with closing(sqlite3.connect(str(file_store.path))) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StoreTrouble, match="is locked"), file_store.transaction():
            pytest.fail("there is one writer")
        other.rollback()
    with file_store.transaction():
        assert file_store.pragma("busy_timeout") == BUSY_MS


def test_postgres_connection_notices_a_dead_line() -> None:
    """No test can lose packets, so that only the connection settings are checked."""
    told = Postgres("postgres://db.example.org/judge").database.connect_params
    assert told["keepalives_idle"] + told["keepalives_count"] * told["keepalives_interval"] == 25
    assert told["tcp_user_timeout"] == 30 * 1000
    assert told["connect_timeout"] == 10
