"""What a picture is made of once everything has its place: paths and texts, in layers."""

from collections.abc import Iterable
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.base import Point, path_of


class Path(NamedTuple):
    """A line or a surface, as SVG path data."""

    d: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 0
    dash: str = ""
    opacity: float = 1


class Text(NamedTuple):
    """A text; `y` is its baseline. A halo lies below it, so that it can be read on anything."""

    x: float
    y: float
    text: str
    size: float
    fill: str = colours.INK
    anchor: str = "middle"
    bold: bool = False
    italic: bool = False
    halo: str = ""


Ink = Path | Text


class Layer(NamedTuple):
    """What lies on one level, by a name that tells readers of the SVG what it is."""

    name: str
    inks: tuple[Ink, ...]


PAGE = 1600.0
"""The width of a picture for what is written around its board, so that it is as large on any."""


class Sheet(NamedTuple):
    """A finished drawing."""

    width: float
    height: float
    board_top: float
    board_height: float
    board: tuple[Layer, ...]
    """The layers of the board, from the lowest to the highest; their zero is its upper left."""
    around: tuple[Layer, ...]
    """What is written around the board, on a page of `PAGE` units."""
    page: float
    """How large a unit of the page is, in units of the board."""
    title: str
    describes: str


def circle(x: float, y: float, radius: float) -> str:
    """Return a circle as path data.

    >>> circle(10, 10, 4)
    'M6 10a4 4 0 1 0 8 0a4 4 0 1 0-8 0z'
    """
    r = number(radius)
    return (
        f"M{number(x - radius)} {number(y)}"
        f"a{r} {r} 0 1 0 {number(2 * radius)} 0a{r} {r} 0 1 0-{number(2 * radius)} 0z"
    )


def box(x: float, y: float, width: float, height: float, round_by: float = 0) -> str:
    """Return a rectangle as path data, its corners rounded."""
    w, h, r = width - 2 * round_by, height - 2 * round_by, round_by
    corners = [(r, r), (-r, r), (-r, -r), (r, -r)]
    sides = [f"h{number(w)}", f"v{number(h)}", f"h{number(-w)}", f"v{number(-h)}"]
    turned = (f"q{a}" for a in _turns(corners)) if r else iter([""] * 4)
    body = "".join(side + turn for side, turn in zip(sides, turned, strict=True))
    return f"M{number(x + r)} {number(y)}{body}z"


def _turns(corners: list[tuple[float, float]]) -> list[str]:
    """Return the rounded corners of a box, clockwise from its upper right."""
    bends = []
    for index, (x, y) in enumerate(corners):
        control = f"{number(x)} 0" if index % 2 == 0 else f"0 {number(y)}"
        bends.append(f"{control} {number(x)} {number(y)}")
    return bends


def cross(x: float, y: float, reach: float) -> str:
    """Return an X as path data.

    >>> cross(10, 10, 2)
    'M8 8l4 4M8 12l4-4'
    """
    r, d = reach, number(2 * reach)
    left = number(x - r)
    return f"M{left} {number(y - r)}l{d} {d}M{left} {number(y + r)}l{d}-{d}"


def polygon(points: Iterable[Point]) -> str:
    """Return a closed line as path data."""
    return path_of(points) + "z"


def number(value: float) -> str:
    """Return a number as short as a tenth of a unit allows.

    >>> number(3.04), number(-0.01), number(2.55)
    ('3', '0', '2.5')
    """
    return f"{round(value, 1) + 0.0:g}"
