"""The write lock of one process: its threads write in the order in which they asked.

SQLite lets one writer in and has the others ask again after pauses that grow to a tenth of a
second; a thread that writes all the time would then keep one out that only now and then wants to.
Between processes that is still the way.
"""

import threading
from collections import deque
from pathlib import Path


class WriteLock:
    """The turns of one database."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = False
        self._waiting: deque[threading.Event] = deque()

    def take(self, patience: float) -> bool:
        """Wait for a turn; False when it did not come within so many seconds."""
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
        with self._lock:
            if self._waiting:
                self._waiting.popleft().set()
            else:
                self._taken = False


_ALL: dict[Path, WriteLock] = {}
_ALL_LOCK = threading.Lock()


def write_lock_at(path: Path) -> WriteLock:
    """Return the turns of the database at a path."""
    with _ALL_LOCK:
        return _ALL.setdefault(path, WriteLock())
