"""Elements of a laid-out picture: paths and texts of known width.

Widths are in thousandths of the size, for the shipped fonts. The tables have printable ASCII only,
which is enough for layout. Other characters count as a wide letter.
"""

from collections.abc import Iterable
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.base import Point, Window, path_of


class Path(NamedTuple):
    """A line or a surface, as SVG path data."""

    d: str
    fill: str = "none"
    stroke: str = "none"
    width: float = 0
    dash: str = ""
    opacity: float = 1
    name: str = ""
    """Name for the script of a page, or empty."""


class EdgeBand(NamedTuple):
    """A band of *width* along the inner side of an outline, with a unique `name`."""

    outline: str
    name: str
    stroke: str
    width: float


class Text(NamedTuple):
    """A text. `y` is its baseline. Its halo keeps it readable on any ground."""

    x: float
    y: float
    text: str
    size: float
    fill: str = colours.INK
    anchor: str = "middle"
    bold: bool = False
    italic: bool = False
    halo: str = ""


class Mark(NamedTuple):
    """A small group of elements, drawn around the origin and moved to a position.

    `across` and `down` are the distances that it reaches. A PNG renders equal marks once.
    """

    x: float
    y: float
    inks: tuple[Path | Text, ...]
    across: float
    down: float
    name: str = ""
    """Name for the script of a page, or empty."""


Primitive = Path | EdgeBand | Text | Mark


class GroundArea(NamedTuple):
    """Ground of one area: outline, colour, hatching, and colour of its band."""

    outline: str
    fill: str
    hatch: str = ""
    """Fill of its hatching, or empty."""
    band: str = ""
    takes_band: bool = False
    """True if the area has a band on some pictures."""


class Layer(NamedTuple):
    """Elements of one level, with a name for readers of the SVG.

    In a PNG, paths of a layer are below its texts and marks. A `fixed` layer covers all the board,
    and is the same on all pictures of it, so that a PNG renders it once. A layer with a `ground` is
    rendered once for all colours of its areas.
    """

    name: str
    inks: tuple[Primitive, ...]
    fixed: bool = False
    ground: tuple[GroundArea, ...] = ()


ORIGIN = Point(0, 0)
"""Position that the elements of a mark are drawn around."""
BASELINE = 0.36
"""Distance of a text's baseline below its middle, in parts of its size."""
PAGE = 1600.0
"""Width of the page for texts around a board, the same for any board."""
PHONE_PAGE = 640.0
"""The same for pictures for a phone."""


class FinishedDrawing(NamedTuple):
    """A finished drawing."""

    width: float
    height: float
    board_top: float
    board_height: float
    board: tuple[Layer, ...]
    """Layers of the board, the lowest first. Their origin is its upper left corner."""
    around: tuple[Layer, ...]
    """Texts around the board, on a page of their own width."""
    page: float
    """Size of a unit of the page, in units of the board."""
    title: str
    describes: str
    window: Window | None = None
    """The only part of the board that is shown, as wide as the drawing."""
    whole: tuple[float, float] = (0, 0)
    """Size of the whole board, for fixed layers."""


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


REGULAR = (
    318, 401, 460, 838, 636, 950, 780, 275, 390, 390, 500, 838, 318, 361, 318, 337, 636, 636, 636,
    636, 636, 636, 636, 636, 636, 636, 337, 337, 838, 838, 838, 531, 1000, 684, 686, 698, 770, 632,
    575, 775, 752, 295, 295, 656, 557, 863, 748, 787, 603, 787, 695, 635, 611, 732, 684, 989, 685,
    611, 685, 390, 337, 390, 838, 500, 500, 613, 635, 550, 635, 615, 352, 635, 634, 278, 278, 579,
    278, 974, 634, 612, 635, 635, 411, 521, 392, 634, 592, 818, 592, 592, 525, 636, 337, 636, 838,
)
"""Widths from the space to the tilde, for DejaVu Sans and its oblique."""

BOLD = (
    348, 456, 521, 838, 696, 1002, 872, 306, 457, 457, 523, 838, 380, 415, 380, 365, 696, 696, 696,
    696, 696, 696, 696, 696, 696, 696, 400, 400, 838, 838, 838, 580, 1000, 774, 762, 734, 830, 683,
    683, 821, 837, 372, 372, 775, 637, 995, 837, 850, 733, 850, 770, 720, 682, 812, 774, 1103, 771,
    724, 725, 457, 365, 457, 838, 500, 500, 675, 716, 593, 716, 678, 435, 716, 712, 343, 343, 665,
    343, 1042, 712, 687, 716, 716, 493, 595, 478, 712, 652, 924, 645, 652, 582, 712, 365, 712, 838,
)
"""The same for DejaVu Sans Bold."""

WIDE = 1000


def text_width(text: str, size: float, bold: bool = False) -> float:
    """Return the width of a text of this size.

    >>> text_width("Bur", 10), text_width("Bur", 10, bold=True)
    (17.31, 19.67)
    """
    table = BOLD if bold else REGULAR
    return sum(_width(letter, table) for letter in text) * size / 1000


def _width(letter: str, table: tuple[int, ...]) -> int:
    at = ord(letter) - 32
    return table[at] if 0 <= at < len(table) else WIDE
