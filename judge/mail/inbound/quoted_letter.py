"""Letters of ours that come back under an answer: found, however they were quoted.

Programs that quote without a mark (Outlook) leave nobody to say whose a line is; but the letter
that is answered is ours, so it is known word by word. A line is its reader's own where it stands
between two lines, or after the last one, that follow each other in the letter and holds words that
do not. Where the letter shows a gap there, a line may be one of ours that a program changed: then
nobody knows, and it does not count.

Programs that break what they quote anew mark but the first piece of each line. So every place of
the letter is known, blanks and signs apart: a piece that goes on where the quoted line before it
ended is quoted too, and so is what other people wrote in the letter (`citing`), in whatever pieces.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from html import unescape
from typing import Protocol

from judge.mail.address import Ours, addresses
from judge.mail.inbound.contents import own_text
from judge.mail.inbound.mime import Entity
from judge.mail.outbound.citing import CITED, is_cited

MOST_EFFORT = 400_000_000
"""How many characters are looked through for the lines of one mail; whatever is asked after that
may be the letter's."""
NEAR = 4096
"""So many letters on, the next piece of a letter is looked for first."""
STEP = 200
"""What finding one place costs of that, however near it is."""
ANCHOR = 24
"""So many letters of a quoted line say where in the letter it ended, and no fewer than these:"""
SHORTEST_ANCHOR = 4

_LINK = re.compile(r"<(?:mailto|https?):[^<>]*>")
"""What Outlook puts behind an address."""
_WORD = re.compile(r"[^\W_]+")
_SIGNS = re.compile(r"[\W_]+")
_ASCII_SIGNS = str.maketrans(dict.fromkeys(
    sign for sign in map(chr, range(128)) if not sign.isalnum()
))
"""The same among what nearly all lines are made of, left out in a third of the time."""
_MARKS = re.compile(rf"^ *{re.escape(CITED)} ?", re.MULTILINE)
_QUOTE_MARKS = re.compile(r"^(?:[ \t]*(?:[\w.-]{1,12}(?=>)|[>|:}%#＞»]))*[ \t]*")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


class Whose(Enum):
    """Whose words of a letter a line repeats."""

    NOBODYS = 0
    OURS = 1
    CITED = 2
    """Somebody's whom the letter cites."""


class Effort:
    """How much may still be looked through for one mail, in all letters that it may quote."""

    def __init__(self) -> None:
        self.left = MOST_EFFORT


class QuotedLetter:
    """The words of a letter in a row; `foreign`: all of them count as somebody else's."""

    def __init__(
        self, letter: str, foreign: bool = False, effort: Effort | None = None
    ) -> None:
        self._letter = letter
        self._foreign = foreign
        self._words = _row(letter)
        self._effort = effort or Effort()

    def own(self, lines: Sequence[str]) -> tuple[set[int], set[int]]:
        """Return which lines of a letter that came back are its reader's own, and which may be.

        >>> echo = QuotedLetter("You have no orders.\\nA Del: none\\nF Mad: none\\nWrite soon.")
        >>> echo.own(["You have no orders.", "A Del: none", "A Del - Kas", "F Mad: none"])
        ({2}, set())
        >>> echo.own(["You have no orders.", "A Del - Kas", "Write soon."])
        (set(), {1})
        """
        own: set[int] = set()
        doubtful: set[int] = set()
        likely: set[int] = set()
        place, waiting = -1, list[int]()
        for number, line in enumerate(lines):
            words = _row(_LINK.sub(" ", line))
            if words == " ":
                continue
            at = self._find(words, max(place, 0))
            if self._effort.left <= 0:
                return set(), own | doubtful | likely
            if at < 0:
                # A line of ours out of its order says nothing of where we are.
                if self._find(words, 0) < 0:
                    waiting.append(number)
                continue
            if at != place:
                doubtful |= likely
                likely = set()
            if place >= 0 and waiting:
                # Words that come twice may be the second ones, and what stood between changed.
                once = self._words.find(words) == self._words.rfind(words)
                (doubtful if at != place else own if once else likely).update(waiting)
            place, waiting = at + len(words) - 1, []
        likely.update(waiting)
        if place == len(self._words) - 1:
            return own | likely, doubtful
        return own, doubtful | likely

    def _find(self, words: str, start: int) -> int:
        at = self._words.find(words, start)
        self._effort.left -= (at if at >= 0 else len(self._words)) - start
        return at

    def knows(self, line: str) -> bool:
        """Tell whether a line stands in the letter, whole or a piece of one.

        >>> QuotedLetter("|| Shall we go on?\\nYou have no orders.").knows("> > || we go")
        True
        """
        if not squeezed(line):
            return True
        texts = (line, line.rpartition(CITED)[2], unmarked(line))
        folded = ((form, form.fold(text)) for form in self._forms(line) for text in texts)
        return any(
            row and (form.near(row) >= 0 or bool(self._places(form, row, 1)))
            for form, row in folded
        )

    def goes_on(self, before: str, line: str) -> Whose:
        """Tell whose words a line goes on with, where quoted ones ended with `before`, squeezed.

        >>> echo = QuotedLetter("Reply to this letter.\\n|| Dear Ann, A Vie H please")
        >>> echo.goes_on("dearann", "A Vie"), echo.goes_on("dearann", "A Bud")
        (<Whose.CITED: 2>, <Whose.NOBODYS: 0>)
        """
        anchor = before[-ANCHOR:]
        found = Whose.NOBODYS
        for form in self._forms(line) if len(anchor) >= SHORTEST_ANCHOR else ():
            start, text = form.fold(anchor), form.fold(line)
            if not text:
                continue
            near = form.near(start + text)
            for at in [near] if near >= 0 else self._places(form, start + text):
                if form.is_cited(at + len(start), at + len(start) + len(text)):
                    return Whose.CITED
                found = Whose.OURS
        return found

    def has_left(self, line: str, marked: str, *, cited: bool) -> bool:
        """Tell whether a line stands in the letter more often than among marked lines, squeezed.

        With `cited` it counts only if it stands in what other people wrote.

        >>> echo = QuotedLetter("A Vie H\\n|| A Vie\\n|| holds")
        >>> echo.has_left("A Vie", "avieh", cited=True), echo.has_left("A", "a\\na", cited=True)
        (True, False)
        """
        for form in self._forms(line):
            text = form.fold(line)
            places = self._places(form, text) if text else []
            if cited and not any(form.is_cited(at, at + len(text)) for at in places):
                continue
            if places:
                self._effort.left -= len(marked)
                if len(places) > marked.count(squeezed(line)):
                    return True
        # When nobody can say any more, it may stand there once more than was seen.
        return self._effort.left <= 0

    def _places(self, form: "_Form", text: str, most: int = 0) -> list[int]:
        """Return where a text stands in a form of the letter; `most` places, if told."""
        found: list[int] = []
        at = 0
        while self._effort.left > 0 and (not most or len(found) < most):
            start, at = at, form.row.find(text, at)
            self._effort.left -= (at if at >= 0 else len(form.row)) - start + STEP
            if at < 0:
                break
            found.append(at)
            at += 1
        return found

    def _forms(self, line: str) -> list["_Form"]:
        """Return the letter in the forms that a line may be of: programs spoil all but ASCII, or
        write signs of HTML as their names."""
        return [*self._usual, self._unescaped] if "&" in line else self._usual

    @cached_property
    def _usual(self) -> list["_Form"]:
        lines = self._letter.split("\n")
        forms = [_Form(lines, self._foreign, squeezed)]
        if not self._letter.isascii():
            forms.append(_Form(lines, self._foreign, _in_ascii))
        return forms

    @cached_property
    def _unescaped(self) -> "_Form":
        return _Form(self._letter.split("\n"), self._foreign, _without_names)


class _Form:
    """A letter as letters and digits in a row, and where in it other people's words stand."""

    def __init__(self, lines: Sequence[str], foreign: bool, fold: Callable[[str], str]) -> None:
        self.fold = fold
        """What makes a row of a text."""
        rows: list[str] = []
        self._starts: list[int] = []
        self._ends: list[int] = []
        at = 0
        for line in lines:
            row = self.fold(line)
            if row and (foreign or is_cited(line)):
                if self._ends and self._ends[-1] == at:
                    self._ends[-1] += len(row)
                else:
                    self._starts.append(at)
                    self._ends.append(at + len(row))
            rows.append(row)
            at += len(row)
        self.row = "".join(rows)
        self._last = 0

    def near(self, text: str) -> int:
        """Return where a text stands soon after the last one asked for, -1 if it does not."""
        at = self.row.find(text, self._last, self._last + NEAR)
        if at >= 0:
            self._last = at
        return at

    def is_cited(self, start: int, end: int) -> bool:
        """Tell whether a stretch of the row touches what other people wrote."""
        at = bisect_left(self._starts, end)
        return at > 0 and self._ends[at - 1] > start


def squeezed(text: str) -> str:
    """Return the letters and digits of a text, without case, accents, blanks and signs.

    >>> squeezed("> A Vie - Týr!")
    'avietyr'
    """
    if text.isascii():
        return text.lower().translate(_ASCII_SIGNS)
    return _SIGNS.sub("", unicodedata.normalize("NFKD", text).casefold())


def _in_ascii(text: str) -> str:
    return squeezed(_NOT_ASCII.sub("", text))


def _without_names(text: str) -> str:
    return squeezed(unescape(text))


def unmarked(line: str) -> str:
    """Return a line without what a program put before it to quote it.

    >>> unmarked("Ann> > and so on")
    'and so on'
    """
    return _QUOTE_MARKS.sub("", line)


def _row(text: str) -> str:
    """Return the words of a text in a row, without signs, a blank before, between and after."""
    words = _WORD.findall(text.casefold())
    return f" {' '.join(words)} " if words else " "


MOST_SEARCHES = 20
"""For so many lines of a mail other letters than the one it answers are looked through."""
_BROKEN_NAME = re.compile(r"&#?\w{0,8}$")
"""What is left of "&gt;" at the end of a piece."""


class Known(Protocol):
    """Knows letters of ours; it is asked only where it matters."""

    def answered(self) -> QuotedLetter | None:
        """Return the letter that is answered."""

    def holding(self, line: str, /) -> list[QuotedLetter]:
        """Return the other letters to the same reader that a line may be of."""


class Repeats:
    """The letters that a mail quotes, and how far its quoting went; through all its parts.

    A program that breaks what it quotes marks but the first piece of each line. A piece that goes
    on where the quoted text before it ended is quoted too. So is any piece, below something quoted,
    of what other people wrote in the letter, unless all there is of it stands in marked lines
    already: then the sender wrote the same words himself.
    """

    def __init__(self, known: Known | None) -> None:
        self._known = known
        self._found: list[QuotedLetter] | None = None
        self._answered: QuotedLetter | None = None
        self._searches = 0
        self._tail = self._line = ""
        """The last letters and digits of what is quoted, since the sender's own last line, and
        since the last line that was not the rest of another."""
        self._name = ""
        """What stands at the end of the quoted line before, of the name of a sign."""
        self._any = False
        """Something was quoted before."""

    def quoted(self, line: str, *, is_rest: bool) -> None:
        """Note a line that is quoted, or the rest of one that was broken."""
        whole = unmarked(line)
        text = squeezed(unescape(whole))
        broken = _BROKEN_NAME.search(whole)
        self._name = broken[0] if broken else ""
        self._any = True
        self._tail = (self._tail + text)[-ANCHOR:]
        self._line = ((self._line if is_rest else "") + text)[-ANCHOR:]

    def own(self) -> None:
        """Note that a line was the sender's own."""
        self._tail = self._line = ""

    def answered(self) -> QuotedLetter | None:
        """Return the letter that is answered."""
        self._letters()
        return self._answered

    def knows(self, line: str) -> bool:
        """Tell whether a line is of a letter that is known; remember which ones it may be of."""
        if any(echo.knows(line) for echo in self._letters()):
            return True
        self._searches += 1
        if self._known is None or self._searches > MOST_SEARCHES:
            return False
        found = self._known.holding(line)
        self._letters().extend(found)
        return bool(found)

    def _letters(self) -> list[QuotedLetter]:
        """Return the letters found so far."""
        if self._found is None:
            self._answered = self._known.answered() if self._known else None
            self._found = [self._answered] if self._answered else []
        return self._found

    def goes_on(self, line: str, marked: str, *, at_once: bool) -> bool:
        """Tell whether a line goes on with what was quoted last.

        `marked` are the marked lines, squeezed. What goes on with our own words may be the answer
        they ask for (CONFIRM): it is none only at once below them, and where it cannot be one.
        """
        if not self._tail:
            return False
        if not squeezed(unescape(line)) or at_once and self._ends_name(line):
            # Signs alone, such as an arrow; those that begin a signature stay that.
            return at_once and bool(self._letters()) and line.strip() != "--"
        # Where a line begins, what stood above it may be no part of the letter.
        tails = dict.fromkeys((self._tail, self._line))
        for echo, tail in ((echo, tail) for echo in self._letters() for tail in tails):
            whose = echo.goes_on(tail, line)
            if whose is Whose.CITED:
                return True
            if whose is Whose.OURS and at_once:
                return len(squeezed(line)) >= ANCHOR or echo.has_left(line, marked, cited=False)
        return False

    def _ends_name(self, line: str) -> bool:
        """Tell whether a line is no more than the end of a name that the one before begins."""
        return bool(self._name) and not squeezed(unescape(self._name + line))

    def is_cited(self, line: str, marked: str) -> bool:
        """Tell whether a line may be a piece of what a letter cites: it is in none of the marked
        ones."""
        if not self._any or not squeezed(line):
            return False
        # A line may hold several commands, and may have been broken in the name of a sign.
        pieces = {line, _BROKEN_NAME.sub("", line)}
        pieces |= {piece for piece in line.split(";") if len(squeezed(piece)) > 2}
        return any(
            echo.has_left(piece, marked, cited=True)
            for echo in self._letters() for piece in pieces
        )


MOST_OCTETS = 4 * 1024 * 1024
"""So much of other letters is looked through for one that a mail quotes."""


class Sent(Protocol):
    """What was sent, as the store knows it."""

    def sent_as(self, message_ids: Sequence[str], /) -> bytes:
        """Return the message of ours with the first of these ids that is known; or nothing."""

    def sent_to(self, address: str, /) -> Iterator[bytes]:
        """Yield the newest messages of ours to an address, newest first."""


class Recollection:
    """Remembers what was sent to whoever wrote a mail; nothing is looked for before it is asked.

    `detail` is what of our address the mail went to. Press that is answered where it asks for it
    is a talk between its reader and its writer; quoted anywhere else it is another's words.
    """

    def __init__(
        self, sent: Sent, ours: Ours, sender: str, detail: str, ids: Sequence[str]
    ) -> None:
        self._sent = sent
        self._ours = ours
        self._sender = sender
        self._detail = detail
        self._ids = ids
        self._others: list[QuotedLetter] | None = None
        self._effort = Effort()

    def answered(self) -> QuotedLetter | None:
        """Return the letter that the mail answers, if it says which and we know it."""
        letter = self._sent.sent_as(self._ids) if self._ids else b""
        return self._echo(letter) if letter else None

    def holding(self, line: str) -> list[QuotedLetter]:
        """Return those of the newest letters to its writer that a line may be of."""
        if self._others is None:
            self._others = list(self._recent())
        return [echo for echo in self._others if echo.knows(line)]

    def _recent(self) -> Iterator[QuotedLetter]:
        left = MOST_OCTETS
        for letter in self._sent.sent_to(self._sender) if self._sender else ():
            left -= len(letter)
            if left < 0:
                break
            yield self._echo(letter)

    def _echo(self, letter: bytes) -> QuotedLetter:
        message = Entity(letter)
        back = [address for value in message.all("reply-to") for address in addresses(value)]
        here = self._detail and any(self._ours.detail_of(one) == self._detail for one in back)
        text, is_press = own_text(message), message.text("x-judge-kind") == "press"
        if is_press and here:
            text = _MARKS.sub("", text)
        return QuotedLetter(text, is_press and not here, self._effort)
