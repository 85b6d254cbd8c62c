"""A Dovecot for all tests of a module, and a judge for each."""

import os
import subprocess
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest

from judge.clock import Clock, SystemClock
from judge.config import (
    Config,
    DeliverSection,
    FetchSection,
    JudgeSection,
    ListenSection,
    PolicySection,
    StoreSection,
)
from judge.daemon.application import open_application
from judge.daemon.mail_fetcher import MailFetcher
from judge.model.record import StoredMail
from judge.store.database import Store
from judge.store.mailboxes import Mailboxes
from judge.store.schema import MAILS, OUTGOING, MailboxState
from judge.store.table import Rows
from tests.imap.dovecot import PASSWORD, Dovecot, running_dovecot
from tests.judges import run


@pytest.fixture(scope="module")
def dovecot() -> Iterator[Dovecot]:
    """A running Dovecot, to which any user can log in."""
    with running_dovecot() as made:
        yield made


class FetchingJudge:
    """A judge with a database of its own, whose mail is in a mailbox of its own."""

    def __init__(self, folder: Path, dovecot: Dovecot, user: str) -> None:
        self.folder = folder
        self.dovecot = dovecot
        self.user = user
        self.address = "judge@example.org"
        self.secret = folder / "mailbox.secret"
        self.secret.write_text(f"{PASSWORD}\n")
        self.secret.chmod(0o600)
        self.clock: Clock = SystemClock()
        self.changes: dict[str, object] = {}
        """Changes of `[fetch]`."""
        self.policy = PolicySection()
        self.listen = ListenSection()
        self.deliver = DeliverSection()

    @property
    def config(self) -> Config:
        """Its configuration."""
        fetch = FetchSection(
            f"imap://{self.user}@127.0.0.1:{self.dovecot.port}/INBOX", str(self.secret)
        )
        return Config(
            judge=JudgeSection(self.address, keeper="keeper@example.org"),
            store=StoreSection(f"sqlite:///{self.folder}/judge.sqlite3"),
            fetch=replace(fetch, **self.changes),  # type: ignore[arg-type]
            policy=self.policy, listen=self.listen, deliver=self.deliver,
        )

    @property
    def environ(self) -> dict[str, str]:
        """The same configuration for a process."""
        clean = {k: v for k, v in os.environ.items() if not k.startswith("JUDGE_")}
        return clean | {
            "JUDGE_JUDGE_ADDRESS": self.address,
            "JUDGE_STORE_URL": self.config.store.url,
            "JUDGE_DELIVER_TO": f"maildir:{self.folder}/outbox",
            "JUDGE_LISTEN_SMTP": "",
            "JUDGE_FETCH_FROM": self.config.fetch.from_,
            "JUDGE_FETCH_PASSWORD_FILE": str(self.secret),
        }

    def fetch(self) -> int:
        """Look once. Return the number of mails stored."""
        application = open_application(self.config, self.clock, create=True)
        with closing(application.store):
            return MailFetcher(application).fetch_once()

    def make_database(self) -> None:
        """Make its database, unless it exists."""
        if not (self.folder / "judge.sqlite3").exists():
            open_application(self.config, self.clock, create=True).store.close()

    def fetch_as_process(
        self, failpoint: str = "", **environ: str
    ) -> "subprocess.CompletedProcess[str]":
        """Look once in a process, which may be killed at a failpoint."""
        self.make_database()
        given = self.environ | environ | ({"JUDGE_FAILPOINT": failpoint} if failpoint else {})
        return run(["fetch"], self.folder, given)

    def put(self, *mails: bytes) -> None:
        """Deliver mails into its mailbox."""
        self.dovecot.put(mails, self.user)

    def mails(self) -> list[StoredMail]:
        """Return the stored mails."""
        with Store(self.config.store.url).keep_open() as store:
            return Rows(store, MAILS).find_where("id > 0 ORDER BY id")

    def bodies(self) -> list[bytes]:
        """Return the bodies of the stored mails, sorted."""
        return sorted(mail.raw.partition(b"\r\n\r\n")[2].strip() for mail in self.mails())

    def letters(self) -> list[tuple[str, bytes]]:
        """Return addresses and messages of all letters."""
        with Store(self.config.store.url).keep_open() as store:
            found = Rows(store, OUTGOING).find_where("id > 0 ORDER BY id")
            return [(each.to, each.message) for each in found]

    def state(self) -> MailboxState:
        """Return the state of its mailbox."""
        with Store(self.config.store.url).keep_open() as store:
            return Mailboxes(store).state(f"{self.user}@127.0.0.1/INBOX")


@pytest.fixture
def judge(
    dovecot: Dovecot, tmp_path: Path, request: pytest.FixtureRequest
) -> FetchingJudge:
    """A judge with an empty mailbox."""
    user = "".join(filter(str.isalnum, request.node.name.lower()))[-40:]
    return FetchingJudge(tmp_path, dovecot, user)


def mail(number: int, to: str = "judge@example.org", *heads: str, body: str = "") -> bytes:
    """Return a mail. Every tenth has no Message-ID."""
    lines = [
        f"From: p{number}@players.example", f"To: {to}", "Subject: orders",
        *([f"Message-ID: <{number}@players.example>"] if number % 10 else []), *heads, "",
        body or f"body {number}", "",
    ]
    return "\r\n".join(lines).encode()
