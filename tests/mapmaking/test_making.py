"""Plans of the maps, and the shapes made from them."""

import json
from math import dist
from pathlib import Path

import pytest

from judge.board.map import province_of
from judge.board.mapcheck import load_map
from judge.drawing.base import load_base
from judge.games.diplomacy.boards import MAP_NAMES as NAMES
from judge_maps.__main__ import MISUSED, main
from judge_maps.atlas import read_atlas
from judge_maps.making import coast_points, read_outlines
from judge_maps.plan import OUTSIDE, read_plan

MAPS = Path(__file__).parents[2] / "judge" / "games" / "diplomacy" / "maps"
REACH = 40
"""Maximum distance of a coastal fleet from its coordinates, in picture units."""


@pytest.mark.parametrize("name", NAMES)
def test_every_province_of_the_board_is_in_the_plan(name: str) -> None:
    plan, board = read_plan(MAPS / name), load_map(name, MAPS / name)
    planned = {*plan.seeds, *(area for areas in plan.countries.values() for area in areas)}
    assert planned - {OUTSIDE} | {*plan.frames} == {*board.provinces}
    assert {stroke.area for stroke in plan.strokes} <= planned
    assert {*plan.lens.shut_waters} <= planned


@pytest.mark.parametrize("name", NAMES)
def test_the_finished_file_is_that_of_the_plan(name: str) -> None:
    plan, outlines = read_plan(MAPS / name), read_outlines(MAPS / name)
    assert outlines.width == plan.lens.width
    data = json.loads((MAPS / name / "shapes.json").read_text(encoding="utf-8"))
    for frame, planned in plan.frames.items():
        assert tuple(data["frames"][frame]["door"]) == planned.door


@pytest.mark.parametrize("name", NAMES)
def test_coast_fleets_are_near_their_coordinates(name: str) -> None:
    """Regression: F Spa/sc was drawn in the Bay of Biscay.

    The Mid-Atlantic touches both coasts of Spain.
    """
    at = coast_points(read_plan(MAPS / name))
    drawn = load_base((MAPS / name / "shapes.json").read_text("utf-8"))
    assert at and {*at} == {*drawn.spots}
    for place, point in at.items():
        beside = [other for other in at if province_of(other) == province_of(place)]
        assert dist(drawn.spot(place), point) < REACH, place
        assert min(beside, key=lambda other: dist(drawn.spot(other), point)) == place


def test_an_atlas_is_unrolled_across_the_date_line(tmp_path: Path) -> None:
    atlas = tmp_path / "atlas.json"
    arcs = [
        [[1700, 600], [100, 0], [0, 50], [-100, 0], [0, -50]],
        [[0, 0], [10, 0], [0, 10], [-10, -10]],
        [[-1790, 600], [50, 0], [0, 50], [-50, 0], [0, -50]],
    ]
    shapes = [
        {"type": "MultiPolygon", "arcs": [[[0]], [[2]]], "properties": {"name": "Russia"}},
        {"type": "Polygon", "arcs": [[~1]], "properties": {"name": "Else"}},
        {"type": None, "properties": {"name": "Nowhere"}},
    ]
    transform = {"scale": [0.1, 0.1], "translate": [0, 0]}
    atlas.write_text(
        json.dumps(
            {"arcs": arcs, "transform": transform, "objects": {"countries": {"geometries": shapes}}}
        )
    )
    found = read_atlas(atlas)
    assert [outline.country for outline in found] == ["Russia", "Russia", "Else"]
    assert found[1].rings[0][0] == pytest.approx((181, 60))
    assert found[2].rings[0][1] == pytest.approx((1, 1))


def test_the_tool_without_arguments_prints_its_usage(
    capsys: pytest.CaptureFixture[str],
) -> None:
    assert main([]) == MISUSED
    assert "usage" in capsys.readouterr().err
