"""Names of turns, in letters and in mails (N-7, N-8)."""

import re

from judge.games.nations1940.rules.state import label_of
from judge.model.phrase import Phrase, phrase


def label(turn: int) -> str:
    """Return the label of a turn.

    >>> label(14)
    'T14'
    """
    return f"T{turn}"


def turn_number(text: str) -> int:
    """Return the number of the turn with a label.

    >>> turn_number("T14")
    14
    """
    return int(text[1:])


_NAMED = re.compile(
    r"\s*(?:t(?:urn)?\s*#?([0-9]{1,3})|(19[0-9]{2})\.([0-9]{1,2})|(pre-?1940))\s*", re.I
)


def find_turn(words: str) -> str | None:
    """Return the label of the turn that words name, or None.

    >>> [find_turn(words) for words in ("t14", "Turn 14", "1941.2", "Pre-1940", "marco", "1940.13")]
    ['T14', 'T14', 'T14', 'T0', None, None]
    """
    found = _NAMED.fullmatch(words)
    if not found:
        return None
    if found[1]:
        return label(int(found[1]))
    if found[4]:
        return label(0)
    year, month = int(found[2]), int(found[3])
    return label((year - 1940) * 12 + month) if year >= 1940 and 1 <= month <= 12 else None


def turn_named(turn: int) -> Phrase:
    """Return a turn in words, such as "Turn 14 (1941.2)"."""
    return phrase("turn-named", n=turn, date=label_of(turn)) if turn else phrase("turn-zero")


def title_of(code: str, turn: int) -> Phrase:
    """Return a title that names a turn."""
    if not turn:
        return Phrase(f"{code}-zero", {})
    return Phrase(code, {"n": turn, "date": label_of(turn)})


TITLES = (
    "title-results", "title-results-zero", "title-next", "title-next-zero", "title-position",
    "title-position-zero", "title-sheet", "title-sheet-zero",
)  # fmt: skip
"""Titles that name turns."""
