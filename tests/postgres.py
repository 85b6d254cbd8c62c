"""A PostgreSQL server of the tests' own: on a socket in a folder of theirs, gone when they end.

It may forget what the power would take: no test takes that. Each store of a test is a schema of its
own, so that tests run side by side.
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

_FASTER = ("-c", "fsync=off", "-c", "full_page_writes=off", "-c", "max_connections=200",
           "-c", "shared_buffers=32MB")
_numbers = count(1)


def programs() -> Path | None:
    """Return the folder with the programs of a server, where this machine has one."""
    found = shutil.which("initdb"), *sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    return next((Path(one).resolve().parent for one in reversed(found) if one), None)


def fresh_url() -> str:
    """Return the URL of a new schema, in which no judge has been yet."""
    import psycopg

    server, name = _server(), f"test_{os.getpid()}_{next(_numbers)}"
    with psycopg.connect(server, autocommit=True) as connection:
        connection.execute(f"CREATE SCHEMA {name}")
    return f"{server}&options=-csearch_path%3D{name}"


def judge_url() -> str:
    """Return the URL of a new schema with all tables of a judge, made at one stroke."""
    import psycopg

    url = fresh_url()
    with psycopg.connect(url, autocommit=True) as connection:
        connection.execute(_tables())
    return url


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


@cache
def _server() -> str:
    """Start a server and return the URL of a database; the server does not run as root."""
    folder = Path(tempfile.mkdtemp(prefix="judge-pg-"))
    place = programs()
    assert place is not None
    other = ("setpriv", "--reuid=65534", "--regid=65534", "--clear-groups")
    by = other if os.geteuid() == 0 else ()
    if by:
        os.chown(folder, 65534, 65534)
    environ = {**os.environ, "TZ": "UTC", "LC_ALL": "C", "HOME": str(folder)}

    def run(*words: str) -> None:
        subprocess.run([*by, *words], cwd=folder, env=environ, check=True, timeout=120,
                       stdin=subprocess.DEVNULL, stdout=subprocess.DEVNULL,
                       stderr=subprocess.DEVNULL)

    data, control = folder / "data", str(place / "pg_ctl")
    run(str(place / "initdb"), "-D", str(data), "-U", "judge", "-E", "UTF8", "--no-sync",
        "--auth=trust")
    said = " ".join((f"-k {folder}", "-c listen_addresses=''", *_FASTER))
    run(control, "-D", str(data), "-o", said, "-l", str(folder / "log"), "-w", "start")

    def end() -> None:
        run(control, "-D", str(data), "-m", "immediate", "stop")
        shutil.rmtree(folder, ignore_errors=True)

    atexit.register(end)
    return f"postgresql:///postgres?host={folder}&user=judge"


if __name__ == "__main__":
    if programs() is None:
        print("not tried here: the tests on PostgreSQL, which need `apt-get install postgresql`")
    sys.exit(programs() is not None)
