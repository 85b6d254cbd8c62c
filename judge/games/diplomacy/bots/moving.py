"""Bot orders for a movement phase: moves, supports and convoys."""

from collections.abc import Collection, Iterator, Mapping
from typing import NamedTuple

from judge.board.map import ARMY, FLEET, Map, Unit, province_of
from judge.board.position import Position, Season
from judge.dice import BotRandom
from judge.games.diplomacy.bots.worth import evaluate_position, worth_of
from judge.games.diplomacy.rules.orders import Convoy, Hold, Move, Order, Support
from judge.games.diplomacy.rules.possible import orders_open_to
from judge.games.diplomacy.rules.ruleset import Rules

ALTERNATIVE_THRESHOLD = 0.6
"""Share of the best value from which the second-best goal may be chosen instead."""
ALTERNATIVE_ODDS = 4
"""Number of cases of which the second-best goal is chosen in one."""
HELPED = 0.5
"""Share of the value of a unit's own goal that another one needs to be supported instead."""


class _Goal(NamedTuple):
    """Place where a unit could be, and the value of that."""

    worth: float
    place: str


def movement_orders(
    board: Map, position: Position, power: str, rules: Rules, luck: BotRandom
) -> list[Order]:
    """Return an order for each unit of a power."""
    return _Planner(board, position, power, rules, luck).plan()


class _Planner:
    """Planner of one power's orders."""

    def __init__(
        self, board: Map, position: Position, power: str, rules: Rules, luck: BotRandom
    ) -> None:
        self._board = board
        self._position = position
        self._power = power
        self._luck = luck
        self._legal = orders_open_to(board, position, power, rules)
        self._worth = evaluate_position(board, position, power)
        self._at = {unit.province: unit for unit in self._legal}
        self._goals = {unit: self._goals_of(unit, found) for unit, found in self._legal.items()}
        self._orders: dict[Unit, Order] = {}
        self._is_fall = position.phase.season is Season.FALL
        self._comes: dict[str, Unit] = {}
        """Province → the own unit that will be there if all orders succeed."""

    def plan(self) -> list[Order]:
        """Return the orders.

        They are chosen in this order: centres to take, convoys, goals of the other units, and
        supports in place of orders of little value.
        """
        for centre in self._targets():
            self._storm(centre)
        for army in self._luck.shuffle([unit for unit in self._legal if unit.kind is ARMY]):
            self._sail(army)
        for unit in self._luck.shuffle(list(self._legal)):
            if unit not in self._orders:
                self._decide(unit, ())
        for unit in self._by_worth():
            self._help(unit)
        return [self._orders[unit] for unit in self._legal]

    def _goals_of(self, unit: Unit, legal: Collection[Order]) -> list[_Goal]:
        """Return the places where a unit could be without a convoy, the best first."""
        places = [order.to for order in legal if isinstance(order, Move) and not order.via]
        goals = [_Goal(worth_of(self._worth, unit, place), place) for place in places]
        goals.append(_Goal(worth_of(self._worth, unit, unit.place), unit.place))
        return sorted(goals, key=lambda goal: (-goal.worth, goal.place))

    def _targets(self) -> list[str]:
        """Return the centres of others, first those worth most for the units they need."""
        prize, foes, owners = self._worth.prize, self._worth.foes, self._position.owners
        found = [centre for centre in prize if owners.get(centre) != self._power]
        return sorted(found, key=lambda centre: (-prize[centre] / (1 + foes[centre]), centre))

    def _storm(self, centre: str) -> None:
        """Order a unit to a centre, with enough support to be sure or all there is.

        A unit that is there in the Fall stays.
        """
        there = self._at.get(centre)
        if there:
            if there not in self._orders and self._is_fall:
                self._settle(there, Hold(there), centre)
                self._back(there, self._worth.foes[centre])
            return
        able = {
            unit: goal.place
            for unit, goals in self._goals.items()
            if unit not in self._orders
            for goal in reversed(goals)
            if province_of(goal.place) == centre
        }
        ranked = sorted(able, key=lambda unit: (self._stays(unit), self._board.ranks[unit]))
        if not ranked or centre in self._comes:
            return
        is_held = centre in self._worth.held
        if is_held and len(ranked) < 2:
            return
        if self._stays(ranked[0]) >= self._worth.prize[centre]:
            return
        self._settle(ranked[0], Move(ranked[0], able[ranked[0]]), centre)
        helped = self._back(ranked[0], self._worth.foes[centre])
        if is_held and not helped:
            self._comes.pop(centre)
            del self._orders[ranked[0]]

    def _back(self, unit: Unit, most: int) -> int:
        """Order up to *most* free units to support another one. Return their number."""
        done = 0
        free = [one for one in self._legal if one not in self._orders]
        for helper in sorted(free, key=lambda u: (self._goals[u][0].worth, self._board.ranks[u])):
            if done < most and self._support(helper, unit):
                done += 1
        return done

    def _stays(self, unit: Unit) -> float:
        """Return the loss if a unit leaves: the centre it guards or takes."""
        return self._worth.prize.get(unit.province, 0.0)

    def _decide(self, unit: Unit, waiting: tuple[Unit, ...]) -> None:
        """Choose an order for a unit, on which the choices of *waiting* units depend."""
        for goal in self._rank_goals(unit):
            if self._try(unit, goal.place, (*waiting, unit)):
                return
        self._settle(unit, Hold(unit), unit.province)

    def _rank_goals(self, unit: Unit) -> list[_Goal]:
        """Return the goals of a unit in the order to try, sometimes the second one first."""
        goals = self._goals[unit]
        if len(goals) > 1 and goals[1].worth > ALTERNATIVE_THRESHOLD * goals[0].worth > 0:
            if self._luck.chance(ALTERNATIVE_ODDS):
                return [goals[1], goals[0], *goals[2:]]
        return goals

    def _try(self, unit: Unit, place: str, waiting: tuple[Unit, ...]) -> bool:
        """Order a unit to hold in, go to or support in a goal, if that is possible."""
        goal = province_of(place)
        if goal == unit.province:
            return self._settle(unit, Hold(unit), goal)
        there = self._at.get(goal)
        if there and there not in self._orders:
            if there in waiting:
                return False
            self._decide(there, waiting)
        if unit in self._orders:
            return True
        if other := self._comes.get(goal):
            return self._is_contested(goal) and self._support(unit, other)
        if there and self._comes.get(unit.province) is there:
            return False
        return self._settle(unit, Move(unit, place), goal)

    def _settle(self, unit: Unit, order: Order, province: str) -> bool:
        """Give a unit an order after which it will be in a province."""
        before = self._orders.get(unit)
        if before is not None:
            left = _goal_of(before)
            if self._comes.get(left) is unit:
                del self._comes[left]
        self._orders[unit] = order
        self._comes[province] = unit
        return True

    def _is_contested(self, province: str) -> bool:
        """Return whether support is needed: more enemies could be there than helpers."""
        return self._helpers(province) < self._worth.foes[province]

    def _helpers(self, province: str) -> int:
        return sum(
            isinstance(order, Support) and (province_of(order.to) or order.helped.province)
            == province
            for order in self._orders.values()
        )

    def _support(self, unit: Unit, other: Unit) -> bool:
        """Order a unit to support another one's order, if that is legal."""
        if unit.province in self._comes and self._comes[unit.province] is not unit:
            return False
        match self._orders[other]:
            case Move(to=to):
                order = Support(unit, other, province_of(to))
            case _:
                order = Support(unit, other)
        if order not in self._legal[unit]:
            return False
        return self._settle(unit, order, unit.province)

    def _by_worth(self) -> list[Unit]:
        """Return the units, first those whose own goal has the least value."""
        return sorted(self._legal, key=lambda unit: (self._value(unit), self._board.ranks[unit]))

    def _value(self, unit: Unit) -> float:
        """Return the value of a unit's own order."""
        order = self._orders[unit]
        place = order.to if isinstance(order, Move) else unit.place
        return worth_of(self._worth, unit, place)

    def _help(self, unit: Unit) -> None:
        """Order a unit to support one of greater value that would fail alone."""
        order = self._orders[unit]
        if not isinstance(order, Move | Hold) or getattr(order, "via", False):
            return
        if self._is_needed(unit, order):
            return
        least = self._value(unit) * HELPED if isinstance(order, Move) else 0.0
        for other in sorted(self._wanting(unit), key=lambda u: (-self._value(u), u)):
            if self._value(other) < least:
                return
            if self._support(unit, other):
                return

    def _is_needed(self, unit: Unit, order: Order) -> bool:
        """Return whether a unit should keep its order.

        It should if others support it, or if it takes a centre that no enemy can reach.
        """
        goal = _goal_of(order)
        if self._helpers(goal):
            return True
        is_mine = self._position.owners.get(goal) == self._power
        return isinstance(order, Move) and (
            goal in self._worth.prize and not is_mine and not self._worth.foes[goal]
        )

    def _wanting(self, unit: Unit) -> Iterator[Unit]:
        """Yield the units in or moving to contested places, as candidates for support."""
        for other, order in self._orders.items():
            goal = _goal_of(order)
            if other is unit or isinstance(order, Support | Convoy):
                continue
            if isinstance(order, Hold) and goal not in self._worth.prize:
                continue
            if self._is_contested(goal):
                yield other

    def _sail(self, army: Unit) -> None:
        """Send an army by convoy of own fleets if that is better than by land.

        The loss of the fleets counts.
        """
        if army in self._orders:
            return
        by_land = self._goals[army][0].worth
        voyages = [
            _Goal(worth_of(self._worth, army, order.to), order.to)
            for order in self._legal[army]
            if isinstance(order, Move) and order.via
        ]
        for goal in sorted(voyages, key=lambda goal: (-goal.worth, goal.place)):
            if goal.worth <= by_land:
                return
            if goal.place in self._at or goal.place in self._comes:
                continue
            fleets = self._route(army, goal.place)
            lost = sum(self._loss(fleet) for fleet in fleets)
            if fleets and goal.worth - by_land > lost:
                for fleet in fleets:
                    self._settle(fleet, Convoy(fleet, army, goal.place), fleet.province)
                self._settle(army, Move(army, goal.place, via=True), goal.place)
                return

    def _loss(self, fleet: Unit) -> float:
        """Return the loss of a fleet by staying where it is."""
        return self._goals[fleet][0].worth - worth_of(self._worth, fleet, fleet.place)

    def _route(self, army: Unit, goal: str) -> list[Unit]:
        """Return the fewest free fleets that convoy an army to a goal, or an empty list."""
        near = self._board.near
        ways: Mapping[str, list[Unit]] = {army.province: []}
        while ways:
            further: dict[str, list[Unit]] = {}
            for here, fleets in ways.items():
                if fleets and goal in near[here]:
                    return fleets
                for place in sorted(near[here]):
                    fleet = self._at.get(place)
                    if fleet and fleet not in fleets and self._may_carry(fleet, army, goal):
                        further.setdefault(place, [*fleets, fleet])
            ways = further
        return []

    def _may_carry(self, fleet: Unit, army: Unit, goal: str) -> bool:
        return (
            fleet.kind is FLEET
            and fleet not in self._orders
            and Convoy(fleet, army, goal) in self._legal[fleet]
        )


def _goal_of(order: Order) -> str:
    """Return the province of a unit after an order."""
    match order:
        case Move(to=to):
            return province_of(to)
        case Hold(unit) | Support(unit) | Convoy(unit):
            return unit.province
    raise AssertionError(order)
