"""Composition of a map's `shapes.json` from its folder."""

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from math import dist
from pathlib import Path
from typing import NamedTuple

import numpy as np

from judge.board.map import Map, Terrain, province_of
from judge.board.mapcheck import load_map
from judge.drawing.base import EDGE, NAME, AreaKind, BoardGeometry, Point, load_base
from judge_maps.atlas import read_atlas
from judge_maps.bending import bends_of
from judge_maps.lens import look_through
from judge_maps.linking import ways_of
from judge_maps.painting import paint
from judge_maps.placing import (
    Box,
    Mask,
    Placed,
    Room,
    Subject,
    paint_rings,
    place_all,
    room_of,
    spot_on_coast,
)
from judge_maps.plan import OUTSIDE, FramePlan, Plan, read_plan
from judge_maps.tracing import UNIT, Shapes, trace

FRAME = (112.0, 58.0)
BERTH = 20.0
"""Distance of a unit in a frame from the frame's inner side."""
AROUND = 36.0
"""Free space around a frame, on both sides together, for arrows into it."""
DOOR = (14.0, 14.0)
WAY = 6.0
"""Space around the line of a pass or crossing, on both sides together."""
LABELS = (90.0, 40.0)
"""Size of the space next to a frame kept free for labels of its moves."""


class Outlines(NamedTuple):
    """The lines of a map, without units and names."""

    width: int
    height: int
    shapes: Shapes


def draw_outlines(folder: Path, atlas: Path) -> Outlines:
    """Return new outlines, made from open geodata."""
    plan, board = read_plan(folder), load_map(folder.name, folder)
    seas = frozenset(name for name in plan.seeds if is_water(board, plan, name))
    view = look_through(plan.lens)
    painted = paint(view, plan, read_atlas(atlas), seas)
    return Outlines(view.width, view.height, trace(painted, seas, view.width, view.height))


def read_outlines(folder: Path) -> Outlines:
    """Return the outlines stored in the folder."""
    data = json.loads((folder / "shapes.json").read_text(encoding="utf-8"))
    rings = {name: area["rings"] for name, area in data["areas"].items()}
    sides = [(left, right) for left, right in data["sides"]]
    shapes = Shapes(data["arcs"], sides, rings | {OUTSIDE: data["inert"]})
    return Outlines(data["width"], data["height"], shapes)


def is_water(board: Map, plan: Plan, name: str) -> bool:
    """Return whether an area is drawn as water."""
    if name in plan.lens.shut_waters:
        return True
    return name in board.provinces and board.provinces[name].terrain is Terrain.SEA


def make_shapes(
    folder: Path, outlines: Outlines, labels: Mapping[str, str] = {},
    links: Mapping[tuple[str, str], bool] = {},
) -> str:
    """Return the text of `shapes.json`: outlines, positions, names and bends.

    *labels* maps an area to its name on the map, if that is not its abbreviation. *links* are the
    pairs that may need a line, as for `ways_of`. Names and units avoid these lines.
    """
    plan, board = read_plan(folder), load_map(folder.name, folder)
    names = [name for name in outlines.shapes.rings if name != OUTSIDE]
    areas = {name: _area(board, plan, name, outlines) for name in names}
    for name in labels.keys() & areas.keys():
        areas[name]["label"] = labels[name]
    bare = load_base(shapes_text(outlines, areas, {}))
    size = (outlines.width, outlines.height)
    land = _land(bare, size)
    rooms = {
        name: room_of(rings_of(bare, name), size, ~land if area.ground.is_water else land)
        for name, area in bare.areas.items()
    }
    frames = {name: _frame(board, name, found, size) for name, found in plan.frames.items()}
    subjects = {
        name: Subject(rooms[name], str(areas[name]["label"]), board.provinces[name].is_centre)
        for name in names
    }
    ways = ways_of(bare, links)
    placed = place_all(
        subjects, [*_find_blocked_boxes(frames, size), *map(_way_box, ways.values())]
    )
    taken = [box for found in placed.values() for box in found.boxes]
    coasts = coast_points(plan)
    for name in names:
        areas[name] |= standing_data(placed[name])
        others = [box for box in taken if box is not placed[name].boxes[0]]
        named = [found.boxes[1] for other, found in placed.items() if other != name]
        spots = _spots(board, bare, name, coasts, rooms[name], others, named)
        if spots:
            areas[name]["spots"] = spots
    return _bent(board, outlines, areas, frames, ways)


def _way_box(ends: Sequence[float]) -> Box:
    x, y, to_x, to_y = ends
    return Box((x + to_x) / 2, (y + to_y) / 2, abs(to_x - x) + WAY, abs(to_y - y) + WAY)


def bend_anew(folder: Path) -> str:
    """Return the text of `shapes.json` with new bends and all positions unchanged."""
    data = json.loads((folder / "shapes.json").read_text(encoding="utf-8"))
    board = load_map(folder.name, folder)
    return _bent(board, read_outlines(folder), data["areas"], data["frames"])


def _bent(
    board: Map,
    outlines: Outlines,
    areas: Mapping[str, object],
    frames: Mapping[str, object],
    ways: Mapping[str, object] = {},
) -> str:
    straight = load_base(shapes_text(outlines, areas, frames))
    bends = {
        f"{start}-{goal}": [*bend.pull, bend.short]
        for (start, goal), bend in bends_of(board, straight).items()
    }
    return shapes_text(outlines, areas, frames, bends, ways)


def rings_of(bare: BoardGeometry, name: str) -> list[tuple[Point, ...]]:
    """Return the outlines of an area as points."""
    return [bare.outline(ring) for ring in bare.areas[name].rings]


def _land(bare: BoardGeometry, size: tuple[int, int]) -> Mask:
    """Return the picture's pixels that are land, in the game or outside."""
    dry = [name for name, area in bare.areas.items() if not area.ground.is_water]
    pieces = [rings_of(bare, name) for name in dry] + [[*map(bare.outline, bare.outside)]]
    found = np.zeros(size[::-1], bool)
    for piece in pieces:
        found |= paint_rings(piece, 0, 0, *size)
    return found


def _area(board: Map, plan: Plan, name: str, outlines: Outlines) -> dict[str, object]:
    """Return the data of an area. Its positions are set later."""
    water, shut = is_water(board, plan, name), board.provinces[name].terrain is Terrain.SHUT
    grounds = {
        (False, False): AreaKind.LAND, (True, False): AreaKind.SEA, (False, True): AreaKind.SHUT,
        (True, True): AreaKind.SHUT_SEA,
    }
    return {
        "kind": grounds[water, shut].value,
        "label": name.upper() if water and not shut else name,
        "rings": outlines.shapes.rings[name],
        "unit": [0, 0],
        "name": [0, 0],
    }


def standing_data(placed: Placed) -> dict[str, object]:
    """Return the positions of an area's items, as in the file."""
    found: dict[str, object] = {"unit": _pair(placed.unit), "name": _pair(placed.name)}
    if placed.dot is not None:
        found["dot"] = _pair(placed.dot)
    if placed.size != NAME:
        found["size"] = placed.size
    return found


def _pair(point: Point) -> list[float]:
    return [round(point.x, 1), round(point.y, 1)]


def coast_points(plan: Plan) -> dict[str, Point]:
    """Return the points of the picture for the plan's coasts."""
    view = look_through(plan.lens)
    lon, lat = (np.array([at[axis] for at in plan.coasts.values()]) for axis in (0, 1))
    points = zip(*view.place(lon, lat), strict=True)
    return {place: Point(float(x), float(y)) for place, (x, y) in zip(plan.coasts, points)}


def _spots(
    board: Map, bare: BoardGeometry, name: str, coasts: Mapping[str, Point], room: Room,
    others: Sequence[Box], named: Sequence[Box],
) -> dict[str, list[float]]:
    """Return the positions of fleets on each coast of a province that has several."""
    places = {place: coasts[place] for place in board.fleet_places(name) if "/" in place}
    shores = shores_of(board, borders_of(bare), name, places)
    found = {}
    for place, at in places.items():
        elsewhere = [point for other in places if other != place for point in shores[other]]
        found[place] = _pair(spot_on_coast(room, at, shores[place], elsewhere, others, named))
    return found


def shores_of(
    board: Map, borders: Mapping[frozenset[str], Sequence[Point]], name: str,
    places: Mapping[str, Point],
) -> dict[str, list[Point]]:
    """Return the points of each coast's shore.

    The shore of a sea that touches several coasts, as the Mid-Atlantic touches both of Spain, is
    divided: each point belongs to the nearest of those coasts.
    """
    found: dict[str, list[Point]] = {place: [] for place in places}
    touching = defaultdict(list)
    for place in places:
        for goal in board.sail[place]:
            if board.provinces[goal].terrain is Terrain.SEA:
                touching[goal].append(place)
    for sea, touched in touching.items():
        for point in borders.get(frozenset((name, sea)), ()):
            nearest = min(touched, key=lambda place: dist(places[place], point))
            found[nearest].append(point)
    return found


def borders_of(bare: BoardGeometry) -> Mapping[frozenset[str], Sequence[Point]]:
    """Return the points of each border by the areas on its sides."""
    found: dict[frozenset[str], list[Point]] = defaultdict(list)
    for sides, arc in zip(bare.sides, bare.arcs, strict=True):
        if EDGE not in sides:
            found[frozenset(sides)].extend(arc)
    return found


def _frame(board: Map, name: str, plan: FramePlan, size: tuple[int, int]) -> dict[str, object]:
    """Return a frame inside the picture, its unit on the side of the board's middle."""
    wide, high = FRAME
    x = min(max(plan.middle[0], wide / 2 + 4), size[0] - wide / 2 - 4)
    y = min(max(plan.middle[1], high / 2 + 4), size[1] - high / 2 - 4)
    inward = 1 if x < size[0] / 2 else -1
    near = board.near[name]
    home = [goal for goal in near if not board.provinces[goal].terrain.value.startswith("box")]
    water = board.provinces[name].terrain is Terrain.BOX_SEA
    return {
        "kind": (AreaKind.SEA if water else AreaKind.LAND).value,
        "box": [x - wide / 2, y - high / 2, wide, high],
        "unit": [x + inward * (wide / 2 - BERTH), y],
        "links": sorted(province_of(goal)[-1] for goal in near if goal not in home),
        "home": home[0],
        "door": list(plan.door),
    }


def _find_blocked_boxes(
    frames: Mapping[str, Mapping[str, object]], size: tuple[int, int]
) -> list[Box]:
    """Return the boxes to leave free: frames, and the space next to them."""
    blocked = []
    for frame in frames.values():
        x, y, wide, high = (float(part) for part in frame["box"])  # type: ignore[attr-defined]
        middle = Point(x + wide / 2, y + high / 2)
        inward = 1 if middle.x < size[0] / 2 else -1
        blocked.append(Box(*middle, wide + AROUND, high + AROUND))
        door_x, door_y = (float(part) for part in frame["door"])  # type: ignore[attr-defined]
        blocked.append(Box(door_x, door_y, *DOOR))
        beside = middle.x + inward * (wide + LABELS[0]) / 2
        blocked.append(Box(beside, middle.y + 8, *LABELS))
    return blocked


def shapes_text(
    outlines: Outlines, areas: Mapping[str, object], frames: Mapping[str, object],
    bends: Mapping[str, object] = {}, ways: Mapping[str, object] = {},
) -> str:
    """Return the file's text, with one line for each arc, area and frame."""
    shapes = outlines.shapes
    arcs = ",\n".join(map(_dense, shapes.arcs))
    return (
        f'{{"width":{outlines.width},"height":{outlines.height},"unit":{UNIT},\n'
        f'"arcs":[\n{arcs}],\n'
        f'"sides":{_dense(shapes.sides)},\n'
        f'"inert":{_dense(shapes.rings[OUTSIDE])},\n'
        f'"areas":{_lines(areas)},\n'
        f'"frames":{_lines(frames)},\n'
        f'"bends":{_lines(bends)}'
        + (f',\n"ways":{_lines(ways)}' if ways else "") + "}\n"
    )


def _lines(things: Mapping[str, object]) -> str:
    lines = (f"{_dense(name)}:{_dense(things[name])}" for name in sorted(things))
    return "{\n" + ",\n".join(lines) + "}"


def _dense(thing: object) -> str:
    return json.dumps(thing, separators=(",", ":"))
