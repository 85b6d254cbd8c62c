"""Misspelt words of order lines, and units that do not exist: what may have been meant.

A word is put right where exactly one word of the language is near and the line then reads; numbers
are never touched.
"""

import re
from collections.abc import Sequence

from rapidfuzz.distance import DamerauLevenshtein

from judge.games.yorktown.language.grammar import Control, Done, Unread, parse
from judge.games.yorktown.rules.board import counters_of
from judge.games.yorktown.rules.orders import Order

WORDS = (
    *("holds", "enters", "with", "stays", "fires", "builds", "redoubt", "boards", "lands"),
    *("attack", "advance", "retreat", "leave", "losses", "exit", "face", "done", "beach"),
    *("washington", "rochambeau", "cornwallis", "voit", "infantry", "cavalry", "artillery"),
    *("pioneer", "commander", "frigate", "clear", "stay", "fire"),
)
SHORTEST = 4
_WORD = re.compile(r"[a-z]+")


def repaired(text: str) -> tuple[str, Order] | None:
    """Return a line with its one misspelt word put right, and what it reads as then.

    >>> repaired("inf 3 hodls")
    ('inf 3 holds', Hold(unit='INF 3'))
    >>> repaired("inf 3 dances") is None
    True
    """
    found: dict[Order, str] = {}
    for word in _WORD.finditer(text):
        if word[0] in WORDS or len(word[0]) < SHORTEST:
            continue
        for other in WORDS:
            if DamerauLevenshtein.distance(word[0], other) <= (1 if len(other) < 7 else 2):
                line = text[: word.start()] + other + text[word.end() :]
                read = parse(line)
                if not isinstance(read, Unread | Control | Done):
                    found.setdefault(read, line)
    if len(found) != 1:
        return None
    read, line = found.popitem()
    return line, read


def units_like(order_id: str, side: str) -> Sequence[str]:
    """Return a side's units of the type of a wrong order id, the likest first.

    >>> units_like("INF 51", "FA")[:3], units_like("CAV 12", "FA")
    (['INF 11', 'INF 15', 'INF 21'], ['CAV 21', 'CAV 1'])
    """
    kind, _, number = order_id.partition(" ")
    ids = [c.order_id for c in counters_of(side) if c.kind.value == kind]

    def likeness(other: str) -> tuple[int, int, str]:
        other_number = other.partition(" ")[2]
        return DamerauLevenshtein.distance(other_number, number), -len(other), other

    return sorted(ids, key=likeness)
