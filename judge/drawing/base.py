"""The board under a picture: areas with their outlines and drawing positions.

A base is read from one JSON file. Outlines are stored as shared arcs, as in TopoJSON: an arc is a
line between two areas, stored once, so that neighbours never leave a gap. An arc is a list of
integers: the first point, then steps. `unit` of them make one unit of the picture. A ring is a list
of arc numbers, n forwards, ~n (which is -n - 1) backwards. `sides` names the areas on either side
of each arc: "-" is land outside the game, "" the edge of the picture.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from enum import Enum
from functools import cached_property
from itertools import accumulate
from typing import Any, NamedTuple

OUTSIDE = "-"
"""The side of an arc that is land outside the game."""
NAME = 11.5
"""Minimum size of an area's name."""
EDGE = ""
"""The side of an arc that is the edge of the picture."""
MAX_RATIO = 5
"""Maximum of the longer side of a board divided by the shorter one."""


class Point(NamedTuple):
    """A point of the picture, in its units. y grows downwards."""

    x: float
    y: float


class AreaKind(Enum):
    """Appearance of an area."""

    LAND = "land"
    SEA = "sea"
    SHUT = "shut"
    SHUT_SEA = "shutsea"

    @property
    def is_water(self) -> bool:
        """True for sea, open or closed."""
        return self in (AreaKind.SEA, AreaKind.SHUT_SEA)


class Area(NamedTuple):
    """One area, with its outline and the positions of its unit, name and centre."""

    name: str
    ground: AreaKind
    label: str
    rings: tuple[tuple[int, ...], ...]
    unit: Point
    label_at: Point
    dot: Point | None
    size: float = NAME
    """Size of its name. Larger areas have larger names."""


class Frame(NamedTuple):
    """A box next to the board for an area that has no place on it.

    A line leads from it to `door`, its entry point on the board. `links` are the frames it leads
    to, as printed in it. `home` is the area of the board that it opens to.
    """

    name: str
    ground: AreaKind
    x: float
    y: float
    width: float
    height: float
    unit: Point
    links: tuple[str, ...]
    home: str
    door: Point


class Bend(NamedTuple):
    """Detour of an arrow round an obstacle.

    `pull` is the point that the arrow is pulled towards (`curves.pulled`). `short` is how much
    earlier the arrow ends before a unit at its goal.
    """

    pull: Point
    short: float = 0


class Window(NamedTuple):
    """A rectangular part of a board, in its units."""

    x: float
    y: float
    width: float
    height: float

    def meets(self, other: "Window") -> bool:
        """Return whether two windows overlap."""
        return (
            self.x < other.x + other.width
            and other.x < self.x + self.width
            and self.y < other.y + other.height
            and other.y < self.y + self.height
        )

    def holds(self, point: Point) -> bool:
        """Return whether a point lies in the window, edges included."""
        return (
            self.x <= point.x <= self.x + self.width and self.y <= point.y <= self.y + self.height
        )


class ArcKind(Enum):
    """Type of the line that an arc is drawn as."""

    COAST = "coast"
    BORDER = "border"
    WATER = "water"
    NONE = "none"


class BorderKind(Enum):
    """Units that can cross a border, on a board that shows borders as lines."""

    ARMY = "army"
    FLEET = "fleet"
    BOTH = "both"


class Border(NamedTuple):
    """A border shown as a line between two places."""

    line: tuple[Point, ...]
    kind: BorderKind


class Mark(NamedTuple):
    """A short text on the ground, such as that of a coast."""

    at: Point
    text: str


@dataclass(frozen=True)
class BoardGeometry:
    """A board to draw on."""

    width: int
    height: int
    arcs: tuple[tuple[Point, ...], ...]
    sides: tuple[tuple[str, str], ...]
    areas: Mapping[str, Area]
    frames: Mapping[str, Frame]
    spots: Mapping[str, Point]
    """Positions of places within areas that have one of their own ("StP/nc")."""
    outside: tuple[tuple[int, ...], ...]
    """Rings of the land outside the game."""
    bends: Mapping[tuple[str, str], Bend] = field(default_factory=dict)
    """Detours of arrows that would lie under something, by start and adjacent goal."""
    ways: Mapping[tuple[str, str], tuple[Point, Point]] = field(default_factory=dict)
    """Ends of a line between two linked areas whose border does not show the link."""
    borders: tuple[Border, ...] = ()
    """Borders as lines between nodes (`schematic`). Empty if areas have their outlines."""
    marks: tuple[Mark, ...] = ()

    @property
    def is_schematic(self) -> bool:
        """True if areas are nodes, not outlines."""
        return bool(self.borders)

    def spot(self, place: str) -> Point:
        """Return the position of a unit at *place*.

        Raises:
            KeyError: the base has no such place.
        """
        if place in self.spots:
            return self.spots[place]
        name = place.partition("/")[0]
        return self.frames[name].unit if name in self.frames else self.areas[name].unit

    def outline(self, ring: Sequence[int]) -> tuple[Point, ...]:
        """Return the points of a ring. The first and the last are the same."""
        points: list[Point] = []
        for number in ring:
            arc = self.arcs[number] if number >= 0 else self.arcs[~number][::-1]
            points.extend(arc[1:] if points else arc)
        return tuple(points)

    def is_within(self, name: str, at: Point) -> bool:
        """Return whether a point is in an area (even-odd rule)."""
        inside = False
        for ring in self.areas[name].rings:
            points = self.outline(ring)
            for p, q in zip(points, points[1:], strict=False):
                if (p.y > at.y) != (q.y > at.y):
                    inside ^= at.x < p.x + (at.y - p.y) * (q.x - p.x) / (q.y - p.y)
        return inside

    @cached_property
    def shapes(self) -> Mapping[str, str]:
        """Outlines of areas as SVG path data. `OUTSIDE` is the land outside the game."""
        rings = {name: area.rings for name, area in self.areas.items()} | {OUTSIDE: self.outside}
        return {
            name: "".join(path_of(self.outline(ring)) + "z" for ring in found)
            for name, found in rings.items()
        }

    @property
    def whole(self) -> Window:
        """The window of the whole board."""
        return Window(0, 0, self.width, self.height)

    @cached_property
    def extents(self) -> tuple[Window, ...]:
        """Bounding window of each arc."""
        return tuple(map(extent_of, self.arcs))

    @cached_property
    def reaches(self) -> Mapping[str, Window]:
        """Bounding window of each area."""
        return {
            name: _around(self.extents[n if n >= 0 else ~n] for ring in area.rings for n in ring)
            for name, area in self.areas.items()
        }

    def divides(self, number: int) -> ArcKind:
        """Return the line type of an arc."""
        left, right = self.sides[number]
        if EDGE in (left, right):
            return ArcKind.NONE
        wet = self._is_water(left) + self._is_water(right)
        return (ArcKind.BORDER, ArcKind.COAST, ArcKind.WATER)[wet]

    def _is_water(self, name: str) -> bool:
        return name != OUTSIDE and self.areas[name].ground.is_water

    @cached_property
    def lines(self) -> Mapping[ArcKind, str]:
        """SVG path data of all arcs, by line type."""
        found: dict[ArcKind, list[str]] = {line: [] for line in ArcKind}
        for number, arc in enumerate(self.arcs):
            found[self.divides(number)].append(path_of(arc))
        return {line: "".join(paths) for line, paths in found.items()}

    def with_areas(self, areas: Mapping[str, Area]) -> "BoardGeometry":
        """Return the board with other names or positions in its areas.

        The outlines must be the same: their cached paths are reused.
        """
        found = replace(self, areas=areas)
        for name in ("shapes", "extents", "reaches", "lines"):
            found.__dict__[name] = getattr(self, name)
        return found

    def scale_down(self, factor: float) -> "BoardGeometry":
        """Return the board made smaller by *factor*.

        Items drawn on it keep their size and so appear larger.
        """

        def point(at: Point) -> Point:
            return Point(at.x / factor, at.y / factor)

        return BoardGeometry(
            width=round(self.width / factor),
            height=round(self.height / factor),
            arcs=tuple(tuple(map(point, arc)) for arc in self.arcs),
            sides=self.sides,
            areas={
                name: area._replace(
                    unit=point(area.unit),
                    label_at=point(area.label_at),
                    dot=None if area.dot is None else point(area.dot),
                )
                for name, area in self.areas.items()
            },
            frames={
                name: frame._replace(
                    x=frame.x / factor,
                    y=frame.y / factor,
                    width=frame.width / factor,
                    height=frame.height / factor,
                    unit=point(frame.unit),
                    door=point(frame.door),
                )
                for name, frame in self.frames.items()
            },
            spots={place: point(spot) for place, spot in self.spots.items()},
            outside=self.outside,
            bends={way: Bend(point(bend.pull), bend.short) for way, bend in self.bends.items()},
            ways={pair: (point(start), point(end)) for pair, (start, end) in self.ways.items()},
            borders=tuple(
                border._replace(line=tuple(map(point, border.line))) for border in self.borders
            ),
            marks=tuple(mark._replace(at=point(mark.at)) for mark in self.marks),
        )


def extent_of(arc: Iterable[Point]) -> Window:
    """Return the window around a line, with a margin of one unit."""
    xs, ys = zip(*arc, strict=True)
    # A line without breadth must overlap windows too.
    return Window(min(xs) - 1, min(ys) - 1, max(xs) - min(xs) + 2, max(ys) - min(ys) + 2)


def _around(windows: Iterable[Window]) -> Window:
    return extent_of(
        corner
        for each in windows
        for corner in (Point(each.x, each.y), Point(each.x + each.width, each.y + each.height))
    )


def path_of(points: Iterable[Point]) -> str:
    """Return points as SVG path data, in relative steps, to a tenth of a unit.

    >>> path_of([Point(10, 20), Point(11.5, 20), Point(11.5, 18)])
    'M10 20l1.5 0 0-2'
    """
    whole = [(round(x * 10), round(y * 10)) for x, y in points]
    (x, y), text, lead = whole[0], [], "l"
    for to_x, to_y in whole[1:]:
        across, down = _tenths(to_x - x), _tenths(to_y - y)
        text.append(f"{lead}{across}{'' if down.startswith('-') else ' '}{down}")
        x, y, lead = to_x, to_y, " "
    start = f"M{_tenths(whole[0][0])} {_tenths(whole[0][1])}"
    return start + "".join(text).replace(" -", "-")


def _tenths(number: int) -> str:
    return f"{number / 10:g}"


def load_base(text: str) -> BoardGeometry:
    """Read a base from the text of its JSON file."""
    data = json.loads(text)
    unit = data["unit"]
    areas = {name: _area(name, found) for name, found in data["areas"].items()}
    return BoardGeometry(
        width=data["width"],
        height=data["height"],
        arcs=tuple(_arc(steps, unit) for steps in data["arcs"]),
        sides=tuple((left, right) for left, right in data["sides"]),
        areas=areas,
        frames={name: _frame(name, found) for name, found in data["frames"].items()},
        spots={
            place: Point(*spot)
            for found in data["areas"].values()
            for place, spot in found.get("spots", {}).items()
        },
        outside=tuple(map(tuple, data["inert"])),
        bends={
            _parse_path(way): Bend(Point(x, y), short)
            for way, (x, y, short) in data.get("bends", {}).items()
        },
        ways={
            _parse_path(pair): (Point(x, y), Point(to_x, to_y))
            for pair, (x, y, to_x, to_y) in data.get("ways", {}).items()
        },
    )


def _parse_path(text: str) -> tuple[str, str]:
    start, _, goal = text.partition("-")
    return start, goal


def _arc(steps: Sequence[int], unit: int) -> tuple[Point, ...]:
    across, down = accumulate(steps[0::2]), accumulate(steps[1::2])
    return tuple(Point(x / unit, y / unit) for x, y in zip(across, down, strict=True))


def _area(name: str, data: Mapping[str, Any]) -> Area:
    return Area(
        name=name,
        ground=AreaKind(data["kind"]),
        label=data["label"],
        rings=tuple(map(tuple, data["rings"])),
        unit=Point(*data["unit"]),
        label_at=Point(*data["name"]),
        dot=Point(*data["dot"]) if "dot" in data else None,
        size=data.get("size", NAME),
    )


def _frame(name: str, data: Mapping[str, Any]) -> Frame:
    x, y, width, height = data["box"]
    return Frame(
        name=name, ground=AreaKind(data["kind"]), x=x, y=y, width=width, height=height,
        unit=Point(*data["unit"]), links=tuple(data["links"]), home=data["home"],
        door=Point(*data["door"]),
    )
