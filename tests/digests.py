"""What came of something, as digests kept in a table: nothing that it goes through changes unseen.

With WRITE_DIGESTS=1 in the environment the tables are written anew.
"""

import os
from collections.abc import Mapping
from hashlib import sha256
from pathlib import Path


def digest(text: str) -> str:
    """Return a short digest of a text."""
    return sha256(text.encode()).hexdigest()[:12]


def hold_to(file: Path, found: Mapping[str, str]) -> None:
    """Compare texts, by their names, with the digests in a table."""
    rows = {name: digest(text) for name, text in found.items()}
    if os.environ.get("WRITE_DIGESTS"):
        file.write_text("".join(f"{name}\t{each}\n" for name, each in rows.items()), "utf-8")
    kept = dict(row.split("\t") for row in file.read_text("utf-8").splitlines())
    differing = [name for name in {**kept, **rows} if kept.get(name) != rows.get(name)]
    assert not differing, f"{file.name}: not what it was: {', '.join(differing)}"
