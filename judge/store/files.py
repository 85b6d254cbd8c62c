"""The files of a database as this process has them open, and whether they are still there.

What is written to a file that was removed or replaced goes nowhere, and no call says so. The
write-ahead log is a part of the database: what was committed last may be nowhere else. A new
connection to other files beside old ones would mix the two (they share SQLite's memory of the
log): so all of a process are closed before the first is opened again.
"""

import os
import sqlite3
import threading
from pathlib import Path
from typing import Any
from weakref import WeakSet

import peewee

from judge.errors import StoreLost

_File = tuple[int, int]
"""Device and inode: what a file is, whatever its name."""
_Found = tuple[_File | None, _File | None]
"""The database and its log; None for one that is missing."""


class Connection(sqlite3.Connection):
    """A connection that can be remembered without being kept, and that is closed when it says so.

    SQLite puts closing off, without a word, while rows are left that nobody has read: those of a
    cursor that the frames of a fault hold would keep the files open until the fault is forgotten.
    Another connection that is opened meanwhile finds itself beside them.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._cursors: WeakSet[sqlite3.Cursor] = WeakSet()

    def cursor(self, *given: Any, **named: Any) -> Any:
        """Return a new cursor."""
        made = super().cursor(*given, **named)
        self._cursors.add(made)
        return made

    def execute(self, *given: Any) -> Any:
        """Carry out a statement by a cursor that is known here."""
        return self.cursor().execute(*given)

    def close(self) -> None:
        """Let go of all rows, and of the files."""
        for each in list(self._cursors):
            each.close()
        super().close()


class Files:
    """The files of one database, for all connections of this process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self._log = path.with_name(f"{path.name}-wal")
        self._lock = threading.Lock()
        self.changing = threading.Lock()
        """Held while a connection opens or closes: whoever closes the last one removes the log, by
        its name, whosever it is."""
        self._open: WeakSet[Connection] = WeakSet()
        self._opened: _Found = None, None
        self._is_lost = self._is_rescued = False

    def enter(self, connection: Connection, before: _File | None) -> None:
        """Note a new connection; `before` is what the file was before it was opened.

        Raises:
            StoreLost: the files are others than those of earlier connections that are still open.
        """
        # A connection opens the log when it first reads.
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        found = self._found()
        with self._lock:
            if self._open:
                self._is_lost = self._is_lost or found != self._opened
            else:
                self._opened, self._is_lost = found, found[0] is None or found[0] != before
                self._is_rescued = False
            if self._is_lost:
                raise self._lost()
            self._open.add(connection)

    def leave(self, connection: Connection) -> None:
        """Note that a connection is closed."""
        with self._lock:
            self._open.discard(connection)

    def may_open(self) -> _File | None:
        """Return what the file is now, before it is opened.

        Raises:
            StoreLost: not all connections to files that are lost are closed yet.
        """
        with self._lock:
            if self._is_lost and self._open:
                raise self._lost()
        return _identity(self.path)

    def look(self) -> None:
        """See that what was written was written to the database.

        Raises:
            StoreLost: it was not, or who knows.
        """
        if self._is_lost or self._found() != self._opened:
            with self._lock:
                self._is_lost = True
                raise self._lost()

    def may_rescue(self) -> bool:
        """Tell the first who asks that what is still open may be copied before it is closed; what
        was moved is elsewhere."""
        with self._lock:
            first, self._is_rescued = not self._is_rescued, True
        return first and not is_moved(self.path)

    def _found(self) -> _Found:
        """Return what is there now under the two names."""
        return _identity(self.path), _identity(self._log)

    def _lost(self) -> StoreLost:
        if is_moved(self.path):
            return StoreLost(moved_away(self.path))
        if _identity(self.path) is None:
            return StoreLost(f"the database at {self.path} was removed while it was in use")
        return StoreLost(f"the database at {self.path}, or its -wal, is not the one in use")


class FileDatabase(peewee.SqliteDatabase):
    """A database in a file, which knows what its connections are to."""

    def __init__(self, files: Files, mode: str, **given: Any) -> None:
        super().__init__(
            f"{files.path.as_uri()}?mode={mode}", uri=True, factory=Connection, **given
        )
        self._files = files

    def _connect(self) -> Connection:
        above: Any = super()
        with self._files.changing:
            before = self._files.may_open()
            connection: Connection = above._connect()
            try:
                self._files.enter(connection, before)
            except BaseException:
                connection.close()
                raise
        return connection

    def _close(self, connection: Connection) -> None:
        with self._files.changing:
            connection.close()
            self._files.leave(connection)


def moved_copy(path: Path) -> Path:
    """Return where a copy is kept of a database that was moved to a server."""
    return path.with_name(f"{path.name}.moved")


def is_moved(path: Path) -> bool:
    """Tell whether a database was moved away, and nobody has put another in its place."""
    return not path.exists() and moved_copy(path).exists()


def moved_away(path: Path) -> str:
    """Return what is said of a database that was moved away."""
    return (
        f"the database at {path} was moved by `judge migrate`: name the new one in [store] url (or"
        " JUDGE_STORE_URL) and start the judge again"
    )


def remove_files(path: Path) -> None:
    """Take a database away from all who use it: each leaves it when he sees that."""
    for name in (path.name, f"{path.name}-wal", f"{path.name}-shm"):
        path.with_name(name).unlink(missing_ok=True)


def _identity(path: Path) -> _File | None:
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


_ALL: dict[Path, Files] = {}
_ALL_LOCK = threading.Lock()


def files_at(path: Path) -> Files:
    """Return the files of the database at a path."""
    with _ALL_LOCK:
        return _ALL.setdefault(path, Files(path))
