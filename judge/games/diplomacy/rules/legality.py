"""Legality of an order: whether that unit could carry it out in this phase.

Only orders that the map or the position itself forbids are refused. An order that depends on others
(the support of a missing unit, a convoy without fleets) may be given, with a warning in the
receipt.
"""

from typing import assert_never

from judge.board.map import Map, Unit, UnitKind, province_of
from judge.board.position import Dislodged, PhaseKind, Position
from judge.games.diplomacy.rules.adjudicate import open_retreats
from judge.games.diplomacy.rules.adjustments import explain_barred_build
from judge.games.diplomacy.rules.convoys import explain_no_convoy
from judge.games.diplomacy.rules.order_context import OrderContext
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Entry,
    Hold,
    Move,
    Proxy,
    Retreat,
    Support,
    Waive,
    order_text,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.phrase import Phrase, phrase


def explain_illegality(
    order: Entry, power: str, board: Map, position: Position, rules: Rules
) -> Phrase | None:
    """Return why a power's order is impossible, or None if it can be given."""
    return explain_illegality_here(order, power, OrderContext(board, position, power, rules))


def explain_illegality_here(order: Entry, power: str, context: OrderContext) -> Phrase | None:
    """Return why a power's order is impossible in a context, or None if it is not."""
    if context.kind not in _PHASES[type(order)]:
        return phrase("wrong-phase", order=order_text(order), phase=context.kind.title.lower())
    match order:
        case Waive():
            return None
        case Build(unit):
            return _explain_illegal_build(unit, power, context)
        case Hold(unit) | Disband(unit):
            return explain_not_orderable(unit, power, context)
        case Move(unit, _, _, _):
            return explain_not_orderable(unit, power, context) or _explain_illegal_move(
                order, context
            )
        case Support(unit, _, _):
            return explain_not_orderable(unit, power, context) or _explain_illegal_support(
                order, context
            )
        case Convoy(unit, _, _):
            return explain_not_orderable(unit, power, context) or _explain_illegal_convoy(
                order, context
            )
        case Retreat(unit, _):
            return explain_not_orderable(unit, power, context) or _explain_illegal_retreat(
                order, context
            )
        case Proxy():
            return _explain_illegal_proxy(order, power, context)
        case _:
            assert_never(order)


_PHASES: dict[type[Entry], frozenset[PhaseKind]] = {
    Hold: frozenset({PhaseKind.MOVEMENT}),
    Move: frozenset({PhaseKind.MOVEMENT}),
    Support: frozenset({PhaseKind.MOVEMENT}),
    Convoy: frozenset({PhaseKind.MOVEMENT}),
    Retreat: frozenset({PhaseKind.RETREAT}),
    Disband: frozenset({PhaseKind.RETREAT, PhaseKind.ADJUSTMENT}),
    Build: frozenset({PhaseKind.ADJUSTMENT}),
    Waive: frozenset({PhaseKind.ADJUSTMENT}),
    Proxy: frozenset({PhaseKind.MOVEMENT}),
}


def explain_not_orderable(unit: Unit, power: str, context: OrderContext) -> Phrase | None:
    """Return why a power cannot order a unit in this phase, or None if it can."""
    found = context.orderable(unit.province)
    if found and found[0] in context.board.neutral:
        return phrase("neutral-unit", place=unit.province, power=found[0])
    may = context.is_orderer(power, unit.province)
    if found is None or (found[1] != unit and may):
        return phrase("no-unit", place=unit.province)
    if not may:
        return phrase("not-your-unit", place=unit.province, power=found[0])
    return None


def _explain_illegal_proxy(order: Proxy, power: str, context: OrderContext) -> Phrase | None:
    """Return why a proxy cannot be granted, or None.

    A power that orders the unit by proxy cannot grant it to another.
    """
    if not context.rules.proxy:
        return phrase("proxy-off")
    found = context.orderable(order.unit.province)
    if found and found[0] != power:
        return phrase("not-your-unit", place=order.unit.province, power=found[0])
    return explain_not_orderable(order.unit, power, context)


def _explain_illegal_move(order: Move, context: OrderContext) -> Phrase | None:
    unit, board = order.unit, context.board
    goal = province_of(order.to)
    if goal == unit.province:
        return phrase("same-place", place=goal)
    closed = _explain_closed_province(unit, goal, context)
    if closed:
        return closed
    if unit.kind is UnitKind.FLEET:
        if order.via or order.route:
            return phrase("only-armies-by-sea", unit=str(unit))
        return _explain_illegal_sailing(unit, order.to, context)
    if order.route:
        return _explain_illegal_route(order, board)
    if not order.via and goal in board.walk.get(unit.province, ()):
        return None
    if not may_go_by_sea(unit.province, goal, context):
        code = "no-way-by-sea" if goal in board.walk.get(unit.province, ()) else "cannot-reach"
        return phrase(code, unit=str(unit), place=goal)
    return None


def _explain_closed_province(unit: Unit, goal: str, context: OrderContext) -> Phrase | None:
    """Return why such a unit can never be in a province, or None.

    If the province is not near the unit, the reason given is the distance.
    """
    terrain = context.board.provinces[goal].terrain
    if not terrain.takes_armies and not terrain.takes_fleets:
        return phrase("impassable", place=goal)
    takes = terrain.takes_fleets if unit.kind is UnitKind.FLEET else terrain.takes_armies
    if not takes:
        near = goal == unit.province or goal in context.board.near[unit.province]
        code = "inland" if unit.kind is UnitKind.FLEET else "at-sea"
        return phrase(code if near else "cannot-reach", unit=str(unit), place=goal)
    if unit.kind is UnitKind.FLEET and goal == context.board.icebreaker:
        return None if context.rules.icebreaker else phrase("no-icebreaker", place=goal)
    return None


def _explain_illegal_sailing(unit: Unit, to: str, context: OrderContext) -> Phrase | None:
    board = context.board
    if to != province_of(to) and to not in board.sail:
        return phrase("no-such-coast", place=province_of(to))
    open_places = board.sail.get(unit.place, {}).get(province_of(to), ())
    if to in open_places:
        return None
    if not open_places:
        return phrase("cannot-reach", unit=str(unit), place=province_of(to))
    if to != province_of(to):
        return phrase("wrong-coast", unit=str(unit), place=to, open=open_places)
    if len(open_places) > 1 or context.rules.missing_coast == "illegal":
        return phrase("which-coast", place=to, open=open_places)
    return None


def may_go_by_sea(start: str, goal: str, context: OrderContext, fleets: int | None = None) -> bool:
    """Return whether an army may go between two provinces by sea.

    *fleets* are the seas with fleets as a bitset, by default all seas.
    """
    provinces = context.board.provinces
    if not (provinces[start].terrain.is_coastal and provinces[goal].terrain.is_coastal):
        return False
    return context.board.joins(start, goal, context.all_seas if fleets is None else fleets)


def _explain_illegal_route(order: Move, board: Map) -> Phrase | None:
    """Return why a written chain of seas does not lead from the army to its goal."""
    here = order.unit.province
    for sea in order.route:
        if not board.may_convoy(sea):
            return phrase("no-sea", place=sea)
        if sea not in board.near[here]:
            return phrase("broken-route", place=sea, before=here)
        here = sea
    goal = province_of(order.to)
    if goal not in board.near[here]:
        return phrase("broken-route", place=goal, before=here)
    return None


def _explain_illegal_support(order: Support, context: OrderContext) -> Phrase | None:
    unit, helped = order.unit, order.helped
    goal = province_of(order.to) or helped.province
    if helped.province == unit.province or goal == unit.province:
        return phrase("same-place", place=unit.province)
    reaches = can_reach(unit, goal, context.board)
    closed = (
        _explain_closed_province(unit, goal, context)
        if reaches or goal != helped.province
        else None
    )
    if closed or not reaches:
        return closed or phrase("cannot-reach", unit=str(unit), place=goal)
    if order.to and helped.province == goal:
        return phrase("same-place", place=goal)
    if order.to and not may_arrive(helped, goal, context):
        return phrase("helped-cannot-reach", unit=str(helped), place=goal)
    return None


def can_reach(unit: Unit, goal: str, board: Map) -> bool:
    """Return whether a unit could move to a province by itself, on any of its coasts."""
    if unit.kind is UnitKind.ARMY:
        return goal in board.walk.get(unit.province, ())
    return goal in board.sail.get(unit.place, ())


def may_arrive(unit: Unit, goal: str, context: OrderContext) -> bool:
    """Return whether a unit may move to a province, by itself or by convoy."""
    if unit.kind is UnitKind.ARMY and may_go_by_sea(unit.province, goal, context):
        return True
    if _explain_closed_province(unit, goal, context):
        return False
    if unit.kind is UnitKind.FLEET and unit.place not in context.board.sail:
        places = context.board.fleet_places(unit.province)
        return any(goal in context.board.sail[place] for place in places)
    return can_reach(unit, goal, context.board)


def _explain_illegal_convoy(order: Convoy, context: OrderContext) -> Phrase | None:
    unit, army, goal = order.unit, order.army, province_of(order.to)
    if unit.kind is not UnitKind.FLEET or not context.board.may_convoy(unit.province):
        return explain_no_convoy(context.board, unit)
    if army.kind is not UnitKind.ARMY:
        return phrase("only-armies-by-sea", unit=str(army))
    if army.province == goal:
        return phrase("same-place", place=goal)
    if unit.province == goal:
        return phrase("convoy-to-itself", unit=str(unit), place=goal)
    closed = _explain_closed_province(army, goal, context)
    if closed:
        return closed
    if not may_go_by_sea(army.province, goal, context):
        return phrase("helped-cannot-reach", unit=str(army), place=goal)
    return None


def _explain_illegal_retreat(order: Retreat, context: OrderContext) -> Phrase | None:
    found = context.beaten[order.unit.province][1]
    goal = province_of(order.to)
    if order.to in retreats_of(found, context):
        return None
    closed = _explain_closed_province(order.unit, goal, context)
    if closed:
        return closed
    if not can_reach(order.unit, goal, context.board):
        return phrase("cannot-reach", unit=str(order.unit), place=goal)
    if order.unit.kind is UnitKind.FLEET:
        sailing = _explain_illegal_sailing(order.unit, order.to, context)
        if sailing:
            return sailing
    if goal in context.standing:
        return phrase("retreat-occupied", place=goal)
    if goal in context.position.contested:
        return phrase("retreat-contested", place=goal)
    if goal == found.origin:
        return phrase("retreat-origin", place=goal)
    return phrase("retreat-closed", place=goal)


def retreats_of(found: Dislodged, context: OrderContext) -> tuple[str, ...]:
    """Return the places a dislodged unit may go to."""
    return open_retreats(context.board, context.position, found, context.rules)


def _explain_illegal_build(unit: Unit, power: str, context: OrderContext) -> Phrase | None:
    province = context.board.provinces[unit.province]
    barred = explain_barred_build(
        context.board, context.position, power, province.abbr, context.rules
    )
    if barred:
        return barred
    if province.abbr in context.standing:
        return phrase("occupied", place=province.abbr)
    closed = _explain_closed_province(unit, province.abbr, context)
    if closed:
        return closed
    if unit.kind is UnitKind.FLEET:
        places = context.board.fleet_places(province.abbr)
        if unit.place != unit.province and unit.place not in places:
            return phrase("no-such-coast", place=unit.province)
        if unit.place not in places:
            return phrase("which-coast", place=province.abbr, open=places)
    return None
