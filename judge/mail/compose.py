"""A finished text, what goes with it, and its headers to the octets of a message.

Headers are written here and not by `email.message`: that one turns long message ids of References
into encoded words, which no mail program threads by. No value can end its own header.
"""

import re
from base64 import b64encode
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from email.utils import format_datetime
from typing import NamedTuple

from judge.mail.address import addresses
from judge.mail.bodies import LONGEST_LINE, Part, Text, mended, written
from judge.words.picture import Place

FOLD = 76
WORD_OCTETS = 42
"""Octets of one encoded word: 56 in base64, 75 at most with its frame (RFC 2047, 2)."""
LONGEST_SUBJECT = 200
UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
NAME = re.compile(r"[A-Za-z0-9-]{1,40}")


@dataclass(frozen=True, slots=True)
class Headers:
    """What stands above a letter; empty: the header is left out."""

    sender: str
    """The From address, with a name if need be: `The Judge <judge@example.org>`."""
    to: str
    """One bare address."""
    subject: str
    message_id: str
    date: datetime
    reply_to: str = ""
    in_reply_to: str = ""
    references: str = ""
    list_id: str = ""
    unsubscribe: str = ""
    """What List-Unsubscribe offers, in its angle brackets."""
    language: str = ""
    """Code of the language the letter is in (RFC 5646)."""
    auto: str = "auto-replied"
    """The Auto-Submitted word (RFC 3834, 5)."""
    judge: Mapping[str, str] = field(default_factory=dict)
    """The `X-Judge-…` headers by what stands after that: `{"Game": "marco"}`."""


class Composed(NamedTuple):
    """A finished message, and where pictures are still to be put into it."""

    octets: bytes
    places: tuple[Place, ...] = ()


def compose(headers: Headers, part: Part) -> Composed:
    """Return a letter as it goes over the wire."""
    body = written(part, headers.message_id)
    lines = [*_header_lines(headers), *body.headers, ""]
    head = "\r\n".join(lines).encode("ascii") + b"\r\n"
    places = tuple(place._replace(at=place.at + len(head)) for place in body.places)
    return Composed(head + body.body, places)


def compose_text(headers: Headers, text: str) -> bytes:
    """Return a letter that is a text and nothing else."""
    return compose(headers, Text(text)).octets


def _header_lines(headers: Headers) -> Iterator[str]:
    plain = {
        "From": headers.sender,
        "To": headers.to,
        "Date": format_datetime(headers.date),
        "Message-ID": headers.message_id,
        "Reply-To": headers.reply_to,
        "In-Reply-To": headers.in_reply_to,
        "References": headers.references,
        "List-Id": headers.list_id,
        "List-Unsubscribe": headers.unsubscribe,
        "Content-Language": headers.language,
        "Auto-Submitted": headers.auto,
        "X-Auto-Response-Suppress": "All",
        "X-Loop": next(iter(addresses(headers.sender)), ""),
    }
    yield _header("Subject", headers.subject[:LONGEST_SUBJECT])
    for name, value in plain.items():
        if value:
            yield _header(name, value)
    for name, value in headers.judge.items():
        if value and NAME.fullmatch(name):
            yield _header(f"X-Judge-{name}", value)
    yield "MIME-Version: 1.0"


def _header(name: str, value: str) -> str:
    """Return a header, folded at its blanks.

    >>> _header("Subject", "marco - S1901M results\\r\\nBcc: eve@example.org")
    'Subject: marco - S1901M results Bcc: eve@example.org'
    >>> _header("Subject", "Köln")
    'Subject: =?utf-8?B?S8O2bG4=?='
    """
    words = " ".join(clean(value).split()).split(" ")
    lines = [f"{name}:"]
    for word in _encoded(words):
        if len(lines[-1]) + 1 + len(word) > FOLD and lines[-1] != f"{name}:":
            lines.append("")
        lines[-1] += " " + word
    return "\r\n".join(lines)


def _encoded(words: list[str]) -> Iterator[str]:
    """Return the words of a header with what is not ASCII, or no word, as encoded words.

    From the first to the last of these all is encoded, so that the blanks between survive.
    """
    odd = [at for at, word in enumerate(words) if _is_odd(word)]
    if not odd:
        yield from words
        return
    first, last = odd[0], odd[-1] + 1
    # A name before an address keeps the address readable.
    yield from words[:first]
    octets = b""
    for char in " ".join(words[first:last]):
        coded = char.encode("utf-8")
        if len(octets) + len(coded) > WORD_OCTETS:
            yield f"=?utf-8?B?{b64encode(octets).decode()}?="
            octets = b""
        octets += coded
    yield f"=?utf-8?B?{b64encode(octets).decode()}?="
    yield from words[last:]


def _is_odd(word: str) -> bool:
    return not word.isascii() or "=?" in word or len(word) > LONGEST_LINE - FOLD


def clean(value: str) -> str:
    """Return a value without anything that could end a header or hide in one.

    >>> clean("a\\r\\n\\tb\\x00c")
    'a b c'
    """
    # Nothing that is printable is unsafe.
    return value if value.isprintable() else mended(UNSAFE.sub(" ", value))
