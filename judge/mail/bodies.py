"""What stands under the headers of a message: a tree of parts, written out as octets of seven bits.

A picture has only its place there, for it may not be drawn yet: `fill` puts it in. What ends a
part is chosen so that nothing in any part can look like it.
"""

import binascii
import re
from base64 import encodebytes
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from email.message import EmailMessage
from hashlib import sha256
from itertools import count
from typing import NamedTuple, assert_never

from judge.words.picture import Picture, Place

LONGEST_LINE = 998
"""Octets in one line of a message (RFC 5322, 2.1.1)."""
LONGEST_NAME = 80
LONE_SURROGATES = re.compile(r"[\ud800-\udfff]")
TEXT_CONTROLS = bytes({*range(32), 127} - set(b"\t\n\r"))
TYPES = {"png": "image/png", "svg": "image/svg+xml"}
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")


@dataclass(frozen=True, slots=True)
class Text:
    """A text; ASCII stays as it is and is never wrapped anew (maps are drawn with it)."""

    text: str
    subtype: str = "plain"


@dataclass(frozen=True, slots=True)
class Data:
    """A file: its octets, its type, and the name it is saved under.

    `inline`: shown with the letter where that can be done. `cid` is its name for other parts.
    """

    octets: bytes
    type: str
    name: str
    inline: bool = False
    cid: str = ""


@dataclass(frozen=True, slots=True)
class Drawing:
    """The place of a picture."""

    picture: Picture
    cid: str = ""


@dataclass(frozen=True, slots=True)
class Bundle:
    """Several parts: "mixed", "alternative" (the last that can be shown), or "related"."""

    subtype: str
    parts: tuple["Part", ...]


Part = Text | Data | Drawing | Bundle


class Written(NamedTuple):
    """A part written out: the headers that tell its type, its octets, and the places in these."""

    headers: tuple[str, ...]
    body: bytes
    places: tuple[Place, ...] = ()


def bundled(subtype: str, *parts: Part) -> Part:
    """Return parts as one; a single one needs nothing around it."""
    return parts[0] if len(parts) == 1 else Bundle(subtype, parts)


def mended(text: str) -> str:
    """Return a text that can be encoded: half a pair of surrogates is no character.

    >>> mended("a\\ud800b") == "a\\ufffdb"
    True
    """
    try:
        text.encode("utf-8")
    except UnicodeEncodeError:
        return LONE_SURROGATES.sub("\ufffd", text)
    return text


def written(part: Part, seed: str) -> Written:
    """Return a part written out; what ends its parts is drawn from the seed, a Message-ID."""
    texts = list(_texts(part))
    for number in count():
        # Base64 has no "_" and quoted-printable no bare "=": only plain texts can hold one.
        mark = "=_" + sha256(f"{number} {seed}".encode()).hexdigest()[:24]
        if not any(mark in text for text in texts):
            return _write(part, mark, count())
    raise AssertionError("there are endless numbers")


def _texts(part: Part) -> Iterator[str]:
    match part:
        case Text():
            yield part.text
        case Bundle():
            for each in part.parts:
                yield from _texts(each)


def _write(part: Part, mark: str, numbers: Iterator[int]) -> Written:
    match part:
        case Text():
            return _write_text(part)
        case Data():
            return _write_data(part)
        case Drawing():
            picture = part.picture
            form, key = picture.sketch.form.value, picture.sketch.key
            place = Place(0, key, form, picture.name, picture.shows, part.cid)
            return Written((), b"", (place,))
        case Bundle():
            return _write_bundle(part, mark, numbers)
    assert_never(part)


def _write_text(part: Text) -> Written:
    octets = mended(part.text).replace("\r\n", "\n").replace("\r", "\n").encode("utf-8")
    # As octets, for long texts lose single ones many times as fast as characters.
    octets, encoding = octets.translate(None, TEXT_CONTROLS), "7bit"
    if octets and not octets.endswith(b"\n"):
        octets += b"\n"
    if not octets.isascii() or max(map(len, octets.split(b"\n"))) > LONGEST_LINE:
        octets, encoding = binascii.b2a_qp(octets), "quoted-printable"
    headers = (
        f"Content-Type: text/{part.subtype}; charset=utf-8",
        f"Content-Transfer-Encoding: {encoding}",
    )
    return Written(headers, octets.replace(b"\n", b"\r\n"))


def _write_data(part: Data) -> Written:
    name = safe_name(part.name)
    encoding, octets = "base64", encodebytes(part.octets)
    if part.type == TYPES["svg"]:
        # A drawing is nearly all ASCII: so it is a quarter shorter.
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


def _write_bundle(part: Bundle, mark: str, numbers: Iterator[int]) -> Written:
    # Each ends with the same many digits, so that none is the beginning of another.
    border = f"=_{next(numbers):03}{mark}"
    body, places = bytearray(), list[Place]()
    for each in part.parts:
        found = _write(each, mark, numbers)
        body += b"--%s\r\n" % border.encode()
        if not isinstance(each, Drawing):
            body += _head(found)
        places += [place._replace(at=place.at + len(body)) for place in found.places]
        body += found.body + b"\r\n"
    body += b"--%s--\r\n" % border.encode()
    headers = (f'Content-Type: multipart/{part.subtype};\r\n boundary="{border}"',)
    return Written(headers, bytes(body), tuple(places))


def _head(part: Written) -> bytes:
    return "\r\n".join([*part.headers, "", ""]).encode("ascii")


def safe_name(name: str) -> str:
    """Return a file name that is one everywhere, and no path.

    >>> safe_name("../marco S1901M.png"), safe_name("")
    ('marco-S1901M.png', 'file')
    """
    return _UNSAFE.sub("-", name).lstrip(".-")[:LONGEST_NAME] or "file"


def picture_part(place: Place, octets: bytes) -> bytes:
    """Return a drawn picture as the part of a message that takes its place.

    A PNG is shown below the text; an SVG is a file, as mail programs show none.
    """
    file = f"{place.name}.{place.form}"
    inline = place.form == "png"
    part = _write_data(Data(octets, TYPES[place.form], file, inline, place.cid))
    return _head(part) + part.body


def note_part(place: Place, text: str) -> bytes:
    """Return a text as the part of a message that takes the place of a picture.

    Where a page was to show the picture, programs show a text beside it only as a file.
    """
    part = _write_text(Text(text))
    if place.cid:
        file = f'Content-Disposition: attachment;\r\n filename="{safe_name(place.name)}.txt"'
        part = part._replace(headers=(*part.headers, file, f"Content-ID: <{place.cid}>"))
    return _head(part) + part.body


def enclosed(letter: EmailMessage) -> Iterator[EmailMessage]:
    """Yield what is in a letter of ours besides its text and the page that says the same."""
    bodies = [letter.get_body((kind,)) for kind in ("plain", "html")]
    for part in letter.walk():
        if not part.is_multipart() and isinstance(part, EmailMessage) and part not in bodies:
            yield part


def fill(message: bytes, places: Sequence[Place], parts: Sequence[bytes]) -> bytes:
    """Return a message with a part in each of its places.

    >>> fill(b"ab", [Place(1, "", "", "", ""), Place(2, "", "", "", "")], [b"-", b"+"])
    b'a-b+'

    Raises:
        ValueError: a place is none in this message.
    """
    pieces, done = list[bytes](), 0
    for place, part in sorted(zip(places, parts, strict=True), key=lambda pair: pair[0].at):
        if not done <= place.at <= len(message):
            raise ValueError(f"no place in a message: {place.at}")
        pieces += [message[done:place.at], part]
        done = place.at
    return b"".join([*pieces, message[done:]])
