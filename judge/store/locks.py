"""Locks that end with their process.

There is the instance lock of a database file, and there are process numbers. The lock file next to
a database also records that a judge ran on it. If that database is gone, no mail is stored in an
empty one.
"""

import fcntl
import os
import time
import weakref
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from io import FileIO
from itertools import chain, count
from pathlib import Path
from typing import Any, NamedTuple

import peewee

from judge.errors import JudgeError, StoreError, StoreTrouble
from judge.folders import make_folder
from judge.store.sqlite_files import is_database_file, is_moved, moved_away

_STARTING = "starting"
"""Suffix of the number of a process that has no database yet."""
_WAITS = 0.0, 0.05, 0.1
"""Seconds before each try to lock the file.

`is_served` may lock it for an instant.
"""
RECONNECT_SECONDS = 10
"""Seconds after a start of PostgreSQL in which no process is taken for exited.

The start ended all sessions, and processes that still run reconnect within a few seconds.
"""
_SESSION_SETTINGS = """
SET tcp_keepalives_idle = 60;
SET tcp_keepalives_interval = 20;
SET tcp_keepalives_count = 3;
SET tcp_user_timeout = '120s';
SET client_min_messages = 'error'
"""
_KEY = "hashtextextended('judge ' || current_schema() || ' held ' || %s, 0)"


class AlreadyRuns(JudgeError):
    """Raised when another process holds the instance lock."""


class Instance(NamedTuple):
    """The instance lock of this process."""

    handle: int
    """Handle of the lock file, or -1 for a database in memory or on a server."""
    command: str
    had_database: bool
    """True if a judge ran on a database here before."""

    def note_database(self) -> None:
        """Record that there is a database."""
        if self.handle >= 0:
            _write(self.handle, f"{os.getpid()} {self.command}")


@contextmanager
def lock_instance(database: Path | None, command: str) -> Iterator[Instance]:
    """Lock a database for the one process that receives mail.

    A database on a server needs no such lock. Only the lock (flock) counts. The file stays, so
    there is nothing to clean up after a crash. It names the process and its *command*.

    Raises:
        AlreadyRuns: another process has the lock.
    """
    if database is None:
        yield Instance(-1, command, False)
        return
    make_folder(lock_path(database).parent)
    with _open_lock(database) as file:
        handle = file.fileno()
        text = _read(handle)
        if not any(_try_lock(handle, wait) for wait in _WAITS):
            raise AlreadyRuns(
                f"a judge already runs on this database (pid {text.partition(' ')[0] or 'unknown'})"
                "; `judge mail` talks to it"
            )
        instance = Instance(handle, command, _had_database(text))
        _write(handle, f"{os.getpid()} {command if instance.had_database else _STARTING}")
        yield instance


def is_served(database: Path | None) -> bool:
    """Return whether `judge serve` runs on a database file."""
    if database is None or not lock_path(database).exists():
        return False
    with _open_lock(database) as file:
        return _read(file.fileno()).endswith(" serve") and not _try_lock(file.fileno())


def lock_path(database: Path) -> Path:
    """Return the lock file of a database, the same for all links to that."""
    return database.resolve().with_suffix(".lock")


def require_existing(database: Path | None) -> None:
    """Check that the database is there if a judge ran on it before.

    An empty file is no database.

    Raises:
        StoreError: it is gone.
    """
    if database is None or is_database_file(database):
        return
    with suppress(FileNotFoundError):
        if _had_database(lock_path(database).read_text("ascii", "replace").strip()):
            raise database_gone(database)


def database_gone(database: Path) -> StoreError:
    """Return the error for a database that is gone where a judge ran."""
    if is_moved(database):
        return StoreError(moved_away(database))
    return StoreError(
        f"there is no database at {database}, where a judge ran before: put it back, or a copy of"
        " it (docs/run/operating.md); `judge serve --new` begins with an empty one"
    )


def note_database(database: Path | None) -> None:
    """Record that there is a database, unless that is recorded."""
    if database is None:
        return
    with _open_lock(database) as file:
        if not _had_database(_read(file.fileno())):
            _write(file.fileno(), "0")


def _had_database(text: str) -> bool:
    return bool(text) and not text.endswith(_STARTING)


def _open(path: Path) -> int:
    return os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)


def _open_lock(database: Path) -> FileIO:
    """Open the lock file of a database, unbuffered."""
    return FileIO(_open(lock_path(database)), "r+")


def _try_lock(handle: int, wait: float = 0.0) -> bool:
    time.sleep(wait)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


def _read(handle: int) -> str:
    return os.pread(handle, 40, 0).decode("ascii", "replace").strip()


def _write(handle: int, text: str) -> None:
    line = f"{text}\n".encode("ascii")
    os.pwrite(handle, line, 0)
    os.ftruncate(handle, len(line))


class ProcessNumbers:
    """Numbers of one kind locked by this process.

    It is the only one that uses the database.
    """

    def take(self, number: int) -> bool:
        """Lock a number. Return False if another process has it."""
        return True

    def release(self, number: int) -> None:
        """Unlock a number."""

    def has_owner_exited(self) -> bool:
        """Return whether the process that had a free number has exited for certain."""
        return True

    def is_lost(self) -> bool:
        """Return whether other processes may have the numbers of this one."""
        return False

    def close(self) -> None:
        """Unlock all numbers."""


class FileNumbers(ProcessNumbers):
    """Numbers locked by files next to the database."""

    def __init__(self, database: Path, kind: str) -> None:
        self._path = lock_path(database)
        self._kind = kind
        self._handles: dict[int, int] = {}

    def take(self, number: int) -> bool:
        """Lock a number. Return False if another process has it.

        Raises:
            StoreTrouble: the file cannot be opened, such as one made by root.
        """
        try:
            handle = _open(self._path.with_suffix(f".{self._kind}-{number}.lock"))
        except OSError as fault:
            raise StoreTrouble(f"{fault.filename}: {fault.strerror}") from fault
        if not _try_lock(handle):
            os.close(handle)
            return False
        self._handles[number] = handle
        return True

    def release(self, number: int) -> None:
        """Unlock a number."""
        os.close(self._handles.pop(number))

    def close(self) -> None:
        """Unlock all numbers."""
        for number in list(self._handles):
            self.release(number)


class SessionNumbers(ProcessNumbers):
    """Numbers locked by a PostgreSQL session of their own (pg_advisory_lock).

    The connection for statements is closed after any fault, while letters are being sent. A process
    that exits loses its numbers at once. One that is cut off keeps them for two minutes, in which
    it may still send its letters.
    """

    def __init__(self, name: str, kind: str, connect: Callable[[], Any]) -> None:
        self._name = name
        self._kind = kind
        self._connect = connect
        self._connection: Any = None
        self._close_connection: Callable[[], object] = lambda: None

    def take(self, number: int) -> bool:
        """Lock a number. Return False if another process has it.

        Raises: StoreTrouble when the server cannot be reached. All numbers may be lost then.
        """
        return bool(self._query(f"SELECT pg_try_advisory_lock({_KEY})", f"{self._kind} {number}"))

    def release(self, number: int) -> None:
        """Unlock a number."""
        self._query(f"SELECT pg_advisory_unlock({_KEY})", f"{self._kind} {number}")

    def has_owner_exited(self) -> bool:
        """Return whether the process that had a free number has exited for certain."""
        up = "now() - pg_postmaster_start_time() > make_interval(secs => %s)"
        return bool(self._query(f"SELECT {up}", RECONNECT_SECONDS))

    def is_lost(self) -> bool:
        """Return whether the connection is gone, and with it all numbers."""
        with suppress(StoreTrouble):
            return self._connection is None or self._query("SELECT 1 + %s", 0) is None
        return True

    def close(self) -> None:
        """Unlock all numbers."""
        self._connection = None
        self._close_connection()

    def _query(self, statement: str, value: object) -> object:
        """Return the value of a query. Close a connection that fails."""
        try:
            # peewee translates the driver's exceptions only in its own calls.
            with peewee.__exception_wrapper__:  # type: ignore[attr-defined]
                if self._connection is None:
                    self._connection = connection = self._connect()
                    # With `__del__` the connection's own finalizer could run first, while open.
                    self._close_connection = weakref.finalize(self, _close, connection)
                    connection.execute(_SESSION_SETTINGS)
                found: tuple[object] = self._connection.execute(statement, (value,)).fetchone()
                return found[0]
        except peewee.PeeweeException as fault:
            self.close()
            raise StoreTrouble(f"the locks of {self._name} failed: {first_line(fault)}") from fault


def first_line(fault: Exception) -> str:
    """Return the first line of a fault, without the server's hints."""
    return str(fault).strip().partition("\n")[0]


def _close(connection: Any) -> None:
    with suppress(Exception):
        connection.close()


class SenderNumber:
    """The number under which a sender claims letters.

    No other sender has it. The lowest free number is taken, so that numbers do not grow with
    each start.
    """

    def __init__(self, numbers: ProcessNumbers) -> None:
        self._numbers = numbers
        self.number = 0
        """0 without a lock."""
        self._last, self._is_back = 0, False

    def take(self) -> bool:
        """Take a number. Return False if there is one already.

        Raises:
            OSError: there can be no lock file next to the database.
            StoreTrouble: the database cannot be used now.
        """
        if self.number:
            return False
        # A sender that reconnects takes its last number if that is free.
        wanted = chain([self._last] if self._last else (), count(1))
        self.number = next(filter(self._numbers.take, wanted))
        self._is_back, self._last = self.number == self._last, self.number
        return True

    def had_owner_exited(self) -> bool:
        """Return whether the last sender with this number has exited, or was this one."""
        return self._is_back or self._numbers.has_owner_exited()

    def is_lost(self) -> bool:
        """Return whether the number was lost: others may send what was claimed under it."""
        if not self.number or not self._numbers.is_lost():
            return False
        self.number = 0
        return True

    @contextmanager
    def check_owner_exited(self, number: int) -> Iterator[bool]:
        """Yield whether the sender with a number has exited.

        The number stays locked inside the block.

        Raises:
            OSError, StoreTrouble: that cannot be determined.
        """
        mine = self._numbers
        if number == self.number or not (mine.has_owner_exited() and mine.take(number)):
            yield False
            return
        try:
            yield True
        finally:
            mine.release(number)

    def close(self) -> None:
        """Release the number."""
        self._numbers.close()
        self.number = 0
