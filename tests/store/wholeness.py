"""Watches that whatever a function does with the store in several statements is one transaction.

A power failure, or another process, may come between any two statements outside a transaction:
what was read is true no more, or half of what was to be written stands there.
"""

import sys
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from types import FrameType
from typing import Any

import peewee
import pytest

APART = {
    # Called only by whoever has a transaction.
    "Pictures.ask",
    "Pictures.ask_all",
    "Register.note",
    # Several pieces of work, each for itself.
    "Sending.step",
    "Sending.drain",
    "Retention.step",
    "Retention._drop",
    "Worker.step",
    "Worker.steps",
    "Worker._take",
    "Worker._attend_before",
    "Resolving.attend_to",
    "Resolving._attend_to",
    "Resolving._attend",
    "work_once",
    "resolve_once",
    "send_once",
    "deliver_one",
    "publish",
    "publish.<locals>.<listcomp>",
    "_headlines",
    "PictureWorker.drain",
    "Resolving.tick",
    "Resolving.tick.<locals>.<genexpr>",
    "Resolving.awake",
    "Resolving._look_at_systems",
    "Resolving._heed_masters",
    "Sending._free_the_dead",
    "Sending._claim",
    "Sending._mark",
    "Retention._tidy",
    "Retention._reduce_mails",
    *(f"Service.{name}" for name in (
        "run", "_run_door", "run_guarded", "_run_anew", "run_worker", "work_loop",
        "heartbeat_loop", "_sender", "send_loop", "send_once", "_painter", "picture_loop",
    )),
    "Writer._work",
    "Writer._store_all",
}
_OPENING = "open_application"
"""What brings a store into use is done before anything else is."""
_ROOMS = ("/judge/store/", "/judge/daemon/", "/judge/terminal/")
_BEGIN = "BEGIN"
_READS, _WRITES = ("SELECT", "WITH"), ("INSERT", "UPDATE", "DELETE", "REPLACE", _BEGIN)


@contextmanager
def watched() -> Iterator[None]:
    """Have a test fail in which a function writes after it wrote, without transaction.

    A transaction is one piece of writing: a function with two of them needs one around both. In
    the store itself nothing is read either before it is written, unless it is read again inside.
    """
    begun: dict[peewee.Database, list[FrameType]] = {}
    wrote: dict[peewee.Database, list[FrameType]] = {}
    execute: Any = peewee.Database.execute_sql
    begin: Any = peewee.SqliteDatabase.begin
    rollback: Any = peewee.SqliteDatabase.rollback

    def notice(database: peewee.Database, statement: str) -> None:
        if database.in_transaction():
            return
        writes, alone = statement.lstrip().startswith(_WRITES), statement != _BEGIN
        if writes or statement.lstrip().startswith(_READS):
            frames = [frame for frame in _frames() if frame.f_code.co_qualname not in APART]
            if any(frame.f_code.co_qualname == _OPENING for frame in frames):
                return
            if writes:
                looked = begun.get(database, []) if alone else []
                torn = [frame.f_code.co_qualname for frame in frames
                        if frame in wrote.get(database, ()) or frame in looked and _is_store(frame)]
                if torn:
                    # Not an exception that the judge would take for a fault of a mail.
                    pytest.fail(f"{torn[0]} is several statements and no transaction")
                wrote[database] = frames
            begun[database] = frames

    def executing(database: peewee.Database, statement: str, *given: Any, **named: Any) -> Any:
        notice(database, statement)
        return execute(database, statement, *given, **named)

    def beginning(database: peewee.Database, *given: Any, **named: Any) -> Any:
        notice(database, _BEGIN)
        try:
            return begin(database, *given, **named)
        except peewee.OperationalError:
            wrote.pop(database, None)
            raise

    def taking_back(database: peewee.Database) -> Any:
        wrote.pop(database, None)
        return rollback(database)

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(peewee.Database, "execute_sql", executing)
        patch.setattr(peewee.SqliteDatabase, "begin", beginning)
        patch.setattr(peewee.SqliteDatabase, "rollback", taking_back)
        yield


def _is_store(frame: FrameType) -> bool:
    return _ROOMS[0] in frame.f_code.co_filename


def _frames() -> Iterator[FrameType]:
    """Return the functions of the store, and of whoever uses it, that are at work.

    What a test does in the midst of them, as another judge does, it does for itself.
    """
    frame: FrameType | None = sys._getframe()
    while frame is not None:
        stands = _stands(frame.f_code.co_filename)
        if stands is None:
            break
        if stands:
            yield frame
        frame = frame.f_back


@cache
def _stands(file: str) -> bool | None:
    """Tell whether functions of a file are looked at; None of a test, before which nobody is."""
    if "/tests/" in file and file != __file__:
        return None
    return any(room in file for room in _ROOMS) and not file.endswith("/database.py")
