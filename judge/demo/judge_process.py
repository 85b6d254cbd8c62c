"""The demo's judge in a process of its own, and the players' mail client."""

import os
import subprocess
import sys
import time
from collections import deque
from collections.abc import Callable, Sequence
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path
from types import TracebackType
from typing import TextIO

from judge.clock import Clock
from judge.errors import JudgeError
from judge.mail.outbound.delivery import Delivery, age_of, delivery_for
from judge.model.record import NO_ID, Outgoing

_POLL = 0.004
KEEPER = "postmaster@localhost"


class DemoFault(JudgeError):
    """Raised when the demo's judge did not do what its letters promise."""


class Mailroom:
    """Mails and letters of all people in the demo, with their numbers."""

    def __init__(self, place: str, folder: Path, clock: Clock) -> None:
        self._delivery: Delivery = delivery_for(f"smtp://{place}")
        self._new, self._seen = folder / "new", folder / "cur"
        self._clock = clock
        self._waiting: dict[str, deque[EmailMessage]] = {}
        self.mails = 0
        self.letters = 0

    def send(self, sender: str, to: str, subject: str, text: str, answers: str = "") -> str:
        """Mail a text to the judge and return its Message-ID."""
        self.mails += 1
        now: datetime = self._clock.now()
        message_id = f"<{self.mails}.{now.timestamp():.6f}@demo.example>"
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"], mail["Subject"] = sender, to, subject
        mail["Date"], mail["Message-ID"] = format_datetime(now), message_id
        if answers:
            mail["In-Reply-To"] = mail["References"] = answers
        mail.set_content(text)
        out = Outgoing(NO_ID, to, sender, message_id, bytes(mail), now, now)
        self._delivery.deliver(out)
        self._delivery.close_idle()
        return message_id

    def next_letter(
        self, address: str, wanted: Callable[[EmailMessage], bool], patience: float
    ) -> EmailMessage | None:
        """Return the next wanted letter to an address, dropping those before it.

        None if none came within `patience` seconds.
        """
        until = time.monotonic() + patience
        box = self._waiting.setdefault(address, deque())
        while True:
            while box:
                letter = box.popleft()
                if wanted(letter):
                    return letter
            if not self._fetch():
                if time.monotonic() > until:
                    return None
                time.sleep(_POLL)

    def put_back(self, address: str, letters: list[EmailMessage]) -> None:
        """Put letters back in front of those that came since."""
        self._waiting.setdefault(address, deque()).extendleft(reversed(letters))

    def _fetch(self) -> bool:
        """Read new letters from the Maildir, as a mail client does.

        Return whether there were any.

        Raises:
            DemoFault: the judge reported an internal error to its operator.
        """
        if not self._new.is_dir():
            return False
        files = sorted(self._new.iterdir(), key=age_of)
        for file in files:
            letter = message_from_bytes(file.read_bytes(), policy=policy.default)
            assert isinstance(letter, EmailMessage)
            file.rename(self._seen / f"{file.name}:2,S")
            self.letters += 1
            if letter["To"] == KEEPER:
                raise DemoFault(f"the judge failed and told its keeper: {letter['Subject']}")
            self._waiting.setdefault(str(letter["To"]), deque()).append(letter)
        return bool(files)


def text_of(letter: EmailMessage) -> str:
    """Return the plain text of a letter."""
    body = letter.get_body(("plain",))
    return "" if body is None else str(body.get_content())


class JudgeProcess:
    """A `judge serve` process in a folder, stopped on leaving the context."""

    def __init__(self, folder: Path, maps: str = "png", words: Sequence[str] = ("serve",)) -> None:
        self.folder = folder
        self.words = words
        self.maps = maps
        """Form of the maps in letters to players who have not chosen one."""
        self.outbox = folder / "outbox"
        self.place = ""
        self.process: subprocess.Popen[str] | None = None

    def __enter__(self) -> "JudgeProcess":
        """Start the judge and read its listener's address from its first line.

        Raises:
            DemoFault: it did not start.
        """
        clean = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        with (self.folder / "log").open("w") as log:
            self.process = self.begun(clean | self.settings(), log)
        assert self.process.stdout is not None
        words = self.process.stdout.readline().partition(";")[0].split(" takes mail at ")
        if len(words) != 2:
            self.__exit__(None, None, None)
            raise DemoFault(f"the judge did not start:\n{self.log()}")
        self.place = words[1]
        return self

    def begun(self, environ: dict[str, str], log: TextIO) -> "subprocess.Popen[str]":
        """Start the process and return it.

        `log` receives its standard error.
        """
        return subprocess.Popen(
            [sys.executable, "-m", "judge", *self.words],
            cwd=self.folder,
            env=environ,
            stdout=subprocess.PIPE,
            stderr=log,
            stdin=subprocess.DEVNULL,
            text=True,
            start_new_session=True,
        )

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
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
        """Return the last 4,000 characters of the judge's log."""
        return (self.folder / "log").read_text("utf-8", "replace")[-4000:]
