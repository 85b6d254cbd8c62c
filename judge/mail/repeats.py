"""What of a mail repeats letters of ours, in whatever pieces, though no mark says so.

A program that breaks what it quotes marks but the first piece of each line. A piece that goes on
where the quoted text before it ended is quoted too. So is any piece, below something quoted, of
what other people wrote in the letter, unless all there is of it stands in marked lines already:
then the sender wrote the same words himself.
"""

from typing import Protocol

from judge.mail.echoes import ANCHOR, Echo, Whose, squeezed, unmarked

MOST_SEARCHES = 20
"""For so many lines of a mail other letters than the one it answers are looked through."""


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
        self._tail = ""
        """The last letters and digits of what is quoted, since the sender's own last line."""
        self._any = False
        """Something was quoted before."""

    def quoted(self, line: str) -> None:
        """Note a line that is quoted."""
        self._any = True
        self._tail = (self._tail + squeezed(unmarked(line)))[-ANCHOR:]

    def own(self) -> None:
        """Note that a line was the sender's own."""
        self._tail = ""

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
        for echo in self._letters():
            whose = echo.goes_on(self._tail, line)
            if whose is Whose.CITED:
                return True
            if whose is Whose.OURS and at_once:
                return len(squeezed(line)) >= ANCHOR or echo.has_left(line, marked, cited=False)
        return False

    def is_cited(self, line: str, marked: str) -> bool:
        """Tell whether a line may be a piece of what a letter cites: it is in none of the marked
        ones."""
        if not self._any or not squeezed(line):
            return False
        # A line may hold several commands, and each may be joined to others in one more way.
        pieces = {line, *(piece for piece in line.split(";") if len(squeezed(piece)) > 2)}
        return any(
            echo.has_left(piece, marked, cited=True)
            for echo in self._letters() for piece in pieces
        )
