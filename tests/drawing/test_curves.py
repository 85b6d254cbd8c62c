"""Lines between places."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.drawing.base import Point
from judge.drawing.curves import (
    MAX_BOW,
    arrowhead,
    between,
    cut,
    distance,
    length_of,
    point_along,
    through,
)

points = st.builds(Point, st.floats(0, 2000), st.floats(0, 1200))


@given(points, points)
def test_a_line_has_the_given_ends(start: Point, end: Point) -> None:
    curve = between(start, end)
    assert distance(curve[0], start) < 1e-6 and distance(curve[-1], end) < 1e-6


@given(points, points)
def test_a_line_leaves_the_straight_one_by_little(start: Point, end: Point) -> None:
    middle = point_along(between(start, end), 0.5)
    straight = Point((start.x + end.x) / 2, (start.y + end.y) / 2)
    assert distance(middle, straight) <= MAX_BOW + 1e-6


def test_opposite_lines_are_distinct() -> None:
    here, there = Point(0, 0), Point(100, 0)
    to, back = point_along(between(here, there), 0.5), point_along(between(there, here), 0.5)
    assert to.y == pytest.approx(-back.y) and abs(to.y - back.y) > 10


@given(st.lists(points, min_size=3, max_size=6))
def test_a_curve_passes_through_all_its_points(places: list[Point]) -> None:
    curve = through(places)
    for place in places:
        assert min(distance(place, point) for point in curve) < 1e-6


@given(points, points, st.floats(0, 60), st.floats(0, 60))
def test_cutting_shortens_only_the_ends(
    start: Point, end: Point, first: float, last: float
) -> None:
    curve = between(start, end)
    whole, left = length_of(curve), length_of(cut(curve, first, last))
    assert left <= whole + 1e-6
    assert left >= max(whole - first - last, 0.29 * whole) - 1e-6


@given(points, points, st.floats(4, 14))
def test_an_arrow_has_its_tip_at_the_end(start: Point, end: Point, size: float) -> None:
    curve = between(start, end)
    tip, left, right = arrowhead(curve, size)
    assert tip == curve[-1]
    assert distance(tip, left) == pytest.approx(size)
    assert distance(tip, right) == pytest.approx(size)
