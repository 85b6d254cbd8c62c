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
WORD = re.compile(r"=\?([^?\s]{1,60})\?([bBqQ])\?([^?\s]*)\?=")
GAP = re.compile(r"(\?=)[ \t\r\n]+(?==\?[^?\s]{1,60}\?[bBqQ]\?)")


def decode_text(octets: bytes, charset: str) -> str:
    """Return octets as text, the declared charset first.

    Then UTF-8, which is hardly ever right by accident, then Windows-1252, which is what "latin-1"
    and "ascii" mean in mails (WHATWG Encoding, 4.2). Nothing fails.

    >>> decode_text(b"A Par \\x96 Bur", "us-ascii")
    'A Par – Bur'
    >>> decode_text("Köln".encode(), "x-unknown")
    'Köln'
    """
    known = _codec(charset)
    if known.startswith("utf-16") and octets[:2] not in (codecs.BOM_UTF16_BE, codecs.BOM_UTF16_LE):
        # Without a mark: Latin letters show which half of a pair is empty.
        known = "utf-16-be" if octets[:1] == b"\0" else "utf-16-le"
    if known in WESTERN:
        known = ""
    for name in filter(None, (known, "utf-8-sig")):
        try:
            return octets.decode(name)
        except ValueError:
            continue
    return octets.decode(known or "cp1252", "replace")


def _codec(charset: str) -> str:
    """Return Python's name for a charset, empty for one that is none."""
    try:
        name = codecs.lookup(charset.strip("\"' \t")).name
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

    >>> unbase64(b"QSBQ\\r\\n\\r\\nYXI")
    b'A Par'
    """
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
