"""Bounces of many servers: permanent, temporary, delayed, and other mail."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.inbound.automatic_mail import BounceSeverity, read_bounce


def report(action: str, status: str, diagnosis: str = "") -> bytes:
    """Return a delivery report (RFC 3464)."""
    code = f"Diagnostic-Code: smtp; {diagnosis}\n" if diagnosis else ""
    return f"""From: MAILER-DAEMON@mx.example.org
To: judge+x@localhost
Auto-Submitted: auto-replied
MIME-Version: 1.0
Content-Type: multipart/report; report-type=delivery-status; boundary="b"

--b
Content-Type: text/plain

This is the mail system at host mx.example.org.

--b
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.example.org

Final-Recipient: rfc822; ann@example.org
Action: {action}
Status: {status}
{code}
--b
Content-Type: message/rfc822

Subject: marco
Status: 5.1.1

A letter of ours: Action: failed
--b--
""".encode()


QMAIL = b"""From: MAILER-DAEMON@example.org
To: judge+x@localhost
Subject: failure notice

Hi. This is the qmail-send program at example.org.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<ann@example.org>:
192.0.2.1 does not like recipient.
Remote host said: 550 5.1.1 User unknown
Giving up on 192.0.2.1.

--- Below this line is a copy of the message.

Subject: marco
"""
EXIM = b"""From: Mail Delivery System <Mailer-Daemon@example.org>
To: judge+x@localhost
X-Failed-Recipients: ann@example.org
Auto-Submitted: auto-replied
Subject: Mail delivery failed: returning message to sender

This message was created automatically by mail delivery software.

A message that you sent could not be delivered to one or more of its
recipients. This is a permanent error. The following address(es) failed:

  ann@example.org
    SMTP error from remote mail server after RCPT TO:<ann@example.org>:
    host mx.example.org [192.0.2.1]: 550 5.1.1 <ann@example.org>: no such user
"""
AWAY = b"""From: ann@example.org
To: judge+x@localhost
Auto-Submitted: auto-replied
Subject: Out of office

I am away until Monday and read no mail.
"""
TABLE = [
    ("unknown address", report("failed", "5.1.1", "550 5.1.1 unknown"), BounceSeverity.HARD),
    ("given up after days", report("failed", "4.4.7"), BounceSeverity.SOFT),
    ("mailbox full", report("failed", "5.2.2", "552 5.2.2 over quota"), BounceSeverity.SOFT),
    ("a warning", report("delayed", "4.4.1"), BounceSeverity.DELAYED),
    ("a report of success", report("delivered", "2.0.0"), BounceSeverity.NONE),
    ("action with a comment", report("Failed (bad address)", "5.0.0"), BounceSeverity.HARD),
    ("qmail", QMAIL, BounceSeverity.HARD),
    ("exim", EXIM, BounceSeverity.HARD),
    ("away", AWAY, BounceSeverity.NONE),
    ("nothing", b"", BounceSeverity.NONE),
    ("binary", bytes(range(256)) * 9, BounceSeverity.NONE),
]


@pytest.mark.parametrize("raw, weight", [row[1:] for row in TABLE])
def test_a_bounce_is_classified(raw: bytes, weight: BounceSeverity) -> None:
    assert read_bounce(raw).weight is weight
    assert read_bounce(raw.replace(b"\n", b"\r\n")).weight is weight


@pytest.mark.parametrize("raw, why", [
    (report("failed", "5.1.1", "550 5.1.1 no\n such user"), "550 5.1.1 no such user"),
    (QMAIL, "550 5.1.1 User unknown"),
    (EXIM, "550 5.1.1 <ann@example.org>: no such user"),
    (report("failed", "5.1.1"), "5.1.1"),
])
def test_the_reason_is_the_text_of_the_server(raw: bytes, why: str) -> None:
    assert read_bounce(raw).why == why


def test_an_endless_bounce_is_read_up_to_a_limit() -> None:
    assert len(read_bounce(report("failed", "5.1.1", "550 " + "x" * 10_000)).why) == 300
    assert read_bounce(QMAIL + b"<ann@example.org>:\n" * 200_000).weight is BounceSeverity.HARD


@given(st.binary(max_size=300), st.sampled_from([QMAIL, EXIM, report("failed", "5.1.1")]),
       st.integers(0, 800))
def test_any_bounce_is_read_without_an_exception(noise: bytes, whole: bytes, at: int) -> None:
    read_bounce(noise)
    read_bounce(whole[:at] + noise + whole[at:])
