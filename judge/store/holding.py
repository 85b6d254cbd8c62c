"""Numbers that processes hold by a lock of PostgreSQL, which goes with whoever has it.

The locks are those of a session (pg_advisory_lock) of its own, apart from the connection that
statements go over: that one is given up after any fault, while letters are on their way. A process
that ends lets go at once, since the system closes its connection. One that is cut off keeps its
numbers for two minutes: for so long it may still be sending what it has in hand.
"""

import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from typing import Any

import peewee

from judge.errors import StoreTrouble

_SETTINGS = """
SET tcp_keepalives_idle = 60;
SET tcp_keepalives_interval = 20;
SET tcp_keepalives_count = 3;
SET tcp_user_timeout = '120s';
SET client_min_messages = 'error'
"""
_KEY = "hashtextextended('judge ' || current_schema() || ' held ' || %s, 0)"
SETTLED = 10
"""Seconds after a start of the server in which nobody is taken for dead: its start ended all
sessions, and the living come back within a few seconds."""


class HeldNumbers:
    """The numbers one process holds, by a connection that is opened with the first."""

    def __init__(self, name: str, kind: str, connect: Callable[[], Any]) -> None:
        self._name = name
        self._kind = kind
        self._connect = connect
        self._connection: Any = None
        self._close_connection: Callable[[], object] = lambda: None

    def take(self, number: int) -> bool:
        """Take a number; False when another process has it.

        Raises: StoreTrouble when the server cannot be reached: all that was held may be another's.
        """
        if self._connection is None:
            self._connection = self._opened()
        return bool(self._asked(f"SELECT pg_try_advisory_lock({_KEY})", self._key(number)))

    def take_of_dead(self, number: int) -> bool:
        """Take a number that a dead process had; False when it lives, or that is not sure yet."""
        return self.is_settled() and self.take(number)

    def is_settled(self) -> bool:
        """Tell whether a number that nobody holds is of a process that is dead."""
        if self._connection is None:
            self._connection = self._opened()
        up = "now() - pg_postmaster_start_time() > make_interval(secs => %s)"
        return bool(self._asked(f"SELECT {up}", SETTLED))

    def let_go(self, number: int) -> None:
        """Let go of a number."""
        self._asked(f"SELECT pg_advisory_unlock({_KEY})", self._key(number))

    def is_lost(self) -> bool:
        """Tell whether the connection is gone, and with it all numbers."""
        if self._connection is None:
            return True
        try:
            self._asked("SELECT 1 + %s", 0)
        except StoreTrouble:
            return True
        return False

    def close(self) -> None:
        """Let go of all numbers."""
        self._connection = None
        self._close_connection()

    def _key(self, number: int) -> str:
        return f"{self._kind} {number}"

    def _opened(self) -> Any:
        with self._faults():
            connection = self._connect()
            # Not `__del__`: in a cycle the connection's own might come first, while it is open.
            self._close_connection = weakref.finalize(self, _close, connection)
            connection.execute(_SETTINGS)
            return connection

    def _asked(self, statement: str, value: object) -> object:
        """Return the one value a statement asks for; a connection that fails is given up."""
        with self._faults():
            found: tuple[object] = self._connection.execute(statement, (value,)).fetchone()
            return found[0]

    @contextmanager
    def _faults(self) -> Iterator[None]:
        try:
            # The library turns the driver's exceptions into its own only where it calls it.
            with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                yield
        except peewee.PeeweeException as fault:
            self.close()
            line = str(fault).strip().partition("\n")[0]
            raise StoreTrouble(f"the locks of {self._name} failed: {line}") from fault


def _close(connection: Any) -> None:
    with suppress(Exception):
        connection.close()
