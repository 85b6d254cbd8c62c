"""Parser of messages: headers, parts, and decoding of octets to characters.

The judge has its own parser for MIME (RFC 2045, 2046), as mails may be malformed in any way. It
never fails, it is bounded in parts, depth and text, and it opens no attachment.
"""

import binascii
import codecs
import re
from urllib.parse import unquote_to_bytes

from judge.digits import is_number

TEXT_CODECS = (
    "utf", "iso8859", "cp", "koi8", "big5", "gb", "euc", "shift_jis", "iso2022", "mac", "ascii",
    "tis-620", "hz", "johab", "ptcp", "kz1048", "latin",
)
"""Prefixes of codecs that are character sets. Others (punycode …) are ignored."""
WESTERN = ("ascii", "iso8859-1", "cp1252")
CHARSET_ALIASES = {
    "shift_jis": "cp932", "shift-jis": "cp932", "sjis": "cp932", "x-sjis": "cp932",
    "ms_kanji": "cp932", "windows-31j": "cp932", "gb2312": "gb18030", "gbk": "gb18030",
    "x-gbk": "gb18030", "gb_2312-80": "gb18030", "euc-kr": "cp949", "ks_c_5601-1987": "cp949",
    "ks_c_5601-1989": "cp949", "ksc5601": "cp949", "big5": "big5hkscs", "x-x-big5": "big5hkscs",
    "iso-8859-8-i": "cp1255", "iso-8859-8-e": "cp1255", "iso-8859-9": "cp1254",
    "tis-620": "cp874", "iso-8859-11": "cp874", "x-mac-roman": "mac-roman",
    "x-mac-cyrillic": "mac-cyrillic", "utf8mb4": "utf-8", "x-utf-8": "utf-8",
    "iso-2022-jp": "iso2022_jp_ext", "csiso2022jp": "iso2022_jp_ext", "cp50220": "iso2022_jp_ext",
    "unicode-1-1-utf-8": "utf-8", "unicode-1-1-utf-7": "utf-7",
}
"""Charset names that mean more than they state or that Python does not know.

See WHATWG Encoding, 4.2.
"""
WINDOWS = re.compile(r"(?:x-)?(?:cp|win|windows)[-_]?([0-9]{3,4})")
FOOTER = re.compile(rb"\n[ \t]*(?:[_-]{2,}[ \t]*\r?\n|[^\s]+[ \t]+[^\s])")
"""Text that is no base64: a rule, or a line of several words."""
MAX_LINES = 20_000
"""Maximum lines of a text to decode line by line."""
WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\s]*)\?=")
GAP = re.compile(r"(\?=)[ \t\r\n]+(?==\?[^?\s]{1,60}\?[bBqQ]\?)")


def decode_text(octets: bytes, charset: str) -> str:
    """Return octets as text, by the declared charset first.

    Next comes UTF-8, which is hardly ever right by accident, and then Windows-1252, which is the
    meaning of "latin-1" and "ascii" in mails (WHATWG Encoding, 4.2). Both are tried line by line:
    one bad octet spoils no other line. This never fails.

    >>> decode_text(b"A Par \\x96 Bur", "us-ascii")
    'A Par – Bur'
    >>> decode_text("Köln\\n".encode() + b"K\\xf6ln", "x-unknown")
    'Köln\\nKöln'
    """
    known = _codec(charset)
    if known in WESTERN or known in ("", "utf-8") or known.startswith("utf-16"):
        known = _guess_utf16(octets, known)
    for name in filter(None, (known, "utf-8-sig")):
        try:
            return octets.decode(name)
        except ValueError:
            continue
    if known not in ("", "utf-8"):
        return octets.decode(known, "replace")
    if octets.count(b"\n") > MAX_LINES:
        return octets.decode("cp1252", "replace")
    return "".join(map(_line, octets.removeprefix(codecs.BOM_UTF8).splitlines(keepends=True)))


def _line(octets: bytes) -> str:
    try:
        return octets.decode("utf-8")
    except ValueError:
        return octets.decode("cp1252", "replace")


def _guess_utf16(octets: bytes, known: str) -> str:
    """Return the UTF-16 codec of octets, else *known*, or empty for a western one.

    A byte order mark identifies UTF-16. Without one, Latin letters show the empty half of a pair.
    """
    if octets[:2] in (codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE):
        return "utf-16"
    start = octets[:200]
    many = len(start) // 3
    for at, name in ((0, "utf-16-be"), (1, "utf-16-le")):
        if start[at::2].count(0) > many:
            return name
    if known.startswith("utf-16"):
        return "utf-16-le"
    return "" if known in WESTERN else known


def _codec(charset: str) -> str:
    """Return Python's name of a charset, or an empty string if it is unknown."""
    called = charset.strip("\"' \t").lower()[:60]
    if not called:
        # The codec search for an empty name takes longer than all other work on a header.
        return ""
    windows = WINDOWS.fullmatch(called)
    try:
        name = codecs.lookup(
            f"cp{windows[1]}" if windows else CHARSET_ALIASES.get(called, called)
        ).name
    except (LookupError, ValueError):
        return ""
    return name if name.startswith(TEXT_CODECS) else ""


def decode_header(value: str) -> str:
    """Return a header with decoded words (RFC 2047), on one line, without controls.

    >>> decode_header("=?utf-8?q?A_Par?= =?utf-8?q?_-_Bur?=")
    'A Par - Bur'
    >>> decode_header("=?utf-8?q?x=0D=0ABcc:_y?=")
    'x Bcc: y'
    """
    text = WORD.sub(_decode_word, GAP.sub(r"\1", value))
    if not text.isprintable():
        text = "".join([char if char.isprintable() else " " for char in text])
    return " ".join(text.split())


def _decode_word(word: re.Match[str]) -> str:
    charset, how, coded = word[1].partition("*")[0], word[2].lower(), word[3]
    octets = coded.encode("latin-1", "replace")
    octets = decode_base64(octets) if how == "b" else binascii.a2b_qp(octets, header=True)
    return decode_text(octets, charset)


def decode_base64(octets: bytes) -> bytes:
    """Decode base64, skipping invalid characters (RFC 2045, 6.8) and wrong padding.

    Words below it are a footer that a relay added.

    >>> decode_base64(b"QSBQ\\r\\n\\r\\nYXI"), decode_base64(b"QSBQYXI\\n____\\nScanned by us\\n")
    (b'A Par', b'A Par')
    """
    if words := FOOTER.search(octets):
        octets = octets[:words.start()]
    digits = re.sub(rb"[^A-Za-z0-9+/=]", b"", octets).partition(b"=")[0]
    if len(digits) % 4 == 1:
        digits = digits[:-1]
    return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))


def decode_quoted_printable(octets: bytes) -> bytes:
    """Decode quoted-printable (RFC 2045, 6.7), without blanks after a soft break.

    Relays add such blanks.

    >>> decode_quoted_printable(b"A Par =3D  =  \\r\\n- B=ZZur")
    b'A Par =  - B=ZZur'
    """
    return binascii.a2b_qp(re.sub(rb"=[ \t]+(\r?\n)", rb"=\1", octets))


MAX_PARTS = 100
MAX_TEXT = 1024 * 1024
MAX_HEADERS = 256 * 1024
MAX_VALUE = 10_000

FIELD = re.compile(rb"([!-9;-~]+)[ \t]*:")
PARAMETER = re.compile(r';\s*([\w*-]+)\s*=\s*(?:"((?:\\.|[^"\\])*)"|([^;\s]*))')
COMMENT = re.compile(r"\([^()]*\)")
BROKEN = re.compile(
    rb"(?:[^\r\n]+(?:\r*\n|\r)){1,3}(?:content-type|content-transfer-encoding|mime-version|from|to|"
    rb"subject|date|message-id|received)[ \t]*:",
    re.IGNORECASE,
)
"""Lines that are no header, followed by a well-known one."""
GIVEN_NAME = re.compile(
    r"(?:att[0-9]{3,6}|untitled attachment [0-9]{1,6}|mime-attachment|noname)\.(?:txt|html?)",
    re.IGNORECASE,
)
"""Names that Exchange, Outlook, Apple Mail and Gmail give to texts between parts."""
CODED_NAME = re.compile(r"([\w.-]{1,40})'[\w-]{0,20}'")
"""Character set in front of a name, as in RFC 2231."""
GUESSED = re.compile(rb"^--([^\s\r\n]{1,70})[ \t]*\r*\ncontent-", re.MULTILINE | re.IGNORECASE)
END_OF_LINE = re.compile(rb"\r*\n|\r")


class Entity:
    """One message or part: its headers and its body, still encoded."""

    def __init__(self, raw: bytes) -> None:
        self.headers: dict[str, list[str]] = {}
        self.body = self._read_headers(raw)

    def _read_headers(self, raw: bytes) -> bytes:
        """Read headers up to the first other line, and return the rest."""
        at, last = 0, ""
        while at < min(len(raw), MAX_HEADERS):
            end = END_OF_LINE.search(raw, at)
            stop, after = (end.start(), end.end()) if end else (len(raw), len(raw))
            line = raw[at:stop]
            field = FIELD.match(line)
            if not line:
                return raw[after:]
            if line[:1] in b" \t" and last:
                value = self.headers[last][-1]
                if len(value) < MAX_VALUE:
                    self.headers[last][-1] = value + " " + _decode_header_octets(line.strip())
            elif field:
                last = field[1].decode("ascii").lower()
                self.headers.setdefault(last, []).append(
                    _decode_header_octets(line[field.end() :].strip())
                )
            elif not (at == 0 and line.startswith((b"From ", b">From "))) and not (
                last and BROKEN.match(raw, at, at + 4000)
            ):
                return raw[at:]
            at = after
        return raw[at:]

    def all(self, name: str) -> list[str]:
        """Return all values of a header, unfolded, with encoded words as they are."""
        return self.headers.get(name.lower(), [])

    def first(self, name: str) -> str:
        """Return the first value of a header, or an empty string."""
        return self.headers.get(name.lower(), [""])[0]

    def text(self, name: str) -> str:
        """Return the first value of a header for display: decoded, on one line."""
        return decode_header(self.first(name))

    def kind(self, default: str = "text/plain") -> str:
        """Return the content type in lower case."""
        value = _word(self.first("content-type"))
        return value if "/" in value else default

    def parameter(self, name: str, header: str = "content-type") -> str:
        """Return a parameter of a structured header, or an empty string.

        Parameters split by RFC 2231 are joined.
        """
        pieces = []
        for found in PARAMETER.finditer(self.first(header)):
            called, _, number = found[1].lower().partition("*")
            if called == name:
                quoted = found[2]
                value = found[3] if quoted is None else re.sub(r"\\(.)", r"\1", quoted)
                if not is_number(number.rstrip("*")):
                    return value
                pieces.append(value)
        return "".join(pieces)

    def is_attachment(self) -> bool:
        """Return whether a part is a file that the sender added.

        A part shown inline is not, with or without a name. Neither is a text that a mail server
        named because it came after a picture.
        """
        disposition = _word(self.first("content-disposition"))
        return disposition == "attachment" and not GIVEN_NAME.fullmatch(self.file_name())

    def file_name(self) -> str:
        """Return the decoded name of the file in a part, on one line, or an empty string."""
        name = self.parameter("filename", "content-disposition") or self.parameter("name")
        if coded := CODED_NAME.match(name):
            return decode_header(decode_text(unquote_to_bytes(name[coded.end():]), coded[1]))
        return decode_header(name)

    def octets(self, most: int = MAX_TEXT) -> bytes:
        """Return the decoded body, at most *most* octets of it."""
        match _word(self.first("content-transfer-encoding")):
            case "base64":
                octets = decode_base64(self.body[:2 * most])
            case "quoted-printable":
                octets = decode_quoted_printable(self.body[:3 * most])
            case _:
                octets = self.body
        return octets[:most]

    def content(self, most: int = MAX_TEXT) -> str:
        """Return the body as characters, decoded from at most *most* octets."""
        return decode_text(self.octets(most), self.parameter("charset"))

    def parts(self) -> list["Entity"]:
        """Return the parts of a multipart, at most `MAX_PARTS`.

        Preamble and epilogue are left out.
        """
        boundary = self.parameter("boundary").rstrip().encode("latin-1", "replace")
        if not boundary or b"--" + boundary not in self.body:
            guessed = GUESSED.search(self.body)
            if guessed is None:
                return []
            boundary = guessed[1]
        mark = re.escape(boundary)
        line = re.compile(rb"^--" + mark + rb"(--)?[ \t]*\r*(?:\n|\Z)", re.MULTILINE)
        found, start = [], -1
        for delimiter in line.finditer(self.body):
            if start >= 0:
                # The line end before a delimiter belongs to the delimiter (RFC 2046, 5.1.1).
                found.append(Entity(re.sub(rb"\r?\n\Z", b"", self.body[start:delimiter.start()])))
            start = -1 if delimiter[1] else delimiter.end()
            if delimiter[1] or len(found) >= MAX_PARTS:
                return found
        if start >= 0:  # cut off before its end
            found.append(Entity(self.body[start:]))
        return found


def _decode_header_octets(octets: bytes) -> str:
    """Return raw header octets as text, as UTF-8 if valid, else as Windows-1252."""
    return decode_text(octets[:MAX_VALUE], "")


def _word(value: str) -> str:
    """Return the first word of a structured header, in lower case.

    Comments and parameters are left out.
    """
    return "".join(COMMENT.sub(" ", value).partition(";")[0].split()[:1]).lower()
