"""First words of a game's own order language.

Lines that begin with them are left to the open seat's game.

Most orders begin with no command word and need no entry. If a game has orders such as `CLEAR #20`
or `WITHDRAW PACT EGY`, or blocks such as `ORDERS` … `END`, its system declares them, and an
ambiguous line is an order if a seat of such a game is open.
"""

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from functools import cache
from typing import NamedTuple

ALWAYS_COMMANDS = (
    "SIGNON", "SIGN ON", "SIGNOFF", "SIGN OFF", "HELP", "PRESS", "ENDPRESS", "END PRESS",
    "BROADCAST", "ENDBROADCAST", "END BROADCAST", "SET", "STATUS", "VOTE", "RESIGN", "UNSUBSCRIBE",
)
"""Command words that work at every seat, even inside blocks of orders.

No game may use them for its orders. All other command words are free."""


@dataclass(frozen=True, slots=True)
class OrderWords:
    """Words that begin a line which is always an order.

    `words` are first words of orders in capitals, or a few words where the first alone would be too
    much ("WITHDRAW PACT"); a digit may follow without a blank ("INF3"). `blocks` are words that
    begin a block, each with the line that ends it. All lines between are the game's, except those
    that begin with one of `ALWAYS_COMMANDS` or open another seat. `masters` are words that a master
    may put before a line, with the name of the game. "GM n40a PROCESS" is PROCESS.

    The system receives such lines as typed, including the first and last line of a block. It splits
    the orders on a line and recognises comments itself.

    >>> nations = OrderWords(frozenset({"CLEAR", "WITHDRAW PACT"}), {"ORDERS": "END"})
    >>> [nations.starts_order(text) for text in ("clear #20", "Withdraw  pact EGY", "WITHDRAW",
    ...     "CLEARLY")]
    [True, True, False, False]
    >>> nations.end_of("ORDERS n40a T14"), nations.end_of("CLEAR #20")
    ('END', '')
    """

    words: frozenset[str] = frozenset()
    blocks: Mapping[str, str] = field(default_factory=dict)
    masters: frozenset[str] = frozenset()

    def starts_order(self, plain: str) -> bool:
        """Return whether a line is an order, or begins a block of orders."""
        if not self.words and not self.blocks:
            # Fast path: most games have none, and this runs for every line of every mail.
            return False
        return _begins(self.words, plain) or bool(self.end_of(plain))

    def end_of(self, plain: str) -> str:
        """Return the line that ends the block begun by *plain*, or an empty string."""
        return next((end for head, end in self.blocks.items() if _begins({head}, plain)), "")

    def reserved_words(self) -> tuple[str, ...]:
        """Yield the words that must differ from those of `ALWAYS_COMMANDS`."""
        return (*self.words, *self.blocks, *self.masters)


NO_ORDER_WORDS = OrderWords()
"""Order words of a game whose orders cannot be mistaken for commands."""


class PhaseHead(NamedTuple):
    """Name of a phase at the beginning of a line, as players write it above orders.

    `label` is empty if the line has the form of a phase name but there is no such phase. `rest` is
    an order after it, on the same line. `is_turn` is true if the line names a whole turn, not one
    phase of it.
    """

    label: str
    rest: str = ""
    is_turn: bool = False


class OpenedSeat(NamedTuple):
    """Seat that a mail opens by replying to a letter, before its first line."""

    game: str
    is_masters: bool = False


FindHead = Callable[[str], PhaseHead | None]
"""Function that finds the phase name at the beginning of a line, for all games."""
OrderWordsOf = Callable[[str, tuple[str, ...]], OrderWords]
"""Function that returns the order words of a game by its name.

Its second argument is the text after the password of CREATE, for a game that is being created."""


def find_conflict(words: OrderWords) -> list[str]:
    """Return the words of a game that equal or hide one of `ALWAYS_COMMANDS`.

    >>> find_conflict(OrderWords(frozenset({"CLEAR", "Vote Draw", "SIGN"}),
    ...     {"ORDERS": "End  Press"}))
    ['End  Press', 'SIGN', 'Vote Draw']
    """
    ends = [end for end in words.blocks.values() if _normal(end) in ALWAYS_COMMANDS]
    hides = [
        each
        for each in words.reserved_words()
        if any(_shadows(each, known) for known in ALWAYS_COMMANDS)
    ]
    empty = [each for each in (*words.reserved_words(), *words.blocks.values()) if not each.strip()]
    return sorted({*ends, *hides, *empty})


def _shadows(claimed: str, known: str) -> bool:
    mine, theirs = _normal(claimed).split(), known.split()
    many = min(len(mine), len(theirs))
    return mine[:many] == theirs[:many]


def _normal(words: str) -> str:
    return " ".join(words.upper().split())


def _begins(words: frozenset[str] | set[str], plain: str) -> bool:
    return bool(words) and _pattern(frozenset(words)).match(plain) is not None


@cache
def _pattern(words: frozenset[str]) -> re.Pattern[str]:
    """Compile a pattern for any of *words* as whole words at the beginning of a line."""
    either = "|".join(
        r"\s+".join(map(re.escape, word.split())) for word in sorted(words, key=len, reverse=True)
    )
    return re.compile(rf"\s*(?:{either})(?![^\W\d_]|['’@])", re.IGNORECASE)
