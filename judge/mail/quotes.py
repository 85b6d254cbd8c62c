"""Cuts quotes, signatures and footers off a text, line by line, and counts what was cut.

An answer written between quoted lines counts; what follows the head of an unmarked quote (as
Outlook writes it) does not, or a quoted SIGNON would run, unless the letter quoted is known and
`echoes` can tell. Nobody's orders begin with `>`.

Our letters mark what other people wrote (`citing`). A line that bears that mark is quoted wherever
it stands; where it is of no letter we know, nothing below it counts, for its pieces could not be
told from answers. Where it is known, no piece of it counts, marked or not.
"""

from collections.abc import Sequence
from enum import Enum

from judge.mail import traits
from judge.mail.armour import TextLine, without_armour
from judge.mail.citing import CITED, is_cited
from judge.mail.echoes import Echo, squeezed, unmarked
from judge.mail.heads import HEAD_LINES, Heads
from judge.mail.markup import Mark
from judge.mail.repeats import Known, Repeats
from judge.words.incoming import Below, Ignored, Line

MOST_MARKS = 10
"""How often a mail may change the mark of what it quotes."""
LOOSE_SIGNATURE = 12
"""How many lines may follow a "--" without its blank, for it to begin a signature."""
TOP = 3
"""Among how many lines a banner stands at the top."""
PROSE = 60
"""A line this long below a disclaimer still belongs to it; orders are shorter."""
DISCLAIMER_LENGTH = 90
SHORT = 16
"""A quoted line shorter than this does not tell which letter it is of."""


class _Kind(Enum):
    """What a line is."""

    BODY = "body"
    QUOTED = "quoted"
    SIGNATURE = "signature"
    FOOTER = "footer"


def cut(
    parts: Sequence[Sequence[TextLine]], known: Known | None = None
) -> tuple[tuple[Line, ...], Ignored]:
    """Return the lines of a mail's text parts that its sender wrote, and how many are left out.

    Lines are numbered from 1 through all parts, those left out included; blank ones are not
    counted as left out. `known` knows letters of ours.

    >>> cut([[("A Par - Bur", Mark.NONE), ("> A Mar H", Mark.NONE)]])
    ((Line(number=1, text='A Par - Bur'),), Ignored(quoted=1, signature=0, footer=0, unsure=0, \
below=None))
    """
    kept: list[Line] = []
    counts = dict.fromkeys(_Kind, 0)
    number, unsure, rest_is_quoted = 0, 0, False
    repeats = Repeats(known)
    below: Below | None = None
    for part in parts:
        lines = without_armour(part)
        cutter, before = _Cutter(lines, rest_is_quoted, repeats), number
        for (text, _), kind in zip(lines, cutter.kinds(), strict=True):
            number += 1
            if kind is _Kind.BODY:
                kept.append(Line(number, text))
            elif text.strip():
                counts[kind] += 1
        rest_is_quoted = cutter.rest_is_quoted
        unsure += cutter.unsure
        if found := cutter.below:
            below = below or found._replace(line=before + found.line, lines=0)
        if below:
            below = below._replace(lines=below.lines + cutter.unmarked)
    first = next((at for at, line in enumerate(kept) if line.text.strip()), len(kept))
    last = next((at for at in range(len(kept), first, -1) if kept[at - 1].text.strip()), first)
    quoted, signature, footer = (
        counts[kind] for kind in (_Kind.QUOTED, _Kind.SIGNATURE, _Kind.FOOTER)
    )
    return tuple(kept[first:last]), Ignored(
        quoted, signature, footer, unsure, below if below and below.lines else None
    )


def _plain(text: str) -> str:
    """Return a line without what nobody sees."""
    return text if text.isascii() else traits.UNSEEN.sub("", text.replace("\xa0", " "))


class _Cutter:
    """One text part on its way from the first line to the last."""

    def __init__(
        self, lines: Sequence[TextLine], rest_is_quoted: bool, repeats: Repeats
    ) -> None:
        self.rest_is_quoted = self._is_second = rest_is_quoted
        self.unsure = 0
        """How many lines below the head of a quote may be the sender's own."""
        self.below: Below | None = None
        """The first head below which nothing is read, since the letter is not known."""
        self.unmarked = 0
        """How many lines were left out that only their place below a head tells to be quoted."""
        self._repeats = repeats
        self._marked: str | None = None
        self._full = [text for text, _ in lines]
        self._short = [_plain(text[:traits.LONGEST]).rstrip() for text, _ in lines]
        self._exact = [text == "-- " for text, _ in lines]
        self._marks = [mark for _, mark in lines]
        self._cited = [is_cited(_plain(text)) for text in self._full]
        self._quoted = [
            cited or mark is Mark.QUOTED or bool(traits.QUOTED.match(text))
            for text, mark, cited in zip(self._short, self._marks, self._cited, strict=True)
        ]
        self._heads = Heads(self._short, self._quoted)
        self._marks_left = MOST_MARKS
        self._kinds: list[_Kind] = []
        self._below = _Kind.BODY
        """What a line is that says nothing about itself."""
        self._own = 0
        """How many lines so far the sender wrote."""
        self._answers: set[int] = set()
        """Lines below the head of an unmarked quote that are the sender's own."""

    def kinds(self) -> list[_Kind]:
        """Return what each line is."""
        while (at := len(self._kinds)) < len(self._short):
            if self._quoted[at]:
                if self._cited[at]:
                    self._meet_cited(at)
                self._take(_Kind.QUOTED)
                self._learn_mark(at + 1)
            elif traits.OURS.match(self._short[at]) and not self.rest_is_quoted:
                self._begin_unmarked(at)
                self._take(_Kind.QUOTED)
            elif (rests := self.rest_is_quoted and at not in self._answers) or self._is_tail(at):
                self.unmarked += bool(self._short[at] and (self._is_second or self.below))
                self._take(_Kind.QUOTED, is_rest=not rests)
            elif self._marks[at] is Mark.SIGNATURE:
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
        """Decide what follows the head of a quote: marked lines, or all of the old letter."""
        self._learn_mark(at, below_head=True)
        if self._heads.next_is_quoted(at):
            return
        self._answers = set()
        # Below a second head the lines are those of an older letter: nobody knows whose.
        if not self.rest_is_quoted and (echo := self._repeats.answered()):
            self._find_answers(echo, at)
        else:
            self.below = self.below or Below(head + 1, self._heads.label(head, at), 0)
        self.rest_is_quoted = True

    def _find_answers(self, echo: Echo, at: int) -> None:
        """Find the sender's own lines in a letter that no mark shows to be quoted."""
        own, unsure = echo.own(self._short[at:])
        self._answers = {at + one for one in own}
        self.unsure = len(unsure)

    def _meet_cited(self, at: int) -> None:
        """Decide what follows a line of other people's that a letter of ours cites.

        Where no program marked it, no program marks what follows.
        """
        is_known = self._repeats.knows(self._full[at])
        if not is_known:
            self._answers = set()
        if not is_known or self._short[at].lstrip().startswith(CITED) and not self.rest_is_quoted:
            self._begin_unmarked(at)

    def _begin_unmarked(self, at: int) -> None:
        """Decide what follows a line of ours that nothing stands above to tell it is quoted."""
        echo = self._repeats.answered()
        if echo and echo.knows(self._full[at]) and not self.rest_is_quoted:
            self._find_answers(echo, at)
        else:
            words = self._short[at].split()[:2] if traits.OURS.match(self._short[at]) else [CITED]
            self.below = self.below or Below(at + 1, " ".join(words), 0)
        self.rest_is_quoted = True

    def _learn_mark(self, at: int, *, below_head: bool = False) -> None:
        """Find out whether what is quoted from a line on has a mark of another kind.

        Its head comes before it, and may be quoted itself.
        """
        if not self._marks_left or not (below_head or traits.VERB.search(self._short[at - 1])):
            return
        following = range(at, min(at + HEAD_LINES, len(self._short)))
        first = next((one for one in following if self._short[one]), None)
        mark = traits.MARK.match(self._short[first]) if first is not None else None
        if first is None or mark is None:
            return
        self._marks_left -= 1
        for one in range(first, len(self._short)):
            self._quoted[one] = self._quoted[one] or self._short[one].startswith(mark[0])
        self._heads.forget()
        self._marked = None

    def _is_tail(self, at: int) -> bool:
        """Tell whether a line is the end of the quoted one before it, which was broken in two."""
        if not self._short[at]:
            return False
        before = at - 1 if at and self._kinds[at - 1] is _Kind.QUOTED else at
        at_once = before < at and bool(self._short[before])
        if at_once and self._quoted[before] and len(self._short[before]) >= SHORT:
            self._repeats.knows(unmarked(self._full[before]))
        return self._repeats.goes_on(self._full[at], self._seen(), at_once=at_once)

    def _seen(self) -> str:
        """Return the lines marked as quoted, squeezed."""
        if self._marked is None:
            both = zip(self._full, self._quoted, strict=True)
            self._marked = "\n".join(squeezed(text) for text, quoted in both if quoted)
        return self._marked

    def _take(self, kind: _Kind, count: int = 1, *, is_rest: bool = False) -> None:
        for at in range(len(self._kinds), len(self._kinds) + count):
            if kind is _Kind.QUOTED:
                self._repeats.quoted(self._full[at], is_rest=is_rest)
            elif kind is _Kind.BODY and self._short[at]:
                self._repeats.own()
        self._kinds.extend([kind] * count)

    def _take_unmarked(self, at: int) -> None:
        line = self._short[at]
        if self._begins_signature(at):
            self._below = _Kind.SIGNATURE
            self._take(_Kind.SIGNATURE)
        elif traits.LIST_FOOTER.match(line) or self._begins_list_footer(at):
            self._below = _Kind.FOOTER
            self._take(_Kind.FOOTER)
        elif traits.is_footer(line) or self._is_of_phone(at):
            self._take(_Kind.FOOTER)
        elif traits.BANNER.match(line) and self._own < TOP:
            self._take(_Kind.FOOTER, self._banner(at))
        elif length := self._disclaimer(at):
            self._take(_Kind.FOOTER, length)
        elif self._repeats.is_cited(self._full[at], self._seen()):
            self.unsure += 1
            self._take(_Kind.QUOTED)
        else:
            self._own += bool(line)
            self._take(_Kind.BODY)

    def _begins_signature(self, at: int) -> bool:
        if not traits.SIGNATURE.match(self._short[at]):
            return False
        following = 0
        for one in range(at + 1, len(self._short)):
            if self._quoted[one] or self._short[one] and self._heads.quote_head(one):
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

    def _is_of_phone(self, at: int) -> bool:
        before = self._short[at - 1] if at else ""
        return not before and bool(traits.PHONE.match(self._short[at])) and self._paragraph(at) == 1

    def _banner(self, at: int) -> int:
        """Return the length of a banner: no order that follows it at once may go with it."""
        end = at + 1
        while (
            end < len(self._short) and self._short[end] and not self._quoted[end]
            and len(self._short[end - 1]) >= traits.WRAPPED
        ):
            end += 1
        return end - at

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
        while end < len(self._short) and not self._quoted[end] and not self._heads.quote_head(end):
            line = self._short[end]
            if line and len(line) < PROSE and not traits.DISCLAIMER.match(line):
                break
            end += max(self._paragraph(end), 1)
        return end - at
