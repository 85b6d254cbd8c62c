"""Recorder of file syncs, each with the synced contents."""

import os
import stat
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

import pytest


class Synced(NamedTuple):
    """One sync: the path at that moment, and the bytes or, of a folder, the names."""

    path: Path
    held: bytes | frozenset[str]


class Syncs:
    """The syncs of files and folders below a folder, in order."""

    def __init__(self, top: Path) -> None:
        self.done: list[Synced] = []
        self.then: Callable[[], object] = list
        """Function called after each sync, as another process would act."""
        self._top = top

    def note(self, handle: int) -> None:
        """Record the file or folder of a handle."""
        found = os.fstat(handle)
        same = (found.st_dev, found.st_ino)
        for path in (self._top, *self._top.rglob("*")):
            if (path.stat().st_dev, path.stat().st_ino) == same:
                held = frozenset(os.listdir(path)) if stat.S_ISDIR(found.st_mode) else None
                self.done.append(Synced(path, path.read_bytes() if held is None else held))
        self.then()

    def of_folder(self, folder: Path) -> frozenset[str]:
        """Return the names in a folder when it was last synced."""
        return next(
            (one.held for one in reversed(self.done)
             if one.path == folder and isinstance(one.held, frozenset)), frozenset()
        )


@contextmanager
def count_syncs(top: Path) -> Iterator[Syncs]:
    """Record the syncs below a folder while the block runs."""
    syncs, real = Syncs(top), os.fsync

    def fsync(handle: int) -> None:
        real(handle)
        syncs.note(handle)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(os, "fsync", fsync)
        yield syncs
