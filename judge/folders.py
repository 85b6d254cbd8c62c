"""Folders nobody else can look into: what the judge keeps are letters. Floor 0."""

from pathlib import Path

PRIVATE = 0o700


def make_folder(path: Path) -> None:
    """Make a folder, and those above it that are missing, for their owner alone.

    `Path.mkdir` would give the ones above it whatever the umask allows.

    Raises: OSError.
    """
    for folder in (*reversed(path.parents), path):
        if not folder.is_dir():
            folder.mkdir(mode=PRIVATE, exist_ok=True)
