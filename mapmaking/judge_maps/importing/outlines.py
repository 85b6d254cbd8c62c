"""File `shapes.json` of pixels with numbers of areas."""

from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judge.board.map import Map, Terrain
from judge.drawing.base import MAX_RATIO, AreaKind, BoardGeometry, Point, load_base
from judge.drawing.primitives import text_width
from judge_maps.bending import bends_of
from judge_maps.importing.draft import ImportFault, ImportLog
from judge_maps.linking import ways_of
from judge_maps.making import (
    Outlines,
    borders_of,
    rings_of,
    shapes_text,
    shores_of,
    standing_data,
)
from judge_maps.painting import FINE, Painted
from judge_maps.placing import DOT, UNIT, Room, Subject, place_all, room_of, spot_on_coast
from judge_maps.plan import OUTSIDE
from judge_maps.tracing import trace

Pixels = npt.NDArray[np.int32]

LONG_SIDE = 2100
GAP = 8
"""Maximum distance from an area of pixels that are given to it, as those of lines."""
NAME_BELOW = 7.0
"""Distance from the middle of a unit's lower side to the middle of its name."""


class AreaPixels(NamedTuple):
    """Pixels with the number of a name, from 1, or 0."""

    labels: Pixels
    names: Sequence[str]


def make_shapes(areas: AreaPixels, board: Map, log: ImportLog, is_fine: bool) -> str:
    """Return the text of `shapes.json`.

    Differences from the borders are noted in the log.

    Raises:
        ImportFault: a province has no pixels, or the picture is too narrow.
    """
    labels = close_gaps(resize(areas.labels), GAP)
    present = {*np.unique(labels).tolist()}
    lacking = [name for number, name in enumerate(areas.names, 1) if number not in present]
    if lacking:
        raise ImportFault(f"the picture has no {', '.join(lacking[:10])}; no outlines are made")
    height, width = (round(side / FINE) for side in labels.shape)
    if max(height, width) > MAX_RATIO * min(height, width):
        raise ImportFault(
            f"the picture is longer than {MAX_RATIO} times its shorter side; no outlines are made"
        )
    painted = Painted(labels, (OUTSIDE, *areas.names))
    seas = frozenset(p.abbr for p in board.provinces.values() if p.terrain is Terrain.SEA)
    outlines = Outlines(width, height, trace(painted, seas, width, height))
    data = {name: _area(board, name, outlines) for name in areas.names}
    bare = load_base(shapes_text(outlines, data, {}))
    ways = ways_of(bare, dict.fromkeys(compare_borders(board, bare, log), False))
    rooms = {name: room_of(rings_of(bare, name), (width, height)) for name in areas.names}
    if is_fine:
        subjects = {
            name: Subject(rooms[name], str(data[name]["label"]), board.provinces[name].is_centre)
            for name in areas.names
        }
        for name, placed in place_all(subjects, []).items():
            data[name] |= standing_data(placed)
    for name, room in rooms.items():
        if not is_fine:
            data[name] |= place_quickly(room, str(data[name]["label"]), board, name)
        if spots := _spots(board, bare, name, room):
            data[name]["spots"] = spots
    bends: dict[str, object] = {}
    if is_fine:
        straight = load_base(shapes_text(outlines, data, {}))
        bends = {f"{a}-{b}": [*bend.pull, bend.short]
                 for (a, b), bend in bends_of(board, straight).items()}
    return shapes_text(outlines, data, {}, bends, ways)


def resize(labels: Pixels) -> Pixels:
    """Return pixels whose longer side is `LONG_SIDE`."""
    height, width = labels.shape
    scale = LONG_SIDE / max(height, width)
    rows = np.minimum((np.arange(round(height * scale)) / scale).astype(int), height - 1)
    columns = np.minimum((np.arange(round(width * scale)) / scale).astype(int), width - 1)
    found: Pixels = labels[np.ix_(rows, columns)]
    return found


def close_gaps(labels: Pixels, distance: int) -> Pixels:
    """Return pixels whose gaps are given to the nearest area, up to a distance.

    >>> close_gaps(np.array([[1, 0, 0, 2, 0, 0]]), 1).tolist()
    [[1, 1, 2, 2, 2, 0]]
    """
    found = labels.copy()
    for _ in range(distance):
        empty = found == 0
        before = found.copy()
        for axis, step in ((0, 1), (0, -1), (1, 1), (1, -1)):
            moved = np.zeros_like(before)
            target = [slice(None), slice(None)]
            origin = [slice(None), slice(None)]
            target[axis] = slice(1, None) if step == 1 else slice(None, -1)
            origin[axis] = slice(None, -1) if step == 1 else slice(1, None)
            moved[tuple(target)] = before[tuple(origin)]
            taken = empty & (found == 0) & (moved > 0)
            found[taken] = moved[taken]
    return found


def _area(board: Map, name: str, outlines: Outlines) -> dict[str, object]:
    terrain = board.provinces[name].terrain
    kind = {Terrain.SEA: AreaKind.SEA, Terrain.SHUT: AreaKind.SHUT}.get(terrain, AreaKind.LAND)
    label = name.upper() if terrain is Terrain.SEA else name
    rings = outlines.shapes.rings[name]
    return {"kind": kind.value, "label": label, "rings": rings, "unit": [0, 0], "name": [0, 0]}


def compare_borders(board: Map, drawn: BoardGeometry, log: ImportLog) -> list[tuple[str, str]]:
    """Return the borders that a picture lacks. Note these and those it has too many."""
    open_places = {p.abbr for p in board.provinces.values() if p.terrain is not Terrain.SHUT}
    crossed = {(a, b) for a in open_places for b in board.near[a] if a < b}
    sides = (sorted(pair) for pair in drawn.sides)
    shown = {(a, b) for a, b in sides if {a, b} <= open_places and a < b}
    lacking, many = sorted(crossed - shown), sorted(shown - crossed)
    log.add("picture", f"{len(crossed & shown)} of {len(crossed)} borders are drawn, and"
                       f" {len(many)} that no unit crosses")
    for a, b in lacking:
        log.add("picture", f"the border {a}-{b} is not drawn, and has a dotted line")
    for a, b in many:
        log.add("picture", f"no unit crosses the border {a}-{b} that is drawn")
    return lacking


def place_quickly(room: Room, label: str, board: Map, name: str) -> dict[str, object]:
    """Return the positions of unit, name and dot.

    The unit is at the deepest point, and the name below it.
    """
    depth = room.depth() * room.inside
    rows, columns = np.nonzero(depth == depth.max())
    middle = (rows.mean(), columns.mean())
    nearest = int(np.hypot(rows - middle[0], columns - middle[1]).argmin())
    at = room.at(int(rows[nearest] * depth.shape[1] + columns[nearest]))
    width, height = room.size
    half = text_width(label, 11.5) / 2
    has_dot = board.provinces[name].is_centre
    left = half + DOT + 3 if has_dot else half + 2
    x = min(max(at.x, left), width - half - 2)
    unit = Point(min(max(at.x, UNIT[0] / 2), width - UNIT[0] / 2),
                 min(max(at.y - NAME_BELOW, UNIT[1] / 2), height - UNIT[1] / 2 - 16))
    below = unit.y + UNIT[1] / 2 + NAME_BELOW
    found: dict[str, object] = {"unit": _pair(unit), "name": _pair(Point(x, below))}
    if has_dot:
        found["dot"] = _pair(Point(x - half - DOT / 2 - 1, below))
    return found


def _pair(point: Point) -> list[float]:
    return [round(point.x, 1), round(point.y, 1)]


def _spots(board: Map, bare: BoardGeometry, name: str, room: Room) -> Mapping[str, list[float]]:
    """Return the positions of fleets on each coast of a province that has several."""
    places = [place for place in board.fleet_places(name) if "/" in place]
    if not places:
        return {}
    borders = borders_of(bare)
    middles = {place: _middle_of_coast(board, borders, place, room) for place in places}
    shores = shores_of(board, borders, name, middles)
    found = {}
    for place, at in middles.items():
        elsewhere = [point for other in places if other != place for point in shores[other]]
        found[place] = _pair(spot_on_coast(room, at, shores[place] or [at], elsewhere, []))
    return found


def _middle_of_coast(
    board: Map, borders: Mapping[frozenset[str], Sequence[Point]], place: str, room: Room
) -> Point:
    """Return the middle of the borders with places that only this coast touches."""
    province = place.partition("/")[0]
    others = {
        goal for other in board.fleet_places(province) if other != place
        for goal in board.sail[other]
    }
    goals = [g for g in board.sail[place] if g not in others] or [*board.sail[place]]
    points = [point for goal in goals for point in borders.get(frozenset((province, goal)), ())]
    if not points:
        return room.at(int(room.inside.argmax()))
    return Point(float(np.mean([p.x for p in points])), float(np.mean([p.y for p in points])))


