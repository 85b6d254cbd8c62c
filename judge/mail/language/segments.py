"""Segments of lines: one command or some orders each, without comments.

Lines are split at `;`. A segment has its text as typed and a plain version, in which typographic
blanks, dashes and quotes are replaced and invisible characters removed. The parsers read the plain
version. Exact text, such as a password, is taken from the text as typed.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Sequence
from typing import NamedTuple

from judge.mail.language.emphasis import emphasis_marks
from judge.model.command import PASSWORD_MASK
from judge.model.incoming import Line

_DASHES = "‐‑‒–—―−﹘﹣－"
_QUOTES = "“”„‟″"
_PLAIN = {ord(dash): "-" for dash in _DASHES} | {ord(quote): '"' for quote in _QUOTES}
# A full-width `;`, `,` or `#` is not replaced, since it must not end a password.
_PLAIN |= {code: chr(code - 0xFEE0) for code in range(0xFF01, 0xFF5F) if chr(code) not in "；，＃－"}

_CUTTING = re.compile("[;#]|//")
_PIECE = re.compile(r'(?:(?<!\S)"[^"]*"(?=[\s;]|$)|(?!(?<!\S)//)[^;#])*')
_LIST_MARK = re.compile(r"(?:[-*•·]|[0-9]{1,2}[.)])\s+(?=[A-Za-z])")
_WORD = re.compile(r"\S+")
_MARKS = ("*", "_", "/", "`")
_UNSEEN = frozenset("\u034f\ufe0e\ufe0f\ufffc")
"""Joiners, emoji variation selectors and object replacements. They have no shape."""


class Span(NamedTuple):
    """A range of a segment's plain text."""

    start: int
    end: int


class Segment(NamedTuple):
    """One part of a line, as typed and plain."""

    number: int
    """Number of the line."""
    raw: str
    plain: str
    places: Sequence[int]
    """Index in `raw` of each character of `plain`."""
    whole: bool = True
    """True if nothing else is on the line."""

    def get_typed(self, span: Span) -> str:
        """Return the exact text typed in a range of the plain text.

        A single word includes emphasis marks around it, since a password may be `*abc*`.
        """
        start, end = self.places[span.start], self.places[span.end - 1] + 1
        if " " in self.plain[span.start : span.end] or self.raw[:start][-1:] not in _MARKS:
            return self.raw[start:end]
        first, last = start, end
        while first and not self.raw[first - 1].isspace():
            first -= 1
        while last < len(self.raw) and not self.raw[last].isspace():
            last += 1
        dropped = [at for at in range(first, last) if not _is_kept(self.places, at)]
        return self.raw[first:last] if start - 1 in dropped[:-1] else self.raw[start:end]

    def without(self, secrets: Sequence[Span]) -> str:
        """Return the text as typed with `***` in place of the secrets.

        >>> split_line(Line(1, "JOIN marco pw"))[0].without([Span(11, 13)])
        'JOIN marco ***'
        """
        text, done = "", 0
        for span in secrets:
            text += self.raw[done : self.places[span.start]] + PASSWORD_MASK
            done = self.places[span.end - 1] + 1
        return text + self.raw[done:]

    def column(self, place: int, secrets: Sequence[Span]) -> int:
        """Convert an index of the plain text to one of `without(secrets)`."""
        column = self.places[place] if place < len(self.places) else len(self.raw)
        for span in secrets:
            if span.end <= place:
                length = self.places[span.end - 1] + 1 - self.places[span.start]
                column += len(PASSWORD_MASK) - length
            elif span.start < place:
                column -= self.places[place] - self.places[span.start]
        return column

    def strip_list_mark(self) -> "Segment":
        """Return the segment without a list mark ("-", "*", "1.") before its words.

        >>> split_line(Line(1, "2) SET WAIT"))[0].strip_list_mark().raw
        'SET WAIT'
        """
        mark = _LIST_MARK.match(self.plain)
        if mark is None:
            return self
        return self.after(mark.end())

    def after(self, start: int) -> "Segment":
        """Return the segment from an index of its plain text on."""
        first = self.places[start]
        places = [place - first for place in self.places[start:]]
        return self._replace(raw=self.raw[first:], plain=self.plain[start:], places=places)

    def words(self) -> list[Span]:
        """Return the ranges of the words of the plain text.

        >>> split_line(Line(1, " SET  WAIT"))[0].words()
        [Span(start=0, end=3), Span(start=5, end=9)]
        """
        return [Span(*found.span()) for found in _WORD.finditer(self.plain)]


def split_line(line: Line) -> list[Segment]:
    """Split a line into segments at semicolons and before a comment.

    Empty segments are omitted. A comment begins with `#`, or `//` after a blank. Text in double
    quotes is never split.


    >>> [piece.raw for piece in split_line(Line(1, "SIGNON Nmarco pw; A Del - Kas  # to the hills"))]
    ['SIGNON Nmarco pw', 'A Del - Kas']
    >>> [piece.raw for piece in split_line(Line(2, 'SET CRON "0 20 * * tue#1;x" UTC ; // so'))]
    ['SET CRON "0 20 * * tue#1;x" UTC']
    >>> split_line(Line(3, "SET\\u200b\\u00a0NO–WAIT"))[0].plain
    'SET NO-WAIT'
    """
    plain, places = _plain(line.text)
    if not _CUTTING.search(plain):
        whole = Span(len(plain) - len(plain.lstrip()), len(plain.rstrip()))
        return [_piece(line, plain, places, whole, whole=True)] if plain.strip() else []
    spans, at = [], 0
    while at <= len(plain):
        found = _PIECE.match(plain, at)
        assert found is not None
        part = found.group()
        start = at + len(part) - len(part.lstrip())
        end = at + len(part.rstrip())
        if start < end:
            spans.append(Span(start, end))
        if found.end() == len(plain) or plain[found.end()] != ";":
            break
        at = found.end() + 1
    return [_piece(line, plain, places, span, whole=len(spans) == 1) for span in spans]


def plain_text(text: str) -> str:
    """Return a text with typographic characters replaced and invisible ones dropped.

    >>> plain_text("END\u00a0PRESS\ufeff")
    'END PRESS'
    """
    return _plain(text)[0]


def _piece(line: Line, plain: str, places: Sequence[int], span: Span, *, whole: bool) -> Segment:
    first, last = places[span.start], places[span.end - 1]
    # Marks at the ends belong to the text as typed, but not to the plain text.
    while first and line.text[first - 1] in _MARKS and not _is_kept(places, first - 1):
        first -= 1
    while line.text[last + 1 : last + 2] in _MARKS and not _is_kept(places, last + 1):
        last += 1
    inside = [place - first for place in places[span.start : span.end]]
    return Segment(
        line.number, line.text[first : last + 1], plain[span.start : span.end], inside, whole
    )


def _is_kept(places: Sequence[int], place: int) -> bool:
    """Return whether a typed character is in the plain text too."""
    at = bisect_left(places, place)
    return at < len(places) and places[at] == place


def _plain(text: str) -> tuple[str, Sequence[int]]:
    marks = emphasis_marks(text, strict=True)
    if text.isascii() and not marks:
        return text, range(len(text))
    kept, places = [], []
    for place, character in enumerate(text):
        if place in marks or character in _UNSEEN:
            continue
        if unicodedata.category(character) != "Cf":
            kept.append(" " if character.isspace() else character.translate(_PLAIN))
            places.append(place)
    return "".join(kept), places
