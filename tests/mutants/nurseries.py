"""Processes that have collected the tests of a tree; what runs in them stands in `nursery`."""

import json
import os
import signal
import socket
import subprocess
import sys
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Self

from tests.mutants.nursery import DOOR, REQUEST

PATIENCE = 30.0
"""Seconds a test may take, and so many times what it takes alone:"""
_TIMES = 20
_BEGINNING = 300.0
"""Seconds in which tests are collected, on a machine however busy."""
_LONGEST = 2**12
"""Octets of the longest message."""


class HungError(Exception):
    """A test takes longer than it may; it is named, but where tests are still being collected."""


class LoadedError(Exception):
    """A fault cannot be put into a process that has loaded its file."""


class Nursery:
    """A process in a tree that has collected tests, and runs them in forks of itself."""

    def __init__(self, place: Path, files: Sequence[str] = ()) -> None:
        """Begin it with the tests of some files, or all.

        Raises: HungError.
        """
        self.place = place
        self._door, theirs = socket.socketpair(socket.AF_UNIX, socket.SOCK_SEQPACKET)
        command = [
            sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist",
            "-p", "no:pytest_cov", "-p", "tests.mutants.nursery",
            f"--basetemp={place / 'basetemp'}", *files,
        ]
        with theirs, (place / "told").open("w", encoding="utf-8") as told:
            self._process = subprocess.Popen(
                command, cwd=place, stdin=subprocess.DEVNULL, stdout=told,
                stderr=subprocess.STDOUT, start_new_session=True, pass_fds=[theirs.fileno()],
                env={**os.environ, "PYTHONPATH": str(place), DOOR: str(theirs.fileno())},
            )
        try:
            self.has_begun = self._heard(_BEGINNING) == ("ready", "")
        except TimeoutError:
            self.close()
            raise HungError from None

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """Let it end what it began: a server, a folder."""
        self._door.close()
        try:
            self._process.wait(PATIENCE)
        except subprocess.TimeoutExpired:
            _end(self._process.pid)
            self._process.wait()

    def failures(
        self, tests: Mapping[str, float], swap: Sequence[str] = (), *, go_on: bool = False,
        factor: float = 1,
    ) -> list[str]:
        """Run tests, given with their seconds, up to the first that fails, and return what did.

        What fails before a test could begin has no name but "". A fault is swapped in by its file,
        what stood there and what stands there now.

        Raises: HungError; LoadedError.
        """
        if not self.has_begun:
            return [""]
        names = list(tests)
        asked = json.dumps({"tests": names, "go_on": go_on, "swap": list(swap)})
        (self.place / REQUEST).write_text(asked, "utf-8")
        self._door.send(b"go")
        failed: list[str] = []
        trouble: Exception | None = None
        test, pid, word, said = "", 0, "", ""
        while word != "ended":
            try:
                word, said = self._heard(factor * (PATIENCE + _TIMES * tests.get(test, 0)))
            except TimeoutError:
                trouble = HungError(test)
                _end(pid)
            match word:
                case "pid":
                    pid = int(said)
                case "begun":
                    test = names[int(said)]
                case "failed":
                    failed.append(said)
                case "loaded":
                    trouble = LoadedError()
        # Judges that the tests started go with them.
        _end(pid)
        if trouble:
            raise trouble
        return failed or ([""] if said != "0" else [])

    def _heard(self, seconds: float) -> tuple[str, str]:
        """Return the next message, a word and what is said with it; that it ended where it has.

        Raises: TimeoutError.
        """
        self._door.settimeout(seconds)
        word, _, said = (self._door.recv(_LONGEST).decode() or "ended 1").partition(" ")
        return word, said


def _end(pid: int) -> None:
    """End a process with all that it started."""
    try:
        if pid:
            os.killpg(pid, signal.SIGKILL)
    except ProcessLookupError:
        pass
