"""The files of a database: what threads share of them is touched under their locks."""

import sqlite3
from contextlib import closing
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest

from judge.errors import StoreLost
from judge.store.database import Store
from judge.store.files import Connection, Files, is_moved, moved_copy, remove_files
from judge.store.key_values import KeyValues
from judge.store.sqlite import Sqlite
from tests.guarded import guard
from tests.rows import every


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


@pytest.mark.parametrize("of_a_cursor", [False, True])
def test_a_connection_is_closed_though_somebody_has_rows_of_it(
    file_store: Store, of_a_cursor: bool
) -> None:
    """SQLite takes the log away with the last connection: that is seen."""
    KeyValues(file_store).put("name", b"value")
    KeyValues(file_store).put("other", b"value")
    assert file_store.path is not None
    log = file_store.path.with_name(f"{file_store.path.name}-wal")
    connection = file_store.database.connection()
    held = connection.cursor() if of_a_cursor else connection
    rows = held.execute("SELECT name FROM memory ORDER BY name")
    assert rows.fetchone() == ("name",) and log.exists()
    file_store.close()
    assert not log.exists()
    with pytest.raises(sqlite3.ProgrammingError):
        rows.fetchone()


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


def test_a_database_is_taken_away_whole_and_nothing_beside_it(tmp_path: Path) -> None:
    mine = ["judge.sqlite3", "judge.sqlite3-wal", "judge.sqlite3-shm"]
    for name in [*mine, "judge.sqlite3.moved", "other.sqlite3"]:
        (tmp_path / name).touch()
    for _ in range(2):
        remove_files(tmp_path / "judge.sqlite3")
        assert sorted(each.name for each in tmp_path.iterdir()) == [
            "judge.sqlite3.moved", "other.sqlite3"
        ]


@every("there, moved, told", [
    (False, True, "was moved by `judge migrate`"), (False, False, "was removed while it was in"),
    (True, True, "is not the one in use"), (True, False, "is not the one in use"),
])
def test_it_is_said_how_a_database_was_lost(there: bool, moved: bool, told: str) -> None:
    with TemporaryDirectory() as folder:
        path = Path(folder, "judge.sqlite3")
        for is_there, file in ((there, path), (moved, moved_copy(path))):
            if is_there:
                file.touch()
        files = Files(path)
        files._is_lost = True
        with pytest.raises(StoreLost, match=told):
            files.look()
        assert is_moved(path) is (moved and not there)
        assert files.may_rescue() is not is_moved(path) and not files.may_rescue()


def test_files_that_are_lost_are_opened_again_once_nobody_has_them_open(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    with closing(sqlite3.connect(path, factory=Connection)) as one:
        one.execute("PRAGMA user_version = 1")
        files = Files(path)
        before = files.may_open()
        assert before is not None
        files.enter(one, before)
        assert files.may_open() == before, "more may come"
        path.with_name("judge.sqlite3-wal").touch()
        with pytest.raises(StoreLost):
            files.look()
        with closing(sqlite3.connect(path, factory=Connection)) as other:
            with pytest.raises(StoreLost):
                files.enter(other, before)
            with pytest.raises(StoreLost):
                files.may_open()
            files.leave(one)
            files.leave(one)
            assert files.may_open() == before
            files.enter(other, before)
            files.look()


def test_a_connection_that_is_to_other_files_is_closed(
    file_store: Store, files: Files, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lost(connection: Connection, before: object) -> None:
        raise StoreLost("not these")

    closed: list[Connection] = []
    close = Connection.close
    monkeypatch.setattr(files, "enter", lost)
    monkeypatch.setattr(Connection, "close", lambda self: (closed.append(self), close(self)))
    with pytest.raises(StoreLost, match="not these"):
        KeyValues(file_store).get("name")
    assert len(closed) == 1
