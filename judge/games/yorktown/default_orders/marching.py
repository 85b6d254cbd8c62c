"""Movement of simple players: as near to a goal as a turn allows."""

import heapq
from collections.abc import Callable, Iterable, Mapping
from functools import cache

from judge.games.yorktown.rules.board import COSTS, Counter, CounterKind, HexTerrain, hexes
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import neighbours, side_to
from judge.games.yorktown.rules.orders import Enter, MarchOrder
from judge.games.yorktown.rules.walking import entry_hexes, ways_within

FAR = 999
"""Number above the cost of any path."""


@cache
def costs_to(goals: frozenset[str], *, guns: bool = False) -> Mapping[str, int]:
    """Return the cost from each hex to the nearest goal, regardless of units."""
    found: dict[str, int] = {}
    heap = [(0, goal) for goal in goals]
    heapq.heapify(heap)
    while heap:
        cost, here = heapq.heappop(heap)
        if here in found:
            continue
        found[here] = cost
        for other in neighbours(here):
            step = _step(other, here, guns=guns)
            if other not in found and step:
                heapq.heappush(heap, (cost + step, other))
    return found


def _step(name: str, to: str, *, guns: bool) -> int:
    """Return the cost of a step, or 0 if it is impossible."""
    if hexes()[to].terrain is HexTerrain.RIVER or hexes()[name].terrain is HexTerrain.RIVER:
        return 0
    if side_to(name, to) in hexes()[name].roads:
        return 1
    return 0 if guns and hexes()[to].terrain is HexTerrain.MARSH else COSTS[hexes()[to].terrain]


def ways_of(field: StepState, counter: Counter) -> dict[str, tuple[str, ...]]:
    """Return the hexes in which a unit can end this turn, with the paths there."""
    unit = field.units[counter.key]
    if unit.on_map:
        starts: Iterable[str] = (unit.at,)
    elif counter.setup.startswith("enter"):
        starts = [name for name in entry_hexes(field, counter) if field.is_free(name)]
    else:
        return {}
    found = ways_within(field, counter, starts, counter.move)
    return {
        here: path
        for here, path in found
        if not path or not field.units_in(here) or field.has_room(here, counter.side)
    }


def brought(
    field: StepState, counter: Counter, worse: Callable[[str], float], facing: int
) -> MarchOrder | Enter | None:
    """Return the order that moves a unit to the best hex it can reach.

    Return None if the unit is already there or cannot move. The field is changed as the order will
    change it.
    """
    ways = ways_of(field, counter)
    if not ways:
        return None
    best = min(ways, key=lambda name: (worse(name), len(ways[name]), name))
    if not ways[best]:
        return None
    is_in = field.units[counter.key].on_map
    field.place(counter.key, best)
    if is_in:
        return MarchOrder(counter.order_id, ways[best], face=facing)
    return Enter(counter.order_id, ways[best], face=facing)


def is_foot(counter: Counter) -> bool:
    """Return whether a unit is infantry or cavalry."""
    return counter.kind in (CounterKind.INF, CounterKind.CAV)
