"""Writers take turns."""

import fcntl
import subprocess
import sys
import threading
import time
from pathlib import Path

import pytest

from judge.store.database import Store
from judge.store.write_lock import WriteLock
from tests.guarded import guard

SOON = 120.0


def test_whoever_asked_first_comes_first(tmp_path: Path) -> None:
    turns, came = WriteLock(tmp_path / "x.sqlite3"), list[int]()

    def wait(number: int) -> None:
        assert turns.take(SOON)
        came.append(number)
        turns.give()

    assert turns.take(0)
    threads = []
    for number in range(5):
        threads.append(threading.Thread(target=wait, args=(number,)))
        threads[-1].start()
        while len(turns._waiting) <= number:
            time.sleep(0.001)
    turns.give()
    for thread in threads:
        thread.join(SOON)
    assert came == [0, 1, 2, 3, 4]
    assert turns.take(0)


def test_who_has_waited_in_vain_is_not_waited_for(tmp_path: Path) -> None:
    turns = WriteLock(tmp_path / "x.sqlite3")
    assert turns.take(0)
    assert not turns.take(0.01)
    turns.give()
    assert turns.take(0)


def test_who_has_waited_in_vain_for_another_process_keeps_no_thread_out(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    turns = WriteLock(tmp_path / "x.sqlite3")
    with monkeypatch.context() as patch:
        patch.setattr(turns._turnstile, "take", lambda until: False)
        assert not turns.take(0)
    assert turns.take(0)


def test_whose_turn_it_is_is_looked_at_and_changed_under_the_lock(tmp_path: Path) -> None:
    turns = guard(WriteLock(tmp_path / "x.sqlite3"), "_taken", "_waiting")
    assert turns.take(0) and not turns.take(0)
    turns.give()
    assert turns.take(0)


def test_a_turn_that_comes_in_the_very_moment_is_taken(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever has given up waiting, but was handed the turn before he said so, has it."""
    turns = WriteLock(tmp_path / "x.sqlite3")

    class Late(threading.Event):
        def wait(self, timeout: float | None = None) -> bool:
            turns.give()
            return False

    assert turns.take(0)
    monkeypatch.setattr(threading, "Event", Late)
    assert turns.take(0) and not turns._waiting


def test_a_busy_writer_keeps_no_other_thread_out(file_store: Store) -> None:
    """One writes without a pause; each turn of another comes after the one that is going on."""
    done = threading.Event()
    written = 0

    def write_on() -> None:
        nonlocal written
        while not done.is_set():
            with file_store.transaction():
                time.sleep(0.002)
            written += 1
        file_store.close()

    busy = threading.Thread(target=write_on)
    busy.start()
    waited = []
    for _ in range(20):
        before = written
        with file_store.transaction():
            waited.append(written - before)
        time.sleep(0.002)
    done.set()
    busy.join(SOON)
    # This thread may be left lying before it has asked, but not most of the time.
    assert sorted(waited)[len(waited) // 2] <= 2


_OTHER = """
import sys, time
from pathlib import Path
from judge.store.write_lock import WriteLock
import fcntl

turns = WriteLock(Path(sys.argv[1]))
with open(sys.argv[2], "ab", buffering=0) as written:
    while True:
        assert turns.take(60)
        time.sleep(0.005)
        written.write(b".")
        turns.give()
"""


def test_a_busy_process_keeps_no_other_out(tmp_path: Path) -> None:
    """One writes without a pause; each turn of another comes after the one that is going on."""
    file, written = tmp_path / "x.sqlite3", tmp_path / "written"
    turns, waited = WriteLock(file), []
    with subprocess.Popen([sys.executable, "-c", _OTHER, str(file), str(written)]) as other:
        while not written.exists() or not written.stat().st_size:
            time.sleep(0.001)
        for _ in range(20):
            before = written.stat().st_size
            assert turns.take(SOON)
            mine = written.stat().st_size
            time.sleep(0.01)
            assert written.stat().st_size == mine, "nobody else has the turn"
            turns.give()
            waited.append(mine - before)
        other.kill()
    # This process may be left lying before it has asked, but not most of the time.
    assert sorted(waited)[len(waited) // 2] <= 2
    assert turns.take(SOON), "who dies lets go"


def test_where_no_file_can_be_locked_the_threads_take_turns_all_the_same(tmp_path: Path) -> None:
    turns = WriteLock(tmp_path / "missing" / "x.sqlite3")
    assert turns.take(0) and not turns.take(0)
    turns.give()
    assert turns.take(0)


def test_another_process_is_waited_for_so_long_and_no_longer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def lockf(handle: int, what: int, *rest: int) -> None:
        if what & fcntl.LOCK_EX:
            raise BlockingIOError

    looks: list[float] = []

    def sleep(seconds: float) -> None:
        looks.append(seconds)
        assert len(looks) < 9, "nobody waits for ever"

    monkeypatch.setattr(fcntl, "lockf", lockf)
    monkeypatch.setattr(time, "sleep", sleep)
    assert not WriteLock(tmp_path / "x.sqlite3").take(0)
