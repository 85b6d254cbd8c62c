"""All orders that are legal now and may have an effect, unit by unit.

OPTIONS and the library list them from here, and `legality` gives the reason why an order is
illegal. An order is listed if the rules accept it and the present units could give it an effect:
convoys only over fleets at sea, supports only of units that are there. Everything that does not
depend on the position is computed once for each map, so that a whole board costs little.
"""

from collections import Counter
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from judge.board.map import ARMY, FLEET, Map, Unit, province_of
from judge.board.position import PhaseKind, Position
from judge.games.diplomacy.rules.adjustments import buildable, builds_due
from judge.games.diplomacy.rules.order_context import fleets_at_sea
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    order_text,
)
from judge.games.diplomacy.rules.retreats import open_retreats
from judge.games.diplomacy.rules.ruleset import Rules


class OrderSet:
    """Some orders of one unit, and their canonical texts."""

    __slots__ = ("orders", "texts")

    def __init__(self, orders: Iterable[Order]) -> None:
        self.orders = tuple(orders)
        self.texts = tuple(map(order_text, self.orders))


Choices = dict[str, dict[Unit, list[OrderSet]]]
"""Power → unit → its orders in parts. A unit that may be built → the order to build it."""


def possible_orders(
    board: Map, position: Position, rules: Rules = Rules()
) -> dict[str, dict[Unit, tuple[Order, ...]]]:
    """Return power → unit → orders, for every power that has something to order.

    In adjustment phases each unit that could be built has one order of its own.
    """
    return {
        power: {unit: tuple([one for some in parts for one in some.orders])
                for unit, parts in units.items()}
        for power, units in _choices(board, position, rules).items()
    }


def orders_open_to(
    board: Map, position: Position, power: str, rules: Rules = Rules()
) -> dict[Unit, tuple[Order, ...]]:
    """Return unit → orders for one power, as in `possible_orders`."""
    found = _choices(board, position, rules, power).get(power, {})
    return {
        unit: tuple([one for some in parts for one in some.orders])
        for unit, parts in found.items()
    }


def possible_texts(
    board: Map, position: Position, rules: Rules = Rules()
) -> dict[str, dict[Unit, tuple[str, ...]]]:
    """Return power → unit → canonical texts of `possible_orders`."""
    return {
        power: {unit: tuple([text for some in parts for text in some.texts])
                for unit, parts in units.items()}
        for power, units in _choices(board, position, rules).items()
    }


def may_waive(board: Map, position: Position, power: str) -> bool:
    """Return whether a power may leave a build unused in this phase."""
    return position.phase.kind is PhaseKind.ADJUSTMENT and builds_due(board, position, power) > 0


def _choices(board: Map, position: Position, rules: Rules, only: str = "") -> Choices:
    found = _all_choices(board, position, rules, only)
    return {power: found[power] for power in found if power not in board.neutral}


def _all_choices(board: Map, position: Position, rules: Rules, only: str) -> Choices:
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _movement(board, position, rules, only)
        case PhaseKind.RETREAT:
            return {
                power: {
                    one.unit: [_retreats(one.unit, open_retreats(board, position, one, rules))]
                    for one in sorted(found, key=lambda one: board.ranks[one.unit])
                }
                for power, found in position.dislodged.items()
                if found and only in ("", power)
            }
    owned = Counter(position.owners.values())
    able: Choices = {}
    for power in (only,) if only else dict.fromkeys((*position.units, *owned)):
        due = owned[power] - len(position.units.get(power, ()))
        if due and (units := _adjustment(board, position, power, due, rules)):
            able[power] = units
    return able


def _retreats(unit: Unit, open_to: Iterable[str]) -> OrderSet:
    return OrderSet([*(Retreat(unit, to) for to in open_to), Disband(unit)])


def _adjustment(
    board: Map, position: Position, power: str, due: int, rules: Rules
) -> dict[Unit, list[OrderSet]]:
    if due < 0:
        units = board.sort_units(position.units.get(power, ()))
        return {unit: [OrderSet([Disband(unit)])] for unit in units}
    able: list[Unit] = []
    for centre in buildable(board, position, power, rules):
        if board.provinces[centre].terrain.takes_armies:
            able.append(Unit(ARMY, centre))
        if centre != board.icebreaker or rules.icebreaker:
            able += [Unit(FLEET, place) for place in board.fleet_places(centre)]
    return {unit: [OrderSet([Build(unit)])] for unit in able}


class _Scene(NamedTuple):
    """Facts of a movement phase that the orders of all units depend on."""

    board: Map
    others: list[tuple[str, Unit, int]]
    """Every province with a unit, the unit, and its rank on the map."""
    fleets: int
    """The seas with fleets that may convoy, as a bitset."""
    by_sea: "ConvoyReach"
    frozen: str
    """Province closed to fleets, or empty."""


def _movement(board: Map, position: Position, rules: Rules, only: str) -> Choices:
    fleets = fleets_at_sea(board, position)
    ranks = board.ranks
    others = sorted([(place, unit, ranks[unit]) for place, (_, unit) in position.standing.items()])
    frozen = "" if rules.icebreaker else board.icebreaker
    scene = _Scene(board, others, fleets, ways_by_sea(board, fleets), frozen)
    return {
        power: {unit: _parts(scene, unit) for unit in board.sort_units(units)}
        for power, units in position.units.items()
        if units and only in ("", power)
    }


def _parts(scene: _Scene, unit: Unit) -> list[OrderSet]:
    """Return the orders of a unit to hold, move, move by sea, support and convoy."""
    board, others, fleets, by_sea, frozen = scene
    here = unit.province
    shut = frozen if unit.kind is FLEET else ""
    parts = [_alone(board, unit, shut)]
    bit = 0
    if unit.kind is ARMY:
        if goals := by_sea.joined.get(here):
            parts.append(_voyages(unit, goals))
    else:
        bit = board.sea_bit[here] & fleets
    # A fleet does not support a move that it alone could convoy.
    carried = ways_by_sea(board, fleets & ~bit) if bit else by_sea
    parts += _supports(scene, unit, carried)
    if bit:
        ways = ways_by_sea(board, chain_of(board, bit, fleets)).joined
        parts += [
            _carries(unit, army, ways[province])
            for province, army, _ in others
            if army.kind is ARMY and province in ways
        ]
    return parts


def _supports(scene: _Scene, unit: Unit, by_sea: "ConvoyReach") -> list[OrderSet]:
    """Return the supports that a unit can give to each other unit."""
    near, around, known = _helper(scene.board, unit, scene.frozen)
    if len(known) > MAX_KNOWN:
        known.clear()
    by_land = known.setdefault(NOWHERE, {})
    carried = by_sea.joined
    tables = {joined: known.setdefault(near & joined, {}) for joined in by_sea.groups}
    found: list[OrderSet] = []
    for province, other, rank in scene.others:
        table = by_land
        if other.kind is ARMY and province in carried:
            table = tables[carried[province]]
        if table is by_land and province not in around:
            continue
        some = table.get(rank)
        if some is None:
            more = NOWHERE if table is by_land else near & carried[province]
            some = table[rank] = _helps(scene.board, unit, other, more, scene.frozen)
        if some.orders:
            found.append(some)
    return found


NOWHERE: frozenset[str] = frozenset()


@lru_cache(maxsize=2048)
def _alone(board: Map, unit: Unit, shut: str) -> OrderSet:
    """Return the orders of a unit that do not depend on others: hold and moves."""
    there = sorted(way for way in board.stations[unit].there if province_of(way) != shut)
    return OrderSet([Hold(unit), *(Move(unit, way) for way in there)])


MAX_KNOWN = 64
"""Number of sets of places reached by sea for which one unit's supports are cached."""


class _Helper(NamedTuple):
    """Cached facts of a unit that may support others."""

    near: frozenset[str]
    """Provinces it could move to."""
    around: frozenset[str]
    """Provinces of units that it could support without a convoy."""
    known: dict[frozenset[str], dict[int, OrderSet]]
    """Places reached by sea → rank of the supported unit → supports, filled on demand."""


@lru_cache(maxsize=2048)
def _helper(board: Map, unit: Unit, frozen: str) -> _Helper:
    near = _reach(board, unit, frozen)
    return _Helper(near, near | {far for place in near for far in board.near[place]}, {})


@lru_cache(maxsize=4096)
def _voyages(army: Unit, goals: frozenset[str]) -> OrderSet:
    return OrderSet(Move(army, goal, True) for goal in sorted(goals) if goal != army.place)


def _reach(board: Map, unit: Unit, frozen: str) -> frozenset[str]:
    """Return the provinces a unit could go to by itself."""
    reach = frozenset(board.stations[unit].reach)
    return reach - {frozen} if unit.kind is FLEET else reach


def _helps(board: Map, unit: Unit, other: Unit, by_sea: frozenset[str], frozen: str) -> OrderSet:
    """Return the supports a unit could give another: to hold, and to shared goals."""
    if other == unit:
        return OrderSet(())
    near = _reach(board, unit, frozen)
    found = [Support(unit, other)] if other.province in near else []
    goals = near & (_reach(board, other, frozen) | by_sea) - {other.province}
    return OrderSet([*found, *(Support(unit, other, goal) for goal in sorted(goals))])


@lru_cache(maxsize=16384)
def _carries(fleet: Unit, army: Unit, goals: frozenset[str]) -> OrderSet:
    """Return the convoys of one army, except into the fleet's own province."""
    shut = (fleet.province, army.place)
    return OrderSet(Convoy(fleet, army, goal) for goal in sorted(goals) if goal not in shut)


def chain_of(board: Map, sea: int, fleets: int) -> int:
    """Return the seas with fleets that are connected to *sea*, as a bitset."""
    beside = board.beside_by_index
    chain = todo = sea
    while todo:
        low = todo & -todo
        todo ^= low
        new = beside[low.bit_length() - 1] & fleets & ~chain
        chain |= new
        todo |= new
    return chain


class ConvoyReach(NamedTuple):
    """Provinces between which armies could go over some fleets."""

    joined: Mapping[str, frozenset[str]]
    """Coastal province → the provinces it is joined with, including itself."""
    groups: frozenset[frozenset[str]]
    """All distinct values of `joined`."""


@lru_cache(maxsize=4096)
def ways_by_sea(board: Map, fleets: int) -> ConvoyReach:
    """Return the ways on which fleets in these seas could convoy armies."""
    joined = _find_joined_ports(board, fleets)
    return ConvoyReach(joined, frozenset(joined.values()))


def _find_joined_ports(board: Map, fleets: int) -> Mapping[str, frozenset[str]]:
    ports = _ports(board)
    if board.coastal_convoys:
        # A fleet in the port of destination is not part of a route, so chains are not enough.
        return {
            start: frozenset(goal for goal, _ in ports if board.joins(start, goal, fleets))
            for start, seas in ports
            if seas & fleets
        }
    found: dict[str, frozenset[str]] = {}
    left = fleets
    while left:
        chain = chain_of(board, left & -left, fleets)
        left &= ~chain
        joined = frozenset([port for port, seas in ports if seas & chain])
        for port in joined:
            found[port] = found[port] | joined if port in found else joined
    return found


@lru_cache(maxsize=64)
def _ports(board: Map) -> tuple[tuple[str, int], ...]:
    """Return every coastal province with the seas next to it, as a bitset."""
    coastal = [p.abbr for p in board.provinces.values() if p.terrain.is_coastal]
    return tuple((port, board.seas_beside[port]) for port in coastal)
