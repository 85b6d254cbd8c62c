"""Geometry of drawn arrows, and the parts of them under names and units.

The functions read the paths of the drawing, not the points they were made of, so that every later
change of an arrow's course is measured too.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import accumulate, pairwise
from math import ceil, hypot
from typing import NamedTuple

from judge.drawing.base import Area, BoardGeometry, Point
from judge.drawing.picture import Head, Picture, Side, Stroke, StrokeKind, Token, TokenShape
from judge.drawing.primitives import Mark, Path, text_width
from judge.drawing.strokes import Lines

_NUMBER = re.compile(r"-?[0-9.]+")
SIDE = Side("Somebody", "S", 0)
TALL = 0.6
"""Distance that a name extends up and down from its middle, in parts of its size."""


class Arrow(NamedTuple):
    """A drawn arrow: the points of its shaft and the corners of its head."""

    shaft: tuple[Point, ...]
    head: tuple[Point, ...]


def points_of(data: str) -> tuple[Point, ...]:
    """Return the points of path data with relative steps.

    >>> points_of("M10 20l1.5 0 0-2z")
    (Point(x=10.0, y=20.0), Point(x=11.5, y=20.0), Point(x=11.5, y=18.0))
    """
    numbers = [float(found) for found in _NUMBER.findall(data)]
    across, down = accumulate(numbers[0::2]), accumulate(numbers[1::2])
    return tuple(Point(x, y) for x, y in zip(across, down, strict=True))


def drawn_arrow(base: BoardGeometry, start: str, goal: str, *, taken: bool = True) -> Arrow:
    """Return the drawn arrow of a move.

    *taken*: whether a unit occupies the goal.
    """
    tokens = [Token(start, SIDE.name, TokenShape.BLOCK)]
    if taken:
        tokens.append(Token(goal, SIDE.name, TokenShape.BLOCK))
    picture = Picture(
        base, Head("", ""), (SIDE,), tokens=tuple(tokens),
        strokes=(Stroke(StrokeKind.MOVE, start, goal),),
    )
    [line], _ = Lines(picture).draw()
    shaft, head = line.inks[-2:]
    assert isinstance(shaft, Path) and isinstance(head, Path)
    return Arrow(_place(shaft, line), _place(head, line))


def _place(path: Path, line: Mark) -> tuple[Point, ...]:
    return tuple(Point(line.x + x, line.y + y) for x, y in points_of(path.d))


def names_over_head(base: BoardGeometry, arrow: Arrow) -> list[str]:
    """Return the areas whose name covers at least three of five points of the head.

    The five points are its corners and the middles of the two sides at its tip.
    """
    tip, left, right = arrow.head
    five = [*arrow.head, _middle(tip, left), _middle(tip, right)]
    top, bottom = min(point.y for point in five), max(point.y for point in five)
    return [
        area.name for area in base.areas.values()
        # The height is cheap to check, the width of a name is not.
        if top - TALL * area.size <= area.label_at.y <= bottom + TALL * area.size
        and sum(_names(area, point) for point in five) >= 3
    ]


def nearest(arrow: Arrow, spots: Sequence[Point]) -> float:
    """Return the distance from the arrow to the nearest of these points."""
    along = [*dense(arrow.shaft), *dense((*arrow.shaft[-1:], arrow.head[0]))]
    return min(hypot(p.x - spot.x, p.y - spot.y) for p in along for spot in spots)


def dense(line: Sequence[Point]) -> Iterator[Point]:
    """Yield the points of a line, at most two units apart."""
    yield line[0]
    for a, b in pairwise(line):
        steps = max(ceil(hypot(b.x - a.x, b.y - a.y) / 2), 1)
        for step in range(1, steps + 1):
            yield Point(a.x + (b.x - a.x) * step / steps, a.y + (b.y - a.y) * step / steps)


def _middle(one: Point, other: Point) -> Point:
    return Point((one.x + other.x) / 2, (one.y + other.y) / 2)


def _names(area: Area, point: Point) -> bool:
    at = area.label_at
    if abs(point.y - at.y) > TALL * area.size:
        return False
    return abs(point.x - at.x) <= text_width(area.label, area.size) / 2
