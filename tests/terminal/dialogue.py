"""Terminals for questions, with prepared answers or for a process."""

import os
import pty
import select
import subprocess
import time
from collections.abc import Mapping, Sequence
from contextlib import suppress
from types import TracebackType


class Script:
    """A dialogue with prepared answers. Without any, nothing can be asked."""

    def __init__(self, answers: Sequence[str] = (), line: str = "") -> None:
        self.answers = list(answers)
        self.is_interactive = bool(answers)
        self.lines: list[str] = []
        self.line = line
        """First line of standard input."""
        self.is_fine = False

    @property
    def text(self) -> str:
        """All lines and questions so far."""
        return "\n".join(self.lines)

    def has(self, *parts: str) -> bool:
        """Return whether all these texts were printed."""
        return all(part in self.text for part in parts)

    def say(self, line: str) -> None:
        """Note a line."""
        self.lines.append(line)

    def ask(self, question: str) -> str:
        """Return the next answer."""
        self.lines.append(question)
        return self.answers.pop(0)

    def ask_password(self, question: str) -> str:
        """Return the next answer."""
        return self.ask(question)

    def read_line(self) -> str:
        """Return the first line of standard input."""
        return self.line


class Terminal:
    """A command on a pseudo-terminal."""

    def __init__(self, command: Sequence[str], environ: Mapping[str, str]) -> None:
        self._master, slave = pty.openpty()
        self._process = subprocess.Popen(
            command, stdin=slave, stdout=slave, stderr=slave, env=environ,
            start_new_session=True,
        )
        os.close(slave)
        self.text = ""
        self._read = 0

    def __enter__(self) -> "Terminal":
        return self

    def __exit__(
        self, kind: type[BaseException] | None, fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._process.kill()
        self._process.wait(30)
        os.close(self._master)

    def answer(self, question: str, answer: str, seconds: float = 120) -> None:
        """Wait for a question and type the answer."""
        end = time.monotonic() + seconds
        while question not in self.text[self._read:]:
            assert time.monotonic() < end and self._receive(), self.text
        self._read = len(self.text)
        os.write(self._master, f"{answer}\n".encode())

    def wait(self) -> int:
        """Wait for the end of the process and return its exit code."""
        while self._receive():
            pass
        return self._process.wait(30)

    def _receive(self) -> bool:
        """Read what the process prints. Return whether it still runs."""
        if select.select([self._master], [], [], 1.0)[0]:
            # Linux reports the end of the last process by an error.
            with suppress(OSError):
                found = os.read(self._master, 65536)
                self.text += found.decode("utf-8", "replace")
                return bool(found)
            return False
        return self._process.poll() is None
