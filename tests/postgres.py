"""A PostgreSQL server of the tests' own: on a socket in a folder of theirs, gone when they end.

It may forget what the power would take: no test takes that. Each process that runs tests has one;
each store of a test is a schema there.
"""

import atexit
import os
import shutil
import subprocess
import sys
import tempfile
from functools import cache
from itertools import count
from pathlib import Path
from typing import LiteralString, cast

from judge.store.database import Store
from judge.store.migrations import CHANGES, STEPS
from judge.store.postgres import Postgres
from judge.store.schema import TABLES

_FASTER = ["-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200",
           "-c", "shared_buffers=32MB"]
_numbers = count(1)
_started: list["Cluster"] = []


def programs() -> Path | None:
    """Return the folder with the programs of a server, where this machine has one."""
    found = shutil.which("initdb"), *sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return next((Path(one).resolve().parent for one in reversed(found) if one), None)


def be_lasting() -> None:
    """Have the server, which is not started yet, keep what it commits, and use more memory."""
    _FASTER[:] = ["-c", "max_connections=200", "-c", "shared_buffers=512MB"]


def fresh_url(on: str = "") -> str:
    """Return the URL of a new schema, in which no judge has been yet."""
    return _new_schema(on)


def judge_url(on: str = "") -> str:
    """Return the URL of a new schema with all tables of a judge, made at one stroke."""
    return _new_schema(on, _tables())


def _new_schema(on: str, tables: LiteralString = "") -> str:
    """Make a schema and what is in it, by one connection: the server forks a process for each."""
    import psycopg

    server, name = on or _server(), f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}; SET search_path = {name}; {tables}")
    return f"{server}&options=-csearch_path%3D{name}"


@cache
def _tables() -> LiteralString:
    """Return what makes the tables, as the steps of migrations do one by one."""
    engine = Postgres("postgresql:///")
    said = ["CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"]
    for number, step in enumerate(STEPS, start=1):
        said += [one for one in step.statements if not one.lstrip().startswith(CHANGES)]
        said.append(f"INSERT INTO migrations VALUES ({number}, '{step.name}')")
    return cast(LiteralString, ";".join(map(engine.defined, said)))


def copy_rows(ours: Store, theirs: Store) -> None:
    """Have a store hold what another does, and nothing else."""
    if not isinstance(theirs.engine, Postgres):
        return _carry_rows(ours, theirs)
    [[schema]] = ours.found("SELECT current_schema()", ())
    names = ", ".join(f'"{table.name}"' for table in TABLES)
    theirs.change(f"TRUNCATE {names}", ())
    for table in TABLES:
        theirs.change(f'INSERT INTO "{table.name}" SELECT * FROM {schema}."{table.name}"', ())
        if table.is_numbered:
            counted = f"pg_get_serial_sequence('\"{table.name}\"', 'id')"
            known = f"SELECT setval({counted}, last_value, is_called)"
            theirs.found(f"{known} FROM {schema}.{table.name}_id_seq", ())


def _carry_rows(ours: Store, theirs: Store) -> None:
    """Do so where the other store is of another kind."""
    with theirs.transaction():
        theirs.change("PRAGMA defer_foreign_keys = 1", ())
        for table in TABLES:
            theirs.change(f'DELETE FROM "{table.name}"', ())
            names = ", ".join(f'"{name}"' for name in table.columns)
            marks = ", ".join("?" * len(table.columns))
            for row in ours.found(f'SELECT {names} FROM "{table.name}"', ()):
                theirs.change(f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})', row)


class Cluster:
    """A server of its own; it does not run as root."""

    def __init__(self, folder: Path | None = None) -> None:
        """Make it a folder, unless it has one."""
        self.folder = folder or Path(tempfile.mkdtemp(prefix="judge-pg-"))
        if os.geteuid() == 0 and folder is None:
            os.chown(self.folder, 65534, 65534)
        self.url = self.url_of("postgres")

    def url_of(self, database: str) -> str:
        """Return the URL of a database of it."""
        return f"postgresql:///{database}?host={self.folder}&user=judge"

    def make(self) -> "Cluster":
        """Make an empty database, and start."""
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "judge", "-E", "UTF8",
                  "--no-sync", "--auth=trust")
        return self.start()

    def follow(self, other: "Cluster") -> "Cluster":
        """Make a standby of another server, and start."""
        self._run("pg_basebackup", "-R", "-h", str(other.folder), "-U", "judge", "--no-sync",
                  "-c", "fast", "-D", str(self.folder / "data"))
        return self.start()

    def start(self) -> "Cluster":
        """Start, and wait until it lets us in."""
        said = " ".join((f"-k {self.folder}", "-c listen_addresses=''", *_FASTER))
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-o", said, "-l",
                  str(self.folder / "log"), "-w", "start")
        return self

    def stop(self) -> None:
        """Stop as a power failure does, but for what was written."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")

    def end(self) -> None:
        """Stop, and leave nothing."""
        self.stop()
        shutil.rmtree(self.folder, ignore_errors=True)

    def _run(self, name: str, *words: str) -> None:
        place = programs()
        assert place is not None
        other = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
        environ = {**os.environ, "TZ": "UTC", "LC_ALL": "C", "HOME": str(self.folder)}
        subprocess.run(
            [*(other if os.geteuid() == 0 else ()), str(place / name), *words], cwd=self.folder,
            env=environ, check=True, timeout=120, stdin=subprocess.DEVNULL,
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL,
        )


@cache
def _server() -> str:
    """Return the URL of the server of this process, which is started if need be."""
    cluster = Cluster().make()
    _started.append(cluster)
    return cluster.url


def has_server() -> bool:
    """Return whether this process has started its server."""
    return bool(_started)


@atexit.register
def end_server() -> None:
    """Stop the server of this process, if it has one."""
    while _started:
        _started.pop().end()


if __name__ == "__main__":
    if programs() is None:
        print("not tried here: the tests on PostgreSQL, which need `apt-get install postgresql`")
    sys.exit(programs() is not None)
