"""One judge at a time on one database: a lock the system lets go of when the process ends."""

import fcntl
import os
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
