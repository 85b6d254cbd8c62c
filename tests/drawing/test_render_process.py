"""Drawing in a separate process."""

import errno
import os
import signal
import subprocess
import sys
import time
from json import JSONDecodeError
from multiprocessing import Pipe
from pathlib import Path

import pytest

from judge.drawing import render_process
from judge.drawing.render_process import RenderCancelled, RenderError, RenderProcess, RenderTimeout
from judge.model.letter import PictureFormat, PictureRequest
from tests.drawing.painters import paint_as_told


def sketch(source: str) -> PictureRequest:
    return PictureRequest("toy", source)


@pytest.mark.slow
def test_one_process_draws_until_a_picture_hangs_or_exits() -> None:
    with RenderProcess(paint_as_told) as render_process:
        board, _, first = render_process.draw(sketch("board"), 60).decode().partition(" by ")
        assert board == "board" and int(first) != os.getpid()
        with pytest.raises(RenderError, match="ValueError: no such colour"):
            render_process.draw(sketch("fail"), 60)
        assert render_process.draw(sketch("next"), 60).decode() == f"next by {first}"
        started = time.monotonic()
        with pytest.raises(RenderTimeout, match="0.3 seconds"):
            render_process.draw(sketch("hang"), 0.3)
        assert time.monotonic() - started < 60
        second = render_process.draw(sketch("again"), 60).decode().rpartition(" ")[2]
        assert second != first
        with pytest.raises(RenderError, match="has ended"):
            render_process.draw(sketch("die"), 60)
        with pytest.raises(RenderCancelled):
            render_process.draw(sketch("hang"), 60, lambda: True)
    render_process.close()


def test_picture_is_drawn_although_priorities_are_forbidden(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def refuse(increment: int) -> int:
        raise PermissionError(errno.EPERM, "Operation not permitted")

    monkeypatch.setattr(os, "nice", refuse)
    ours, theirs = Pipe()
    with ours, theirs:
        ours.send_bytes(b'["toy", "board", "", "png"]')
        # Nothing more will be read.
        ours.send_bytes(b"")
        with pytest.raises(JSONDecodeError):
            render_process._serve(theirs, lambda sketch: sketch.source.encode())
        assert ours.recv_bytes() and ours.recv_bytes().endswith(b"board")


@pytest.mark.slow
def test_data_from_the_render_process_is_never_unpickled(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The process draws players' texts with third-party libraries."""
    monkeypatch.setenv("JUDGE_TEST_TRAP", str(tmp_path / "sprung"))
    with RenderProcess(paint_as_told) as render_process:
        with pytest.raises(RenderError):
            render_process.draw(sketch("betray"), 60)
        assert not (tmp_path / "sprung").exists()
    with RenderProcess(paint_as_told) as render_process:
        with pytest.raises(RenderError):
            render_process.draw(sketch("flood"), 60)
        assert render_process.draw(
            PictureRequest("toy", "ä", "ü", PictureFormat.SVG), 60
        ).startswith(b"\xc3\xa4")


@pytest.mark.slow
def test_a_slow_start_does_not_count_against_the_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("JUDGE_TEST_SLUGGISH", "1")
    with RenderProcess(paint_as_told) as render_process:
        assert render_process.draw(sketch("board"), 0.5).startswith(b"board by ")
    monkeypatch.setattr("judge.drawing.render_process.START_SECONDS", 0.2)
    with (
        RenderProcess(paint_as_told) as render_process,
        pytest.raises(RenderTimeout, match="0.2 seconds"),
    ):
        render_process.draw(sketch("board"), 60)


def test_failure_to_start_a_process_costs_one_picture_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without free processes must lose a picture, not the judge."""
    def full(*words: object, **options: object) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    with RenderProcess(paint_as_told) as render_process:
        with monkeypatch.context() as patch:
            patch.setattr(subprocess, "Popen", full)
            with pytest.raises(RenderError, match="no process to draw with: Resource"):
                render_process.draw(sketch("board"), 60)
        assert render_process.draw(sketch("board"), 60).startswith(b"board by ")


_KILLED = """
import os, signal
from judge.drawing.render_process import RenderProcess
from tests.drawing.painters import paint_as_told
RenderProcess(paint_as_told)._start()
os.kill(os.getpid(), signal.SIGKILL)
"""


def test_a_judge_killed_while_starting_a_process_leaves_nothing() -> None:
    """The process inherits the standard error of the judge.

    It reaches its end only when both have exited.
    """
    done = subprocess.run(
        [sys.executable, "-c", _KILLED], capture_output=True, text=True, timeout=60,
        env={**os.environ, "PYTHONPATH": os.pathsep.join(sys.path)},
    )
    assert (done.returncode, done.stdout, done.stderr) == (-signal.SIGKILL, "", "")
