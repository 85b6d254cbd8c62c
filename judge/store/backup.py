"""A copy of the database while the judge goes on: SQLite's online backup."""

import os
import sqlite3
from contextlib import closing
from pathlib import Path

from judge.errors import StoreError
from judge.store.database import Store

_PAGES = 2000
"""How many pages are copied between two looks at whether somebody else wants to write."""


def backup(url: str, target: Path) -> None:
    """Copy a database to a new file, whole and consistent, readable by its owner only.

    The copy appears under its name when it is complete; an existing file is not replaced.

    Raises:
        StoreError: there is no database, or the copy cannot be made.
    """
    path = Store(url).path
    if path is None:
        raise StoreError("a database in memory has nothing to copy")
    if not path.is_file():
        raise StoreError(f"there is no database at {path}")
    if target.exists():
        raise StoreError(f"{target} is there already")
    unfinished = target.with_name(f".{target.name}.{os.getpid()}")
    try:
        os.close(os.open(unfinished, os.O_CREAT | os.O_EXCL | os.O_WRONLY, 0o600))
        with (
            closing(sqlite3.connect(f"{path.as_uri()}?mode=ro", uri=True)) as source,
            closing(sqlite3.connect(unfinished)) as copy,
        ):
            source.backup(copy, pages=_PAGES)
        with unfinished.open("rb") as written:
            os.fsync(written.fileno())
        unfinished.rename(target)
    except (OSError, sqlite3.Error) as fault:
        raise StoreError(f"{target} cannot be written: {fault}") from fault
    finally:
        unfinished.unlink(missing_ok=True)
