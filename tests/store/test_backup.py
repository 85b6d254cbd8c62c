"""Copies of a database that is in use."""

import os
import sqlite3
from contextlib import closing
from datetime import UTC, datetime
from pathlib import Path

import pytest

from judge.errors import StoreError
from judge.model.incoming import Arrival
from judge.store.backup import copy_database
from judge.store.database import Store, backup
from judge.store.mail_queues import Post
from tests.outbox import counts
from tests.syncs import count_syncs

NOW = datetime(2026, 1, 1, tzinfo=UTC)
ARRIVAL = Arrival(b"Subject: x\r\n\r\nhello\r\n", "ann@example.org", ("judge@localhost",))


def test_copy_has_committed_data_only(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'judge.sqlite3'}"
    store = Store(url)
    store.open(create=True)
    post = Post(store)
    post.accept([ARRIVAL], NOW)
    with store.transaction():
        post.accept([ARRIVAL], NOW)
        backup(url, tmp_path / "copy")
    store.close()
    copied = Store(f"sqlite:///{tmp_path / 'copy'}")
    copied.open(create=False)
    assert counts(Post(copied)).new == 1
    assert copied.pragma("integrity_check") == "ok"
    copied.close()
    assert (tmp_path / "copy").stat().st_mode & 0o777 == 0o600


def test_a_file_that_is_there_is_not_replaced(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'judge.sqlite3'}"
    store = Store(url)
    store.open(create=True)
    store.close()
    (tmp_path / "copy").write_text("precious")
    with pytest.raises(StoreError, match="already"):
        backup(url, tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "precious"


def test_copy_may_have_a_relative_path(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    url = f"sqlite:///{tmp_path / 'judge.sqlite3'}"
    store = Store(url)
    store.open(create=True)
    store.close()
    monkeypatch.chdir(tmp_path)
    backup(url, Path("copy"))
    assert sorted(file.name for file in tmp_path.glob("*copy*")) == ["copy"]


def test_copy_and_its_folder_are_synced(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'judge.sqlite3'}"
    store = Store(url)
    store.open(create=True)
    Post(store).accept([ARRIVAL], NOW)
    store.close()
    (tmp_path / "copies").mkdir()
    with count_syncs(tmp_path / "copies") as syncs:
        backup(url, tmp_path / "copies" / "copy")
    whole = (tmp_path / "copies" / "copy").read_bytes()
    first, last = syncs.done[0], syncs.done[-1]
    assert first.held == whole and first.path.name != "copy", "whole before it has its name"
    assert last.path == tmp_path / "copies" and "copy" in last.held


def test_file_made_during_the_copy_is_not_replaced(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path / 'judge.sqlite3'}"
    store = Store(url)
    store.open(create=True)
    store.close()
    with count_syncs(tmp_path) as syncs:
        syncs.then = lambda: (tmp_path / "copy").write_text("precious")
        with pytest.raises(StoreError, match="copy"):
            backup(url, tmp_path / "copy")
    assert (tmp_path / "copy").read_text() == "precious"
    assert not list(tmp_path.glob(".copy*")), "nothing unfinished is left"


@pytest.mark.sqlite
def test_database_in_memory_cannot_be_copied(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="memory"):
        backup("sqlite:///:memory:", tmp_path / "copy")


def test_without_a_database_the_missing_path_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="judge.sqlite3"):
        backup(f"sqlite:///{tmp_path / 'judge.sqlite3'}", tmp_path / "copy")
    assert not list(tmp_path.iterdir())


def test_backup_to_an_unusable_path_reports_the_reason(tmp_path: Path) -> None:
    url = f"sqlite:///{tmp_path}/judge.sqlite3"
    store = Store(url)
    store.open(create=True)
    with pytest.raises(StoreError, match="cannot be written"):
        backup(url, tmp_path / "none" / "copy.sqlite3")
    store.close()


@pytest.mark.parametrize("kind", ["not a database", "folder for its -wal"])
def test_a_source_that_cannot_be_read_is_blamed_itself(tmp_path: Path, kind: str) -> None:
    """SQLite cannot make the file next to the database in a read-only folder."""
    source = tmp_path / kind
    source.mkdir()
    file = source / "judge.sqlite3"
    store = Store(f"sqlite:///{file}")
    store.open(create=True)
    store.close()
    if kind == "not a database":
        file.write_text("nothing that SQLite could read\n" * 100)
    else:
        with closing(sqlite3.connect(file)) as database:
            database.execute("PRAGMA journal_mode = WAL")
        (source / "judge.sqlite3-wal").mkdir()
    with pytest.raises(StoreError, match="judge.sqlite3 cannot be read: ") as fault:
        backup(f"sqlite:///{file}", tmp_path / f"copy of {kind}")
    assert "copy" not in str(fault.value)


def test_backup_fails_if_the_database_is_replaced_during_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "judge.sqlite3"
    store = Store(f"sqlite:///{path}")
    store.open(create=True)
    store.close()

    def replacing(source: Path, target: Path) -> None:
        copy_database(source, target)
        os.replace(target, source)

    monkeypatch.setattr("judge.store.database.copy_database", replacing)
    with pytest.raises(StoreError, match="was replaced meanwhile"):
        backup(f"sqlite:///{path}", tmp_path / "copy")


def test_a_damaged_database_is_not_copied(tmp_path: Path) -> None:
    path = tmp_path / "judge.sqlite3"
    store = Store(f"sqlite:///{path}")
    store.open(create=True)
    store.close()
    octets = bytearray(path.read_bytes())
    octets[4096:8192] = bytes(4096)
    path.write_bytes(octets)
    with pytest.raises(StoreError, match="damaged"):
        backup(f"sqlite:///{path}", tmp_path / "copy")
    assert not (tmp_path / "copy").exists()
