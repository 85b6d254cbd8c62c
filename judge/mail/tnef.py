"""Outlook's own packing (TNEF, winmail.dat): the text in it, and nothing else of it.

Exchange sends rich text so to people it takes for its own; for most there is a text part beside it,
but not for all. The format is [MS-OXTNEF]: attributes one after another, one of which holds the
properties of the message ([MS-OXCMSG]): its text, its HTML, or RTF in a packing of its own
([MS-OXRTFCP]). What is broken ends the reading; each octet is looked at once.
"""

from collections.abc import Iterator
from struct import Struct
from typing import NamedTuple

from judge.mail.charsets import decode_text
from judge.mail.rtf import loosened

MOST_TEXT = 1024 * 1024
MOST_PROPERTIES = 2000
SIGNATURE = b"\x78\x9f\x3e\x22"
CODE_PAGE, BODY, PROPERTIES = 0x00069007, 0x0002800C, 0x00069003
"""Attributes of a message."""
TEXT, RTF, HTML, INTERNET_PAGE = 0x1000, 0x1009, 0x1013, 0x3FDE
"""Properties of a message that hold its text, or say in which code page it is."""
SIZES = {2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16}
"""Octets of the values that have a fixed length, by their type; small ones are filled up to 4."""
COUNTED = {13, 30, 31, 258}
"""Types whose values tell their length: objects, texts, texts in UTF-16, octets."""
UNICODE, MANY, NAMED = 31, 0x1000, 0x8000

_WORD, _HEAD, _LONG = Struct("<HH"), Struct("<BII"), Struct("<I")


class Unpacked(NamedTuple):
    """The text of a message: plain, HTML or RTF."""

    content: str
    kind: str


def unpacked(octets: bytes) -> Unpacked | None:
    """Return the best text in a winmail.dat, or None."""
    page, texts = "", dict[str, str]()
    for name, value in _attributes(octets):
        if name == CODE_PAGE and len(value) >= 4:
            page = f"cp{_LONG.unpack_from(value)[0]}"
        elif name == BODY:
            texts.setdefault("plain", decode_text(value.rstrip(b"\0"), page))
        elif name == PROPERTIES:
            texts |= _texts(value, page)
    kind = next((one for one in ("plain", "html", "rtf") if texts.get(one, "").strip()), None)
    return Unpacked(texts[kind][:MOST_TEXT], kind) if kind else None


def _attributes(octets: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the attributes of a message; those of its attachments are left out."""
    if not octets.startswith(SIGNATURE):
        return
    at = 6
    while at + _HEAD.size <= len(octets):
        level, name, length = _HEAD.unpack_from(octets, at)
        at += _HEAD.size
        if level != 1:
            return
        yield name, octets[at:at + length]
        at += length + 2


def _texts(octets: bytes, page: str) -> dict[str, str]:
    """Return the texts among the properties of a message, by their kind."""
    found = {kind: value for kind, value in _properties(octets) if kind & 0xFFFF in (
        TEXT, RTF, HTML, INTERNET_PAGE)}
    values = {kind & 0xFFFF: (kind >> 16, value) for kind, value in found.items()}
    if INTERNET_PAGE in values and len(values[INTERNET_PAGE][1]) == 4:
        web = f"cp{_LONG.unpack(values[INTERNET_PAGE][1])[0]}"
    else:
        web = page
    texts = {}
    for name, kind, charset in ((TEXT, "plain", page), (HTML, "html", web)):
        if name in values:
            type_, value = values[name]
            charset = "utf-16-le" if type_ == UNICODE else charset
            charset = "utf-8" if charset == "cp65001" else charset
            texts[kind] = decode_text(value[:MOST_TEXT], charset).rstrip("\0")
    if RTF in values:
        texts["rtf"] = loosened(values[RTF][1]).decode("latin-1")
    return texts


def _properties(octets: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the properties in an attribute: their type and name in one number, and their value."""
    at = 4
    for _ in range(MOST_PROPERTIES):
        if at + 4 > len(octets):
            return
        type_, name = _WORD.unpack_from(octets, at)
        at += 4
        if name >= NAMED:
            at += 16
            is_text = _long(octets, at) == 1
            at += 4
            at += 4 + _padded(_long(octets, at)) if is_text else 4
        base, many = type_ & ~MANY, 1
        if type_ & MANY or base in COUNTED:
            many, at = _long(octets, at), at + 4
        for _ in range(many):
            if at >= len(octets):
                return
            size = SIZES.get(base, -1)
            if base in COUNTED:
                size, at = _long(octets, at), at + 4
            if size < 0:
                return
            yield base << 16 | name, octets[at:at + size]
            at += _padded(size)


def _long(octets: bytes, at: int) -> int:
    found: tuple[int] = _LONG.unpack(octets[at:at + 4].ljust(4, b"\0"))
    return found[0]


def _padded(size: int) -> int:
    return size + -size % 4
