"""The instance lock: one judge at a time on one database, let go when its process ends."""

import fcntl
import os
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from pathlib import Path
from types import TracebackType

from judge.errors import JudgeError
from judge.folders import make_folder
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

    A number is a lock file beside the database. The first that is free is taken, so that there are
    never more files than there were senders at the same time.
    """

    def __init__(self, database: Path | None) -> None:
        self._beside = None if database is None else mark_beside(database)
        self._handle = -1
        self.number = 0
        """0 until one is taken, and always for a database in memory, which has one sender."""

    def take(self) -> bool:
        """Take a number; False where there is one already, or none is needed.

        Raises:
            OSError: no lock can be had where the database is.
        """
        if self._beside is None or self.number:
            return False
        for number in count(1):
            handle = _locked(self._file(number))
            if handle is not None:
                self._handle, self.number = handle, number
                return True
        raise AssertionError

    @contextmanager
    def of_the_dead(self, number: int) -> Iterator[bool]:
        """Tell whether whoever had a number is dead; nobody takes it inside the block.

        Raises:
            OSError: that cannot be told.
        """
        handle = None if number == self.number else _locked(self._file(number))
        try:
            yield handle is not None
        finally:
            if handle is not None:
                os.close(handle)

    def close(self) -> None:
        """Let go of the number."""
        if self._handle >= 0:
            os.close(self._handle)
        self._handle, self.number = -1, 0

    def _file(self, number: int) -> Path:
        assert self._beside is not None
        return self._beside.with_suffix(f".sender-{number}.lock")


def _locked(file: Path) -> int | None:
    """Return a handle that holds the lock of a file, or None: somebody has it."""
    handle = os.open(file, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        os.close(handle)
        return None
    return handle
