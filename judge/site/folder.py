"""The folder of a site: only what changed is written, each file at once, and only ours removed."""

import json
import os
import tempfile
from pathlib import Path, PurePosixPath

from judge.errors import JudgeError

BOOK = ".judge-site.json"
"""Lists what we wrote, by game, with the stamp of each."""
_FILE, _FOLDER = 0o644, 0o755
"""A web server reads them."""


class SiteFolder:
    """One folder with a site in it; `edition` says how it is written: a new one writes all anew.

    Raises: JudgeError for a folder with files of others and none of ours.
    """

    def __init__(self, path: Path, edition: str) -> None:
        self.path = path
        self.written = self.removed = 0
        self._edition = edition
        self._before: dict[str, tuple[str, frozenset[str]]] = {}
        self._now: dict[str, tuple[str, set[str]]] = {}
        self.same_edition = False
        if path.is_dir() and any(path.iterdir()):
            self._read()

    def _read(self) -> None:
        book = self.path / BOOK
        if not book.is_file():
            raise JudgeError(f"{self.path} holds other files; name a folder of its own")
        try:
            told = json.loads(book.read_text("utf-8"))
            self.same_edition = told["edition"] == self._edition
            self._before = {
                part: (stamp, frozenset(filter(_is_inside, files)))
                for part, (stamp, files) in told["parts"].items()
            }
        except (ValueError, KeyError, TypeError) as fault:
            raise JudgeError(f"{book} cannot be read; remove {self.path} to begin anew") from fault

    def has(self, part: str, stamp: str) -> bool:
        """Tell whether a part is there as its stamp says, with all its files; it is kept then."""
        if not stamp or not self.same_edition or part not in self._before:
            return False
        known, files = self._before[part]
        if known != stamp or not all((self.path / file).is_file() for file in files):
            return False
        self._now[part] = (stamp, set(files))
        return True

    def retain(self, part: str) -> None:
        """Leave a part that could not be written as it was, to be tried again."""
        self._now[part] = ("", set(self._before.get(part, ("", frozenset()))[1]))

    def holds(self, file: str) -> bool:
        """Tell whether there is a file."""
        return (self.path / file).is_file()

    def read(self, file: str) -> bytes:
        """Return what is in a file of ours."""
        return (self.path / file).read_bytes()

    def begin(self, part: str, stamp: str) -> None:
        """Begin to write a part."""
        self._now[part] = (stamp, set())

    def keep(self, part: str, file: str) -> bool:
        """Keep a file that can only be the same as it was; tell whether it is there."""
        there = self.same_edition and (self.path / file).is_file()
        if there:
            self._now[part][1].add(file)
        return there

    def put(self, part: str, file: str, octets: bytes) -> None:
        """Write a file of a part, unless it holds that already."""
        if not _is_inside(file):
            raise JudgeError(f"no place in a site: {file!r}")
        self._now[part][1].add(file)
        path = self.path / file
        if path.is_file() and path.read_bytes() == octets:
            return
        self._write(path, octets)
        self.written += 1

    def _write(self, path: Path, octets: bytes) -> None:
        for folder in (*reversed(path.parents), path.parent):
            if not folder.is_dir():
                folder.mkdir(exist_ok=True)
                folder.chmod(_FOLDER)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=".judge-")
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(octets)
                os.fchmod(file.fileno(), _FILE)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def finish(self) -> None:
        """Remove what we wrote and is no longer wanted, and note what there is."""
        wanted = {file for _, files in self._now.values() for file in files}
        for _, files in self._before.values():
            for file in sorted(files - wanted):
                path = self.path / file
                if path.is_file():
                    path.unlink()
                    self.removed += 1
                if path.parent != self.path and path.parent.is_dir():
                    if not any(path.parent.iterdir()):
                        path.parent.rmdir()
        parts = {part: [stamp, sorted(files)] for part, (stamp, files) in self._now.items()}
        told = {"edition": self._edition, "parts": dict(sorted(parts.items()))}
        text = json.dumps(told, indent=0) + "\n"
        book = self.path / BOOK
        if not book.is_file() or book.read_text("utf-8") != text:
            self._write(book, text.encode())


def _is_inside(file: str) -> bool:
    """Tell whether a path leads to a place within the folder.

    >>> _is_inside("games/marco/S1901M.html"), _is_inside("../x"), _is_inside("/etc/passwd")
    (True, False, False)
    """
    path = PurePosixPath(file)
    return bool(path.parts) and not path.is_absolute() and all(p.strip(".") for p in path.parts)
