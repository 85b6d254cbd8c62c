"""Civil disorder: which units a power loses when it orders no removals (DATC 4.D.8)."""

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet

from judge.board.map import ARMY, FLEET, Map, Unit, province_of
from judge.board.position import Position
from judge.games.diplomacy.rules import Rules

FAR = 1_000_000
"""The distance of a unit that no centre can be reached from."""


def by_distance(
    board: Map, position: Position, power: str, units: Iterable[Unit], rules: Rules
) -> list[Unit]:
    """Return units in the order in which civil disorder takes them.

    First the unit farthest from the nearest centre its power owns, every border by land or water
    being one step for every unit; then fleets before armies, then by the province's full name.
    Before 2023 it was the nearest home centre, and fleets kept to the water.
    """
    if rules.disorder == "home":
        goals = {p.abbr for p in board.provinces.values() if p.is_centre and p.home == power}
        water = {place: frozenset(places) for place, places in _waters(board).items()}
        ashore, afloat = _steps(board.near, goals), _steps(water, _berths(board, goals))
    else:
        ashore = afloat = _steps(board.near, set(position.centres(power)))

    def key(unit: Unit) -> tuple[int, bool, str]:
        if unit.kind is FLEET:
            steps = afloat.get(unit.place, afloat.get(unit.province, FAR))
        else:
            steps = ashore.get(unit.province, FAR)
        return -steps, unit.kind is ARMY, board.provinces[unit.province].name

    return sorted(units, key=key)


def _waters(board: Map) -> dict[str, list[str]]:
    """Return place of a fleet → places a fleet reaches."""
    return {
        place: [goal for goals in ways.values() for goal in goals]
        for place, ways in board.sail.items()
    }


def _berths(board: Map, goals: AbstractSet[str]) -> set[str]:
    """Return the places of fleets in some provinces."""
    return {place for place in board.sail if province_of(place) in goals}


def _steps(beside: Mapping[str, AbstractSet[str]], goals: AbstractSet[str]) -> dict[str, int]:
    """Return place → steps to the nearest goal; places that reach none are left out."""
    found = dict.fromkeys(goals, 0)
    edge, steps = set(goals), 0
    while edge:
        steps += 1
        edge = {place for here in edge for place in beside[here] if place not in found}
        found.update(dict.fromkeys(edge, steps))
    return found
