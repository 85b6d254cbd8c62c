"""Complete copies of a database file in use, by SQLite's online backup."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from judge.errors import StoreError

_PAGES = 2000
"""Number of pages copied at a time; other processes can write in between."""

_PRIMARY = 0xFF
"""Bit mask of the primary code within an extended SQLite error code."""


def copy_database(path: Path, target: Path) -> None:
    """Copy a database to a new file that only its owner can read.

    The copy is complete and consistent. It appears under its name when it is complete. An existing
    file is not replaced.

    Raises:
        StoreError: the copy cannot be made, or the database is damaged.
    """
    try:
        source = sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)
    except sqlite3.Error as fault:
        raise StoreError(f"{path} cannot be read: {fault}") from fault
    with closing(source):
        _check_source(source, path)
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


def _check_source(source: sqlite3.Connection, path: Path) -> None:
    """Raise StoreError if a database cannot be read.

    Without this check the error would name the copy.
    """
    try:
        source.execute("SELECT 1 FROM sqlite_master").fetchone()
    except sqlite3.Error as fault:
        if fault.sqlite_errorcode & _PRIMARY == sqlite3.SQLITE_BUSY:
            # A busy database is readable. The copy waits for its turn.
            return
        hint = "" if os.access(path.parent, os.W_OK) else (
            f"; SQLite keeps a file beside it, and {path.parent} cannot be written"
        )
        raise StoreError(f"{path} cannot be read: {fault}{hint}") from fault


def unfinished_name(target: Path) -> Path:
    """Return the temporary name of an incomplete copy."""
    return target.with_name(f".{target.name}.{os.getpid()}")


def copy_pages(source: sqlite3.Connection, unfinished: Path) -> None:
    """Copy the database of a connection to a new file.

    Raises:
        OSError, sqlite3.Error: it cannot be read or written.
    """
    os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
    with closing(sqlite3.connect(unfinished)) as copy:
        source.backup(copy, pages=_PAGES)


def damage_in(copy: Path, check: str = "quick_check") -> str:
    """Return the first error that a check by SQLite finds in a copy, or "".

    No connection may have the copy open.
    """
    place = f"{copy.absolute().as_uri()}?immutable=1"
    try:
        with closing(sqlite3.connect(place, uri=True)) as opened:
            [(told,)] = opened.execute(f"PRAGMA {check}(1)").fetchall()
    except sqlite3.DatabaseError as fault:
        return str(fault)
    return "" if told == "ok" else str(told)


def publish_copy(unfinished: Path, target: Path) -> None:
    """Rename a complete copy durably: file and name survive a power failure.

    Raises:
        OSError: a file of that name exists, or it cannot be written.
    """
    with unfinished.open("rb") as written:
        os.fsync(written.fileno())
    # A link, unlike a renaming, never replaces a file that another process has made since.
    os.link(unfinished, target)
    sync_folder(target.parent)


def sync_folder(folder: Path) -> None:
    """Sync a folder, so that its file names survive a power failure."""
    handle = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(handle)
    finally:
        os.close(handle)
