"""What it is worth to a power to have a unit somewhere.

A centre of somebody else is worth the more the greater its owner is, one of the power's own as much
as the greatest of those who could take it. These values spread: a place beside a centre is worth a
part of it, the next one a part of that. So a unit far from everything still knows where to go.
"""

from collections import Counter
from functools import lru_cache
from typing import NamedTuple

from judge.board.map import ARMY, FLEET, Map, Unit, province_of
from judge.board.position import Position, Season

NEUTRAL, OWNED, FOR_SIZE = 90.0, 30.0, 1.0
"""What a centre without an owner is worth, one with an owner, and what each centre of his adds."""
DEFENCE = 0.8
"""What part of that one of the power's own is worth, where somebody could take it."""
HERE = {Season.SPRING: 2.0, Season.FALL: 20.0}
"""How often the worth of the place itself counts: in the Fall whoever stands there owns it."""
BY_STEPS = (6.0, 3.6, 2.2, 1.3, 0.8, 0.5, 0.3, 0.2)
"""How often what has spread so many steps counts."""
GUARDED = 0.5
"""How much less a centre draws from afar for each unit that one enemy can have there."""
SPREAD = 1 / 5
"""How much of what is around a place comes to it at each step."""


class Worth(NamedTuple):
    """What a power makes of a position."""

    at: dict[Unit, float]
    """What it is worth to have a unit of a kind in a place."""
    prize: dict[str, float]
    """What a centre itself is worth, be it to take or to defend."""
    foes: Counter[str]
    """Province → how many units one other power could bring there at most."""
    friends: Counter[str]
    """Province → how many of the power's own units could go there, or are."""
    held: frozenset[str]
    """Where units of others stand."""
    here: float
    """How often the worth of the place itself counts in this season."""


def weigh(board: Map, position: Position, power: str) -> Worth:
    """Weigh all places of a map for a power."""
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
    here = HERE[position.phase.season]
    lure = {centre: value / (1 + GUARDED * foes[centre]) for centre, value in prize.items()}
    return Worth(_spread(board, lure), prize, foes, friends, held, here)


def _centre_of(size: int) -> float:
    return OWNED + FOR_SIZE * size


def _around(
    board: Map, position: Position, power: str
) -> tuple[Counter[str], dict[str, set[str]], Counter[str]]:
    """Count who could be where: the most of one enemy, which enemies, and own units."""
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


class _Graph(NamedTuple):
    """The places of units, and from where to where they go."""

    nodes: tuple[Unit, ...]
    provinces: tuple[str, ...]
    near: tuple[tuple[int, ...], ...]


def _spread(board: Map, prize: dict[str, float]) -> dict[Unit, float]:
    """Let the worth of centres spread over the map, for armies and fleets each by their own ways.
    """
    graph = _graph(board)
    heat = [prize.get(province, 0.0) for province in graph.provinces]
    total = [0.0] * len(heat)
    for weight in BY_STEPS:
        of = heat.__getitem__
        heat = [
            (here + sum(map(of, near))) * SPREAD
            for here, near in zip(heat, graph.near, strict=True)
        ]
        total = [one + weight * more for one, more in zip(total, heat, strict=True)]
    return dict(zip(graph.nodes, total, strict=True))


@lru_cache(maxsize=64)
def _graph(board: Map) -> _Graph:
    """Return the places of a map; what spreads over a coast comes from each province once."""
    nodes = [Unit(ARMY, p.abbr) for p in board.provinces.values() if p.terrain.takes_armies]
    nodes += [Unit(FLEET, place) for place in board.sail]
    number = {unit: at for at, unit in enumerate(nodes)}
    near = tuple(tuple(number[to] for to in _ways(board, unit)) for unit in nodes)
    return _Graph(tuple(nodes), tuple(unit.province for unit in nodes), near)


def _ways(board: Map, unit: Unit) -> list[Unit]:
    """Return where a unit goes from its place by itself, each province once; who lives on an island
    looks over the sea, too."""
    if unit.kind is FLEET:
        return [Unit(FLEET, places[0]) for places in board.sail[unit.place].values()]
    found = set(board.walk.get(unit.province, ()))
    if unit.province in _islands(board):
        found |= _overseas(board, unit.province)
    return [Unit(ARMY, province) for province in sorted(found)]


ISLAND = 6
"""So many provinces at most are an island."""


@lru_cache(maxsize=64)
def _islands(board: Map) -> frozenset[str]:
    """Return the provinces from which an army comes on foot to few others."""
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
    """Return the coasts on the other side of each sea beside a province."""
    seas = [place for place in board.near[start] if board.may_convoy(place)]
    return {
        goal
        for sea in seas
        for goal in board.near[sea]
        if goal in board.coastal and goal != start
    }


def worth_of(worth: Worth, unit: Unit, place: str) -> float:
    """Return what it is worth to send a unit to a place, or to leave it there: what lies around it,
    and what is there as far as it may be had."""
    province = province_of(place)
    around = worth.at.get(Unit(unit.kind, place), 0.0)
    friends, foes = max(1, worth.friends[province]), worth.foes[province]
    prize = worth.here * worth.prize.get(province, 0.0)
    if province == unit.province:
        return around + prize
    chance = friends / (friends + foes)
    return around + prize * chance
