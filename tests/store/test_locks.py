"""Locks that end with their process, and the record that a judge ran.

The numbers of senders on a server are tested in tests/daemon/test_senders.py.
"""

import fcntl
import gc
import os
from collections.abc import Iterator
from pathlib import Path

import psycopg
import pytest

from judge.errors import StoreError, StoreTrouble
from judge.store import locks
from judge.store.locks import (
    RECONNECT_SECONDS,
    AlreadyRuns,
    FileNumbers,
    SenderNumber,
    SessionNumbers,
    database_gone,
    is_served,
    lock_instance,
    note_database,
    require_existing,
)
from judge.store.sqlite_files import moved_copy


def test_second_judge_is_refused_with_the_first_process_id(tmp_path: Path) -> None:
    file = tmp_path / "var/judge.sqlite3"
    with lock_instance(file, "serve"):
        with pytest.raises(AlreadyRuns, match=str(os.getpid())), lock_instance(file, "listen"):
            pytest.fail("there are two")


def test_lock_file_records_process_command_and_database(tmp_path: Path) -> None:
    file, mark = tmp_path / "judge.sqlite3", tmp_path / "judge.lock"
    for had_one in (False, False, True):
        with lock_instance(file, "listen") as lock:
            assert lock.had_database is had_one
            assert mark.read_text() == f"{os.getpid()} {'listen' if had_one else 'starting'}\n"
            if (tmp_path / "begun").exists():
                lock.note_database()
                assert mark.read_text() == f"{os.getpid()} listen\n"
            (tmp_path / "begun").touch()


def test_database_elsewhere_needs_no_instance_lock(tmp_path: Path) -> None:
    with lock_instance(None, "serve") as lock:
        lock.note_database()
    assert not is_served(None) and not any(tmp_path.iterdir())


def test_only_serve_does_the_work_of_single_commands(tmp_path: Path) -> None:
    file = tmp_path / "judge.sqlite3"
    assert not is_served(file) and not any(tmp_path.iterdir())
    for command in ("serve", "listen", "restore"):
        with lock_instance(file, command) as lock:
            lock.note_database()
            assert is_served(file) is (command == "serve")
        assert not is_served(file), "it has exited"


def test_instance_lock_waits_for_a_check_of_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file, mark = tmp_path / "judge.sqlite3", tmp_path / "judge.lock"
    with mark.open("w") as looking:
        fcntl.flock(looking, fcntl.LOCK_EX)
        monkeypatch.setattr(locks.time, "sleep", lambda wait: wait and looking.close())
        with lock_instance(file, "serve"):
            pass


@pytest.mark.parametrize(("told", "is_gone"), [
    (None, False), ("", False), ("17 starting\n", False), ("17\n", True), ("0", True),
])
def test_database_must_exist_where_a_judge_ran(
    tmp_path: Path, told: str | None, is_gone: bool
) -> None:
    file, mark = tmp_path / "judge.sqlite3", tmp_path / "judge.lock"
    if told is not None:
        mark.write_text(told)
    for held in (None, b""):
        if held is not None:
            file.write_bytes(held)
        if is_gone:
            with pytest.raises(StoreError, match="where a judge ran before"):
                require_existing(file)
        else:
            require_existing(file)
    file.write_bytes(b"x")
    require_existing(file)
    require_existing(None)


def test_message_about_a_moved_database_names_migrate(tmp_path: Path) -> None:
    file = tmp_path / "judge.sqlite3"
    assert "`judge serve --new`" in str(database_gone(file))
    moved_copy(file).write_bytes(b"")
    assert "`judge migrate`" in str(database_gone(file))


@pytest.mark.parametrize(("told", "then"), [
    (None, "0\n"), ("", "0\n"), ("17 starting\n", "0\n"), ("17\n", "17\n"), ("170\n", "170\n"),
])
def test_existing_database_is_recorded_in_the_lock_file(
    tmp_path: Path, told: str | None, then: str
) -> None:
    mark = tmp_path / "judge.lock"
    if told is not None:
        mark.write_text(told)
    note_database(tmp_path / "judge.sqlite3")
    assert mark.read_text() == then
    note_database(None)
    assert {file.name for file in tmp_path.iterdir()} == {"judge.lock"}
    if told is None:
        assert mark.stat().st_mode & 0o777 == 0o600


class Line:
    """Connection stub that returns the next of the shared answers, or fails."""

    def __init__(self, answers: Iterator[object]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, object]] = []
        self.closed = 0

    def execute(self, statement: str, values: tuple[object, ...] = (None,)) -> "Line":
        """Record the statement and its first value."""
        self.asked.append((statement, values[0]))
        return self

    def fetchone(self) -> tuple[object, ...]:
        """Return the next answer and another column."""
        answer = next(self.answers)
        if isinstance(answer, Exception):
            raise answer
        return answer, "beside"

    def close(self) -> None:
        """Record the call, and fail like a broken connection."""
        self.closed += 1
        raise OSError


class Lines:
    """Session numbers with all connections that were opened for them."""

    def __init__(self, *answers: object) -> None:
        self.opened: list[Line] = []
        self._answers = iter(answers)
        self.held = SessionNumbers("a database", "sender", self._connect)

    def _connect(self) -> Line:
        self.opened.append(Line(self._answers))
        return self.opened[-1]


CUT = psycopg.OperationalError("cut off\nin two lines")


def test_a_connection_is_opened_with_the_first_number_and_stays() -> None:
    lines = Lines(True, False)
    assert lines.held.is_lost() and lines.opened == []
    assert lines.held.take(3) and not lines.held.take(4)
    [line] = lines.opened
    settings, (first, one), (second, other) = line.asked
    assert "client_min_messages" in settings[0] and settings[1] is None
    assert first == second and "pg_try_advisory_lock" in first
    assert (one, other) == ("sender 3", "sender 4")


def test_stale_number_is_free_once_the_server_is_settled() -> None:
    early = Lines(False)
    with SenderNumber(early.held).check_owner_exited(3) as is_dead:
        assert not is_dead
    assert [value for _, value in early.opened[0].asked] == [None, RECONNECT_SECONDS]
    late = Lines(True, True, 1, True, False)
    for number, expected in ((3, True), (4, False)):
        with SenderNumber(late.held).check_owner_exited(number) as is_dead:
            assert is_dead is expected
    assert [value for _, value in late.opened[0].asked] == [
        None, RECONNECT_SECONDS, "sender 3", "sender 3", RECONNECT_SECONDS, "sender 4"
    ]


def test_released_number_leaves_the_others() -> None:
    lines = Lines(True, True, 1)
    lines.held.take(3)
    lines.held.release(3)
    [line] = lines.opened
    assert "pg_advisory_unlock(" in line.asked[-1][0] and line.asked[-1][1] == "sender 3"
    assert not lines.held.is_lost() and line.closed == 0


def test_failing_connection_is_dropped_and_logged_in_one_line() -> None:
    lines = Lines(True, CUT, True, CUT)
    lines.held.take(3)
    with pytest.raises(StoreTrouble, match="^the locks of a database failed: cut off$"):
        lines.held.take(4)
    assert lines.opened[0].closed == 1 and lines.held.is_lost()
    assert lines.held.take(4) and len(lines.opened) == 2
    assert lines.held.is_lost() and lines.opened[1].closed == 1


def test_refused_connection_is_reported() -> None:
    def connect() -> None:
        raise CUT

    held = SessionNumbers("a database", "sender", connect)
    with pytest.raises(StoreTrouble, match="cut off$"):
        held.take(3)
    with pytest.raises(StoreTrouble, match="cut off$"):
        held.has_owner_exited()
    held.close()


def test_freed_numbers_close_their_connection_once() -> None:
    lines = Lines(True)
    lines.held.take(3)
    lines.held.close()
    lines.held.close()
    assert lines.opened[0].closed == 1
    other = Lines(True)
    other.held.take(3)
    del other.held
    assert other.opened[0].closed == 1


class Tied(Line):
    """Connection in a reference cycle that records whether it was closed when freed."""

    forgotten: list[int] = []

    def __init__(self, answers: Iterator[object]) -> None:
        super().__init__(answers)
        self.itself = self

    def __del__(self) -> None:
        self.forgotten.append(self.closed)


@pytest.mark.slow
def test_freed_cycle_closes_its_connection_first() -> None:
    lines = [Tied(iter([True]))]
    held = SessionNumbers("a database", "sender", lines.pop)
    held.take(3)
    cycle: list[object] = [held]
    cycle.append(cycle)
    Tied.forgotten.clear()
    del held, cycle
    gc.collect()
    gc.collect()
    assert Tied.forgotten == [1]


def test_connection_that_refuses_settings_is_closed() -> None:
    class Refusing(Line):
        def execute(self, statement: str, values: tuple[object, ...] = (None,)) -> Line:
            raise CUT

    line = Refusing(iter(()))
    with pytest.raises(StoreTrouble, match="cut off$"):
        SessionNumbers("a database", "sender", lambda: line).take(3)
    assert line.closed == 1


def test_number_that_cannot_be_opened_is_trouble(tmp_path: Path) -> None:
    """A file made by root stops no judge."""
    numbers = FileNumbers(tmp_path / "judge.sqlite3", "painter")
    assert numbers.take(1)
    numbers.close()
    [file] = tmp_path.glob("*painter-1*")
    file.unlink()
    file.mkdir()
    with pytest.raises(StoreTrouble, match="painter-1"):
        numbers.take(1)
    assert numbers.take(2)
    numbers.close()
