"""Supportive civil disorder: units without orders support each other.

It is for powers without a player.
"""

from collections import Counter
from collections.abc import Sequence

from judge.board.map import Map, Unit
from judge.board.position import PhaseKind, Position
from judge.games.diplomacy.rules.legality import can_reach
from judge.games.diplomacy.rules.orders import Convoy, Hold, Order, Support, unit_of
from judge.games.diplomacy.views.order_sheet import units_ordered


def with_supports(
    board: Map, position: Position, power: str, orders: Sequence[Order]
) -> tuple[Order, ...]:
    """Return orders with a support for each unit without one, where possible.

    It supports an own neighbour that stays: first one on a supply centre, then the one with the
    fewest supports. A unit without such a neighbour is left without an order, and holds.
    """
    if position.phase.kind is not PhaseKind.MOVEMENT:
        return tuple(orders)
    given = {unit.province: order for order in orders if (unit := unit_of(order))}
    units = board.sort_units(position.units.get(power, ()))
    staying = [
        unit
        for unit in units
        if isinstance(given.get(unit.province, Hold(unit)), Hold | Support | Convoy)
    ]
    ordered = units_ordered(orders)
    helped: Counter[str] = Counter()
    found = list(orders)
    for unit in units:
        if unit.province in ordered:
            continue
        beside = [
            other
            for other in staying
            if other.province != unit.province and can_reach(unit, other.province, board)
        ]
        if beside:
            best = min(beside, key=lambda other: _rank(board, other, helped))
            helped[best.province] += 1
            found.append(Support(unit, best))
    return tuple(found)


def _rank(board: Map, unit: Unit, helped: Counter[str]) -> tuple[bool, int]:
    return not board.provinces[unit.province].is_centre, helped[unit.province]
