"""Whether an order could ever be carried out: by that unit, on this map, in this phase.

Only what the map or the position itself forbids is refused. An order that depends on others (the
support of a unit that is not there, a convoy without fleets) may be given; `warnings` speaks of it.
"""

from typing import assert_never

from judge.board.map import Map, Unit, UnitKind, province_of
from judge.board.position import Dislodged, PhaseKind, Position
from judge.games.diplomacy.language.order_context import Scene
from judge.games.diplomacy.rules.adjudicate import open_retreats
from judge.games.diplomacy.rules.adjustments import why_barred
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
from judge.model.phrase import Reason, because


def why_illegal(
    order: Entry, power: str, board: Map, position: Position, rules: Rules
) -> Reason | None:
    """Return why a power's order is impossible, or None if it can be given."""
    return why_illegal_here(order, power, Scene(board, position, power, rules))


def why_illegal_here(order: Entry, power: str, scene: Scene) -> Reason | None:
    """Return why a power's order is impossible in a scene, or None if it can be given."""
    if scene.kind not in _PHASES[type(order)]:
        return because("wrong-phase", order=order_text(order), phase=scene.kind.title.lower())
    match order:
        case Waive():
            return None
        case Build(unit):
            return _why_no_build(unit, power, scene)
        case Hold(unit) | Disband(unit):
            return why_not_orderable(unit, power, scene)
        case Move(unit, _, _, _):
            return why_not_orderable(unit, power, scene) or _why_no_move(order, scene)
        case Support(unit, _, _):
            return why_not_orderable(unit, power, scene) or _why_no_support(order, scene)
        case Convoy(unit, _, _):
            return why_not_orderable(unit, power, scene) or _why_no_convoy(order, scene)
        case Retreat(unit, _):
            return why_not_orderable(unit, power, scene) or _why_no_retreat(order, scene)
        case Proxy():
            return _why_no_proxy(order, power, scene)
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


def why_not_orderable(unit: Unit, power: str, scene: Scene) -> Reason | None:
    """Return why a power cannot order a unit in this phase, or None if it can."""
    found = scene.orderable(unit.province)
    may = scene.is_orderer(power, unit.province)
    if found is None or (found[1] != unit and may):
        return because("no-unit", place=unit.province)
    if not may:
        return because("not-your-unit", place=unit.province, power=found[0])
    return None


def _why_no_proxy(order: Proxy, power: str, scene: Scene) -> Reason | None:
    """Return why a unit cannot be lent; who orders it by proxy cannot lend it on."""
    if not scene.rules.proxy:
        return because("proxy-off")
    found = scene.orderable(order.unit.province)
    if found and found[0] != power:
        return because("not-your-unit", place=order.unit.province, power=found[0])
    return why_not_orderable(order.unit, power, scene)


def _why_no_move(order: Move, scene: Scene) -> Reason | None:
    unit, board = order.unit, scene.board
    goal = province_of(order.to)
    if goal == unit.province:
        return because("same-place", place=goal)
    closed = _why_closed(unit, goal, scene)
    if closed:
        return closed
    if unit.kind is UnitKind.FLEET:
        if order.via or order.route:
            return because("only-armies-by-sea", unit=str(unit))
        return _why_no_sailing(unit, order.to, scene)
    if order.route:
        return _why_no_route(order, board)
    if not order.via and goal in board.walk.get(unit.province, ()):
        return None
    if not may_go_by_sea(unit.province, goal, scene):
        code = "no-way-by-sea" if goal in board.walk.get(unit.province, ()) else "cannot-reach"
        return because(code, unit=str(unit), place=goal)
    return None


def _why_closed(unit: Unit, goal: str, scene: Scene) -> Reason | None:
    """Return why such a unit can never stand in a province; if that is far off, say so instead."""
    terrain = scene.board.provinces[goal].terrain
    if not terrain.takes_armies and not terrain.takes_fleets:
        return because("impassable", place=goal)
    takes = terrain.takes_fleets if unit.kind is UnitKind.FLEET else terrain.takes_armies
    if not takes:
        near = goal == unit.province or goal in scene.board.near[unit.province]
        code = "inland" if unit.kind is UnitKind.FLEET else "at-sea"
        return because(code if near else "cannot-reach", unit=str(unit), place=goal)
    if unit.kind is UnitKind.FLEET and goal == scene.board.icebreaker:
        return None if scene.rules.icebreaker else because("no-icebreaker", place=goal)
    return None


def _why_no_sailing(unit: Unit, to: str, scene: Scene) -> Reason | None:
    board = scene.board
    if to != province_of(to) and to not in board.sail:
        return because("no-such-coast", place=province_of(to))
    open_places = board.sail.get(unit.place, {}).get(province_of(to), ())
    if to in open_places:
        return None
    if not open_places:
        return because("cannot-reach", unit=str(unit), place=province_of(to))
    if to != province_of(to):
        return because("wrong-coast", unit=str(unit), place=to, open=open_places)
    if len(open_places) > 1 or scene.rules.missing_coast == "illegal":
        return because("which-coast", place=to, open=open_places)
    return None


def may_go_by_sea(start: str, goal: str, scene: Scene, fleets: int | None = None) -> bool:
    """Tell whether an army may go from province to province over seas, by default all seas."""
    provinces = scene.board.provinces
    if not (provinces[start].terrain.is_coastal and provinces[goal].terrain.is_coastal):
        return False
    return scene.board.joins(start, goal, scene.all_seas if fleets is None else fleets)


def _why_no_route(order: Move, board: Map) -> Reason | None:
    """Return why a written chain of seas does not lead from the army to its goal."""
    here = order.unit.province
    for sea in order.route:
        if not board.may_convoy(sea):
            return because("no-sea", place=sea)
        if sea not in board.near[here]:
            return because("broken-route", place=sea, before=here)
        here = sea
    goal = province_of(order.to)
    if goal not in board.near[here]:
        return because("broken-route", place=goal, before=here)
    return None


def _why_no_support(order: Support, scene: Scene) -> Reason | None:
    unit, helped = order.unit, order.helped
    goal = province_of(order.to) or helped.province
    if helped.province == unit.province or goal == unit.province:
        return because("same-place", place=unit.province)
    if not can_reach(unit, goal, scene.board):
        closed = _why_closed(unit, goal, scene) if goal != helped.province else None
        return closed or because("cannot-reach", unit=str(unit), place=goal)
    if order.to and helped.province == goal:
        return because("same-place", place=goal)
    if order.to and not may_arrive(helped, goal, scene):
        return because("helped-cannot-reach", unit=str(helped), place=goal)
    return None


def can_reach(unit: Unit, goal: str, board: Map) -> bool:
    """Tell whether a unit stands beside a province in its own element, on whatever coast."""
    if unit.kind is UnitKind.ARMY:
        return goal in board.walk.get(unit.province, ())
    return goal in board.sail.get(unit.place, ())


def may_arrive(unit: Unit, goal: str, scene: Scene) -> bool:
    """Tell whether a unit may move to a province, over seas too."""
    if unit.kind is UnitKind.ARMY and may_go_by_sea(unit.province, goal, scene):
        return True
    if unit.kind is UnitKind.FLEET and unit.place not in scene.board.sail:
        places = scene.board.fleet_places(unit.province)
        return any(goal in scene.board.sail[place] for place in places)
    return can_reach(unit, goal, scene.board)


def _why_no_convoy(order: Convoy, scene: Scene) -> Reason | None:
    unit, army, goal = order.unit, order.army, province_of(order.to)
    if unit.kind is not UnitKind.FLEET or not scene.board.may_convoy(unit.province):
        return because("cannot-convoy", unit=str(unit), place=unit.province)
    if army.kind is not UnitKind.ARMY:
        return because("only-armies-by-sea", unit=str(army))
    if army.province == goal:
        return because("same-place", place=goal)
    if unit.province == goal:
        return because("convoy-to-itself", unit=str(unit), place=goal)
    closed = _why_closed(army, goal, scene)
    if closed:
        return closed
    if not may_go_by_sea(army.province, goal, scene):
        return because("helped-cannot-reach", unit=str(army), place=goal)
    return None


def _why_no_retreat(order: Retreat, scene: Scene) -> Reason | None:
    found = scene.beaten[order.unit.province][1]
    goal = province_of(order.to)
    if order.to in retreats_of(found, scene):
        return None
    closed = _why_closed(order.unit, goal, scene)
    if closed:
        return closed
    if not can_reach(order.unit, goal, scene.board):
        return because("cannot-reach", unit=str(order.unit), place=goal)
    if order.unit.kind is UnitKind.FLEET:
        sailing = _why_no_sailing(order.unit, order.to, scene)
        if sailing:
            return sailing
    if goal in scene.standing:
        return because("retreat-occupied", place=goal)
    if goal in scene.position.contested:
        return because("retreat-contested", place=goal)
    if goal == found.origin:
        return because("retreat-origin", place=goal)
    return because("retreat-closed", place=goal)


def retreats_of(found: Dislodged, scene: Scene) -> tuple[str, ...]:
    """Return the places a dislodged unit may go to."""
    return open_retreats(scene.board, scene.position, found, scene.rules)


def _why_no_build(unit: Unit, power: str, scene: Scene) -> Reason | None:
    province = scene.board.provinces[unit.province]
    barred = why_barred(scene.board, scene.position, power, province.abbr, scene.rules)
    if barred:
        return barred
    if province.abbr in scene.standing:
        return because("occupied", place=province.abbr)
    closed = _why_closed(unit, province.abbr, scene)
    if closed:
        return closed
    if unit.kind is UnitKind.FLEET:
        places = scene.board.fleet_places(province.abbr)
        if unit.place != unit.province and unit.place not in places:
            return because("no-such-coast", place=unit.province)
        if unit.place not in places:
            return because("which-coast", place=province.abbr, open=places)
    return None
