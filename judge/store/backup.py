"""A copy of the database while the judge goes on: `judge backup`."""

from pathlib import Path

from judge.errors import StoreError
from judge.store.copying import copy_database
from judge.store.database import Store


def backup(url: str, target: Path) -> None:
    """Copy a database to a new file that a judge can run on.

    Raises:
        StoreError: there is no database, or the copy cannot be made.
    """
    path = Store(url).path
    if path is None:
        raise StoreError("a database in memory has nothing to copy")
    if not path.is_file():
        raise StoreError(f"there is no database at {path}")
    copy_database(path, target)
