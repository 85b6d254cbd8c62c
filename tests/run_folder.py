"""A folder that all processes of a run of the tests have in common; it ends with the run.

What each of them would make for itself otherwise is made there once.
"""

import fcntl
import os
import shutil
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest

NAME = "TESTS_RUN_FOLDER"
MEMORY = Path("/dev/shm")
"""A file system in memory, as Linux has it."""
_ROOM = 2 * 2**30
"""Octets that must be free there."""


def make(config: pytest.Config) -> None:
    """Make it, and have the processes that this one starts know where it is."""
    if config.getoption("--workers") > 1 and config.option.markexpr == "not deep":
        _stay_in_memory(config)
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    os.environ[NAME] = folder.name


def _stay_in_memory(config: pytest.Config) -> None:
    """Have all files of a run lie in memory, where there is room and nobody named another place.

    Each mail and each letter is synced, for which a disk makes the tests wait. `make check-deep`
    does wait.
    """
    if "TMPDIR" in os.environ or not os.access(MEMORY, os.W_OK):
        return
    state = os.statvfs(MEMORY)
    if state.f_flag & os.ST_NOEXEC or state.f_bavail * state.f_frsize < _ROOM:
        return
    sweep(MEMORY)
    folder = tempfile.TemporaryDirectory(
        prefix=f"t{os.getpid()}-", dir=MEMORY, ignore_cleanup_errors=True
    )
    config.add_cleanup(folder.cleanup)
    # A database server has a user of its own, and its files lie below.
    os.chmod(folder.name, 0o711)
    os.environ["TMPDIR"] = folder.name
    tempfile.tempdir = None


def sweep(place: Path) -> None:
    """Take away what runs left there that were killed: it would fill the memory until a restart."""
    for folder in place.glob("t[0-9]*-*"):
        with suppress(OSError, ValueError):
            pid = int(folder.name[1:].partition("-")[0])
            if folder.stat().st_uid == os.getuid() and not _runs(pid):
                shutil.rmtree(folder, ignore_errors=True)


def _runs(pid: int) -> bool:
    """Tell whether there is such a process, whosever it is."""
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        pass
    return True


def run_folder() -> Path | None:
    """Return the folder; None outside of a run."""
    name = os.environ.get(NAME)
    return Path(name) if name else None


@contextmanager
def made_once(name: str) -> Iterator[tuple[Path, bool]]:
    """Give a folder in it and whether it was made before, while no other process makes it.

    What another began to make and did not end is taken away: it is made anew, so that what went
    wrong is seen where it is wanted.
    """
    folder = Path(os.environ[NAME]) / name
    done = folder.with_suffix(".done")
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not done.exists():
            shutil.rmtree(folder, ignore_errors=True)
        yield folder, done.exists()
        done.touch()
