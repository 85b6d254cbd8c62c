"""One judge at a time on one database: a lock the system lets go of when the process ends."""

import fcntl
import os
from pathlib import Path
from types import TracebackType

from judge.errors import JudgeError
from judge.folders import make_folder


class AlreadyRuns(JudgeError):
    """Another process holds the lock."""


class RunLock:
    """A lock file held by flock (2), naming the process that holds it.

    The file stays behind; only the lock on it counts, so that nothing needs cleaning up after
    a crash.
    """

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._handle = -1

    def __enter__(self) -> "RunLock":
        """Take the lock.

        Raises:
            AlreadyRuns: somebody has it.
        """
        if self._path is None:
            return self
        make_folder(self._path.parent)
        self._handle = os.open(self._path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
        try:
            fcntl.flock(self._handle, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.read(self._handle, 20).decode("ascii", "replace").strip() or "unknown"
            os.close(self._handle)
            raise AlreadyRuns(
                f"a judge already runs on this database (pid {holder}); `judge mail` talks to it"
            ) from None
        os.ftruncate(self._handle, 0)
        os.write(self._handle, f"{os.getpid()}\n".encode("ascii"))
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


def lock_beside(database: Path | None) -> RunLock:
    """Return the lock of a database; one in memory needs none."""
    return RunLock(None if database is None else database.with_suffix(".lock"))
