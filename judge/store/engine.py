"""What a store needs of the kind of database it is in.

How it is opened, how one writes to it at a time, how a statement is said there, what it is called.
The statements of the store are SQL that both know, with a `?` for each value.
"""

from abc import ABC, abstractmethod
from collections.abc import Callable, Collection, Generator, Sequence
from contextlib import AbstractContextManager, nullcontext
from datetime import datetime
from pathlib import Path
from typing import Any

import peewee

from judge.errors import StoreError, StoreLost, StoreRefused
from judge.store.locks import Numbers


class Engine(ABC):
    """One database of some kind, with one connection for each thread that uses it."""

    database: peewee.Database
    name: str
    """What it is called in complaints: never with a password."""
    path: Path | None = None
    """The file, where it is one."""
    shares = False
    """Whether several write at once, each what it holds (`hold`)."""

    def prepare(self, create: bool) -> None:
        """See that there is a database to connect to; with `create` it may be made.

        Raises: StoreError where there is none.
        """

    @abstractmethod
    def writing(self, patience: float) -> AbstractContextManager[None]:
        """Begin a transaction as the only writer: what is read inside stays true until the commit.

        Raises: StoreTrouble when the turn did not come within so many seconds.
        """

    def accepting(self, patience: float) -> AbstractContextManager[None]:
        """Begin a transaction that takes mail in, as the only one that does so now."""
        return self.writing(patience)

    def sending(self, patience: float) -> AbstractContextManager[None]:
        """Begin a transaction that changes what is known of letters, as the only one of these."""
        return self.writing(patience)

    def hold(self, keys: Collection[str], waits: bool = False) -> bool:
        """Keep others from holding any of these keys; False where somebody has one already, unless
        it is waited for. A thread that has the only turn to write needs none."""
        return True

    def let_go(self) -> None:
        """Let others hold what this thread held."""

    def beside(self, patience: float) -> AbstractContextManager[None]:
        """Begin a transaction beside those of threads that hold other keys; what is read inside
        stays as it was at its beginning.

        Raises: StoreConflict when another has written one of the rows it writes.
        """
        return self.writing(patience)

    def now(self) -> datetime | None:
        """Return the instant by which all who use the database go; None: by their own clocks."""
        return None

    def settled(self) -> datetime | None:
        """Return up to when all mail that was taken in is there for everybody to see, by `now`;
        None: whatever was taken in is there."""
        return None

    def is_conflict(self, fault: Exception) -> bool:
        """Tell whether a fault says only that another wrote meanwhile."""
        return False

    def keep_copy(self, step: str) -> None:
        """Keep what the database holds before a step of `migrations` changes its form."""

    def statement(self) -> AbstractContextManager[None]:
        """Return what goes around one statement that writes, outside a transaction or inside."""
        return nullcontext()

    def mark(self) -> None:
        """Have a database be told from others, where that is needed."""

    def check(self) -> None:
        """Check that what was written is where it will be found.

        Raises: StoreLost where it is not.
        """

    def loss(self, fault: BaseException) -> StoreLost | StoreRefused | None:
        """Return the loss of the database that a fault shows; None if it shows none."""
        return None

    def failed(self) -> None:
        """Note that a statement failed: a connection that is of no more use is let go of."""

    def said(self, statement: str) -> str:
        """Return a statement as this kind of database says it."""
        return statement

    def defined(self, statement: str) -> str:
        """Return a statement of `migrations`, which define tables, in the same way."""
        return statement

    @abstractmethod
    def inserted(self, statement: str, values: Sequence[object], many: int) -> list[int]:
        """Insert so many rows that the database numbers, and return their numbers in this order."""

    def announce(self, news: str) -> None:
        """Notify other processes, once the transaction is committed, where `news` does that."""

    def news(self, is_over: Callable[[], bool]) -> Generator[str, None, None]:
        """Yield what other processes announce, until it is over."""
        yield from ()

    def has_changed(self) -> bool:
        """Return whether another connection has committed since the last call.

        Always False where processes announce news.
        """
        return False

    def numbers(self, kind: str) -> Numbers | None:
        """Return the locks of numbers of a kind; None if the database has but one process."""
        return None

    @abstractmethod
    def health(self) -> str:
        """Return "ok", or what a check of the database finds."""

    @abstractmethod
    def octets(self) -> int:
        """Return how large the database is."""

    def pragma(self, name: str) -> Any:
        """Return a setting of this thread's connection, where the database has such."""
        raise StoreError(f"{self.name} has no pragma {name}")
