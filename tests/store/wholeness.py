"""Watches that whatever a function does with the store in several statements is one transaction.

A power failure, or another process, may come between any two statements outside a transaction:
what was read is true no more, or half of what was to be written stands there.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import pytest

from judge.store.database import Store

APART = {"Pictures.ask", "Register.note", "Tidying.step"}
"""What only callers with a transaction of their own call; and pieces that are each for itself."""
_ROOMS = ("/judge/store/", "/judge/daemon/")
_READS, _WRITES = ("rows", "found"), ("run", "insert")


@contextmanager
def watched() -> Iterator[None]:
    """Have a test fail in which a function reads or writes, and then writes, without transaction.
    """
    begun: list[FrameType] = []

    def notice(store: Store, writes: bool) -> None:
        if store.database.in_transaction():
            return
        frames = [frame for frame in _frames() if frame.f_code.co_qualname not in APART]
        if writes:
            torn = [frame.f_code.co_qualname for frame in frames if frame in begun]
            assert not torn, f"{torn[0]} is several statements and no transaction"
        begun[:] = frames

    with pytest.MonkeyPatch.context() as patch:
        for name in (*_READS, *_WRITES):
            patch.setattr(Store, name, _noticed(getattr(Store, name), notice, name in _WRITES))
        yield


def _noticed(real: Any, notice: Any, writes: bool) -> Any:
    def method(store: Store, *given: object) -> Any:
        notice(store, writes)
        return real(store, *given)

    return method


def _frames() -> Iterator[FrameType]:
    """Return the functions of the store, and of whoever uses it, that are at work."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        file = frame.f_code.co_filename
        if any(room in file for room in _ROOMS) and not file.endswith("/database.py"):
            yield frame
        frame = frame.f_back
