"""A board in slices, with fixed parts separate from variable ones."""

import re
import xml.etree.ElementTree as Tree
from itertools import product

from hypothesis import given
from hypothesis import strategies as st

from judge.drawing.base import Point
from judge.drawing.board_layers import coarse, merge_outlines
from judge.drawing.hexes import CounterDrawing, HexBoard, Tile
from judge.drawing.layout import ProvinceDrawing
from judge.drawing.picture import Captions, Head, Picture, Side, Token, TokenShape
from judge.drawing.svg import slice_svg
from judge.games.diplomacy.boards import MAP_NAMES
from judge.games.diplomacy.views.geometry import base
from tests.drawing.small import small_base

RED, LATE = Side("Redland", "R", 0), Side("Lateland", "L", 11)


def slices(picture: Picture) -> list[tuple[bool, str]]:
    """Return, for each slice of a board, whether it is fixed, and its SVG."""
    stack = ProvinceDrawing(picture).stack()
    return [(one.fixed, slice_svg(stack, at)) for at, one in enumerate(stack.slices)]


def area_of(ring: list[Point]) -> float:
    """Return the signed area within a ring. The sign gives its direction."""
    pairs = zip(ring, ring[1:], strict=False)
    return sum(a.x * b.y - b.x * a.y for a, b in pairs) / 2


@given(st.sampled_from(MAP_NAMES), st.data())
def test_merged_land_has_the_area_of_its_parts(name: str, data: st.DataObject) -> None:
    drawn = base(name)
    areas = data.draw(st.sets(st.sampled_from(sorted(drawn.areas)), min_size=1, max_size=12))
    rings = merge_outlines(drawn, areas)
    assert all(drawn.outline(ring)[0] == drawn.outline(ring)[-1] for ring in rings)
    whole = sum(area_of([*drawn.outline(ring)]) for ring in rings)
    parts = [ring for area in areas for ring in drawn.areas[area].rings]
    assert abs(whole - sum(area_of([*drawn.outline(ring)]) for ring in parts)) < 2
    inner = [n for ring in rings for n in ring]
    assert not {*inner} & {~n for n in inner} and len(inner) == len({*inner})


def test_coarse_outlines_are_whole_steps_that_come_back() -> None:
    for name in MAP_NAMES:
        drawn = base(name)
        for area in drawn.areas.values():
            for sub in filter(None, coarse(drawn, area.rings).split("M")):
                numbers = [int(n) for n in re.findall(r"-?\d+", sub)]
                assert len(numbers) % 2 == 0
                assert sum(numbers[2::2]) == sum(numbers[3::2]) == 0


def test_fixed_slices_never_change_and_variable_ones_are_small() -> None:
    drawn = small_base()
    plain = slices(Picture(drawn, Head("marco", "Spring")))
    place = next(iter(drawn.areas))
    full = slices(Picture(
        drawn, Head("other", "Fall"), (RED, LATE), tints={place: "Lateland"},
        tokens=(Token(place, "Redland", TokenShape.BLOCK),), unseen=frozenset({place}),
    ))
    assert [text for fixed, text in plain if fixed] == [text for fixed, text in full if fixed]
    assert {text for fixed, text in plain if not fixed} == {""}
    for fixed, text in full:
        assert not text or Tree.fromstring(text).tag.endswith("svg")
        for pattern in re.findall(r"url\(#(\w[\w-]*)\)", text):
            assert f'id="{pattern}"' in text
    names = {name for name, (_, text) in product(drawn.areas, full) if f">{name}<" in text}
    assert names or all(not area.label for area in drawn.areas.values())


def test_a_hex_board_has_a_fixed_slice_and_a_cropped_stamp() -> None:
    names = [f"{column:02}{row:02}" for column, row in product((1, 2, 3), repeat=2)]
    tiles = {name: Tile(name, "#fff") for name in names}
    units = (CounterDrawing("0101", 0, "A1", "4", 2),)
    board = HexBoard(tiles, Captions(Head("a", "b")), units, window=(1, 2, 1, 2))
    stack, stamp = board.stack(), board.thumbnail()
    for found in (stack, stamp):
        assert [one.fixed for one in found.slices] == [True, False]
    assert stack.slices[0] == stamp.slices[0] and stamp.height < stack.height
    assert "A1" in slice_svg(stamp, 1) and "A1" not in slice_svg(stamp, 0)
