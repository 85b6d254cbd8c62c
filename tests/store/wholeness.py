"""Watches that whatever a function does with the store in several statements is one transaction.

A power failure, or another process, may come between any two statements outside a transaction:
what was read is true no more, or half of what was to be written stands there.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from types import FrameType
from typing import Any

import peewee
import pytest

APART = {
    # Called only by whoever has a transaction.
    "Pictures.ask", "Pictures.ask_all", "Register.note",
    # Several pieces of work, each for itself.
    "Sending.step", "Sending.drain", "Tidying.step", "Tidying._drop", "Worker.step", "resolve_once",
}
_ROOMS = ("/judge/store/", "/judge/daemon/")
_READS, _WRITES = ("SELECT", "WITH"), ("INSERT", "UPDATE", "DELETE", "REPLACE")


@contextmanager
def watched() -> Iterator[None]:
    """Have a test fail in which a function writes after it wrote, without transaction.

    In the store itself nothing is read either before it is written.
    """
    begun: list[FrameType] = []
    wrote: list[FrameType] = []
    execute: Any = peewee.Database.execute_sql

    def noticing(database: peewee.Database, statement: str, *given: Any, **named: Any) -> Any:
        writes = statement.lstrip().startswith(_WRITES)
        if not database.in_transaction() and (writes or statement.lstrip().startswith(_READS)):
            frames = [frame for frame in _frames() if frame.f_code.co_qualname not in APART]
            if writes:
                torn = [frame.f_code.co_qualname for frame in frames
                        if frame in wrote or frame in begun and _is_store(frame)]
                if torn:
                    # Not an exception that the judge would take for a fault of a mail.
                    pytest.fail(f"{torn[0]} is several statements and no transaction")
                wrote[:] = frames
            begun[:] = frames
        return execute(database, statement, *given, **named)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peewee.Database, "execute_sql", noticing)
        yield


def _is_store(frame: FrameType) -> bool:
    return _ROOMS[0] in frame.f_code.co_filename


def _frames() -> Iterator[FrameType]:
    """Return the functions of the store, and of whoever uses it, that are at work."""
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        file = frame.f_code.co_filename
        if any(room in file for room in _ROOMS) and not file.endswith("/database.py"):
            yield frame
        frame = frame.f_back
