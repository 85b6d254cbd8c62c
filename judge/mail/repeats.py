"""What of a mail repeats letters of ours, in whatever pieces, though no mark says so.

A program that breaks what it quotes marks but the first piece of each line. A piece that goes on
where the quoted text before it ended is quoted too. So is any piece, below something quoted, of
what other people wrote in the letter, unless all there is of it stands in marked lines already:
then the sender wrote the same words himself.
"""

import re
from html import unescape
from typing import Protocol

from judge.mail.echoes import ANCHOR, Echo, Whose, squeezed, unmarked

MOST_SEARCHES = 20
"""For so many lines of a mail other letters than the one it answers are looked through."""
_BROKEN_NAME = re.compile(r"&#?\w{0,8}$")
"""What is left of "&gt;" at the end of a piece."""


class Known(Protocol):
    """Knows letters of ours; it is asked only where it matters."""

    def answered(self) -> Echo | None:
        """Return the letter that is answered."""

    def holding(self, line: str, /) -> list[Echo]:
        """Return the other letters to the same reader that a line may be of."""


class Repeats:
    """The letters that a mail quotes, and how far its quoting went; through all its parts."""

    def __init__(self, known: Known | None) -> None:
        self._known = known
        self._found: list[Echo] | None = None
        self._answered: Echo | None = None
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

    def answered(self) -> Echo | None:
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

    def _letters(self) -> list[Echo]:
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
