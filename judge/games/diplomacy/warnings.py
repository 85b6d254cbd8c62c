"""Orders that can be given but are odd: what a friend looking over the sheet would point out."""

from collections.abc import Iterator, Mapping, Sequence

from judge.board.map import Map, UnitKind, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.games.diplomacy.orders import (
    Build,
    Convoy,
    Disband,
    Hold,
    Move,
    Order,
    Retreat,
    Support,
    Waive,
    order_text,
    unit_of,
)
from judge.words.reason import Reason, because


def warnings(
    board: Map, position: Position, power: str, orders: Sequence[Order]
) -> tuple[Reason, ...]:
    """Return what is odd about a power's orders, taken together."""
    if position.phase.kind is PhaseKind.ADJUSTMENT:
        return tuple(_wrong_counts(position, power, orders))
    by_place = {unit.province: order for order in orders if (unit := unit_of(order))}
    found: list[Reason] = []
    for order in orders:
        match order:
            case Support(_, _, _):
                found.extend(_odd_support(order, position, power, by_place))
            case Convoy(_, _, _):
                found.extend(_odd_convoy(order, position, power, by_place))
            case Move(_, _, True, _):
                found.extend(_no_fleets(order, board, position, power, orders))
    found.extend(_same_goals(position, power, orders, by_place))
    return tuple(found)


def _odd_support(
    order: Support, position: Position, power: str, own: Mapping[str, Order]
) -> Iterator[Reason]:
    helped = order.helped
    there = position.unit_at(helped.province)
    if there is None:
        yield because("support-of-nobody", order=order_text(order), place=helped.province)
    elif there[0] == power:
        given = own.get(helped.province, Hold(helped))
        goal = province_of(given.to) if isinstance(given, Move) else ""
        if goal != province_of(order.to):
            text = order_text(given)
            yield because("support-of-another-order", order=order_text(order), given=text)


def _odd_convoy(
    order: Convoy, position: Position, power: str, own: Mapping[str, Order]
) -> Iterator[Reason]:
    there = position.unit_at(order.army.province)
    if there is None:
        yield because("convoy-of-nobody", order=order_text(order), place=order.army.province)
    elif there[0] == power:
        given = own.get(order.army.province, Hold(order.army))
        if not isinstance(given, Move) or province_of(given.to) != province_of(order.to):
            text = order_text(given)
            yield because("convoy-of-another-order", order=order_text(order), given=text)


def _no_fleets(
    order: Move, board: Map, position: Position, power: str, orders: Sequence[Order]
) -> Iterator[Reason]:
    """Warn of a move by sea that no fleets could carry, foreign ones included."""
    start, goal = order.unit.province, province_of(order.to)
    own = {
        convoy.unit.province
        for convoy in orders
        if isinstance(convoy, Convoy) and (convoy.army.province, convoy.to) == (start, goal)
    }
    foreign = {
        unit.province
        for other, units in position.units.items()
        for unit in units
        if other != power and unit.kind is UnitKind.FLEET
    }
    if not board.joins(start, goal, board.sea_bits(own | foreign)):
        yield because("no-convoy-ordered", order=order_text(order))


def _same_goals(
    position: Position, power: str, orders: Sequence[Order], own: Mapping[str, Order]
) -> Iterator[Reason]:
    """Warn of own units that go to one place, or where an own unit stays."""
    goals: dict[str, Order] = {}
    stays = {
        unit.province
        for unit in position.units.get(power, ())
        if position.phase.kind is PhaseKind.MOVEMENT
        and not isinstance(own.get(unit.province, Hold(unit)), Move)
    }
    for order in orders:
        if isinstance(order, Move | Retreat):
            goal = province_of(order.to)
            if goal in goals:
                first = order_text(goals[goal])
                yield because("same-goal", first=first, second=order_text(order), place=goal)
            elif goal in stays:
                yield because("goal-taken", order=order_text(order), place=goal)
            goals.setdefault(goal, order)


def _wrong_counts(position: Position, power: str, orders: Sequence[Order]) -> Iterator[Reason]:
    due = len(position.centres(power)) - len(position.units.get(power, ()))
    built = sum(isinstance(order, Build | Waive) for order in orders)
    removed = sum(isinstance(order, Disband) for order in orders)
    if built > max(due, 0):
        yield because("too-many-builds", given=built, due=max(due, 0))
    if removed > max(-due, 0):
        yield because("too-many-removals", given=removed, due=max(-due, 0))
