"""Lines between places: bowed, led through other places, shortened at both ends."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import atan2, cos, hypot, sin

from judge.drawing.base import Point, Window

Curve = tuple[Point, ...]
"""A round line, approximated by points."""

STEPS = 14
BOW = 0.07
"""Deviation of a line from the straight one, in parts of its length.

It lets two units that attack each other's places have two visible arrows.
"""
MAX_BOW = 22.0


def between(start: Point, end: Point) -> Curve:
    """Return a slightly bowed line. The way back is bowed to the other side."""
    length = distance(start, end)
    if not length:
        return (start, end)
    return pull_curve(start, aside(start, end, min(BOW, MAX_BOW / length)), end)


def _quadratic(start: Point, middle: Point, end: Point, at: float) -> Point:
    a, b, c = (1 - at) ** 2, 2 * at * (1 - at), at**2
    return Point(a * start.x + b * middle.x + c * end.x, a * start.y + b * middle.y + c * end.y)


def aside(start: Point, end: Point, bow: float, at: float = 0.5) -> Point:
    """Return the point to pull a line towards for a deviation of *bow* to the left.

    *bow* and *at*, the position along the line, are in parts of its length.
    """
    across, down = end.x - start.x, end.y - start.y
    return Point(start.x + at * across + 2 * bow * down, start.y + at * down - 2 * bow * across)


def bounds_of(curve: Curve) -> Window:
    """Return the smallest rectangle around a line.

    >>> bounds_of((Point(10, 20), Point(14, 18)))
    Window(x=10, y=18, width=4, height=2)
    """
    left, top = min(point.x for point in curve), min(point.y for point in curve)
    right, bottom = max(point.x for point in curve), max(point.y for point in curve)
    return Window(left, top, right - left, bottom - top)


def pull_curve(start: Point, pull: Point, end: Point) -> Curve:
    """Return a round line that is pulled aside (a quadratic Bézier curve).

    Its middle lies halfway between *pull* and the middle of the straight line.
    """
    return tuple(_quadratic(start, pull, end, step / STEPS) for step in range(STEPS + 1))


def through(places: Sequence[Point]) -> Curve:
    """Return a round line through all these places (a Catmull-Rom spline)."""
    ends = (places[0], *places, places[-1])
    curve = [places[0]]
    for number in range(len(places) - 1):
        before, start, end, after = ends[number : number + 4]
        curve += [_spline(before, start, end, after, n / STEPS) for n in range(1, STEPS + 1)]
    return tuple(curve)


def _spline(before: Point, start: Point, end: Point, after: Point, at: float) -> Point:
    def one(a: float, b: float, c: float, d: float) -> float:
        return 0.5 * (
            2 * b + (c - a) * at + (2 * a - 5 * b + 4 * c - d) * at**2
            + (3 * b - a - 3 * c + d) * at**3
        )

    return Point(one(before.x, start.x, end.x, after.x), one(before.y, start.y, end.y, after.y))


def distance(start: Point, end: Point) -> float:
    """Return the distance of two points.

    >>> distance(Point(0, 0), Point(3, 4))
    5.0
    """
    return hypot(end.x - start.x, end.y - start.y)


def length_of(curve: Curve) -> float:
    """Return the length of a line."""
    return sum(distance(a, b) for a, b in pairwise(curve))


def point_along(curve: Curve, part: float) -> Point:
    """Return the point at a fraction *part* of a line's length, from 0 to 1."""
    want = part * length_of(curve)
    marks = accumulate((distance(a, b) for a, b in pairwise(curve)), initial=0.0)
    for (start, end), mark in zip(pairwise(curve), marks, strict=False):
        piece = distance(start, end)
        if piece and mark + piece >= want:
            share = (want - mark) / piece
            return Point(start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share)
    return curve[-1]


def cut(curve: Curve, at_start: float, at_end: float) -> Curve:
    """Return a line shortened by *at_start* and *at_end*, each by 35% at most."""
    whole = length_of(curve)
    most = 0.35 * whole
    first, last = min(at_start, most), whole - min(at_end, most)
    marks = accumulate((distance(a, b) for a, b in pairwise(curve)), initial=0.0)
    kept = [point for point, mark in zip(curve, marks, strict=True) if first < mark < last]
    if not whole:
        return curve
    return (point_along(curve, first / whole), *kept, point_along(curve, last / whole))


def arrowhead(curve: Curve, size: float) -> tuple[Point, Point, Point]:
    """Return the triangle at the end of a line, with its tip at the line's end."""
    tip, from_ = curve[-1], point_along(curve, 1 - min(1.0, size / max(length_of(curve), size)))
    angle = atan2(tip.y - from_.y, tip.x - from_.x)
    left, right = angle + 2.68, angle - 2.68
    return (
        tip,
        Point(tip.x + size * cos(left), tip.y + size * sin(left)),
        Point(tip.x + size * cos(right), tip.y + size * sin(right)),
    )
