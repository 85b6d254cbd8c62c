"""The render process: drawing apart, so that nothing waits for it and one that hangs is ended.

What goes through the pipe are octets and no objects of Python's: whoever had the process that draws
in hand, by a fault in how pictures are painted, could send a picture, and nothing that runs here.
"""

import json
import os
import subprocess
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from importlib import import_module
from multiprocessing.connection import Connection, Pipe
from types import TracebackType

from judge.errors import JudgeError
from judge.model.letter import Form, Sketch

Paint = Callable[[Sketch], bytes]
"""Draws one picture; found by its name in the other process, so it is no lambda and no closure."""

_PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
from judge.drawing.render_process import serve
serve()
"""
"""What it runs. Ctrl-C is for the judge, which ends it when it has ended itself. (multiprocessing's
own processes do the like, but complain aloud where the judge is killed as it starts one.)"""

_BEHIND = 15
"""By how much it stands behind everything else for a processor (nice, 2)."""
_SLICE = 0.1
"""Seconds between two looks whether to stop."""
START_SECONDS = 120.0
"""Seconds the process that draws may take until it is ready: no picture is at fault meanwhile."""
MAX_OCTETS = 32 * 2**20
"""Octets of the largest answer: no letter could carry it."""
_READY, _DRAWN, _FAILED = b"r", b"d", b"f"
"""What an answer begins with."""


class Undrawn(JudgeError):
    """There is no picture: the text says why."""


class TooSlow(Undrawn):
    """It took longer than anybody waits for a picture."""


class Stopped(Undrawn):
    """Nobody waits any more; it may be drawn another time."""


class RenderProcess:
    """Draws one picture after the other, for one thread.

    Its process starts with the first picture, and afresh: it shares no file, lock or connection of
    the one that asks, and ends with it, however that ends.
    """

    def __init__(self, paint: Paint) -> None:
        self._paint = paint
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None

    def draw(
        self, sketch: Sketch, seconds: float, stopped: Callable[[], bool] = lambda: False
    ) -> bytes:
        """Return a picture.

        Raises: Undrawn, when it fails or takes longer, or `stopped` says so meanwhile.
        """
        try:
            if self._pipe is None:
                _await(self._start(), START_SECONDS, stopped)
            assert self._pipe is not None
            self._pipe.send_bytes(_written(sketch))
            answer = _await(self._pipe, seconds, stopped)
        except (EOFError, OSError) as fault:
            self.close()
            raise Undrawn("the process that draws has ended") from fault
        except Undrawn:
            self.close()
            raise
        if answer[:1] != _DRAWN:
            raise Undrawn(answer[1:].decode("utf-8", "replace"))
        return answer[1:]

    def close(self) -> None:
        """End the process, whatever it is at; the next picture starts another."""
        if self._pipe is not None:
            self._pipe.close()
        if self._process is not None:
            self._process.kill()
            self._process.wait()
        self._pipe = self._process = None

    def _start(self) -> Connection:
        try:
            ours, theirs = Pipe()
        except OSError as fault:
            raise Undrawn(f"no process to draw with: {fault.strerror}") from fault
        handle, paint = theirs.fileno(), f"{self._paint.__module__}:{self._paint.__qualname__}"
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, str(handle), paint],
                stdin=subprocess.DEVNULL, pass_fds=[handle],
                # It finds what we find, wherever we were told to look.
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        except OSError as fault:
            ours.close()
            raise Undrawn(f"no process to draw with: {fault.strerror}") from fault
        finally:
            theirs.close()
        self._pipe, self._process = ours, process
        return ours

    def __enter__(self) -> "RenderProcess":
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()


def _await(pipe: Connection, seconds: float, stopped: Callable[[], bool]) -> bytes:
    """Return what comes through the pipe next.

    Raises: Undrawn, when nothing comes in time, or `stopped` says so meanwhile.
    """
    until = time.monotonic() + seconds
    while not pipe.poll(min(_SLICE, max(until - time.monotonic(), 0))):
        if stopped():
            raise Stopped("the judge stops")
        if time.monotonic() >= until:
            raise TooSlow(f"not done after {seconds:g} seconds")
    return pipe.recv_bytes(MAX_OCTETS)


def _written(sketch: Sketch) -> bytes:
    system, source, title, form = sketch
    return json.dumps([system, source, title, form.value]).encode("ascii")


def _read(octets: bytes) -> Sketch:
    system, source, title, form = json.loads(octets)
    return Sketch(system, source, title, Form(form))


def serve() -> None:
    """Be the process that draws: of the pipe and by the function that the last words name."""
    handle, paint = sys.argv[1:]
    module, _, name = paint.partition(":")
    with Connection(int(handle)) as pipe:
        _serve(pipe, getattr(import_module(module), name))


def _serve(pipe: Connection, paint: Paint) -> None:
    """Draw what comes through the pipe until its other end is closed."""
    # Letters wait for pictures a minute at most; mails and deadlines go before them.
    os.nice(_BEHIND)
    # A judge that was killed hears no answer any more.
    with suppress(EOFError, ConnectionError):
        pipe.send_bytes(_READY)
        while True:
            sketch = _read(pipe.recv_bytes())
            try:
                answer = _DRAWN + paint(sketch)
            except Exception as fault:
                # One picture that cannot be drawn must not stop the others.
                answer = _FAILED + f"{type(fault).__name__}: {fault}".encode("utf-8", "replace")
            pipe.send_bytes(answer)
