"""The files of a database: what threads share of them is touched under their locks."""

import sqlite3
from contextlib import closing

import pytest

from judge.errors import StoreLost
from judge.store.database import Store
from judge.store.files import Connection, Files
from judge.store.key_values import KeyValues
from judge.store.sqlite import Sqlite
from tests.guarded import guard


@pytest.fixture
def files(file_store: Store) -> Files:
    """The files of a store whose connection is closed."""
    file_store.close()
    engine = file_store.engine
    assert isinstance(engine, Sqlite) and engine.files is not None
    return engine.files


def test_connections_are_noted_under_the_lock(file_store: Store, files: Files) -> None:
    guard(guard(files, "_open"), "_opened", set_only=True)
    files._lock.acquire()
    opened = files._open
    files._lock.release()
    KeyValues(file_store).put("name", b"value")
    assert len(opened) == 1
    file_store.close()
    assert len(opened) == 0


def test_a_loss_is_noted_under_the_lock_and_rescued_by_one(
    file_store: Store, files: Files
) -> None:
    KeyValues(file_store).put("name", b"value")
    guard(files, "_is_lost", "_is_rescued", set_only=True)
    assert file_store.path is not None
    file_store.path.with_name(f"{file_store.path.name}-wal").unlink()
    with pytest.raises(StoreLost):
        files.look()
    guard(files, "_open")
    with pytest.raises(StoreLost):
        files.may_open()
    assert [files.may_rescue(), files.may_rescue()] == [True, False]


def test_no_connection_opens_or_closes_while_another_does(
    file_store: Store, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever closes the last one removes the log, by its name, whosever it is."""
    seen: list[str] = []

    def noting(name: str) -> None:
        real = getattr(files, name)

        def noted(*given: object) -> object:
            seen.append(name)
            assert files.changing.locked(), f"{name} is not alone"
            return real(*given)

        monkeypatch.setattr(files, name, noted)

    for name in ("may_open", "enter", "leave"):
        noting(name)
    closed: list[bool] = []
    monkeypatch.setattr(Connection, "close", lambda self: closed.append(files.changing.locked()))
    KeyValues(file_store).put("name", b"value")
    file_store.close()
    assert seen == ["may_open", "enter", "leave"] and closed == [True]


def test_a_file_that_came_and_went_while_it_was_opened_is_lost(
    file_store: Store, files: Files
) -> None:
    assert file_store.path is not None
    with closing(sqlite3.connect(file_store.path, factory=Connection)) as connection:
        connection.execute("SELECT COUNT(*) FROM games").fetchone()
        assert file_store.path.with_name(f"{file_store.path.name}-wal").exists()
        file_store.path.unlink()
        with pytest.raises(StoreLost, match="was removed"):
            files.enter(connection, None)
