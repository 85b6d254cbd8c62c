"""Trace of a mail: counted servers, safe words and uniform line ends."""

from datetime import UTC, datetime

import pytest

from judge.mail.inbound.envelope import (
    count_hops,
    format_peer,
    make_received_line,
    normalize_line_ends,
    unfold_postmark,
)
from judge.model.record import StoredMail

AT = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
LONG = "x" * 256


@pytest.mark.parametrize("head, many", [
    (b"", 0),
    (b"Subject: x", 0),
    (b"Received: by x", 1),
    (b"received : by x", 1),
    (b"RECEIVED\t:by x\nTo: a@x\nReceived: by y\nReceived: by z", 3),
    (b"X-Received: by x\nReceived-SPF: pass\nSubject: a\n Received: by x", 0),
])
def test_only_received_headers_are_counted(head: bytes, many: int) -> None:
    body = b"\n\nReceived: in the text\n\nReceived: there too\n"
    for whole in (head, head + body):
        assert count_hops(whole) == count_hops(whole.replace(b"\n", b"\r\n")) == many


@pytest.mark.parametrize("told, way", [
    (("192.0.2.1", "ESMTP", "mx.example.org"), "192.0.2.1 ESMTP mx.example.org"),
    (("", "", ""), "unknown unknown unknown"),
    (("a b", "c\r\nd", "e\u00e9~!\x7f"), "a?b c??d e?~!?"),
    ((LONG, LONG[1:], LONG[2:]), f"{LONG[1:]} {LONG[1:]} {LONG[2:]}"),
])
def test_three_words_of_a_connection_are_kept(told: tuple[str, str, str], way: str) -> None:
    assert format_peer(*told) == way


@pytest.mark.parametrize("raw, sender, rest", [
    (b"From ann@x Mon Jan 5\nSubject: x\n", "ann@x", b"Subject: x\n"),
    (b"From ann@x\r\nSubject: x\r\n", "ann@x", b"Subject: x\r\n"),
    (b"From MAILER-DAEMON Mon Jan 5\nFrom bob@x\n", "", b"From bob@x\n"),
    (b"From \nSubject: x\n", "", b"Subject: x\n"),
    (b"From \xff@x\n", "\ufffd@x", b""),
    (b"From ann@x", "ann@x", b""),
    (b"From: ann@x\n", "", b"From: ann@x\n"),
    (b"Subject: x\nFrom ann@x\n", "", b"Subject: x\nFrom ann@x\n"),
    (b"", "", b""),
])
def test_a_postmark_line_contains_the_envelope_sender(raw: bytes, sender: str, rest: bytes) -> None:
    assert unfold_postmark(raw) == (sender, rest)


@pytest.mark.parametrize("way, line", [
    ("192.0.2.1 ESMTPS mx", "from mx ([192.0.2.1]) by judge.example.org with ESMTPS id 17;"),
    ("192.0.2.1 ESMTPS", "from unknown ([192.0.2.1]) by judge.example.org with ESMTPS id 17;"),
    ("192.0.2.1", "from unknown ([192.0.2.1]) by judge.example.org with unknown id 17;"),
    ("", "from unknown ([unknown]) by judge.example.org with unknown id 17;"),
    ("a b c d", "from c ([a]) by judge.example.org with b id 17;"),
])
def test_unknown_parts_of_the_trace_are_named(way: str, line: str) -> None:
    mail = StoredMail(17, AT, "ann@x", (), b"", peer=way)
    told = f"Received: {line}\r\n Mon, 05 Jan 2026 20:00:00 +0000\r\n"
    assert make_received_line(mail, "judge.example.org") == told.encode()


@pytest.mark.parametrize("raw, sent", [
    (b"", b""), (b"a", b"a"), (b"a\n\nb", b"a\r\n\r\nb"), (b"a\r\r\nb\n\r", b"a\r\n\r\nb\r\n\r\n"),
])
def test_each_line_end_is_sent_as_crlf(raw: bytes, sent: bytes) -> None:
    assert normalize_line_ends(raw) == sent == normalize_line_ends(sent)
