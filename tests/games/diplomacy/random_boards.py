"""Seeded positions and orders, dense enough for rings, duels and paradoxes.

Units are in one cluster. Moves lead to few provinces and to convoying fleets, convoys are ordered
along chains of fleets, and supports are mostly matched.
"""

import random
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence

from judge.board.map import Map, Terrain, Unit, UnitKind, province_of
from judge.board.position import Position, parse_phase
from judge.games.diplomacy.boards import board_under
from judge.games.diplomacy.rules.orders import Convoy, Hold, Move, Order, Support
from judge.games.diplomacy.rules.ruleset import Rules

Orders = dict[str, list[Order]]


def random_case(
    seed: int,
    most: int = 30,
    map_name: str = "",
    area: Collection[str] = (),
    rules: Rules = Rules(),
) -> tuple[Map, Position, Orders]:
    """Return a board, a position of 6 to `most` units in Spring 1901, and its orders."""
    rng = random.Random(seed)
    on = board_under(map_name or rng.choice(("standard", "youngstown")), rules)
    position = _position(rng, on, rng.randint(6, most), sorted(area) or _cluster(rng, on, most))
    return on, position, _orders(rng, on, position)


def _cluster(rng: random.Random, on: Map, size: int) -> list[str]:
    open_to = [p.abbr for p in on.provinces.values() if p.terrain is not Terrain.SHUT]
    found = [rng.choice(open_to)]
    while len(found) < min(len(open_to), size * 4 // 3):
        beside = sorted({x for here in found for x in on.near[here]} - set(found))
        found.append(rng.choice(beside or [x for x in open_to if x not in found]))
    return found


def _position(rng: random.Random, on: Map, size: int, area: Sequence[str]) -> Position:
    powers = rng.sample([power.name for power in on.powers], rng.choice((2, 3, 5)))
    units: dict[str, list[Unit]] = {power: [] for power in powers}
    for abbr in rng.sample(area, min(size, len(area))):
        terrain = on.provinces[abbr].terrain
        takes = {UnitKind.ARMY: terrain.takes_armies, UnitKind.FLEET: terrain.takes_fleets}
        kind = rng.choice([kind for kind, fits in takes.items() if fits])
        place = abbr if kind is UnitKind.ARMY else rng.choice(on.fleet_places(abbr))
        units[rng.choice(powers)].append(Unit(kind, place))
    return Position(parse_phase("S1901M"), {p: on.sort_units(u) for p, u in units.items()}, {})


def _orders(rng: random.Random, on: Map, position: Position) -> Orders:
    standing = [(power, unit) for power, units in position.units.items() for unit in units]
    units = {unit.province: unit for _, unit in standing}
    given: dict[str, Order] = {}
    for _, unit in standing:
        for order in _crossing(rng, on, unit, units):
            given.setdefault(order.unit.province, order)
    convoying = [abbr for abbr, order in given.items() if isinstance(order, Convoy)]
    lures = {*rng.sample(sorted(units), min(3, len(units))), *convoying}
    for _, unit in standing:
        goals = sorted(_find_reachable(on, unit))
        if rng.random() < 0.6 and goals and unit.province not in given:
            lured = [goal for goal in goals if province_of(goal) in lures]
            goals = lured if rng.random() < 0.6 and lured else goals
            given[unit.province] = Move(unit, rng.choice(goals))
    for _, unit in standing:
        if unit.province not in given:
            choices = list(_supports(on, unit, given, units))
            telling = [one for one in choices if province_of(one.to) in lures] or choices
            choices = telling if rng.random() < 0.6 else choices
            given[unit.province] = rng.choice(choices) if choices else Hold(unit)
    orders: Orders = {power: [] for power in position.units}
    for power, unit in standing:
        if rng.random() < 0.97:
            orders[power].append(given[unit.province])
    return orders


def _find_reachable(on: Map, unit: Unit) -> Iterable[str]:
    if unit.kind is UnitKind.ARMY:
        return on.walk[unit.province]
    return [place for places in on.sail[unit.place].values() for place in places]


def _crossing(
    rng: random.Random, on: Map, unit: Unit, units: Mapping[str, Unit]
) -> Iterator[Move | Convoy]:
    """Yield a move by sea and its convoys, sometimes with one missing or one extra."""
    if unit.kind is UnitKind.FLEET or rng.random() < 0.5:
        return
    if unit.province not in on.coastal:
        return
    fleets = [abbr for abbr in units if on.sea_bit[abbr]]
    seas = on.sea_bits(fleets)
    coasts = [
        abbr
        for abbr in on.provinces
        if abbr in on.coastal and abbr != unit.province and on.joins(unit.province, abbr, seas)
    ]
    if not coasts:
        return
    held = [abbr for abbr in coasts if abbr in units]
    goal = rng.choice(held if held and rng.random() < 0.7 else coasts)
    yield Move(unit, goal, via=rng.random() < 0.4)
    for abbr in _chain(rng, on, unit.province, goal, fleets):
        if rng.random() < 0.95:
            yield Convoy(units[abbr], unit, goal)
    if rng.random() < 0.2:
        yield Convoy(units[rng.choice(fleets)], unit, goal)


def _chain(
    rng: random.Random, on: Map, start: str, goal: str, fleets: Collection[str]
) -> Iterator[str]:
    before: dict[str, str] = {abbr: "" for abbr in fleets if abbr in on.near[start]}
    edge = sorted(before)
    while not any(abbr in on.near[goal] for abbr in edge):
        rng.shuffle(edge)
        for here in list(edge):
            for there in sorted(on.near[here] & set(fleets) - set(before)):
                before[there] = here
                edge.append(there)
            edge.remove(here)
    last = next(abbr for abbr in edge if abbr in on.near[goal])
    while last:
        yield last
        last = before[last]


def _supports(
    on: Map, unit: Unit, given: Mapping[str, Order], units: Mapping[str, Unit]
) -> Iterator[Support]:
    reached = {province_of(goal) for goal in _find_reachable(on, unit)}
    for abbr, other in units.items():
        order = given.get(abbr)
        if abbr == unit.province:
            continue
        if isinstance(order, Move):
            if province_of(order.to) in reached:
                yield Support(unit, other, province_of(order.to))
        elif abbr in reached:
            yield Support(unit, other)
