"""Boards of hexes and tables: their geometry, and that they become SVG like any board."""

import xml.etree.ElementTree as Tree
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.drawing.drawing import Drawing
from judge.drawing.hexes import (
    RADIUS,
    Counter,
    Facing,
    Hex,
    HexPicture,
    March,
    OnHexes,
    beside,
    middle,
)
from judge.drawing.picture import Captions, Head, Side
from judge.drawing.svg import sheet_svg
from judge.drawing.tables import InTable, TablePicture, TableRow

NS = "{http://www.w3.org/2000/svg}"
CAPTIONS = Captions(
    Head("york", "T3"), (Side("France", "F", 2), Side("Britain", "B", 0)), describes="A siege",
)
BOARD = HexPicture(
    columns=6, rows=5, captions=CAPTIONS,
    hexes={"0203": Hex("#9dbdd0", "Redoubt 9")},
    roads=(("0101", "0102"),),
    rivers=(("0302", Facing.SE),),
    counters=(
        Counter("0203", "France", "INF 3", Facing.NE), Counter("0203", "France", "ART 1"),
        Counter("0504", "Britain", "CAV 1", Facing.S, spent=True),
    ),
    marches=(March(("0504", "0404", "0403"), "Britain"), March(("0101", "0102"), "France", True)),
)
TABLE = TablePicture(
    ("Nation", "Provinces"), (TableRow(("France", "12"), "France"), TableRow(("None", "3"))),
    CAPTIONS,
)


def drawn(drawing: Drawing) -> Tree.Element:
    """Return the parsed SVG."""
    return Tree.fromstring(sheet_svg(drawing.drawn()))


def texts(root: Tree.Element) -> list[str]:
    """Return what is written."""
    return [str(element.text) for element in root.iter(f"{NS}text")]


@pytest.mark.parametrize(
    ("drawing", "words"),
    [
        (OnHexes(BOARD), ("york", "T3", "France", "0605", "Redoubt 9", "INF 3", "CAV 1")),
        (InTable(TABLE), ("york", "T3", "Nation", "Provinces", "12", "None")),
    ],
)
def test_a_picture_says_what_is_on_it_and_knows_its_size(
    drawing: Drawing, words: tuple[str, ...]
) -> None:
    root = drawn(drawing)
    assert set(words) <= set(texts(root))
    width, height = float(root.get("width", 0)), float(root.get("height", 0))
    assert drawing.proportion == pytest.approx(height / width, abs=0.001)
    assert root.findtext(f"{NS}desc") == "A siege"


@given(st.integers(2, 29), st.integers(2, 23), st.sampled_from(Facing))
def test_neighbours_are_as_far_as_a_hex_is_high_and_lie_opposite(
    column: int, row: int, side: Facing
) -> None:
    here = f"{column:02}{row:02}"
    there = beside(here, side)
    assert beside(there, Facing((side + 3) % 6)) == here
    a, b = middle(here), middle(there)
    assert ((a.x - b.x) ** 2 + (a.y - b.y) ** 2) ** 0.5 == pytest.approx(RADIUS * 3**0.5)


def test_a_counter_points_to_the_side_it_faces() -> None:
    def tips(facing: Facing | None) -> int:
        one = Counter("0303", "France", "INF 1", facing)
        found = drawn(OnHexes(replace(BOARD, counters=(one,))))
        (layer,) = [group for group in found.iter(f"{NS}g") if group.get("id") == "counters"]
        return len(layer.findall(f"{NS}path"))

    assert (tips(None), tips(Facing.SW)) == (1, 2)
