"""Texts packed into other formats: Outlook's TNEF and RTF, S/MIME, PGP, uuencode.

The judge looks for them only if a mail has no text of its own. Encrypted texts are not read, and
the reply says so.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import islice
from struct import Struct
from typing import NamedTuple

from judge.mail.inbound.contents import MAX_DEPTH, BodyText, Contents, read_contents
from judge.mail.inbound.html_text import LineOrigin
from judge.mail.inbound.mime import MAX_PARTS, MAX_TEXT, Entity, decode_text

_WINDOW = 4096
# Content of the window before the first octet, fixed by the format.
_PRELOAD = (
    rb"{\rtf1\ansi\mac\deff0\deftab720{\fonttbl;}{\f0\fnil \froman \fswiss \fmodern "
    rb"\fscript \fdecor MS Sans SerifSymbolArialTimes New RomanCourier{\colortbl\red0\green0\blue0"
    b"\r\n"
    rb"\par \pard\plain\f0\fs20\b\i\u\tab\tx"
)


def decompress_rtf(octets: bytes) -> bytes:
    r"""Return decompressed RTF, at most `MAX_TEXT` octets of it ([MS-OXRTFCP], 2.1).

    >>> decompress_rtf(bytes.fromhex("160000000c0000004d454c41000000007b5c727466317d0d"))
    b'{\\rtf1}\r'
    """
    if octets[8:12] == b"MELA":
        return octets[16:16 + MAX_TEXT]
    made, at = bytearray(_PRELOAD.rjust(_WINDOW, b" ")), 16
    while at < len(octets) and len(made) < _WINDOW + MAX_TEXT:
        control, at = octets[at], at + 1
        for bit in range(8):
            step = 1 + (control >> bit & 1)
            taken, at = octets[at:at + step], at + step
            if at > len(octets):
                return bytes(made[_WINDOW:])
            if step == 2:
                pair = int.from_bytes(taken, "big")
                start, length = pair >> 4, (pair & 15) + 2
                distance = (len(_PRELOAD) + len(made) - start) % _WINDOW
                if not distance:
                    return bytes(made[_WINDOW:])
                # A copied stretch may run into the octets it writes itself.
                first = len(made) - distance
                taken = (bytes(made[first:first + length]) * length)[:length]
            made += taken
    return bytes(made[_WINDOW:_WINDOW + MAX_TEXT])


_RTF = re.compile(
    r"\\([a-zA-Z]{1,32})(-?[0-9]{1,10})? ?|\\'([0-9a-fA-F]{2})|\\([^a-zA-Z'])|([{}])|[\r\n]+|"
    r"([^\\{}\r\n]+)"
)
_SILENT = frozenset("fonttbl colortbl stylesheet info pict object header footer htmltag".split())
"""Groups without text, besides those marked as such."""
_SIGNS = {
    "par": "\n", "line": "\n", "row": "\n", "sect": "\n", "page": "\n", "tab": "\t", "cell": " ",
    "emdash": "—", "endash": "–", "bullet": "•", "lquote": "‘", "rquote": "’", "ldblquote": "“",
    "rdblquote": "”", "~": "\xa0", "_": "-", "\\": "\\", "{": "{", "}": "}", "\n": "\n",
    "\r": "\n",
}


def text_of_rtf(rtf: str) -> str:
    r"""Return the text of RTF, its octets given as Latin-1 characters.

    Formatting is ignored. Groups without text are left out, and so are the HTML elements that
    Outlook wraps in RTF (their text is next to them).

    >>> text_of_rtf(r"{\rtf1\ansicpg1252{\fonttbl Arial;}A Par \'96 Bur\par F Bre \u8594?MAO}")
    'A Par – Bur\nF Bre →MAO'
    """
    out: list[str] = []
    charset, skip, after = "cp1252", 1, 0
    silent, groups, begins = False, list[tuple[bool, int]](), False
    octets = bytearray()
    for found in _RTF.finditer(rtf):
        word, number, code, sign, brace, text = found.groups()
        if octets and not code:
            # A character may have several octets.
            out.append(decode_text(bytes(octets), charset))
            octets.clear()
        if brace == "{":
            groups.append((silent, skip))
            begins = True
            continue
        if brace:
            silent, skip = groups.pop() if groups else (False, 1)
        elif begins and (sign == "*" or word in _SILENT):
            silent = True
        elif word == "ansicpg" and number:
            charset = f"cp{number}"
        elif word == "uc" and number:
            skip = max(0, min(int(number), 9))
        elif word == "u" and number and not silent:
            out.append(f"\\u{int(number) & 0xFFFF:04x}".encode().decode("unicode-escape"))
            after = skip
        elif (word or sign) in _SIGNS and not silent:
            out.append(_SIGNS[word or sign])
        elif code and not silent and after:
            after -= 1
        elif code and not silent:
            octets += bytes.fromhex(code)
        elif text and not silent:
            out.append(text[after:])
            after = max(after - len(text), 0)
        begins = False
    out.append(decode_text(bytes(octets), charset))
    return "".join(out).encode("utf-16", "surrogatepass").decode("utf-16", "replace")


MAX_PROPERTIES = 2000
SIGNATURE = b"\x78\x9f\x3e\x22"
CODE_PAGE, BODY, PROPERTIES = 0x00069007, 0x0002800C, 0x00069003
"""Attributes of a message."""
TITLE = 0x00018010
"""Attribute of an attachment: the name of its file."""
TITLE_SIGN = re.compile(rb"[\0\r\n\"\\]+")
"""Characters that a file name in a header must not contain."""
TEXT, RTF, HTML, INTERNET_PAGE = 0x1000, 0x1009, 0x1013, 0x3FDE
"""Properties of a message that contain its text or name its code page."""
SIZES = {2: 4, 3: 4, 4: 4, 5: 8, 6: 8, 7: 8, 10: 4, 11: 4, 20: 8, 64: 8, 72: 16}
"""Octets of the values of fixed length, by type, after padding to 4."""
COUNTED = {13, 30, 31, 258}
"""Types of values with a length field: objects, texts, UTF-16 texts, octets."""
UNICODE, MANY, NAMED = 31, 0x1000, 0x8000

_WORD, _HEAD, _LONG = Struct("<HH"), Struct("<BII"), Struct("<I")


class TnefBody(NamedTuple):
    """The text of a message: plain, HTML or RTF."""

    content: str
    kind: str


def unpack_tnef(octets: bytes) -> TnefBody | None:
    """Return the best text in a winmail.dat, or None.

    Exchange sends rich text in this form to recipients it considers its own. Most mails have a text
    part next to it, but not all. The format is [MS-OXTNEF]: a sequence of attributes, one of which
    contains the properties of the message ([MS-OXCMSG]): its text, its HTML, or RTF compressed by
    [MS-OXRTFCP]. Reading ends at the first error, and each octet is read once.
    """
    page, texts = "", dict[str, str]()
    for level, name, value in _attributes(octets):
        if level != 1:
            break
        if name == CODE_PAGE and len(value) >= 4:
            page = f"cp{_LONG.unpack_from(value)[0]}"
        elif name == BODY:
            texts.setdefault("plain", decode_text(value.rstrip(b"\0"), page))
        elif name == PROPERTIES:
            texts |= _texts(value, page)
    kind = next((one for one in ("plain", "html", "rtf") if texts.get(one, "").strip()), None)
    return TnefBody(texts[kind][:MAX_TEXT], kind) if kind else None


def files_in_winmail(octets: bytes) -> list[Entity]:
    """Return a part for each file in a winmail.dat, with its name and no content."""
    titles = (value for level, name, value in _attributes(octets) if (level, name) == (2, TITLE))
    names = (TITLE_SIGN.sub(b" ", title).strip() for title in islice(titles, MAX_PARTS))
    head = b'Content-Type: application/octet-stream; name="%s"\n\n'
    return [Entity(head % name) for name in names if name]


def _attributes(octets: bytes) -> Iterator[tuple[int, int, bytes]]:
    """Yield the level (2: of an attachment), name and value of each attribute."""
    if not octets.startswith(SIGNATURE):
        return
    at = 6
    while at + _HEAD.size <= len(octets):
        level, name, length = _HEAD.unpack_from(octets, at)
        at += _HEAD.size
        if level not in (1, 2):
            return
        yield level, name, octets[at:at + length]
        at += length + 2


def _texts(octets: bytes, page: str) -> dict[str, str]:
    """Return the texts among the properties of a message, by their type."""
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
            texts[kind] = decode_text(value[:MAX_TEXT], charset).rstrip("\0")
    if RTF in values:
        texts["rtf"] = decompress_rtf(values[RTF][1]).decode("latin-1")
    return texts


def _properties(octets: bytes) -> Iterator[tuple[int, bytes]]:
    """Yield the properties in an attribute, as (type and name in one number, value)."""
    at = 4
    for _ in range(MAX_PROPERTIES):
        if at + 4 > len(octets):
            return
        type_, name = _WORD.unpack_from(octets, at)
        at += 4
        if name >= NAMED:
            at += 16
            is_text = _long(octets, at) == 1
            at += 4
            at += 4 + _pad_size(_long(octets, at)) if is_text else 4
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
            at += _pad_size(size)


def _long(octets: bytes, at: int) -> int:
    found: tuple[int] = _LONG.unpack(octets[at:at + 4].ljust(4, b"\0"))
    return found[0]


def _pad_size(size: int) -> int:
    return size + -size % 4


SIGNED = bytes.fromhex("2a864886f70d010702")
ENCRYPTED = (
    bytes.fromhex("2a864886f70d010703"),
    bytes.fromhex("2a864886f70d0109100117"),
)
"""Enveloped data, with and without authentication."""
SEQUENCE, OBJECT, OCTETS, FIRST = 0x30, 0x06, 0x04, 0xA0
CONSTRUCTED = 0x20
MAX_WRAP_DEPTH = 8
MAX_PIECES = 100_000


class BerValue(NamedTuple):
    """One value in BER: its tag and the range of its content.

    An end of -1 means that zeros mark the end.
    """

    tag: int
    start: int
    end: int


def content_of(octets: bytes) -> bytes | None:
    """Return the message inside a signature, or None if there is no readable one.

    The signature is not verified, as a password or token identifies the sender. Encrypted messages
    are for a key that the judge does not have.
    """
    try:
        return _BerReader(octets).content()
    except ValueError:
        return None


def is_encrypted(octets: bytes) -> bool:
    """Return whether octets are an encrypted message.

    >>> is_encrypted(bytes.fromhex("300b06092a864886f70d010703"))
    True
    """
    try:
        return _BerReader(octets).kind() in ENCRYPTED
    except ValueError:
        return False


class _BerReader:
    """BER reader (X.690, 8.1) for definite and indefinite lengths."""

    def __init__(self, octets: bytes) -> None:
        self._octets = octets
        self._pieces = 0

    def kind(self) -> bytes:
        """Return the object identifier of the whole."""
        return self._value(self._field(self._field(0, SEQUENCE).start, OBJECT))

    def content(self) -> bytes | None:
        """Return the signed content, or None if the message is not a signed one."""
        outer = self._field(0, SEQUENCE)
        kind = self._field(outer.start, OBJECT)
        if self._value(kind) != SIGNED:
            return None
        data = self._field(self._field(kind.end, FIRST).start, SEQUENCE)
        version = self._field(data.start)
        algorithms = self._field(version.end)
        inner = self._field(self._after(algorithms), SEQUENCE)
        held = self._field(inner.start, OBJECT)
        return self._whole(self._field(self._field(held.end, FIRST).start))

    def _field(self, at: int, tag: int | None = None) -> BerValue:
        octets = self._octets
        if len(octets) < at + 2 or tag not in (None, octets[at]) or octets[at] & 31 == 31:
            raise ValueError("no BER")
        length, start = octets[at + 1], at + 2
        if length == 0x80:
            return BerValue(octets[at], start, -1)
        if length & 0x80:
            many = length & 0x7F
            if many > 4:
                raise ValueError("no BER")
            length = int.from_bytes(octets[start:start + many], "big")
            start += many
        if tag == OBJECT and start + length > len(octets):
            raise ValueError("no BER")
        return BerValue(octets[at], start, start + length)

    def _value(self, field: BerValue) -> bytes:
        return self._octets[field.start:field.end] if field.end >= 0 else b""

    def _after(self, field: BerValue, depth: int = 0) -> int:
        """Return the position of the next field."""
        if field.end >= 0:
            return field.end
        at = field.start
        while self._octets[at:at + 2] != b"\0\0":
            self._count(depth)
            at = self._after(self._field(at), depth + 1)
        return at + 2

    def _whole(self, field: BerValue, depth: int = 0) -> bytes:
        """Return octets that may be in pieces (X.690, 8.7). Truncated content ends early."""
        if not field.tag & CONSTRUCTED:
            return self._value(field)
        pieces, at = [], field.start
        while at < len(self._octets) and (
            at < field.end if field.end >= 0 else self._octets[at:at + 2] != b"\0\0"
        ):
            self._count(depth)
            piece = self._field(at)
            pieces.append(self._whole(piece, depth + 1))
            at = self._after(piece)
        return b"".join(pieces)

    def _count(self, depth: int) -> None:
        self._pieces += 1
        if depth > MAX_WRAP_DEPTH or self._pieces > MAX_PIECES:
            raise ValueError("no BER")


TNEF = ("application/ms-tnef", "application/vnd.ms-tnef")
WINMAIL = re.compile(rb"ms-tnef|winmail\.dat", re.IGNORECASE)
SMIME = ("application/pkcs7-mime", "application/x-pkcs7-mime")
MAX_WRAPS = 3
"""Maximum depth of wrapping.

The deepest usual one is a signature around encryption around a signature (RFC 2634, 1.1).
"""
PGP_MESSAGE = "-----BEGIN PGP MESSAGE-----"


def all_contents(message: Entity) -> tuple[Contents, bool]:
    """Return the texts of a message, its files, and whether it is encrypted.

    Packed texts are included.
    """
    files: list[Entity] = []
    for _ in range(MAX_WRAPS + 1):
        texts, more = read_contents(message)
        files += more
        if _is_winmail(message) or WINMAIL.search(message.body):
            winmails = (part for part in _files(message) if _is_winmail(part))
            files += [one for part in winmails for one in files_in_winmail(part.octets())]
        if any(text.content.strip() for text in texts):
            return Contents(texts, files), all(PGP_MESSAGE in text.content for text in texts)
        inner, sealed = _unpack(message)
        if not isinstance(inner, Entity):
            return Contents([inner] if inner else texts, files), sealed
        message = inner
    return Contents([], files), False


def _unpack(message: Entity) -> tuple[Entity | BodyText | None, bool]:
    """Return the packed text of a message, and whether it is encrypted."""
    for part in _files(message):
        kind, name = part.kind(), _name(part)
        if kind == "multipart/encrypted":
            return None, True
        if _is_winmail(part):
            if found := unpack_tnef(part.octets()):
                if found.kind == "rtf":
                    return BodyText(text_of_rtf(found.content)), False
                return BodyText(found.content, is_html=found.kind == "html"), False
        elif kind in SMIME or name.endswith(".p7m"):
            octets = part.octets()
            if (content := content_of(octets)) is not None:
                return Entity(content), False
            if is_encrypted(octets):
                return None, True
    return None, False


def _is_winmail(part: Entity) -> bool:
    """Return whether a part is Outlook's package of a mail."""
    return part.kind() in TNEF or _name(part) == "winmail.dat"


def _files(message: Entity) -> Iterator[Entity]:
    """Yield the parts of a message other than multiparts, in their order."""
    todo, seen = [(message, 0)], 0
    while todo and seen < MAX_PARTS:
        part, depth = todo.pop()
        seen += 1
        kind = part.kind()
        if kind.startswith("multipart/") and kind != "multipart/encrypted" and depth < MAX_DEPTH:
            todo += [(one, depth + 1) for one in reversed(part.parts())]
        else:
            yield part


def _name(part: Entity) -> str:
    name = part.parameter("filename", "content-disposition") or part.parameter("name")
    return name.strip().lower()


PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"

UU_BEGIN = re.compile(r"begin [0-7]{3} \S")
UU_LINE = re.compile(r"begin |end$|[ -`]{1,62}$")
"""Lines of a uuencoded file in the text.

Only its first and last line have small letters.
"""

TextLine = tuple[str, LineOrigin]


def strip_pgp(part: Sequence[TextLine]) -> list[TextLine]:
    """Undo the dash escapes of a signed text (RFC 9580, 7.2).

    Lines that belong to PGP only, and files in the text, are marked as a signature.
    """
    lines: list[TextLine] = []
    state = "outside"
    for text, mark in part:
        line = text.rstrip()
        if line == PGP_BEGIN:
            state = "headers"
        elif line == PGP_SIGNATURE and state == "text":
            state = "signature"
        elif line == PGP_MESSAGE and state == "outside":
            state = "message"
        elif state == "outside" and UU_BEGIN.match(line):
            state = "file"
        elif state == "file" and not UU_LINE.match(text):
            state = "outside"
        if state in ("headers", "signature", "file", "message"):
            lines.append((text, LineOrigin.SIGNATURE))
        else:
            lines.append((text[2:] if state == "text" and text.startswith("- ") else text, mark))
        if state == "headers" and not line:
            state = "text"
        elif state == "signature" and line == PGP_SIGNATURE.replace("BEGIN", "END"):
            state = "outside"
        elif state == "message" and line == PGP_MESSAGE.replace("BEGIN", "END"):
            state = "outside"
        elif state == "file" and line == "end":
            state = "outside"
    return lines
