"""Trees of a minimal Debian, made once and copied.

They are cached for some weeks. Later packages are fetched in any case.
"""

import os
import shutil
import subprocess
import time
from collections.abc import Sequence
from pathlib import Path

MIRROR = "http://deb.debian.org/debian"
SOURCES = f"""\
deb {MIRROR} bookworm main
deb {MIRROR} bookworm-updates main
deb {MIRROR}-security bookworm-security main
"""
RETENTION_SECONDS = 30 * 24 * 3600.0
_CERTIFICATES = "etc/ssl/certs/ca-certificates.crt"
_OF_THIS_MACHINE = {
    "etc/pip.conf": "etc/pip.conf",
    _CERTIFICATES: _CERTIFICATES,
    # An upgrade of the package ca-certificates makes the file above again, from this one too.
    "usr/local/share/ca-certificates/machine.crt": _CERTIFICATES,
}
"""Files that package registries need, configuration and certificates, and their sources."""


def cached_tree(name: str, program: Sequence[str]) -> Path:
    """Return a cached tree, made by a program if it is missing or old.

    Suite, folder and mirror are added to the words of *program*.
    """
    home = Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
    tree = home / "postal-judge" / name
    if tree.exists() and time.time() - tree.stat().st_mtime < RETENTION_SECONDS:
        return tree
    shutil.rmtree(tree, ignore_errors=True)
    # The name is given only to a complete tree.
    half = tree.with_name(f"{name}.{os.getpid()}")
    half.parent.mkdir(parents=True, exist_ok=True)
    subprocess.run(
        [*program, "bookworm", str(half), MIRROR], check=True, stdout=subprocess.DEVNULL
    )
    half.rename(tree)
    os.utime(tree)
    return tree


def copy_tree(tree: Path, root: Path) -> None:
    """Copy a tree, with the access of this machine to package registries."""
    subprocess.run(["cp", "-a", str(tree), str(root)], check=True)
    (root / "etc/apt/sources.list").write_text(SOURCES)
    for name, source in _OF_THIS_MACHINE.items():
        if Path("/", source).exists():
            (root / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copyfile(Path("/", source), root / name)
