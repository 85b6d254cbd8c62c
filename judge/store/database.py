"""The database file: opened, given its pragmas, written to in transactions, and copied."""

import logging
import os
import sqlite3
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from itertools import chain, count
from pathlib import Path
from typing import Any

import peewee

from judge.errors import StoreError, StoreLost, StoreTrouble
from judge.folders import make_folder
from judge.store.backup import copy_connection, copy_database
from judge.store.files import FileDatabase, files_at
from judge.store.migrations import STEPS, migrate, missing_steps
from judge.store.write_lock import write_lock_at

# The library would log every statement with its values, and with them mails and their passwords.
logging.getLogger("peewee").setLevel(logging.INFO)

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


class Store:
    """One database, with one connection for each thread that uses it.

    The tables are not bound to a database: every query is handed the one it runs on, so that
    several stores can be open in one process. A store in memory belongs to the one thread that
    opened it (each connection would see a database of its own).

    >>> store = Store("sqlite:///:memory:")
    >>> store.open(create=True)
    >>> with store.transaction():
    ...     store.pragma("synchronous")
    2
    >>> store.close()
    """

    def __init__(self, url: str) -> None:
        if not url.startswith(SCHEME) or url == SCHEME:
            scheme = url.partition(":")[0]
            raise StoreError(f"a {scheme} database is not supported yet, only {SCHEME}path")
        where = url.removeprefix(SCHEME)
        # Resolved: SQLite keeps its log beside the file itself, whatever names lead to it.
        self.path: Path | None = None if where == MEMORY else Path(where).resolve()
        self.patience = BUSY_MS / 1000
        """Seconds a thread waits for its turn to write."""
        self._turns = None if self.path is None else write_lock_at(self.path)
        self._files = None if self.path is None else files_at(self.path)
        self.database: peewee.SqliteDatabase = (
            peewee.SqliteDatabase(MEMORY, pragmas=PRAGMAS, timeout=BUSY_MS // 1000)
            if self._files is None
            # mode=rw: a connection never makes a file by itself, so that a lost one is noticed.
            else FileDatabase(
                self._files, pragmas=PRAGMAS, timeout=BUSY_MS // 1000, mode="rw"
            )
        )

    def open(self, create: bool) -> None:
        """Connect this thread and bring the tables up to date.

        With `create` the folder (0700) and the file (0600) are made when missing. An empty file is
        no database either.

        Raises: StoreError for a missing or unusable file, or one of a newer judge.
        """
        if self.path is not None:
            if create:
                _make_file(self.path)
            elif not is_there(self.path):
                raise StoreError(f"there is no database at {self.path}")
        try:
            with self._faults():
                self.database.connect(reuse_if_open=True)
                behind = missing_steps(self.database)
            if behind:
                with self.transaction():
                    self._bring_up_to_date()
        except StoreError:
            self.close()
            raise

    def _bring_up_to_date(self) -> None:
        """Apply the steps that are missing; what was there before is kept in a copy beside it.

        Nobody else can write meanwhile, so that the copy holds everything.
        """
        behind = missing_steps(self.database)
        if self.path is not None and 0 < len(behind) < len(STEPS):
            copy = _free_name(self.path.with_name(f"{self.path.name}.before-{behind[0].name}"))
            copy_database(self.path, copy)
            log.warning("a newer form of the database; as it was before it is kept in %s", copy)
        migrate(self.database)

    def close(self) -> None:
        """Close the connection of this thread; it opens again when it is needed."""
        with self._faults():
            self.database.close()

    @contextmanager
    def transaction(self) -> Iterator[None]:
        """Write in one transaction: all or nothing, durable when the block has ended.

        It begins as a writer (BEGIN IMMEDIATE), so that what is read inside stays true until the
        commit. Inside another transaction it is a savepoint of that. The threads of a process come
        in the order in which they asked.

        Raises: StoreError when the database cannot be written; StoreLost when it was, but nobody
        will find it.
        """
        if self._turns is None or self.database.in_transaction():
            with self._faults(), self.database.atomic("IMMEDIATE"):
                yield
            return
        if not self._turns.take(self.patience):
            raise StoreTrouble(f"the database at {self.path} failed: locked by another thread")
        try:
            with self._faults(), self.database.atomic("IMMEDIATE"):
                yield
            self._look()
        finally:
            self._turns.give()

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo only this block, not the transaction around it, when it raises.

        Raises: StoreError outside a transaction.
        """
        if not self.database.in_transaction():
            raise StoreError("a savepoint needs a transaction around it")
        with self._faults(), self.database.savepoint():
            yield

    def rows(self, query: peewee.BaseQuery) -> list[dict[str, Any]]:
        """Return the rows of a query, each by its field names."""
        with self._statement():
            return list(query.dicts().execute(self.database))

    def run(self, query: peewee.BaseQuery) -> int:
        """Carry out an update or delete of the library's; return how many rows it touched."""
        with self._statement():
            return int(query.execute(self.database) or 0)

    def found(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Return the rows of a query written as SQL, as the database has them."""
        found: list[tuple[Any, ...]] = self._carried_out(statement, values).fetchall()
        return found

    def insert(self, statement: str, values: Sequence[object]) -> int:
        """Carry out an insert written as SQL and return the number of its last row."""
        return int(self._carried_out(statement, values).lastrowid or 0)

    def change(self, statement: str, values: Sequence[object]) -> int:
        """Carry out what writes, written as SQL, and return how many rows it touched."""
        return self._carried_out(statement, values).rowcount

    def _carried_out(self, statement: str, values: Sequence[object]) -> sqlite3.Cursor:
        """Carry out a statement as `_statement` does, but without two blocks around each."""
        execute: Callable[..., sqlite3.Cursor] = self.database.execute_sql
        try:
            cursor = execute(statement, values)
        except peewee.PeeweeException as fault:
            raise self._fault(fault) from fault
        if not self.database.in_transaction():
            self._look()
        return cursor

    def pragma(self, name: str) -> Any:
        """Return a setting of this thread's connection."""
        with self._faults():
            return self.database.pragma(name)

    @contextmanager
    def _statement(self) -> Iterator[None]:
        """Carry out one statement; what is no part of a transaction counts when it has ended."""
        with self._faults():
            yield
        if not self.database.in_transaction():
            self._look()

    def _look(self) -> None:
        """See that the files this thread reads and writes are still the database.

        The first who sees that they are not keeps a copy of what they hold: once all have closed
        them, it is gone.

        Raises:
            StoreLost: they are not.
        """
        if self._files is None:
            return
        try:
            self._files.look()
        except StoreLost as fault:
            if not self._files.may_rescue():
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

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn the library's exceptions into ours."""
        try:
            yield
        except peewee.PeeweeException as fault:
            raise self._fault(fault) from fault

    def _fault(self, fault: peewee.PeeweeException) -> StoreError:
        """Return an exception of the library's as ours."""
        family = StoreTrouble if isinstance(fault, peewee.OperationalError) else StoreError
        return family(f"the database at {self.path or 'memory'} failed: {fault}")


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


def backup(url: str, target: Path) -> None:
    """Copy a database to a new file that a judge can run on.

    Raises:
        StoreError: there is no database, or the copy cannot be made.
    """
    path = Store(url).path
    if path is None:
        raise StoreError("a database in memory has nothing to copy")
    if not path.is_file():
        raise StoreError(f"there is no database at {path}")
    copy_database(path, target)
