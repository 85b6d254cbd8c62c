"""A PostgreSQL server for the tests, on a socket in a temporary folder.

Its commits are not durable, because no test cuts the power. Each process that runs tests has one
server, and each store of a test is a schema on it.
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
    """Return the folder with the programs of a server, or None."""
    found = shutil.which("initdb"), *sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return next((Path(one).resolve().parent for one in reversed(found) if one), None)


def be_lasting() -> None:
    """Configure durable commits and more memory for the server, before its start."""
    _FASTER[:] = ["-c", "max_connections=200", "-c", "shared_buffers=512MB"]


def fresh_url(on: str = "") -> str:
    """Return the URL of a new and empty schema."""
    return _new_schema(on)


def judge_url(on: str = "") -> str:
    """Return the URL of a new schema with all tables of a judge."""
    return _new_schema(on, _tables())


def _new_schema(on: str, tables: LiteralString = "") -> str:
    """Make a schema with tables and return its URL.

    It uses one connection, because the server forks a process for each.
    """
    import psycopg

    server, name = on or _server(), f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}; SET search_path = {name}; {tables}")
    return f"{server}&options=-csearch_path%3D{name}"


@cache
def _tables() -> LiteralString:
    """Return the SQL that makes the tables, which the migrations make step by step."""
    engine = Postgres("postgresql:///")
    said = ["CREATE TABLE migrations (number INTEGER PRIMARY KEY, name TEXT NOT NULL)"]
    for number, step in enumerate(STEPS, start=1):
        said += [one for one in step.statements if not one.lstrip().startswith(CHANGES)]
        said.append(f"INSERT INTO migrations VALUES ({number}, '{step.name}')")
    return cast(LiteralString, ";".join(map(engine.adapt_ddl, said)))


def copy_rows(ours: Store, theirs: Store) -> None:
    """Replace the rows of a store by those of another."""
    if not isinstance(theirs.engine, Postgres):
        return _carry_rows(ours, theirs)
    [[schema]] = ours.select_sql("SELECT current_schema()", ())
    names = ", ".join(f'"{table.name}"' for table in TABLES)
    theirs.update_sql(f"TRUNCATE {names}", ())
    for table in TABLES:
        theirs.update_sql(f'INSERT INTO "{table.name}" SELECT * FROM {schema}."{table.name}"', ())
        if table.is_numbered:
            counted = f"pg_get_serial_sequence('\"{table.name}\"', 'id')"
            known = f"SELECT setval({counted}, last_value, is_called)"
            theirs.select_sql(f"{known} FROM {schema}.{table.name}_id_seq", ())


def _carry_rows(ours: Store, theirs: Store) -> None:
    """Do the same for a store of another kind."""
    with theirs.transaction():
        theirs.update_sql("PRAGMA defer_foreign_keys = 1", ())
        for table in TABLES:
            theirs.update_sql(f'DELETE FROM "{table.name}"', ())
            names = ", ".join(f'"{name}"' for name in table.columns)
            marks = ", ".join("?" * len(table.columns))
            for row in ours.select_sql(f'SELECT {names} FROM "{table.name}"', ()):
                theirs.update_sql(f'INSERT INTO "{table.name}" ({names}) VALUES ({marks})', row)


class Cluster:
    """A server of its own, which does not run as root."""

    def __init__(self, folder: Path | None = None) -> None:
        self.folder = folder or Path(tempfile.mkdtemp(prefix="judge-pg-"))
        if os.geteuid() == 0 and folder is None:
            os.chown(self.folder, 65534, 65534)
        self.url = self.url_of("postgres")

    def url_of(self, database: str) -> str:
        """Return the URL of a database of the server."""
        return f"postgresql:///{database}?host={self.folder}&user=judge"

    def make(self) -> "Cluster":
        """Make an empty database and start the server."""
        self._run("initdb", "-D", str(self.folder / "data"), "-U", "judge", "-E", "UTF8",
                  "--no-sync", "--auth=trust")
        return self.start()

    def follow(self, other: "Cluster") -> "Cluster":
        """Make a standby of another server and start it."""
        self._run("pg_basebackup", "-R", "-h", str(other.folder), "-U", "judge", "--no-sync",
                  "-c", "fast", "-D", str(self.folder / "data"))
        return self.start()

    def start(self) -> "Cluster":
        """Start the server and wait until it accepts connections."""
        said = " ".join((f"-k {self.folder}", "-c listen_addresses=''", *_FASTER))
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-o", said, "-l",
                  str(self.folder / "log"), "-w", "start")
        return self

    def stop(self) -> None:
        """Stop immediately, without a checkpoint."""
        self._run("pg_ctl", "-D", str(self.folder / "data"), "-m", "immediate", "stop")

    def end(self) -> None:
        """Stop the server and delete its folder."""
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
    """Return the URL of the server of this process, and start it if needed."""
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
