"""Bases: reading the file, and outlines made of shared arcs."""

import pytest

from judge.drawing.base import ArcKind, Point
from tests.drawing.small import small_base


def test_outlines_are_closed_and_run_along_their_arcs() -> None:
    base = small_base()
    assert base.outline((0, -3)) == (
        (400, 0), (0, 0), (0, 300), (400, 300), (400, 0),
    )
    assert base.shapes["Isl"] == "M600 100l100 0 0 100-100 0 0-100z"


@pytest.mark.parametrize(
    ("arc", "line"), [(0, ArcKind.NONE), (1, ArcKind.NONE), (2, ArcKind.COAST), (3, ArcKind.COAST)]
)
def test_the_kind_of_a_line_follows_from_its_two_sides(arc: int, line: ArcKind) -> None:
    assert small_base().divides(arc) is line


def test_lines_of_a_kind_are_one_path() -> None:
    assert small_base().lines[ArcKind.COAST] == "M400 0l0 300M600 100l100 0 0 100-100 0 0-100"
    assert small_base().lines[ArcKind.BORDER] == ""


@pytest.mark.parametrize(
    ("place", "spot"),
    [("Lan", (200, 150)), ("Lan/ec", (380, 150)), ("ObA", (96, 49)), ("Isl/nc", (650, 140))],
)
def test_a_unit_is_drawn_at_the_spot_of_its_place(place: str, spot: tuple[int, int]) -> None:
    assert small_base().spot(place) == Point(*spot)


def test_an_unknown_place_is_a_key_error() -> None:
    with pytest.raises(KeyError):
        small_base().spot("Mars")
