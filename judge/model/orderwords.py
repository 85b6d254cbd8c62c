"""The words of a game's own order language: lines that the judge leaves to the open seat's game.

Most orders begin with no word of the judge's, and need none of this. Where a game has orders such
as `CLEAR #20` or `WITHDRAW PACT EGY`, or blocks such as `ORDERS` … `END`, its system says so, and
then a line that could be both is an order wherever a seat of such a game is open.
"""

import re
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

EVERYWHERE = (
    "SIGNON", "SIGN ON", "SIGNOFF", "SIGN OFF", "HELP", "PRESS", "ENDPRESS", "END PRESS",
    "BROADCAST", "ENDBROADCAST", "END BROADCAST", "SET", "STATUS", "VOTE", "RESIGN", "UNSUBSCRIBE",
)
"""Words of the judge that work at every seat, inside blocks of orders too: no game may have them
for its own. Every other word it may."""


@dataclass(frozen=True, slots=True)
class OrderWords:
    """What begins a line that is an order, whatever else it might be.

    `words` are first words of orders in capitals, or a few words where the first alone would be too
    much ("WITHDRAW PACT"); a digit may follow without a blank ("INF3"). `blocks` are words that
    begin a block, each with the line that ends it: all lines between are the game's, but those that
    begin with one of `EVERYWHERE` or open another seat. `masters` are words that a master may put
    before a line, with the name of the game: "GM n40a PROCESS" is PROCESS.

    The system gets such lines as they were typed, with the first and last of a block among them:
    what parts the orders on a line and what is a comment there is for itself to say.

    >>> nations = OrderWords(frozenset({"CLEAR", "WITHDRAW PACT"}), {"ORDERS": "END"})
    >>> [nations.takes(text) for text in ("clear #20", "Withdraw  pact EGY", "WITHDRAW", "CLEARLY")]
    [True, True, False, False]
    >>> nations.end_of("ORDERS n40a T14"), nations.end_of("CLEAR #20")
    ('END', '')
    """

    words: frozenset[str] = frozenset()
    blocks: Mapping[str, str] = field(default_factory=dict)
    masters: frozenset[str] = frozenset()

    def takes(self, plain: str) -> bool:
        """Tell whether a line is an order, or the head of a block of orders."""
        if not self.words and not self.blocks:
            # As in most games, and every line of every mail is asked.
            return False
        return _begins(self.words, plain) or bool(self.end_of(plain))

    def end_of(self, plain: str) -> str:
        """Return what ends the block that a line begins, or nothing where it begins none."""
        return next((end for head, end in self.blocks.items() if _begins({head}, plain)), "")

    def claimed(self) -> Iterator[str]:
        """Yield the words that must not be among those of `EVERYWHERE`."""
        yield from self.words
        yield from self.blocks
        yield from self.masters


NO_ORDER_WORDS = OrderWords()
"""Of a game whose orders nobody could take for a command."""


class PhaseHead(NamedTuple):
    """The name of a phase at the beginning of a line, as people put it above their orders.

    `label` is empty where the line reads so and there is no such phase. `rest` is an order behind
    it, on the same line. `is_turn`: the line names all of a turn, not what is ordered in it.
    """

    label: str
    rest: str = ""
    is_turn: bool = False


class OpenedSeat(NamedTuple):
    """The seat that a mail opens by the letter it answers, before its first line."""

    game: str
    is_masters: bool = False


FindHead = Callable[[str], PhaseHead | None]
"""Returns the name of a phase that a line begins with, in any game there is."""
OrderWordsOf = Callable[[str, tuple[str, ...]], OrderWords]
"""Returns the order words of a game by its name; of one that is made by what CREATE has after the
password."""


def forbidden(words: OrderWords) -> list[str]:
    """Return what a game claims that works everywhere, or would hide such a word.

    >>> forbidden(OrderWords(frozenset({"CLEAR", "Vote Draw", "SIGN"}), {"ORDERS": "End  Press"}))
    ['End  Press', 'SIGN', 'Vote Draw']
    """
    ends = [end for end in words.blocks.values() if _normal(end) in EVERYWHERE]
    hides = [each for each in words.claimed() if any(_hides(each, known) for known in EVERYWHERE)]
    empty = [each for each in (*words.claimed(), *words.blocks.values()) if not each.strip()]
    return sorted({*ends, *hides, *empty})


def _hides(claimed: str, known: str) -> bool:
    mine, theirs = _normal(claimed).split(), known.split()
    many = min(len(mine), len(theirs))
    return mine[:many] == theirs[:many]


def _normal(words: str) -> str:
    return " ".join(words.upper().split())


def _begins(words: frozenset[str] | set[str], plain: str) -> bool:
    return bool(words) and _pattern(frozenset(words)).match(plain) is not None


@cache
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    """Return a pattern for any of some words, at the beginning of a line and whole."""
    either = "|".join(
        r"\s+".join(map(re.escape, word.split())) for word in sorted(words, key=len, reverse=True)
    )
    return re.compile(rf"\s*(?:{either})(?![^\W\d_]|['’@])", re.IGNORECASE)
