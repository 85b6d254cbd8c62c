"""Positions in, results out, one JSON object a line: `judge adjudicate`.

The one command that is for a single game system; its lines are described in docs/operating.md.
"""

import json
import time
from collections.abc import Iterable, Iterator

from judge.errors import DataError
from judge.games.diplomacy.adjudicate import adjudicate
from judge.games.diplomacy.lines import adjudicate_line, read_case


def adjudicate_lines(lines: Iterable[str], map_name: str) -> Iterator[str]:
    """Yield a result for each position; a line that is none gets an `error`, and it goes on."""
    for line in lines:
        if line.strip():
            yield adjudicate_line(line, map_name)


def bench(lines: Iterable[str], map_name: str) -> str:
    """Adjudicate every position that can be read; return how many a second.

    Reading the texts and writing the results are left out.
    """
    cases = []
    for line in lines:
        try:
            cases.append(read_case({"map": map_name} | json.loads(line)))
        except (ValueError, TypeError, RecursionError, DataError):
            continue
    started = time.perf_counter()
    for board, position, orders, rules in cases:
        adjudicate(board, position, orders, rules)
    took = time.perf_counter() - started
    rate = len(cases) / took if took else 0.0
    return f"{len(cases)} positions in {took:.3f} s: {rate:,.0f} positions/s"
