"""Board under the pictures of a map: its shapes, or else nodes and lines."""

from collections.abc import Iterator
from functools import cache
from importlib.resources.abc import Traversable
from itertools import chain

from judge.board.map import Map, Province, Terrain
from judge.drawing.base import (
    MAX_RATIO,
    AreaKind,
    BoardGeometry,
    BorderKind,
    Point,
    load_base,
)
from judge.drawing.schematic import Link, Node, draw_schematic
from judge.errors import DataError
from judge.games.diplomacy.boards import board, folder_of, parent_of

SHAPES = "shapes.json"
MIN_SIDE, MAX_SIDE = 50, 10_000
"""Limits of width and height of a board."""
MAX_OUTSIDE = 100
"""Maximum distance from the board to a point of its shapes."""


@cache
def base(map_name: str) -> BoardGeometry:
    """Return the base that a map is drawn on."""
    if parent_of(map_name) != map_name:
        return base(parent_of(map_name))
    found, folder = board(map_name), folder_of(map_name)
    try:
        return read_shapes(found, folder) or schematic_of(found)
    except DataError:
        return schematic_of(found)


def is_schematic(map_name: str) -> bool:
    """Return whether a map without shapes is drawn from the list of borders."""
    return base(map_name).is_schematic


def shapes_fault(map_name: str) -> str:
    """Return why the shapes of a map are not used, or an empty text."""
    try:
        read_shapes(board(map_name), folder_of(map_name))
    except DataError as fault:
        return str(fault)
    return ""


def border_differences(map_name: str) -> Iterator[str]:
    """Yield the borders that the shapes of a map show otherwise than its tables.

    Boxes outside the board and impassable places do not count.
    """
    found, drawn = board(map_name), base(map_name)
    if drawn.is_schematic:
        return
    counted = {
        place.abbr for place in found.provinces.values()
        if place.terrain is not Terrain.SHUT and place.abbr not in drawn.frames
    }
    crossed = {(a, b) for a in counted for b in found.near[a] & counted if a < b}
    shown = {(a, b) for a, b in map(sorted, drawn.sides) if {a, b} <= counted and a < b}
    yield from (f"the picture lacks the border {a}-{b}" for a, b in sorted(crossed - shown))
    yield from (f"no unit crosses the border {a}-{b} of the picture"
                for a, b in sorted(shown - crossed))


def read_shapes(board: Map, folder: Traversable) -> BoardGeometry | None:
    """Return the shapes in the folder of a map, or None if there are none.

    Raises:
        DataError: the file is faulty, or lacks a place of the map.
    """
    file = folder / SHAPES
    if not file.is_file():
        return None
    try:
        found = load_base(file.read_text(encoding="utf-8"))
        _check_extent(found)
        found.shapes, found.reaches, found.lines  # noqa: B018 (they read all numbers of arcs)
    except (
        ArithmeticError, AttributeError, LookupError, RecursionError, TypeError, ValueError
    ) as fault:
        raise DataError(f"{SHAPES}: {type(fault).__name__} {fault}") from fault
    places = {*found.areas, *found.frames, *found.spots}
    coasts = (f"{p.abbr}/{coast}" for p in board.provinces.values() for coast in p.coasts)
    lacking = [place for place in (*board.provinces, *coasts) if place not in places]
    if lacking:
        raise DataError(f"{SHAPES} has no {', '.join(lacking[:5])}")
    return found


def _check_extent(found: BoardGeometry) -> None:
    """Check the size of a board, and that its points are on it.

    Raises:
        DataError: the size or a point is out of range.
        TypeError: a value is no number.
    """
    short, long = sorted((found.width, found.height))
    if not (MIN_SIDE <= short and long <= MAX_SIDE and long <= MAX_RATIO * short):
        raise DataError(
            f"{SHAPES}: the board is {found.width} x {found.height}. Sides are from {MIN_SIDE} to"
            f" {MAX_SIDE}, and the longer one is at most {MAX_RATIO} times the shorter one"
        )
    for x, y in _points_of(found):
        if not (-MAX_OUTSIDE <= x <= found.width + MAX_OUTSIDE
                and -MAX_OUTSIDE <= y <= found.height + MAX_OUTSIDE):
            raise DataError(f"{SHAPES}: the point {x}, {y} is outside the board")


def _points_of(found: BoardGeometry) -> Iterator[Point]:
    yield from chain(*found.arcs, found.spots.values(), *found.ways.values())
    for area in found.areas.values():
        yield from (area.unit, area.label_at)
        if area.dot is not None:
            yield area.dot
    for frame in found.frames.values():
        corner = Point(frame.x + frame.width, frame.y + frame.height)
        yield from (Point(frame.x, frame.y), corner, frame.unit, frame.door)


def schematic_of(board: Map) -> BoardGeometry:
    """Return a map as nodes and lines.

    Impassable places have no borders and are left out.
    """
    nodes = [
        Node(
            place.abbr,
            AreaKind.SEA if _is_water(place) else AreaKind.LAND,
            place.is_centre,
            tuple(f"{place.abbr}/{coast}" for coast in place.coasts),
        )
        for place in board.provinces.values() if place.terrain is not Terrain.SHUT
    ]
    positions = {name: Point(*at) for name, at in board.positions.items()}
    return draw_schematic(nodes, _links(board), positions)


def _is_water(place: Province) -> bool:
    return place.terrain.takes_fleets and not place.terrain.takes_armies


def _links(board: Map) -> list[Link]:
    """Return the borders, each once for both types of units."""
    walks = {frozenset((here, there)) for here, goals in board.walk.items() for there in goals}
    sails = {
        frozenset((here, there))
        for here, goals in board.sail.items() for places in goals.values() for there in places
    }
    found = []
    for pair in sorted(walks | sails, key=sorted):
        if len(pair) == 2:
            kind = BorderKind.FLEET if pair not in walks else (
                BorderKind.BOTH if pair in sails else BorderKind.ARMY
            )
            start, goal = sorted(pair)
            found.append(Link(start, goal, kind))
    return found
