"""Faults of a mailbox and its submission server in `judge check`."""

import re
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from judge.config import Config, DeliverSection
from judge.errors import JudgeError
from judge.terminal.checking import check_delivery, check_mailbox
from tests.imap.conftest import FetchingJudge
from tests.imap.dovecot import PASSWORD
from tests.machine import HAS_DOVECOT
from tests.mail.submission import Provider, run_provider

pytestmark = [
    pytest.mark.slow, pytest.mark.skipif(not HAS_DOVECOT, reason="no Dovecot to be run as root"),
]
CERTIFICATE = Path(__file__).parents[1] / "mail/tls.pem"
FAULTS = [
    ("wrong", {}, "refuses the log-in of {user} .*: check the password; many .* app password"),
    ("", {"from_": "imap://{user}@127.0.0.1:{port}/Nowhere"},
     r"does not open the folder 'Nowhere' .*: name one of these in \[fetch\] from: INBOX"),
    ("", {"from_": "imaps://{user}@localhost:{tls}/INBOX"},
     r"certificate of localhost .*not valid for 'localhost'.*: check the host in \[fetch\] from"),
    ("", {"from_": "imaps://me@outlook.office365.com/INBOX"},
     "takes no passwords, .*: set auth = \"xoauth2\" and a password_command"),
    ("", {"password_file": ""}, "there is no password .*: set .* password_file"),
    ("", {"password_file": "/no/such/file"}, "/no/such/file: No such file"),
    ("", {"done": "INBOX"}, "done: it must be another folder"),
]


@pytest.fixture(autouse=True)
def trusted_certificate(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """Trust the certificate, so that only its name can be wrong."""
    monkeypatch.setenv("SSL_CERT_FILE", str(CERTIFICATE))
    yield


def find_fault(checks: Iterator[str]) -> str:
    """Return the one line that checks report, without the password."""
    with pytest.raises(JudgeError) as fault:
        list(checks)
    line = str(fault.value)
    assert "\n" not in line and PASSWORD not in line and "wrong-7777" not in line
    return line


def configure(judge: FetchingJudge, port: int) -> Config:
    """Return a configuration that sends with the password of the mailbox."""
    to = f"smtp://me@127.0.0.1:{port}"
    return replace(judge.config, deliver=DeliverSection(to))


@pytest.mark.parametrize("secret, changes, expected", FAULTS)
def test_mailbox_fault_has_its_fix(
    judge: FetchingJudge, secret: str, changes: dict[str, str], expected: str
) -> None:
    if secret:
        judge.secret.write_text("wrong-7777")
    names = {"user": judge.user, "port": judge.dovecot.port, "tls": judge.dovecot.tls_port}
    judge.changes = {key: value.format(**names) for key, value in changes.items()}
    line = find_fault(check_mailbox(judge.config))
    assert re.search(expected.format(user=judge.user), line), line


def test_login_of_the_submission_server_is_tried(judge: FetchingJudge) -> None:
    with run_provider(Provider(password=PASSWORD.encode())) as provider:
        [line] = check_delivery(configure(judge, provider.port))
        assert line == f"the mail server at 127.0.0.1:{provider.port} accepts the log-in"
        judge.secret.write_text("wrong-7777")
        line = find_fault(check_delivery(configure(judge, provider.port)))
    assert "refuses the log-in of me (535" in line and "check the password" in line
    # Letters wait for a server that is away, which is no fault.
    [line] = check_delivery(configure(judge, provider.port))
    assert "no log-in at" in line and "letters will wait" in line
