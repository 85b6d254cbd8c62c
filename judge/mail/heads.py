"""The heads of quotes: "On … Ann wrote:", Outlook's block of headers, rules with words in them."""

import re
from collections.abc import Sequence
from typing import NamedTuple

from judge.mail import traits

HEAD_LINES = 4
"""Over how many lines "On … wrote:" may be wrapped."""
HEADER_LINES = 14
"""In how many lines Outlook's From, Sent, To and Subject stand, blank ones among them."""


class _Header(NamedTuple):
    """What a line says as a header of a mail."""

    known: frozenset[int] = frozenset()
    """Which of From, Sent, To and Subject it is, as far as its language is known."""
    foreign: bool = False
    """It looks like a header of any language."""
    dated: bool = False
    timed: bool = False
    """It holds a date and a time of day."""
    named: bool = False
    """It holds an address."""


_NONE = _Header()


class Heads:
    """Finds heads among the lines of a text; which lines are marked as quoted may change.

    What was found is kept: a mail may well ask for the same line over and over.
    """

    def __init__(self, lines: Sequence[str], quoted: Sequence[bool]) -> None:
        self._short = lines
        self._quoted = quoted
        self._headers: dict[int, _Header] = {}
        self._heads: dict[int, int] = {}

    def forget(self) -> None:
        """Note that lines turned out to be quoted."""
        self._heads.clear()

    def next_is_quoted(self, at: int) -> bool:
        """Tell whether the next line that is not blank is marked as quoted."""
        following = range(at, len(self._short))
        return next((self._quoted[one] for one in following if self._short[one]), False)

    def quote_head(self, at: int) -> int:
        """Return over how many lines the head of a quote stands here, 0 for none."""
        if at not in self._heads:
            self._heads[at] = self._head(at)
        return self._heads[at]

    def label(self, start: int, end: int) -> str:
        """Return how a head is told to who wrote the mail: by words that are nobody's.

        >>> Heads(["On Mon, Ann <a@example.org>", "wrote:"], [False, False]).label(0, 2)
        'On … wrote:'
        >>> Heads(["____", "Von: Ann"], [False, False]).label(0, 2)
        'Von: …'
        """
        lines = [line for line in self._short[start:end] if line.strip(" \t_")]
        first, last = (lines[0].strip(), lines[-1].strip()) if lines else ("", "")
        if traits.ORIGINAL.match(first) or traits.FORWARDED.match(first):
            return first
        if traits.HEADER.match(first):
            return re.split("[:：]", first)[0].strip("* ") + ": …"
        opener, verb = traits.OPENER.match(first), traits.VERB.search(last)
        told = f"{opener[0].strip() if opener else ''} … {verb[0].strip() if verb else ''}"
        return f"{told.strip()}{last[-1]}" if last.endswith((":", "：")) else told.strip()

    def _head(self, at: int) -> int:
        line = self._short[at]
        if traits.ORIGINAL.match(line) or traits.FORWARDED.match(line):
            return 1 + self._header_block(at + 1)
        if traits.DASHED.match(line) and self._is_said(line):
            return 1
        if traits.RULE.match(line):
            block = self._header_block(at + 1)
            return 1 + block if block else 0
        return self._header_block(at) or self._attribution(at)

    def _header_block(self, at: int) -> int:
        """Return the length of a block of From, Sent, To, Subject, as Outlook quotes: 0 if none."""
        window = range(at, min(at + HEADER_LINES, len(self._short)))
        start = next((one for one in window if self._short[one]), None)
        if start is None or self._header(start) is _NONE:
            return 0
        seen: set[int] = set()
        last = start
        for one in window[start - at:]:
            if known := self._header(one).known:
                seen |= known
                last = one
        dated = any(self._header(one).dated for one in range(start, last + 1))
        if self._header(start).known and dated and len(seen) >= 3:
            return last - at + 1
        length = self._foreign_block(start)
        return length + start - at if length else 0

    def _foreign_block(self, start: int) -> int:
        """Return the length of such a block in any language: three headers or more in a row, one
        with an address, one with a date and a time; 0 if there is none."""
        end, last, many = start, start, 0
        timed = named = False
        while end < len(self._short) and end < start + HEADER_LINES:
            header = self._header(end)
            if header.foreign:
                many, last = many + 1, end
                timed, named = timed or header.timed, named or header.named
            elif self._short[end] or end > last + 1:
                break
            end += 1
        return last - start + 1 if many >= 3 and timed and named else 0

    def _header(self, at: int) -> _Header:
        if at not in self._headers:
            line = self._short[at]
            self._headers[at] = _read_header(line) if ":" in line or "：" in line else _NONE
        return self._headers[at]

    def _attribution(self, at: int) -> int:
        """Return over how many lines "On … Ann wrote:" stands here, 0 for none."""
        for count in range(1, HEAD_LINES + 1):
            end = at + count
            if end > len(self._short) or not self._short[end - 1] or self._quoted[end - 1]:
                return 0
            if self._short[end - 1].endswith((":", "：")):
                # The shortest head that ends here: lines before it are the sender's own.
                starts = (one for one in range(end - 1, at, -1) if self._is_head(one, end))
                if self._is_head(at, end) and (self._opens(at) or not any(starts)):
                    return count
                return 0
        return 0

    def _is_head(self, start: int, end: int) -> bool:
        text = " ".join(self._short[start:end])
        if traits.DATED_NAME.search(text) or traits.QUOTING.match(text):
            return True
        named, said = bool(traits.NAMED.search(text)), self._is_said(text)
        if (named or said) and traits.TIME.search(text) and traits.YEAR.search(text):
            # In any language.
            return True
        if not said:
            return False
        return self._opens(start) or named or self.next_is_quoted(end)

    def _is_said(self, text: str) -> bool:
        return bool(traits.VERB.search(text) and traits.DATED.search(text))

    def _opens(self, at: int) -> bool:
        line = self._short[at]
        return bool(traits.OPENER.match(line)) and bool(traits.DIGIT.search(line))


def _read_header(line: str) -> _Header:
    known = frozenset(n for n, header in enumerate(traits.HEADERS) if header.match(line))
    foreign = bool(traits.HEADER.match(line))
    if not known and not foreign:
        return _NONE
    timed = bool(traits.TIME.search(line) and traits.YEAR.search(line))
    dated, named = bool(traits.DATED.search(line)), bool(traits.ADDRESS.search(line))
    return _Header(known, foreign, dated, timed, named)
