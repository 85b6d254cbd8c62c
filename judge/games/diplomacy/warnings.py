"""Orders that can be given but are odd: what a friend looking over the sheet would point out."""

from collections.abc import Iterator, Mapping, Sequence

from judge.board.map import Map, UnitKind, province_of
from judge.board.phase import PhaseKind
from judge.board.position import Position
from judge.games.diplomacy.orders import (
    Build,
    Convoy,
    Disband,
    Entry,
    Hold,
    Move,
    Order,
    Proxy,
    Retreat,
    Support,
    Waive,
    order_text,
    unit_of,
)
from judge.games.diplomacy.rules import Rules
from judge.games.diplomacy.scene import fleets_at_sea
from judge.words.reason import Reason, because


def warnings(
    board: Map, position: Position, power: str, orders: Sequence[Order], rules: Rules
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
                if not rules.friendly_fire:
                    found.extend(_support_against_own(order, position, power, by_place))
            case Convoy(_, _, _):
                odd = list(_odd_convoy(order, position, power, by_place))
                found.extend(odd or _no_chain(order, board, position))
            case Move(_, _, True, _):
                found.extend(_no_fleets(order, board, position, power, orders))
    found.extend(_same_goals(position, power, orders, by_place))
    found.extend(_swaps(orders, by_place))
    return tuple(found)


def _support_against_own(
    order: Support, position: Position, power: str, own: Mapping[str, Order]
) -> Iterator[Reason]:
    """Warn of help for an attack on an own unit that stays: it does not count (DATC 6.D.14)."""
    there = position.unit_at(province_of(order.to)) if order.to else None
    if there is None or there[0] != power:
        return
    if not isinstance(own.get(there[1].province, Hold(there[1])), Move):
        place, unit = there[1].province, str(there[1])
        yield because("support-against-own", order=order_text(order), unit=unit, place=place)


def _no_chain(order: Convoy, board: Map, position: Position) -> Iterator[Reason]:
    """Warn of a convoy that no fleets can carry as they stand, this one among them."""
    if not may_be_carried(order, board, position):
        yield because("no-convoy-chain", order=order_text(order))


def may_be_carried(order: Move | Convoy, board: Map, position: Position) -> bool:
    """Tell whether the fleets on the board, whoever's they are, could carry an army there."""
    fleets = fleets_at_sea(board, position)
    army = order.army if isinstance(order, Convoy) else order.unit
    return board.joins(army.province, province_of(order.to), fleets)


def replaced(
    sheet: Sequence[Entry], order: Entry, board: Map, position: Position
) -> Iterator[Reason]:
    """Tell of the order on a sheet that one takes the place of which no fleets can carry out."""
    if not isinstance(order, Convoy | Move) or isinstance(order, Move) and not order.via:
        return
    if may_be_carried(order, board, position):
        return
    for old in sheet:
        unit = None if isinstance(old, Proxy) else unit_of(old)
        if unit and unit.province == order.unit.province and old != order:
            yield because("order-replaced", order=order_text(order), before=order_text(old))


def _swaps(orders: Sequence[Order], own: Mapping[str, Order]) -> Iterator[Reason]:
    """Warn of two own units that would change places, neither by convoy (DATC 6.G.1)."""
    carried = {each.army.province for each in orders if isinstance(each, Convoy)}
    for order in orders:
        if isinstance(order, Move) and not order.via:
            here, goal = order.unit.province, province_of(order.to)
            other = own.get(goal)
            if isinstance(other, Move) and not other.via and province_of(other.to) == here:
                if here < goal and not carried & {here, goal}:
                    first, second = order_text(order), order_text(other)
                    yield because("own-units-swap", first=first, second=second)


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
