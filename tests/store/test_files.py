"""Names and headers of database files, which tell which log belongs to which."""

import shutil
import sqlite3
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from judge.errors import StoreRefused
from judge.store.database import Store, backup
from judge.store.file_check import _ALL
from judge.store.key_values import KeyValues
from judge.store.sqlite_files import (
    COUNT_LIMIT,
    check_start,
    foreign_log,
    header_in,
    is_behind,
    is_moved,
    log_of,
    moved_copy,
    remove_files,
    rescue_copies,
    rescue_name,
)


@pytest.mark.parametrize("one, other, behind", [
    (1, 2, True), (2, 2, False), (2, 1, False), (COUNT_LIMIT - 1, 0, True),
    (0, COUNT_LIMIT - 1, False), (COUNT_LIMIT - 5, 20, True),
])
def test_counts_are_compared_across_their_limit(one: int, other: int, behind: bool) -> None:
    assert is_behind(one, other) is behind


def test_a_database_is_removed_whole_and_nothing_else(tmp_path: Path) -> None:
    mine = ["judge.sqlite3", "judge.sqlite3-wal", "judge.sqlite3-shm"]
    for name in [*mine, "judge.sqlite3.moved", "other.sqlite3"]:
        (tmp_path / name).touch()
    for _ in range(2):
        remove_files(tmp_path / "judge.sqlite3")
        assert sorted(each.name for each in tmp_path.iterdir()) == [
            "judge.sqlite3.moved", "other.sqlite3"
        ]


def test_a_moved_database_is_known_by_its_copy(tmp_path: Path) -> None:
    file = tmp_path / "judge.sqlite3"
    assert not is_moved(file)
    moved_copy(file).touch()
    assert is_moved(file)
    file.touch()
    assert not is_moved(file)


def test_rescue_copies_are_found_by_name_with_the_best_first(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    for name in ("damaged", "lost", "lost.2", "lost.old", "before-x", "aside-1"):
        path.with_name(f"{path.name}.{name}").touch()
    assert [copy.name for copy in rescue_copies(path)] == [
        f"judge.sqlite3.{name}" for name in ("lost", "lost.2", "damaged")
    ]
    assert rescue_name(path, True).name == "judge.sqlite3.lost.3"
    assert rescue_name(path, False).name == "judge.sqlite3.damaged.2"
    assert rescue_copies(tmp_path / "nowhere" / "judge.sqlite3") == []


def _write(store: Store, times: int = 3) -> None:
    for number in range(times):
        KeyValues(store).put(f"key {number}", b"x" * 5000)


def _copy_files(path: Path, to: Path) -> Path:
    """Copy database and log, as they are after a crash."""
    to.mkdir()
    for file in (path, log_of(path)):
        if file.exists():
            shutil.copy(file, to / file.name)
    return to / path.name


@pytest.fixture
def crash_copies(file_store: Store, tmp_path: Path) -> dict[str, Path]:
    """Files of one database at several times, each with the log as after a crash."""
    assert file_store.path is not None
    states = {}
    for name in ("old", "middle", "new"):
        _write(file_store)
        states[name] = _copy_files(file_store.path, tmp_path / name)
        file_store.engine._checkpoint(least=0)  # type: ignore[attr-defined]
    _write(file_store, 1)
    states["last"] = _copy_files(file_store.path, tmp_path / "last")
    backup(f"sqlite:///{file_store.path}", tmp_path / "backup")
    states["backup"] = tmp_path / "backup"
    return states


@pytest.mark.parametrize("database, log, reason", [
    ("old", "old", ""), ("new", "new", ""), ("last", "last", ""),
    # A copy from the time of the log is the newest state together with it.
    ("backup", "last", ""),
    ("old", "last", "newer state"), ("middle", "last", "newer state"),
    ("last", "old", "older state"), ("backup", "middle", "older state"),
])
def test_a_log_is_applied_to_its_own_database_alone(
    database: str, log: str, reason: str, crash_copies: dict[str, Path], tmp_path: Path
) -> None:
    place = tmp_path / f"{database} beside {log}"
    place.mkdir()
    path = place / "judge.sqlite3"
    shutil.copy(crash_copies[database], path)
    shutil.copy(log_of(crash_copies[log]), log_of(path))
    found = foreign_log(path)
    assert reason in found and bool(reason) == bool(found), found
    if reason:
        with pytest.raises(StoreRefused, match="judge restore"):
            Store(f"sqlite:///{path}").open(create=False)
        with pytest.raises(StoreRefused):
            backup(f"sqlite:///{path}", place / "copy")
    else:
        store = Store(f"sqlite:///{path}")
        store.open(create=False)
        assert store.pragma("integrity_check") == "ok"
        store.close()
    _ALL.pop(path, None)


def test_logs_of_others_and_damaged_ones_are_refused(
    crash_copies: dict[str, Path], tmp_path: Path
) -> None:
    other = Store(f"sqlite:///{tmp_path}/other/judge.sqlite3")
    other.open(create=True)
    _write(other)
    assert other.path is not None
    path = crash_copies["last"]
    shutil.copy(log_of(other.path), log_of(path))
    other.close()
    assert "another database" in foreign_log(path)
    log_of(path).write_bytes(bytes(50_000))
    assert "is damaged" in foreign_log(path)
    log_of(path).write_bytes(b"")
    assert foreign_log(path) == ""
    shutil.copy(log_of(crash_copies["new"]), log_of(path))
    path.write_bytes(b"")
    assert "database that is gone" in foreign_log(path)


def test_a_database_of_an_older_release_has_no_mark_and_gets_one(
    crash_copies: dict[str, Path], tmp_path: Path
) -> None:
    path = tmp_path / "plain.sqlite3"
    shutil.copy(crash_copies["backup"], path)
    with closing(sqlite3.connect(path)) as plain:
        plain.execute("PRAGMA application_id = 0")
        plain.execute("PRAGMA user_version = 0")
        plain.execute("PRAGMA wal_checkpoint(TRUNCATE)")
    store = Store(f"sqlite:///{path}")
    store.open(create=False)
    _write(store)
    header = header_in(path)
    assert header is not None and header.mark != 0
    store.close()
    header = header_in(path)
    assert header is not None and header.commits == 3


@pytest.mark.parametrize("name", ["lost", "damaged", "lost.2"])
def test_nothing_is_opened_beside_a_rescue_copy(
    name: str, crash_copies: dict[str, Path], tmp_path: Path
) -> None:
    path = crash_copies["new"]
    copy = path.with_name(f"{path.name}.{name}")
    copy.touch()
    opening: list[Callable[[], object]] = [
        lambda: check_start(path),
        lambda: Store(f"sqlite:///{path}").open(create=True),
        lambda: backup(f"sqlite:///{path}", tmp_path / "never"),
    ]
    for each in opening:
        with pytest.raises(StoreRefused, match=f"judge restore {copy}"):
            each()
    copy.unlink()
    check_start(path)
