"""SQLite: the file, its pragmas, the turns of its writers, and the copies kept of it."""

import logging
import os
import sqlite3
import threading
from collections.abc import Callable, Generator, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import Any

import peewee

from judge.errors import StoreError, StoreLost, StoreTrouble
from judge.folders import make_folder
from judge.store.backup import copy_connection, copy_database
from judge.store.engine import Engine
from judge.store.files import FileDatabase, files_at, is_moved, moved_away
from judge.store.news import News
from judge.store.write_lock import write_lock_at

log = logging.getLogger("judge.store")

SCHEME = "sqlite:///"
MEMORY = ":memory:"
BUSY_MS = 10_000
"""How long a connection waits for another writer before it gives up."""

PRAGMAS = {
    "busy_timeout": BUSY_MS,
    "journal_mode": "wal",
    # WAL is remembered by the file, the kind of sync by nobody: FULL is set on every connection,
    # since NORMAL may forget the last commits when the power fails.
    "synchronous": "full",
    "foreign_keys": 1,
}


class _Told(threading.local):
    """What a thread announces when its transaction is committed."""

    def __init__(self) -> None:
        self.words: set[str] = set()


class Sqlite(Engine):
    """A database in a file, or in memory: that one belongs to the one thread that opened it (each
    connection would see a database of its own)."""

    database: peewee.SqliteDatabase

    def __init__(self, where: str) -> None:
        # Resolved: SQLite keeps its log beside the file itself, whatever names lead to it.
        self.path = None if where == MEMORY else Path(where).resolve()
        self.name = f"the database at {self.path or 'memory'}"
        self._turns = None if self.path is None else write_lock_at(self.path)
        self._news = None if self.path is None else News(self.path)
        self._told = _Told()
        self.files = None if self.path is None else files_at(self.path)
        self.database = (
            peewee.SqliteDatabase(MEMORY, pragmas=PRAGMAS, timeout=BUSY_MS // 1000)
            if self.files is None
            # mode=rw: a connection never makes a file by itself, so that a lost one is noticed.
            else FileDatabase(
                self.files, pragmas=PRAGMAS, timeout=BUSY_MS // 1000, mode="rw"
            )
        )

    def prepare(self, create: bool) -> None:
        """See that the file is there; with `create` the folder (0700) and the file (0600) are made.

        An empty file is no database either.
        """
        if self.path is not None:
            if create:
                _make_file(self.path)
            elif not is_there(self.path):
                raise StoreError(
                    moved_away(self.path) if is_moved(self.path)
                    else f"there is no database at {self.path}"
                )

    @contextmanager
    def writing(self, patience: float) -> Iterator[None]:
        """Begin as a writer (BEGIN IMMEDIATE); the threads of a process come in the order in which
        they asked."""
        if self._turns is None:
            with self.database.atomic("IMMEDIATE"):
                yield
            return
        if not self._turns.take(patience):
            raise StoreTrouble(f"{self.name} failed: locked by another thread")
        self._told.words.clear()
        try:
            with self.database.atomic("IMMEDIATE"):
                yield
            self.look()
        finally:
            self._turns.give()
        self._tell()

    def announce(self, news: str) -> None:
        """Tell other processes of this machine, once the transaction is committed."""
        self._told.words.add(news)
        if not self.database.in_transaction():
            self._tell()

    def _tell(self) -> None:
        words, self._told.words = self._told.words, set()
        if words and self._news is not None:
            self._news.tell(words)

    def news(self, is_over: Callable[[], bool]) -> Generator[str, None, None]:
        """Yield what other processes of this machine announce, until it is over."""
        if self._news is not None:
            yield from self._news.heard(is_over)

    def hush(self) -> None:
        """Have `news` see at once whether it is over."""
        if self._news is not None:
            self._news.hush()

    def keep_copy(self, step: str) -> None:
        """Keep a copy beside the file; nobody can write meanwhile, so that it holds everything."""
        if self.path is not None:
            copy = _free_name(self.path.with_name(f"{self.path.name}.before-{step}"))
            copy_database(self.path, copy)
            log.warning("a newer form of the database; as it was before it is kept in %s", copy)

    def look(self) -> None:
        """See that the files this thread reads and writes are still the database.

        The first who sees that they are not keeps a copy of what they hold: once all have closed
        them, it is gone.
        """
        if self.files is None:
            return
        try:
            self.files.look()
        except StoreLost as fault:
            if not self.files.may_rescue():
                raise
            raise StoreLost(f"{fault}; {self._rescue()}") from fault

    def _rescue(self) -> str:
        """Copy what the connection of this thread sees; return what became of that."""
        assert self.path is not None
        copy = _free_name(self.path.with_name(f"{self.path.name}.lost"))
        connection: Callable[[], sqlite3.Connection] = self.database.connection
        try:
            copy_connection(connection(), copy)
        except StoreError as fault:
            return f"what it held could not be copied: {fault}"
        return f"what it held is copied to {copy}"

    def inserted(self, statement: str, values: Sequence[object], many: int) -> list[int]:
        """Insert rows; there is one writer, so that those of a statement follow each other."""
        execute: Callable[..., sqlite3.Cursor] = self.database.execute_sql
        last = int(execute(statement, values).lastrowid or 0)
        return list(range(last - many + 1, last + 1))

    def health(self) -> str:
        """Return what SQLite's own quick check says."""
        return str(self.pragma("quick_check"))

    def octets(self) -> int:
        """Return how large the file is, or would be."""
        return int(self.pragma("page_count")) * int(self.pragma("page_size"))

    def pragma(self, name: str) -> Any:
        """Return a setting of this thread's connection."""
        return self.database.pragma(name)


def _free_name(path: Path) -> Path:
    """Return a path nothing is at: this one, or it with a number."""
    names = chain([path], (path.with_name(f"{path.name}.{n}") for n in count(2)))
    return next(name for name in names if not name.exists())


def is_there(path: Path) -> bool:
    """Tell whether there is something at a path that can be a database: no empty file is one."""
    return path.is_file() and path.stat().st_size > 0


def _make_file(path: Path) -> None:
    """Make the database file and its folder, readable by nobody else: it holds letters.

    One that is there is left alone: to open and close it would let go of the locks that SQLite
    holds on it in this process.
    """
    try:
        make_folder(path.parent)
        with suppress(FileExistsError):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC, 0o600))
    except OSError as fault:
        raise StoreError(f"the database at {path} cannot be made: {fault.strerror}") from fault
