"""Database connections, transactions, migration and backup.

The modules `sqlite` and `postgres` contain what is specific to each of these.
"""

import logging
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, closing, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import peewee

from judge.clock import Clock, SteadyClock, SystemClock
from judge.errors import StoreConflict, StoreError, StoreLost, StoreTrouble
from judge.store.backup import copy_database
from judge.store.engine import ACCEPTING, KEYED, SENDING, Engine
from judge.store.file_check import check_of
from judge.store.locks import first_line
from judge.store.migrations import STEPS, migrate, missing_steps
from judge.store.postgres import SCHEMES, Postgres
from judge.store.sqlite import BUSY_MS, SCHEME, Sqlite
from judge.store.sqlite_files import identity

T = TypeVar("T")

log = logging.getLogger("judge.store")

_LIBRARY_FAULTS = (peewee.PeeweeException, sqlite3.Error)
"""Exceptions of peewee and of SQLite.

peewee does not wrap those that SQLite raises while rows are fetched.
"""

MAX_CLOCK_SKEW = timedelta(minutes=1)
"""Maximum difference between the clocks of a machine and of the database server."""

# peewee would log every statement with its values, including mails and their passwords.
logging.getLogger("peewee").setLevel(logging.INFO)


def engine_of(url: str) -> Engine:
    """Return the engine of a database, which is not opened yet.

    Raises: StoreError for an unsupported kind of database.
    """
    if url.startswith(SCHEMES):
        return Postgres(url)
    if not url.startswith(SCHEME) or url == SCHEME:
        scheme = url.partition(":")[0]
        raise StoreError(
            f"a {scheme} database is not supported, only {SCHEME}path and postgresql://host/name"
        )
    return Sqlite(url.removeprefix(SCHEME))


class Store:
    """One database, with one connection for each thread that uses it.

    The tables are not bound to a database: every query is handed the one it runs on, so that
    several stores can be open in one process.

    >>> store = Store("sqlite:///:memory:")
    >>> store.open(create=True)
    >>> with store.transaction():
    ...     store.pragma("synchronous")
    2
    >>> store.close()
    """

    def __init__(self, url: str) -> None:
        self.engine = engine_of(url)
        self.path = self.engine.path
        self.allows_parallel_writers = self.engine.shares
        """True if several threads write in parallel, to rows of the keys they lock."""
        self.patience = BUSY_MS / 1000
        """Seconds a thread waits for its turn to write."""
        self.database: peewee.Database = self.engine.database

    def open(self, create: bool) -> None:
        """Connect this thread and migrate the tables.

        Raises: StoreError for a missing or unusable database, or one of a newer judge.
        """
        self.engine.prepare(create)
        try:
            with self._faults():
                self.database.connect(reuse_if_open=True)
                behind = missing_steps(self.database)
            if behind:
                with self.transaction():
                    self._bring_up_to_date(create)
            with self._faults():
                self.engine.mark_database()
        except StoreError:
            self.close()
            raise

    def _bring_up_to_date(self, create: bool) -> None:
        """Apply the missing steps, after a copy of the database was made next to it."""
        behind = missing_steps(self.database)
        if len(behind) == len(STEPS) and self.path is None and not create:
            raise StoreError(
                f"there is no judge in {self.engine.name}: `judge serve` makes its tables"
            )
        if 0 < len(behind) < len(STEPS):
            self.engine.keep_copy(behind[0].name)
        migrate(self.database, said=self.engine.adapt_ddl)

    @contextmanager
    def keep_open(self, create: bool = False) -> Iterator["Store"]:
        """Open the store for a block, and close it afterwards.

        Raises: StoreError as `open`.
        """
        self.open(create)
        with closing(self):
            yield self

    def close(self) -> None:
        """Close the connection of this thread. It reopens when it is needed."""
        with self._faults():
            self.database.close()

    @contextmanager
    def transaction(self, kind: str = "") -> Iterator[None]:
        """Begin a transaction, which is durable once the block has ended.

        It is the only one that writes, so that what is read inside stays true until the commit.
        Those of a *kind* run in parallel with some others (`Engine.begin`). Inside another
        transaction it is a savepoint of that.

        Raises: StoreError when the database cannot be written; StoreLost when its files were lost.
        """
        database, engine = self.database, self.engine
        inside = database.in_transaction()
        with self._faults(), database.atomic() if inside else engine.begin(self.patience, kind):
            yield

    def intake_transaction(self) -> AbstractContextManager[None]:
        """Begin a transaction that stores incoming mail.

        Only one runs at a time. So mails are numbered in the order of their arrival, and deadlines
        can wait for mails that are not stored yet.
        """
        return self.transaction(ACCEPTING)

    def delivery_transaction(self) -> AbstractContextManager[None]:
        """Begin a transaction that claims letters or stores delivery results.

        Only one runs at a time.
        """
        return self.transaction(SENDING)

    def lock_keys(self, keys: Collection[str], waits: bool = False) -> bool:
        """Lock *keys* until `release_keys`.

        Return False if one is taken and *waits* is false.
        """
        with self._faults():
            return self.engine.lock_keys(keys, waits)

    def release_keys(self) -> None:
        """Release the keys locked by this thread."""
        self.engine.release_keys()

    def run_concurrently(self, work: Callable[[], T]) -> T:
        """Run *work* in a transaction that may run in parallel with others.

        It must touch only what this thread has locked. After a write conflict *work* is rolled back
        and runs once more as the only writer. An engine that does not share has ordinary
        transactions.
        """
        try:
            with self.transaction(KEYED):
                return work()
        except StoreConflict as fault:
            log.info("as the only writer: %s", fault)
        with self.transaction():
            return work()

    def now(self, clock: Clock) -> datetime:
        """Return the time, by the database's clock where several machines use it.

        If the difference between the clocks exceeds `MAX_CLOCK_SKEW`, the machine's clock is used.
        A simulated clock is used as it is.
        """
        mine = clock.now()
        if not isinstance(clock, SystemClock | SteadyClock):
            return mine
        with self._faults():
            told = self.engine.now()
        if told is None or abs(told - mine) <= MAX_CLOCK_SKEW:
            return told or mine
        name = self.engine.name
        log.error("the clocks of %s and of this machine differ by %s", name, told - mine)
        return mine

    def intake_complete_until(self, clock: Clock) -> datetime | None:
        """Return the instant up to which all incoming mail is visible to any reader.

        It is an instant by the clock of `now`. Return None if all incoming mail is visible, or if
        the clocks of machine and database differ by more than `MAX_CLOCK_SKEW`.
        """
        with self._faults():
            told = self.engine.intake_complete_until()
        if told is None or not isinstance(clock, SystemClock | SteadyClock):
            return None
        return told if abs(told - clock.now()) <= MAX_CLOCK_SKEW else None

    def select_sql(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Return the rows of an SQL query, with values as stored."""
        try:
            execute: Callable[..., sqlite3.Cursor] = self.database.execute_sql
            return execute(self.engine.adapt_sql(statement), values).fetchall()
        except _LIBRARY_FAULTS as fault:
            raise self._fault(fault) from fault

    def insert(self, statement: str, values: Sequence[object], many: int = 1) -> list[int]:
        """Execute an insert of rows that the database numbers. Return their ids in order."""
        with self._faults(), self.engine.statement():
            return self.engine.insert_rows(self.engine.adapt_sql(statement), values, many)

    def update_sql(self, statement: str, values: Sequence[object]) -> int:
        """Execute an SQL statement that writes. Return the number of rows changed."""
        with self._faults(), self.engine.statement():
            execute: Callable[..., sqlite3.Cursor] = self.database.execute_sql
            return execute(self.engine.adapt_sql(statement), values).rowcount

    def pragma(self, name: str) -> Any:
        """Return a pragma of this thread's connection (SQLite only)."""
        with self._faults():
            return self.engine.pragma(name)

    def health(self) -> str:
        """Return "ok", or the result of a failed check of the database."""
        with self._faults():
            return self.engine.health()

    def size_bytes(self) -> int:
        """Return the size of the database in octets."""
        with self._faults():
            return self.engine.size_bytes()

    def announce(self, news: str) -> None:
        """Notify other processes of *news* once the transaction is committed."""
        with self._faults():
            self.engine.announce(news)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Convert exceptions of the library to those of the judge."""
        try:
            yield
        except _LIBRARY_FAULTS as fault:
            raise self._fault(fault) from fault

    def _fault(self, fault: peewee.PeeweeException | sqlite3.Error) -> StoreError | StoreLost:
        """Return the judge's exception for one of the library."""
        if loss := self.engine.find_loss(fault):
            return loss
        self.engine.on_statement_error()
        if self.engine.is_conflict(fault):
            return StoreConflict(f"{self.engine.name} failed: {first_line(fault)}")
        trouble = isinstance(
            fault, peewee.OperationalError | peewee.InterfaceError | sqlite3.OperationalError
        )
        family = StoreTrouble if trouble else StoreError
        return family(f"{self.engine.name} failed: {first_line(fault)}")


def backup(url: str, target: Path) -> None:
    """Copy a database to a new file that a judge can use.

    Raises:
        StoreError: there is no database, or the copy cannot be made.
    """
    engine = engine_of(url)
    if isinstance(engine, Postgres):
        raise StoreError(f"{engine.name} is copied by pg_dump (docs/run/scaling.md)")
    if engine.path is None:
        raise StoreError("a database in memory has nothing to copy")
    if not engine.path.is_file():
        raise StoreError(f"there is no database at {engine.path}")
    check_of(engine.path).check_start()
    before = identity(engine.path)
    copy_database(engine.path, target)
    if identity(engine.path) != before:
        raise StoreError(f"{engine.path} was replaced meanwhile: {target} holds what it was before")
