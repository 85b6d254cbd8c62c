"""Complaints about letters of ours, as mail providers pass them on (RFC 5965, feedback reports).

Which letter is meant is told by its Message-ID, which only its reader and his provider know, or by
its envelope sender; whom it went to is often blacked out, and is looked up by us. Only fields are
read: what stands in the letter itself, others may have written.
"""

from email import message_from_bytes
from email.message import Message
from typing import NamedTuple

_LOOKED_AT = 256 * 1024
_LONGEST = 300
_UNWANTED = ("abuse", "opt-out", "opt-out-list")
_SENDERS = ("original-mail-from", "return-path")


class Complaint(NamedTuple):
    """What a complaint says of the letter it is about."""

    kind: str
    """Its Feedback-Type in lower case: "abuse", "fraud", "not-spam", …; empty: it has none."""
    message_ids: tuple[str, ...]
    senders: tuple[str, ...]
    """Envelope senders the letter may have had."""

    @property
    def is_unwanted(self) -> bool:
        """Tell whether it says that its reader does not want such letters."""
        return self.kind in _UNWANTED


def read_complaint(raw: bytes) -> Complaint:
    """Return what a complaint says; it never fails.

    >>> read_complaint(b"From: ann@example.org\\n\\nHello").kind
    ''
    """
    report, original = _fields(raw)
    told = [*report, *original]
    return Complaint(
        next((value.lower() for name, value in report if name == "feedback-type"), ""),
        tuple(value for name, value in original if name == "message-id"),
        tuple(value.strip("<>") for name, value in told if name in _SENDERS),
    )


Fields = list[tuple[str, str]]


def _fields(raw: bytes) -> tuple[Fields, Fields]:
    """Return the fields of the report, and those of the letter it is about."""
    try:
        parts = message_from_bytes(raw[:_LOOKED_AT]).get_payload()
        if not isinstance(parts, list) or len(parts) < 2:
            return [], []
        report, *rest = [_head(part) for part in parts[1:3] if isinstance(part, Message)]
        return report, rest[0] if rest else []
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError):
        # The library stumbles over what only looks like a message: that is no complaint.
        return [], []


def _head(part: Message) -> Fields:
    """Return the fields of what a part holds: a report, a message, or the head of one."""
    held = part.get_payload()
    inner = held[0] if isinstance(held, list) else None
    if not isinstance(inner, Message):
        octets = part.get_payload(decode=True)
        inner = message_from_bytes(octets if isinstance(octets, bytes) else b"")
    told = [(name.lower(), " ".join(str(value).split())) for name, value in inner.items()]
    return [(name, value[:_LONGEST]) for name, value in told]
