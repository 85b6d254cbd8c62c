"""Normalisation of typed lines: each character keeps the column it was typed in.

Mail programs turn `-` into dashes, `->` into arrows, blanks into no-break blanks, and add invisible
marks. All of this is changed back to plain lower-case text, character by character, so that a
complaint can point at the place in the line as typed.
"""

import re
import unicodedata
from collections.abc import Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.model.incoming import Line

MAX = 300
"""Characters of one order that are read."""

_DASHES = "\u2010\u2011\u2012\u2013\u2014\u2015\u2212\ufe58\ufe63\uff0d\u2e3a\u2e3b"
_ARROWS = (
    "\u2192\u21d2\u2794\u279c\u279d\u279e\u27a1\u27f6\u21a6\u2b95\uf0e0"  # the last: Wingdings
)
_PLAIN = (
    dict.fromkeys(_DASHES, "-")
    | dict.fromkeys(_ARROWS, "->")
    | dict.fromkeys("\u2018\u2019\u201a\u201b\u2032\u02bc\u00b4`", "'")
    | dict.fromkeys("\u201c\u201d\u201e\u201f\u2033\u00ab\u00bb", '"')
    | dict.fromkeys("\u2044\u2215", "/")
    | dict.fromkeys("\u2022\u2043\u00b7\u2023\u25aa\u25cf\u25e6\u00a7", "*")
)
_DROPPED = frozenset({"Cf", "Mn", "Me", "So", "Sk", "Cs", "Co"})
"""Unicode categories that are no part of an order: zero-width marks, accents, emoji."""

_COMMENT = re.compile(r"#|\s//")
_NUMBERED = re.compile(r"\s*(?:order|move|befehl|zug|no\.?|nr\.?)?\s*#\s?[0-9]{1,3}[.):]?\s+(?=\S)")
"""Number before an order, whose "#" begins no comment."""
_LIST_MARK = re.compile(
    r"\s*(?:[0-9]{1,3}(?:[.)](?![0-9])|(?=\s+[a-z]))|\*+(?!\))|[a-z]\)(?=\s)|o\s\s|"
    r"(?:-\s)?\[[ x]?\](?=\s))\s*"
)
_FRAME = re.compile(
    r"\s*(?:(\*{1,3}|_{1,2}|`|\"|')(?=\w)(?P<framed>[^*_`\"']+)\1|\((?P<bracketed>[^()]+)\))\s*"
)
"""Signs around a whole line that emphasise it."""
_ROW = re.compile(r"\s*[|\u2502].*[|\u2502]\s*")
"""Row of a drawn table."""
_ARROW_LETTER = re.compile(r"(?<=\s)[\xe0\xe8\xf0\xbb](?=\s)")
"""Arrow of a symbol font of Word that lost its font, or a guillemet used as an arrow."""


_WRAPPED = 62
"""Columns at which programs begin to break lines. Most of them do so at 72 or more."""


class NormalizedLine(NamedTuple):
    """Line in plain lower case, and the typed column of each of its characters."""

    text: str
    columns: Sequence[int]

    def cut(self, start: int, end: int) -> "NormalizedLine":
        """Return the part from *start* to *end*."""
        return NormalizedLine(self.text[start:end], self.columns[start:end])


def normalize_line(typed: str) -> NormalizedLine:
    """Return a line without comment, list mark and typographic signs, in lower case.

    >>> normalize_line("  1) A Pár —> Bur  # to bounce").text
    'a par -> bur'
    >>> normalize_line("* F Ech – Nth").columns[0]
    2
    >>> normalize_line("**A Par à Bur**").text
    'a par -> bur'
    >>> normalize_line("| 1 | A Par | - Bur |").text
    'a par   - bur'
    """
    if ("|" in typed or "\u2502" in typed) and _ROW.fullmatch(typed):
        typed = typed.replace("|", " ").replace("\u2502", " ")
    if typed.isascii():
        plain = NormalizedLine(typed.lower(), range(len(typed)))
    else:
        plain = _plain(_ARROW_LETTER.sub("\u2192", typed))
    has_sign = "#" in plain.text or "//" in plain.text
    if has_sign and (number := _NUMBERED.match(plain.text)):
        plain = plain.cut(number.end(), len(plain.text))
    comment = _COMMENT.search(plain.text) if has_sign else None
    end = comment.start() if comment else len(plain.text)
    if frame := _FRAME.fullmatch(plain.text, 0, end):
        return plain.cut(*frame.span("framed" if frame["framed"] else "bracketed"))
    return without_mark(plain.cut(0, end))


def comment_of(typed: str) -> tuple[str, NormalizedLine]:
    """Return the sign of a comment and its text, both empty without one.

    >>> sign, text = comment_of("A Par - Bur // A Mar - Spa")
    >>> sign, text.text
    ('//', 'a mar - spa')
    >>> comment_of("#1 A Par - Bur")[0]
    ''
    """
    plain = NormalizedLine(typed.lower(), range(len(typed))) if typed.isascii() else _plain(typed)
    number = _NUMBERED.match(plain.text)
    comment = _COMMENT.search(plain.text, number.end() if number else 0)
    if comment is None:
        return "", plain.cut(0, 0)
    return comment[0].strip(), without_mark(plain.cut(comment.end(), len(plain.text)))


def without_mark(line: NormalizedLine) -> NormalizedLine:
    """Return a line without the mark of a list and without blanks at its ends.

    >>> without_mark(normalize_line("A Par - Bur; 2) A Mar - Spa").cut(12, 27)).text
    'a mar - spa'
    """
    mark = _LIST_MARK.match(line.text)
    start, end = mark.end() if mark else 0, len(line.text)
    while start < end and line.text[start].isspace():
        start += 1
    while end > start and line.text[end - 1].isspace():
        end -= 1
    return line.cut(start, end)


def plain_text(words: str) -> str:
    """Return words in lower case without accents, as `normalize_line` leaves them.

    >>> plain_text("Hält")
    'halt'
    """
    return _plain(words).text


def _plain(typed: str) -> NormalizedLine:
    text: list[str] = []
    columns: list[int] = []
    for column, char in enumerate(typed):
        for new in _plain_char(char):
            # An arrow drawn after a dash ("—>", "-→") is one arrow.
            if not (new == "-" and text and text[-1] == "-"):
                text.append(new)
                columns.append(column)
    return NormalizedLine("".join(text), columns)


@lru_cache(maxsize=4096)
def _plain_char(char: str) -> str:
    if char in _PLAIN:
        return _PLAIN[char]
    kept = (
        _PLAIN.get(part, part)
        for part in unicodedata.normalize("NFKD", char)
        if unicodedata.category(part) not in _DROPPED
    )
    return "".join(kept).casefold()


def may_go_on(before: Line, line: Line, *, is_short: bool) -> bool:
    """Return whether a line may be the rest of the one before it.

    A mail program may have broken the line if the first part is incomplete (*is_short*), or so long
    that not one word more had room.

    >>> long = Line(1, "Indian Army in Delhi supports the Indian Army in Calcutta to Nepal")
    >>> may_go_on(long, Line(2, "via convoy"), is_short=False)
    True
    >>> may_go_on(long, Line(3, "via convoy"), is_short=False)
    False
    """
    words, text = line.text.split(maxsplit=1), before.text.rstrip()
    if not words or line.number != before.number + 1 or _COMMENT.search(text):
        return False
    return is_short or len(text) + len(words[0]) >= _WRAPPED
