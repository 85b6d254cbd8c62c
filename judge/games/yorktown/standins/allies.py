"""FA by rule: it gathers out of reach, digs, brings up its guns, and storms when the time comes."""

from collections.abc import Sequence
from functools import cache

from judge.games.yorktown.rules.board import (
    FA,
    YORKTOWN,
    Counter,
    Kind,
    Terrain,
    counters,
    hexes,
    north_bank,
    town_hexes,
)
from judge.games.yorktown.rules.field import Field
from judge.games.yorktown.rules.fire import REACH
from judge.games.yorktown.rules.hexes import ALL, distance, is_hex, neighbours
from judge.games.yorktown.rules.orders import Enter, March, Order
from judge.games.yorktown.rules.state import Position, Unit
from judge.games.yorktown.rules.walking import (
    entry_hexes,
    find_way,
    room_fault,
    step_cost,
    stopped_by,
    terrain_fault,
    wall_fault,
)
from judge.games.yorktown.standins.assault import attacks

MIDDLE = "1512"
"""The middle of Yorktown."""
GATHER_DAY, STORM_DAY = 9, 17
"""When the infantry comes near, and when it goes to the walls however few are there."""
NEAR, ENOUGH = 9, 12
"""So many foot this near to the town are enough for a storm."""
STORM = 6
"""The differential at which a storm is worth the men."""
DIG = (7, 9)
"""How far from the town redoubts are dug."""
WAIT, GATHER = 14, (7, 8)
"""How far from the town the infantry waits, and where it gathers for the storm."""


def moves(position: Position) -> Sequence[Order]:
    """Return the orders of a MOVE step: attacks first, then whoever does not attack moves."""
    field = Field(position)
    storms = attacks(field, FA, STORM)
    busy = {unit for attack in storms for unit in attack.units}
    storming = position.moment.day >= STORM_DAY or _is_gathered(field)
    orders: list[Order] = []
    for counter, unit in _foremost_first(field):
        if counter.order_id in busy or unit.ship or not counter.kind.is_combat:
            continue
        if unit.on_map and (unit.at in north_bank() or unit.shots):
            continue
        goals = _goals(field, counter, unit, storming=storming)
        order = _go(field, counter, unit, goals) if goals else None
        if order:
            orders.append(order)
            field.place(counter.key, order.path[-1])
    return [*orders, *storms]


def _is_gathered(field: Field) -> bool:
    """Tell whether enough foot stands near the town."""
    near = [
        counter
        for counter, unit in field.on_map(FA)
        if counter.kind in (Kind.INF, Kind.CAV) and _far(unit.at) <= NEAR
        and unit.at not in north_bank()
    ]
    return len(near) >= ENOUGH


def _foremost_first(field: Field) -> list[tuple[Counter, Unit]]:
    """Return who moves in which order: those ahead make room for those behind."""
    found = [
        (counter, unit)
        for key, unit in field.units.items()
        for counter in [counters()[key]]
        if counter.side == FA and unit.in_play
    ]
    return sorted(found, key=lambda each: (_far(each[1].at), -each[0].move))


def _far(at: str) -> int:
    """Return how far a hex is from the middle of Yorktown."""
    return distance(at, MIDDLE) if is_hex(at) else 99


def _goals(field: Field, counter: Counter, unit: Unit, *, storming: bool) -> set[str]:
    """Return the hexes a unit would like to be in; none: it stays."""
    if counter.kind is Kind.PIO:
        return _digging(field, unit)
    if counter.kind is Kind.ART:
        return _batteries(field, unit)
    if not storming:
        rings = GATHER if field.moment.day >= GATHER_DAY else (WAIT,)
        return {name for name in _ground() if distance(name, MIDDLE) in rings}
    held = [name for name in town_hexes(YORKTOWN) if field.is_free(name)]
    walls = {
        name
        for town in town_hexes(YORKTOWN)
        for name in neighbours(town)
        if hexes()[name].terrain is not Terrain.RIVER and field.has_room(name, FA)
        and not hexes()[name].feature
    }
    if unit.at in walls and not any(name in held for name in neighbours(unit.at)):
        return set()
    if unit.on_map and hexes()[unit.at].feature == YORKTOWN:
        return set()
    return walls | {*held}


def _digging(field: Field, unit: Unit) -> set[str]:
    """Return where a pioneer may dig; a site it has begun is kept."""
    if unit.on_map and unit.still > 0 and not field.is_redoubt(unit.at):
        return set()
    if unit.on_map and _is_site(field, unit.at):
        return set()
    return {name for name in _ground() if _is_site(field, name) and field.is_free(name)}


def _is_site(field: Field, name: str) -> bool:
    if not DIG[0] <= distance(name, MIDDLE) <= DIG[1] or field.is_redoubt(name):
        return False
    near = [name, *neighbours(name)]
    return not any(field.enemies_in(n, FA) or field.is_redoubt(n) for n in near)


def _batteries(field: Field, unit: Unit) -> set[str]:
    """Return the redoubts with room for a gun; without one it keeps just in reach."""
    if unit.on_map and field.is_redoubt(unit.at):
        return set()
    works = {name for name in field.redoubts if field.has_room(name, FA)}
    if works:
        return works
    return {name for name in _ground() if distance(name, MIDDLE) == REACH + 1}


@cache
def _ground() -> tuple[str, ...]:
    """Return the land south of the river where a siege is laid."""
    return tuple(
        name
        for name in ALL
        if hexes()[name].terrain in (Terrain.CLEAR, Terrain.WOODS)
        and name not in north_bank()
        and not hexes()[name].feature
    )


def _go(
    field: Field, counter: Counter, unit: Unit, goals: set[str]
) -> March | Enter | None:
    """Return the order that brings a unit nearest to its goals, or None."""
    starts = (unit.at,) if unit.on_map else _entries(field, counter)
    if not starts:
        return None
    path = find_way(field, counter, starts, goals.__contains__, counter.move)
    if not path:
        path = _nearer(field, counter, starts, goals)
    if not path:
        return None
    if unit.on_map:
        return March(counter.order_id, path, face=0)
    return Enter(counter.order_id, path, face=0)


def _entries(field: Field, counter: Counter) -> tuple[str, ...]:
    if not counter.setup.startswith("enter"):
        return ()
    return tuple(name for name in entry_hexes(field, counter) if field.is_free(name))


def _nearer(
    field: Field, counter: Counter, starts: Sequence[str], goals: set[str]
) -> tuple[str, ...]:
    """Return a path to the reachable hex that is nearest to any goal, nearer than before."""
    aims = sorted(goals)[:40]

    def away(name: str) -> int:
        return min(distance(name, aim) for aim in aims)

    on_map = field.units[counter.key].on_map
    start = min(starts, key=away)
    here, path, spent = start, [start], 0 if on_map else step_cost(field, "", start)
    if not on_map and terrain_fault(field, counter, "", start):
        return ()
    best: tuple[str, ...] = tuple(path) if not on_map else ()
    while True:
        steps = [
            name
            for name in neighbours(here)
            if away(name) < away(here)
            and not terrain_fault(field, counter, here, name)
            and not wall_fault(field, here, name, is_first=on_map and len(path) == 1)
            and not room_fault(field, counter, name, is_last=False)
            and spent + step_cost(field, here, name) <= counter.move
        ]
        if not steps:
            return best
        to = min(steps, key=lambda name: (step_cost(field, here, name), away(name), name))
        spent += step_cost(field, here, to)
        here, path = to, [*path, to]
        best = tuple(path[1:] if on_map else path)
        if stopped_by(field, counter.key, here, ()):
            return best
