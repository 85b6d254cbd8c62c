"""Whole copies of a database file while others read and write it: SQLite's online backup."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from judge.errors import StoreError

_PAGES = 2000
"""Pages copied between two checks whether another process wants to write."""

_PRIMARY = 0xFF
"""Bits of an extended error code of SQLite that are the primary code."""


def copy_database(path: Path, target: Path) -> None:
    """Copy a database to a new file, whole and consistent, readable by its owner only.

    The copy appears under its name when it is complete; an existing file is not replaced.

    Raises:
        StoreError: the copy cannot be made, or the database is damaged.
    """
    try:
        source = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as fault:
        raise StoreError(f"{path} cannot be read: {fault}") from fault
    with closing(source):
        _check_source(source, path)
        copy_connection(source, target)


def _check_source(source: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError if a database cannot be read, so that the copy is not blamed for it."""
    try:
        source.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.Error as fault:
        if fault.sqlite_errorcode & _PRIMARY == sqlite3.SQLITE_BUSY:
            # The copy waits for its turn.
            return
        folder = path.parent
        hint = "" if os.access(folder, os.W_OK) else (
            f"; SQLite keeps a file beside it, and {folder} cannot be written"
        )
        raise StoreError(f"{path} cannot be read: {fault}{hint}") from fault


def copy_connection(source: sqlite3.Connection, target: Path) -> None:
    """Copy what a connection reads, as `copy_database` does; its file may have no name any more.

    Raises:
        StoreError: the copy cannot be made, or what was copied is damaged.
    """
    if target.exists():
        raise StoreError(f"{target} is there already")
    unfinished = unfinished_name(target)
    try:
        copy_pages(source, unfinished)
        if damage := damage_in(unfinished):
            raise StoreError(f"what is copied to {target} is damaged: {damage}")
        publish_copy(unfinished, target)
    except (OSError, sqlite3.Error) as fault:
        raise StoreError(f"{target} cannot be written: {fault}") from fault
    finally:
        unfinished.unlink(missing_ok=True)


def unfinished_name(target: Path) -> Path:
    """Return the name a copy has until it is complete."""
    return target.with_name(f".{target.name}.{os.getpid()}")


def copy_pages(source: sqlite3.Connection, unfinished: Path) -> None:
    """Copy what a connection reads into a new file.

    Raises:
        OSError, sqlite3.Error: it cannot be read or written.
    """
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(unfinished)) as copy:
        source.backup(copy, pages=_PAGES)


def damage_in(copy: Path, check: str = "quick_check") -> str:
    """Return the first thing that a check of SQLite's finds wrong in a copy nobody has open."""
    try:
        with closing(sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)) as opened:
            [(told,)] = opened.execute(f"PRAGMA {check}(1)").fetchall()
    except sqlite3.DatabaseError as fault:
        return str(fault)
    return "" if told == "ok" else str(told)


def publish_copy(unfinished: Path, target: Path) -> None:
    """Give a complete copy its name, so that file and name survive a power failure.

    Raises:
        OSError: there is a file of that name, or it cannot be written.
    """
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())
    # A link, unlike a renaming, never replaces what another process made meanwhile.
    os.link(unfinished, target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Have the names in a folder survive a power failure."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
