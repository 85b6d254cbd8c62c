"""Cuts quotes, signatures and footers off a text, line by line, and counts what was cut.

An answer written between quoted lines counts; what follows the head of an unmarked quote (as
Outlook writes it) does not, or a quoted SIGNON would run. Nobody's orders begin with `>`.
"""

from collections.abc import Sequence
from enum import Enum

from judge.mail import traits
from judge.mail.markup import Mark
from judge.words.incoming import Ignored, Line

HEAD_LINES = 4
"""Over how many lines "On … wrote:" may be wrapped."""
HEADER_LINES = 14
"""In how many lines Outlook's From, Sent, To and Subject stand, blank ones among them."""
LOOSE_SIGNATURE = 12
"""How many lines may follow a "--" without its blank, for it to begin a signature."""
TOP = 3
"""Among how many lines a banner stands at the top."""
PROSE = 60
"""A line this long below a disclaimer still belongs to it; orders are shorter."""
DISCLAIMER_LENGTH = 90

PGP_BEGIN = "-----BEGIN PGP SIGNED MESSAGE-----"
PGP_SIGNATURE = "-----BEGIN PGP SIGNATURE-----"

TextLine = tuple[str, Mark]


class _Kind(Enum):
    """What a line is."""

    BODY = "body"
    QUOTED = "quoted"
    SIGNATURE = "signature"
    FOOTER = "footer"


def cut(parts: Sequence[Sequence[TextLine]]) -> tuple[tuple[Line, ...], Ignored]:
    """Return the lines of a mail's text parts that its sender wrote, and how many are left out.

    Lines are numbered from 1 through all parts, those left out included; blank ones are not
    counted as left out.

    >>> cut([[("A Par - Bur", Mark.NONE), ("> A Mar H", Mark.NONE)]])
    ((Line(number=1, text='A Par - Bur'),), Ignored(quoted=1, signature=0, footer=0))
    """
    kept: list[Line] = []
    counts = dict.fromkeys(_Kind, 0)
    number, rest_is_quoted = 0, False
    for part in parts:
        lines = _without_pgp(part)
        cutter = _Cutter(lines, rest_is_quoted)
        for (text, _), kind in zip(lines, cutter.kinds(), strict=True):
            number += 1
            if kind is _Kind.BODY:
                kept.append(Line(number, text))
            elif text.strip():
                counts[kind] += 1
        rest_is_quoted = cutter.rest_is_quoted
    first = next((at for at, line in enumerate(kept) if line.text.strip()), len(kept))
    last = next((at for at in range(len(kept), first, -1) if kept[at - 1].text.strip()), first)
    ignored = Ignored(counts[_Kind.QUOTED], counts[_Kind.SIGNATURE], counts[_Kind.FOOTER])
    return tuple(kept[first:last]), ignored


def _without_pgp(part: Sequence[TextLine]) -> list[TextLine]:
    """Undo the dashes of a signed text (RFC 9580, 7.2) and mark what belongs to PGP only."""
    lines: list[TextLine] = []
    state = "outside"
    for text, mark in part:
        line = text.rstrip()
        if line == PGP_BEGIN:
            state = "headers"
        elif line == PGP_SIGNATURE and state == "text":
            state = "signature"
        if state in ("headers", "signature"):
            lines.append((text, Mark.SIGNATURE))
        else:
            lines.append((text[2:] if state == "text" and text.startswith("- ") else text, mark))
        if state == "headers" and not line:
            state = "text"
        elif state == "signature" and line == PGP_SIGNATURE.replace("BEGIN", "END"):
            state = "outside"
    return lines


class _Cutter:
    """One text part on its way from the first line to the last."""

    def __init__(self, lines: Sequence[TextLine], rest_is_quoted: bool) -> None:
        self.rest_is_quoted = rest_is_quoted
        self._short = [text[:traits.LONGEST].replace("\xa0", " ").rstrip() for text, _ in lines]
        self._exact = [text == "-- " for text, _ in lines]
        self._marks = [mark for _, mark in lines]
        self._quoted = [
            mark is Mark.QUOTED or bool(traits.QUOTED.match(text[:traits.LONGEST]))
            for text, mark in lines
        ]
        self._kinds: list[_Kind] = []
        self._below = _Kind.BODY
        """What a line is that says nothing about itself."""
        self._own = 0
        """How many lines so far the sender wrote."""

    def kinds(self) -> list[_Kind]:
        """Return what each line is."""
        while (at := len(self._kinds)) < len(self._short):
            if self.rest_is_quoted or self._quoted[at]:
                self._take(_Kind.QUOTED)
            elif self._marks[at] is Mark.SIGNATURE:
                self._take(_Kind.SIGNATURE)
            elif not self._short[at]:
                self._take(self._below)
            elif head := self._quote_head(at):
                self._take(_Kind.QUOTED, head)
                # A head without marked lines after it: all that follows is the old letter.
                self.rest_is_quoted = not self._next_is_quoted(at + head)
            elif self._below is not _Kind.BODY:
                self._take(self._below)
            else:
                self._take_unmarked(at)
        return self._kinds

    def _take(self, kind: _Kind, count: int = 1) -> None:
        self._kinds.extend([kind] * count)

    def _take_unmarked(self, at: int) -> None:
        line = self._short[at]
        if self._begins_signature(at):
            self._below = _Kind.SIGNATURE
            self._take(_Kind.SIGNATURE)
        elif traits.LIST_FOOTER.match(line) or self._begins_list_footer(at):
            self._below = _Kind.FOOTER
            self._take(_Kind.FOOTER)
        elif any(footer.match(line) for footer in traits.FOOTERS):
            self._take(_Kind.FOOTER)
        elif traits.BANNER.match(line) and self._own < TOP:
            self._take(_Kind.FOOTER, self._paragraph(at))
        elif length := self._disclaimer(at):
            self._take(_Kind.FOOTER, length)
        else:
            self._own += bool(line)
            self._take(_Kind.BODY)

    def _next_is_quoted(self, at: int) -> bool:
        following = range(at, len(self._short))
        return next((self._quoted[one] for one in following if self._short[one]), False)

    def _quote_head(self, at: int) -> int:
        """Return over how many lines the head of a quote stands here, 0 for none."""
        line = self._short[at]
        if traits.ORIGINAL.match(line) or traits.FORWARDED.match(line):
            return 1
        if traits.RULE.match(line):
            block = self._header_block(at + 1)
            return 1 + block if block else 0
        return self._header_block(at) or self._attribution(at)

    def _header_block(self, at: int) -> int:
        """Return the length of a block of From, Sent, To, Subject, as Outlook quotes: 0 if none."""
        window = range(at, min(at + HEADER_LINES, len(self._short)))
        start = next((one for one in window if self._short[one]), None)
        if start is None or not traits.FROM.match(self._short[start]):
            return 0
        seen: set[int] = set()
        last = start
        for one in window:
            for number, header in enumerate(traits.OTHER_HEADERS):
                if one > start and header.match(self._short[one]):
                    seen.add(number)
                    last = one
        dated = any(traits.DATED.search(line) for line in self._short[start:last + 1])
        return last - at + 1 if dated and len(seen) >= 2 else 0

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
        if traits.DATED_NAME.search(text):
            return True
        if not (traits.VERB.search(text) and traits.DATED.search(text)):
            return False
        return self._opens(start) or bool(traits.NAMED.search(text)) or self._next_is_quoted(end)

    def _opens(self, at: int) -> bool:
        line = self._short[at]
        return bool(traits.OPENER.match(line)) and any(char.isdigit() for char in line)

    def _begins_signature(self, at: int) -> bool:
        if not traits.SIGNATURE.match(self._short[at]):
            return False
        following = 0
        for one in range(at + 1, len(self._short)):
            if self._quoted[one] or self._short[one] and self._quote_head(one):
                break
            if traits.CLOSER.match(self._short[one]):
                return False
            following += bool(self._short[one])
            if following > LOOSE_SIGNATURE:
                return self._exact[at]
        return True

    def _begins_list_footer(self, at: int) -> bool:
        if not traits.RULE.match(self._short[at]):
            return False
        following = self._short[at + 1:at + 4]
        return any(traits.LIST_NAME.match(line) or traits.LIST_FOOTER.match(line)
                   for line in following)

    def _paragraph(self, at: int) -> int:
        """Return how many lines there are up to the next blank or quoted one."""
        end = at
        while end < len(self._short) and self._short[end] and not self._quoted[end]:
            end += 1
        return end - at

    def _disclaimer(self, at: int) -> int:
        """Return the length of a disclaimer that begins here, 0 for none."""
        if not traits.DISCLAIMER.match(self._short[at]):
            return 0
        end = at + self._paragraph(at)
        if sum(len(line) for line in self._short[at:end]) < DISCLAIMER_LENGTH:
            return 0
        while end < len(self._short) and not self._quoted[end] and not self._quote_head(end):
            line = self._short[end]
            if line and len(line) < PROSE and not traits.DISCLAIMER.match(line):
                break
            end += max(self._paragraph(end), 1)
        return end - at
