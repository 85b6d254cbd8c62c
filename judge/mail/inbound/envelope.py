"""Envelope recipients, and trace headers of a received mail."""

import re
from collections.abc import Iterator
from email.utils import format_datetime
from typing import NamedTuple

from judge.mail.address import JudgeAddresses, addresses
from judge.mail.inbound.mime import Entity
from judge.model.record import StoredMail

_RECIPIENT_HEADERS = (
    "delivered-to", "x-original-to", "x-delivered-to", "envelope-to", "x-envelope-to", "to", "cc",
)
"""Headers that name recipients, the most reliable first.

The sender may have written some of them. That is safe, as a token cannot be guessed.
"""


class Envelope(NamedTuple):
    """Envelope sender of a mail, and the judge's address it was sent to."""

    sender: str
    """Empty for the null sender `<>`."""
    recipient: str
    """Empty if no header names the judge."""


def read_envelope(raw: bytes, ours: JudgeAddresses) -> Envelope:
    """Return the envelope according to the headers of a mail.

    The sender is that of the postmark or of the first Return-Path. Without either it is the From
    address: a mail of unknown origin is no bounce.

    >>> raw = b"From: ann@example.org\\nTo: judge+x7@example.org\\n\\n"
    >>> read_envelope(raw, JudgeAddresses("judge@example.org"))
    Envelope(sender='ann@example.org', recipient='judge+x7@example.org')
    >>> read_envelope(b"Return-Path: <>\\n" + raw, JudgeAddresses("judge@example.org")).sender
    ''
    """
    postmark, rest = unfold_postmark(raw)
    message = Entity(rest)
    return Envelope(postmark or _find_sender(raw, message), _find_recipient(message, ours))


def _find_sender(raw: bytes, message: Entity) -> str:
    path = message.first("return-path")
    if strip_brackets(path) == "" and (path or raw.startswith(b"From MAILER-DAEMON ")):
        return ""
    values = [path, *message.all("from")]
    return next((one for value in values for one in addresses(value)), "")


def _find_recipient(message: Entity, ours: JudgeAddresses) -> str:
    """Return the first address of the judge that has a detail, else the first of all."""
    found = [one for one in _recipients(message) if ours.is_judge(one)]
    return next(filter(ours.detail_of, found), next(iter(found), ""))


def _recipients(message: Entity) -> Iterator[str]:
    for name in _RECIPIENT_HEADERS:
        for value in message.all(name):
            yield from addresses(value)


def strip_brackets(path: str) -> str:
    """Return an address without the angle brackets of an envelope, empty for `<>`.

    >>> (strip_brackets("<ann@example.org>"), strip_brackets(" <> "),
    ...  strip_brackets("ann@example.org"))
    ('ann@example.org', '', 'ann@example.org')
    """
    inner = path.strip()
    return inner[1:-1].strip() if inner.startswith("<") and inner.endswith(">") else inner


_RECEIVED = re.compile(rb"^received[ \t]*:", re.IGNORECASE | re.MULTILINE)
_BLANK = re.compile(rb"\r?\n\r?\n")
_LINE_END = re.compile(rb"\r\n|\r|\n")
_OTHER = re.compile(r"[^!-~]")
_MAX = 255


def count_hops(raw: bytes) -> int:
    """Return the number of servers a message came through.

    >>> count_hops(b"Received: by x\\r\\nReceived: by y\\r\\n\\r\\nReceived: is only text\\r\\n")
    2
    """
    head = _BLANK.split(raw, maxsplit=1)[0]
    return len(_RECEIVED.findall(head))


def format_peer(peer: str, protocol: str, greeted: str) -> str:
    """Return peer, protocol and name of a mail's connection, one word each.

    >>> format_peer("192.0.2.1", "ESMTP", "mail.example.org (me)")
    '192.0.2.1 ESMTP mail.example.org?(me)'
    """
    return " ".join(_word(text) for text in (peer, protocol, greeted))


def unfold_postmark(raw: bytes) -> tuple[str, bytes]:
    """Return the envelope sender of a message from a pipe, and the bare message.

    Many mail servers put it in front, as in mailboxes. The null sender appears there as a name, for
    which the result is empty.

    >>> unfold_postmark(b"From ann@example.org Mon Jan  5 20:00:00 2026\\nSubject: x\\n")
    ('ann@example.org', b'Subject: x\\n')
    >>> unfold_postmark(b"From: ann@example.org\\n")
    ('', b'From: ann@example.org\\n')
    """
    if not raw.startswith(b"From "):
        return "", raw
    line, _, rest = raw.partition(b"\n")
    sender = line.split()[1].decode("ascii", "replace") if len(line.split()) > 1 else ""
    return sender if "@" in sender else "", rest


def make_received_line(mail: StoredMail, host: str) -> bytes:
    """Return the Received line to put before a stored mail, with its queue number.

    >>> from datetime import UTC, datetime
    >>> way = "192.0.2.1 ESMTPS mail.example.org"
    >>> at = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
    >>> mail = StoredMail(17, at, "ann@x", (), b"", peer=way)
    >>> print(make_received_line(mail, "judge.example.org").decode().replace("\\r", ""))
    Received: from mail.example.org ([192.0.2.1]) by judge.example.org with ESMTPS id 17;
     Mon, 05 Jan 2026 20:00:00 +0000
    <BLANKLINE>
    """
    peer, protocol, greeted = (mail.peer.split() + ["unknown"] * 3)[:3]
    line = (
        f"Received: from {_word(greeted)} ([{_word(peer)}]) by {_word(host)}"
        f" with {_word(protocol)} id {mail.id};\r\n {format_datetime(mail.accepted)}\r\n"
    )
    return line.encode("ascii")


def normalize_line_ends(raw: bytes) -> bytes:
    """Return a message with each line end as CRLF.

    No later server may see another end of the message in it.

    >>> normalize_line_ends(b"a\\n.\\nb\\r.\\r\\n")
    b'a\\r\\n.\\r\\nb\\r\\n.\\r\\n'
    """
    return _LINE_END.sub(b"\r\n", raw)


def _word(text: str) -> str:
    """Return a text as one printable word, which cannot end the header it is in."""
    return _OTHER.sub("?", text)[:_MAX] or "unknown"
