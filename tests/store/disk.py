"""A wrapper of SQLite's file layer, whose syncs can be counted, held and failed.

SQLite reaches the disk through a "VFS", a table of functions. This one is a copy of the default,
registered before it while a test runs. Only the functions that write and sync differ.
"""

import ctypes
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from ctypes import CFUNCTYPE, POINTER, Structure, c_char_p, c_int, c_int64, c_void_p
from importlib import import_module
from typing import Any

OK = 0
FULL = 13
"""SQLITE_FULL: no space left on the device."""
SYNC_FAILED = 10 | 4 << 8
"""SQLITE_IOERR_FSYNC."""

WAL = b"-wal"
_KEPT: list[object] = []
"""Objects whose addresses SQLite holds.

They must not be freed while a connection may be open.
"""


class File(Structure):
    """`sqlite3_file`, of which only the table of functions is declared."""


# The name stays an address: SQLite keeps it, so that a copy of the text would not do.
OPEN = CFUNCTYPE(c_int, c_void_p, c_void_p, POINTER(File), c_int, POINTER(c_int))
WRITE = CFUNCTYPE(c_int, POINTER(File), c_void_p, c_int, c_int64)
SYNC = CFUNCTYPE(c_int, POINTER(File), c_int)


class Functions(Structure):
    """`sqlite3_io_methods`."""

    _fields_ = [
        ("version", c_int), ("close", c_void_p), ("read", c_void_p), ("write", WRITE),
        ("truncate", c_void_p), ("sync", SYNC), *((f"other{n}", c_void_p) for n in range(13)),
    ]


class System(Structure):
    """`sqlite3_vfs`."""

    _fields_ = [
        ("version", c_int), ("file_size", c_int), ("path_size", c_int), ("next", c_void_p),
        ("name", c_char_p), ("data", c_void_p), ("open", OPEN),
        *((f"other{n}", c_void_p) for n in range(14)),
    ]


File._fields_ = [("functions", POINTER(Functions))]


class Disk:
    """Counters and faults of the write-ahead log."""

    def __init__(self) -> None:
        self.syncs = 0
        self.may_sync = threading.Event()
        self.may_sync.set()
        self.asked = threading.Event()
        self.sync_answer = self.write_answer = OK

    @contextmanager
    def block_syncs(self) -> Iterator[None]:
        """Block all syncs inside this block."""
        self.asked.clear()
        self.may_sync.clear()
        try:
            yield
        finally:
            self.may_sync.set()

    def before_sync(self) -> int:
        """Wait until a sync is allowed and return its result code."""
        self.asked.set()
        assert self.may_sync.wait(120)
        self.syncs += self.sync_answer == OK
        return self.sync_answer


@contextmanager
def disk_in_hand() -> Iterator[Disk]:
    """Use the wrapper for every database opened inside this block."""
    library = ctypes.CDLL(import_module("_sqlite3").__file__)
    library.sqlite3_vfs_find.restype = POINTER(System)
    usual = library.sqlite3_vfs_find(None).contents
    disk = Disk()
    tables: dict[int, Functions] = {}

    def wrap_functions(table: Functions) -> Functions:
        """Return the functions of a file with the two wrapped ones."""
        ours = Functions()
        ctypes.memmove(ctypes.byref(ours), ctypes.byref(table), ctypes.sizeof(ours))
        real_write = WRITE(ctypes.cast(table.write, c_void_p).value)
        real_sync = SYNC(ctypes.cast(table.sync, c_void_p).value)

        def write(file: object, octets: int, many: int, at: int) -> int:
            return disk.write_answer or int(real_write(file, octets, many, at))

        def sync(file: object, flags: int) -> int:
            return disk.before_sync() or int(real_sync(file, flags))

        ours.write, ours.sync = WRITE(write), SYNC(sync)
        _KEPT.extend((real_write, real_sync, ours, ours.write, ours.sync))
        return ours

    def open_file(system: int, name: int | None, file: Any, flags: int, out: object) -> int:
        answer = int(usual.open(system, name, file, flags, out))
        table = file.contents.functions
        if answer == OK and table and name and ctypes.string_at(name).endswith(WAL):
            where = ctypes.addressof(table.contents)
            if where not in tables:
                tables[where] = wrap_functions(table.contents)
            file.contents.functions = ctypes.pointer(tables[where])
        return answer

    ours = System()
    ctypes.memmove(ctypes.byref(ours), ctypes.byref(usual), ctypes.sizeof(ours))
    ours.name, ours.open = b"disk-in-hand", OPEN(open_file)
    _KEPT.extend((ours, ours.open))
    assert library.sqlite3_vfs_register(ctypes.byref(ours), 1) == OK
    try:
        yield disk
    finally:
        library.sqlite3_vfs_unregister(ctypes.byref(ours))
        library.sqlite3_vfs_register(ctypes.byref(usual), 1)
