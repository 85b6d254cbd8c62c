"""The envelope of a mail that came without one, from its headers (`judge deliver`)."""

from collections.abc import Iterator
from typing import NamedTuple

from judge.mail.address import Ours, addresses
from judge.mail.inbound.mime import Entity
from judge.mail.inbound.trace import unfold_postmark

_RECIPIENT_HEADERS = (
    "delivered-to", "x-original-to", "x-delivered-to", "envelope-to", "x-envelope-to", "to", "cc",
)
"""Headers that name recipients, the most reliable first.

Some may be the sender's. A token cannot be guessed, so that one found here may be believed.
"""


class Envelope(NamedTuple):
    """Who sent a mail, and to which of the judge's addresses."""

    sender: str
    """Empty for the null sender `<>`."""
    recipient: str
    """Empty if no header names the judge."""


def read_envelope(raw: bytes, ours: Ours) -> Envelope:
    """Return the envelope that the headers of a mail tell.

    The sender is that of the postmark or of the first Return-Path. Without either it is the From
    address: a mail of unknown origin is no bounce.

    >>> raw = b"From: ann@example.org\\nTo: judge+x7@example.org\\n\\n"
    >>> read_envelope(raw, Ours("judge@example.org"))
    Envelope(sender='ann@example.org', recipient='judge+x7@example.org')
    >>> read_envelope(b"Return-Path: <>\\n" + raw, Ours("judge@example.org")).sender
    ''
    """
    postmark, rest = unfold_postmark(raw)
    message = Entity(rest)
    return Envelope(postmark or _find_sender(raw, message), _find_recipient(message, ours))


def _find_sender(raw: bytes, message: Entity) -> str:
    path = message.first("return-path")
    if bare(path) == "" and (path or raw.startswith(b"From MAILER-DAEMON ")):
        return ""
    values = [path, *message.all("from")]
    return next((one for value in values for one in addresses(value)), "")


def _find_recipient(message: Entity, ours: Ours) -> str:
    """Return the first address of the judge that has a detail, else the first of all."""
    found = [one for one in _recipients(message) if ours.is_judge(one)]
    return next(filter(ours.detail_of, found), next(iter(found), ""))


def _recipients(message: Entity) -> Iterator[str]:
    for name in _RECIPIENT_HEADERS:
        for value in message.all(name):
            yield from addresses(value)


def bare(path: str) -> str:
    """Return an address without the angle brackets of an envelope; empty for `<>`.

    >>> bare("<ann@example.org>"), bare(" <> "), bare("ann@example.org")
    ('ann@example.org', '', 'ann@example.org')
    """
    inner = path.strip()
    return inner[1:-1].strip() if inner.startswith("<") and inner.endswith(">") else inner
