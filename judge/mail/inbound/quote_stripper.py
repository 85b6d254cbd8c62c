"""Removal of quotes, signatures and footers, with the heads that announce them.

A reply written between quoted lines counts. Text below the head of an unmarked quote (as by
Outlook) does not, or a quoted SIGNON would run, unless the quoted letter is known and
`quoted_letter` can decide. No orders begin with `>`.

The judge's letters mark third-party text (`citing`). A line with that mark is quoted wherever it
is. If no known letter contains it, no text below it counts, as its pieces could not be
distinguished from replies. If one does, no piece of it counts, marked or not.
"""

import re
from collections.abc import Sequence
from enum import Enum
from typing import NamedTuple

from judge.mail.inbound import quote_patterns as patterns
from judge.mail.inbound.embedded_bodies import TextLine, strip_pgp
from judge.mail.inbound.html_text import LineOrigin
from judge.mail.inbound.quoted_letter import (
    LetterMatcher,
    QuotedLetter,
    QuoteTracker,
    letters_and_digits,
    strip_quote_marks,
)
from judge.mail.outbound.third_party_text import THIRD_PARTY_MARK, is_cited
from judge.model.incoming import Line, SkippedLines, UnmarkedQuote

HEAD_LINES = 4
"""Maximum lines over which "On … wrote:" may be wrapped."""
HEADER_LINES = 14
"""Maximum lines of Outlook's From, Sent, To and Subject, blank ones included."""


class _Header(NamedTuple):
    """Properties of a line as a header of a mail."""

    known: frozenset[int] = frozenset()
    """Indices of From, Sent, To and Subject that match, in a known language."""
    foreign: bool = False
    """True if it looks like a header of any language."""
    dated: bool = False
    timed: bool = False
    """True if it has a date and a time of day."""
    named: bool = False
    """True if it has an address."""


_NONE = _Header()


class QuoteHeaders:
    """Finder of quote heads among the lines of a text.

    The marks of quoted lines may change. Results are cached, as a mail may need the same line many
    times.
    """

    def __init__(self, lines: Sequence[str], quoted: Sequence[bool]) -> None:
        self._short = lines
        self._quoted = quoted
        self._headers: dict[int, _Header] = {}
        self._heads: dict[int, int] = {}

    def forget(self) -> None:
        """Clear the cached heads after lines turned out to be quoted."""
        self._heads.clear()

    def next_is_quoted(self, at: int) -> bool:
        """Return whether the next line that is not blank is marked as quoted."""
        following = range(at, len(self._short))
        return next((self._quoted[one] for one in following if self._short[one]), False)

    def quote_head(self, at: int) -> int:
        """Return the number of lines of the quote head that begins here, 0 for none."""
        if at not in self._heads:
            self._heads[at] = self._head(at)
        return self._heads[at]

    def label(self, start: int, end: int) -> str:
        """Return a short form of a head for the reply, without names and addresses.

        >>> QuoteHeaders(["On Mon, Ann <a@example.org>", "wrote:"], [False, False]).label(0, 2)
        'On … wrote:'
        >>> QuoteHeaders(["____", "Von: Ann"], [False, False]).label(0, 2)
        'Von: …'
        """
        lines = [line for line in self._short[start:end] if line.strip(" \t_")]
        first, last = (lines[0].strip(), lines[-1].strip()) if lines else ("", "")
        if patterns.ORIGINAL.match(first) or patterns.FORWARDED.match(first):
            return first
        if patterns.HEADER.match(first):
            return re.split("[:：]", first)[0].strip("* ") + ": …"
        opener, verb = patterns.OPENER.match(first), patterns.VERB.search(last)
        told = f"{opener[0].strip() if opener else ''} … {verb[0].strip() if verb else ''}"
        return f"{told.strip()}{last[-1]}" if last.endswith((":", "：")) else told.strip()

    def _head(self, at: int) -> int:
        line = self._short[at]
        if line.lstrip().startswith("--") and (dashed := self._dashed_head(at)):
            return dashed
        if patterns.ABOVE.match(line):
            if patterns.ORIGINAL.match(line) or patterns.FORWARDED.match(line):
                return 1 + self._header_block(at + 1)
            if patterns.RULE.match(line):
                block = self._header_block(at + 1)
                return 1 + block if block else 0
        return self._header_block(at) or self._attribution(at)

    def _dashed_head(self, at: int) -> int:
        """Return the number of lines of a "---- On … Ann wrote ----" here, 0 for none."""
        text = ""
        for end in range(at, min(at + HEAD_LINES, len(self._short))):
            if not self._short[end] or self._quoted[end]:
                return 0
            text = f"{text} {self._short[end]}" if text else self._short[end]
            if patterns.DASHED.match(text):
                return end - at + 1 if self._is_said(text) else 0
        return 0

    def _header_block(self, at: int) -> int:
        """Return the length of a block of From, Sent, To and Subject, 0 for none.

        Outlook quotes with such a block.
        """
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
        """Return the length of such a block in any language, 0 for none.

        It has three headers or more in a row, one with an address, one with a date and a time.
        """
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
        """Return the number of lines of an "On … Ann wrote:" here, 0 for none."""
        for count in range(1, HEAD_LINES + 1):
            end = at + count
            if end > len(self._short) or not self._short[end - 1] or self._quoted[end - 1]:
                return 0
            if self._short[end - 1].endswith((":", "：")):
                # The shortest head that ends here: lines before it are the sender's own.
                starts = (
                    one for one in range(end - 1, at, -1)
                    if self._is_head(one, end) and not self._goes_on(one)
                )
                if self._is_head(at, end) and (self._opens(at) or not any(starts)):
                    return count
                return 0
        return 0

    def _goes_on(self, at: int) -> bool:
        """Return whether the line before, with address or date, belongs to the same head."""
        before, line = self._short[at - 1], self._short[at].lstrip()
        if patterns.NAMED.search(before):
            return True
        return line.startswith(("<", "(")) and bool(patterns.DATED.search(before))

    def _is_head(self, start: int, end: int) -> bool:
        text = " ".join(self._short[start:end])
        if patterns.DATED_NAME.search(text) or patterns.QUOTING.match(text):
            return True
        named, said = bool(patterns.NAMED.search(text)), self._is_said(text)
        if (named or said) and patterns.TIME.search(text) and patterns.YEAR.search(text):
            # In any language.
            return True
        if not said:
            return False
        return self._opens(start) or named or self.next_is_quoted(end)

    def _is_said(self, text: str) -> bool:
        return bool(patterns.VERB.search(text) and patterns.DATED.search(text))

    def _opens(self, at: int) -> bool:
        line = self._short[at]
        return bool(patterns.OPENER.match(line)) and bool(patterns.DIGIT.search(line))


def _read_header(line: str) -> _Header:
    known = frozenset(n for n, header in enumerate(patterns.HEADERS) if header.match(line))
    foreign = bool(patterns.HEADER.match(line))
    if not known and not foreign:
        return _NONE
    timed = bool(patterns.TIME.search(line) and patterns.YEAR.search(line))
    dated, named = bool(patterns.DATED.search(line)), bool(patterns.ADDRESS.search(line))
    return _Header(known, foreign, dated, timed, named)


MAX_MARKS = 10
"""Maximum number of changes of the quote mark in a mail."""
LOOSE_SIGNATURE = 12
"""Maximum lines of a signature after a "--" without its blank."""
TOP = 3
"""Number of lines at the top that may contain a banner."""
PROSE = 60
"""Minimum length of lines that continue a disclaimer, longer than orders."""
DISCLAIMER_LENGTH = 90
SHORT = 16
"""Minimum length of a quoted line that identifies its letter."""


class _Kind(Enum):
    """Classification of a line."""

    BODY = "body"
    QUOTED = "quoted"
    SIGNATURE = "signature"
    FOOTER = "footer"


def rejoin_addresses(lines: Sequence[TextLine], first: int) -> tuple[list[TextLine], list[int]]:
    """Join lines that a mail program broke inside the angle brackets of an address.

    Return the lines and the number of each, where *first* is the number of the first one. A line
    that begins with ">" is a quoted one unless it continues like the head of a quote.

    >>> head = [("Ann <", LineOrigin.NONE), ("a@b.example", LineOrigin.NONE), ("> wrote:",
    ...     LineOrigin.NONE)]
    >>> rejoin_addresses(head, 1)[0][0][0]
    'Ann <a@b.example> wrote:'
    """
    joined: list[TextLine] = []
    numbers: list[int] = []
    at = 0
    while at < len(lines):
        text, mark = lines[at]
        end = at + 1
        if patterns.OPEN_ADDRESS.search(text[-patterns.MAX_CHARACTERS:]):
            for many in (2, 3):
                whole = "".join(one.strip() for one, _ in lines[at + 1:at + many])
                if patterns.REST_OF_ADDRESS.match(
                    _plain(_tail(text) + whole)[: patterns.MAX_CHARACTERS]
                ):
                    text, end = text.rstrip() + whole, at + many
                    break
        joined.append((text, mark))
        numbers.append(first + at)
        at = end
    return joined, numbers


def _tail(text: str) -> str:
    return text[text.rfind("<"):].strip()


def strip_quotes(
    parts: Sequence[Sequence[TextLine]], known: LetterMatcher | None = None
) -> tuple[tuple[Line, ...], SkippedLines]:
    """Return the lines that the sender wrote in all text parts, and counts of others.

    Lines are numbered from 1 through all parts, including those left out. Blank ones are not
    counted as left out. *known* gives access to the judge's letters.

    >>> strip_quotes([[("A Par - Bur", LineOrigin.NONE), ("> A Mar H", LineOrigin.NONE)]])
    ((Line(number=1, text='A Par - Bur'),), SkippedLines(quoted=1, signature=0, footer=0, \
unsure=0, below=None, is_cut=False))
    """
    kept: list[Line] = []
    counts = dict.fromkeys(_Kind, 0)
    number, unsure, rest_is_quoted = 0, 0, False
    repeats = QuoteTracker(known)
    below: UnmarkedQuote | None = None
    for part in parts:
        lines, numbers = rejoin_addresses(strip_pgp(part), number + 1)
        cutter = _QuoteStripper(lines, rest_is_quoted, repeats)
        number += len(part)
        ends = [*numbers, number + 1][1:]
        for (text, _), at, end, kind in zip(lines, numbers, ends, cutter.kinds(), strict=True):
            if kind is _Kind.BODY:
                kept.append(Line(at, text))
            elif text.strip():
                counts[kind] += end - at
        rest_is_quoted = cutter.rest_is_quoted
        unsure += cutter.unsure
        if found := cutter.below:
            below = below or found._replace(line=numbers[found.line - 1], lines=0)
        if below:
            below = below._replace(lines=below.lines + cutter.unmarked)
    first = next((at for at, line in enumerate(kept) if line.text.strip()), len(kept))
    last = next((at for at in range(len(kept), first, -1) if kept[at - 1].text.strip()), first)
    quoted, signature, footer = (
        counts[kind] for kind in (_Kind.QUOTED, _Kind.SIGNATURE, _Kind.FOOTER)
    )
    return tuple(kept[first:last]), SkippedLines(
        quoted, signature, footer, unsure, below if below and below.lines else None
    )


def _plain(text: str) -> str:
    """Return a line without invisible characters, and with plain blanks."""
    return text if text.isascii() else patterns.INVISIBLE.sub("", text.replace("\xa0", " "))


class _QuoteStripper:
    """Classifier of the lines of one text part, from the first to the last."""

    def __init__(
        self, lines: Sequence[TextLine], rest_is_quoted: bool, repeats: QuoteTracker
    ) -> None:
        self.rest_is_quoted = self._is_second = rest_is_quoted
        self.unsure = 0
        """Number of lines below the head of a quote that may be the sender's own."""
        self.below: UnmarkedQuote | None = None
        """The first head below which no line counts, as the letter is unknown."""
        self.unmarked = 0
        """Number of lines left out only for their position below a head."""
        self._repeats = repeats
        self._marked: str | None = None
        self._full = [text for text, _ in lines]
        self._short = [_plain(text[:patterns.MAX_CHARACTERS]).rstrip() for text, _ in lines]
        self._exact = [text == "-- " for text, _ in lines]
        self._marks = [mark for _, mark in lines]
        self._cited = [is_cited(_plain(text)) for text in self._full]
        self._quoted = [
            cited or mark is LineOrigin.QUOTED or bool(patterns.QUOTED.match(text))
            for text, mark, cited in zip(self._short, self._marks, self._cited, strict=True)
        ]
        self._heads = QuoteHeaders(self._short, self._quoted)
        self._marks_left = MAX_MARKS
        self._kinds: list[_Kind] = []
        self._below = _Kind.BODY
        """Kind of lines without a sign of their own."""
        self._own = 0
        """Number of lines so far that the sender wrote."""
        self._answers: set[int] = set()
        """Lines below the head of an unmarked quote that are the sender's own."""

    def kinds(self) -> list[_Kind]:
        """Return the kind of each line."""
        while (at := len(self._kinds)) < len(self._short):
            if self._quoted[at]:
                if self._cited[at]:
                    self._meet_cited(at)
                self._take(_Kind.QUOTED)
                self._learn_mark(at + 1)
            elif patterns.OURS.match(self._short[at]) and not self.rest_is_quoted:
                self._begin_unmarked(at)
                self._take(_Kind.QUOTED)
            elif (rests := self.rest_is_quoted and at not in self._answers) or self._is_tail(at):
                self.unmarked += bool(self._short[at] and (self._is_second or self.below))
                self._take(_Kind.QUOTED, is_rest=not rests)
            elif self._marks[at] is LineOrigin.SIGNATURE:
                self._take(_Kind.SIGNATURE)
            elif not self._short[at]:
                self._take(self._below)
            elif head := self._heads.quote_head(at):
                self._take(_Kind.QUOTED, head)
                self._begin_quote(at, at + head)
            elif self._below is not _Kind.BODY:
                self._take(self._below)
            else:
                self._take_unmarked(at)
        return self._kinds

    def _begin_quote(self, head: int, at: int) -> None:
        """Decide whether marked lines or all of the old letter follow a quote's head."""
        self._learn_mark(at, below_head=True)
        if self._heads.next_is_quoted(at):
            return
        self._answers = set()
        # Below a second head the lines are those of an older letter, with unknown authors.
        if not self.rest_is_quoted and (echo := self._repeats.find_answered_letter()):
            self._find_answers(echo, at)
        else:
            self.below = self.below or UnmarkedQuote(head + 1, self._heads.label(head, at), 0)
        self.rest_is_quoted = True

    def _find_answers(self, echo: QuotedLetter, at: int) -> None:
        """Find the sender's own lines in a letter quoted without marks."""
        own, unsure = echo.find_own_lines(self._short[at:])
        self._answers = {at + one for one in own}
        self.unsure = len(unsure)

    def _meet_cited(self, at: int) -> None:
        """Decide how lines after a line of third-party text are treated.

        If no program marked it, no program marks the lines that follow.
        """
        is_known = self._repeats.contains(self._full[at])
        if not is_known:
            self._answers = set()
        is_bare = (
            self._short[at].lstrip().startswith(THIRD_PARTY_MARK)
            and self._marks[at] is not LineOrigin.QUOTED
        )
        if not is_known or is_bare and not self.rest_is_quoted:
            self._begin_unmarked(at)

    def _begin_unmarked(self, at: int) -> None:
        """Decide how lines after a line of the judge's without a quote head count."""
        echo = self._repeats.find_answered_letter()
        if echo and echo.contains(self._full[at]) and not self.rest_is_quoted:
            self._find_answers(echo, at)
        else:
            words = (
                self._short[at].split()[:2]
                if patterns.OURS.match(self._short[at])
                else [THIRD_PARTY_MARK]
            )
            self.below = self.below or UnmarkedQuote(at + 1, " ".join(words), 0)
        self.rest_is_quoted = True

    def _learn_mark(self, at: int, *, below_head: bool = False) -> None:
        """Detect another quote mark of the lines that follow.

        Their head is before them, and may be quoted itself.
        """
        if not self._marks_left:
            return
        following = range(at, min(at + HEAD_LINES, len(self._short)))
        first = next((one for one in following if self._short[one]), None)
        mark = patterns.MARK.match(self._short[first]) if first is not None else None
        if first is None or mark is None:
            return
        if not (below_head or patterns.VERB.search(self._short[at - 1])):
            return
        self._marks_left -= 1
        for one in range(first, len(self._short)):
            self._quoted[one] = self._quoted[one] or self._short[one].startswith(mark[0])
        self._heads.forget()
        self._marked = None

    def _is_tail(self, at: int) -> bool:
        """Return whether a line is the rest of the quoted one before it, broken in two."""
        if not self._short[at]:
            return False
        before = at - 1 if at and self._kinds[at - 1] is _Kind.QUOTED else at
        at_once = before < at and bool(self._short[before])
        if at_once and self._quoted[before] and len(self._short[before]) >= SHORT:
            self._repeats.contains(strip_quote_marks(self._full[before]))
        return self._repeats.continues(self._full[at], self._seen(), at_once=at_once)

    def _seen(self) -> str:
        """Return the lines marked as quoted, squeezed."""
        if self._marked is None:
            both = zip(self._full, self._quoted, strict=True)
            self._marked = "\n".join(letters_and_digits(text) for text, quoted in both if quoted)
        return self._marked

    def _take(self, kind: _Kind, count: int = 1, *, is_rest: bool = False) -> None:
        for at in range(len(self._kinds), len(self._kinds) + count):
            if kind is _Kind.QUOTED:
                self._repeats.note_quoted_line(self._full[at], is_rest=is_rest)
            elif kind is _Kind.BODY and self._short[at]:
                self._repeats.find_own_lines()
        self._kinds.extend([kind] * count)

    def _take_unmarked(self, at: int) -> None:
        if patterns.may_be_added(self._short[at]) and self._take_added(at):
            return
        if self._repeats.is_cited(self._full[at], self._seen()):
            self.unsure += 1
            self._take(_Kind.QUOTED)
        else:
            self._own += bool(self._short[at])
            self._take(_Kind.BODY)

    def _take_added(self, at: int) -> bool:
        """Classify a line that a program or a list added. Return False for other lines."""
        line = self._short[at]
        if self._begins_signature(at):
            self._below = _Kind.SIGNATURE
            self._take(_Kind.SIGNATURE)
        elif patterns.LIST_FOOTER.match(line) or self._begins_list_footer(at):
            self._below = _Kind.FOOTER
            self._take(_Kind.FOOTER)
        elif patterns.is_footer(line) or self._is_of_phone(at):
            self._take(_Kind.FOOTER)
        elif patterns.BANNER.match(line) and self._own < TOP:
            self._take(_Kind.FOOTER, self._banner(at))
        elif length := self._disclaimer(at):
            self._take(_Kind.FOOTER, length)
        else:
            return False
        return True

    def _begins_signature(self, at: int) -> bool:
        if not patterns.SIGNATURE.match(self._short[at]):
            return False
        following = 0
        for one in range(at + 1, len(self._short)):
            if self._quoted[one] or self._short[one] and self._heads.quote_head(one):
                break
            if patterns.CLOSER.match(self._short[one]):
                return False
            following += bool(self._short[one])
            if following > LOOSE_SIGNATURE:
                return self._exact[at]
        return True

    def _begins_list_footer(self, at: int) -> bool:
        if not patterns.RULE.match(self._short[at]):
            return False
        following = self._short[at + 1:at + 4]
        return any(patterns.LIST_NAME.match(line) or patterns.LIST_FOOTER.match(line)
                   for line in following)

    def _is_of_phone(self, at: int) -> bool:
        before = self._short[at - 1] if at else ""
        is_phone = patterns.PHONE.match(self._short[at])
        return not before and bool(is_phone) and self._paragraph(at) == 1

    def _banner(self, at: int) -> int:
        """Return the length of a banner, without orders directly below it."""
        end = at + 1
        while (
            end < len(self._short) and self._short[end] and not self._quoted[end]
            and len(self._short[end - 1]) >= patterns.MIN_WRAPPED_CHARACTERS
        ):
            end += 1
        return end - at

    def _paragraph(self, at: int) -> int:
        """Return the number of lines up to the next blank or quoted one."""
        end = at
        while end < len(self._short) and self._short[end] and not self._quoted[end]:
            end += 1
        return end - at

    def _disclaimer(self, at: int) -> int:
        """Return the length of a disclaimer that begins here, 0 for none."""
        if not patterns.DISCLAIMER.match(self._short[at]):
            return 0
        end = at + self._paragraph(at)
        if sum(len(line) for line in self._short[at:end]) < DISCLAIMER_LENGTH:
            return 0
        while end < len(self._short) and not self._quoted[end] and not self._heads.quote_head(end):
            line = self._short[end]
            if line and len(line) < PROSE and not patterns.DISCLAIMER.match(line):
                break
            end += max(self._paragraph(end), 1)
        return end - at
