"""The database file, its pragmas and its transactions."""

import stat
import threading
from pathlib import Path

import pytest

from judge.errors import StoreError
from judge.store.database import Store
from judge.store.memory import Memory


def test_file_and_folder_are_for_nobody_else(tmp_path: Path) -> None:
    store = Store(f"sqlite:///{tmp_path}/var/deep/judge.sqlite3")
    store.open(create=True)
    assert store.path is not None
    assert stat.S_IMODE(store.path.stat().st_mode) == 0o600
    assert stat.S_IMODE(store.path.parent.stat().st_mode) == 0o700
    Memory(store).put("name", b"value")
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


@pytest.mark.parametrize("url", ["postgresql://localhost/judge", "sqlite:///", "var/judge.db"])
def test_other_databases_are_refused(url: str) -> None:
    with pytest.raises(StoreError, match="not supported"):
        Store(url)


def test_a_folder_that_cannot_be_made_is_our_fault(tmp_path: Path) -> None:
    (tmp_path / "var").write_text("a file")
    with pytest.raises(StoreError, match="cannot be made"):
        Store(f"sqlite:///{tmp_path}/var/judge.sqlite3").open(create=True)


def test_something_else_than_a_database_is_our_fault(tmp_path: Path) -> None:
    path = tmp_path / "letter.txt"
    path.write_text("Dear Ann, " * 100)
    with pytest.raises(StoreError, match="letter.txt"):
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
    memory = Memory(store)
    with pytest.raises(KeyError), store.transaction():
        memory.put("a", b"1")
        raise KeyError
    assert memory.get("a") is None


def test_a_savepoint_undoes_only_itself(store: Store) -> None:
    memory = Memory(store)
    with store.transaction():
        memory.put("a", b"1")
        with pytest.raises(KeyError), store.savepoint():
            memory.put("b", b"2")
            raise KeyError
        memory.put("c", b"3")
    assert [memory.get(name) for name in "abc"] == [b"1", None, b"3"]


def test_a_transaction_inside_another_is_a_savepoint(store: Store) -> None:
    memory = Memory(store)
    with store.transaction():
        memory.put("a", b"1")
        with pytest.raises(KeyError), store.transaction():
            memory.put("a", b"2")
            raise KeyError
    assert memory.get("a") == b"1"


def test_a_savepoint_needs_a_transaction(store: Store) -> None:
    with pytest.raises(StoreError), store.savepoint():
        pass


def test_a_transaction_is_a_writer_from_its_begin(file_store: Store) -> None:
    """What is read in it cannot change under it: another writer has to wait."""
    other = Store(f"sqlite:///{file_store.path}")
    other.open(create=False)
    other.patience = 0.001
    with file_store.transaction():
        with pytest.raises(StoreError, match="locked"), other.transaction():
            pass
    with other.transaction():
        pass
    other.close()


def test_two_stores_are_open_side_by_side(store: Store, file_store: Store) -> None:
    Memory(store).put("which", b"memory")
    Memory(file_store).put("which", b"file")
    assert Memory(store).get("which") == b"memory"
    assert Memory(file_store).get("which") == b"file"


def test_a_lost_file_is_not_replaced_by_an_empty_one(file_store: Store) -> None:
    file_store.close()
    assert file_store.path is not None
    file_store.path.unlink()
    with pytest.raises(StoreError):
        Memory(file_store).get("a")
    assert not file_store.path.exists()
