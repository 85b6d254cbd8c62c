"""Names and headers of the files of an SQLite database, read without SQLite.

Every transaction of the judge counts up `user_version` in page 1 (`Sqlite.writing`), and
`application_id` holds a random mark of the database. So the first and last count in a write-ahead
log say which databases it can belong to: SQLite itself would apply it to any.
"""

import os
import struct
import time
from collections.abc import Iterator
from itertools import chain, count
from pathlib import Path
from typing import NamedTuple

from judge.errors import StoreRefused

COUNT_LIMIT = 2**31
"""Modulus of the counts: `user_version` is a signed number of 32 bits."""
HEADER_OCTETS = 100
INDEX_OCTETS = 136
LOG_HEADER_OCTETS = 32
FRAME_HEADER_OCTETS = 24
_MAGIC = b"SQLite format 3\0"
_LOG_MAGIC = 0x377F0682, 0x377F0683
_RETRIES, _RETRY_SECONDS = 5, 0.02


class Header(NamedTuple):
    """Mark and count of a database, from octets 68 and 60 of its file."""

    mark: int
    commits: int


def parse_header(octets: bytes) -> Header | None:
    """Return mark and count of a database file, or None if it is no database."""
    if len(octets) < HEADER_OCTETS or not octets.startswith(_MAGIC):
        return None
    number, mark = struct.unpack_from(">I4xI", octets, 60)
    return Header(mark, number % COUNT_LIMIT)


class LogIndex(NamedTuple):
    """State of the write-ahead log, as the -shm file has it for all connections."""

    frames: int
    """Number of the last committed frame."""
    pages: int
    """Number of pages of the database after that frame."""
    page_size: int
    checksum: tuple[int, int]
    """Checksum of the last committed frame."""
    salts: bytes
    """Salts of the present cycle of the log, new each time it restarts."""
    copied: int
    """Number of frames that checkpoints have copied into the database."""
    copying: int
    """Number of frames that the last checkpoint is to copy.

    It exceeds `copied` while the checkpoint runs.
    """

    def explains_write(self, before: "LogIndex") -> bool:
        """Return whether a checkpoint since *before* may have written the database file."""
        progress = [(one.salts, one.copied, one.copying) for one in (before, self)]
        return progress[0] != progress[1] or self.copying != self.copied

    def frame_offset(self, number: int) -> int:
        """Return the offset of a frame in the log. Frames are numbered from 1."""
        return LOG_HEADER_OCTETS + (number - 1) * (FRAME_HEADER_OCTETS + self.page_size)


def parse_index(octets: bytes) -> LogIndex | None:
    """Return the state of the log.

    None while it is being changed, or if it is invalid.
    """
    if len(octets) < INDEX_OCTETS or octets[:48] != octets[48:96] or not octets[12]:
        return None
    size, frames, pages, *checksum = struct.unpack_from("=HIIII", octets, 14)
    copied, copying = struct.unpack_from("=I28xI", octets, 96)
    # A page size of 65,536 octets does not fit into 16 bits: it is written as 1.
    page_size = (size & 0xFE00) + ((size & 1) << 16)
    return LogIndex(frames, pages, page_size, (*checksum,), octets[32:40], copied, copying)


def is_behind(one: int, other: int) -> bool:
    """Return whether a count is lower than another, modulo `COUNT_LIMIT`."""
    return 0 < (other - one) % COUNT_LIMIT < COUNT_LIMIT // 2


def log_of(path: Path) -> Path:
    """Return the write-ahead log of a database."""
    return path.with_name(f"{path.name}-wal")


def files_of(path: Path) -> tuple[Path, Path, Path]:
    """Return the database, its log, and the index of the log."""
    return path, log_of(path), path.with_name(f"{path.name}-shm")


def identity(path: Path) -> tuple[int, int] | None:
    """Return device and inode, or None if there is no file."""
    try:
        found = os.stat(path)
    except OSError:
        return None
    return found.st_dev, found.st_ino


def is_database_file(path: Path) -> bool:
    """Return whether there is a file that can be a database, which is not empty."""
    return path.is_file() and path.stat().st_size > 0


def free_name(path: Path) -> Path:
    """Return an unused path: this one, or this one with a number."""
    names = chain([path], (path.with_name(f"{path.name}.{n}") for n in count(2)))
    return next(name for name in names if not name.exists())


def moved_copy(path: Path) -> Path:
    """Return the path of the copy of a database that was moved to a server."""
    return path.with_name(f"{path.name}.moved")


def is_moved(path: Path) -> bool:
    """Return whether a database was moved away and not replaced."""
    return not path.exists() and moved_copy(path).exists()


def moved_away(path: Path) -> str:
    """Return the message about a database that was moved away."""
    return (
        f"the database at {path} was moved by `judge migrate`: name the new one in [store] url (or"
        " JUDGE_STORE_URL) and start the judge again"
    )


def remove_files(path: Path) -> None:
    """Delete the files of a database. Processes that use it end when they notice."""
    for file in files_of(path):
        file.unlink(missing_ok=True)


def rescue_name(path: Path, is_whole: bool) -> Path:
    """Return a free name for a rescue copy of a lost database.

    An incomplete copy is called `.damaged`.
    """
    return free_name(path.with_name(f"{path.name}.{'lost' if is_whole else 'damaged'}"))


def rescue_copies(path: Path) -> list[Path]:
    """Return the rescue copies next to a database, the best one first.

    They wait for a decision of the operator.
    """
    try:
        names = os.listdir(path.parent)
    except OSError:
        return []
    heads = f"{path.name}.lost", f"{path.name}.damaged"
    tails = "", *(f".{n}" for n in range(2, 100))
    wanted = {head + tail: place for place, head in enumerate(heads) for tail in tails}
    found = [path.with_name(name) for name in names if name in wanted]
    return sorted(found, key=lambda file: (wanted[file.name], -_count_in(file), file.name))


def _count_in(file: Path) -> int:
    header = header_in(file)
    return -1 if header is None else header.commits


def header_in(file: Path) -> Header | None:
    """Return mark and count of a file that is not open in this process.

    Closing the file ends all locks that this process has on it (POSIX).
    """
    try:
        with file.open("rb") as opened:
            return parse_header(opened.read(HEADER_OCTETS))
    except OSError:
        return None


def check_start(path: Path) -> None:
    """Check that a database that is not open in this process may be opened.

    Raises:
        StoreRefused: a rescue copy waits for a decision, or the log belongs to another database.
    """
    if copies := rescue_copies(path):
        raise StoreRefused(
            f"{copies[0]} was written when the database at {path} was lost, and waits for your"
            f" decision: `judge restore {copies[0]}` goes on with it, `judge restore {path}` with"
            " what is there now, `judge restore FILE` with a backup; nothing is deleted"
        )
    for _ in range(_RETRIES):
        reason = foreign_log(path)
        if not reason:
            return
        # Another process may just have copied the log into the database.
        time.sleep(_RETRY_SECONDS)
    raise StoreRefused(
        f"{log_of(path)} {reason}: `judge restore {path}` goes on without it, `judge restore FILE`"
        " with a backup or a rescue copy; nothing is deleted"
    )


def foreign_log(path: Path) -> str:
    """Return why the log next to a database cannot be its own, or "" if it may be."""
    log = log_of(path)
    try:
        if log.stat().st_size < LOG_HEADER_OCTETS:
            return ""
        with log.open("rb") as opened:
            first, last, is_log = _counts_in(opened.fileno())
    except OSError:
        # There is no log, or SQLite will report the error.
        return ""
    header = header_in(path)
    if not is_log:
        return "is damaged"
    if header is None:
        return "" if first is None else "belongs to a database that is gone"
    # Databases of older releases have no mark, and do not count.
    if header.mark == 0 or first is None or last is None:
        return ""
    if first.mark not in (header.mark, 0):
        return "belongs to another database"
    start = (first.commits - 1) % COUNT_LIMIT
    if is_behind(header.commits, start):
        return "belongs to a newer state of the database than the one that is there"
    if is_behind(last.commits, header.commits):
        return "belongs to an older state of the database than the one that is there"
    return ""


def _counts_in(log: int) -> tuple[Header | None, Header | None, bool]:
    """Return the first and the last database header that a log contains.

    The third value is False if the file is no log.
    """
    head = os.pread(log, LOG_HEADER_OCTETS, 0)
    magic, _, size = struct.unpack_from(">III", head)
    if magic not in _LOG_MAGIC:
        return None, None, False
    found = [
        parse_header(os.pread(log, HEADER_OCTETS, offset))
        for offset in _first_pages(log, size, head[16:24])
    ]
    headers = [header for header in found if header is not None]
    return (headers[0], headers[-1], True) if headers else (None, None, True)


def _first_pages(log: int, page_size: int, salts: bytes) -> Iterator[int]:
    """Yield the offsets of page 1 in the frames of the present cycle of a log."""
    offset = LOG_HEADER_OCTETS
    while len(head := os.pread(log, FRAME_HEADER_OCTETS, offset)) == FRAME_HEADER_OCTETS:
        if head[8:16] != salts:
            return
        if head[:4] == b"\0\0\0\1":
            yield offset + FRAME_HEADER_OCTETS
        offset += FRAME_HEADER_OCTETS + page_size
