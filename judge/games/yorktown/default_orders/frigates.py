"""Default orders of frigates: sail within range, fire, and sail out of reach."""

import heapq
from collections.abc import Iterable, Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.games.yorktown.rules.board import FA, HexTerrain, counters, hexes, hits_at
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import REACH
from judge.games.yorktown.rules.hexes import distance
from judge.games.yorktown.rules.orders import FrigateOrder
from judge.games.yorktown.rules.ships import POINTS, TURN_COST, berth_after
from judge.games.yorktown.rules.state import CounterState

OUT = 8
"""Movement points for the way to the firing place. The rest is for the way back."""
TRIED = 6
"""Maximum number of firing places that are examined closely."""

Berth = tuple[str, str]


class Voyage(NamedTuple):
    """A path by water: its cost and its steps."""

    cost: int
    does: tuple[str, ...]


def voyages(field: StepState, key: str, start: Berth, points: int) -> dict[Berth, Voyage]:
    """Return the berths a frigate can reach with *points*, with the cheapest paths."""
    found: dict[Berth, Voyage] = {}
    heap: list[tuple[int, tuple[str, ...], Berth]] = [(0, (), start)]
    while heap:
        cost, does, berth = heapq.heappop(heap)
        if berth in found or cost > points:
            continue
        found[berth] = Voyage(cost, does)
        for step, price in (("F", 1), ("L", TURN_COST), ("R", TURN_COST)):
            after = berth_after(*berth, step)
            if after not in found and _is_open(field, key, after[1]):
                heapq.heappush(heap, (cost + price, (*does, step), after))
    return found


def _is_open(field: StepState, key: str, bow: str) -> bool:
    is_water = bool(bow) and hexes()[bow].terrain is HexTerrain.RIVER
    return is_water and not any(other != key for other in field.all_in(bow))


def range_of(lies_in: Iterable[str], at: str) -> int:
    """Return the range from the hexes of a frigate, at least one hex."""
    return max(1, min(distance(name, at) for name in lies_in))


def can_sail(unit: CounterState) -> bool:
    """Return whether a frigate has not moved this turn and can."""
    return unit.on_map and not unit.grounded and unit.spent == 0


def best_ranges(field: StepState, key: str, targets: Sequence[str]) -> dict[str, int]:
    """Return the shortest range at which a frigate can fire at each of some hexes.

    The points for the way back are kept.
    """
    unit = field.units[key]
    here = (unit.at, unit.bow)
    reach = voyages(field, key, here, OUT) if can_sail(unit) else [here]
    lies_in = {name for berth in reach for name in berth}
    return {at: range_of(lies_in, at) for at in targets}


def sortie(field: StepState, key: str, targets: Sequence[str]) -> FrigateOrder:
    """Return the order of a frigate that fires at some hexes.

    The field is changed as the order will change it.
    """
    unit, order_id = field.units[key], counters()[key].order_id
    shots = tuple(f"fire {at}" for at in targets)
    if not can_sail(unit):
        return FrigateOrder(order_id, shots)
    start = (unit.at, unit.bow)
    out = voyages(field, key, start, OUT)
    if targets:
        ranked = sorted(out, key=lambda b: (sum(range_of(b, at) for at in targets), out[b].cost, b))
        places = [b for b in ranked if all(range_of(b, at) <= REACH for at in targets)][:TRIED]
    else:
        places = [start]
    best: tuple[float, int, Berth, Berth] | None = None
    ways: dict[Berth, dict[Berth, Voyage]] = {}
    guns = tuple(unit.at for counter, unit in field.on_map(FA) if counter.shots)
    for number, place in enumerate(places):
        ways[place] = voyages(field, key, place, POINTS - out[place].cost)
        for berth, back in ways[place].items():
            worth = (round(_danger(guns, berth), 2) + number / 4, back.cost, place, berth)
            best = min(best, worth) if best else worth
    if best is None:
        return FrigateOrder(order_id, shots)
    _, _, place, berth = best
    field.update_unit(key, at=berth[0], bow=berth[1])
    return FrigateOrder(order_id, (*out[place].does, *shots, *ways[place][berth].does))


@lru_cache(maxsize=4096)
def _danger(guns: tuple[str, ...], berth: Berth) -> float:
    """Return the expected hits of batteries in some hexes on a frigate in a turn."""
    ranges = (range_of(berth, at) for at in guns)
    return sum(sum(hits_at(far)) / 6 for far in ranges if far <= REACH)
