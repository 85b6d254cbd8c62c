"""Repair of misspelt words, and units similar to one that does not exist.

A word is replaced with a near word of the language if the line can then be read in exactly one way.
Numbers are never changed.
"""

import re
from collections.abc import Sequence

from rapidfuzz.distance import DamerauLevenshtein

from judge.games.yorktown.language.grammar import Control, Done, UnreadableLine, parse
from judge.games.yorktown.language.names import MIN_MISSPELT, TYPE_WORDS, UnitNames, kind_called
from judge.games.yorktown.rules.board import counters_of
from judge.games.yorktown.rules.orders import Order

WORDS = (
    *("holds", "enters", "with", "stays", "fires", "builds", "redoubt", "boards", "lands"),
    *("attack", "advance", "retreat", "leave", "losses", "exit", "face", "done", "beach"),
    *("washington", "rochambeau", "cornwallis", "voit", "infantry", "cavalry", "artillery"),
    *("pioneer", "commander", "frigate", "clear", "stay", "fire"),
)
MIN = 4
_WORD = re.compile(r"[a-z]+")
_MIN_TWO_ERRORS = 8
"""Minimum length of a name that may have two errors, in characters."""
_MISSPELT_TYPE = re.compile(r"^([a-z]{3,4})(?= ?[0-9]{1,2}(?![0-9]))")


def repair_line(text: str) -> tuple[str, Order] | None:
    """Return a line with its one misspelt word corrected, and its order, or None.

    >>> repair_line("inf 3 hodls")
    ('inf 3 holds', HoldOrder(unit='INF 3'))
    >>> repair_line("inf 3 dances") is None
    True
    """
    found: dict[Order, str] = {}
    for word in _WORD.finditer(text):
        if word[0] in WORDS or len(word[0]) < MIN:
            continue
        for other in WORDS:
            if DamerauLevenshtein.distance(word[0], other) <= (1 if len(other) < 7 else 2):
                line = text[: word.start()] + other + text[word.end() :]
                read = parse(line)
                if not isinstance(read, UnreadableLine | Control | Done):
                    found.setdefault(read, line)
    if len(found) != 1:
        return None
    read, line = found.popitem()
    return line, read


def correct_names(text: str, names: UnitNames) -> str:
    """Return a line with misspelt names of units corrected.

    A word is replaced if it is close to exactly one name.

    >>> correct_names("guadelupe at 1309 1409", UnitNames("AP"))
    'guadeloupe at 1309 1409'
    """

    def correct_word(found: re.Match[str]) -> str:
        word, limit = found[0], 1 if len(found[0]) < _MIN_TWO_ERRORS else 2
        if names.has_name(word):
            return word
        near = [n for n in names.long_words if DamerauLevenshtein.distance(word, n) <= limit]
        return near[0] if len(near) == 1 else word

    return re.sub(rf"[a-z]{{{MIN_MISSPELT - 1},}}", correct_word, text)


def correct_type(text: str) -> str:
    """Return a line with a misspelt type of its first unit corrected.

    >>> correct_type("atr 21 fires at 1817")
    'art 21 fires at 1817'
    """
    first = _MISSPELT_TYPE.match(text)
    if first and kind_called(first[1]) is None:
        kinds = [kind.lower() for kind in TYPE_WORDS]
        near = [k for k in kinds if DamerauLevenshtein.distance(first[1], k) == 1]
        return near[0] + text[first.end() :] if len(near) == 1 else text
    return text


def units_like(order_id: str, side: str) -> Sequence[str]:
    """Return a side's units of the type of a wrong order id, the most similar first.

    >>> units_like("INF 51", "FA")[:3], units_like("CAV 12", "FA")
    (['INF 11', 'INF 15', 'INF 21'], ['CAV 21', 'CAV 1'])
    """
    kind, _, number = order_id.partition(" ")
    ids = [c.order_id for c in counters_of(side) if c.kind.value == kind]

    def likeness(other: str) -> tuple[int, int, str]:
        other_number = other.partition(" ")[2]
        return DamerauLevenshtein.distance(other_number, number), -len(other), other

    return sorted(ids, key=likeness)
