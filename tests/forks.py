"""Judges in processes of their own that begin with everything imported.

Most of what a judge costs a test is that Python imports some hundred modules, builds two grammars
and compiles templates. A process that has done this, and nothing else, is kept beside the tests and
forks one for each judge they ask for: it has its own memory, files, signals and end, as if it had
been started by `python -m judge`. That it starts by that is seen where tests start it so: those of
the README, the guide, the wheel and the demo, and one or two of each room.
"""

import atexit
import gc
import json
import os
import select
import signal
import socket
import subprocess
import sys
import tempfile
import threading
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import IO, NamedTuple, NoReturn

from judge.demo.mailroom import Household

ROOT = Path(__file__).parents[1]
_LONGEST = 2**18
"""Octets of the longest request: an environment, above all."""


class Judge:
    """A judge that was started so; what `subprocess.Popen` has of it goes by the same names."""

    def __init__(
        self, words: Sequence[str], folder: Path, environ: Mapping[str, str], *,
        log: IO[str] | IO[bytes] | None = None, given: bytes = b"", is_read: bool = False,
    ) -> None:
        """Start it with `given` to read; with `is_read` its output can be read while it runs."""
        self.args = tuple(words)
        self.returncode: int | None = None
        self.stdout: IO[str] | None = None
        told, telling = os.pipe()
        ours, theirs = os.pipe() if is_read else (-1, -1)
        self._said = None if is_read else tempfile.TemporaryFile()
        self._complained = None if log else tempfile.TemporaryFile()
        request = json.dumps([self.args, str(folder), dict(environ)]).encode()
        with tempfile.TemporaryFile() as stdin:
            stdin.write(given)
            stdin.seek(0)
            said, complained = self._said or theirs, log or self._complained
            streams = map(_handle, (stdin, said, complained))
            socket.send_fds(_nursery().way, [request], [*streams, telling])
        os.close(telling)
        if is_read:
            os.close(theirs)
            self.stdout = os.fdopen(ours, encoding="utf-8")
        self._told = os.fdopen(told)
        self.pid = int(self._told.readline())

    def poll(self) -> int | None:
        """Return how it ended; None while it runs."""
        try:
            return self.wait(0)
        except subprocess.TimeoutExpired:
            return None

    def wait(self, timeout: float | None = None) -> int:
        """Wait until it has ended, and return how: less than nothing by a signal.

        Raises: TimeoutExpired.
        """
        if self.returncode is None:
            if not select.select([self._told], [], [], timeout)[0]:
                raise subprocess.TimeoutExpired(self.args, timeout or 0)
            with self._told:
                self.returncode = int(self._told.readline())
        return self.returncode

    def communicate(self, timeout: float | None = None) -> tuple[str, str]:
        """Wait until it has ended; return what it said and what it complained of.

        Raises: TimeoutExpired.
        """
        self.wait(timeout)
        if self.stdout is not None:
            with self.stdout:
                return self.stdout.read(), _all_of(self._complained)
        return _all_of(self._said), _all_of(self._complained)

    def send_signal(self, number: int) -> None:
        """Send it a signal, if it still runs."""
        if self.poll() is None:
            os.kill(self.pid, number)

    def terminate(self) -> None:
        """Ask it to end."""
        self.send_signal(signal.SIGTERM)

    def kill(self) -> None:
        """End it."""
        self.send_signal(signal.SIGKILL)


def _all_of(file: IO[bytes] | None) -> str:
    """Return what stands in a file, and let go of it."""
    if file is None:
        return ""
    with file:
        file.seek(0)
        return file.read().decode()


class Forked(Household):
    """A judge of a test's own, started so."""

    def begun(self, environ: dict[str, str], log: IO[str]) -> Judge:  # type: ignore[override]
        """Start it."""
        return Judge(self.words, self.folder, environ, log=log, is_read=True)


def run(
    words: Sequence[str], folder: Path, environ: Mapping[str, str], given: bytes = b"",
    timeout: float = 120,
) -> "subprocess.CompletedProcess[str]":
    """Run a command of the judge to its end."""
    judge = Judge(words, folder, environ, given=given)
    try:
        said, complained = judge.communicate(timeout)
    except subprocess.TimeoutExpired:
        judge.kill()
        raise
    return subprocess.CompletedProcess(judge.args, judge.wait(), said, complained)


def _handle(file: IO[str] | IO[bytes] | int) -> int:
    return file if isinstance(file, int) else file.fileno()


class _Nursery(NamedTuple):
    way: socket.socket
    process: "subprocess.Popen[bytes]"


@cache
def _nursery() -> _Nursery:
    """Return the process that forks; it ends when ours does."""
    ours, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
    ours.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, _LONGEST)
    with theirs:
        process = subprocess.Popen(
            [sys.executable, "-m", __spec__.name, str(theirs.fileno())], cwd=ROOT,
            pass_fds=[theirs.fileno()], start_new_session=True, stdin=subprocess.DEVNULL,
        )
    return _Nursery(ours, process)


def begin() -> None:
    """Start the process that forks: those that are forked from this one share it."""
    _nursery()


def end() -> None:
    """End it, if it is there: it may still be preparing for judges that nobody asked for."""
    if _nursery.cache_info().currsize:
        nursery = _nursery()
        _nursery.cache_clear()
        nursery.way.close()
        nursery.process.kill()
        nursery.process.wait()


def prepare() -> None:
    """Import what a judge needs, and read grammars, maps and templates.

    The collector of cycles looks through none of it again: a judge would have all that memory,
    which it shares with its siblings, copied for itself.
    """
    from judge.cli import admin, archive, services
    from judge.games import all_systems, opening_table
    from judge.mail.language.sheet import read_sheet
    from judge.mail.language.vocabulary import Language
    from judge.mail.outbound.templates import check_all
    from judge.model.incoming import Line
    from judge.play.commands.table import COMMANDS
    from tests import compiled

    compiled.begin()
    # Rooms that are imported when a command is given.
    assert admin and archive and services
    read_sheet(Language(COMMANDS), [Line(1, "STATUS")])
    for system in all_systems():
        table = opening_table(system)
        table.read_orders([Line(1, "hold")], table.alive()[0], {})
    check_all()
    gc.collect()
    gc.freeze()


def _fork_judges(asked: socket.socket) -> NoReturn:
    """Fork a judge for each request; each is the child of a process that waits for its end."""
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)
    while True:
        request, handles, _, _ = socket.recv_fds(asked, _LONGEST, 4)
        if not request:
            sys.exit()
        if os.fork() == 0:
            asked.close()
            _keep_one(*json.loads(request), handles)
        for handle in handles:
            os.close(handle)


def _keep_one(
    words: Sequence[str], folder: str, environ: Mapping[str, str], handles: Sequence[int]
) -> NoReturn:
    """Be a judge, or whoever waits for it and tells how it ended."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    *streams, telling = handles
    pid = os.fork()
    if pid == 0:
        os.close(telling)
        _be_judge(words, folder, environ, streams)
    for handle in (0, 1, 2, *streams):
        os.close(handle)
    os.write(telling, b"%d\n" % pid)
    _, status = os.waitpid(pid, 0)
    os.write(telling, b"%d\n" % os.waitstatus_to_exitcode(status))
    os._exit(0)


def _be_judge(
    words: Sequence[str], folder: str, environ: Mapping[str, str], streams: Sequence[int]
) -> NoReturn:
    """Do what `python -m judge` does.

    At its end all that Python does at an end is done, but for taking every module apart, which
    would copy their memory first.
    """
    import judge.__main__ as whole

    os.setsid()
    for number, handle in enumerate(streams):
        os.dup2(handle, number)
        os.close(handle)
    sys.stdin, sys.stdout = open(0, encoding="utf-8"), open(1, "w", encoding="utf-8")
    sys.stderr = open(2, "w", encoding="utf-8", errors="backslashreplace", buffering=1)
    os.chdir(folder)
    os.environ.clear()
    os.environ.update(environ)
    sys.argv[:] = ["judge", *words]
    sys.modules["__main__"] = whole
    try:
        status = whole.main()
    except SystemExit as end:
        if isinstance(end.code, str):
            raise
        status = end.code or 0
    threading._shutdown()  # type: ignore[attr-defined]
    atexit._run_exitfuncs()
    for stream in (sys.stdout, sys.stderr):
        stream.flush()
    os._exit(status)


if __name__ == "__main__":
    prepare()
    _fork_judges(socket.socket(fileno=int(sys.argv[1])))
