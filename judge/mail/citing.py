"""Other people's words in a letter of ours: each line of them bears a mark, and is short.

Whoever answers such a letter quotes it, and the judge must never take for her command what
somebody else wrote in it. A mark on every line says so in the letter itself; lines that no mail
program needs to break keep it. So do the lines of their HTML, where a link stays whole.
"""

import re
import unicodedata
from collections.abc import Iterator

CITED = "||"
"""The mark; a blank follows it unless the line is empty. Nobody begins a line so by himself."""
WIDTH = 66
"""Columns of what stands behind the mark: with it, and quoted twice, no more than 76."""
GOES_ON = "\ue001"
"""Begins, behind the mark, the rest of a link that was broken: in HTML it is whole."""

_MARKED = re.compile(r"(?:^|\s)\|\|(?:\s|$)|^[ \t>|:%#}*\xa0＞»-]{0,60}\|\|")
_OWN_SIGNS = re.compile("[\ue000\ue001]")
_LINK = re.compile(r"://|www\.")
_TABS = 8


def is_cited(line: str) -> bool:
    """Tell whether a line bears the mark, however deep it is quoted or wherever it was put.

    >>> is_cited("> > || A Vie - Tyr"), is_cited("and so on || A Vie - Tyr"), is_cited("A Vie H")
    (True, True, False)
    """
    return "||" in line and _MARKED.search(line) is not None


def cited(text: str, indent: int = 0) -> str:
    """Return what somebody else wrote, a mark before each of its lines.

    Lines are broken at blanks, and words that are too long anywhere; nothing is left out.

    >>> print(cited("Dear Ann,\\n\\n" + 12 * "shall we? "))
    || Dear Ann,
    ||
    || shall we? shall we? shall we? shall we? shall we? shall we? shall
    || we? shall we? shall we? shall we? shall we? shall we?
    """
    mark = " " * indent + CITED
    clean = _OWN_SIGNS.sub("", text).expandtabs(_TABS)
    width = WIDTH - indent
    lines = (piece for line in clean.split("\n") for piece in _pieces(line.rstrip(), width))
    return "\n".join(f"{mark} {line}".rstrip() for line in lines)


def _pieces(line: str, width: int) -> Iterator[str]:
    """Break one line.

    Where a word is longer than a line it is broken anywhere; the rest of a link says so.
    """
    start, goes_on, link = 0, "", False
    while (end := _end(line, start, width)) < len(line):
        blank = line.rfind(" ", start, end + 1)
        if blank > start and not line[start:blank].isspace():
            yield goes_on + line[start:blank].rstrip(" ")
            start, goes_on, link = _next_word(line, blank), "", False
        else:
            yield goes_on + line[start:end]
            link = link or bool(_LINK.search(line, start, end))
            start, goes_on = end, GOES_ON if link and line[end] != " " else ""
            start = start if goes_on else _next_word(line, end)
    yield goes_on + line[start:]


def _next_word(line: str, at: int) -> int:
    """Return where the blanks at a place end."""
    while at < len(line) and line[at] == " ":
        at += 1
    return at


def _end(line: str, start: int, width: int) -> int:
    """Return where the columns of a line are full: some characters are two wide."""
    end = start
    for char in line[start:start + width]:
        width -= 2 if unicodedata.east_asian_width(char) in "WF" else 1
        if width < 0:
            break
        end += 1
    return end
