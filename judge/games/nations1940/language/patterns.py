"""Words and patterns of free wording, read from `patterns.tsv`.

A row of a table has a key, which is the meaning, and a pattern. A name such as `{UNITS}` in a
pattern means any pattern of the table `units`. All patterns ignore case.
"""

import re
from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files

from judge.textfiles import read_rows

_NAME = re.compile(r"\{([A-Z_]+)\}")


@cache
def _tables() -> Mapping[str, Sequence[tuple[str, str]]]:
    found: dict[str, list[tuple[str, str]]] = {}
    for row in read_rows((files(__package__) / "patterns.tsv").read_text(encoding="utf-8")):
        found.setdefault(row["table"], []).append((row["key"], row["pattern"]))
    return found


def rows(table: str) -> Sequence[tuple[str, str]]:
    """Return the rows of a table as written: key and text."""
    return _tables()[table]


@cache
def sources(table: str) -> Sequence[tuple[str, str]]:
    """Return the rows of a table, with the names of other tables replaced."""
    return [(key, _NAME.sub(_any_of_name, text)) for key, text in rows(table)]


def _any_of_name(name: re.Match[str]) -> str:
    return any_of(name[1].lower().replace("_", "-"))


@cache
def any_of(table: str) -> str:
    """Return a pattern that means any pattern of a table.

    >>> any_of("fleets")
    '(?:fleets?|ships?|nav(?:y|ies)|squadrons?|flotten?)'
    """
    return f"(?:{'|'.join(text for _, text in sources(table))})"


@cache
def pattern(table: str) -> re.Pattern[str]:
    """Return the compiled pattern of a table."""
    return re.compile(any_of(table), re.IGNORECASE)


@cache
def forms(table: str) -> Sequence[tuple[str, re.Pattern[str]]]:
    """Return the keys and compiled patterns of a table."""
    return [(key, re.compile(text, re.IGNORECASE)) for key, text in sources(table)]


@cache
def words(table: str) -> frozenset[str]:
    """Return the words of a table."""
    return frozenset(word for _, text in rows(table) for word in text.split())


def key_of(table: str, text: str) -> str:
    """Return the key of the first pattern that fits a whole text, or an empty string.

    >>> key_of("kind", "railway"), key_of("kind", "castle")
    ('RAI', '')
    """
    return next((key for key, form in forms(table) if form.fullmatch(text)), "")
