"""The folder of a site.

Only changed files are written, each of them atomically. Only files that the judge wrote are
removed. An interrupted run leaves a list of what it has written, so that the next one continues.
"""

import fcntl
import json
import os
import tempfile
import time
from collections.abc import Collection, Iterable
from pathlib import Path, PurePosixPath
from types import TracebackType
from typing import NamedTuple

from judge.errors import JudgeError

MANIFEST_NAME = ".judge-site.json"
"""List of the files that the judge wrote, by game, with stamp and edition of each game."""
JOURNAL_NAME = ".judge-site.new"
"""Files that a run wrote before their part was complete, one a line."""
LOCK_NAME = ".judge-site.lock"
"""Lock of the run that writes. Another one waits."""
SAVE_SECONDS = 10.0
"""Seconds between two writings of the list, as it may be large."""
_OWN = ".judge-"
"""Beginning of these names, and of the name of a file until it is complete."""
_FILE, _FOLDER = 0o644, 0o755
"""Permissions that let a web server read them."""


class _Part(NamedTuple):
    """Files of a part, and the state that they show."""

    stamp: str
    edition: str
    files: set[str]


_NOTHING = _Part("", "", set())


class SiteFolder:
    """A folder with a site in it, locked until `close`.

    `edition` names the form of the pages. A new edition writes every part again.

    Raises:
        JudgeError: the folder has other files, and none that the judge wrote.
        OSError: the folder cannot be written.
    """

    def __init__(self, path: Path, edition: str) -> None:
        self.path = path
        self.written = self.removed = 0
        self._edition = edition
        self._before: dict[str, _Part] = {}
        self._left: set[str] = set()
        """Files that the judge wrote, and that belong to no complete part."""
        self._now: dict[str, _Part] = {}
        self._saved = time.monotonic()
        _make_folders(path)
        others = [name for name in os.listdir(path) if not name.startswith(_OWN)]
        if others and not (path / MANIFEST_NAME).is_file():
            raise JudgeError(f"{path} contains other files; name an empty folder")
        self._lock = (path / LOCK_NAME).open("w")
        try:
            fcntl.flock(self._lock, fcntl.LOCK_EX)
            self._read()
            self._journal = (path / JOURNAL_NAME).open("a", encoding="utf-8")
        except BaseException:
            self._lock.close()
            raise

    def __enter__(self) -> "SiteFolder":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    def close(self) -> None:
        """Unlock the folder."""
        self._journal.close()
        self._lock.close()

    def _read(self) -> None:
        book = self.path / MANIFEST_NAME
        if not book.is_file():
            self._save({})
            return
        try:
            told = json.loads(book.read_text("utf-8"))
            for part, facts in told["parts"].items():
                # Lists of earlier judges have one edition for all parts.
                stamp, known, files = facts if len(facts) == 3 else (
                    facts[0], told["edition"], facts[1]
                )
                self._before[part] = _Part(stamp, known, set(filter(_is_inside, files)))
            left = told.get("left", [])
        except (ValueError, KeyError, TypeError, AttributeError) as fault:
            advice = f"remove {self.path} and publish again"
            raise JudgeError(f"{book} cannot be read; {advice}") from fault
        journal = self.path / JOURNAL_NAME
        if journal.is_file():
            left += journal.read_text("utf-8", "replace").splitlines()
        self._left.update(filter(_is_inside, left))

    def has(self, part: str, stamp: str) -> bool:
        """Return whether a part is complete and up to date, and keep it in that case.

        That is, its stamp and the edition are the same and all its files are there.
        """
        if not stamp or part not in self._before:
            return False
        known = self._before[part]
        if (known.stamp, known.edition) != (stamp, self._edition):
            return False
        if not all((self.path / file).is_file() for file in known.files):
            return False
        self._now[part] = known
        return True

    def retain(self, part: str) -> None:
        """Keep the files of a part that could not be written, for another try."""
        found = (state.get(part, _NOTHING).files for state in (self._before, self._now))
        self._now[part] = _Part("", "", set().union(*found))

    def holds(self, file: str) -> bool:
        """Return whether a file is there."""
        return (self.path / file).is_file()

    def read(self, file: str) -> bytes:
        """Return the content of a file in the folder."""
        return (self.path / file).read_bytes()

    def begin(self, part: str, stamp: str) -> None:
        """Begin to write a part."""
        self._now[part] = _Part(stamp, self._edition, set())

    def keep(self, part: str, file: str) -> bool:
        """Keep a file that cannot have changed, if it is there in this edition.

        Return whether it is.
        """
        known = self._before.get(part)
        there = known is not None and known.edition == self._edition and self.holds(file)
        if there:
            self._now[part].files.add(file)
        return there

    def put(self, part: str, file: str, octets: bytes) -> None:
        """Write a file of a part, unless its content is the same already.

        Raises:
            JudgeError: the path leads out of the folder.
        """
        if not _is_inside(file):
            raise JudgeError(f"no place in a site: {file!r}")
        self._now[part].files.add(file)
        path = self.path / file
        if path.is_file() and path.read_bytes() == octets:
            return
        self._journal.write(f"{file}\n")
        self._journal.flush()
        self._write(path, octets)
        self.written += 1

    def _write(self, path: Path, octets: bytes) -> None:
        _make_folders(path.parent)
        handle, name = tempfile.mkstemp(dir=path.parent, prefix=_OWN)
        try:
            with os.fdopen(handle, "wb") as file:
                file.write(octets)
                os.fchmod(file.fileno(), _FILE)
            os.replace(name, path)
        except BaseException:
            Path(name).unlink(missing_ok=True)
            raise

    def remove_parts(self, wanted: Collection[str]) -> None:
        """Remove the files of all other parts, before anything is written."""
        gone = [part for part in self._before if part not in wanted]
        files = self._left | _files_of(self._before.pop(part) for part in gone)
        self._remove(files - _files_of(self._before.values()))
        self._left.clear()
        self._save(self._before)

    def save_progress(self) -> None:
        """Write the list of the files now and then, so that the next run continues here."""
        if time.monotonic() - self._saved >= SAVE_SECONDS:
            self._left |= _files_of(self._before[part] for part in self._before.keys() & self._now)
            self._save(self._before | self._now)
            self._saved = time.monotonic()

    def finish(self) -> None:
        """Remove files that no part needs any longer, and write the list of the files."""
        known = self._left | _files_of(self._before.values())
        self._remove(known - _files_of(self._now.values()))
        self._left.clear()
        self._save(self._now)
        (self.path / JOURNAL_NAME).unlink(missing_ok=True)

    def _remove(self, files: Iterable[str]) -> None:
        for file in sorted(files):
            path = self.path / file
            if path.is_file():
                path.unlink()
                self.removed += 1
            if path.parent != self.path and path.parent.is_dir():
                self._remove_if_empty(path.parent)

    def _remove_if_empty(self, folder: Path) -> None:
        """Remove a folder without files, but those of a run that was killed."""
        unfinished = [each for each in folder.iterdir() if each.name.startswith(_OWN)]
        if len(unfinished) == len([*folder.iterdir()]):
            for each in unfinished:
                each.unlink()
            folder.rmdir()

    def _save(self, parts: dict[str, _Part]) -> None:
        told = {
            "parts": {
                name: [part.stamp, part.edition, sorted(part.files)]
                for name, part in sorted(parts.items())
            },
            "left": sorted(self._left),
        }
        text = json.dumps(told, indent=0) + "\n"
        book = self.path / MANIFEST_NAME
        if not book.is_file() or book.read_text("utf-8") != text:
            self._write(book, text.encode())


def _files_of(parts: Iterable[_Part]) -> set[str]:
    return {file for part in parts for file in part.files}


def _make_folders(path: Path) -> None:
    for folder in (*reversed(path.parents), path):
        if not folder.is_dir():
            folder.mkdir(exist_ok=True)
            folder.chmod(_FOLDER)


def _is_inside(file: str) -> bool:
    """Return whether a path leads to a place within the folder.

    >>> _is_inside("games/marco/S1901M.html"), _is_inside("../x"), _is_inside("/etc/passwd")
    (True, False, False)
    """
    path = PurePosixPath(file)
    return bool(path.parts) and not path.is_absolute() and all(p.strip(".") for p in path.parts)
