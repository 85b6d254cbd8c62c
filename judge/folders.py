"""Folders that only their owner can open, since they contain letters."""

from pathlib import Path

PRIVATE = 0o700


def make_folder(path: Path) -> None:
    """Create a private folder and its missing parents.

    `Path.mkdir` would create the parents with the permissions of the umask.

    Raises:
        OSError: a folder cannot be created.
    """
    for folder in (*reversed(path.parents), path):
        if not folder.is_dir():
            folder.mkdir(mode=PRIVATE, exist_ok=True)
