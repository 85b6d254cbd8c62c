"""Where unit, name and centre's dot of each area stand: as far inside as can be, on nothing else.

Areas are placed one after the other, the smallest first, and several times, as each looks at what
the others have taken. In an area all good places for the unit are tried with the best place for
the name, with its dot left, right, above or below.
"""

from collections.abc import Iterator, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from judge.drawing.base import NAME, Point
from judge.drawing.ink import text_width
from judge.mapmaking.rooms import Box, Costs, Room, covered

SIZES = (NAME, 14.0, 17.0)
"""The sizes of names. A larger one is taken where it fits as well, so that great lands and seas are
found first."""
LARGER = 1.2
"""What a unit of size is worth."""
ROOMY = 6000
"""Only areas of so many pixels have large names."""
OFFSHORE = 30.0
"""What it costs to write the name of an area too small for it on what is not of its kind: an
island's on the sea, a canal's on the land."""
UNIT = (27.0, 22.0)
DOT = 15.0
GAP = 5.0
"""The distance between unit and name there should be."""
ROUNDS = 4
TRIES = 30
APART = 3


class Subject(NamedTuple):
    """An area to be placed: its room, its label, and whether it has a centre's dot."""

    room: Room
    label: str
    has_dot: bool


class Layout(NamedTuple):
    """How name and dot lie in their common box, from its middle, and how large the name is."""

    name: tuple[float, float]
    dot: tuple[float, float] | None
    width: float
    height: float
    malus: float
    size: float = NAME


class Placed(NamedTuple):
    """Where the things of an area stand, and the room they take."""

    unit: Point
    name: Point
    dot: Point | None
    size: float
    boxes: tuple[Box, Box]


class _Costs(NamedTuple):
    """What does not change while others move: the cost of each pixel."""

    unit: Costs
    names: tuple[tuple[Layout, Costs], ...]


def place_all(subjects: Mapping[str, Subject], blocked: Sequence[Box]) -> Mapping[str, Placed]:
    """Return where everything stands; nothing goes where it is blocked."""
    costs = {name: _costs(subject) for name, subject in subjects.items()}
    order = sorted(subjects, key=lambda name: int(subjects[name].room.inside.sum()))
    placed: dict[str, Placed] = {}
    for _ in range(ROUNDS):
        for name in order:
            taken = [box for other, found in placed.items() if other != name for box in found.boxes]
            room = subjects[name].room
            placed[name] = _place(room, costs[name], room.near([*blocked, *taken]))
    return placed


def layouts(label: str, has_dot: bool, size: float) -> Iterator[Layout]:
    """Yield the ways name and dot can lie beside each other."""
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
        + 20 * (covered(room.inside, 3, 3) < 0.999)
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
    """Return what it costs to put name and dot at each pixel.

    The name's middle stays inside, or it touches no other area of its kind.
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
                found = _placed(unit, room.at(name_pixel), layout)
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
    """Return what it costs to put the name so far from the unit; best is just below it."""
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


def _placed(unit: Point, middle: Point, layout: Layout) -> Placed:
    def moved(step: tuple[float, float]) -> Point:
        return Point(middle.x + step[0], middle.y + step[1])

    boxes = (Box(*unit, *UNIT), Box(*middle, layout.width, layout.height))
    dot = None if layout.dot is None else moved(layout.dot)
    return Placed(unit, moved(layout.name), dot, layout.size, boxes)
