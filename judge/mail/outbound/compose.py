"""Composition of letters as MIME messages: headers and a tree of parts.

Headers are not written by `email.message`, which turns long message ids of References into
encoded words that no mail program threads by. No value can end its own header.
"""

import binascii
import re
from base64 import b64encode, encodebytes
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from email.message import EmailMessage
from email.utils import format_datetime
from functools import lru_cache
from hashlib import sha256
from itertools import count
from typing import NamedTuple, assert_never

from judge.mail.address import addresses
from judge.model.letter import NOTE, LetterPicture, PictureSlot

MAX_LINE = 998
"""Octets in one line of a message (RFC 5322, 2.1.1)."""
MAX_NAME = 80
LONE_SURROGATES = re.compile(r"[\ud800-\udfff]")
TEXT_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r"))
TYPES = {"png": "image/png", "svg": "image/svg+xml"}
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class TextPart:
    """A text part.

    ASCII is not changed and never rewrapped, since maps are drawn with it.
    """

    text: str
    subtype: str = "plain"
    notes: tuple[tuple[str, str], ...] = ()
    """Keys of pictures, each with the text inserted here if it cannot be drawn."""
    tail: str = ""
    """Text after those notes."""


@dataclass(frozen=True, slots=True)
class Data:
    """A file part: its octets, type and name.

    `inline` parts are shown with the letter if possible. `cid` is its name for other parts.
    """

    octets: bytes
    type: str
    name: str
    inline: bool = False
    cid: str = ""


@dataclass(frozen=True, slots=True)
class PicturePlaceholder:
    """Placeholder of a picture."""

    picture: LetterPicture
    cid: str = ""


@dataclass(frozen=True, slots=True)
class Multipart:
    """A multipart of subtype "mixed", "alternative" or "related".

    Mail programs show the last part of an "alternative" that they can show.
    """

    subtype: str
    parts: tuple["Part", ...]


Part = TextPart | Data | PicturePlaceholder | Multipart


class Written(NamedTuple):
    """A serialised text or file: type headers, octets and positions of notes."""

    headers: tuple[str, ...]
    body: bytes
    places: Sequence[PictureSlot] = ()


def make_multipart(subtype: str, *parts: Part) -> Part:
    """Combine parts into a multipart. A single part is returned as it is."""
    return parts[0] if len(parts) == 1 else Multipart(subtype, parts)


def replace_surrogates(text: str) -> str:
    """Replace lone surrogates so that a text can be encoded.

    >>> replace_surrogates("a\\ud800b") == "a\\ufffdb"
    True
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return LONE_SURROGATES.sub("\ufffd", text)
    return text


def _boundary_mark(part: Part, seed: str) -> str:
    """Return the end of all boundaries, derived from *seed* (a Message-ID).

    It occurs in no part.
    """
    texts = list(_texts(part))
    # Base64 has no "_" and quoted-printable no bare "=", so only plain texts can contain a mark.
    marks = ("=_" + sha256(f"{number} {seed}".encode()).hexdigest()[:24] for number in count())
    return next(mark for mark in marks if not any(mark in text for text in texts))


def _texts(part: Part) -> Iterator[str]:
    match part:
        case TextPart():
            yield part.text
        case Multipart():
            for each in part.parts:
                yield from _texts(each)


def _write(
    part: Part, mark: str, numbers: Iterator[int], message: bytearray, places: list[PictureSlot]
) -> None:
    """Append a part to a message, and the positions of its pictures to *places*.

    A picture leaves only its position, since it may not be drawn yet, and `insert_parts` inserts it
    later.
    """
    match part:
        case TextPart() | Data():
            found = _write_text(part) if isinstance(part, TextPart) else _write_data(part)
            message += _head(*found.headers)
            places += [place._replace(at=place.at + len(message)) for place in found.places]
            message += found.body
        case PicturePlaceholder(picture):
            form, key, shows = picture.sketch.form.ending, picture.sketch.key, str(picture.shows)
            places.append(PictureSlot(len(message), key, form, picture.name, shows, part.cid))
        case Multipart():
            # All boundaries have the same length, so that none is the beginning of another.
            border = f"=_{next(numbers):03}{mark}"
            message += _head(f'Content-Type: multipart/{part.subtype};\r\n boundary="{border}"')
            for each in part.parts:
                message += b"--%s\r\n" % border.encode()
                _write(each, mark, numbers, message, places)
                message += b"\r\n"
            message += b"--%s--\r\n" % border.encode()
        case _:
            assert_never(part)


def _write_text(part: TextPart) -> Written:
    texts = (part.text, part.tail, *(text for _, text in part.notes))
    pieces, encoding = [_text_octets(text) for text in texts], "7bit"
    whole = b"".join(pieces)
    if not whole.isascii() or max(map(len, whole.split(b"\n"))) > MAX_LINE:
        pieces, encoding = [binascii.b2a_qp(piece) for piece in pieces], "quoted-printable"
    headers = (
        f"Content-Type: text/{part.subtype}; charset=utf-8",
        f"Content-Transfer-Encoding: {encoding}",
    )
    body, tail, *notes = [piece.replace(b"\n", b"\r\n") for piece in pieces]
    places = [
        PictureSlot(len(body), key, NOTE, "", note.decode("ascii"))
        for (key, _), note in zip(part.notes, notes, strict=True)
    ]
    return Written(headers, body + tail, places)


def _text_octets(text: str) -> bytes:
    octets = replace_surrogates(text).replace("\r\n", "\n").replace("\r", "\n").encode("utf-8")
    # Removing characters from long texts is many times as fast on octets.
    octets = octets.translate(None, TEXT_CONTROLS)
    return octets if not octets or octets.endswith(b"\n") else octets + b"\n"


def _write_data(part: Data) -> Written:
    name = safe_name(part.name)
    encoding, octets = "base64", encodebytes(part.octets)
    if part.type == TYPES["svg"] or part.type.startswith("text/html"):
        # SVG and pages are nearly all ASCII, and a quarter shorter than in base64.
        encoding, octets = "quoted-printable", binascii.b2a_qp(part.octets, istext=False)
    headers = [
        f'Content-Type: {part.type}; name="{name}"',
        f"Content-Transfer-Encoding: {encoding}",
        f"Content-Disposition: {'inline' if part.inline else 'attachment'};"
        f'\r\n filename="{name}"',
    ]
    if part.cid:
        headers.append(f"Content-ID: <{part.cid}>")
    return Written(tuple(headers), octets.replace(b"\n", b"\r\n"))


def _head(*headers: str) -> bytes:
    return "\r\n".join([*headers, "", ""]).encode("ascii")


def safe_name(name: str) -> str:
    """Convert a name to a file name that is valid on all systems and no path.

    >>> safe_name("../marco S1901M.png"), safe_name("")
    ('marco-S1901M.png', 'file')
    """
    return _UNSAFE.sub("-", name).lstrip(".-")[:MAX_NAME] or "file"


def picture_part(place: PictureSlot, octets: bytes) -> bytes:
    """Serialise a drawn picture as the part inserted at its position.

    A PNG is shown below the text. An SVG is a file, since mail programs do not show it.
    """
    file = f"{place.name}.{place.form}"
    inline = place.form == "png"
    part = _write_data(Data(octets, TYPES[place.form], file, inline, place.cid))
    return _head(*part.headers) + part.body


def note_part(place: PictureSlot, text: str) -> bytes:
    """Serialise a text as the part inserted at the position of a missing picture.

    If a page refers to the picture, the text is an attachment, because mail programs show a text
    next to a page only as a file.
    """
    part = _write_text(TextPart(text))
    if place.cid:
        file = f'Content-Disposition: attachment;\r\n filename="{safe_name(place.name)}.txt"'
        part = part._replace(headers=(*part.headers, file, f"Content-ID: <{place.cid}>"))
    return _head(*part.headers) + part.body


def list_enclosures(letter: EmailMessage) -> Iterator[EmailMessage]:
    """Yield the parts of a letter except its text and the page with the same content."""
    bodies = [letter.get_body((kind,)) for kind in ("plain", "html")]
    for part in letter.walk():
        if not part.is_multipart() and isinstance(part, EmailMessage) and part not in bodies:
            yield part


def insert_parts(message: bytes, places: Sequence[PictureSlot], parts: Sequence[bytes]) -> bytes:
    """Insert a part at each position of a message.

    >>> insert_parts(b"ab", [PictureSlot(1, "", "", "", ""), PictureSlot(2, "", "", "", "")],
    ...     [b"-", b"+"])
    b'a-b+'

    Raises:
        ValueError: a position is not in this message.
    """
    pieces, done = list[bytes](), 0
    for place, part in sorted(zip(places, parts, strict=True), key=lambda pair: pair[0].at):
        if not done <= place.at <= len(message):
            raise ValueError(f"no place in a message: {place.at}")
        pieces += [message[done:place.at], part]
        done = place.at
    return b"".join([*pieces, message[done:]])


FOLD = 76
WORD_OCTETS = 42
"""Octets of one encoded word: 56 in base64, 75 at most in its frame.

RFC 2047, 2."""
MAX_SUBJECT = 200
UNSAFE = re.compile(r"[\x00-\x1f\x7f-\x9f\u2028\u2029]+")
NAME = re.compile(r"[A-Za-z0-9-]{1,40}")


@dataclass(frozen=True, slots=True)
class Headers:
    """Headers of a letter. Empty ones are omitted."""

    sender: str
    """From address, optionally with a name: `The Judge <judge@example.org>`."""
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
    """Value of List-Unsubscribe, in its angle brackets."""
    language: str = ""
    """Code of the letter's language (RFC 5646)."""
    auto: str = "auto-replied"
    """Value of Auto-Submitted (RFC 3834, 5)."""
    judge: Mapping[str, str] = field(default_factory=dict)
    """The `X-Judge-…` headers, by the rest of their names: `{"Game": "marco"}`."""


class Composed(NamedTuple):
    """A finished message, with the positions of pictures not yet inserted."""

    octets: bytes
    places: tuple[PictureSlot, ...] = ()


def compose(headers: Headers, part: Part) -> Composed:
    """Compose a letter as the octets to be sent."""
    message = bytearray("\r\n".join([*_header_lines(headers), ""]).encode("ascii"))
    places = list[PictureSlot]()
    _write(part, _boundary_mark(part, headers.message_id), count(), message, places)
    return Composed(bytes(message), tuple(places))


def compose_text(headers: Headers, text: str) -> bytes:
    """Compose a letter that consists of a text only."""
    return compose(headers, TextPart(text)).octets


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
        "X-Loop": _loop_of(headers.sender),
    }
    yield _header("Subject", headers.subject[:MAX_SUBJECT])
    for name, value in plain.items():
        if value:
            yield _header(name, value)
    for name, value in headers.judge.items():
        if value and NAME.fullmatch(name):
            yield _header(f"X-Judge-{name}", value)
    yield "MIME-Version: 1.0"


@lru_cache(maxsize=16)
def _loop_of(sender: str) -> str:
    """Return the address in X-Loop, by which the judge recognises its own mails."""
    return next(iter(addresses(sender)), "")


def _header(name: str, value: str) -> str:
    """Format a header, folded at its blanks.

    >>> _header("Subject", "marco - S1901M results\\r\\nBcc: eve@example.org")
    'Subject: marco - S1901M results Bcc: eve@example.org'
    >>> _header("Subject", "Köln")
    'Subject: =?utf-8?B?S8O2bG4=?='
    """
    words = " ".join(clean_header(value).split()).split(" ")
    line = f"{name}: {' '.join(words)}"
    if len(line) <= FOLD and line.isascii() and "=?" not in line:
        # Fast path: most headers need no folding.
        return line
    lines = [f"{name}:"]
    for word in _encode_words(words):
        if len(lines[-1]) + 1 + len(word) > FOLD and lines[-1] != f"{name}:":
            lines.append("")
        lines[-1] += " " + word
    return "\r\n".join(lines)


def _encode_words(words: list[str]) -> Iterator[str]:
    """Yield the words of a header, with odd ones as encoded words.

    All words from the first to the last odd one are encoded, so that the blanks between survive.
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
    return not word.isascii() or "=?" in word or len(word) > MAX_LINE - FOLD


def clean_header(value: str) -> str:
    """Remove all characters that could end a header or hide in one.

    >>> clean_header("a\\r\\n\\tb\\x00c")
    'a b c'
    """
    # Fast path: printable characters are safe.
    return value if value.isprintable() else replace_surrogates(UNSAFE.sub(" ", value))
