"""Chart of scores by year: a line and a letter for each side, and the goal.

The letters are moved apart and kept above the years, also where many sides end level. A reader who
sees no colours can follow a line back from its letter.
"""

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.base import Point, path_of
from judge.drawing.drawing import Drawing
from judge.drawing.framing import add_frame, height_of
from judge.drawing.picture import Captions, Head
from judge.drawing.primitives import PHONE_PAGE, FinishedDrawing, Layer, Path, Primitive, Text, box

WIDTH, HEIGHT = PHONE_PAGE, 340.0
LEFT, RIGHT, TOP, BOTTOM = 46.0, 44.0, 16.0, 34.0
SIZE = 18.0
"""Size of the texts: nine pixels on a phone."""
APART = 18.0
"""Units between two letters at the ends of lines."""
DASHES = ("", "11 4", "4 3")
"""Dashes of lines. No two of three neighbouring colours of the palette share one."""
MAX_YEARS = 7
"""Maximum number of years written below the chart."""


class ChartLine(NamedTuple):
    """Counts of one side. `colour` is its number in the palette."""

    name: str
    letter: str
    colour: int
    counts: tuple[int, ...]


@dataclass(frozen=True)
class Chart(Drawing):
    """The drawing of scores, of two years at least."""

    head: Head
    lines: tuple[ChartLine, ...]
    years: tuple[str, ...]
    goal: int = 0
    """Score that wins, or 0 if no score does."""
    goal_told: str = ""

    @property
    def captions(self) -> Captions:
        """Head of the chart, and its description for readers who cannot see it."""
        shares = (f"{one.name} {one.counts[-1]}" for one in self.lines)
        told = f"From {self.years[0]} to {self.years[-1]}; at the end {', '.join(shares)}."
        return Captions(self.head, describes=told)

    @property
    def size(self) -> tuple[float, float]:
        """Size of the chart, as wide as a phone."""
        return WIDTH, HEIGHT

    @property
    def pixels(self) -> int:
        """Width in pixels, nearly twice that of a phone in CSS pixels."""
        return 640

    @property
    def proportion(self) -> float:
        """Height with the head, in parts of the width."""
        return height_of(self.captions, *self.size, PHONE_PAGE) / WIDTH

    def draw_page(self) -> FinishedDrawing:
        """Return the chart with its head."""
        return add_frame(self.layers(), *self.size, self.captions, PHONE_PAGE)

    def layers(self) -> tuple[Layer, ...]:
        """Return the paper, the lines and their letters."""
        ground = Path(box(0, 0, WIDTH, HEIGHT), fill=colours.PAPER)
        return (
            Layer("ground", (ground, *self._grid())),
            Layer("lines", tuple(self._lines())),
            Layer("letters", tuple(self._letters())),
        )

    @property
    def _most(self) -> int:
        return max(1, self.goal, *(count for one in self.lines for count in one.counts))

    def _at(self, number: int, count: int) -> Point:
        x = LEFT + (WIDTH - LEFT - RIGHT) * number / (len(self.years) - 1)
        return Point(x, HEIGHT - BOTTOM - (HEIGHT - TOP - BOTTOM) * count / self._most)

    def _grid(self) -> Iterator[Primitive]:
        last = len(self.years) - 1
        for count in range(0, self._most + 1, max(1, -(-self._most // 6))):
            start, end = self._at(0, count), self._at(last, count)
            yield Path(path_of((start, end)), stroke="#c9c4b8", width=1)
            yield Text(start.x - 8, start.y + 6, str(count), SIZE, anchor="end")
        if self.goal:
            start, end = self._at(0, self.goal), self._at(last, self.goal)
            yield Path(path_of((start, end)), stroke=colours.FAILED, width=2, dash="8 5")
            yield Text(start.x + 6, start.y + 18, self.goal_told, SIZE, anchor="start",
                       halo=colours.PAPER)  # fmt: skip
        every = -(-len(self.years) // MAX_YEARS)
        for number, year in enumerate(self.years):
            if number % every == 0:
                yield Text(self._at(number, 0).x, HEIGHT - 9, year, SIZE)

    def _lines(self) -> Iterator[Primitive]:
        for one in self.lines:
            points = [self._at(number, count) for number, count in enumerate(one.counts)]
            strong, dash = colours.paint(one.colour).strong, DASHES[one.colour % len(DASHES)]
            yield Path(path_of(points), stroke=strong, width=3.4, dash=dash)

    def _letters(self) -> Iterator[Primitive]:
        """Yield the letter of each line, and the short line from the end to it."""
        last = len(self.years) - 1
        tips = [self._at(last, one.counts[-1]) for one in self.lines]
        for one, tip, y in zip(self.lines, tips, apart([tip.y for tip in tips]), strict=True):
            ink = colours.paint(one.colour).strong
            yield Path(path_of((tip, Point(WIDTH - RIGHT + 9, y))), stroke=ink, width=1.2)
            yield Text(WIDTH - RIGHT + 10, y + 6, one.letter, SIZE, ink, "start", bold=True)


def apart(wanted: Sequence[float]) -> list[float]:
    """Move the letters at the ends of lines apart, so that each can be read.

    >>> apart([100.0, 100.0, 50.0])
    [91.0, 109.0, 50.0]
    """
    order = sorted(range(len(wanted)), key=lambda at: (wanted[at], at))
    found = list(wanted)
    groups: list[list[int]] = []
    for at in order:
        groups.append([at])
        while len(groups) > 1 and _first(groups[-1], wanted) - _last(groups[-2], wanted) < APART:
            later = groups.pop()
            groups[-1] += later
    for group in groups:
        for n, at in enumerate(group):
            found[at] = _first(group, wanted) + n * APART
    # The lowest letters must be above the years, and the highest on the paper.
    ordered, low, high = [at for group in groups for at in group], HEIGHT - BOTTOM, TOP
    for at in reversed(ordered):
        found[at] = min(found[at], low)
        low = found[at] - APART
    for at in ordered:
        found[at] = max(found[at], high)
        high = found[at] + APART
    return found


def _first(group: Sequence[int], wanted: Sequence[float]) -> float:
    middle = sum(wanted[at] for at in group) / len(group)
    return middle - (len(group) - 1) * APART / 2


def _last(group: Sequence[int], wanted: Sequence[float]) -> float:
    return _first(group, wanted) + (len(group) - 1) * APART


def chart_source(chart: Chart) -> str:
    """Return a chart as JSON, to be rendered later by the picture worker."""
    return json.dumps([list(chart.head), chart.lines, chart.years, chart.goal, chart.goal_told])


def read_chart(text: str) -> Chart:
    """Read a chart written by `chart_source`."""
    head, lines, years, goal, told = json.loads(text)
    drawn = tuple(
        ChartLine(name, letter, colour, tuple(counts)) for name, letter, colour, counts in lines
    )
    return Chart(Head(*head), drawn, tuple(years), goal, told)
