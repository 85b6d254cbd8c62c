"""Evaluation of positions: the value of a unit in each place for a power.

The value of another power's centre grows with the size of its owner. An own centre has a share of
the value for the greatest power that could take it. These values spread: a place next to a centre
gets a part of its value, and the next place a part of that. A unit far from all centres therefore
still has a direction.
"""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from judge.board.map import ARMY, FLEET, Map, Unit, province_of
from judge.board.position import Position, Season

NEUTRAL, OWNED, OWNER_SIZE_BONUS = 90.0, 30.0, 1.0
"""Values of a centre without an owner and with one, and for each centre of its owner."""
DEFENCE = 0.8
"""Share of that value for an own centre that another power could take."""
IN_PLACE_WEIGHT = {Season.SPRING: 2.0, Season.FALL: 20.0}
"""Weight of a place's own value. In the Fall the occupant of a centre becomes its owner."""
DISTANCE_WEIGHTS = (6.0, 3.6, 2.2, 1.3, 0.8, 0.5, 0.3, 0.2)
"""Weights of values that have spread one step, two steps and so on."""
DEFENDER_DISCOUNT = 0.5
"""Reduction of a centre's attraction from afar for each unit that one enemy can have there."""
SPREAD_FACTOR = 1 / 5
"""Share of the values around a place that spreads to it at each step."""


class Worth(NamedTuple):
    """Evaluation of a position for one power."""

    at: dict[Unit, float]
    """Unit in a place → value of having such a unit there."""
    prize: dict[str, float]
    """Centre → its own value, to take or to defend."""
    foes: Counter[str]
    """Province → maximum number of units that one other power could have there."""
    friends: Counter[str]
    """Province → number of own units that are there or could go there."""
    held: frozenset[str]
    """Provinces with units of other powers."""
    here: float
    """Weight of a place's own value in this season."""


def evaluate_position(board: Map, position: Position, power: str) -> Worth:
    """Evaluate all places of a map for a power."""
    foes, threats, friends = _around(board, position, power)
    sizes = Counter(position.owners.values())
    prize = {}
    for centre in board.centres:
        owner = position.owners.get(centre, "")
        if owner == power:
            sizes_near = [sizes[other] for other in threats.get(centre, ())]
            prize[centre] = DEFENCE * _centre_of(max(sizes_near)) if sizes_near else 0.0
        else:
            prize[centre] = _centre_of(sizes[owner]) if owner else NEUTRAL
    held = frozenset(
        unit.province for owner, units in position.units.items() if owner != power for unit in units
    )
    here = IN_PLACE_WEIGHT[position.phase.season]
    lure = {
        centre: value / (1 + DEFENDER_DISCOUNT * foes[centre]) for centre, value in prize.items()
    }
    return Worth(_spread(board, lure), prize, foes, friends, held, here)


def _centre_of(size: int) -> float:
    return OWNED + OWNER_SIZE_BONUS * size


def _around(
    board: Map, position: Position, power: str
) -> tuple[Counter[str], dict[str, set[str]], Counter[str]]:
    """Count enemies and own units within reach of each province.

    Return the most units of one enemy, the names of all enemies, and the number of own units.
    """
    most: Counter[str] = Counter()
    threats: dict[str, set[str]] = {}
    friends: Counter[str] = Counter()
    for owner, units in position.units.items():
        found: Counter[str] = Counter()
        for unit in units:
            found.update((unit.province, *board.stations[unit].reach))
        if owner == power:
            friends = found
            continue
        for province, count in found.items():
            most[province] = max(most[province], count)
            threats.setdefault(province, set()).add(owner)
    return most, threats, friends


class _PlaceGraph(NamedTuple):
    """Places of units as nodes, with their neighbours."""

    nodes: tuple[Unit, ...]
    provinces: tuple[str, ...]
    near: tuple[tuple[int, ...], ...]


def _spread(board: Map, prize: dict[str, float]) -> dict[Unit, float]:
    """Spread the values of centres over the map, by the ways of each kind of unit."""
    graph = _graph(board)
    heat = [prize.get(province, 0.0) for province in graph.provinces]
    total = [0.0] * len(heat)
    for weight in DISTANCE_WEIGHTS:
        of = heat.__getitem__
        heat = [
            (here + sum(map(of, near))) * SPREAD_FACTOR
            for here, near in zip(heat, graph.near, strict=True)
        ]
        total = [one + weight * more for one, more in zip(total, heat, strict=True)]
    return dict(zip(graph.nodes, total, strict=True))


@lru_cache(maxsize=64)
def _graph(board: Map) -> _PlaceGraph:
    """Return the graph of a map, where coasts get each neighbour's value once."""
    nodes = [Unit(ARMY, p.abbr) for p in board.provinces.values() if p.terrain.takes_armies]
    nodes += [Unit(FLEET, place) for place in board.sail]
    number = {unit: at for at, unit in enumerate(nodes)}
    near = tuple(tuple(number[to] for to in _ways(board, unit)) for unit in nodes)
    return _PlaceGraph(tuple(nodes), tuple(unit.province for unit in nodes), near)


def _ways(board: Map, unit: Unit) -> list[Unit]:
    """Return the goals of a unit by itself, each province once.

    On an island they include the coasts across each sea.
    """
    if unit.kind is FLEET:
        return [Unit(FLEET, places[0]) for places in board.sail[unit.place].values()]
    found = set(board.walk.get(unit.province, ()))
    if unit.province in _islands(board):
        found |= _overseas(board, unit.province)
    return [Unit(ARMY, province) for province in sorted(found)]


ISLAND = 6
"""Largest number of provinces of an island."""


@lru_cache(maxsize=64)
def _islands(board: Map) -> frozenset[str]:
    """Return the provinces from which an army can walk to few others only."""
    found: set[str] = set()
    left = {p.abbr for p in board.provinces.values() if p.terrain.takes_armies}
    while left:
        shore = todo = {min(left)}
        while todo:
            todo = {to for here in todo for to in board.walk.get(here, ())} - shore
            shore |= todo
        left -= shore
        if len(shore) <= ISLAND:
            found |= shore
    return frozenset(found)


def _overseas(board: Map, start: str) -> set[str]:
    """Return the coasts on the other side of each sea next to a province."""
    seas = [place for place in board.near[start] if board.may_convoy(place)]
    return {
        goal
        for sea in seas
        for goal in board.near[sea]
        if goal in board.coastal and goal != start
    }


def worth_of(worth: Worth, unit: Unit, place: str) -> float:
    """Return the value of sending a unit to a place, or of leaving it there.

    This is the value of the surroundings and that of the place itself, times the chance to get it.
    """
    province = province_of(place)
    around = worth.at.get(Unit(unit.kind, place), 0.0)
    friends, foes = max(1, worth.friends[province]), worth.foes[province]
    prize = worth.here * worth.prize.get(province, 0.0)
    if province == unit.province:
        return around + prize
    chance = friends / (friends + foes)
    return around + prize * chance
