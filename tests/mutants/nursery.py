"""A process that has collected the tests once and forks for each fault: a plugin of pytest.

Most of what a fault costs is that Python imports the house, that pytest collects the tests and that
grammars, maps and templates are read. What is forked has all that, and a fault in the body of a
function is put into the function itself, wherever it is held; the file has it too, for the
processes that tests start. What ran by then cannot be changed so: for that a nursery is begun that
loads the file with the fault, and has read nothing.
"""

import gc
import json
import os
import socket
import sys
import traceback
from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any, NoReturn

import pytest

from judge.games import all_systems, opening_table
from judge.mail.language.sheet import read_sheet
from judge.mail.language.vocabulary import Language
from judge.mail.outbound.templates import check_all
from judge.model.incoming import Line
from judge.play.commands.table import COMMANDS
from tests import postgres
from tests.machine import HAS_POSTGRES

DOOR = "MUTANTS_DOOR"
"""The number of the socket that requests come by; its messages are short."""
REQUEST = "request.json"
"""The file in the tree that says what is asked for."""
_OPTIMISED = 0x1
"""The flag of the code of functions; that of modules and classes is without, and runs once."""


def prepare() -> None:
    """Read grammars, maps and templates."""
    read_sheet(Language(COMMANDS), [Line(1, "STATUS")])
    for system in all_systems():
        table = opening_table(system)
        table.read_orders([Line(1, "hold")], table.alive()[0], {})
    check_all()


class UnlikeError(Exception):
    """What differs runs when the file is loaded."""


@pytest.hookimpl(tryfirst=True)
def pytest_runtestloop(session: pytest.Session) -> bool:
    """Fork for each request, in place of running all tests."""
    door = socket.socket(fileno=int(os.environ.pop(DOOR)))
    items = {item.nodeid: item for item in session.items}
    functions = _functions(Path.cwd())
    ran = set() if session.config.args_source is pytest.Config.ArgsSource.ARGS else _warmed_up()
    with door:
        door.send(b"ready")
        while door.recv(16):
            pid = os.fork()
            if pid == 0:
                _be_forked(door, items, functions, ran)
            door.send(b"pid %d" % pid)
            _, status = os.waitpid(pid, 0)
            door.send(b"ended %d" % status)
    return True


def _functions(top: Path) -> dict[str, list[FunctionType]]:
    """Return all functions of the house by their file."""
    # The conftest has frozen what there is.
    gc.unfreeze()
    found = defaultdict(list)
    for one in gc.get_objects():
        if isinstance(one, FunctionType) and one.__code__.co_filename.startswith(f"{top}/judge/"):
            found[one.__code__.co_filename].append(one)
    gc.freeze()
    return found


def _warmed_up() -> set[CodeType]:
    """Read what nearly every test of a judge reads; return all code that ran for it."""
    ran: set[CodeType] = set()
    sys.setprofile(lambda frame, event, _: ran.add(frame.f_code) if event == "call" else None)
    try:
        prepare()
    finally:
        sys.setprofile(None)
    if HAS_POSTGRES:
        postgres.fresh_url()
    gc.freeze()
    return ran


def _be_forked(
    door: socket.socket, items: dict[str, pytest.Item], functions: dict[str, list[FunctionType]],
    ran: set[CodeType],
) -> NoReturn:
    """Run the tests that are asked for, with the fault, and end."""
    status = 1
    try:
        os.setsid()
        asked = json.loads(Path(REQUEST).read_bytes())
        has_server = postgres.has_server()
        try:
            if asked["swap"]:
                file, was, now = asked["swap"]
                swap(compile(was, file, "exec"), compile(now, file, "exec"), functions[file], ran)
        except UnlikeError:
            door.send(b"loaded")
        else:
            _run([items[each] for each in asked["tests"]], door, asked["go_on"])
        if not has_server:
            postgres.end_server()
        status = 0
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(status)


def swap(
    was: CodeType, now: CodeType, functions: Sequence[FunctionType], ran: Collection[CodeType] = ()
) -> None:
    """Give the functions of a file the code that they have in another version of it.

    Raises: UnlikeError where that is not enough, for one of them ran already.
    """
    differing = dict(_pairs(was, now))
    if not differing.keys().isdisjoint(ran):
        raise UnlikeError
    for function in functions:
        if function.__code__ in differing:
            try:
                function.__code__ = differing[function.__code__]
            except ValueError as fault:
                # It takes more or less from the function around it.
                raise UnlikeError from fault


def _pairs(was: CodeType, now: CodeType) -> Iterator[tuple[CodeType, CodeType]]:
    """Return the code of all functions that differ."""
    if was == now:
        return
    inner, others = _inner(was), _inner(now)
    if was.co_flags & _OPTIMISED:
        yield was, now
    elif _own(was) != _own(now) or len(inner) != len(others):
        raise UnlikeError
    if len(inner) == len(others):
        for one, other in zip(inner, others):
            yield from _pairs(one, other)


def _inner(code: CodeType) -> list[CodeType]:
    return [each for each in code.co_consts if isinstance(each, CodeType)]


def _own(code: CodeType) -> tuple[Any, ...]:
    """Return what code does without the functions that are made in it."""
    constants = [None if isinstance(each, CodeType) else (type(each), each)
                 for each in code.co_consts]
    return code.co_code, code.co_names, constants


def _run(items: Sequence[pytest.Item], door: socket.socket, go_on: bool) -> None:
    """Run tests up to the first that fails, or all, and tell which is begun and which failed."""
    if not items:
        return
    failed: set[str] = set()

    class Teller:
        """Hears what became of each."""

        def pytest_runtest_logreport(self, report: pytest.TestReport) -> None:
            """Tell of one that failed, once."""
            if report.failed and report.nodeid not in failed:
                failed.add(report.nodeid)
                door.send(f"failed {report.nodeid}".encode())

    items[0].config.pluginmanager.register(Teller())
    for at, (item, following) in enumerate(zip(items, [*items[1:], None])):
        door.send(b"begun %d" % at)
        item.config.hook.pytest_runtest_protocol(item=item, nextitem=following)
        if failed and not go_on:
            break
