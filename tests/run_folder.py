"""A folder that all processes of a run of the tests have in common; it ends with the run.

What each of them would make for itself otherwise is made there once.
"""

import fcntl
import os
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

NAME = "TESTS_RUN_FOLDER"


def make(config: pytest.Config) -> None:
    """Make it, and have the processes that this one starts know where it is."""
    folder = tempfile.TemporaryDirectory(ignore_cleanup_errors=True)
    config.add_cleanup(folder.cleanup)
    os.environ[NAME] = folder.name


def run_folder() -> Path | None:
    """Return the folder; None outside of a run."""
    name = os.environ.get(NAME)
    return Path(name) if name else None


@contextmanager
def made_once(name: str) -> Iterator[tuple[Path, bool]]:
    """Give a folder in it and whether it was made before, while no other process makes it."""
    folder = Path(os.environ[NAME]) / name
    done = folder.with_suffix(".done")
    with open(folder.with_suffix(".lock"), "w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield folder, done.exists()
        done.touch()
