"""The folder of a site.

Only changed files are written, each of them atomically. Only files that the judge wrote are
removed.
"""

import json
import os
import tempfile
from pathlib import Path, PurePosixPath

from judge.errors import JudgeError

MANIFEST_NAME = ".judge-site.json"
"""List of the files that the judge wrote, by game, with the stamp of each game."""
_FILE, _FOLDER = 0o644, 0o755
"""Permissions that let a web server read them."""


class SiteFolder:
    """A folder with a site in it.

    `edition` names the form of the pages. A new edition writes every part again.

    Raises:
        JudgeError: the folder has other files, and none that the judge wrote.
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
        book = self.path / MANIFEST_NAME
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
        """Return whether a part is complete and up to date, and keep it in that case.

        That is, its stamp and the edition are the same and all its files are there.
        """
        if not stamp or not self.same_edition or part not in self._before:
            return False
        known, files = self._before[part]
        if known != stamp or not all((self.path / file).is_file() for file in files):
            return False
        self._now[part] = (stamp, set(files))
        return True

    def retain(self, part: str) -> None:
        """Keep the old files of a part that could not be written, for another try."""
        self._now[part] = ("", set(self._before.get(part, ("", frozenset()))[1]))

    def holds(self, file: str) -> bool:
        """Return whether a file is there."""
        return (self.path / file).is_file()

    def read(self, file: str) -> bytes:
        """Return the content of a file in the folder."""
        return (self.path / file).read_bytes()

    def begin(self, part: str, stamp: str) -> None:
        """Begin to write a part."""
        self._now[part] = (stamp, set())

    def keep(self, part: str, file: str) -> bool:
        """Keep a file that cannot have changed, if it is there in this edition.

        Return whether it is.
        """
        there = self.same_edition and (self.path / file).is_file()
        if there:
            self._now[part][1].add(file)
        return there

    def put(self, part: str, file: str, octets: bytes) -> None:
        """Write a file of a part, unless its content is the same already.

        Raises:
            JudgeError: the path leads out of the folder.
        """
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
        """Remove files that no part needs any longer, and write the list of the files."""
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
        book = self.path / MANIFEST_NAME
        if not book.is_file() or book.read_text("utf-8") != text:
            self._write(book, text.encode())


def _is_inside(file: str) -> bool:
    """Return whether a path leads to a place within the folder.

    >>> _is_inside("games/marco/S1901M.html"), _is_inside("../x"), _is_inside("/etc/passwd")
    (True, False, False)
    """
    path = PurePosixPath(file)
    return bool(path.parts) and not path.is_absolute() and all(p.strip(".") for p in path.parts)
