"""Writers take turns."""

import threading
import time

import pytest

from judge.store.database import Store
from judge.store.write_lock import WriteLock
from tests.guarded import guard

SOON = 120.0


def test_whoever_asked_first_comes_first() -> None:
    turns, came = WriteLock(), []

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


def test_who_has_waited_in_vain_is_not_waited_for() -> None:
    turns = WriteLock()
    assert turns.take(0)
    assert not turns.take(0.01)
    turns.give()
    assert turns.take(0)


def test_whose_turn_it_is_is_looked_at_and_changed_under_the_lock() -> None:
    turns = guard(WriteLock(), "_taken", "_waiting")
    assert turns.take(0) and not turns.take(0)
    turns.give()
    assert turns.take(0)


def test_a_turn_that_comes_in_the_very_moment_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Whoever has given up waiting, but was handed the turn before he said so, has it."""
    turns = WriteLock()

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
