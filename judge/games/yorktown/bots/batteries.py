"""Positions of FA's guns: a ring around one front of the town.

Guns are placed in redoubts if there are any.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache, partial

from judge.games.yorktown.default_orders.marching import FAR, brought, costs_to
from judge.games.yorktown.rules.board import (
    AP,
    YORKTOWN,
    Counter,
    CounterKind,
    HexTerrain,
    hexes,
    north_bank,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import ALL, distance
from judge.games.yorktown.rules.orders import Enter, MarchOrder

NEAREST, RANGE, GIVE = 2, 4, 1.5
"""Minimum distance from the nearest enemy, best distance from the town, and tolerance, in hexes."""
FRONT = "1512"
"""Middle of the town's front."""
NORTH = 0

Ring = Mapping[str, float]
"""Hex → how much worse than the ring it is for a gun."""


def ring_of(field: StepState) -> Ring:
    """Return the value of each hex for a gun, given the enemy's present position."""
    return _ring(frozenset(
        unit.at for counter, unit in field.on_map(AP)
        if counter.kind.is_combat and unit.at not in north_bank()
    ))


def in_place(field: StepState, counter: Counter) -> bool:
    """Return whether a gun may stay in its hex and fire."""
    return ring_of(field)[field.units[counter.key].at] <= GIVE


def bring_guns(field: StepState, units: Sequence[Counter]) -> Iterator[MarchOrder | Enter]:
    """Move guns to the ring, into redoubts if there are any, and pioneers to sites.

    The field is changed as the orders will change it.
    """
    ring = ring_of(field)
    for counter in units:
        unit = field.units[counter.key]
        is_gun = counter.kind is CounterKind.ART
        if unit.on_map and (ring[unit.at] <= GIVE if is_gun else unit.still > 0):
            continue
        free = [name for name in ALL if ring[name] <= GIVE and field.is_free(name)]
        dug = [name for name in ALL if field.is_redoubt(name) and ring[name] <= GIVE + 1]
        works = {name for name in dug if field.has_room(name, counter.side)} if is_gun else set()
        sites = frozenset({*free, *works} if is_gun else {*free} - {*dug})
        if not sites:
            continue
        worse = partial(_worse, ring, costs_to(sites, guns=True), works)
        if order := brought(field, counter, worse, NORTH):
            yield order


def _worse(ring: Ring, to: Mapping[str, int], works: set[str], name: str) -> float:
    """Return the penalty of a hex for a gun.

    It is negative in the ring, elsewhere the cost of the way to a site.
    """
    if ring[name] <= GIVE:
        return ring[name] - (FAR + 3 if name in works else FAR)
    return to.get(name, FAR)


@lru_cache(maxsize=64)
def _ring(foes: frozenset[str]) -> Ring:
    return {name: _off(foes, name) for name in ALL}


def _off(foes: frozenset[str], name: str) -> float:
    if hexes()[name].terrain not in (HexTerrain.CLEAR, HexTerrain.WOODS, HexTerrain.SHORE):
        return FAR
    if name in north_bank() or hexes()[name].feature == YORKTOWN:
        return FAR
    if min((distance(name, at) for at in foes), default=NEAREST) < NEAREST:
        return FAR
    town = min(distance(name, at) for at in town_hexes(YORKTOWN))
    return max(0, town - RANGE) + max(0, distance(name, FRONT) - RANGE - 3) / 2
