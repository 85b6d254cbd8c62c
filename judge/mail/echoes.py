"""A letter of ours that comes back under an answer, and what was written into it.

Programs that quote without a mark (Outlook) leave nobody to say whose a line is; but the letter
that is answered is ours, so it is known word by word. A line is its reader's own where it stands
between two lines, or after the last one, that follow each other in the letter and holds words that
do not. Where the letter shows a gap there, a line may be one of ours that a program changed: then
nobody knows, and it does not count.
"""

import re
from collections.abc import Sequence

LONGEST = 64 * 1024
"""More of a letter is not looked at."""
MOST_LINES = 2000
"""More lines than this below the head of a quote are nobody's answer."""
WRAPPED = 60
"""A quoted line this long may have been broken in two."""

_LINK = re.compile(r"<(?:mailto|https?):[^<>]*>")
"""What Outlook puts behind an address."""
_WORD = re.compile(r"[^\W_]+")


class Echo:
    """The words of a letter in a row."""

    def __init__(self, letter: str) -> None:
        self._words = _row(letter[:LONGEST])

    def own(self, lines: Sequence[str]) -> tuple[set[int], set[int]]:
        """Return which lines of a letter that came back are its reader's own, and which may be.

        >>> echo = Echo("You have no orders.\\nA Del: none\\nF Mad: none\\nWrite soon.")
        >>> echo.own(["You have no orders.", "A Del: none", "A Del - Kas", "F Mad: none"])
        ({2}, set())
        >>> echo.own(["You have no orders.", "A Del - Kas", "Write soon."])
        (set(), {1})
        """
        own: set[int] = set()
        doubtful: set[int] = set()
        likely: set[int] = set()
        place, waiting = -1, list[int]()
        for number, line in enumerate(lines[:MOST_LINES]):
            words = _row(_LINK.sub(" ", line))
            if words == " ":
                continue
            if words not in self._words:
                waiting.append(number)
                continue
            at = self._words.find(words, max(place, 0))
            if at < 0:
                # A line of ours out of its order says nothing of where we are.
                continue
            if at != place:
                doubtful |= likely
                likely = set()
            if place >= 0:
                # Words that come twice may be the second ones, and what stood between changed.
                once = self._words.find(words) == self._words.rfind(words)
                (doubtful if at != place else own if once else likely).update(waiting)
            place, waiting = at + len(words) - 1, []
        likely.update(waiting)
        if place == len(self._words) - 1:
            return own | likely, doubtful
        return own, doubtful | likely

    def goes_on(self, line: str, following: str) -> bool:
        """Tell whether a quoted line was broken in two, the second without its mark.

        >>> echo = Echo("Reply to this letter or send a new mail to judge@example.org today.")
        >>> echo.goes_on("> Reply to this letter or send", "a new mail to judge@example.org")
        True
        """
        return _row(following) != " " and _row(line) + _row(following)[1:] in self._words


def _row(text: str) -> str:
    """Return the words of a text in a row, without signs, a blank before, between and after."""
    words = _WORD.findall(text.casefold())
    return f" {' '.join(words)} " if words else " "
