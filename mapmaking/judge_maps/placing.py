"""Positions of each area's unit, name and centre, far inside without overlap.

An area offers a room: its pixels, and the cost of a box at each of them. Areas are placed one after
the other, the smallest first, in several rounds, as each avoids the boxes of the others. In an area
all good positions for the unit are tried with the best position for the name, with its dot left,
right, above or below. In provinces with several coasts, fleets are near the waters that their coast
touches.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from judge.drawing.base import NAME, Point
from judge.drawing.primitives import text_width

Costs = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

MARGIN = 34
"""Distance around an area in which its surroundings are checked."""
SQUARES = (9, 17, 27, 41, 61, 91, 131, 191)
"""Sizes of squares by which depth is measured."""
SIZES = (NAME, 14.0, 17.0)
"""Sizes of names.

A larger one is used where it fits as well, so that large lands and seas are easy to find.
"""
LARGER = 1.2
"""Gain in cost for each unit of size."""
ROOMY = 6000
"""Minimum pixels of areas with large names."""
OFFSHORE = 30.0
"""Cost of a name outside its area on another type of ground.

It applies to areas too small for their name: an island's name on the sea, a canal's on land.
"""
UNIT = (27.0, 22.0)
DOT = 15.0
GAP = 5.0
"""Intended distance between unit and name."""
ROUNDS = 4
TRIES = 30
APART = 3
INLAND = 9.0
"""Distance of a fleet from the water."""
THEIRS = 46.0
"""Distance from another area's name at which a fleet seems to be in that area."""


class Box(NamedTuple):
    """A rectangle by its middle."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Room:
    """An area's pixels, one to a unit of the picture, with its surroundings."""

    inside: Mask
    x: Costs
    y: Costs
    size: tuple[int, int]
    """Size of the whole picture."""
    foreign: Mask
    """Pixels of other areas of the same type (land or water).

    An item there would seem to belong to them.
    """

    @property
    def left(self) -> int:
        """Smallest x of the pixels."""
        return int(self.x[0, 0])

    @property
    def top(self) -> int:
        """Smallest y of the pixels."""
        return int(self.y[0, 0])

    def at(self, pixel: int) -> Point:
        """Return the point of a pixel by its index."""
        return Point(float(self.x.flat[pixel]), float(self.y.flat[pixel]))

    def share_outside(self, width: float, height: float) -> Costs:
        """Return the part of a box centred at each pixel that would lie outside."""
        return 1 - measure_coverage(self.inside, int(width) + 1, int(height) + 1)

    def share_foreign(self, width: float, height: float) -> Costs:
        """Return the part of a box centred at each pixel on other areas of its type."""
        return measure_coverage(self.foreign, int(width) + 1, int(height) + 1)

    def over_the_edge(self, width: float, height: float) -> Mask:
        """Return for each pixel whether a box there is too near the picture's edge."""
        across = np.minimum(self.x, self.size[0] - self.x)
        down = np.minimum(self.y, self.size[1] - self.y)
        return (across < width / 2 + 2) | (down < height / 2 + 2)

    def depth(self) -> Costs:
        """Return the side of the largest square around each pixel that lies inside."""
        found = np.zeros(self.inside.shape)
        for side in SQUARES:
            found = np.where(measure_coverage(self.inside, side, side) > 0.985, side, found)
        return found

    def overlap(self, width: float, height: float, others: Sequence[Box]) -> Costs:
        """Return the cost for each pixel of a box there that overlaps others."""
        cost = np.zeros(self.inside.shape)
        for box in others:
            across, down = self.common(width, height, box)
            hit = (across > 0) & (down > 0)
            cost += 25 * hit + 3 * np.sqrt(np.maximum(across, 0) * np.maximum(down, 0))
        return cost

    def common(self, width: float, height: float, box: Box) -> tuple[Costs, Costs]:
        """Return the overlaps of a box at each pixel with *box*, across and down."""
        across = (width + box.width) / 2 - np.abs(self.x - box.x) + 1.5
        down = (height + box.height) / 2 - np.abs(self.y - box.y) + 1
        return across, down

    def near(self, others: Sequence[Box]) -> list[Box]:
        """Return those boxes that could overlap something here."""
        height, width = self.inside.shape
        middle = Point(self.left + width / 2, self.top + height / 2)
        return [
            box
            for box in others
            if abs(box.x - middle.x) < (width + box.width) / 2 + MARGIN
            and abs(box.y - middle.y) < (height + box.height) / 2 + MARGIN
        ]


Rings = Sequence[Sequence[Point]]


def paint_rings(rings: Rings, left: int, top: int, right: int, bottom: int) -> Mask:
    """Return the pixels of a rectangle that lie inside an outline (even-odd rule)."""
    inside = np.zeros((bottom - top, right - left), bool)
    for ring in rings:
        image = Image.new("1", (right - left, bottom - top))
        ImageDraw.Draw(image).polygon([(point.x - left, point.y - top) for point in ring], fill=1)
        inside ^= np.asarray(image)
    return inside


def room_of(rings: Rings, size: tuple[int, int], kind: Mask | None = None) -> Room:
    """Return the room inside an outline.

    *kind* are all pixels of the picture of its type.
    """
    xs = [point.x for ring in rings for point in ring]
    ys = [point.y for ring in rings for point in ring]
    left, top = max(int(min(xs)) - MARGIN, 0), max(int(min(ys)) - MARGIN, 0)
    right, bottom = min(int(max(xs)) + MARGIN, size[0]), min(int(max(ys)) + MARGIN, size[1])
    inside = paint_rings(rings, left, top, right, bottom)
    like = np.ones_like(inside) if kind is None else kind[top:bottom, left:right]
    y, x = np.mgrid[top:bottom, left:right].astype(float)
    return Room(inside, x, y, size, like & ~inside)


def measure_coverage(inside: Mask, width: int, height: int) -> Costs:
    """Return the part of a box centred at each pixel that lies inside.

    It is computed by a summed-area table.

    >>> measure_coverage(np.array([[True, True, False]]), 1, 1).tolist()
    [[1.0, 1.0, 0.0]]
    """
    rows, columns = inside.shape
    padded = np.zeros((rows + 2 * height + 1, columns + 2 * width + 1))
    padded[height + 1 : height + 1 + rows, width + 1 : width + 1 + columns] = inside
    sums = padded.cumsum(0).cumsum(1)
    top = np.arange(rows) + height - height // 2
    left = np.arange(columns) + width - width // 2
    bottom, right = top + height, left + width
    found: Costs = (
        sums[np.ix_(bottom, right)]
        - sums[np.ix_(top, right)]
        - sums[np.ix_(bottom, left)]
        + sums[np.ix_(top, left)]
    )
    return found / (width * height)


class Subject(NamedTuple):
    """An area to be placed: its room, its label, and whether it has a centre's dot."""

    room: Room
    label: str
    has_dot: bool


class Layout(NamedTuple):
    """Offsets of name and dot from the middle of their common box, and their size."""

    name: tuple[float, float]
    dot: tuple[float, float] | None
    width: float
    height: float
    malus: float
    size: float = NAME


class Placed(NamedTuple):
    """Positions of an area's items, and the boxes they take."""

    unit: Point
    name: Point
    dot: Point | None
    size: float
    boxes: tuple[Box, Box]


class _Costs(NamedTuple):
    """Costs of each pixel that do not change while other areas move."""

    unit: Costs
    names: tuple[tuple[Layout, Costs], ...]


def place_all(subjects: Mapping[str, Subject], blocked: Sequence[Box]) -> Mapping[str, Placed]:
    """Return the positions of all items, none of them on a blocked box."""
    costs = {name: _costs(subject) for name, subject in subjects.items()}
    order = sorted(subjects, key=lambda name: int(subjects[name].room.inside.sum()))
    placed: dict[str, Placed] = {}
    around: dict[str, list[Box]] = {}
    for _ in range(ROUNDS):
        for name in order:
            taken = [box for other, found in placed.items() if other != name for box in found.boxes]
            room = subjects[name].room
            near = room.near([*blocked, *taken])
            # A position is kept if nothing has moved around it.
            if around.get(name) != near:
                placed[name] = _place(room, costs[name], near)
                around[name] = near
    return placed


def layouts(label: str, has_dot: bool, size: float) -> Iterator[Layout]:
    """Yield the possible layouts of name and dot next to each other."""
    wide, malus = text_width(label, size) + 2, -LARGER * (size - NAME)
    if not has_dot:
        yield Layout((0, 0), None, wide, size, malus, size)
        return
    row, beside, high = wide + DOT + 1, (DOT + 1) / 2, max(DOT, size)
    yield Layout((beside, 0), (-wide / 2 - 0.5, 0), row, high, malus, size)
    yield Layout((-beside, 0), (wide / 2 + 0.5, 0), row, high, malus + 1.5, size)
    if size == NAME:
        yield Layout((0, 7.5), (0, -5), max(wide, DOT), 24, 3)
        yield Layout((0, -7.5), (0, 5), max(wide, DOT), 24, 3)


def _costs(subject: Subject) -> _Costs:
    room = subject.room
    depth = room.depth()
    rows, columns = np.nonzero(room.inside)
    off = np.hypot(room.x - room.left - columns.mean(), room.y - room.top - rows.mean())
    unit = (
        120 * room.share_outside(*UNIT)
        + 400 * ~room.inside
        # A pixel on the outline may be half outside.
        + 20 * (measure_coverage(room.inside, 3, 3) < 0.999)
        + 60 * room.over_the_edge(*UNIT)
        - 0.12 * np.minimum(depth, 131)
        + 0.03 * off
    )
    names = tuple(
        (layout, _name_cost(room, layout, depth))
        for size in SIZES[: 1 if room.inside.sum() < ROOMY else None]
        for layout in layouts(subject.label, subject.has_dot, size)
    )
    return _Costs(unit, names)


def _name_cost(room: Room, layout: Layout, depth: Costs) -> Costs:
    """Return the cost of name and dot at each pixel.

    The name's middle is inside the area, or the name touches no other area of its type.
    """
    across, down = (round(step) for step in layout.name)
    moved = np.roll(room.inside, (-down, -across), (0, 1))
    ashore = (
        140 * room.share_outside(layout.width, layout.height)
        + 200 * ~moved
        - 0.03 * np.minimum(depth, 91)
    )
    offshore = OFFSHORE + 1000 * room.share_foreign(layout.width + 2, layout.height + 2)
    edge = 80 * room.over_the_edge(layout.width, layout.height)
    cost: Costs = np.minimum(ashore, offshore) + edge + layout.malus
    return cost


def _place(room: Room, costs: _Costs, others: Sequence[Box]) -> Placed:
    units = list(_best(costs.unit + room.overlap(*UNIT, others)))
    best, found = np.inf, None
    for layout, cost in costs.names:
        free = cost + room.overlap(layout.width, layout.height, others)
        for pixel, unit_cost in units:
            unit = room.at(pixel)
            whole = free + _beside(room, unit, layout)
            name_pixel = int(whole.argmin())
            if unit_cost + whole.flat[name_pixel] < best:
                best = unit_cost + float(whole.flat[name_pixel])
                found = _make_placed(unit, room.at(name_pixel), layout)
    assert found is not None
    return found


def _best(cost: Costs) -> Iterator[tuple[int, float]]:
    """Yield the cheapest pixels, none too near another one."""
    left = cost.copy()
    for _ in range(TRIES):
        pixel = int(left.argmin())
        if not np.isfinite(left.flat[pixel]):
            return
        yield pixel, float(cost.flat[pixel])
        row, column = divmod(pixel, left.shape[1])
        rows = slice(max(0, row - APART), row + APART + 1)
        left[rows, max(0, column - APART) : column + APART + 1] = np.inf


def _beside(room: Room, unit: Point, layout: Layout) -> Costs:
    """Return the cost of the name's distance from the unit, least just below it."""
    across, down = np.abs(room.x - unit.x), np.abs(room.y - unit.y)
    beside = across - (UNIT[0] + layout.width) / 2
    below = down - (UNIT[1] + layout.height) / 2
    gap = np.maximum(beside, below)
    cost: Costs = (
        1000 * ((beside < 0) & (below < 0.5))
        + 0.35 * np.maximum(gap - GAP, 0)
        + 1.2 * np.clip(GAP - gap, 0, GAP) * (gap >= 0)
        + 0.08 * np.hypot(across, down)
        - 1.0 * ((room.y > unit.y) & (across < 6))
    )
    return cost


def _make_placed(unit: Point, middle: Point, layout: Layout) -> Placed:
    def move_from_middle(step: tuple[float, float]) -> Point:
        return Point(middle.x + step[0], middle.y + step[1])

    boxes = (Box(*unit, *UNIT), Box(*middle, layout.width, layout.height))
    dot = None if layout.dot is None else move_from_middle(layout.dot)
    return Placed(unit, move_from_middle(layout.name), dot, layout.size, boxes)


def spot_on_coast(
    room: Room,
    at: Point,
    shore: Sequence[Point],
    other_shores: Sequence[Point],
    others: Sequence[Box],
    named: Sequence[Box] = (),
) -> Point:
    """Return a position on a shore of an area, near *at* and far from other shores.

    It avoids the names of other areas (*named*).
    """
    theirs = [Point(box.x, box.y) for box in room.near(named)]
    away, from_others = _distance(room, shore), _distance(room, other_shores)
    cost = (
        6 * np.abs(away - INLAND)
        + 8 * np.maximum(0, away - from_others + 6)
        + 60 * room.share_outside(*UNIT)
        + 0.25 * np.hypot(room.x - at.x, room.y - at.y)
        + 300 * ~room.inside
        + 20 * (measure_coverage(room.inside, 3, 3) < 0.999)
        + 200 * room.over_the_edge(*UNIT)
        + 1.6 * room.overlap(*UNIT, room.near(others))
        + 1.5 * np.maximum(0, THEIRS - _distance(room, theirs))
    )
    return room.at(int(cost.argmin()))


def _distance(room: Room, points: Sequence[Point]) -> Costs:
    """Return the distance of each pixel from the nearest of these points."""
    found = np.full(room.inside.shape, 1e6)
    for x, y in points:
        found = np.minimum(found, np.hypot(room.x - x, room.y - y))
    return found
