"""SET lines of nJudge and DPjudge, with their equivalents here.

The table is `oldspellings.tsv`. A row with an answer applies to all lines that begin with its
words, regardless of what follows, and with NO before them.
"""

from collections.abc import Mapping, Sequence
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from judge.model.phrase import Phrase, phrase
from judge.textfiles import read_rows

_USUAL_LENGTH = "24h"
"""Length of time in a suggested line, if none was written."""


class LegacyAnswer(NamedTuple):
    """Reason why a line has no equivalent here, and lines that can be sent instead."""

    reason: Phrase
    lines: tuple[str, ...]


class _Row(NamedTuple):
    here: str
    answer: str
    lines: tuple[str, ...]


@cache
def _table() -> Mapping[str, _Row]:
    rows = read_rows((files(__package__) / "oldspellings.tsv").read_text(encoding="utf-8"))
    return {
        row["words"]: _Row(
            row["here"].strip("-"), row["answer"].strip("-"),
            tuple(filter(None, row["lines"].strip("-").split(";"))),
        )
        for row in rows
    }


def spellings() -> tuple[str, ...]:
    """Return all lines of the table, without SET."""
    return tuple(_table())


def translate_setting(words: Sequence[str], off: bool) -> tuple[tuple[str, ...], bool]:
    """Return the equivalent words and NO of a SET line.

    >>> translate_setting(["white"], False), translate_setting(["NMR"], True)
    ((('WHITE', 'PRESS'), False), (('NMR', 'WAIT'), False))
    >>> translate_setting(["GUNBOAT"], False)
    (('GUNBOAT',), False)
    """
    row = _table().get(" ".join([*(["NO"] if off else []), *words]).upper())
    if row is None or not row.here:
        return tuple(words), off
    here = row.here.split()
    return (tuple(here[1:]), True) if here[0] == "NO" and here != ["NO", "PRESS"] else (
        tuple(here), False
    )


def legacy_answer(
    words: Sequence[str], off: bool = False, clocks: Sequence[str] = ("MOVE",)
) -> LegacyAnswer | None:
    """Return the reply to a SET line of other judges without an equivalent, or None.

    In the lines to send, {rest} is what follows the words of the row. A line with {clock} is sent
    for each clock of the game, one with {main} for the first of *clocks*.

    >>> legacy_answer(["DELAY", "0"], False, ["MOVE", "BUILD"]).lines
    ('SET MOVE DELAY 0', 'SET BUILD DELAY 0')
    >>> legacy_answer(["MODERATED"], True).lines
    ('SET GM PLAYS',)
    """
    upper = [word.upper() for word in words]
    for many in range(min(3, len(upper)), 0, -1):
        named = " ".join(upper[:many])
        row = off and _table().get(f"NO {named}") or _table().get(named)
        if row and row.answer:
            rest = " ".join(words[many:]) or _USUAL_LENGTH
            lines = dict.fromkeys(
                line.format(rest=rest, clock=clock, main=clocks[0])
                for line in row.lines for clock in clocks
            )
            return LegacyAnswer(phrase(f"old-{row.answer}", words=named), tuple(lines))
    return None
