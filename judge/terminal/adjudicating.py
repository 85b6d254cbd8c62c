"""Commands without a judge: `judge adjudicate`, `options`, `draw`.

They read positions and write results, legal orders or pictures. They are for a single game system,
and `docs/run/operating.md` describes their lines.
"""

import json
import time
from collections import deque
from collections.abc import Callable, Iterable, Iterator, Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from itertools import islice
from operator import attrgetter
from typing import NamedTuple

from judge.drawing.png import paint_png
from judge.drawing.svg import draw_svg
from judge.errors import DataError
from judge.games.diplomacy.rules.adjudicate import adjudicate
from judge.games.diplomacy.rules.orders import Verdict
from judge.games.diplomacy.views.adjudicate_json import (
    Case,
    adjudicate_line,
    options_line,
    read_case,
)
from judge.games.diplomacy.views.draw_json import picture_of_line

CHUNK = 100
"""Lines sent to another process at a time."""
AHEAD = 3
"""Chunks queued for each process."""

ANSWERS = {"adjudicate": adjudicate_line, "options": options_line}
"""Command → function that answers one of its lines."""


def answers(command: str, lines: Iterable[str], map_name: str, jobs: int = 1) -> Iterator[str]:
    """Yield the answers to positions in their order, with one or more processes.

    A line that is not a position gets an `error`, and the next one follows. Only a few chunks for
    each process are in memory, however long the stream is. With one process each line is answered
    at once.
    """
    told = (line for line in lines if line.strip())
    if jobs <= 1:
        answer = ANSWERS[command]
        yield from (answer(line, map_name) for line in told)
        return
    with ProcessPoolExecutor(jobs) as pool:
        waiting: deque[Future[list[str]]] = deque()
        while chunk := list(islice(told, CHUNK)):
            waiting.append(pool.submit(_chunk, command, chunk, map_name))
            if len(waiting) >= AHEAD * jobs:
                yield from waiting.popleft().result()
        while waiting:
            yield from waiting.popleft().result()


def _chunk(command: str, lines: Sequence[str], map_name: str) -> list[str]:
    return [ANSWERS[command](line, map_name) for line in lines]


class Rates(NamedTuple):
    """Speed of adjudication."""

    positions: int
    seconds: float
    verdicts: float
    """Positions a second, with a verdict for every unit."""
    reasons: float
    """Positions a second, with a reason for every verdict."""

    def __str__(self) -> str:
        return (
            f"{self.positions} positions in {self.seconds:.3f} s: {self.verdicts:,.0f} positions/s;"
            f" with every reason {self.reasons:,.0f} positions/s"
        )


def bench(lines: Iterable[str], map_name: str) -> Rates:
    """Adjudicate every valid position. Return the number a second.

    The time to parse texts and to write results is excluded.
    """
    cases: list[Case] = []
    for line in lines:
        try:
            cases.append(read_case({"map": map_name} | json.loads(line)))
        except (ValueError, TypeError, RecursionError, DataError):
            continue
    verdicts = _time_adjudication(cases, attrgetter("outcomes"))
    reasons = _time_adjudication(cases, attrgetter("reason"))
    many = len(cases)
    return Rates(
        many, verdicts, many / verdicts if verdicts else 0.0, many / reasons if reasons else 0.0
    )


def _time_adjudication(cases: Iterable[Case], ask: Callable[[Verdict], object]) -> float:
    """Return the seconds to adjudicate positions and call *ask* for each verdict."""
    started = time.perf_counter()
    for board, position, orders, rules in cases:
        for verdicts in adjudicate(board, position, orders, rules).verdicts.values():
            for verdict in verdicts:
                ask(verdict)
    return time.perf_counter() - started


def draw_line(text: str, map_name: str, width: int, as_png: bool) -> bytes:
    """Return the picture of a JSON object as SVG, or as PNG of *width* pixels.

    Raises:
        DataError: The object is neither a position nor a result.
    """
    svg = draw_svg(picture_of_line(text, map_name))
    return paint_png(svg, width) if as_png else svg.encode("utf-8")
