"""Check that functions run several statements within one transaction.

A power failure, or another process, may come between any two statements outside a transaction. Then
data read before is outdated, or only half of the data is written.
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
    # These are called inside a transaction only.
    "Pictures.request_pictures",
    "PersonRegister.record_conduct",
    # These do several independent pieces of work.
    "DeliveryLoop.run_once",
    "DeliveryLoop.drain",
    "Retention.run_once",
    "Retention._drop",
    "Worker.work_one",
    "Worker.work_batch",
    "Worker._take",
    "ResolverLoop.advance_games",
    "ResolverLoop._attend_to",
    "ResolverLoop._attend",
    "work_once",
    "resolve_once",
    "send_once",
    "deliver_one",
    "publish",
    "publish.<locals>.<listcomp>",
    "_headlines",
    "PictureWorker.drain",
    "PictureWorker.drain.<locals>.<genexpr>",
    "ResolverLoop.tick",
    "ResolverLoop.tick.<locals>.<genexpr>",
    "ResolverLoop.record_awake",
    "ResolverLoop._look_at_systems",
    "ResolverLoop._check_inactive_masters",
    "DeliveryLoop._reclaim_orphaned_letters",
    "DeliveryLoop._claim",
    "DeliveryLoop._record_results",
    "Retention._clean_up",
    "Retention._reduce_mails",
    *(f"Service.{name}" for name in (
        "run", "_run_listener", "run_guarded", "run_worker", "work_loop", "heartbeat_loop",
        "_run_delivery", "send_loop", "send_once", "_run_picture_worker", "picture_loop",
    )),
    "Writer._work",
    "Writer._store_all",
}
_OPENING = "open_application"
"""Function that opens a store, before any other process or thread uses it."""
_ROOMS = ("/judge/store/", "/judge/daemon/", "/judge/terminal/")
_BEGIN = "BEGIN"
_READS, _WRITES = ("SELECT", "WITH"), ("INSERT", "UPDATE", "DELETE", "REPLACE", _BEGIN)


@contextmanager
def watch_transactions() -> Iterator[None]:
    """Fail a test in which a function writes twice without a transaction.

    A transaction is one piece of writing: a function with two of them needs one around both. In the
    store itself a read before a write must be inside the transaction too, or be repeated there.
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
                    # An exception would be handled by the judge as a fault of a mail.
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
    """Yield the active functions of the store and its callers.

    A test that acts in the midst of them, as another judge does, acts for itself, so its frame ends
    the list.
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
    """Return whether functions of a file are watched, or None for a test file."""
    if "/tests/" in file and file != __file__:
        return None
    return any(room in file for room in _ROOMS) and not file.endswith("/database.py")
