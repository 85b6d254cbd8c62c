"""Detection of lines quoted from the judge's letters, in any style of quoting.

Programs that quote without a mark (Outlook) do not show the author of a line. The answered letter,
however, is known word by word. A line is the sender's own if it is between two lines that follow
each other in the letter, or after its last one, and has words that do not. If the letter has a gap
there, the line may be one of the letter's that a program changed. Then its author is unknown, and
it does not count.

Programs that break lines they quote mark only the first piece of each. Therefore each position of
the letter is known, ignoring blanks and signs. A piece that continues at the end of the previous
quoted line is quoted too, and so is third-party text of the letter (`citing`), in pieces of any
size.
"""

import re
import unicodedata
from bisect import bisect_left
from collections.abc import Callable, Iterator, Sequence
from enum import Enum
from functools import cached_property
from html import unescape
from typing import Protocol

from judge.mail.address import JudgeAddresses, addresses
from judge.mail.inbound.contents import own_text
from judge.mail.inbound.mime import Entity
from judge.mail.outbound.third_party_text import THIRD_PARTY_MARK, is_cited

MAX_WORK = 400_000_000
"""Characters to search for all lines of one mail.

After that, any line may be the letter's.
"""
SEARCH_WINDOW = 4096
"""Range after the last match in which the next piece is searched first."""
SEARCH_COST = 200
"""Cost of finding one position, however near it is."""
ANCHOR_LENGTH = 24
"""Number of letters of a quoted line that identify the position of its end."""
MIN_ANCHOR = 4

_LINK = re.compile(r"<(?:mailto|https?):[^<>]*>")
"""Link that Outlook adds after an address."""
_WORD = re.compile(r"[^\W_]+")
_SIGNS = re.compile(r"[\W_]+")
_ASCII_SIGNS = str.maketrans(dict.fromkeys(
    sign for sign in map(chr, range(128)) if not sign.isalnum()
))
"""Table to drop ASCII signs, in a third of the time of the pattern."""
_MARKS = re.compile(rf"^ *{re.escape(THIRD_PARTY_MARK)} ?", re.MULTILINE)
_QUOTE_MARKS = re.compile(r"^(?:[ \t]*(?:[\w.-]{1,12}(?=>)|[>|:}%#＞»]))*[ \t]*")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


class QuoteOrigin(Enum):
    """Origin of the words in a letter that a line repeats."""

    NOBODYS = 0
    OURS = 1
    CITED = 2
    """Third-party text in the letter."""


class WorkBudget:
    """Remaining search budget for one mail, in all letters that it may quote."""

    def __init__(self) -> None:
        self.left = MAX_WORK


class QuotedLetter:
    """The words of a letter in sequence.

    With *foreign*, all of them count as third-party text.
    """

    def __init__(
        self, letter: str, foreign: bool = False, effort: WorkBudget | None = None
    ) -> None:
        self._letter = letter
        self._foreign = foreign
        self._words = _row(letter)
        self._effort = effort or WorkBudget()

    def find_own_lines(self, lines: Sequence[str]) -> tuple[set[int], set[int]]:
        """Return the lines of a returned letter that are, and may be, the reader's own.

        Lines are given by their index.

        >>> echo = QuotedLetter("You have no orders.\\nA Del: none\\nF Mad: none\\nWrite soon.")
        >>> echo.find_own_lines(["You have no orders.", "A Del: none", "A Del - Kas",
        ...     "F Mad: none"])
        ({2}, set())
        >>> echo.find_own_lines(["You have no orders.", "A Del - Kas", "Write soon."])
        (set(), {1})
        """
        find_own_lines: set[int] = set()
        doubtful: set[int] = set()
        likely: set[int] = set()
        place, waiting = -1, list[int]()
        for number, line in enumerate(lines):
            words = _row(_LINK.sub(" ", line))
            if words == " ":
                continue
            at = self._find(words, max(place, 0))
            if self._effort.left <= 0:
                return set(), find_own_lines | doubtful | likely
            if at < 0:
                # A line of the letter out of order does not change the position.
                if self._find(words, 0) < 0:
                    waiting.append(number)
                continue
            if at != place:
                doubtful |= likely
                likely = set()
            if place >= 0 and waiting:
                # Words that occur twice may be the second ones, with a changed line in between.
                once = self._words.find(words) == self._words.rfind(words)
                (doubtful if at != place else find_own_lines if once else likely).update(waiting)
            place, waiting = at + len(words) - 1, []
        likely.update(waiting)
        if place == len(self._words) - 1:
            return find_own_lines | likely, doubtful
        return find_own_lines, doubtful | likely

    def _find(self, words: str, start: int) -> int:
        at = self._words.find(words, start)
        self._effort.left -= (at if at >= 0 else len(self._words)) - start
        return at

    def contains(self, line: str) -> bool:
        """Return whether a line is in the letter, whole or as a piece of a line.

        >>> QuotedLetter("|| Shall we go on?\\nYou have no orders.").contains("> > || we go")
        True
        """
        if not letters_and_digits(line):
            return True
        texts = (line, line.rpartition(THIRD_PARTY_MARK)[2], strip_quote_marks(line))
        folded = ((form, form.fold(text)) for form in self._forms(line) for text in texts)
        return any(
            row and (form.near(row) >= 0 or bool(self._places(form, row, 1)))
            for form, row in folded
        )

    def continues(self, before: str, line: str) -> QuoteOrigin:
        """Return the origin of the words that *line* continues with after *before*.

        *before* is the end of the quoted text, squeezed.

        >>> echo = QuotedLetter("Reply to this letter.\\n|| Dear Ann, A Vie H please")
        >>> echo.continues("dearann", "A Vie"), echo.continues("dearann", "A Bud")
        (<QuoteOrigin.CITED: 2>, <QuoteOrigin.NOBODYS: 0>)
        """
        anchor = before[-ANCHOR_LENGTH:]
        found = QuoteOrigin.NOBODYS
        for form in self._forms(line) if len(anchor) >= MIN_ANCHOR else ():
            start, text = form.fold(anchor), form.fold(line)
            if not text:
                continue
            near = form.near(start + text)
            for at in [near] if near >= 0 else self._places(form, start + text):
                if form.is_cited(at + len(start), at + len(start) + len(text)):
                    return QuoteOrigin.CITED
                found = QuoteOrigin.OURS
        return found

    def has_left(self, line: str, marked: str, *, cited: bool) -> bool:
        """Return whether a line is in the letter more often than in *marked*.

        *marked* are the marked lines, squeezed. With *cited* the line counts only if it occurs in
        third-party text.

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
                if len(places) > marked.count(letters_and_digits(line)):
                    return True
        # Once the budget is spent, the line may be in the letter once more than was found.
        return self._effort.left <= 0

    def _places(self, form: "_Form", text: str, most: int = 0) -> list[int]:
        """Return the positions of a text in a form of the letter, at most *most* or all."""
        found: list[int] = []
        at = 0
        while self._effort.left > 0 and (not most or len(found) < most):
            start, at = at, form.row.find(text, at)
            self._effort.left -= (at if at >= 0 else len(form.row)) - start + SEARCH_COST
            if at < 0:
                break
            found.append(at)
            at += 1
        return found

    def _forms(self, line: str) -> list["_Form"]:
        """Return the forms of the letter that a line may be quoted from.

        Some programs damage all but ASCII, or write signs of HTML as entities.
        """
        return [*self._usual, self._unescaped] if "&" in line else self._usual

    @cached_property
    def _usual(self) -> list["_Form"]:
        lines = self._letter.split("\n")
        forms = [_Form(lines, self._foreign, letters_and_digits)]
        if not self._letter.isascii():
            forms.append(_Form(lines, self._foreign, _in_ascii))
        return forms

    @cached_property
    def _unescaped(self) -> "_Form":
        return _Form(self._letter.split("\n"), self._foreign, _without_names)


class _Form:
    """A letter as a row of letters and digits, with the ranges of third-party text."""

    def __init__(self, lines: Sequence[str], foreign: bool, fold: Callable[[str], str]) -> None:
        self.fold = fold
        """Function that makes a row of a text."""
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
        """Return the position of a text soon after the last one found, or -1."""
        at = self.row.find(text, self._last, self._last + SEARCH_WINDOW)
        if at >= 0:
            self._last = at
        return at

    def is_cited(self, start: int, end: int) -> bool:
        """Return whether a range of the row touches third-party text."""
        at = bisect_left(self._starts, end)
        return at > 0 and self._ends[at - 1] > start


def letters_and_digits(text: str) -> str:
    """Return the letters and digits of a text, without case and accents.

    >>> letters_and_digits("> A Vie - Týr!")
    'avietyr'
    """
    if text.isascii():
        return text.lower().translate(_ASCII_SIGNS)
    return _SIGNS.sub("", unicodedata.normalize("NFKD", text).casefold())


def _in_ascii(text: str) -> str:
    return letters_and_digits(_NOT_ASCII.sub("", text))


def _without_names(text: str) -> str:
    return letters_and_digits(unescape(text))


def strip_quote_marks(line: str) -> str:
    """Return a line without the quote marks that programs put before it.

    >>> strip_quote_marks("Ann> > and so on")
    'and so on'
    """
    return _QUOTE_MARKS.sub("", line)


def _row(text: str) -> str:
    """Return the words of a text without signs, with a blank before and after each."""
    words = _WORD.findall(text.casefold())
    return f" {' '.join(words)} " if words else " "


MAX_SEARCHES = 20
"""Maximum lines of a mail to search in letters other than the answered one."""
_BROKEN_NAME = re.compile(r"&#?\w{0,8}$")
"""Beginning of an entity such as "&gt;" at the end of a piece."""


class LetterMatcher(Protocol):
    """Lazy access to letters of the judge that a mail may quote."""

    def find_answered_letter(self) -> QuotedLetter | None:
        """Return the answered letter, or None."""

    def letters_containing(self, line: str, /) -> list[QuotedLetter]:
        """Return the other letters to the same reader that a line may be of."""


class QuoteTracker:
    """The letters that a mail quotes, and the current position of its quotes.

    One instance serves all parts of a mail. A program that breaks lines it quotes marks only the
    first piece of each. A piece that continues at the end of the previous quoted text is quoted
    too. So is, below something quoted, any piece of third-party text in the letter, unless all its
    occurrences are in marked lines already. Then the sender wrote the same words.
    """

    def __init__(self, known: LetterMatcher | None) -> None:
        self._known = known
        self._found: list[QuotedLetter] | None = None
        self._answered: QuotedLetter | None = None
        self._searches = 0
        self._tail = self._line = ""
        """Last letters and digits of the quoted text.

        `_tail` begins after the sender's own last line, `_line` after the last line that was not
        the rest of another.
        """
        self._name = ""
        """Beginning of an entity at the end of the previous quoted line."""
        self._any = False
        """True once a line was quoted."""

    def note_quoted_line(self, line: str, *, is_rest: bool) -> None:
        """Record a line that is quoted, or the rest of one that was broken."""
        whole = strip_quote_marks(line)
        text = letters_and_digits(unescape(whole))
        broken = _BROKEN_NAME.search(whole)
        self._name = broken[0] if broken else ""
        self._any = True
        self._tail = (self._tail + text)[-ANCHOR_LENGTH:]
        self._line = ((self._line if is_rest else "") + text)[-ANCHOR_LENGTH:]

    def find_own_lines(self) -> None:
        """Record that a line was the sender's own."""
        self._tail = self._line = ""

    def find_answered_letter(self) -> QuotedLetter | None:
        """Return the answered letter, or None."""
        self._letters()
        return self._answered

    def contains(self, line: str) -> bool:
        """Return whether a line is from a known letter. Keep the letters it may be from."""
        if any(echo.contains(line) for echo in self._letters()):
            return True
        self._searches += 1
        if self._known is None or self._searches > MAX_SEARCHES:
            return False
        found = self._known.letters_containing(line)
        self._letters().extend(found)
        return bool(found)

    def _letters(self) -> list[QuotedLetter]:
        """Return the letters found so far."""
        if self._found is None:
            self._answered = self._known.find_answered_letter() if self._known else None
            self._found = [self._answered] if self._answered else []
        return self._found

    def continues(self, line: str, marked: str, *, at_once: bool) -> bool:
        """Return whether a line continues the last quoted text.

        *marked* are the marked lines, squeezed. A line that continues the judge's own words may be
        the reply they ask for (CONFIRM). It counts as quoted only directly below them (*at_once*),
        and if it cannot be a reply.
        """
        if not self._tail:
            return False
        if not letters_and_digits(unescape(line)) or at_once and self._ends_name(line):
            # Signs alone, such as an arrow, continue the quote, but "--" begins a signature.
            return at_once and bool(self._letters()) and line.strip() != "--"
        # If the line begins a quoted line, the text above it may not be in the letter.
        tails = dict.fromkeys((self._tail, self._line))
        for echo, tail in ((echo, tail) for echo in self._letters() for tail in tails):
            whose = echo.continues(tail, line)
            if whose is QuoteOrigin.CITED:
                return True
            if whose is QuoteOrigin.OURS and at_once:
                return len(letters_and_digits(line)) >= ANCHOR_LENGTH or echo.has_left(
                    line, marked, cited=False
                )
        return False

    def _ends_name(self, line: str) -> bool:
        """Return whether a line is only the end of an entity begun on the previous line."""
        return bool(self._name) and not letters_and_digits(unescape(self._name + line))

    def is_cited(self, line: str, marked: str) -> bool:
        """Return whether a line may be third-party text missing in the marked lines."""
        if not self._any or not letters_and_digits(line):
            return False
        # A line may have several commands, and may have been broken inside an entity.
        pieces = {line, _BROKEN_NAME.sub("", line)}
        pieces |= {piece for piece in line.split(";") if len(letters_and_digits(piece)) > 2}
        return any(
            echo.has_left(piece, marked, cited=True)
            for echo in self._letters() for piece in pieces
        )


MAX_OCTETS = 4 * 1024 * 1024
"""Maximum bytes of other letters to search for one that a mail quotes."""


class SentMail(Protocol):
    """Access to sent letters in the store."""

    def sent_as(self, message_ids: Sequence[str], /) -> bytes:
        """Return the letter with the first known id of these, or empty bytes."""

    def sent_to(self, address: str, /) -> Iterator[bytes]:
        """Yield the newest letters to an address, newest first."""


class SentLetterMatcher:
    """Letters sent to the sender of a mail, loaded when first needed.

    *detail* is the detail of the judge's address that the mail went to. Press that is answered at
    its Reply-To is a conversation between its reader and its writer. Quoted anywhere else it is
    third-party text.
    """

    def __init__(
        self, sent: SentMail, ours: JudgeAddresses, sender: str, detail: str, ids: Sequence[str]
    ) -> None:
        self._sent = sent
        self._ours = ours
        self._sender = sender
        self._detail = detail
        self._ids = ids
        self._others: list[QuotedLetter] | None = None
        self._effort = WorkBudget()

    def find_answered_letter(self) -> QuotedLetter | None:
        """Return the letter that the mail answers, or None if it is unknown."""
        letter = self._sent.sent_as(self._ids) if self._ids else b""
        return self._echo(letter) if letter else None

    def letters_containing(self, line: str) -> list[QuotedLetter]:
        """Return those of the newest letters to the sender that a line may be of."""
        if self._others is None:
            self._others = list(self._recent())
        return [echo for echo in self._others if echo.contains(line)]

    def _recent(self) -> Iterator[QuotedLetter]:
        left = MAX_OCTETS
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
