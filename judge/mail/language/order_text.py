"""Removal of damage that mail programs and gateways did to order lines."""

import re
from html import unescape

from judge.mail.language.emphasis import without_emphasis

_ENTITY = re.compile(
    r"&(?:nbsp|gt|[nm]dash|minus|rarr|hyphen|#(?:160|82(?:09|1[12])|8722|8594|8658));"
)
"""HTML entities that a gateway left in plain text."""
_MISREAD = re.compile("[\xc2\xc3\xe2][\x80-\u2122]")
"""UTF-8 decoded as Windows-1252: "â€“" for a dash."""
_ESCAPE = re.compile(r"\\(?=[-*_>#.()!+`]|\s*$)")
"""Markdown's escapes, and its mark of a line break."""


_QUOTED = re.compile(r"\s*(?:[>＞»]|\|\|)")


def clean_order(text: str) -> str:
    """Repair entities, encoding, escapes and emphasis in an order line.

    A line that would become a quoted one is returned unchanged.

    >>> clean_order("*A Par* -&gt; Bur"), clean_order("A Mar â€“ Spa"), clean_order("A Mar H\\\\")
    ('A Par -> Bur', 'A Mar – Spa', 'A Mar H')
    """
    cleaned = _clean(text)
    return text if _QUOTED.match(cleaned) else cleaned


def _clean(text: str) -> str:
    if "&" in text and _ENTITY.search(text):
        text = _ENTITY.sub(lambda found: unescape(found[0]), text)
    if not text.isascii() and _MISREAD.search(text):
        text = _reread(text)
    if "\\" in text:
        text = _ESCAPE.sub("", text)
    return without_emphasis(text)


def _reread(text: str) -> str:
    """Decode UTF-8 text that was decoded as Windows-1252, if possible."""
    try:
        return b"".join(map(_octet, text)).decode()
    except ValueError:
        return text


def _octet(character: str) -> bytes:
    try:
        return character.encode("cp1252")
    except UnicodeEncodeError:
        return character.encode("latin-1")
