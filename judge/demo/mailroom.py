"""The players' mail client: mails out by SMTP, letters in from the judge's Maildir."""

import time
from collections import deque
from collections.abc import Callable
from datetime import datetime
from email import message_from_bytes, policy
from email.message import EmailMessage
from email.policy import SMTP
from email.utils import format_datetime
from pathlib import Path

from judge.clock import Clock
from judge.errors import JudgeError
from judge.mail.sender import Delivery, delivery_for
from judge.words.record import Outgoing

_POLL = 0.004
KEEPER = "postmaster@localhost"


class DemoFault(JudgeError):
    """The demo's judge did not do what its letters promise."""


class Mailroom:
    """Mails and letters of everybody in the demo, and how many there were."""

    def __init__(self, place: str, folder: Path, clock: Clock) -> None:
        self._delivery: Delivery = delivery_for(f"smtp://{place}")
        self._new, self._seen = folder / "new", folder / "cur"
        self._clock = clock
        self._waiting: dict[str, deque[EmailMessage]] = {}
        self.mails = 0
        self.letters = 0

    def send(self, sender: str, to: str, subject: str, text: str, answers: str = "") -> str:
        """Mail a text to the judge; return its Message-ID."""
        self.mails += 1
        now: datetime = self._clock.now()
        message_id = f"<{self.mails}.{now.timestamp():.6f}@demo.example>"
        mail = EmailMessage(policy=SMTP)
        mail["From"], mail["To"], mail["Subject"] = sender, to, subject
        mail["Date"], mail["Message-ID"] = format_datetime(now), message_id
        if answers:
            mail["In-Reply-To"] = mail["References"] = answers
        mail.set_content(text)
        out = Outgoing(0, to, sender, message_id, bytes(mail), now, now)
        self._delivery.deliver(out)
        self._delivery.rest()
        return message_id

    def next_letter(
        self, address: str, wanted: Callable[[EmailMessage], bool], patience: float
    ) -> EmailMessage | None:
        """Return the next letter to an address that is wanted, dropping those before it.

        None when none came within `patience` seconds.
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
        """Leave letters for later, before those that came since."""
        self._waiting.setdefault(address, deque()).extendleft(reversed(letters))

    def _fetch(self) -> bool:
        """Take what is new in the Maildir, as a mail client does; return whether there was any."""
        if not self._new.is_dir():
            return False
        files = sorted(self._new.iterdir(), key=lambda file: file.name)
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
