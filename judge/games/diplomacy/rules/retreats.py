"""Retreats: open places, and verdicts on retreat orders (DATC 6.H)."""

from collections import Counter
from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from typing import NamedTuple

from judge.board.map import ARMY, FLEET, Map, Unit, province_of
from judge.board.position import Dislodged, Position
from judge.games.diplomacy.rules.orders import (
    Disband,
    Move,
    Order,
    Outcome,
    Retreat,
    Verdict,
    order_text,
    unit_of,
)
from judge.games.diplomacy.rules.ruleset import Rules
from judge.model.phrase import Phrase, phrase


def open_retreats(
    board: Map, position: Position, dislodged: Dislodged, rules: Rules
) -> tuple[str, ...]:
    """Return the places a dislodged unit may retreat to.

    If there are none, it leaves the board without an order.
    """
    if dislodged.retreats is not None:
        return dislodged.retreats
    occupied = {unit.province for units in position.units.values() for unit in units}
    return retreats_open_to(board, dislodged, occupied | position.contested, rules)


def retreats_open_to(
    board: Map, dislodged: Dislodged, closed: AbstractSet[str], rules: Rules
) -> tuple[str, ...]:
    """Return the places a dislodged unit may retreat to, except *closed* provinces.

    *closed* are the occupied or contested ones. The unit may go where it could move without a
    convoy, but not to the origin of its attacker by land (DATC 4.A.5). A whole province is closed
    or open, not a coast (6.H.16).
    """
    if not rules.retreats:
        return ()
    unit = dislodged.unit
    is_open = dislodged.by_convoy and rules.convoy_return == "allowed"
    origin = "" if is_open else dislodged.origin
    if unit.kind is ARMY:
        return tuple(sorted(board.walk[unit.province] - closed - {origin}))
    shut = (origin, "" if rules.icebreaker else board.icebreaker)
    return tuple(
        place
        for goal, places in sorted(board.sail[unit.place].items())
        if goal not in closed and goal not in shut
        for place in places
    )


class ClosedRetreats(NamedTuple):
    """Reasons why a unit had no retreat: the provinces next to it, in three lists."""

    occupied: tuple[str, ...]
    contested: tuple[str, ...]
    origin: tuple[str, ...]
    """The province its attacker came from."""


def shut_in(
    board: Map, beaten: Dislodged, occupied: AbstractSet[str], contested: AbstractSet[str]
) -> ClosedRetreats | None:
    """Return what closed every retreat of a dislodged unit that had none.

    None if the rules of the game did (no retreats at all, no icebreaker).
    """
    unit = beaten.unit
    near = set(board.walk[unit.province] if unit.kind is ARMY else board.sail[unit.place])
    if near - occupied - contested - {beaten.origin}:
        return None
    origin = near & {beaten.origin}
    return ClosedRetreats(
        tuple(sorted(near & occupied - origin)),
        tuple(sorted(near & contested - occupied - origin)),
        tuple(origin),
    )


def retreat(
    board: Map, position: Position, orders: Mapping[str, Sequence[Order]], rules: Rules
) -> tuple[Position, dict[str, tuple[Verdict, ...]]]:
    """Return the position after the retreats, and the verdict on each order.

    Units that retreat to one province all disband (DATC 6.H.7), as do those without an order or
    with an illegal one.
    """
    given = {power: _last_orders(found) for power, found in orders.items()}
    going = []
    for power, found in position.dislodged.items():
        for beaten in sorted(found, key=lambda one: board.ranks[one.unit]):
            order = given.get(power, {}).pop(beaten.unit.province, None)
            open_to = open_retreats(board, position, beaten, rules)
            going.append(_going(board, position, power, beaten, order, open_to))
    taken = Counter(province_of(one.goal) for one in going if one.goal)
    units = {power: list(found) for power, found in position.units.items()}
    verdicts: dict[str, list[Verdict]] = {}
    for one in going:
        goes = one.goal != "" and taken[province_of(one.goal)] == 1
        verdicts.setdefault(one.power, []).append(_verdict(one, goes))
        if goes:
            units.setdefault(one.power, []).append(Unit(one.unit.kind, one.goal))
    for power, left in given.items():
        verdicts.setdefault(power, []).extend(_stray(place, order) for place, order in left.items())
    after = Position(
        phase=position.phase,
        units={power: board.sort_units(found) for power, found in units.items()},
        owners=position.owners, quiet_falls=position.quiet_falls,
    )
    return after, {power: tuple(found) for power, found in verdicts.items() if found}


def _last_orders(orders: Sequence[Order]) -> dict[str, Order]:
    """Return province → the last order for the unit in it."""
    found: dict[str, Order] = {}
    for order in orders:
        unit = unit_of(order)
        found[unit.province if unit else ""] = order
    return found


class _Going(NamedTuple):
    """Dislodged unit with its order and its goal, or the reason why it has none."""

    power: str
    unit: Unit
    order: Order | None
    goal: str = ""
    fault: Phrase | None = None


def _going(
    board: Map,
    position: Position,
    power: str,
    beaten: Dislodged,
    order: Order | None,
    open_to: Sequence[str],
) -> _Going:
    unit = beaten.unit
    found = _Going(power, unit, order)
    match order:
        case None:
            code = "retreat-not-ordered" if open_to else "retreat-nowhere"
            return found._replace(fault=phrase(code, unit=str(unit)))
        case Disband():
            return found
        case Retreat() | Move():
            goal = _goal(unit, order.to, open_to)
            if isinstance(goal, str):
                return found._replace(goal=goal)
            fault = goal or _explain_closed_province(board, position, beaten, province_of(order.to))
            return found._replace(fault=fault)
    text = order_text(order)
    return found._replace(fault=phrase("wrong-phase", order=text, phase="retreat"))


def _goal(unit: Unit, to: str, open_to: Sequence[str]) -> str | Phrase | None:
    """Return the goal of a retreat, what is wrong with its coast, or None if closed.

    The coast may be missing where only one is possible (DATC 4.B.2). Armies have none (4.B.6).
    """
    if to in open_to:
        return to
    goal = province_of(to)
    ways = tuple(place for place in open_to if province_of(place) == goal)
    if not ways:
        return None
    if to != goal and unit.kind is FLEET and ways != (goal,):
        return phrase("wrong-coast", unit=str(unit), place=to, open=ways)
    return ways[0] if len(ways) == 1 else phrase("which-coast", place=goal, open=ways)


def _explain_closed_province(
    board: Map, position: Position, beaten: Dislodged, goal: str
) -> Phrase:
    """Return why a unit cannot retreat to a province."""
    unit = beaten.unit
    near = board.walk[unit.province] if unit.kind is ARMY else board.sail[unit.place]
    if goal not in near:
        return phrase("cannot-reach", unit=str(unit), place=goal)
    if position.unit_at(goal):
        code = "retreat-occupied"
    elif goal in position.contested:
        code = "retreat-contested"
    elif goal == beaten.origin:
        code = "retreat-origin"
    else:
        code = "retreat-closed"
    return phrase(code, place=goal)


def _verdict(one: _Going, goes: bool) -> Verdict:
    if one.order is None:
        return Verdict(Disband(one.unit), (Outcome.DISBANDED, Outcome.NO_ORDER), one.fault)
    if one.fault:
        return Verdict(one.order, (Outcome.VOID, Outcome.DISBANDED), one.fault)
    if goes:
        return Verdict(one.order, (Outcome.SUCCEEDS,))
    if one.goal:
        reason = phrase("retreat-together", place=province_of(one.goal))
        return Verdict(one.order, (Outcome.BOUNCE, Outcome.DISBANDED), reason)
    return Verdict(one.order, (Outcome.DISBANDED,))


def _stray(place: str, order: Order) -> Verdict:
    return Verdict(order, (Outcome.VOID,), phrase("not-dislodged", place=place))
