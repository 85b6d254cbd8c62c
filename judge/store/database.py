"""The database: opened, brought to its present form, written to in transactions, and copied.

What is peculiar to SQLite and to PostgreSQL is said in the modules of these names.
"""

import logging
import sqlite3
from collections.abc import Callable, Collection, Iterator, Sequence
from contextlib import AbstractContextManager, contextmanager
from datetime import datetime, timedelta
from pathlib import Path
from typing import Any, TypeVar

import peewee

from judge.clock import Clock, SteadyClock, SystemClock
from judge.errors import StoreConflict, StoreError, StoreLost, StoreTrouble
from judge.store.backup import copy_database
from judge.store.engine import Engine
from judge.store.file_check import check_of
from judge.store.files import identity
from judge.store.migrations import STEPS, migrate, missing_steps
from judge.store.postgres import SCHEMES, Postgres, first_line
from judge.store.sqlite import BUSY_MS, SCHEME, Sqlite

T = TypeVar("T")

log = logging.getLogger("judge.store")

_LIBRARY_FAULTS = (peewee.PeeweeException, sqlite3.Error)
"""Faults of the library; SQLite's own come while rows are fetched, which peewee does not wrap."""

APART = timedelta(minutes=1)
"""So far a machine's clock may be from that of the database which decides between machines."""

# The library would log every statement with its values, and with them mails and their passwords.
logging.getLogger("peewee").setLevel(logging.INFO)


def engine_of(url: str) -> Engine:
    """Return the engine of a database, not opened yet.

    Raises: StoreError for a kind of database that is none of ours.
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
        self.patience = BUSY_MS / 1000
        """Seconds a thread waits for its turn to write."""
        self.database: peewee.Database = self.engine.database

    def open(self, create: bool) -> None:
        """Connect this thread and bring the tables up to date.

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
                self.engine.mark()
        except StoreError:
            self.close()
            raise

    def _bring_up_to_date(self, create: bool) -> None:
        """Apply the steps that are missing; what was there before is kept in a copy beside it."""
        behind = missing_steps(self.database)
        if len(behind) == len(STEPS) and self.path is None and not create:
            raise StoreError(
                f"there is no judge in {self.engine.name}: `judge serve` makes its tables"
            )
        if 0 < len(behind) < len(STEPS):
            self.engine.keep_copy(behind[0].name)
        migrate(self.database, said=self.engine.defined)

    @contextmanager
    def keep_open(self, create: bool = False) -> Iterator["Store"]:
        """Open the store for a block, and close it afterwards.

        Raises: StoreError as `open`.
        """
        self.open(create)
        try:
            yield self
        finally:
            self.close()

    def close(self) -> None:
        """Close the connection of this thread; it opens again when it is needed."""
        with self._faults():
            self.database.close()

    def transaction(self) -> AbstractContextManager[None]:
        """Write in one transaction: all or nothing, durable when the block has ended.

        It begins as the only writer, so that what is read inside stays true until the commit.
        Inside another transaction it is a savepoint of that.

        Raises: StoreError when the database cannot be written; StoreLost when its files were lost.
        """
        return self._begun(self.engine.writing)

    @contextmanager
    def _begun(self, way: Callable[[float], AbstractContextManager[None]]) -> Iterator[None]:
        """Begin a transaction in some way; inside another it is a savepoint of that."""
        inside = self.database.in_transaction()
        with self._faults(), self.database.atomic() if inside else way(self.patience):
            yield

    def accepting(self) -> AbstractContextManager[None]:
        """Take mail in, in one transaction: nobody else takes any meanwhile.

        So that mails are numbered in the order of their instants, and whoever looks at a deadline
        can wait for those that are on their way.
        """
        return self._begun(self.engine.accepting)

    def sending(self) -> AbstractContextManager[None]:
        """Claim letters, or note what became of them, in one transaction: nobody else does so
        meanwhile."""
        return self._begun(self.engine.sending)

    @property
    def shares(self) -> bool:
        """Whether several write at once, each what it holds."""
        return self.engine.shares

    def hold(self, keys: Collection[str], waits: bool = False) -> bool:
        """Keep others from holding any of these keys, until `let_go`; False where somebody has one
        already, unless it is waited for."""
        with self._faults():
            return self.engine.hold(keys, waits)

    def let_go(self) -> None:
        """Let others hold what this thread held."""
        self.engine.let_go()

    def beside(self, work: Callable[[], T]) -> T:
        """Carry out what touches only what this thread holds, in a transaction beside those of
        others who hold other keys; as the only writer where somebody wrote the same all the same.

        What it did before is undone then. Where one writes at a time it is a transaction as any.
        """
        try:
            with self._begun(self.engine.beside):
                return work()
        except StoreConflict as fault:
            log.info("as the only writer: %s", fault)
        with self.transaction():
            return work()

    def now(self, clock: Clock) -> datetime:
        """Return the time: the database's, where several machines go by it.

        A machine whose clock is further from it than `APART` goes by its own, as far as that is
        believed; so does a clock that is no machine's.
        """
        mine = clock.now()
        if not isinstance(clock, SystemClock | SteadyClock):
            return mine
        with self._faults():
            told = self.engine.now()
        if told is None or abs(told - mine) <= APART:
            return told or mine
        name = self.engine.name
        log.error("the clocks of %s and of this machine differ by %s", name, told - mine)
        return mine

    def settled(self, clock: Clock) -> datetime | None:
        """Return up to when all mail that was taken in is seen by whoever looks next, by the time
        of `now`; None: whatever was taken in is there."""
        with self._faults():
            told = self.engine.settled()
        if told is None or not isinstance(clock, SystemClock | SteadyClock):
            return None
        return told if abs(told - clock.now()) <= APART else None

    @contextmanager
    def savepoint(self) -> Iterator[None]:
        """Undo only this block, not the transaction around it, when it raises.

        Raises: StoreError outside a transaction.
        """
        if not self.database.in_transaction():
            raise StoreError("a savepoint needs a transaction around it")
        with self._faults(), self.database.savepoint():
            yield

    def found(self, statement: str, values: Sequence[object]) -> list[tuple[Any, ...]]:
        """Return the rows of a query written as SQL, as the database has them."""
        try:
            execute: Callable[..., sqlite3.Cursor] = self.database.execute_sql
            return execute(self.engine.said(statement), values).fetchall()
        except _LIBRARY_FAULTS as fault:
            raise self._fault(fault) from fault

    def insert(self, statement: str, values: Sequence[object], many: int = 1) -> list[int]:
        """Carry out an insert of rows that the database numbers; return their numbers, in order."""
        with self._faults(), self.engine.statement():
            return self.engine.inserted(self.engine.said(statement), values, many)

    def change(self, statement: str, values: Sequence[object]) -> int:
        """Carry out what writes, written as SQL, and return how many rows it touched."""
        with self._faults(), self.engine.statement():
            execute: Callable[..., sqlite3.Cursor] = self.database.execute_sql
            return execute(self.engine.said(statement), values).rowcount

    def pragma(self, name: str) -> Any:
        """Return a setting of this thread's connection; SQLite has such."""
        with self._faults():
            return self.engine.pragma(name)

    def health(self) -> str:
        """Return "ok", or what a check of the database finds."""
        with self._faults():
            return self.engine.health()

    def octets(self) -> int:
        """Return how large the database is."""
        with self._faults():
            return self.engine.octets()

    def announce(self, news: str) -> None:
        """Tell other processes, once the transaction is committed, that there is something new."""
        with self._faults():
            self.engine.announce(news)

    @contextmanager
    def _faults(self) -> Iterator[None]:
        """Turn the library's exceptions into ours."""
        try:
            yield
        except _LIBRARY_FAULTS as fault:
            raise self._fault(fault) from fault

    def _fault(self, fault: peewee.PeeweeException | sqlite3.Error) -> StoreError | StoreLost:
        """Return an exception of the library's as ours."""
        if loss := self.engine.loss(fault):
            return loss
        self.engine.failed()
        if self.engine.is_conflict(fault):
            return StoreConflict(f"{self.engine.name} failed: {first_line(fault)}")
        trouble = isinstance(
            fault, peewee.OperationalError | peewee.InterfaceError | sqlite3.OperationalError
        )
        family = StoreTrouble if trouble else StoreError
        return family(f"{self.engine.name} failed: {first_line(fault)}")


def backup(url: str, target: Path) -> None:
    """Copy a database to a new file that a judge can run on.

    Raises:
        StoreError: there is no database, or the copy cannot be made.
    """
    engine = engine_of(url)
    if isinstance(engine, Postgres):
        raise StoreError(f"{engine.name} is copied by pg_dump (docs/scaling.md)")
    if engine.path is None:
        raise StoreError("a database in memory has nothing to copy")
    if not engine.path.is_file():
        raise StoreError(f"there is no database at {engine.path}")
    check_of(engine.path).check_start()
    before = identity(engine.path)
    copy_database(engine.path, target)
    if identity(engine.path) != before:
        raise StoreError(f"{engine.path} was replaced meanwhile: {target} holds what it was before")
