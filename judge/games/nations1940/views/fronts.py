"""Parts of the map for a phone: a nation with its neighbours.

The parts depend only on the nation's own land and units and on the map. They reveal nothing hidden
of the position.
"""

import json

from judge.drawing.base import Point, Window
from judge.drawing.regions import fullest, region_around
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node
from judge.games.nations1940.views.pictures import area_of, base, sketch_of

MAX_REGIONS = 3
COLUMNS, ROWS = 2, 2
OVERLAP = 40.0
"""Width and height that adjacent parts of the whole map have in common."""


def front_sketch(world: World, map_name: str, nation: str, *, is_master: bool = False) -> str:
    """Return the sketch of a nation and its neighbours, or of the whole map.

    Viewers without a nation get the whole map. The sketch is empty for a nation without a place on
    the map.
    """
    windows = front_windows(world, map_name, nation) if nation else whole_windows(map_name)
    if not windows:
        return ""
    told = json.loads(sketch_of(world, map_name, nation, is_master=is_master))
    return json.dumps({**told, "as": nation, "windows": windows}, separators=(",", ":"))


def whole_windows(map_name: str) -> tuple[Window, ...]:
    """Return the parts of the whole map for a phone, row by row."""
    drawn = base(map_name)
    wide = (drawn.width + OVERLAP) / COLUMNS
    high = (drawn.height + (ROWS - 1) * OVERLAP) / ROWS
    return tuple(
        Window(column * (wide - OVERLAP), row * (high - OVERLAP), wide, high)
        for row in range(ROWS) for column in range(COLUMNS)
    )  # fmt: skip


def front_windows(world: World, map_name: str, nation: str) -> tuple[Window, ...]:
    """Return the parts of the map for a nation, the fullest first."""
    drawn = base(map_name)

    def at(place: Node) -> Point:
        return drawn.areas[area_of(place)].label_at

    own = _own_places(world, nation)
    spots = {at(place) for place in own}
    goals = {place for one in own for place in world.board.links[one]}
    near = {at(place) for place in goals} - spots
    lands = {at(place) for place in goals if isinstance(place, int)}
    found: list[Window] = []
    while (left := spots or near & lands) and len(found) < MAX_REGIONS:
        theatre = fullest(left)
        group = sorted(filter(theatre.holds, left))
        found.append(region_around(drawn, group, near or {at(place) for place in own}))
        spots = {spot for spot in spots if not found[-1].holds(spot)}
        near = {spot for spot in near if not found[-1].holds(spot)}
    return tuple(found)


def _own_places(world: World, nation: str) -> list[Node]:
    """Return the places that a nation owns or has units in."""
    if nation not in world.nations:
        return []
    lands: list[Node] = [
        n for n, province in world.provinces.items()
        if province.owner == nation
        or any(nation in c for c in (province.armies, province.mobile_hq, province.fleets))
    ]
    return lands + [sea for sea, fleets in world.seas.items() if nation in fleets]
