"""Mail that says a letter of ours did not arrive: for good, for now, or not yet.

Reports by RFC 3464 say so in fields; of other servers' texts a library knows many. Whose letter
it was we know by the address it came back to, never from what is written in it.
"""

import logging
import re
from email import message_from_bytes
from enum import Enum
from typing import NamedTuple

from flufl.bounce import all_failures

# The library tells each detector it tries.
logging.getLogger("flufl.bounce").setLevel(logging.WARNING)

_LOOKED_AT = 128 * 1024
"""Octets of a bounce that are read: what comes after is our own letter."""
_LONGEST = 300
_STATUS = re.compile(rb"^status[ \t]*:[ \t]*([245])\.(\d{1,3})\.(\d{1,3})", re.I | re.M)
_DIAGNOSIS = re.compile(rb"^diagnostic-code[ \t]*:(.*(?:\r?\n[ \t].*)*)", re.I | re.M)
_CODE = re.compile(rb"\b[45](?:\.\d{1,3}\.\d{1,3}|\d\d)\b.{0,200}")
_FULL = (b"2", b"2")
"""Mailbox full (RFC 3463, 3.3): it may have room again."""


class Weight(Enum):
    """How bad a bounce is."""

    HARD = "hard"
    """The address is no good."""
    SOFT = "soft"
    """The letter was given up, but the next one may arrive."""
    DELAYED = "delayed"
    """The letter is still on its way."""
    NONE = "none"
    """Nothing that can be understood as a bounce."""


class Bounce(NamedTuple):
    """What became of a letter, and in the words of whoever sends it back."""

    weight: Weight
    why: str = ""


def read_bounce(raw: bytes) -> Bounce:
    """Return what a bounce says; it never fails.

    >>> read_bounce(b"From: ann@example.org\\n\\nHello").weight.value
    'none'
    """
    raw = raw[:_LOOKED_AT]
    temporary, permanent = _failures(raw)
    why = _why(raw)
    status = _STATUS.search(raw)
    if permanent:
        passing = status and (status[1] == b"4" or (status[2], status[3]) == _FULL)
        return Bounce(Weight.SOFT if passing else Weight.HARD, why)
    return Bounce(Weight.DELAYED if temporary else Weight.NONE, why)


def _failures(raw: bytes) -> tuple[frozenset[bytes], frozenset[bytes]]:
    """Return the addresses a letter has not reached yet, and those it never will."""
    try:
        found = all_failures(message_from_bytes(raw))
        return frozenset(found[0]), frozenset(found[1])
    except (ValueError, TypeError, LookupError, AttributeError, AssertionError, RecursionError):
        # The library stumbles over what only looks like a message: that is no bounce.
        return frozenset(), frozenset()


def _why(raw: bytes) -> str:
    """Return the words of the server that refused the letter, on one line."""
    found = _DIAGNOSIS.search(raw)
    if found:
        words = found[1].partition(b";")[2] or found[1]
    else:
        code = _CODE.search(raw.partition(b"\n\n")[2] or raw.partition(b"\r\n\r\n")[2])
        words = code[0] if code else b""
    return " ".join(words.decode("ascii", "replace").split())[:_LONGEST]
