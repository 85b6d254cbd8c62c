"""Interface of a kind of database: connections, transactions and SQL dialect.

The statements of the store are SQL that all engines know, with a `?` for each value.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

import peewee

from judge.errors import StoreError, StoreLost, StoreRefused
from judge.store.locks import ProcessNumbers

ACCEPTING, SENDING, KEYED = "accepting", "sending", "keyed"
"""Kinds of transactions."""


class Engine(ABC):
    """One database, with one connection for each thread that uses it."""

    database: peewee.Database
    name: str
    """Name of the database in messages, without a password."""
    path: Path | None = None
    """Database file, or None."""
    shares = False
    """True if several threads write in parallel, to rows of the keys they lock."""

    def prepare(self, create: bool) -> None:
        """Check that there is a database to connect to, or make it with *create*.

        Raises: StoreError if there is no database.
        """

    @abstractmethod
    def begin(self, patience: float, kind: str = "") -> AbstractContextManager[None]:
        """Begin a transaction that writes.

        Without a *kind* it is the only one, so that what is read inside stays true until the
        commit. `ACCEPTING` stores incoming mail, `SENDING` updates letters, each as the only one of
        its kind. `KEYED` runs in parallel with those that have other keys, and reads from a
        snapshot taken at its beginning. An engine with one writer at a time ignores the kind.

        Raises:
            StoreTrouble: the turn did not come within *patience* seconds.
            StoreConflict: another transaction has changed a row that a keyed one writes.
        """

    def lock_keys(self, keys: Collection[str], waits: bool = False) -> bool:
        """Lock *keys*. Return False if one is taken and *waits* is false.

        An engine with only one writer at a time needs no keys.
        """
        return True

    def release_keys(self) -> None:
        """Release the keys locked by this thread."""

    def now(self) -> datetime | None:
        """Return the time of the database server.

        None if each machine uses its own clock.
        """
        return None

    def intake_complete_until(self) -> datetime | None:
        """Return the instant up to which all incoming mail is visible, by `now`.

        None means that all incoming mail is visible.
        """
        return None

    def is_conflict(self, fault: Exception) -> bool:
        """Return whether a fault is only a write conflict with another transaction."""
        return False

    def keep_copy(self, step: str) -> None:
        """Copy the database before a step of `migrations` changes its tables."""

    def statement(self) -> AbstractContextManager[None]:
        """Return the context of one writing statement, in or outside a transaction."""
        return nullcontext()

    def mark_database(self) -> None:
        """Mark the database so that it can be distinguished from others, where needed."""

    def check(self) -> None:
        """Check that the files of the database are still in place.

        Raises: StoreLost if they are not.
        """

    def find_loss(self, fault: BaseException) -> StoreLost | StoreRefused | None:
        """Return the loss of the database that a fault shows, or None."""
        return None

    def on_statement_error(self) -> None:
        """Handle a failed statement: close the connection if it is broken."""

    def adapt_sql(self, statement: str) -> str:
        """Return a statement in the SQL dialect of this database."""
        return statement

    def adapt_ddl(self, statement: str) -> str:
        """Return a statement of `migrations`, which defines tables, in this dialect."""
        return statement

    @abstractmethod
    def insert_rows(self, statement: str, values: Sequence[object], many: int) -> list[int]:
        """Insert *many* rows that the database numbers. Return their ids in order."""

    def announce(self, news: str) -> None:
        """Notify other processes of *news* once the transaction is committed.

        Do nothing where `listen` yields nothing.
        """

    def listen(self, is_over: Callable[[], bool]) -> Generator[str, None, None]:
        """Yield the news that other processes announce, until *is_over* returns true."""
        yield from ()

    def has_changed(self) -> bool:
        """Return whether another connection has committed since the last call.

        Always False where processes announce news.
        """
        return False

    @abstractmethod
    def numbers(self, kind: str) -> ProcessNumbers:
        """Return the locks of numbers of a kind."""

    @abstractmethod
    def health(self) -> str:
        """Return "ok", or the result of a failed check of the database."""

    @abstractmethod
    def size_bytes(self) -> int:
        """Return the size of the database in octets."""

    def pragma(self, name: str) -> Any:
        """Return a pragma of this thread's connection.

        Raises: StoreError if the database has no pragmas.
        """
        raise StoreError(f"{self.name} has no pragma {name}")

    def _connection(self) -> Any:
        """Return this thread's connection."""
        connection: Callable[[], Any] = self.database.connection
        return connection()

    def _execute(self, statement: str, values: Sequence[object] = ()) -> Any:
        """Execute a statement in the SQL dialect of this database."""
        execute: Callable[..., Any] = self.database.execute_sql
        return execute(statement, values)
