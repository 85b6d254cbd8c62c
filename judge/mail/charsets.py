"""Octets to characters, whatever their sender called them."""

import binascii
import codecs
import re

TEXT_CODECS = (
    "utf", "iso8859", "cp", "koi8", "big5", "gb", "euc", "shift_jis", "iso2022", "mac", "ascii",
    "tis-620", "hz", "johab", "ptcp", "kz1048", "latin",
)
"""Beginnings of the codecs that are character sets; others (punycode …) are not for mails."""
WESTERN = ("ascii", "iso8859-1", "cp1252")
MEANT = {
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
"""Names that stand for more than they say, or that Python does not know (WHATWG Encoding, 4.2)."""
WINDOWS = re.compile(r"(?:x-)?(?:cp|win|windows)[-_]?([0-9]{3,4})")
FOOTER = re.compile(rb"\n[ \t]*(?:[_-]{2,}[ \t]*\r?\n|[^\s]+[ \t]+[^\s])")
"""What is no base64: a rule, or a line of several words."""
MOST_LINES = 20_000
"""A text with more lines is not told apart line by line."""
WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\s]*)\?=")
GAP = re.compile(r"(\?=)[ \t\r\n]+(?==\?[^?\s]{1,60}\?[bBqQ]\?)")


def decode_text(octets: bytes, charset: str) -> str:
    """Return octets as text, the declared charset first.

    Then UTF-8, which is hardly ever right by accident, then Windows-1252, which is what "latin-1"
    and "ascii" mean in mails (WHATWG Encoding, 4.2), line by line: one bad octet spoils no other
    line. Nothing fails.

    >>> decode_text(b"A Par \\x96 Bur", "us-ascii")
    'A Par – Bur'
    >>> decode_text("Köln\\n".encode() + b"K\\xf6ln", "x-unknown")
    'Köln\\nKöln'
    """
    known = _codec(charset)
    if known in WESTERN or known in ("", "utf-8") or known.startswith("utf-16"):
        known = _wide(octets, known)
    for name in filter(None, (known, "utf-8-sig")):
        try:
            return octets.decode(name)
        except ValueError:
            continue
    if known not in ("", "utf-8"):
        return octets.decode(known, "replace")
    if octets.count(b"\n") > MOST_LINES:
        return octets.decode("cp1252", "replace")
    return "".join(map(_line, octets.removeprefix(codecs.BOM_UTF8).splitlines(keepends=True)))


def _line(octets: bytes) -> str:
    try:
        return octets.decode("utf-8")
    except ValueError:
        return octets.decode("cp1252", "replace")


def _wide(octets: bytes, known: str) -> str:
    """Return which UTF-16 octets are, or else what is known of them, of a western one nothing.

    It shows by a mark in front; without one, Latin letters show which half of a pair is empty.
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
    """Return Python's name for a charset, empty for one that is none."""
    called = charset.strip("\"' \t").lower()[:60]
    windows = WINDOWS.fullmatch(called)
    try:
        name = codecs.lookup(f"cp{windows[1]}" if windows else MEANT.get(called, called)).name
    except (LookupError, ValueError):
        return ""
    return name if name.startswith(TEXT_CODECS) else ""


def decode_header(value: str) -> str:
    """Return a header with its encoded words read (RFC 2047), on one line, without controls.

    >>> decode_header("=?utf-8?q?A_Par?= =?utf-8?q?_-_Bur?=")
    'A Par - Bur'
    >>> decode_header("=?utf-8?q?x=0D=0ABcc:_y?=")
    'x Bcc: y'
    """
    text = WORD.sub(_decode_word, GAP.sub(r"\1", value))
    return " ".join("".join(c if c.isprintable() else " " for c in text).split())


def _decode_word(word: re.Match[str]) -> str:
    charset, how, coded = word[1].partition("*")[0], word[2].lower(), word[3]
    octets = coded.encode("latin-1", "replace")
    octets = unbase64(octets) if how == "b" else binascii.a2b_qp(octets, header=True)
    return decode_text(octets, charset)


def unbase64(octets: bytes) -> bytes:
    """Decode base64 with what is wrong in it passed over (RFC 2045, 6.8), padding too.

    Words below it are a footer that a relay hung on.

    >>> unbase64(b"QSBQ\\r\\n\\r\\nYXI"), unbase64(b"QSBQYXI\\n____\\nScanned by us\\n")
    (b'A Par', b'A Par')
    """
    if words := FOOTER.search(octets):
        octets = octets[:words.start()]
    digits = re.sub(rb"[^A-Za-z0-9+/=]", b"", octets).partition(b"=")[0]
    if len(digits) % 4 == 1:
        digits = digits[:-1]
    return binascii.a2b_base64(digits + b"=" * (-len(digits) % 4))


def unquoted_printable(octets: bytes) -> bytes:
    """Decode quoted-printable (RFC 2045, 6.7); blanks after a soft break are a relay's doing.

    >>> unquoted_printable(b"A Par =3D  =  \\r\\n- B=ZZur")
    b'A Par =  - B=ZZur'
    """
    return binascii.a2b_qp(re.sub(rb"=[ \t]+(\r?\n)", rb"=\1", octets))
