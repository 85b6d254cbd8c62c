"""The file beside a database that tells, for ever, that a judge ran on it: its lock.

Where it is and the database is gone, nobody takes mail into an empty one as if nothing had been.
"""

import os
from pathlib import Path

from judge.errors import StoreError
from judge.store.files import is_moved, is_there, moved_away

STARTING = "starting"
"""What stands behind the number of a process that has no database yet."""


def mark_beside(database: Path) -> Path:
    """Return where the file of a database is, whatever names lead to that."""
    return database.resolve().with_suffix(".lock")


def tells(text: str) -> bool:
    """Tell whether what stands in the file tells of a judge that had a database."""
    return bool(text) and not text.endswith(STARTING)


def must_not_be_new(database: Path | None) -> None:
    """See that where a judge ran its database still is; an empty file is none.

    Raises:
        StoreError: it is gone.
    """
    if database is None or is_there(database):
        return
    try:
        told = mark_beside(database).read_text("ascii", "replace").strip()
    except FileNotFoundError:
        return
    if tells(told):
        raise database_gone(database)


def database_gone(database: Path) -> StoreError:
    """Return what is said where a judge ran and its database is gone."""
    if is_moved(database):
        return StoreError(moved_away(database))
    return StoreError(
        f"there is no database at {database}, where a judge ran before: put it back, or a copy of"
        " it (docs/operating.md); `judge serve --new` begins with an empty one"
    )


def note_database(database: Path | None) -> None:
    """Write down that there is a database, unless somebody has."""
    if database is None:
        return
    file = os.open(mark_beside(database), os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600)
    try:
        if not tells(os.read(file, 40).decode("ascii", "replace").strip()):
            os.pwrite(file, b"0\n", 0)
            os.ftruncate(file, 2)
    finally:
        os.close(file)
