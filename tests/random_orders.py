"""Random legal orders with some sense in them, for games of Diplomacy in tests.

Units go for centres that are not their own, support each other where they can, and armies board
fleets. There is no look-ahead.
"""

from collections.abc import Iterator

from judge import dice
from judge.board.map import Map, Unit, UnitKind
from judge.board.position import Position
from judge.dice import Dice
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
)


class Luck(dice.BotRandom):
    """A run of draws that depends only on the seed, the phase and the player.

    >>> Luck(1, 0, "India").pick("abc") == Luck(1, 0, "India").pick("abc")
    True
    """

    def __init__(self, seed: int, turn: int, name: str) -> None:
        super().__init__(Dice(seed.to_bytes(32, "big", signed=True), turn), name)


def goals(board: Map, unit: Unit) -> list[str]:
    """Return the places a unit can move to by itself."""
    if unit.kind is UnitKind.ARMY:
        return sorted(board.walk.get(unit.province, ()))
    return [place for places in board.sail.get(unit.place, {}).values() for place in places]


def reaches(board: Map, unit: Unit, province: str) -> bool:
    """Return whether a unit can move to a province by itself, and so support there."""
    if unit.kind is UnitKind.ARMY:
        return province in board.walk.get(unit.province, ())
    return province in board.sail.get(unit.place, {})


class Planner:
    """Orders of one player for one movement phase."""

    def __init__(self, board: Map, position: Position, power: str, luck: Luck) -> None:
        self._board = board
        self._position = position
        self._power = power
        self._luck = luck
        self._units = list(position.units.get(power, ()))
        self._orders: dict[Unit, Order] = {}
        self._taken: set[str] = set()
        """Provinces that an own unit moves to or stays in."""

    def plan(self) -> list[Order]:
        """Return an order for each unit of the power."""
        for army in self._luck.shuffle(self._units):
            if army.kind is UnitKind.ARMY and self._luck.chance(3):
                self._plan_convoy(army)
        for unit in self._luck.shuffle(self._units):
            if unit not in self._orders and not self._plan_support(unit):
                self._plan_move(unit)
        return [self._orders[unit] for unit in self._units]

    def _worth(self, province: str) -> int:
        """Return the weight of a province as a goal of the player."""
        if self._position.owners.get(province) == self._power:
            return 1
        return 12 if self._board.provinces[province].is_centre else 2

    def _plan_move(self, unit: Unit) -> None:
        standing = {other.province for other in self._units if other is not unit}
        choices = [(1, unit.place)]
        for place in goals(self._board, unit):
            province = place.partition("/")[0]
            if province not in self._taken and province not in standing:
                choices.append((self._worth(province), place))
        goal = self._luck.pick_weighted(choices)
        self._taken.add(goal.partition("/")[0])
        self._orders[unit] = Hold(unit) if goal == unit.place else Move(unit, goal)

    def _plan_support(self, unit: Unit) -> bool:
        """Support an own unit that has its order, half of the times it is possible."""
        if unit.province in self._taken or not self._luck.chance(2):
            return False
        chances: list[Order] = []
        for helped, order in self._orders.items():
            match order:
                case Move(to=to) if reaches(self._board, unit, to.partition("/")[0]):
                    chances.append(Support(unit, helped, to.partition("/")[0]))
                case Hold() if reaches(self._board, unit, helped.province):
                    chances.append(Support(unit, helped))
        if not chances:
            return False
        self._orders[unit] = self._luck.pick(chances)
        self._taken.add(unit.province)
        return True

    def _plan_convoy(self, army: Unit) -> None:
        """Send an army over a sea with an own fleet that has no order."""
        for fleet in self._luck.shuffle(self._units):
            if fleet.kind is UnitKind.ARMY or fleet in self._orders:
                continue
            shores = [
                (self._worth(shore), shore)
                for shore in self._shores(army, fleet)
                if shore not in self._taken
            ]
            if shores:
                goal = self._luck.pick_weighted(shores)
                self._orders[army] = Move(army, goal, via=True)
                self._orders[fleet] = Convoy(fleet, army, goal)
                self._taken |= {goal, fleet.province}
                return

    def _shores(self, army: Unit, fleet: Unit) -> Iterator[str]:
        """Yield the provinces an army can reach with one fleet, but not by land."""
        sea = self._board.sea_bits([fleet.province])
        standing = {unit.province for unit in self._units}
        for abbr, province in self._board.provinces.items():
            if (
                province.terrain.is_coastal
                and abbr not in standing
                and abbr not in self._board.walk.get(army.province, ())
                and self._board.joins(army.province, abbr, sea)
            ):
                yield abbr


def retreat_orders(position: Position, power: str, luck: Luck) -> list[Order]:
    """Return a retreat, or now and then a disbandment, for each dislodged unit."""
    orders: list[Order] = []
    taken: set[str] = set()
    for beaten in position.dislodged.get(power, ()):
        free = [p for p in beaten.retreats or () if p.partition("/")[0] not in taken]
        if free and not luck.chance(8):
            goal = luck.pick(free)
            taken.add(goal.partition("/")[0])
            orders.append(Retreat(beaten.unit, goal))
        else:
            orders.append(Disband(beaten.unit))
    return orders


def adjustment_orders(board: Map, position: Position, power: str, luck: Luck) -> list[Order]:
    """Return builds on free home centres, or removals, as many as are due.

    A power without centres loses every unit without a choice.
    """
    units = position.units.get(power, ())
    due = len(position.centres(power)) - len(units)
    if not position.centres(power):
        return []
    if due < 0:
        return [Disband(unit) for unit in luck.shuffle(units)[:-due]]
    orders: list[Order] = []
    for abbr in luck.shuffle(open_homes(board, position, power))[:due]:
        kinds = [Unit(UnitKind.FLEET, place) for place in board.fleet_places(abbr)]
        if board.provinces[abbr].terrain.takes_armies:
            kinds.append(Unit(UnitKind.ARMY, abbr))
        orders.append(Waive() if luck.chance(20) else Build(luck.pick(kinds)))
    return orders


def open_homes(board: Map, position: Position, power: str) -> list[str]:
    """Return a power's own, empty home centres."""
    return [
        abbr
        for abbr in position.centres(power)
        if board.provinces[abbr].home == power and position.unit_at(abbr) is None
    ]


def orders_for(board: Map, position: Position, power: str, luck: Luck) -> list[Order]:
    """Return a power's orders for the phase of a position."""
    match position.phase.kind.title:
        case "Movement":
            return Planner(board, position, power, luck).plan()
        case "Retreat":
            return retreat_orders(position, power, luck)
        case _:
            return adjustment_orders(board, position, power, luck)
