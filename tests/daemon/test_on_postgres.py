"""Several judges on one PostgreSQL database: no mail is lost or processed twice."""

import signal
import smtplib
import time
from collections import Counter
from collections.abc import Callable
from contextlib import closing, suppress
from pathlib import Path

import pytest

from judge.demo.judge_process import JudgeProcess
from judge.store.database import Store
from tests import postgres
from tests.machine import ON_POSTGRES

pytestmark = ON_POSTGRES
PATIENCE = 120.0
"""Seconds to wait for any event, enough for a slow and busy machine."""


class OnServer(JudgeProcess):
    """Judge whose database is on a server."""

    def __init__(self, folder: Path, url: str, *words: str) -> None:
        folder.mkdir()
        super().__init__(folder, "off", words or ("serve",))
        self.url = url

    def settings(self) -> dict[str, str]:
        """Return the configuration."""
        return super().settings() | {"JUDGE_STORE_URL": self.url}


def send(judge: JudgeProcess, number: int) -> None:
    """Mail a LIST command to a judge."""
    host, _, port = judge.place.rpartition(":")
    text = f"From: p{number}@example.org\nMessage-ID: <{number}@example.org>\n\nLIST\n"
    with smtplib.SMTP(host, int(port), local_hostname="x", timeout=60) as client:
        client.sendmail(f"p{number}@example.org", ["judge@localhost"], text)


def until(is_so: Callable[[], bool]) -> None:
    """Wait until a condition is true."""
    end = time.monotonic() + PATIENCE
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.1)


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_each_mail_is_answered_once_when_one_of_two_judges_ends(tmp_path: Path, end: int) -> None:
    url = postgres.judge_url()
    store = Store(url)
    accepted = []
    with OnServer(tmp_path / "one", url) as one, OnServer(tmp_path / "other", url) as other:
        for number in range(24):
            for judge in (one, other)[number % 2:]:
                with suppress(OSError, smtplib.SMTPException):
                    send(judge, number)
                    accepted.append(number)
                    break
            if number == 12:
                assert one.process is not None
                one.process.send_signal(end)
        until(lambda: store.select_sql(
            "SELECT COUNT(*) FROM outgoing WHERE state = 'sent'", ()) >= [(len(accepted),)])
    answers = Counter(to for (to,) in store.select_sql('SELECT "to" FROM outgoing', ()))
    assert answers == {f"p{number}@example.org": 1 for number in accepted}
    assert len(accepted) > 20
    store.close()


def test_listener_wakes_a_worker_of_another_process(tmp_path: Path) -> None:
    """Without the wake-up, the worker would look again after a minute."""
    url = postgres.judge_url()
    with OnServer(tmp_path / "one", url), OnServer(tmp_path / "door", url, "listen") as door:
        begun = time.monotonic()
        send(door, 1)
        with closing(Store(url)) as store:
            until(
                lambda: (
                    store.select_sql("SELECT 1 FROM outgoing WHERE state = 'sent'", ()) == [(1,)]
                )
            )
        assert time.monotonic() - begun < 45
