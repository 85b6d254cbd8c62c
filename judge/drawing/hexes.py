"""Boards of hexes: flat-topped, in columns, with counters that face a side.

Hexes are named by their column and row as maps of wargames print them: `0307` is the third column
from the left and the seventh row from above. Even columns stand half a hex lower.
"""

import math
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from enum import IntEnum
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.base import Point, path_of
from judge.drawing.curves import arrowhead
from judge.drawing.drawing import Drawing
from judge.drawing.framing import framed, height_of
from judge.drawing.ink import Ink, Layer, Path, Sheet, Text, box, cross, polygon
from judge.drawing.picture import Captions, Side

RADIUS = 40.0
"""From the middle of a hex to its corners."""
_HIGH = math.sqrt(3) * RADIUS
_EDGE = 12.0
"""What is free around the board."""
_COUNTER = 38.0
_TIP = 9.0


class Facing(IntEnum):
    """The sides of a hex, clockwise from the upper one."""

    N = 0
    NE = 1
    SE = 2
    S = 3
    SW = 4
    NW = 5


class Hex(NamedTuple):
    """A hex that is not plain land: its colour, and a name in it."""

    fill: str
    name: str = ""


class Counter(NamedTuple):
    """A unit: what stands on it, whose it is, and where it looks."""

    place: str
    side: str
    text: str
    facing: Facing | None = None
    spent: bool = False
    """Drawn faint: lost, or out of command."""


class March(NamedTuple):
    """A way from hex to hex, with an arrow at its end, or a cross where it was stopped."""

    places: tuple[str, ...]
    side: str
    failed: bool = False


@dataclass(frozen=True)
class HexPicture:
    """One picture of a board of hexes."""

    columns: int
    rows: int
    captions: Captions
    hexes: Mapping[str, Hex] = field(default_factory=dict)
    roads: tuple[tuple[str, str], ...] = ()
    rivers: tuple[tuple[str, Facing], ...] = ()
    """Sides of hexes along which water runs."""
    counters: tuple[Counter, ...] = ()
    marches: tuple[March, ...] = ()


@dataclass(frozen=True)
class OnHexes(Drawing):
    """The drawing of a board of hexes."""

    picture: HexPicture

    @property
    def captions(self) -> Captions:
        """What is written around the board."""
        return self.picture.captions

    @property
    def proportion(self) -> float:
        """How high it is, in parts of its width."""
        width, height = _size(self.picture)
        return height_of(self.captions, width, height) / width

    def drawn(self) -> Sheet:
        """Return the layers."""
        picture, (width, height) = self.picture, _size(self.picture)
        sides = {side.name: side for side in picture.captions.sides}
        board = (
            Layer("hexes", tuple(_hexes(picture))),
            Layer("rivers", tuple(_rivers(picture))),
            Layer("roads", tuple(_roads(picture))),
            Layer("names", tuple(_names(picture))),
            Layer("counters", tuple(_counters(picture, sides))),
            Layer("marches", tuple(_marches(picture, sides))),
        )
        return framed(board, width, height, picture.captions)


def middle(place: str) -> Point:
    """Return where the middle of a hex is on the board.

    >>> a, b = middle("0101"), middle("0102")
    >>> (a.x == b.x, round(b.y - a.y, 1)), middle("0201").y > a.y
    ((True, 69.3), True)
    """
    column, row = int(place[:-2]), int(place[-2:])
    x = _EDGE + RADIUS + (column - 1) * 1.5 * RADIUS
    y = _EDGE + _HIGH * (row - (0 if column % 2 == 0 else 0.5))
    return Point(x, y)


def beside(place: str, side: Facing) -> str:
    """Return the hex beyond a side.

    >>> beside("0304", Facing.NE), beside("0404", Facing.NE), beside("0304", Facing.S)
    ('0403', '0504', '0305')
    """
    column, row = int(place[:-2]), int(place[-2:])
    if side in (Facing.N, Facing.S):
        return f"{column:02}{row + (1 if side is Facing.S else -1):02}"
    lower = column % 2 == 0
    up = side in (Facing.NE, Facing.NW)
    row += (0 if up else 1) if lower else (-1 if up else 0)
    return f"{column + (1 if side in (Facing.NE, Facing.SE) else -1):02}{row:02}"


def _size(picture: HexPicture) -> tuple[float, float]:
    width = 2 * _EDGE + RADIUS * (1.5 * picture.columns + 0.5)
    return width, 2 * _EDGE + _HIGH * (picture.rows + (0.5 if picture.columns > 1 else 0))


def _places(picture: HexPicture) -> Iterator[str]:
    for column in range(1, picture.columns + 1):
        for row in range(1, picture.rows + 1):
            yield f"{column:02}{row:02}"


def _corner(at: Point, number: int, reach: float = RADIUS) -> Point:
    """Return a corner of a hex; the first is the left end of its upper side."""
    turn = math.radians(60 * number - 120)
    return Point(at.x + reach * math.cos(turn), at.y + reach * math.sin(turn))


def _hexes(picture: HexPicture) -> Iterator[Ink]:
    for place in _places(picture):
        at, known = middle(place), picture.hexes.get(place)
        corners = [_corner(at, number) for number in range(6)]
        fill = known.fill if known else colours.LAND
        yield Path(polygon(corners), fill=fill, stroke=colours.BORDER, width=0.8)


def _names(picture: HexPicture) -> Iterator[Ink]:
    for place in _places(picture):
        at, known = middle(place), picture.hexes.get(place)
        yield Text(at.x, at.y - _HIGH / 2 + 11, place, 9, colours.FAINT_INK)
        if known and known.name:
            yield Text(at.x, at.y + _HIGH / 2 - 6, known.name, 11, halo="#ffffff")


def _rivers(picture: HexPicture) -> Iterator[Ink]:
    for place, side in picture.rivers:
        at = middle(place)
        ends = (_corner(at, side), _corner(at, side + 1))
        yield Path(path_of(ends), stroke=colours.WATERLINE, width=6)


def _roads(picture: HexPicture) -> Iterator[Ink]:
    for start, to in picture.roads:
        yield Path(path_of((middle(start), middle(to))), stroke=colours.BORDER, width=4)


def _counters(picture: HexPicture, sides: Mapping[str, Side]) -> Iterator[Ink]:
    stacked: dict[str, int] = {}
    for counter in picture.counters:
        number = stacked.setdefault(counter.place, 0)
        stacked[counter.place] += 1
        at = middle(counter.place)
        yield from _counter(counter, Point(at.x + 5 * number, at.y - 5 * number), sides)


def _counter(counter: Counter, at: Point, sides: Mapping[str, Side]) -> Iterator[Ink]:
    """Yield a counter: a block with its text, and a tip at the side it faces."""
    side = sides.get(counter.side)
    fill = colours.paint(side.colour).strong if side else colours.FAINT_INK
    faint = 0.45 if counter.spent else 1.0
    half = _COUNTER / 2
    if counter.facing is not None:
        turn = math.radians(60 * counter.facing - 90)
        far = half + _TIP
        tip = Point(at.x + far * math.cos(turn), at.y + far * math.sin(turn))
        near = 0.8 * half
        foot = [
            Point(at.x + near * math.cos(turn + way), at.y + near * math.sin(turn + way))
            for way in (-0.5, 0.5)
        ]
        yield Path(polygon([tip, *foot]), fill=fill, stroke="#ffffff", width=1, opacity=faint)
    block = box(at.x - half, at.y - half * 0.72, _COUNTER, _COUNTER * 0.72, 4)
    yield Path(block, fill=fill, stroke="#ffffff", width=1.5, opacity=faint)
    yield Text(at.x, at.y + 4, counter.text, 11, "#ffffff", bold=True)


def _marches(picture: HexPicture, sides: Mapping[str, Side]) -> Iterator[Ink]:
    for march in picture.marches:
        points = tuple(middle(place) for place in march.places)
        side = sides.get(march.side)
        ink = colours.FAILED if march.failed or side is None else colours.paint(side.colour).strong
        dash = "7 5" if march.failed else ""
        yield Path(path_of(points), stroke=ink, width=4, dash=dash, opacity=0.85)
        if march.failed:
            yield Path(cross(points[-1].x, points[-1].y, 8), stroke=ink, width=4)
        elif len(points) > 1:
            yield Path(path_of(arrowhead(points[-2:], 16)) + "z", fill=ink)
