"""The write lock of one database: its threads and processes write in the order in which they asked.

SQLite lets one writer in and has the others ask again after pauses that grow to a tenth of a
second; who writes all the time would then keep one out that only now and then wants to. The threads
of a process come in the order in which they asked. Between processes there is a turnstile: who
wants to write first takes the place of the next writer and keeps it until he has the turn, so that
the last writer, who wants it too, stands behind him. Only SQLite's own lock counts: where the
turnstile cannot be used, nothing is lost but the order.
"""

import fcntl
import os
import threading
import time
from collections import deque
from pathlib import Path

_NEXT, _TURN = 0, 1
"""The octets of the file that are locked."""
_LOOK = {_NEXT: 0.002, _TURN: 0.0005}
"""Seconds between two looks whether a place is free: such a lock cannot be waited for in time. For
the turn, which nobody has in between, one alone looks."""


class WriteLock:
    """The turns of one database."""

    def __init__(self, path: Path) -> None:
        self._lock = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Event] = deque()
        self._turnstile = _Turnstile(path.with_suffix(".turns"))

    def take(self, patience: float) -> bool:
        """Wait for a turn; False when it did not come within so many seconds."""
        until = time.monotonic() + patience
        if not self._take_of_threads(patience):
            return False
        if self._turnstile.take(until):
            return True
        self.give()
        return False

    def _take_of_threads(self, patience: float) -> bool:
        mine = threading.Event()
        with self._lock:
            if not self._taken:
                self._taken = True
                return True
            self._waiting.append(mine)
        if mine.wait(patience):
            return True
        with self._lock:
            if mine.is_set():
                # It came in the very moment.
                return True
            self._waiting.remove(mine)
        return False

    def give(self) -> None:
        """Hand the turn to whoever has waited longest."""
        self._turnstile.give()
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


class _Turnstile:
    """The place of the writer and that of the next one, of all processes: locks of two octets
    (fcntl, 2) of a file that stays open, and go with their process."""

    def __init__(self, path: Path) -> None:
        self._path = path
        self._handle = -1

    def take(self, until: float) -> bool:
        """Wait for the turn; False when it did not come by then."""
        try:
            if self._handle < 0:
                self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
            if not self._locked(_NEXT, until):
                return False
            try:
                return self._locked(_TURN, until)
            finally:
                self._unlock(_NEXT)
        except OSError:
            return True

    def give(self) -> None:
        """Let the next one have the turn."""
        if self._handle >= 0:
            self._unlock(_TURN)

    def _locked(self, place: int, until: float) -> bool:
        while True:
            try:
                fcntl.lockf(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB, 1, place)
            except BlockingIOError:
                if time.monotonic() >= until:
                    return False
                time.sleep(_LOOK[place])
            else:
                return True

    def _unlock(self, place: int) -> None:
        fcntl.lockf(self._handle, fcntl.LOCK_UN, 1, place)


_ALL: dict[Path, WriteLock] = {}
_ALL_LOCK = threading.Lock()


def write_lock_at(path: Path) -> WriteLock:
    """Return the turns of the database at a path."""
    with _ALL_LOCK:
        return _ALL.setdefault(path, WriteLock(path))
