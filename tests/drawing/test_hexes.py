"""Hex boards and table pictures: their geometry and their SVG."""

import math
import xml.etree.ElementTree as Tree
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.drawing import colours
from judge.drawing.drawing import Drawing
from judge.drawing.hexes import (
    CounterDrawing,
    Grid,
    HexBoard,
    Shot,
    Tile,
    TitlePosition,
    _front_mark,
)
from judge.drawing.picture import Captions, Head, Side
from judge.drawing.primitives import PAGE, Text, text_width
from judge.drawing.svg import sheet_svg
from judge.drawing.tables import TableDrawing, TablePicture, TableRow

NS = "{http://www.w3.org/2000/svg}"
CAPTIONS = Captions(
    Head("york", "T3"), (Side("France", "F", 2), Side("Britain", "B", 0)), describes="A siege",
)
PLAIN = {
    name: Tile(name, colours.LAND)
    for name in (f"{column:02}{row:02}" for column in range(1, 7) for row in range(1, 6))
}
WORKS = Tile("0203", colours.LAND, frozenset({3}), frozenset({0}), "Redoubt 9", works=True)
BOARD = HexBoard(
    {**PLAIN, "0203": WORKS},
    CAPTIONS,
    counters=(
        CounterDrawing("0203", 2, "INF 3", "14", 1), CounterDrawing("0203", 2, "ART 1", "10"),
        CounterDrawing("0504", 0, "CAV 1", "12", 3),
        CounterDrawing("0601", 0, "FRIG 1", "", bow="0602"),
    ),
    ways=(("0504", "0404", "0403"),),
    shots=(Shot("0203", "0504"),),
    fights=("0504",),
    window=(4, 6, 3, 5),
    window_title="Nearer",
    swatches=((colours.LAND, "open ground"),),
)
TABLE = TablePicture(
    ("Nation", "Provinces"), (TableRow(("France", "12"), "France"), TableRow(("None", "3"))),
    CAPTIONS,
)


def parse_sheet(drawing: Drawing) -> Tree.Element:
    """Return the parsed SVG."""
    return Tree.fromstring(sheet_svg(drawing.draw_page()))


def texts(root: Tree.Element) -> list[str]:
    """Return the texts of the picture."""
    return [str(element.text) for element in root.iter(f"{NS}text")]


@pytest.mark.parametrize(
    ("drawing", "words"),
    [
        (
            BOARD,
            ("york", "T3", "France", "0605", "Redoubt 9", "INF 3", "ART 1", "CAV 1", "FRIG 1",
             "Nearer", "open ground"),
        ),
        (replace(BOARD, window=None), ("york", "0101", "CAV 1")),
        (TableDrawing(TABLE), ("york", "T3", "Nation", "Provinces", "12", "None")),
    ],
)
def test_a_picture_contains_its_words_and_knows_its_size(
    drawing: Drawing, words: tuple[str, ...]
) -> None:
    root = parse_sheet(drawing)
    assert set(words) <= set(texts(root))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    assert drawing.proportion == pytest.approx(height / width, abs=0.001)
    assert root.findtext(f"{NS}desc") == "A siege"


def test_an_enlarged_part_repeats_its_hexes() -> None:
    found = texts(parse_sheet(BOARD))
    assert (found.count("0504"), found.count("0303")) == (2, 1)


@pytest.mark.parametrize("at", TitlePosition)
@pytest.mark.parametrize("name", ["0103", "0603"])
def test_a_title_at_the_edge_is_written_whole(name: str, at: TitlePosition) -> None:
    title = "A redoubt of a name so long"
    edge = Tile(name, colours.LAND, title=title, title_at=at)
    root = parse_sheet(replace(BOARD, tiles={**PLAIN, name: edge}, window=None))
    *_, told = (each for each in root.iter(f"{NS}text") if each.text == title)
    x, size = float(told.get("x", 0)), float(told.get("font-size", 0))
    before = {"start": 0.0, "middle": 0.5, "end": 1.0}[told.get("text-anchor", "start")]
    wide = text_width(title, size)
    assert 0 <= x - wide * before and x + wide * (1 - before) <= float(root.get("width", 0))


@given(st.integers(2, 5), st.integers(2, 4))
def test_six_neighbours_lie_beyond_the_middles_of_the_sides(column: int, row: int) -> None:
    grid = Grid(PLAIN.values(), 800, 0)
    here = f"{column:02}{row:02}"
    at = grid.centre(here)
    centres = [grid.centre(name) for name in PLAIN if name != here]
    for side in range(6):
        half = grid.middle(here, side)
        beyond = (2 * half.x - at.x, 2 * half.y - at.y)
        assert sum(math.dist(beyond, centre) < 0.01 for centre in centres) == 1
    assert min(math.dist(at, centre) for centre in centres) == pytest.approx(grid.size * 3**0.5)


def test_a_counter_points_to_the_side_it_faces() -> None:
    def tips(front: int | None) -> int:
        one = CounterDrawing("0303", 2, "INF 1", "9", front)
        found = parse_sheet(HexBoard(PLAIN, CAPTIONS, counters=(one,)))
        (layer,) = [group for group in found.iter(f"{NS}g") if group.get("id") == "units"]
        return len(layer.findall(f"{NS}path"))

    assert (tips(None), tips(4)) == (1, 2)


NAMED = Tile("0303", colours.LAND, title="A mill of a long name", title_at=TitlePosition.BELOW)


@pytest.mark.parametrize(("occupied", "is_drawn"), [
    ((), True),
    (("0304",), True),
    (("0303", "0304", "0302", "0203", "0202", "0403", "0402", "0103", "0503"), False),
])
def test_title_is_drawn_on_a_free_spot(occupied: tuple[str, ...], is_drawn: bool) -> None:
    counters = tuple(CounterDrawing(at, 2, "INF 1", "9") for at in occupied)
    picture = HexBoard({**PLAIN, "0303": NAMED}, CAPTIONS, counters=counters)
    (layer,) = [each for each in picture.layers() if each.name == "titles"]
    assert len(layer.inks) == is_drawn


def test_front_mark_is_outside_the_block_on_its_side() -> None:
    grid = Grid(PLAIN.values(), 800, 0)
    at = grid.centre("0303")
    for front in range(6):
        points = _front_mark(at, front, grid.size)
        x = sum(point.x for point in points) / len(points) - at.x
        y = sum(point.y for point in points) / len(points) - at.y
        side = grid.middle("0303", front)
        turn = math.atan2(side.y - at.y, side.x - at.x)
        assert math.atan2(y, x) == pytest.approx(turn, abs=0.01)
        assert max(abs(x), abs(y)) > 0.5 * grid.size


def test_legend_of_parts_has_words_large_enough_for_a_phone() -> None:
    swatches = tuple((colours.LAND, f"kind of ground {number}") for number in range(8))
    part = HexBoard(PLAIN, CAPTIONS, parts=((1, 5, 1, 4),), swatches=swatches)
    (legend,) = [each for each in part.layers() if each.name == "swatches"]
    words = [ink for ink in legend.inks if isinstance(ink, Text)]
    assert len(words) == 8
    assert all(ink.size * 390 / PAGE >= 7 and ink.x + text_width(ink.text, ink.size) <= PAGE
               for ink in words)
    assert len({ink.y for ink in words}) > 1
