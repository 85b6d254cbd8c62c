"""Boards as stacks of slices: the parts that never change are drawn once.

A book of a game has hundreds of pictures of one board. Each is a stack of a few drawings of the
same size. Ground, borders and names are the same in all of them, and colours and units are small
files of their own.
"""

import re
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.base import Area, BoardGeometry, Point
from judge.drawing.picture import Picture, Side, TokenShape
from judge.drawing.primitives import BASELINE, EdgeBand, Layer, Path, Primitive, Text, box, circle


class Slice(NamedTuple):
    """One drawing of a stack. A fixed one is the same on every picture of its board."""

    layers: tuple[Layer, ...]
    fixed: bool = False


class Stack(NamedTuple):
    """Drawings of one size, the lowest first."""

    width: float
    height: float
    slices: tuple[Slice, ...]


PIP = 15.0
"""Size of a unit on a board as small as a stamp."""


def tints(picture: Picture) -> Iterator[Primitive]:
    """Yield the land of all sides, one shape for each, and bands around other land.

    Outlines are in whole units, as lines lie above their edges.
    """
    base = picture.base
    sides = {side.name: side for side in picture.sides}
    land: dict[str, set[str]] = {}
    for name, owner in sorted(picture.tints.items()):
        if name in base.areas and owner in sides:
            land.setdefault(owner, set()).add(name)
    for owner, areas in land.items():
        shape = coarse(base, merge_outlines(base, areas))
        colour = sides[owner].colour
        yield Path(shape, fill=colours.paint(colour).tint)
        if colours.is_hatched(colour):
            yield Path(shape, fill=colours.hatching(colour))
    for name, owner in picture.bands.items():
        if name in base.areas and owner in sides:
            area = base.areas[name]
            yield edge_band(area, coarse(base, area.rings), sides[owner])
            yield band_letter(area, sides[owner])


BAND, MARK = 7.0, 10.0
"""Width of a band, and size of the letter inside it.

A band shows the last side to occupy land without an owner.
"""


def edge_band(area: Area, outline: str, side: Side) -> EdgeBand:
    """Return the band of a side along the inner side of an area."""
    return EdgeBand(outline, area.name, colours.paint(side.colour).tint, BAND)


def band_letter(area: Area, side: Side, size: float = MARK) -> Text:
    """Return the letter that identifies the side of a band without its colour."""
    at, fill = area.unit, colours.paint(side.colour).strong
    return Text(at.x, at.y + size * BASELINE, side.letter, size, fill, bold=True)


def merge_outlines(base: BoardGeometry, areas: set[str]) -> list[tuple[int, ...]]:
    """Return the rings around some areas together, without the lines between them.

    Arcs that bound two of the areas are in the ring of each, once in either direction.
    """
    arcs = [n for name in sorted(areas) for ring in base.areas[name].rings for n in ring]
    inner = {*arcs} & {~n for n in arcs}
    outer = [n for n in arcs if n not in inner]
    by_start: dict[Point, list[int]] = {}
    for n in outer:
        by_start.setdefault(_ends(base, n)[0], []).append(n)
    rings: list[tuple[int, ...]] = []
    for n in outer:
        ring: list[int] = []
        at = _ends(base, n)[0]
        while by_start.get(at):
            ring.append(by_start[at].pop())
            at = _ends(base, ring[-1])[1]
        if ring:
            rings.append(tuple(ring))
    return rings


def _ends(base: BoardGeometry, n: int) -> tuple[Point, Point]:
    arc = base.arcs[n if n >= 0 else ~n]
    return (arc[0], arc[-1]) if n >= 0 else (arc[-1], arc[0])


def coarse(base: BoardGeometry, rings: Sequence[tuple[int, ...]]) -> str:
    """Return rings as SVG path data in whole units."""
    parts = []
    for ring in rings:
        points = [(round(x), round(y)) for x, y in base.outline(ring)]
        steps, (x, y) = [], points[0]
        for to_x, to_y in points[1:]:
            if (to_x, to_y) != (x, y):
                steps.append(f"{to_x - x} {to_y - y}")
                x, y = to_x, to_y
        if len(steps) > 2:
            parts.append(f"M{points[0][0]} {points[0][1]}l{' '.join(steps)}z".replace(" -", "-"))
    return "".join(parts)


_LINE = re.compile(r"M-?[0-9.]+ ?-?[0-9.]+l[-0-9. ]*")
"""A line of path data, as `path_of` writes it."""
_NUMBER = re.compile(r"-?[0-9.]+")


def coarsen(path: str) -> str:
    """Return the lines of SVG path data in whole units.

    Steps too small for them are joined to the next one.

    >>> coarsen("M10.4 20l1.2 0 0.1 0.2 0-2.4z")
    'M10 20l2 0 0-2z'
    """
    return _LINE.sub(_coarse_line, path)


def _coarse_line(line: re.Match[str]) -> str:
    # Sums of tenths are exact, so that a border is the same on either side of it.
    x, y, *steps = (round(float(each) * 10) for each in _NUMBER.findall(line[0]))
    start_x, start_y = at_x, at_y = round(x / 10), round(y / 10)
    kept = []
    for across, down in zip(steps[::2], steps[1::2], strict=True):
        x, y = x + across, y + down
        to_x, to_y = round(x / 10), round(y / 10)
        if (to_x, to_y) != (at_x, at_y):
            kept.append(f"{to_x - at_x} {to_y - at_y}")
            at_x, at_y = to_x, to_y
    return f"M{start_x} {start_y}l{' '.join(kept) or '0 0'}".replace(" -", "-")


def pips(picture: Picture) -> Iterator[Primitive]:
    """Yield the units of a board that is as small as a stamp."""
    paints = {side.name: colours.paint(side.colour).strong for side in picture.sides}
    for token in picture.tokens:
        at = picture.base.spot(token.place)
        if token.form is TokenShape.BLOCK:
            shape = box(at.x - PIP, at.y - PIP, 2 * PIP, 2 * PIP, 3)
        else:
            shape = circle(at.x, at.y, 1.1 * PIP)
        yield Path(shape, fill=paints[token.side], stroke="#ffffff", width=5)
