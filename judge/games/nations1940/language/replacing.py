"""Orders on file that a later order for the same units replaces.

The last order for a unit counts. Units of one place may have several orders, so a later order
replaces another only if the units do not suffice for both, and if it has the same goal or takes
all units there.
"""

from collections.abc import Sequence
from typing import NamedTuple

from judge.games.nations1940.rules.orders import ArmyHold, ArmyMove, Order, Rail, Sail
from judge.games.nations1940.rules.world import World
from judge.games.nations1940.scenario import Node


class _Use(NamedTuple):
    """Units that an order needs.

    The number 0 means all of them. Units that stay have no goal.
    """

    what: str
    start: Node
    number: int
    goal: Node | None


def _use_of(order: Order) -> _Use | None:
    match order:
        case ArmyMove() | Rail():
            what = "mobile_hq" if order.hq else "armies"
            return _Use(what, order.path[0], order.count, order.path[-1])
        case Sail():
            return _Use("fleets", order.path[0], order.count, order.path[-1])
        case ArmyHold():
            return _Use("armies", order.province, 1, None)
    return None


def orders_of_same_units(order: Order, on_file: Sequence[Order]) -> list[Order]:
    """Return the orders on file for units of the same kind and place."""
    use = _use_of(order)
    return [
        one for one in on_file
        if use and (old := _use_of(one)) and old[:2] == use[:2] and not isinstance(one, ArmyHold)
    ]


def replaced_orders(
    world: World, nation: str, order: Order, on_file: Sequence[Order], others: Sequence[Order]
) -> list[Order]:
    """Return the orders on file that an order replaces.

    *others* are orders of the same mail, which also need units.
    """
    use, old = _use_of(order), orders_of_same_units(order, on_file)
    if use is None or not old:
        return []
    there = _units_there(world, nation, use)
    count = use.number or there
    spent = _count([*old, *orders_of_same_units(order, others)], there)
    if count > there or spent + count <= there:
        return []
    same = [one for one in old if (found := _use_of(one)) and found.goal == use.goal]
    if same and spent - _count(same, there) + count <= there:
        return same
    return old if use.goal is None or count == there else []


def _count(orders: Sequence[Order], there: int) -> int:
    return sum(use.number or there for use in map(_use_of, orders) if use)


def _units_there(world: World, nation: str, use: _Use) -> int:
    if isinstance(use.start, str):
        return world.seas[use.start].get(nation, 0)
    return int(getattr(world.provinces[use.start], use.what).get(nation, 0))
