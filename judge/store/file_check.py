"""Check that the files of an open database are still the ones that were opened.

Writes to a file that was removed or replaced are lost, and no call reports that. Writes over a file
damage it unnoticed. So the files are checked around each transaction. Once one of them is lost the
process only writes a rescue copy and ends. It closes no connection then: the last one to close
would copy the log into the database, and remove the log by its name, whichever file that is.
"""

import os
import sqlite3
import threading
import time
from pathlib import Path
from typing import Any
from weakref import WeakSet

import peewee

from judge.errors import StoreLost
from judge.store import sqlite_files
from judge.store.rescue import write_rescue

_RETRIES, _RETRY_SECONDS = 6, 0.002
"""Number of checks until a difference counts.

Another process may change the files during one.
"""
_Frame = tuple[bytes, int, bytes]
"""Cycle of the log, frame number, octets of the frame."""


class Connection(sqlite3.Connection):
    """Connection that closes at once and can be referenced weakly.

    SQLite defers the closing while a cursor has unread rows. The locks of such a connection would
    end with the handles of `_Opened`.
    """

    def __init__(self, *given: Any, **named: Any) -> None:
        super().__init__(*given, **named)
        self._cursors: WeakSet[sqlite3.Cursor] = WeakSet()

    def cursor(self, *given: Any, **named: Any) -> Any:
        """Return a new cursor, which is tracked."""
        made = super().cursor(*given, **named)
        self._cursors.add(made)
        return made

    def execute(self, *given: Any) -> Any:
        """Execute a statement by a tracked cursor."""
        return self.cursor().execute(*given)

    def close(self) -> None:
        """Close all cursors and the connection."""
        for each in list(self._cursors):
            each.close()
        super().close()


class _Opened:
    """Handles of the opened files, closed after the last connection.

    To close one earlier would end SQLite's locks on it (POSIX locks belong to the process).
    """

    def __init__(self, path: Path) -> None:
        self.paths = sqlite_files.files_of(path)
        self.handles: list[int] = []
        try:
            for each in self.paths:
                self.handles.append(os.open(each, os.O_RDONLY | os.O_CLOEXEC))
        except OSError:
            self.close()
            raise
        self.identities = [(os.fstat(one).st_dev, os.fstat(one).st_ino) for one in self.handles]

    def close(self) -> None:
        for handle in self.handles:
            os.close(handle)

    def missing(self) -> str:
        """Return a message about a file that is not the opened one, or ""."""
        for each, opened in zip(self.paths, self.identities):
            found = sqlite_files.identity(each)
            if found is None:
                return f"{each} was removed while it was in use"
            if found != opened:
                return f"{each} was replaced by another file while it was in use"
        return ""

    def header(self) -> sqlite_files.Header | None:
        return sqlite_files.parse_header(os.pread(self.handles[0], sqlite_files.HEADER_OCTETS, 0))

    def stat(self, number: int = 0) -> os.stat_result:
        """Return the state of the database file, or of another one."""
        return os.fstat(self.handles[number])

    def index(self) -> sqlite_files.LogIndex | None:
        return sqlite_files.parse_index(os.pread(self.handles[2], sqlite_files.INDEX_OCTETS, 0))

    def salts(self) -> bytes:
        """Return the salts of the cycle that the header of the log names."""
        return os.pread(self.handles[1], sqlite_files.LOG_HEADER_OCTETS, 0)[16:24]

    def frame(self, index: sqlite_files.LogIndex, number: int) -> bytes:
        """Return a frame of the log, header and page.

        It is shorter if the log ends within it.
        """
        size = sqlite_files.FRAME_HEADER_OCTETS + index.page_size
        return os.pread(self.handles[1], size, index.frame_offset(number))


class FileCheck:
    """Check of one database, shared by all connections of this process."""

    def __init__(self, path: Path) -> None:
        self.path = path
        self.changing = threading.Lock()
        """Locked while a connection opens or closes."""
        self.writing = threading.Lock()
        """Locked by the thread that writes."""
        self.loss: StoreLost | None = None
        """Loss of the database, or None. No statement is executed after it."""
        self.committed = 0
        """Highest commit count of this process."""
        self.abandoned: list[object] = []
        """Connections that must not be closed any more."""
        self._lock = threading.Lock()
        self._rescuing = threading.Lock()
        self._is_rescued = False
        self._connections: WeakSet[Connection] = WeakSet()
        self._opened: _Opened | None = None
        self._header = sqlite_files.Header(0, 0)
        self.mark = 0
        """Mark of this database, or 0 if it has none yet."""
        self._size = self._written = self._log_size = 0
        self._index: sqlite_files.LogIndex | None = None
        self._last: _Frame | None = None

    @property
    def is_open(self) -> bool:
        """True if a connection of this process has the files open."""
        return bool(self._connections)

    def check_start(self) -> None:
        """Check that the files may be opened, unless this process has them open.

        Reading them while they are open would end the locks of its connections.

        Raises:
            StoreLost, StoreRefused: they may not be opened.
        """
        with self.changing:
            self.before_opening()

    def before_opening(self) -> tuple[int, int] | None:
        """Return the identity of the database file before a connection opens it.

        Raises:
            StoreLost: the database was lost.
            StoreRefused: it must not be opened before the operator has decided.
        """
        self.raise_loss()
        if not self._connections:
            # Connections of threads that ended were not closed by `unregister`.
            self._forget()
            sqlite_files.check_start(self.path)
        return sqlite_files.identity(self.path)

    def register(self, connection: Connection, before: tuple[int, int] | None) -> None:
        """Add a connection that has just been opened.

        Raises:
            StoreLost: its files are not those of the other connections.
        """
        # SQLite opens the log when a connection first reads.
        [(mark,)] = connection.execute("PRAGMA application_id").fetchall()
        connection.execute("SELECT COUNT(*) FROM sqlite_master").fetchone()
        if self._opened is None:
            self._begin(mark % 2**32, before)
        self._connections.add(connection)
        self.check()

    def _begin(self, mark: int, before: tuple[int, int] | None) -> None:
        try:
            opened = _Opened(self.path)
        except OSError as fault:
            raise self.lose(f"{fault.filename} was removed while it was opened") from fault
        header = opened.header()
        if header is None or opened.identities[0] != before:
            opened.close()
            raise self.lose(f"{self.path} was replaced while it was opened")
        self._opened, self._header, self.mark = opened, header, mark
        self._size, self._index, self._last = opened.stat().st_size, None, None
        self._log_size = 0
        self._written = opened.stat().st_mtime_ns
        self.committed = header.commits

    def _forget(self) -> None:
        """Close the handles of this process."""
        if self._opened is not None:
            self._opened.close()
        self._opened = None

    def unregister(self, connection: Connection) -> None:
        """Close a connection, and check once more after the last one of this process.

        Raises:
            StoreLost: the files were lost while incomplete, and no connection is left to read.
        """
        if self.loss is not None:
            self.abandoned.append(connection)
            return
        if len(self._connections) > 1 or self._opened is None:
            self._connections.discard(connection)
            connection.close()
            return
        try:
            self.check()
        except StoreLost:
            self.abandoned.append(connection)
            raise self.rescue(connection) from None
        opened = self._opened
        with self._lock:
            # SQLite removes the log now: no other thread may find it missing.
            self._connections.discard(connection)
        connection.close()
        try:
            header = opened.header()
            present = [*map(sqlite_files.identity, opened.paths[:2])]
            # SQLite removes a log that it has copied.
            if header and not sqlite_files.is_behind(header.commits, self.committed):
                present[1] = opened.identities[1]
            is_there = present == opened.identities[:2]
        finally:
            self._forget()
        if not is_there:
            raise self.lose(f"{self.path} was lost while it was closed")

    def rescue(self, connection: Any) -> StoreLost:
        """Return the loss with the result of the rescue.

        The first call writes a rescue copy.
        """
        with self._rescuing:
            assert self.loss is not None
            is_moved = sqlite_files.is_moved(self.path)
            if not self._is_rescued and self._opened is not None and not is_moved:
                told = write_rescue(self.path, connection, is_whole=not self.loss.is_overwritten)
                self.loss = StoreLost(f"{self.loss}; {told}", self.loss.is_overwritten)
            self._is_rescued = True
            return self.loss

    def raise_loss(self) -> None:
        """Raise the loss if the database was lost."""
        if self.loss is not None:
            raise StoreLost(str(self.loss), self.loss.is_overwritten)

    def lose(self, reason: str, is_overwritten: bool = False) -> StoreLost:
        """Record that the database is lost. Return the loss that was recorded first."""
        if self.loss is None:
            if sqlite_files.is_moved(self.path):
                reason = sqlite_files.moved_away(self.path)
            self.loss = StoreLost(reason, is_overwritten)
        return self.loss

    def check(self) -> None:
        """Check the files.

        Raises:
            StoreLost: one of them was removed, replaced, truncated or written over.
        """
        with self._lock:
            self.raise_loss()
            if self._opened is None or not self._connections:
                return
            for _ in range(_RETRIES):
                if reason := self._opened.missing():
                    raise self.lose(reason)
                if not (reason := self._difference(self._opened)):
                    return
                time.sleep(_RETRY_SECONDS)
            raise self.lose(reason, is_overwritten=True)

    def check_undecided(self) -> None:
        """Check that no other process has found the database lost.

        Raises:
            StoreLost: there is a rescue copy.
        """
        if copies := sqlite_files.rescue_copies(self.path):
            # The files of this process are unchanged: there is nothing to rescue.
            self._is_rescued = True
            raise self.lose(f"{copies[0]} waits for a decision (`judge restore`)")

    def check_copied(self) -> None:
        """Check the database after a checkpoint that has copied all commits.

        Raises:
            StoreLost: it was overwritten.
        """
        self.check()
        opened, index = self._opened, self._index
        if opened is None or index is None or index.copied < index.frames:
            return
        header = opened.header()
        is_old = header is None or sqlite_files.is_behind(header.commits, self.committed)
        if is_old or opened.stat().st_size < index.pages * index.page_size:
            raise self.lose(f"{self.path} was written over while it was in use", True)

    def check_count(self, count: int) -> None:
        """Check that the database file is not newer than what SQLite reads.

        Raises:
            StoreLost: it is.
        """
        if self._opened is not None and sqlite_files.is_behind(count, self._header.commits):
            raise self.lose(f"{self.path} was written over while it was in use", True)

    def count_uncopied_frames(self) -> int:
        """Return the number of log frames that are not in the database yet."""
        return 0 if self._index is None else self._index.frames - self._index.copied

    def _difference(self, opened: _Opened) -> str:
        """Return a message about wrong content of the files, or "".

        If the content is right it becomes the state that the next check compares with.
        """
        # The log is read first: if a checkpoint ends in between, the next try sees both.
        index, written = opened.index(), opened.stat().st_mtime_ns
        header, size = opened.header(), opened.stat().st_size
        if header is None or not self._is_marked(header):
            return f"{self.path} was written over while it was in use"
        if sqlite_files.is_behind(header.commits, self._header.commits):
            return f"{self.path} was written over by an older state while it was in use"
        if index is None:
            # SQLite rebuilds the index from the log at the next read.
            return ""
        if written != self._written and self._index and not index.explains_write(self._index):
            return f"{self.path} was written over while it was in use"
        pages = index.pages * index.page_size
        if size < (min(self._size, pages) if pages else self._size):
            return f"{self.path} was truncated while it was in use"
        frame = opened.frame(index, index.frames) if index.frames else b""
        log_size = opened.stat(1).st_size
        if log_size < self._log_size and self._is_cut(index, log_size):
            return f"{opened.paths[1]} was truncated while it was in use"
        if not self._holds(opened, index, frame):
            return f"{opened.paths[1]} was truncated or written over while it was in use"
        self._header, self._size, self._index, self._written = header, size, index, written
        self.mark, self._log_size = self.mark or header.mark, log_size
        self._last = (index.salts, index.frames, frame) if index.frames else None
        return ""

    def _is_marked(self, header: sqlite_files.Header) -> bool:
        """Return whether the database file has its mark, or none as long as it had none."""
        known = self.mark, self._header.mark
        return header.mark in known or not any(known)

    def _is_cut(self, index: sqlite_files.LogIndex, log_size: int) -> bool:
        """Return whether a log that is shorter than before was cut.

        The judge never shortens it. Others may (`wal_checkpoint(TRUNCATE)`), by beginning a new
        cycle in an empty file.
        """
        is_same = self._last is not None and self._last[0] == index.salts
        return is_same or log_size > index.frame_offset(index.frames + 1)

    def _holds(self, opened: _Opened, index: sqlite_files.LogIndex, frame: bytes) -> bool:
        """Return whether the log contains its last frame, and that of the previous check.

        A log that was truncated and written to again has a hole where the latter was.
        """
        if not index.frames:
            return True
        is_whole = len(frame) == sqlite_files.FRAME_HEADER_OCTETS + index.page_size
        if not is_whole or not opened.salts() == index.salts == frame[8:16]:
            return False
        if tuple(int.from_bytes(frame[at:at + 4]) for at in (16, 20)) != index.checksum:
            return False
        if self._last is None or self._last[0] != index.salts:
            return True
        _, number, known = self._last
        return number <= index.frames and opened.frame(index, number) == known


class FileDatabase(peewee.SqliteDatabase):
    """Database in a file. Its connections are checked together."""

    def __init__(self, files: FileCheck, mode: str, **given: Any) -> None:
        super().__init__(
            f"{files.path.as_uri()}?mode={mode}", uri=True, factory=Connection, **given
        )
        self._files = files

    def _connect(self) -> Any:
        above: Any = super()
        with self._files.changing:
            before = self._files.before_opening()
            connection = above._connect()
            try:
                self._files.register(connection, before)
            except StoreLost:
                self._files.abandoned.append(connection)
                raise
            except BaseException:
                connection.close()
                raise
        return connection

    def _close(self, connection: Any) -> None:
        with self._files.changing:
            self._files.unregister(connection)


_ALL: dict[Path, FileCheck] = {}
_ALL_LOCK = threading.Lock()


def check_of(path: Path) -> FileCheck:
    """Return the check of the database at a path."""
    with _ALL_LOCK:
        return _ALL.setdefault(path, FileCheck(path))
