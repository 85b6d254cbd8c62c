"""SQLite engine: the file, its pragmas, its writers, and its copies."""

import errno
import logging
import os
import tempfile
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import AbstractContextManager, ExitStack, contextmanager, nullcontext, suppress
from pathlib import Path
from typing import Any

import peewee

from judge.errors import StoreError, StoreLost, StoreRefused, StoreTrouble
from judge.folders import make_folder
from judge.store import sqlite_files
from judge.store.backup import copy_database
from judge.store.engine import Engine
from judge.store.file_check import FileDatabase, check_of
from judge.store.locks import FileNumbers, ProcessNumbers
from judge.store.rescue import new_mark

log = logging.getLogger("judge.store")

SCHEME = "sqlite:///"
MEMORY = ":memory:"
BUSY_MS = 10_000
"""Milliseconds a connection waits for another writer."""
_POLL_SECONDS = 0.002
"""Seconds between two tries to begin while another process writes."""
CHECKPOINT_FRAMES = 1000
"""Number of log frames that starts a checkpoint (SQLite's default)."""
_CORRUPT, _IO_ERROR, _NOT_A_DATABASE = 11, 10, 26
_TEMPORARY_IO = {10 | more << 8 for more in (12, 19)}
"""Temporary I/O errors: out of memory, or no space for the index of the log."""
_WRITE_FAILED = 10 | 3 << 8
"""I/O error of a write, also reported when a quota or a limit is reached."""
_FULL = {errno.ENOSPC, errno.EDQUOT, errno.EFBIG}

PRAGMAS = {
    "busy_timeout": BUSY_MS,
    "journal_mode": "wal",
    # WAL is stored in the file, but the sync mode is not. FULL is set on every connection, since
    # NORMAL may lose the last commits in a power failure.
    "synchronous": "full",
    "foreign_keys": 1,
    # `Sqlite.begin` makes the checkpoints, and checks the files before and after.
    "wal_autocheckpoint": 0,
    # Some builds of SQLite shorten the log by themselves.
    "journal_size_limit": -1,
}


class Sqlite(Engine):
    """Database in a file or in memory.

    One in memory belongs to the thread that opened it, because each connection would have its own.
    """

    database: peewee.SqliteDatabase

    def __init__(self, where: str) -> None:
        # The path is resolved, because SQLite keeps its log next to the file, not next to a link.
        self.path = None if where == MEMORY else Path(where).resolve()
        self.name = f"the database at {self.path or 'memory'}"
        self._version: object = None
        self.files = None if self.path is None else check_of(self.path)
        self.database = (
            peewee.SqliteDatabase(MEMORY, pragmas=PRAGMAS, timeout=BUSY_MS // 1000)
            if self.files is None
            # mode=rw: a connection never makes a file by itself, so that a lost one is noticed.
            else FileDatabase(self.files, pragmas=PRAGMAS, timeout=BUSY_MS // 1000, mode="rw")
        )

    def prepare(self, create: bool) -> None:
        """Check that the file exists, or make it with *create*.

        The folder is made with mode 0700, the file with 0600. An empty file is no database.
        """
        if self.files is not None and self.path is not None:
            if not create and sqlite_files.is_moved(self.path):
                raise StoreError(sqlite_files.moved_away(self.path))
            self.files.check_start()
            if create:
                _make_file(self.path)
            elif not sqlite_files.is_database_file(self.path):
                raise StoreError(
                    f"there is no database at {self.path}: start the judge once (`judge serve`), "
                    "or check [store] url in the configuration"
                )

    @contextmanager
    def begin(
        self, patience: float, kind: str = "", most: int = CHECKPOINT_FRAMES
    ) -> Iterator[None]:
        """Begin as the only writer (BEGIN IMMEDIATE), and wait for other writers.

        A log of at least `most` frames is copied into the database afterwards.
        """
        if self.files is None:
            with self.database.atomic("IMMEDIATE"):
                yield
            return
        if not self.files.writing.acquire(timeout=patience):
            raise StoreTrouble(f"{self.name} failed: locked by another thread")
        try:
            self.files.check()
            with self._begun(patience):
                before = self._connection().total_changes
                yield
                count = self._count(before)
            self.files.committed = count
            self.files.check()
            self._checkpoint(most)
        except StoreLost:
            raise self._write_rescue_copy() from None
        except peewee.PeeweeException as fault:
            if loss := self.find_loss(fault):
                raise loss from fault
            raise
        finally:
            self.files.writing.release()

    @contextmanager
    def _begun(self, patience: float) -> Iterator[None]:
        """Begin once no other process writes.

        SQLite itself waits in steps that grow to a tenth of a second, so that one of two busy
        processes could wait for ever.
        """
        execute, until = self._connection().execute, time.monotonic() + patience
        with ExitStack() as begun:
            execute("PRAGMA busy_timeout = 0")
            try:
                while True:
                    try:
                        begun.enter_context(self.database.atomic("IMMEDIATE"))
                        break
                    except peewee.OperationalError as fault:
                        if "locked" not in str(fault) or time.monotonic() >= until:
                            raise
                    time.sleep(_POLL_SECONDS)
            finally:
                execute(f"PRAGMA busy_timeout = {BUSY_MS}")
            yield

    def statement(self) -> AbstractContextManager[None]:
        """Return a transaction for one writing statement, unless one is open."""
        if self.files is None or self.database.in_transaction():
            return nullcontext()
        return self.begin(BUSY_MS / 1000)

    def _count(self, before: int) -> int:
        """Increment the transaction count in the header, if a row was changed.

        Raises:
            StoreLost: the database file is ahead of what is read.
        """
        assert self.files is not None
        [(count,)] = self._execute("PRAGMA user_version").fetchall()
        count %= sqlite_files.COUNT_LIMIT
        self.files.check_count(count)
        if self._connection().total_changes != before:
            count = (count + 1) % sqlite_files.COUNT_LIMIT
            self._execute(f"PRAGMA user_version = {count}")
        return int(count)

    def _checkpoint(self, least: int) -> None:
        """Copy the log into the database once it is long, while no other thread writes.

        A failure does not affect what was committed.
        """
        files = self.files
        if files is None or files.count_uncopied_frames() < least:
            return
        try:
            self._execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()
        except peewee.PeeweeException as fault:
            if loss := self.find_loss(fault):
                raise loss from fault
            log.warning("the log of %s is not copied into it: %s", self.name, fault)
            return
        files.check_copied()

    def mark_database(self) -> None:
        """Set the mark of the database, which distinguishes its files from others."""
        if self.files is None or self.pragma("application_id"):
            return
        with self.begin(BUSY_MS / 1000, most=0):
            if not self.pragma("application_id"):
                self.pragma(f"application_id = {new_mark()}")
            self.files.mark = int(self.pragma("application_id"))

    def has_changed(self) -> bool:
        """Return whether another connection has committed since the last call."""
        before, self._version = self._version, self.pragma("data_version")
        return before not in (None, self._version)

    def numbers(self, kind: str) -> ProcessNumbers:
        """Return the locks of numbers of a kind, by files next to the database."""
        return FileNumbers(self.path, kind) if self.path else ProcessNumbers()

    def keep_copy(self, step: str) -> None:
        """Copy the file before a migration. No other process can write during the copy."""
        if self.path is not None:
            copy = sqlite_files.free_name(self.path.with_name(f"{self.path.name}.before-{step}"))
            copy_database(self.path, copy)
            log.warning("a newer form of the database; as it was before it is kept in %s", copy)

    def check(self) -> None:
        """Check the files while nothing is written to them.

        Raises:
            StoreLost: they are no longer those of the database, or another process has found that.
        """
        if self.files is None:
            return
        try:
            self.files.check()
        except StoreLost:
            raise self._write_rescue_copy() from None
        self.files.check_undecided()

    def find_loss(self, fault: BaseException) -> StoreLost | StoreRefused | None:
        """Return the loss that a fault shows.

        Return None for other faults, such as a full disk or a lock of another process. A database
        that is damaged when it is first opened is refused: this process has lost nothing.
        """
        files = self.files
        if files is None or (files.loss is None and not _is_damage(fault, files.path)):
            return None
        if files.loss is None and not files.is_open:
            return StoreRefused(
                f"{self.name} failed: {fault}; `judge restore FILE` puts a backup in its"
                " place, and the file aside"
            )
        # A change of the files explains more than the fault that SQLite reports.
        with suppress(StoreLost):
            files.check()
        lost = files.lose(f"{self.name} failed: {fault}")
        return lost if self.database.in_transaction() else self._write_rescue_copy()

    def _write_rescue_copy(self) -> StoreLost:
        """Return the loss. The first thread writes a rescue copy by its connection."""
        assert self.files is not None and self.files.loss is not None
        if self.database.is_closed():
            return self.files.loss
        return self.files.rescue(self._connection())

    def insert_rows(self, statement: str, values: Sequence[object], many: int) -> list[int]:
        """Insert rows. There is one writer, so that their ids are consecutive."""
        last = int(self._execute(statement, values).lastrowid or 0)
        return list(range(last - many + 1, last + 1))

    def health(self) -> str:
        """Return the result of SQLite's quick check."""
        return str(self.pragma("quick_check"))

    def size_bytes(self) -> int:
        """Return the size of the database in octets."""
        return int(self.pragma("page_count")) * int(self.pragma("page_size"))

    def pragma(self, name: str) -> Any:
        """Return a pragma of this thread's connection."""
        pragma: Callable[[str], Any] = self.database.pragma
        return pragma(name)


def _is_damage(fault: BaseException | None, path: Path) -> bool:
    """Return whether a fault or its cause shows a damaged database or disk."""
    while fault is not None:
        code = getattr(fault, "sqlite_errorcode", None) or 0
        if code & 0xFF in (_CORRUPT, _IO_ERROR, _NOT_A_DATABASE) and code not in _TEMPORARY_IO:
            return code != _WRITE_FAILED or not _is_full(path)
        fault = fault.__cause__ or fault.__context__
    return False


def _is_full(path: Path) -> bool:
    """Return whether the disk is full, or no file may grow as long as the log."""
    try:
        longest = max(file.stat().st_size for file in (path, sqlite_files.log_of(path)))
        with tempfile.TemporaryFile(dir=path.parent) as probe:
            os.pwrite(probe.fileno(), bytes(4096), longest)
    except OSError as fault:
        return fault.errno in _FULL
    return False


def _make_file(path: Path) -> None:
    """Make the database file and its folder, accessible to the owner only.

    An existing file is left alone. Opening and closing it would release the locks that SQLite has
    on it in this process.
    """
    try:
        make_folder(path.parent)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as fault:
        raise StoreError(f"the database at {path} cannot be made: {fault.strerror}") from fault
