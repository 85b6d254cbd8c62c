"""Every order that can be given now, unit by unit: legal, and such that something may come of it.

An order stands here if the rules would take it and the units as they stand now could make something
of it: convoys only over fleets at sea, supports only of units that are there. What does not depend
on the position is worked out once for each map, so that a whole board costs little.
"""

from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import NamedTuple

from judge.board.map import ARMY, FLEET, Map, Unit, province_of
from judge.board.position import PhaseKind, Position
from judge.games.diplomacy.rules.adjustments import buildable, builds_due
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


class Some:
    """Some orders of one unit, and their texts, which are made when somebody asks for them."""

    __slots__ = ("orders", "_texts")

    def __init__(self, orders: Iterable[Order]) -> None:
        self.orders = tuple(orders)
        self._texts: tuple[str, ...] | None = None

    @property
    def texts(self) -> tuple[str, ...]:
        """Return the canonical texts of the orders."""
        if self._texts is None:
            self._texts = tuple(map(order_text, self.orders))
        return self._texts


Choices = dict[str, dict[Unit, list[Some]]]
"""Power → unit → its orders, in parts; a unit that may be built → the order to build it."""


def possible_orders(
    board: Map, position: Position, rules: Rules = Rules()
) -> dict[str, dict[Unit, tuple[Order, ...]]]:
    """Return power → unit → orders, for every power that has something to order.

    Where units are built, each unit that could be has one order of its own.
    """
    return {
        power: {unit: tuple([one for some in parts for one in some.orders])
                for unit, parts in units.items()}
        for power, units in _choices(board, position, rules).items()
    }


def possible_texts(
    board: Map, position: Position, rules: Rules = Rules()
) -> dict[str, dict[Unit, tuple[str, ...]]]:
    """Return the same as canonical texts."""
    return {
        power: {unit: tuple([text for some in parts for text in some.texts])
                for unit, parts in units.items()}
        for power, units in _choices(board, position, rules).items()
    }


def may_waive(board: Map, position: Position, power: str) -> bool:
    """Tell whether a power may leave a build unused in this phase."""
    return position.phase.kind is PhaseKind.ADJUSTMENT and builds_due(board, position, power) > 0


def _choices(board: Map, position: Position, rules: Rules) -> Choices:
    match position.phase.kind:
        case PhaseKind.MOVEMENT:
            return _movement(board, position, rules)
        case PhaseKind.RETREAT:
            return {
                power: {
                    one.unit: [_retreats(one.unit, open_retreats(board, position, one, rules))]
                    for one in sorted(found, key=lambda one: board.ranks[one.unit])
                }
                for power, found in position.dislodged.items()
                if found
            }
    powers = dict.fromkeys((*position.units, *position.owners.values()))
    able = {power: _adjustment(board, position, power, rules) for power in powers}
    return {power: units for power, units in able.items() if units}


def _retreats(unit: Unit, open_to: Iterable[str]) -> Some:
    return Some([*(Retreat(unit, to) for to in open_to), Disband(unit)])


def _adjustment(board: Map, position: Position, power: str, rules: Rules) -> dict[Unit, list[Some]]:
    due = builds_due(board, position, power)
    if due < 0:
        units = board.listed(position.units.get(power, ()))
        return {unit: [Some([Disband(unit)])] for unit in units}
    if not due:
        return {}
    able: list[Unit] = []
    for centre in buildable(board, position, power, rules):
        if board.provinces[centre].terrain.takes_armies:
            able.append(Unit(ARMY, centre))
        if centre != board.icebreaker or rules.icebreaker:
            able += [Unit(FLEET, place) for place in board.fleet_places(centre)]
    return {unit: [Some([Build(unit)])] for unit in able}


class _Scene(NamedTuple):
    """What the orders of all units in a movement phase depend on."""

    board: Map
    others: list[tuple[str, Unit]]
    """Every province with a unit, and the unit."""
    fleets: int
    """The seas with fleets that may convoy, as a bitset."""
    by_sea: Mapping[str, frozenset[str]]
    frozen: str
    """Province closed to fleets, or empty."""


def _movement(board: Map, position: Position, rules: Rules) -> Choices:
    standing = position.standing
    fleets = board.sea_bits([place for place, (_, unit) in standing.items() if unit.kind is FLEET])
    others = sorted([(place, unit) for place, (_, unit) in standing.items()])
    frozen = "" if rules.icebreaker else board.icebreaker
    scene = _Scene(board, others, fleets, ways_by_sea(board, fleets), frozen)
    return {
        power: {unit: _parts(scene, unit) for unit in board.listed(units)}
        for power, units in position.units.items()
        if units
    }


def _parts(scene: _Scene, unit: Unit) -> list[Some]:
    """Return the orders of a unit: to hold, move, move by sea, support, convoy."""
    board, others, fleets, by_sea, frozen = scene
    here = unit.province
    shut = frozen if unit.kind is FLEET else ""
    parts = [_alone(board, unit, shut)]
    bit = 0
    if unit.kind is ARMY:
        if goals := by_sea.get(here):
            parts.append(_voyages(unit, goals))
    else:
        bit = board.sea_bit[here] & fleets
    # Nobody supports a move that only he himself could carry.
    carried = ways_by_sea(board, fleets & ~bit) if bit else by_sea
    near, around = _near(board, unit)
    for province, other in others:
        more = NOWHERE
        if other.kind is ARMY and province in carried:
            more = near & carried[province]
        if (more or province in around) and province != here:
            parts.append(_helps(board, unit, other, more, shut))
    if bit:
        ways = ways_by_sea(board, chain_of(board, bit, fleets))
        parts += [
            _carries(unit, army, ways[province])
            for province, army in others
            if army.kind is ARMY and province in ways
        ]
    return parts


NOWHERE: frozenset[str] = frozenset()


@lru_cache(maxsize=2048)
def _alone(board: Map, unit: Unit, shut: str) -> Some:
    """Return what a unit can do wherever the others stand."""
    there = sorted(way for way in board.stations[unit].there if province_of(way) != shut)
    return Some([Hold(unit), *(Move(unit, way) for way in there)])


@lru_cache(maxsize=2048)
def _near(board: Map, unit: Unit) -> tuple[frozenset[str], frozenset[str]]:
    """Return where a unit could go, and where others stand who could go there without a convoy."""
    near = frozenset(board.stations[unit].reach)
    return near, near | {far for place in near for far in board.near[place]}


@lru_cache(maxsize=4096)
def _voyages(army: Unit, goals: frozenset[str]) -> Some:
    return Some(Move(army, goal, True) for goal in sorted(goals))


@lru_cache(maxsize=16384)
def _helps(board: Map, unit: Unit, other: Unit, by_sea: frozenset[str], shut: str) -> Some:
    """Return the supports a unit could give another: to stay, and to go where both could."""
    near = {*board.stations[unit].reach} - {shut}
    found = [Support(unit, other)] if other.province in near else []
    goals = near & {*board.stations[other].reach, *by_sea} - {other.province}
    return Some([*found, *(Support(unit, other, goal) for goal in sorted(goals))])


@lru_cache(maxsize=16384)
def _carries(fleet: Unit, army: Unit, goals: frozenset[str]) -> Some:
    """Return the convoys of one army; a fleet carries nobody into its own province."""
    return Some(Convoy(fleet, army, goal) for goal in sorted(goals) if goal != fleet.province)


def chain_of(board: Map, sea: int, fleets: int) -> int:
    """Return the seas with fleets that hang together with one, as a bitset."""
    beside = board.beside_by_index
    chain = todo = sea
    while todo:
        low = todo & -todo
        todo ^= low
        new = beside[low.bit_length() - 1] & fleets & ~chain
        chain |= new
        todo |= new
    return chain


@lru_cache(maxsize=4096)
def ways_by_sea(board: Map, fleets: int) -> Mapping[str, frozenset[str]]:
    """Return coastal province → where fleets on these seas could carry an army from it."""
    ports = [p.abbr for p in board.provinces.values() if p.terrain.is_coastal]
    if board.coastal_convoys:
        # A fleet in the port an army goes to is no part of its way, so that chains do not decide.
        naive = {
            start: frozenset(goal for goal in ports if board.joins(start, goal, fleets)) - {start}
            for start in ports
        }
        return {start: goals for start, goals in naive.items() if goals}
    found: dict[str, set[str]] = {}
    left = fleets
    while left:
        chain = chain_of(board, left & -left, fleets)
        left &= ~chain
        touched = {port for port in ports if board.seas_beside[port] & chain}
        for port in touched:
            found.setdefault(port, set()).update(touched - {port})
    return {start: frozenset(goals) for start, goals in found.items()}
