"""Bot orders for retreats, builds and removals."""

from judge.board.map import ARMY, FLEET, Map, Unit
from judge.board.position import Position
from judge.games.diplomacy.bots.worth import Worth, evaluate_position, worth_of
from judge.games.diplomacy.rules.adjustments import builds_due
from judge.games.diplomacy.rules.orders import Build, Disband, Order, Retreat
from judge.games.diplomacy.rules.possible import orders_open_to
from judge.games.diplomacy.rules.ruleset import Rules

ONE_KIND = 0.5
"""Share of its value that a new unit loses if all others are of its kind."""


def retreat_orders(board: Map, position: Position, power: str, rules: Rules) -> list[Order]:
    """Return retreats to the best places left, and disbands where there are none."""
    worth = evaluate_position(board, position, power)
    taken: set[str] = set()
    orders: list[Order] = []
    for unit, legal in orders_open_to(board, position, power, rules).items():
        goals = [
            (-worth_of(worth, unit, order.to), order.to)
            for order in legal
            if isinstance(order, Retreat) and _there(order) not in taken
        ]
        if goals:
            orders.append(Retreat(unit, min(goals)[1]))
            taken.add(_there(orders[-1]))
        else:
            orders.append(Disband(unit))
    return orders


def _there(order: Order) -> str:
    assert isinstance(order, Retreat)
    return Unit(order.unit.kind, order.to).province


def adjustment_orders(board: Map, position: Position, power: str, rules: Rules) -> list[Order]:
    """Return builds of the most valuable units, or removals of the least valuable.

    Units on centres are removed last.
    """
    due = builds_due(board, position, power)
    units = list(orders_open_to(board, position, power, rules))
    worth = evaluate_position(board, position, power)
    if due < 0:
        ranked = sorted(units, key=lambda unit: (_evaluate_unit(worth, unit), board.ranks[unit]))
        return [Disband(unit) for unit in ranked[:-due]]
    own = position.units.get(power, ())
    fleets = sum(unit.kind is FLEET for unit in own)
    armies = len(own) - fleets
    orders: list[Order] = []
    while units and len(orders) < due:
        best = max(units, key=lambda unit: (_built(worth, unit, armies, fleets), str(unit)))
        orders.append(Build(best))
        fleets += best.kind is FLEET
        armies += best.kind is ARMY
        units = [unit for unit in units if unit.province != best.province]
    return orders


def _evaluate_unit(worth: Worth, unit: Unit) -> tuple[bool, float]:
    """Return the sort key of a unit to keep: units on any centre come last."""
    return unit.province in worth.prize, worth_of(worth, unit, unit.place)


def _built(worth: Worth, unit: Unit, armies: int, fleets: int) -> float:
    """Return the value of a new unit, less if there are many of its kind."""
    value = worth.at.get(unit, 0.0)
    many = fleets if unit.kind is FLEET else armies
    return value * (1 - ONE_KIND * many / (armies + fleets + 1))
