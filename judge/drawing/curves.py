"""Lines between places: bowed, led through other places, cut short at both ends."""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import atan2, cos, hypot, sin

from judge.drawing.base import Point

Curve = tuple[Point, ...]
"""A line as so many points that it looks round."""

STEPS = 14
BOW = 0.07
"""How far a line between two places leaves the straight one, in parts of its length, so that two
units that go for each other's places are two arrows."""
MOST_BOW = 22.0


def between(start: Point, end: Point) -> Curve:
    """Return a slightly bowed line; the way back is bowed to the other side."""
    length = distance(start, end)
    if not length:
        return (start, end)
    return pulled(start, aside(start, end, min(BOW, MOST_BOW / length)), end)


def _quadratic(start: Point, middle: Point, end: Point, at: float) -> Point:
    a, b, c = (1 - at) ** 2, 2 * at * (1 - at), at**2
    return Point(
        a * start.x + b * middle.x + c * end.x, a * start.y + b * middle.y + c * end.y
    )


def aside(start: Point, end: Point, bow: float, at: float = 0.5) -> Point:
    """Return the point a line is pulled to so that it leaves the straight one by such a part of
    its length, to the left; `at` such a part of its way."""
    across, down = end.x - start.x, end.y - start.y
    return Point(
        start.x + at * across + 2 * bow * down, start.y + at * down - 2 * bow * across
    )


def pulled(start: Point, pull: Point, end: Point) -> Curve:
    """Return a round line that is pulled aside: its middle comes half the way to that point."""
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

    return Point(
        one(before.x, start.x, end.x, after.x), one(before.y, start.y, end.y, after.y)
    )


def distance(start: Point, end: Point) -> float:
    """Return how far two points are from each other.

    >>> distance(Point(0, 0), Point(3, 4))
    5.0
    """
    return hypot(end.x - start.x, end.y - start.y)


def length_of(curve: Curve) -> float:
    """Return how long a line is."""
    return sum(distance(a, b) for a, b in pairwise(curve))


def point_along(curve: Curve, part: float) -> Point:
    """Return the point after such a part of a line's length (0 is its start, 1 its end)."""
    want = part * length_of(curve)
    marks = accumulate((distance(a, b) for a, b in pairwise(curve)), initial=0.0)
    for (start, end), mark in zip(pairwise(curve), marks, strict=False):
        piece = distance(start, end)
        if piece and mark + piece >= want:
            share = (want - mark) / piece
            return Point(
                start.x + (end.x - start.x) * share, start.y + (end.y - start.y) * share
            )
    return curve[-1]


def cut(curve: Curve, at_start: float, at_end: float) -> Curve:
    """Return a line without so much of its start and its end, but never without its middle."""
    whole = length_of(curve)
    most = 0.35 * whole
    first, last = min(at_start, most), whole - min(at_end, most)
    marks = accumulate((distance(a, b) for a, b in pairwise(curve)), initial=0.0)
    kept = [point for point, mark in zip(curve, marks, strict=True) if first < mark < last]
    if not whole:
        return curve
    return (point_along(curve, first / whole), *kept, point_along(curve, last / whole))


def arrowhead(curve: Curve, size: float) -> tuple[Point, Point, Point]:
    """Return the triangle at the end of a line, its tip where the line ends."""
    tip, from_ = curve[-1], point_along(curve, 1 - min(1.0, size / max(length_of(curve), size)))
    angle = atan2(tip.y - from_.y, tip.x - from_.x)
    left, right = angle + 2.68, angle - 2.68
    return (
        tip,
        Point(tip.x + size * cos(left), tip.y + size * sin(left)),
        Point(tip.x + size * cos(right), tip.y + size * sin(right)),
    )
