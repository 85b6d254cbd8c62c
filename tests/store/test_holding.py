"""Numbers held by a connection of their own: what is asked of it, and when it is given up.

On a server: tests/daemon/test_senders.py.
"""

import gc
from collections.abc import Iterator

import psycopg
import pytest

from judge.errors import StoreTrouble
from judge.store.holding import SETTLED, HeldNumbers


class Line:
    """A connection that gives the next of the answers to all who ask, or fails."""

    def __init__(self, answers: Iterator[object]) -> None:
        self.answers = answers
        self.asked: list[tuple[str, object]] = []
        self.closed = 0

    def execute(self, statement: str, values: tuple[object, ...] = (None,)) -> "Line":
        """Note what is asked."""
        self.asked.append((statement, values[0]))
        return self

    def fetchone(self) -> tuple[object, ...]:
        """Return the answer and something beside it."""
        answer = next(self.answers)
        if isinstance(answer, Exception):
            raise answer
        return answer, "beside"

    def close(self) -> None:
        """Note it, and fail as one does that was cut."""
        self.closed += 1
        raise OSError


class Lines:
    """Numbers held, with all connections that were opened for them."""

    def __init__(self, *answers: object) -> None:
        self.opened: list[Line] = []
        self._answers = iter(answers)
        self.held = HeldNumbers("a database", "sender", self._connect)

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


def test_nobody_is_taken_for_dead_before_he_can_be_back() -> None:
    early = Lines(False)
    assert not early.held.take_of_dead(3)
    assert [value for _, value in early.opened[0].asked] == [None, SETTLED]
    late = Lines(True, True, True, False)
    assert late.held.take_of_dead(3) and not late.held.take_of_dead(4)
    assert [value for _, value in late.opened[0].asked] == [
        None, SETTLED, "sender 3", SETTLED, "sender 4"
    ]


def test_a_number_is_let_go_of_and_the_others_stay() -> None:
    lines = Lines(True, True, 1)
    lines.held.take(3)
    lines.held.let_go(3)
    [line] = lines.opened
    assert "pg_advisory_unlock(" in line.asked[-1][0] and line.asked[-1][1] == "sender 3"
    assert not lines.held.is_lost() and line.closed == 0


def test_a_connection_that_fails_is_given_up_and_said_in_a_line() -> None:
    lines = Lines(True, CUT, True, CUT)
    lines.held.take(3)
    with pytest.raises(StoreTrouble, match="^the locks of a database failed: cut off$"):
        lines.held.take(4)
    assert lines.opened[0].closed == 1 and lines.held.is_lost()
    assert lines.held.take(4) and len(lines.opened) == 2
    assert lines.held.is_lost() and lines.opened[1].closed == 1


def test_where_no_connection_can_be_had_it_is_said() -> None:
    def connect() -> None:
        raise CUT

    held = HeldNumbers("a database", "sender", connect)
    for ask in (held.take, held.take_of_dead):
        with pytest.raises(StoreTrouble, match="cut off$"):
            ask(3)
    held.close()


def test_whoever_is_forgotten_closes_his_connection_once() -> None:
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
    """A connection in a cycle that notes whether it was closed when it is freed."""

    forgotten: list[int] = []

    def __init__(self, answers: Iterator[object]) -> None:
        super().__init__(answers)
        self.itself = self

    def __del__(self) -> None:
        self.forgotten.append(self.closed)


def test_forgotten_cycle_closes_connection_first() -> None:
    lines = [Tied(iter([True]))]
    held = HeldNumbers("a database", "sender", lines.pop)
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
        HeldNumbers("a database", "sender", lambda: line).take(3)
    assert line.closed == 1
