"""The arrow of every possible move, checked against names and units in its way."""

from dataclasses import replace
from functools import cache

import pytest

from judge.board.map import province_of
from judge.drawing.base import BoardGeometry, Point
from judge.games.diplomacy.boards import MAP_NAMES, board
from judge.games.diplomacy.views.geometry import base
from tests.drawing.arrows import Arrow, drawn_arrow, names_over_head, nearest

MOVES = {"standard": 436, "youngstown": 992}
"""Number of moves without a convoy between places on the board."""
CLEAR = 14.0
"""Minimum distance of an arrow from the middle of another unit.

A closer arrow seems to begin or end there.
"""


def moves(name: str) -> list[tuple[str, str]]:
    """Return every move of an army or a fleet to an adjacent place."""
    played, frames = board(name), base(name).frames
    walks = {(start, goal) for start, goals in played.walk.items() for goal in goals}
    sails = {
        (start, place)
        for start, goals in played.sail.items()
        for places in goals.values()
        for place in places
    }
    return sorted(move for move in walks | sails if not {*map(province_of, move)} & {*frames})


@cache
def arrows(name: str, taken: bool, bent: bool = True) -> dict[tuple[str, str], Arrow]:
    drawn = base(name) if bent else replace(base(name), bends={})
    return {move: drawn_arrow(drawn, *move, taken=taken) for move in moves(name)}


def find_covered_moves(name: str, found: dict[tuple[str, str], Arrow]) -> list[tuple[str, str]]:
    """Return the moves whose arrow has a name over its head."""
    return [move for move, arrow in found.items() if names_over_head(base(name), arrow)]


def passing(name: str, found: dict[tuple[str, str], Arrow]) -> list[tuple[str, str]]:
    """Return the moves whose arrow runs under a unit of a third place."""
    drawn = base(name)
    return [
        (start, goal)
        for (start, goal), arrow in found.items()
        if (near := beside(arrow, others(drawn, start, goal))) and nearest(arrow, near) < CLEAR
    ]


def beside(arrow: Arrow, spots: list[Point]) -> list[Point]:
    """Return the points in or close to the bounding box of an arrow.

    No other point can be close to the arrow.
    """
    points = arrow.shaft + arrow.head
    left, right = min(p.x for p in points) - CLEAR, max(p.x for p in points) + CLEAR
    top, bottom = min(p.y for p in points) - CLEAR, max(p.y for p in points) + CLEAR
    return [at for at in spots if left <= at.x <= right and top <= at.y <= bottom]


def others(drawn: BoardGeometry, start: str, goal: str) -> list[Point]:
    """Return the unit points of all other provinces."""
    ends = {province_of(start), province_of(goal)}
    spots = [area.unit for area in drawn.areas.values() if area.name not in ends]
    return spots + [at for place, at in drawn.spots.items() if province_of(place) not in ends]


@pytest.mark.parametrize("name", MAP_NAMES)
def test_every_move_is_counted(name: str) -> None:
    assert len(moves(name)) == MOVES[name]


@pytest.mark.parametrize("name", MAP_NAMES)
@pytest.mark.parametrize("taken", [True, False], ids=["to a unit", "to a free place"])
def test_no_name_covers_the_head_of_an_arrow(name: str, taken: bool) -> None:
    assert find_covered_moves(name, arrows(name, taken)) == []


@pytest.mark.parametrize("name", MAP_NAMES)
@pytest.mark.parametrize("taken", [True, False], ids=["to a unit", "to a free place"])
def test_no_arrow_runs_under_the_unit_of_a_third_place(name: str, taken: bool) -> None:
    assert passing(name, arrows(name, taken)) == []


@pytest.mark.parametrize("name", MAP_NAMES)
def test_opposite_moves_have_two_distinct_arrows(name: str) -> None:
    """Arrows without a bend are apart by their curvature."""
    found = arrows(name, True)
    for (start, goal), arrow in found.items():
        back = found.get((goal, start))
        if back is not None and (start, goal) in base(name).bends:
            assert nearest(arrow, [middle(back)]) > 1.5, (start, goal)


def middle(arrow: Arrow) -> Point:
    """Return the middle point of a shaft."""
    return arrow.shaft[len(arrow.shaft) // 2]


@pytest.mark.parametrize("name", MAP_NAMES)
def test_bends_are_for_moves_and_stay_on_the_board(name: str) -> None:
    drawn = base(name)
    assert {*drawn.bends} <= {*moves(name)}
    for arrow in arrows(name, True).values():
        assert all(0 < at.x < drawn.width and 0 < at.y < drawn.height for at in arrow.shaft)


@pytest.mark.parametrize("name", MAP_NAMES)
def test_without_bends_many_arrows_are_hidden(name: str) -> None:
    """Check that the tests above have something to detect."""
    bare = arrows(name, True, bent=False)
    assert len(find_covered_moves(name, bare)) > len(bare) / 10 and len(passing(name, bare)) > 10
