"""The arrow of every move there is on the boards: to be seen whole, whatever stands around it."""

from dataclasses import replace
from functools import cache

import pytest

from judge.board.map import province_of
from judge.drawing.base import Base, Point
from judge.games.diplomacy.boards import MAP_NAMES, board
from judge.games.diplomacy.views.pictures import base
from tests.drawing.arrows import Arrow, drawn_arrow, names_over_head, nearest

MOVES = {"standard": 436, "youngstown": 992}
"""Moves without a convoy between places that are on the board."""
CLEAR = 14.0
"""An arrow that comes nearer to the middle of a unit seems to begin or end there."""


def moves(name: str) -> list[tuple[str, str]]:
    """Return every move of an army or a fleet from a place to one beside it."""
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


def covered(name: str, found: dict[tuple[str, str], Arrow]) -> list[tuple[str, str]]:
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
    """Return the points that stand in the box around an arrow, or nearly: no other is near it."""
    points = arrow.shaft + arrow.head
    left, right = min(p.x for p in points) - CLEAR, max(p.x for p in points) + CLEAR
    top, bottom = min(p.y for p in points) - CLEAR, max(p.y for p in points) + CLEAR
    return [at for at in spots if left <= at.x <= right and top <= at.y <= bottom]


def others(drawn: Base, start: str, goal: str) -> list[Point]:
    """Return where units stand in all other provinces."""
    ends = {province_of(start), province_of(goal)}
    spots = [area.unit for area in drawn.areas.values() if area.name not in ends]
    return spots + [at for place, at in drawn.spots.items() if province_of(place) not in ends]


@pytest.mark.parametrize("name", MAP_NAMES)
def test_every_move_is_counted(name: str) -> None:
    assert len(moves(name)) == MOVES[name]


@pytest.mark.parametrize("name", MAP_NAMES)
@pytest.mark.parametrize("taken", [True, False], ids=["to a unit", "to a free place"])
def test_no_name_covers_the_head_of_an_arrow(name: str, taken: bool) -> None:
    assert covered(name, arrows(name, taken)) == []


@pytest.mark.parametrize("name", MAP_NAMES)
@pytest.mark.parametrize("taken", [True, False], ids=["to a unit", "to a free place"])
def test_no_arrow_runs_under_the_unit_of_a_third_place(name: str, taken: bool) -> None:
    assert passing(name, arrows(name, taken)) == []


@pytest.mark.parametrize("name", MAP_NAMES)
def test_there_and_back_are_two_arrows(name: str) -> None:
    """Where neither is bent they are as far apart as their bows."""
    found = arrows(name, True)
    for (start, goal), arrow in found.items():
        back = found.get((goal, start))
        if back is not None and (start, goal) in base(name).bends:
            assert nearest(arrow, [middle(back)]) > 1.5, (start, goal)


def middle(arrow: Arrow) -> Point:
    """Return the point in the middle of a shaft."""
    return arrow.shaft[len(arrow.shaft) // 2]


@pytest.mark.parametrize("name", MAP_NAMES)
def test_bends_are_for_moves_and_stay_on_the_board(name: str) -> None:
    drawn = base(name)
    assert {*drawn.bends} <= {*moves(name)}
    for arrow in arrows(name, True).values():
        assert all(0 < at.x < drawn.width and 0 < at.y < drawn.height for at in arrow.shaft)


@pytest.mark.parametrize("name", MAP_NAMES)
def test_without_bends_many_arrows_would_be_hidden(name: str) -> None:
    """What the tests above count is there to be counted."""
    bare = arrows(name, True, bent=False)
    assert len(covered(name, bare)) > len(bare) / 10 and len(passing(name, bare)) > 10
