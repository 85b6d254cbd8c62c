"""Patterns of the words in order lines, and the replacement of free words.

The tables of free words are in `tables/words.tsv`.
"""

import re
from functools import cache
from importlib.resources import files

from judge.games.yorktown.language.names import ANY_TYPE
from judge.textfiles import read_rows

SIDE = ("north-?east|north-?west|south-?east|south-?west|north|south|west|east|ne|nw|se|sw|n|s|w|e")
UNIT = r"(?:(?:inf|cav|art|pio|cmd|frig) [0-9]{1,2})"
UNITS = rf"{UNIT}(?:(?: and| &)? {UNIT})*"
HEXES = r"[0-9]{4}(?:[- ]+[0-9]{4})*"
_NAMED = {"UNIT": UNIT, "UNITS": UNITS, "HEXES": HEXES, "SIDE": SIDE, "TYPE": ANY_TYPE}
"""Patterns that rows of the tables name."""


def replace_words(text: str, table: str = "words") -> str:
    """Return a line with the patterns of a table replaced, one after the other.

    >>> replace_words("guards dig in"), replace_words("turn to port", "ship")
    ('guards builds redoubt', 'l')
    >>> replace_words("done please", "courtesy")
    'done'
    """
    for pattern, put in _replacements(table):
        text = " ".join(pattern.sub(put, text).split())
    return text


def has_form(text: str, table: str) -> bool:
    """Return whether a whole line matches a pattern of a table.

    >>> has_form("move orders:", "heading"), has_form("inf 3:", "heading")
    (True, False)
    >>> has_form("all done", "done"), has_form("all done see attached", "done")
    (True, False)
    >>> has_form("all other units hold", "hold-all"), has_form("inf 3 holds", "hold-all")
    (True, False)
    """
    return any(pattern.fullmatch(text) for pattern, _ in _replacements(table))


def find_meaning(text: str, table: str) -> str:
    """Return the replacement of the first pattern that occurs in a line, or "".

    >>> find_meaning("inf 3 captures it and holds", "kind")
    'hold'
    """
    return next((put for pattern, put in _replacements(table) if pattern.search(text)), "")


@cache
def _replacements(table: str) -> tuple[tuple[re.Pattern[str], str], ...]:
    """Return the patterns of a table with their replacements."""
    rows = read_rows(files("judge.games.yorktown").joinpath("tables/words.tsv").read_text("utf-8"))
    return tuple(
        (
            re.compile(re.sub("<([A-Z]+)>", lambda found: _NAMED[found[1]], row["pattern"])),
            row["replacement"].replace("_", " "),
        )
        for row in rows if row["table"] == table
    )
