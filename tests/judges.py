"""Judges in processes of their own, started by `python -m judge`."""

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import IO


def command_of(words: Sequence[str]) -> list[str]:
    """Return the command line of a command of the judge."""
    return [sys.executable, "-m", "judge", *words]


class Judge(subprocess.Popen[str]):
    """A judge that runs in a folder.

    Its output goes to files unless the test reads it.
    """

    def __init__(
        self, words: Sequence[str], folder: Path, environ: Mapping[str, str], *,
        log: IO[str] | IO[bytes] | None = None, is_read: bool = False,
    ) -> None:
        """Start it. With *is_read*, `stdout` can be read while it runs."""
        self._output = None if is_read else tempfile.TemporaryFile("w+", encoding="utf-8")
        self._errors = None if log else tempfile.TemporaryFile("w+", encoding="utf-8")
        super().__init__(
            command_of(words), cwd=folder, env=environ, text=True, stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE if is_read else self._output, stderr=log or self._errors,
            start_new_session=True,
        )

    def communicate(  # type: ignore[override]
        self, timeout: float | None = None
    ) -> tuple[str, str]:
        """Wait for its end. Return its output and its errors.

        Raises: TimeoutExpired.
        """
        self.wait(timeout)
        output = self.stdout or self._output
        return _read_and_close(output), _read_and_close(self._errors)


def run(
    words: Sequence[str], folder: Path, environ: Mapping[str, str], given: bytes = b"",
    timeout: float = 120,
) -> "subprocess.CompletedProcess[str]":
    """Run a command of the judge to its end."""
    done = subprocess.run(
        command_of(words), cwd=folder, env=environ, input=given, capture_output=True,
        timeout=timeout, start_new_session=True,
    )
    output, errors = done.stdout.decode(), done.stderr.decode()
    return subprocess.CompletedProcess(done.args, done.returncode, output, errors)


def _read_and_close(file: IO[str] | None) -> str:
    if file is None:
        return ""
    with file:
        if file.seekable():
            file.seek(0)
        return file.read()
