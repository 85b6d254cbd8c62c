"""Movement of FA's foot.

It gathers near the town first, and then goes to the walls and into gaps in one turn.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from functools import lru_cache, partial
from typing import NamedTuple

from judge.games.yorktown.default_orders.marching import FAR, brought, costs_to, ways_of
from judge.games.yorktown.rules.assaults import attack_fault
from judge.games.yorktown.rules.board import (
    AP,
    FA,
    YORKTOWN,
    Counter,
    CounterKind,
    HexTerrain,
    counters,
    hexes,
    hits_at,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import REACH
from judge.games.yorktown.rules.hexes import distance, neighbours
from judge.games.yorktown.rules.orders import Enter, MarchOrder
from judge.games.yorktown.rules.strength import defence_strength, factor_now

ENTER_DAY, STORM_DAY, LAST_DAY = 12, 14, 15
"""Days of the storm, for units on foot.

On the first they enter the map, from the second they may storm the town, and on the third they
storm even if few are near.
"""
STORM_IF_DEFENDED_HEXES = 8
"""Number of defended hexes of the town at which the storm begins early."""
ENOUGH, STORMING = 9, 5
"""Number of foot near the walls to begin the storm, and at the walls to continue it."""
STAGE, STAND = 5, 3
"""Distances from the walls in movement points: near them, and waiting there."""
MAX_SORTIE_MARGIN = 8
"""Strength by which a sortie may exceed a unit at the walls before the storm."""
SECONDARY_SORTIE_WEIGHT = 0.4
"""Weight of all but the strongest of the enemies in a sortie."""
FRIGATE_MOVE_ESTIMATE = 6
"""Hexes that a frigate is assumed to sail before it fires."""
NORTH = 0

Guns = tuple[tuple[tuple[str, ...], int, int], ...]
"""For each gun its hexes, its shots, and the distance it may move before firing."""


class StormTiming(NamedTuple):
    """Days on which foot enters, may storm and must storm.

    *worn* is the number of defended hexes of the town at which it storms early.
    """

    enter: int = ENTER_DAY
    storm: int = STORM_DAY
    last: int = LAST_DAY
    worn: int = STORM_IF_DEFENDED_HEXES


def foot_orders(
    field: StepState, foot: Sequence[Counter], timing: StormTiming = StormTiming()
) -> Iterator[MarchOrder | Enter]:
    """Yield orders that move foot to its waiting place, or that storm the town."""
    held = sum(bool(field.enemies_in(name, FA)) for name in town_hexes(YORKTOWN))
    if field.moment.day >= timing.storm or held <= timing.worn:
        yield from _storm(field, foot, timing.last)
        return
    exposed = partial(_estimate_hits, _guns(field))
    for counter in foot:
        if field.units[counter.key].on_map or field.moment.day >= timing.enter:
            order = brought(field, counter, partial(_waiting, exposed), NORTH)
            if order:
                yield order


def _waiting(exposed: Callable[[str], float], name: str) -> float:
    """Return the penalty of a hex for waiting: its exposure and its way to the town."""
    return exposed(name) + costs_to(frozenset(town_hexes(YORKTOWN))).get(name, FAR)


def _guns(field: StepState) -> Guns:
    """Return the hexes and shots of the enemy's guns."""
    return tuple(
        (
            unit.hexes, counter.shots,
            FRIGATE_MOVE_ESTIMATE if counter.kind is CounterKind.FRIG else 0,
        )
        for counter, unit in field.on_map(AP)
        if counter.shots
    )


@lru_cache(maxsize=4096)
def _estimate_hits(guns: Guns, name: str) -> float:
    """Return the expected hits on a unit in a hex in the enemy's next turn."""
    total = 0.0
    for places, shots, sails in guns:
        far = min(distance(at, name) for at in places) - sails
        if far <= REACH:
            total += shots * sum(hits_at(max(1, far))) / 6
    return total


def _storm(
    field: StepState, foot: Sequence[Counter], last_day: int
) -> Iterator[MarchOrder | Enter]:
    """Yield orders that move foot to the walls, and into gaps next to weak enemies.

    All units go to the walls in the same turn. Units inside the town move first to make room for
    others.
    """
    inside = {name for name in town_hexes(YORKTOWN) if not field.enemies_in(name, FA)}
    walls = _outside_walls(field)
    to = costs_to(frozenset(walls))
    goes = _is_gathered(field, foot, to, inside | walls, last_day)
    threats = {name: _threat(field, name) for name in walls}
    odds = _odds_inside(field, foot, inside)
    guns = _guns(field)

    def worse(counter: Counter, name: str) -> float:
        if name in inside:
            foes = (field.units[key].at for key in field.zone_owners(name, FA))
            return -50 - to.get(name, 0) if all(odds.get(foe, -FAR) >= 0 for foe in foes) else FAR
        if name in walls:
            danger = threats[name] - factor_now(field, counter.key)
            if not goes and danger > MAX_SORTIE_MARGIN:
                return FAR
            return max(0, danger) / 5 - 20 - _support(field, name)
        return abs(to.get(name, FAR) - STAND) + _estimate_hits(guns, name) / 2

    for counter in sorted(foot, key=lambda c: _rank(field, c, to, inside)):
        order = brought(field, counter, partial(worse, counter), NORTH)
        if order:
            yield order


def _rank(
    field: StepState, counter: Counter, to: Mapping[str, int], inside: Iterable[str]
) -> tuple[bool, bool, int]:
    """Return the sort key of storming units: inside first, then near, then strong."""
    at = field.units[counter.key].at
    return at not in inside, to.get(at, FAR) > STAGE, -factor_now(field, counter.key)


def _is_gathered(
    field: StepState, foot: Sequence[Counter], to: Mapping[str, int], there: set[str], last_day: int
) -> bool:
    """Return whether enough units are near for all of them to go to the walls."""
    at = [field.units[counter.key].at for counter in foot]
    near = sum(to.get(name, FAR) <= STAGE for name in at)
    return (
        sum(name in there for name in at) >= STORMING
        or near >= max(ENOUGH, len(foot) * 3 // 4)
        or field.moment.day >= last_day
    )


def _outside_walls(field: StepState) -> set[str]:
    """Return the hexes outside Yorktown's walls that units of FA may be in."""
    town = town_hexes(YORKTOWN)
    return {
        name
        for each in town
        for name in neighbours(each)
        if hexes()[name].terrain is not HexTerrain.RIVER
        and name not in town
        and not field.enemies_in(name, FA)
    }


def _threat(field: StepState, name: str) -> float:
    """Return the strength of a possible sortie against a hex."""
    found = sorted(
        factor_now(field, key) * (2 if field.is_fort(field.units[key].at) else 1)
        for key in _beside(field, name, AP)
        if counters()[key].kind.attacks
    )
    return sum(found[-1:]) + SECONDARY_SORTIE_WEIGHT * sum(found[:-1])


def _support(field: StepState, name: str) -> int:
    """Return the bonus of a hex at the walls for adjacent friends and marked enemies."""
    marked = sum(bool(field.units[key].marked) for key in _beside(field, name, AP))
    return len(_beside(field, name, FA)) + 3 * marked


def _beside(field: StepState, name: str, side: str) -> list[str]:
    """Return the combat units of a side adjacent to a hex."""
    near = (key for other in neighbours(name) for key in field.units_in(other))
    return [key for key in near if counters()[key].side == side]


def _odds_inside(field: StepState, foot: Sequence[Counter], inside: set[str]) -> dict[str, int]:
    """Return the differential of a possible attack on each enemy in the town.

    The attackers are the adjacent units, and the units that can move into adjacent gaps.
    """
    ways = {c.key: {*ways_of(field, c)} for c in foot if field.units[c.key].on_map}
    found = {}
    for foe in town_hexes(YORKTOWN):
        if not field.enemies_in(foe, FA):
            continue
        there = [k for k in _beside(field, foe, FA) if attack_fault(field, k, foe) is None]
        gaps = [name for name in neighbours(foe) if name in inside and field.is_free(name)]
        coming = sorted(
            (
                factor_now(field, key)
                for key, way in ways.items()
                if key not in there and not way.isdisjoint(gaps)
            ),
            reverse=True,
        )
        strength = sum(factor_now(field, key) for key in there) + sum(coming[: len(gaps)])
        found[foe] = strength - defence_strength(field, foe, there).total
    return found
