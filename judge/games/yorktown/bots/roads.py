"""Ways off the map, and whether AP's units could leave by one of them."""

from collections.abc import Mapping

from judge.games.yorktown.default_orders.marching import FAR, costs_to, is_foot
from judge.games.yorktown.rules.board import AP, FA, counters_of, north_bank
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import ALL, distance, on_edge
from judge.games.yorktown.rules.state import LEFT, OFF
from judge.games.yorktown.rules.turn import EXITS

EDGES = ("E", "W", "S")
GATES = {"E": "3018", "W": "0118", "S": "2024"}
"""Hex in which the road of each edge leaves the map."""
PACE = 5
"""Movement points of a column in a turn."""
REACH = 6
"""Distance, in hexes, from which enemies can intercept a column in time."""
ABSENT, LATE_DAY = 0.5, 4
"""Weight of the strength of enemies off the map, from LATE_DAY on."""
ODDS = 0.7
"""Maximum strength of the enemy near the way, relative to the column's."""


def edge_costs(edge: str) -> Mapping[str, int]:
    """Return the cost from each hex to an edge of the south bank."""
    goals = frozenset(name for name in ALL if on_edge(name, edge) and name not in north_bank())
    return costs_to(goals)


def open_edge(field: StepState) -> str:
    """Return the edge by which enough AP units can leave to win, or an empty string.

    A column already near the edge continues unless the enemy near its way is stronger.
    """
    column = [
        (counter, unit.at) for counter, unit in field.on_map(AP)
        if counter.kind.is_combat and unit.at not in north_bank() and not unit.shots
    ]
    needed = EXITS - sum(
        field.units[c.key].at == LEFT and c.kind.is_combat for c in counters_of(AP)
    )
    if len(column) < needed or needed <= 0:
        return ""
    strength = sum(counter.combat for counter, _ in column)
    best, least = "", FAR * 1.0
    for edge in EDGES:
        costs = edge_costs(edge)
        nearest = sorted(costs.get(at, FAR) for _, at in column)[:needed]
        turns = nearest[-1] / PACE + 1
        against = _against(field, edge, turns)
        on_the_way = sum(cost <= 2 * PACE for cost in nearest) * 2 >= needed
        limit = strength * (1.0 if on_the_way else ODDS)
        if against <= limit and against + 10 * turns < least:
            best, least = edge, against + 10 * turns
    return best


def _against(field: StepState, edge: str, turns: float) -> float:
    """Return the strength of FA's foot that can bar the way to an edge in time."""
    gate = GATES[edge]
    absent = ABSENT if field.moment.day >= LATE_DAY else 1.0
    total = 0.0
    for counter in counters_of(FA):
        unit = field.units[counter.key]
        if not is_foot(counter) or unit.at in north_bank():
            continue
        far = distance(unit.at, gate) if unit.on_map else FAR
        if unit.at == OFF and counter.setup.startswith("enter"):
            doors = ("0118",) if counter.nation == "FR" else ("1624", "2024", "2424", "2724")
            far = min(distance(door, gate) for door in doors)
        if far - REACH <= counter.move * max(1.0, turns - 1):
            total += counter.combat * (1.0 if unit.on_map else absent)
    return total
