"""Picture rendering in a separate process, which can be killed if it hangs.

The pipe carries bytes and no Python objects. An attacker who takes over the render process by a bug
in rendering could send a picture, but could run nothing in the judge's process.
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
from pathlib import Path
from types import TracebackType

from judge.drawing.plates import keep_plates_in
from judge.errors import JudgeError
from judge.model.letter import PictureFormat, PictureRequest

Paint = Callable[[PictureRequest], bytes]
"""Function that renders one picture.

The render process finds it by name, so it cannot be a lambda or a closure.
"""

_PROGRAM = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
from judge.drawing.render_process import serve
serve()
"""
"""Program of the render process.

It ignores Ctrl-C, as the judge ends it when the judge ends. (Processes of multiprocessing do the
same, but print an error if the judge is killed while starting one.)
"""

_NICE_INCREMENT = 15
"""Increment of its nice value (nice(2)), so that all other work has precedence."""
_SLICE = 0.1
"""Seconds between two checks for a stop."""
START_SECONDS = 120.0
"""Seconds the render process may take to start, at no picture's fault."""
MAX_OCTETS = 32 * 2**20
"""Maximum size of an answer in bytes. No letter could carry a larger picture."""
_READY, _DRAWN, _FAILED = b"r", b"d", b"f"
"""First byte of an answer."""


class RenderError(JudgeError):
    """Raised when there is no picture. The text is the reason."""


class RenderTimeout(RenderError):
    """Raised when rendering a picture takes longer than its time limit."""


class RenderCancelled(RenderError):
    """Raised when the judge stops. The picture may be rendered another time."""


class RenderProcess:
    """Client of the render process, which renders pictures in turn for one thread.

    The process starts with the first picture, as a new program. It shares no file, lock or
    connection with its parent, and ends with it, even if that is killed. It keeps images of whole
    boards in the folder *plates* (`drawing.plates`).
    """

    def __init__(self, paint: Paint, plates: Path | None = None) -> None:
        self._paint, self._plates = paint, plates
        self._process: subprocess.Popen[bytes] | None = None
        self._pipe: Connection | None = None

    def draw(
        self, sketch: PictureRequest, seconds: float, stopped: Callable[[], bool] = lambda: False
    ) -> bytes:
        """Return a picture.

        Raises:
            Undrawn: rendering failed or took longer than *seconds*, or *stopped* returned true.
        """
        try:
            if self._pipe is None:
                _await(self._start(), START_SECONDS, stopped)
            assert self._pipe is not None
            self._pipe.send_bytes(_encode_request(sketch))
            answer = _await(self._pipe, seconds, stopped)
        except (EOFError, OSError) as fault:
            self.close()
            raise RenderError("the process that draws has ended") from fault
        except RenderError:
            self.close()
            raise
        if answer[:1] != _DRAWN:
            raise RenderError(answer[1:].decode("utf-8", "replace"))
        return answer[1:]

    def close(self) -> None:
        """Kill the process. The next picture starts another one."""
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
            raise RenderError(f"no process to draw with: {fault.strerror}") from fault
        handle, paint = theirs.fileno(), f"{self._paint.__module__}:{self._paint.__qualname__}"
        try:
            process = subprocess.Popen(
                [sys.executable, "-P", "-c", _PROGRAM, str(handle), paint, str(self._plates or "")],
                stdin=subprocess.DEVNULL, pass_fds=[handle],
                # The process needs the same import path, changes at run time included.
                env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
            )
        except OSError as fault:
            ours.close()
            raise RenderError(f"no process to draw with: {fault.strerror}") from fault
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
    """Return the next answer of the pipe.

    Raises:
        Undrawn: nothing came within *seconds*, or *stopped* returned true.
    """
    until = time.monotonic() + seconds
    while not pipe.poll(min(_SLICE, max(until - time.monotonic(), 0))):
        if stopped():
            raise RenderCancelled("the judge stops")
        if time.monotonic() >= until:
            raise RenderTimeout(f"not done after {seconds:g} seconds")
    return pipe.recv_bytes(MAX_OCTETS)


def _encode_request(sketch: PictureRequest) -> bytes:
    system, source, title, form = sketch
    return json.dumps([system, source, title, form.value]).encode("ascii")


def _read(octets: bytes) -> PictureRequest:
    system, source, title, form = json.loads(octets)
    return PictureRequest(system, source, title, PictureFormat(form))


def serve() -> None:
    """Run the render process with the pipe, function and folder named in `sys.argv`."""
    handle, paint, plates = sys.argv[1:]
    keep_plates_in(Path(plates) if plates else None)
    module, _, name = paint.partition(":")
    with Connection(int(handle)) as pipe:
        _serve(pipe, getattr(import_module(module), name))


def _serve(pipe: Connection, paint: Paint) -> None:
    """Render pictures received through the pipe until its other end is closed."""
    # Letters wait for pictures for two minutes at most, so mails and deadlines come first.
    # A sandbox may forbid that, as `SystemCallFilter=` of systemd does.
    with suppress(OSError):
        os.nice(_NICE_INCREMENT)
    # A judge that was killed reads no answers.
    with suppress(EOFError, ConnectionError):
        pipe.send_bytes(_READY)
        while True:
            sketch = _read(pipe.recv_bytes())
            try:
                answer = _DRAWN + paint(sketch)
            except Exception as fault:
                # One picture that cannot be rendered must not stop the others.
                answer = _FAILED + f"{type(fault).__name__}: {fault}".encode("utf-8", "replace")
            pipe.send_bytes(answer)
