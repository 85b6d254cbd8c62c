"""Positions in, results out, one JSON object a line: `judge adjudicate`.

The one command that is for a single game system; its lines are described in docs/operating.md.
"""

import json
import time
from collections.abc import Callable, Iterable, Iterator
from operator import attrgetter
from typing import NamedTuple

from judge.errors import DataError
from judge.games.diplomacy.adjudicate import adjudicate
from judge.games.diplomacy.lines import Case, adjudicate_line, read_case
from judge.games.diplomacy.outcome import Verdict


def adjudicate_lines(lines: Iterable[str], map_name: str) -> Iterator[str]:
    """Yield a result for each position; a line that is none gets an `error`, and it goes on."""
    for line in lines:
        if line.strip():
            yield adjudicate_line(line, map_name)


class Rates(NamedTuple):
    """How fast positions are adjudicated."""

    positions: int
    seconds: float
    verdicts: float
    """Positions a second, every unit with its verdict."""
    reasons: float
    """Positions a second, every verdict with its reason."""

    def __str__(self) -> str:
        return (
            f"{self.positions} positions in {self.seconds:.3f} s: {self.verdicts:,.0f} positions/s;"
            f" with every reason {self.reasons:,.0f} positions/s"
        )


def bench(lines: Iterable[str], map_name: str) -> Rates:
    """Adjudicate every position that can be read; return how many a second.

    Reading the texts and writing the results are left out.
    """
    cases: list[Case] = []
    for line in lines:
        try:
            cases.append(read_case({"map": map_name} | json.loads(line)))
        except (ValueError, TypeError, RecursionError, DataError):
            continue
    verdicts = _timed(cases, attrgetter("outcomes"))
    reasons = _timed(cases, attrgetter("reason"))
    many = len(cases)
    return Rates(
        many, verdicts, many / verdicts if verdicts else 0.0, many / reasons if reasons else 0.0
    )


def _timed(cases: Iterable[Case], ask: Callable[[Verdict], object]) -> float:
    """Return the seconds it takes to adjudicate positions and ask each verdict for something."""
    started = time.perf_counter()
    for board, position, orders, rules in cases:
        for verdicts in adjudicate(board, position, orders, rules).verdicts.values():
            for verdict in verdicts:
                ask(verdict)
    return time.perf_counter() - started
