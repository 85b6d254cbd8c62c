"""The instance lock: one judge at a time on one database, let go when its process ends.

And the numbers by which processes beside it tell each other who has what in hand.
"""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import chain, count
from pathlib import Path
from types import TracebackType

from judge.errors import JudgeError
from judge.folders import make_folder
from judge.store.database import Store
from judge.store.engine import Numbers
from judge.store.mark import STARTING, mark_beside, tells


class AlreadyRuns(JudgeError):
    """Another process holds the lock."""


class RunLock:
    """A lock file held by flock (2), naming the process that holds it.

    The file stays behind; only the lock on it counts, so that nothing needs cleaning up after
    a crash. What it tells of the past is read by `store/mark`.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._handle = -1
        self.a_judge_ran = False
        """Whether the file tells of a judge that ran here before."""

    def __enter__(self) -> "RunLock":
        """Take the lock.

        Raises:
            AlreadyRuns: somebody has it.
        """
        if self._path is None:
            return self
        make_folder(self._path.parent)
        self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        told = os.read(self._handle, 40).decode("ascii", "replace").strip()
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(self._handle)
            raise AlreadyRuns(
                f"a judge already runs on this database (pid {told.partition(' ')[0] or 'unknown'})"
                "; `judge mail` talks to it"
            ) from None
        self.a_judge_ran = tells(told)
        self._write(f"{os.getpid()}" if self.a_judge_ran else f"{os.getpid()} {STARTING}")
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go of the lock."""
        if self._handle >= 0:
            os.close(self._handle)
            self._handle = -1

    def note_database(self) -> None:
        """Write down that there is a database now."""
        if self._handle >= 0:
            self._write(f"{os.getpid()}")

    def _write(self, text: str) -> None:
        line = f"{text}\n".encode("ascii")
        os.pwrite(self._handle, line, 0)
        os.ftruncate(self._handle, len(line))


def lock_beside(database: Path | None) -> RunLock:
    """Return the lock of a database, whatever names lead to it; one in memory needs none."""
    return RunLock(None if database is None else mark_beside(database))


class OwnerLock:
    """The number under which a sender claims letters: nobody else has it while this one lives.

    The first that is free is taken, so that there are never more numbers than there were senders at
    the same time.
    """

    def __init__(self, store: Store) -> None:
        self._numbers = numbers_of(store, "sender")
        self.number = 0
        """0 until one is taken, and always for a database in memory, which has one sender."""
        self._last, self._is_back = 0, False

    def take(self) -> bool:
        """Take a number; False where there is one already, or none is needed.

        Raises:
            OSError: no lock can be had where the database is.
            StoreTrouble: the database cannot be used now.
        """
        if self._numbers is None or self.number:
            return False
        # Who comes back has his own number again, if nobody has it.
        wanted = chain([self._last] if self._last else (), count(1))
        self.number = next(filter(self._numbers.take, wanted))
        self._is_back, self._last = self.number == self._last, self.number
        return True

    def is_of_the_dead(self) -> bool:
        """Tell whether whoever had our number before is dead, or was ourselves."""
        return self._is_back or self._numbers is None or self._numbers.is_settled()

    def is_lost(self) -> bool:
        """Tell whether the number was taken away: others may send what was claimed under it."""
        if self._numbers is None or not self.number or not self._numbers.is_lost():
            return False
        self.number = 0
        return True

    @contextmanager
    def of_the_dead(self, number: int) -> Iterator[bool]:
        """Tell whether whoever had a number is dead; nobody takes it inside the block.

        Raises:
            OSError, StoreTrouble: that cannot be told.
        """
        numbers = self._numbers
        if numbers is None or number == self.number or not numbers.take_of_dead(number):
            yield False
            return
        try:
            yield True
        finally:
            numbers.let_go(number)

    def close(self) -> None:
        """Let go of the number."""
        if self._numbers is not None:
            self._numbers.close()
        self.number = 0


def numbers_of(store: Store, kind: str) -> Numbers | None:
    """Return how numbers of a kind are held among the processes of a database; None where there is
    but one process: a database in memory."""
    path = store.path
    return store.engine.numbers(kind) if path is None else NumberFiles(mark_beside(path), kind)


class NumberFiles:
    """The numbers of a kind that a process holds, each by a lock file beside the database."""

    def __init__(self, beside: Path, kind: str) -> None:
        self._beside = beside
        self._kind = kind
        self._handles: dict[int, int] = {}

    def take(self, number: int) -> bool:
        """Take a number; False when another process has it."""
        file = self._beside.with_suffix(f".{self._kind}-{number}.lock")
        handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            os.close(handle)
            return False
        self._handles[number] = handle
        return True

    take_of_dead = take
    """The lock of a file lasts as long as its process, and no longer."""

    def is_settled(self) -> bool:
        """The lock of a file lasts as long as its process."""
        return True

    def let_go(self, number: int) -> None:
        """Let go of a number."""
        os.close(self._handles.pop(number))

    def is_lost(self) -> bool:
        """Nobody takes away the lock of a file."""
        return False

    def close(self) -> None:
        """Let go of all numbers."""
        for number in list(self._handles):
            self.let_go(number)
