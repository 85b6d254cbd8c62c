"""Checks of the files of an open database, around each transaction."""

import os
import shutil
import sqlite3
import threading
import time
from collections.abc import Callable
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.errors import StoreLost, StoreRefused
from judge.store import rescue
from judge.store.database import Store, backup
from judge.store.file_check import FileCheck
from judge.store.key_values import KeyValues
from judge.store.rescue import restore
from judge.store.sqlite import CHECKPOINT_FRAMES, Sqlite
from judge.store.sqlite_files import files_of, log_of, moved_copy, remove_files, rescue_copies

NAME = "judge.sqlite3"
NOW = datetime(2026, 1, 1, tzinfo=UTC)


def _put(store: Store, value: bytes) -> None:
    KeyValues(store).put("name", value)


def _checkpoint(store: Store) -> None:
    assert isinstance(store.engine, Sqlite)
    store.engine._checkpoint(least=0)


@pytest.fixture
def path(file_store: Store, tmp_path: Path) -> Path:
    """Database with an older copy of it, `older`, and a copy of its log, `older-wal`."""
    assert file_store.path is not None
    _put(file_store, b"old")
    backup(f"sqlite:///{file_store.path}", tmp_path / "older")
    shutil.copy(log_of(file_store.path), tmp_path / "older-wal")
    _put(file_store, b"newer")
    _checkpoint(file_store)
    _put(file_store, b"kept")
    backup(f"sqlite:///{file_store.path}", tmp_path / "newest")
    return file_store.path


def _truncate(path: Path, size: int) -> None:
    os.truncate(path, size)


GONE: dict[str, Callable[[Path, Path], object]] = {
    "all removed": lambda path, spare: remove_files(path),
    "database removed": lambda path, spare: path.unlink(),
    "log removed": lambda path, spare: log_of(path).unlink(),
    "index removed": lambda path, spare: files_of(path)[2].unlink(),
    "log and index removed": lambda path, spare: [one.unlink() for one in files_of(path)[1:]],
    "older copy renamed over it": lambda path, spare: os.replace(spare / "older", path),
    "log renamed over": lambda path, spare: os.replace(spare / "older-wal", log_of(path)),
    "moved away": lambda path, spare: [one.rename(spare / one.name) for one in files_of(path)],
    "folder renamed": lambda path, spare: path.parent.rename(spare / "elsewhere"),
    "folder removed": lambda path, spare: shutil.rmtree(path.parent),
}
SPOILT: dict[str, Callable[[Path, Path], object]] = {
    "older copy written over it": lambda path, spare: shutil.copyfile(spare / "older", path),
    "newest copy written over it": lambda path, spare: shutil.copyfile(spare / "newest", path),
    "older log written over": lambda path, spare: shutil.copyfile(
        spare / "older-wal", log_of(path)
    ),
    "database truncated": lambda path, spare: _truncate(path, 0),
    "database cut": lambda path, spare: _truncate(path, 8192),
    "log truncated": lambda path, spare: _truncate(log_of(path), 0),
    "log cut": lambda path, spare: _truncate(log_of(path), 5000),
    "old frames of the log cut": lambda path, spare: _truncate(
        log_of(path), log_of(path).stat().st_size - 1
    ),
    "garbage": lambda path, spare: path.write_bytes(b"x" * path.stat().st_size),
}


@pytest.mark.parametrize("attack", GONE)
def test_missing_files_are_detected_and_their_data_copied(
    attack: str, file_store: Store, path: Path, tmp_path: Path
) -> None:
    GONE[attack](path, tmp_path)
    with pytest.raises(StoreLost, match="all it held is copied to") as lost:
        _put(file_store, b"refused")
    [copy] = rescue_copies(path)
    assert str(copy) in str(lost.value) and f"judge restore {copy}" in str(lost.value)
    assert copy.name == f"{NAME}.lost" and copy.stat().st_mode & 0o777 == 0o600
    with closing(sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)) as opened:
        assert opened.execute("SELECT value FROM memory WHERE name = 'name'").fetchall() == [
            (b"kept",)
        ], "what was refused is not begun"
    for use in (lambda: _put(file_store, b"again"), file_store.engine.check):
        with pytest.raises(StoreLost):
            use()
    assert rescue_copies(path) == [copy], "one copy of one loss"
    file_store.close()
    with pytest.raises(StoreLost):
        Store(f"sqlite:///{path}").open(create=True)


@pytest.mark.parametrize("attack", SPOILT)
def test_damaged_files_are_detected_and_copied_as_damaged(
    attack: str, file_store: Store, path: Path, tmp_path: Path
) -> None:
    SPOILT[attack](path, tmp_path)
    with pytest.raises(StoreLost) as lost:
        _put(file_store, b"refused")
    [copy] = rescue_copies(path)
    assert copy.name == f"{NAME}.damaged" and str(copy) in str(lost.value)
    assert lost.value.is_overwritten


@pytest.mark.parametrize("attack", [*GONE, *SPOILT])
def test_file_change_in_a_transaction_is_detected_at_its_end(
    attack: str, file_store: Store, path: Path, tmp_path: Path
) -> None:
    """A log that is truncated before the commit has its old size after it."""
    with pytest.raises(StoreLost):
        with file_store.transaction():
            _put(file_store, b"refused")
            (GONE | SPOILT)[attack](path, tmp_path)
    assert rescue_copies(path)


@pytest.mark.parametrize("attack", [*GONE, *SPOILT])
def test_changed_files_are_detected_without_a_write(
    attack: str, file_store: Store, path: Path, tmp_path: Path
) -> None:
    (GONE | SPOILT)[attack](path, tmp_path)
    with pytest.raises(StoreLost):
        file_store.engine.check()
    assert rescue_copies(path)


def test_older_copy_is_detected_despite_checkpoints(
    file_store: Store, path: Path, tmp_path: Path
) -> None:
    """The check before a checkpoint sees it. One would overwrite the copy's count."""
    shutil.copyfile(tmp_path / "older", path)
    with pytest.raises(StoreLost, match="older state"):
        with file_store.transaction():
            for number in range(3 * CHECKPOINT_FRAMES // 2):
                KeyValues(file_store).put(f"{number}", b"x" * 5000)


def test_checkpoints_and_other_processes_are_no_loss(file_store: Store, path: Path) -> None:
    with closing(sqlite3.connect(path, timeout=60)) as other:
        for number in range(30):
            _put(file_store, b"%d" % number)
            other.execute("INSERT OR REPLACE INTO memory VALUES ('other', ?)", (number,))
            other.commit()
            if number % 5 == 0:
                mode = ("PASSIVE", "FULL", "RESTART", "TRUNCATE")[number // 5 % 4]
                other.execute(f"PRAGMA wal_checkpoint({mode})").fetchall()
        other.execute("DELETE FROM memory")
        other.commit()
        other.execute("VACUUM")
        other.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
        _put(file_store, b"x")
        _checkpoint(file_store)
        file_store.engine.check()
    _put(file_store, b"last")
    assert file_store.health() == "ok" and not rescue_copies(path)


def test_a_reader_that_holds_up_checkpoints_is_no_loss(file_store: Store, path: Path) -> None:
    with closing(sqlite3.connect(path)) as reader:
        reader.execute("BEGIN")
        reader.execute("SELECT * FROM memory").fetchall()
        for number in range(20):
            KeyValues(file_store).put(f"{number}", b"x" * 5000)
            _checkpoint(file_store)
    _put(file_store, b"last")
    _checkpoint(file_store)
    assert file_store.health() == "ok"


def test_threads_that_come_and_go_are_no_loss(file_store: Store) -> None:
    faults: list[BaseException] = []

    def come_and_go(number: int) -> None:
        other = Store(f"sqlite:///{file_store.path}")
        try:
            for turn in range(30):
                KeyValues(other).put(f"{number}", b"%d" % turn)
                other.engine.check()
                other.close()
        except BaseException as fault:
            faults.append(fault)

    file_store.close()
    threads = [threading.Thread(target=come_and_go, args=(n,)) for n in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert faults == []


def test_read_only_transaction_is_no_commit(file_store: Store, path: Path) -> None:
    before = file_store.pragma("user_version")
    with file_store.transaction():
        KeyValues(file_store).get("name")
    assert file_store.pragma("user_version") == before
    _put(file_store, b"x")
    assert file_store.pragma("user_version") == before + 1


def test_a_second_process_finds_the_copy_of_the_first(
    file_store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """One copy has all that both have written, since they read the same files."""
    other = Store(f"sqlite:///{path}")
    second = FileCheck(path)
    assert isinstance(other.engine, Sqlite)
    other.engine.files = second
    monkeypatch.setattr(other.database, "_files", second)
    _put(other, b"kept by both")
    path.unlink()
    for store, told in ((file_store, "all it held is copied to"), (other, "all it held is in")):
        with pytest.raises(StoreLost, match=told):
            _put(store, b"refused")
    assert len(rescue_copies(path)) == 1


def test_copy_of_another_process_made_meanwhile_is_kept_alone(
    file_store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    copy_pages = rescue.copy_pages

    def copy_at_the_same_time(connection: sqlite3.Connection, target: Path) -> None:
        copy_pages(connection, target)
        shutil.copy(target, path.with_name(f"{path.name}.lost"))

    monkeypatch.setattr(rescue, "copy_pages", copy_at_the_same_time)
    _put(file_store, b"kept")
    path.unlink()
    with pytest.raises(StoreLost, match="all it held is in .*lost: "):
        _put(file_store, b"refused")
    assert rescue_copies(path) == [path.with_name(f"{path.name}.lost")]


def test_process_next_to_a_rescue_copy_ends_without_another(file_store: Store, path: Path) -> None:
    copy = path.with_name(f"{path.name}.lost")
    copy.touch()
    _put(file_store, b"x")
    with pytest.raises(StoreLost, match="waits for a decision"):
        file_store.engine.check()
    with pytest.raises(StoreLost):
        _put(file_store, b"y")
    assert rescue_copies(path) == [copy]


def test_a_moved_database_ends_its_processes_and_needs_no_copy(
    file_store: Store, path: Path
) -> None:
    moved_copy(path).touch()
    remove_files(path)
    with pytest.raises(StoreLost, match="judge migrate"):
        _put(file_store, b"refused")
    assert rescue_copies(path) == []


def test_loss_before_the_last_close_is_reported(
    file_store: Store, path: Path, tmp_path: Path
) -> None:
    os.replace(tmp_path / "older", path)
    with pytest.raises(StoreLost, match="all it held is copied to"):
        file_store.close()
    assert log_of(path).exists(), "the log is not removed by its name"


def test_a_loss_within_the_last_close_is_reported(
    file_store: Store, path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """`judge deliver` must not report a mail as stored in a file that is gone."""
    check = FileCheck.check

    def late(files: FileCheck) -> None:
        check(files)
        remove_files(path)

    monkeypatch.setattr(FileCheck, "check", late)
    with pytest.raises(StoreLost, match="while it was closed"):
        file_store.close()


@pytest.mark.parametrize("code, lost", [
    (sqlite3.SQLITE_CORRUPT, True), (sqlite3.SQLITE_NOTADB, True), (sqlite3.SQLITE_IOERR, True),
    (sqlite3.SQLITE_IOERR_SHORT_READ, True), (sqlite3.SQLITE_IOERR_FSYNC, True),
    (sqlite3.SQLITE_FULL, False), (sqlite3.SQLITE_BUSY, False), (sqlite3.SQLITE_LOCKED, False),
    (sqlite3.SQLITE_READONLY, False), (sqlite3.SQLITE_CANTOPEN, False),
    (sqlite3.SQLITE_IOERR_NOMEM, False), (sqlite3.SQLITE_IOERR_SHMSIZE, False),
])
def test_damaged_database_is_lost_but_not_a_busy_or_full_one(
    code: int, lost: bool, file_store: Store, path: Path
) -> None:
    fault = sqlite3.OperationalError("as SQLite says it")
    fault.sqlite_errorcode = code
    found = file_store.engine.find_loss(fault)
    assert (found is not None) is lost and bool(rescue_copies(path)) is lost
    if lost:
        with pytest.raises(StoreLost):
            _put(file_store, b"refused")
    else:
        _put(file_store, b"taken")


def test_failed_rescue_copy_is_reported(
    file_store: Store, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def refuse(folder: Path) -> None:
        raise OSError(30, "Read-only file system")

    monkeypatch.setattr("judge.store.rescue.make_folder", refuse)
    path.unlink()
    with pytest.raises(StoreLost, match="could not be copied anywhere.*Read-only"):
        _put(file_store, b"refused")


def test_restore_decides_and_puts_everything_else_aside(
    file_store: Store, path: Path, tmp_path: Path
) -> None:
    os.replace(tmp_path / "older", path)
    with pytest.raises(StoreLost):
        _put(file_store, b"refused")
    [copy] = rescue_copies(path)
    found = restore(path, copy, NOW)
    assert found.mails == 0 and found.differences == ()
    assert {one.name for one in found.aside.iterdir()} == {
        NAME, f"{NAME}-wal", f"{NAME}-shm", f"{NAME}.lost"
    }
    assert not rescue_copies(path) and not log_of(path).exists()
    with closing(sqlite3.connect(path)) as opened:
        [(value,)] = opened.execute("SELECT value FROM memory WHERE name = 'name'").fetchall()
    assert value == b"kept"
    with pytest.raises(StoreLost):
        file_store.engine.check()


def test_file_check_is_fast(file_store: Store, path: Path) -> None:
    """A check costs some twenty microseconds. This is a limit for a busy machine."""
    began = time.perf_counter()
    for _ in range(100):
        file_store.engine.check()
    assert time.perf_counter() - began < 1


def test_file_replaced_during_the_open_is_lost(
    file_store: Store, path: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file_store.close()
    files = FileCheck(path)
    monkeypatch.setattr(files, "before_opening", lambda: (1, 1))
    store = Store(f"sqlite:///{path}")
    assert isinstance(store.engine, Sqlite)
    store.engine.files = files
    monkeypatch.setattr(store.database, "_files", files)
    with pytest.raises(StoreLost, match="replaced while it was opened"):
        store.open(create=False)
    with pytest.raises(StoreLost):
        store.open(create=False)
    assert StoreRefused is not StoreLost
