"""Rescue copies of a lost database, and `judge restore`, which decides on them."""

import os
import sqlite3
import tempfile
from collections.abc import Iterator
from contextlib import closing, contextmanager
from datetime import UTC, datetime
from pathlib import Path
from typing import NamedTuple

from judge.errors import StoreError
from judge.folders import make_folder
from judge.store import sqlite_files
from judge.store.backup import copy_pages, damage_in, publish_copy, sync_folder, unfinished_name
from judge.store.migrations import STEPS


def new_mark() -> int:
    """Return a random mark for `application_id`, unique to a database."""
    return int.from_bytes(os.urandom(4)) % (sqlite_files.COUNT_LIMIT - 1) + 1


def write_rescue(path: Path, connection: sqlite3.Connection, is_whole: bool) -> str:
    """Copy what the connection can still read of a lost database. Return a message.

    The copy is called `.lost` if it contains everything that was committed, else `.damaged`. It
    stays next to the database until `judge restore`.
    """
    if is_whole and (copy := _copy_that_holds(path, connection)):
        return f"all it held is in {copy}: {_decision(copy)}"
    faults: list[str] = []
    for folder in (path.parent, Path(tempfile.gettempdir())):
        unfinished = unfinished_name(folder / path.name)
        try:
            make_folder(folder)
            fault = _copy_readable(connection, unfinished)
            # Another process may have finished its copy while this one was written.
            if is_whole and (copy := _copy_that_holds(path, connection)):
                return f"all it held is in {copy}: {_decision(copy)}"
            copy = sqlite_files.rescue_name(folder / path.name, is_whole and not fault)
            publish_copy(unfinished, copy)
        except OSError as refusal:
            faults.append(f"{folder}: {refusal.strerror}")
            continue
        finally:
            unfinished.unlink(missing_ok=True)
        if fault:
            return f"not all it held could be read ({fault}); what could is in {copy}"
        if not is_whole:
            return f"what could still be read, old and new, is in {copy}: {_decision(copy)}"
        return f"all it held is copied to {copy}: {_decision(copy)}"
    return f"what it held could not be copied anywhere ({'; '.join(faults)})"


def _decision(copy: Path) -> str:
    return f"`judge restore {copy}` goes on with it"


def _copy_readable(connection: sqlite3.Connection, unfinished: Path) -> str:
    """Copy what can be read. Return a message about damage, or "".

    Raises:
        OSError: there is no space for it.
    """
    try:
        copy_pages(connection, unfinished)
    except sqlite3.Error as fault:
        if "full" in str(fault):
            raise OSError(0, str(fault)) from fault
        return str(fault)
    return damage_in(unfinished, "integrity_check")


def _copy_that_holds(path: Path, connection: sqlite3.Connection) -> Path | None:
    """Return a rescue copy of another process with all that this one reads, or None."""
    try:
        [(mark,)] = connection.execute("PRAGMA application_id").fetchall()
        [(count,)] = connection.execute("PRAGMA user_version").fetchall()
    except sqlite3.Error:
        return None
    for copy in sqlite_files.rescue_copies(path):
        header = sqlite_files.header_in(copy)
        if header is None or header.mark != mark:
            continue
        if not sqlite_files.is_behind(header.commits, count):
            return copy if ".lost" in copy.name.removeprefix(path.name) else None
    return None


class Restored(NamedTuple):
    """Outcome of `judge restore`."""

    mails: int
    newest: datetime | None
    """Acceptance time of the newest mail in it, or None."""
    aside: Path
    """Folder with the files that were there before."""
    differences: tuple[str, ...]
    """Messages about content of the old files that the database lacks."""


def restore(path: Path, source: Path, now: datetime) -> Restored:
    """Replace the judge's database by a copy of a file, and move the old files aside.

    Raises:
        StoreError: the file is no complete database of a judge; nothing is changed then.
    """
    if not source.is_file() or source.stat().st_size == 0:
        raise StoreError(f"there is no database at {source}")
    make_folder(path.parent)
    unfinished = unfinished_name(path)
    unfinished.unlink(missing_ok=True)
    try:
        with _reading(source) as opened:
            copy_pages(opened, unfinished)
        _check_copy(source, unfinished)
        with closing(sqlite3.connect(unfinished)) as copy:
            # With a new mark, no earlier log is taken for that of the copy.
            copy.execute(f"PRAGMA application_id = {new_mark()}")
            [(mails, newest)] = copy.execute("SELECT COUNT(*), MAX(accepted) FROM mails")
            differences = tuple(_differences(copy, path))
        aside = move_files_aside(path, now)
        publish_copy(unfinished, path)
    except (OSError, sqlite3.Error) as fault:
        raise StoreError(f"{source} cannot be restored: {fault}") from fault
    finally:
        sqlite_files.remove_files(unfinished)
    moment = None if newest is None else datetime.fromtimestamp(newest / 1_000_000, UTC)
    return Restored(mails, moment, aside, differences)


def move_files_aside(path: Path, now: datetime) -> Path:
    """Move a database, its log and its rescue copies into a new folder.

    Return the folder, which is next to the database.

    Raises:
        OSError: they cannot be moved.
    """
    moment = now.astimezone(UTC)
    aside = sqlite_files.free_name(path.with_name(f"{path.name}.aside-{moment:%Y%m%dT%H%M%SZ}"))
    make_folder(aside)
    for file in (*sqlite_files.files_of(path), *sqlite_files.rescue_copies(path)):
        if file.exists():
            file.rename(aside / file.name)
    sync_folder(aside)
    sync_folder(path.parent)
    return aside


def clear_place(path: Path, now: datetime) -> None:
    """Move aside the log of a database that is gone.

    A new database would use that log. Rescue copies stay, because they wait for a decision.
    """
    is_there = sqlite_files.is_database_file(path) or sqlite_files.rescue_copies(path)
    if not is_there and sqlite_files.log_of(path).exists():
        move_files_aside(path, now)


@contextmanager
def _reading(file: Path) -> Iterator[sqlite3.Connection]:
    """Open a file to read it, with its log only if that belongs to it."""
    log = sqlite_files.log_of(file)
    has_log = log.exists() and log.stat().st_size > 0 and not sqlite_files.foreign_log(file)
    how = "mode=ro" if has_log else "immutable=1"
    with closing(sqlite3.connect(f"{file.resolve().as_uri()}?{how}", uri=True)) as opened:
        yield opened


def _check_copy(source: Path, copy: Path) -> None:
    """Check that a copy is a complete database of a judge no newer than this one."""
    if damage := damage_in(copy, "integrity_check"):
        raise StoreError(f"{source} is damaged: {damage}")
    with closing(sqlite3.connect(f"{copy.as_uri()}?immutable=1", uri=True)) as opened:
        try:
            done = {name for (name,) in opened.execute("SELECT name FROM migrations")}
        except sqlite3.Error as fault:
            raise StoreError(f"{source} is no database of a judge") from fault
    if done - {step.name for step in STEPS}:
        raise StoreError(f"{source} is the database of a newer judge")


def _differences(copy: sqlite3.Connection, path: Path) -> Iterator[str]:
    """Yield messages about content of the old files that a copy lacks."""
    there = set(copy.execute("SELECT id, accepted FROM mails"))
    for file in (path, *sqlite_files.rescue_copies(path)):
        if not file.exists():
            continue
        try:
            with _reading(file) as opened:
                mails = set(opened.execute("SELECT id, accepted FROM mails"))
        except sqlite3.Error as fault:
            yield f"{file.name} cannot be read: {fault}"
            continue
        if missing := len(mails - there):
            yield f"{file.name} holds {missing} mails that are not in it"
