"""A judge of the demo's own: a separate process on a free port, with a folder of its own."""

import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path
from types import TracebackType

from judge.demo.mailroom import DemoFault


class Household:
    """`judge serve` in a folder; stopped when the block is left."""

    def __init__(
        self, folder: Path, maps: str = "png", words: Sequence[str] = ("serve",)
    ) -> None:
        self.folder = folder
        self.words = words
        self.maps = maps
        """How its letters show the board to those who do not say how they want it."""
        self.outbox = folder / "outbox"
        self.place = ""
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "Household":
        """Start the judge and learn from its first line where it listens.

        Raises:
            DemoFault: it did not start.
        """
        clean = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        with (self.folder / "log").open("w") as log:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "judge", *self.words],
                cwd=self.folder,
                env=clean | self.settings(),
                stdout=subprocess.PIPE,
                stderr=log,
                stdin=subprocess.DEVNULL,
                text=True,
                start_new_session=True,
            )
        assert self.process.stdout is not None
        words = self.process.stdout.readline().partition(";")[0].split(" takes mail at ")
        if len(words) != 2:
            self.__exit__(None, None, None)
            raise DemoFault(f"the judge did not start:\n{self.log()}")
        self.place = words[1]
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Stop the judge."""
        if self.process is not None:
            self.process.terminate()
            try:
                self.process.wait(15)
            except subprocess.TimeoutExpired:
                self.process.kill()
                self.process.wait()
            if self.process.stdout is not None:
                self.process.stdout.close()

    def settings(self) -> dict[str, str]:
        """Return the judge's configuration as environment variables."""
        return {
            "JUDGE_LISTEN_SMTP": "127.0.0.1:0",
            "JUDGE_DELIVER_TO": f"maildir:{self.outbox}",
            "JUDGE_POLICY_MAPS": self.maps,
            "JUDGE_CLOCK_SHORTEST": "0",
            "JUDGE_STORE_URL": f"sqlite:///{self.folder / 'judge.sqlite3'}",
        }

    def log(self) -> str:
        """Return the end of what the judge logged."""
        return (self.folder / "log").read_text("utf-8", "replace")[-4000:]
