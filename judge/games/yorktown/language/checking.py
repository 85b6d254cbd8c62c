"""Checks of orders against the present position (Y-92, Y-93).

Facts known at once refuse a line. A path is cut before its first impossible step. Facts that others
may change before the order is carried out are only checked then.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from judge.games.yorktown.language.repair import units_like
from judge.games.yorktown.language.routes import CheckResult, RoutePlanner
from judge.games.yorktown.rules.board import (
    Counter,
    CounterKind,
    counters,
    counters_of,
    enemy_of,
    key_of,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import shot_fault, target_in
from judge.games.yorktown.rules.hexes import distance, is_hex
from judge.games.yorktown.rules.orders import (
    Attack,
    BoardingOrder,
    Enter,
    Fire,
    FrigateOrder,
    HoldOrder,
    JoinOrder,
    LandingOrder,
    Losses,
    MarchOrder,
    Order,
    PlacementOrder,
    RedoubtOrder,
    RetreatAll,
    RetreatPreference,
    Stay,
    WhenHit,
    order_text,
)
from judge.games.yorktown.rules.redoubts import build_fault
from judge.games.yorktown.rules.setup import placing_fault
from judge.games.yorktown.rules.state import LEFT, OFF, SiegePosition
from judge.games.yorktown.rules.walking import (
    entry_hexes,
    step_cost,
    terrain_fault,
    wall_fault,
)
from judge.model.phrase import Phrase, phrase

MAX_CHOICES = 3
"""Maximum number of suggestions for a line with a wrong unit."""
MAX_TRIED = 8
"""Maximum number of units that are tried for such suggestions."""
_UNIT_FIELDS: Mapping[type, Sequence[str]] = {
    Attack: ("units", "advance"), Losses: ("units",), WhenHit: ("unit", "to"),
    JoinOrder: ("unit", "other"), BoardingOrder: ("unit", "ship"), RetreatAll: (),
}
"""Fields of orders that name own units. All other orders have `unit` alone."""
_HEX_FIELDS: Mapping[type, Sequence[str]] = {
    MarchOrder: ("path",), Enter: ("path",), Attack: ("at",), PlacementOrder: ("at", "bow"),
    Fire: ("at",), LandingOrder: ("at",), RetreatPreference: ("to",),
}
"""Fields of orders that name hexes."""


class OrderChecker:
    """Checker of the orders of one side in the present position."""

    def __init__(self, position: SiegePosition, side: str) -> None:
        self._side = side
        self._field = StepState(position)
        self._position = position
        self._names = {c.name: c.order_id for c in counters_of(side) if c.kind is CounterKind.CMD}
        self._others = {c.name for c in counters_of(enemy_of(side)) if c.kind is CounterKind.CMD}

    def check(
        self, order: Order, *, now: bool, near: bool = False, before: Sequence[Order] = ()
    ) -> CheckResult:
        """Return an order with its names as order ids, or why it is refused.

        `now`: it is for the turn under way, so the places of all units are known. `near`: it is one
        of several that send units to the same hex, and each takes the nearest it can reach.
        `before`: orders on file that are carried out before it.
        """
        order = _rename_units(order, self._names)  # Y-87
        wrong = next((unit for unit in _units(order) if self._counter(unit) is None), None)
        if wrong is not None:
            return self._with_choices(order, wrong, now, before)
        odd = next((name for name in _hexes(order) if not is_hex(name)), None)
        if odd is not None:
            return CheckResult(None, phrase("ye03", word=odd))
        refused = self._type_fault(order)
        if not refused and now:
            if unneeded := self._already_so(order):
                return CheckResult(None, unneeded=unneeded)
            refused = self._gone_fault(order) or self._fault(order)
        if refused:
            return CheckResult(None, refused)
        if isinstance(order, MarchOrder | Enter) and order.path:
            return self._plan_route(order, now=now, near=near, before=before)
        if isinstance(order, Stay) and (unit := self._counter(order.unit)):
            return CheckResult(order if unit.kind is CounterKind.CMD else HoldOrder(order.unit))
        return CheckResult(order)

    def _with_choices(
        self, order: Order, wrong: str, now: bool, before: Sequence[Order]
    ) -> CheckResult:
        """Refuse an order of a unit that does not exist, with suggestions."""
        found: dict[str, str] = {}
        others = {*_units(order)} - {wrong}
        is_only = wrong not in self._others and all(map(self._counter, others))
        likely = [
            unit for unit in units_like(wrong, self._side)
            if unit not in others and self._may_be_meant(unit, order)
        ]
        for unit in likely[:MAX_TRIED] if is_only else ():
            checked = self.check(_rename_units(order, {wrong: unit}), now=now, before=before)
            if checked.order and not checked.cut and self.can_be_suggested(checked.order):
                found[unit] = order_text(checked.order)
            if len(found) == MAX_CHOICES:
                break
        if not found:
            return CheckResult(None, phrase("ye02-theirs", unit=wrong))
        reason = phrase("ye02", unit=wrong, likely=tuple(found))
        return CheckResult(None, reason, choices=tuple(found.values()))

    def _may_be_meant(self, order_id: str, order: Order) -> bool:
        """Return whether a unit is on the map, or in play and the order brings it there."""
        unit = self._field.units[key_of(self._side, order_id)]
        return unit.on_map or unit.in_play and isinstance(order, Enter | PlacementOrder)

    def can_be_suggested(self, order: Order) -> bool:
        """Return whether an order can be filed as it is, and its goal has room."""
        if not isinstance(order, MarchOrder | Enter) or not order.path:
            return self.host_fault(order) is None
        unit = self._field.units[key_of(self._side, order.unit)]
        goal = order.path[-1]
        return goal == unit.at or self._field.has_room(goal, self._side)

    def _plan_route(
        self, order: MarchOrder | Enter, *, now: bool, near: bool, before: Sequence[Order]
    ) -> CheckResult:
        """Return a movement with its whole route, cut before its first impossible step."""
        route = RoutePlanner(self._position, self._side, order, before).plan(near=near)
        if not isinstance(route.order, MarchOrder | Enter):
            return route
        if now and (fault := self._start_fault(route.order, key_of(self._side, order.unit))):
            return CheckResult(None, fault)
        if route.cut:
            return route
        checked = self._cut(route.order, now=now)
        return checked._replace(found=route.found or self._note_no_movement(route.order, now=now))

    def _note_no_movement(self, order: MarchOrder | Enter, *, now: bool) -> Phrase | None:
        """Return a note that a unit is already where it is sent, or None."""
        unit = self._field.units[key_of(self._side, order.unit)]
        if not now or {*order.path} != {unit.at} or order.face not in (None, unit.facing):
            return None
        return phrase("yw03-entered", unit=order.unit, at=unit.at)

    def _counter(self, order_id: str) -> Counter | None:
        return counters().get(key_of(self._side, order_id))

    def _type_fault(self, order: Order) -> Phrase | None:
        """Return why units of these types can never carry out an order, or None."""
        unit = self._counter(getattr(order, "unit", ""))
        match order:
            case Attack(at, units, advance):
                kinds = [self._counter(each) for each in units]
                if not any(each and each.kind.attacks for each in kinds):
                    return phrase("ye28")
                if idle := [each for each in advance if each not in units]:
                    return phrase("ye48", unit=idle[0], at=at[0])
            case Fire() if unit and not unit.shots:
                return phrase("ye43", unit=unit.order_id)
            case RedoubtOrder() if unit and unit.kind is not CounterKind.PIO:
                return phrase("ye44", unit=unit.order_id)
            case BoardingOrder() if unit and not unit.kind.is_combat:
                return phrase("ye34", unit=unit.order_id)
            case JoinOrder() | WhenHit() if unit and unit.kind is not CounterKind.CMD:
                return phrase("ye38", unit=unit.order_id)
            case WhenHit(name, to):
                hosts = [each for each in map(self._counter, to) if each]
                odd = [each.order_id for each in hosts if not each.kind.is_combat]
                return phrase("ye47-combat", unit=name, other=odd[0]) if odd else None
            case MarchOrder(leaves=leaves) if leaves and leaves not in ("W", "E", "S"):
                assert unit
                return phrase("ye26-edge", unit=unit.order_id, edge=leaves)
        return None

    def _already_so(self, order: Order) -> Phrase | None:
        """Return a note that an order would change nothing, or None."""
        unit = self._field.units.get(key_of(self._side, getattr(order, "unit", "")))
        match order:
            case RedoubtOrder() if unit and unit.on_map and self._field.is_redoubt(unit.at):
                return phrase("yw03-redoubt", at=unit.at)
            case Enter(name, path, face) if unit and unit.at == path[-1]:
                if face in (None, unit.facing):
                    return phrase("yw03-entered", unit=name, at=unit.at)
        return None

    def _gone_fault(self, order: Order) -> Phrase | None:
        """Return a fault if a unit of an order is no longer in play, else None."""
        for name in _units(order):
            unit = self._field.units[key_of(self._side, name)]
            if not unit.in_play:
                return phrase("ye31-left" if unit.at == LEFT else "ye31", unit=name)
        return None

    def host_fault(self, order: Order | None) -> Phrase | None:
        """Return a fault if a commander would leave a unit for the same one, else None."""
        if not isinstance(order, WhenHit):
            return None
        host = self._field.units[key_of(self._side, order.unit)].attached
        own = next((other for other in order.to if key_of(self._side, other) == host), "")
        return phrase("ye47", unit=order.unit, other=own) if own else None

    def _fault(self, order: Order) -> Phrase | None:
        """Return why an order for the turn under way is impossible at present, or None."""
        field = self._field
        key = key_of(self._side, getattr(order, "unit", ""))
        unit = field.units.get(key)
        match order:
            case PlacementOrder():
                return None if field.units[key].on_map else placing_fault(field, order)
            case RedoubtOrder():
                return build_fault(field, key)
            case Fire(_, at, _):
                fault = shot_fault(field, key, at)
                missing = not fault and not target_in(field, at, "", self._side)
                return phrase("ye14", at=at) if missing else fault
            case FrigateOrder(name, does):
                for at in _hexes(order):
                    if not target_in(field, at, "", self._side):
                        return phrase("ye14-ship", at=at)
                if unit and unit.grounded and {"F", "L", "R"} & {*does}:
                    return phrase("ye41", unit=name)
            case Attack(at, _, _):
                empty = [n for n in at if not field.enemies_in(n, self._side)]
                return phrase("ye14-attack", at=empty[0]) if empty else None
            case LandingOrder() if unit and not unit.ship and unit.at == OFF:
                return phrase("ye42", unit=order.unit)
        return None

    def _cut(self, order: MarchOrder | Enter, *, now: bool) -> CheckResult:
        """Cut a path before its first impossible step. Refuse it if no step is left."""
        field, key = self._field, key_of(self._side, order.unit)
        unit, counter = field.units[key], counters()[key]
        path = list(order.path)
        here = unit.at if isinstance(order, MarchOrder) and now and unit.on_map else ""
        if not here and isinstance(order, MarchOrder):
            here = path.pop(0)
        elif path[0] == here:
            path.pop(0)
        gone: list[str] = []
        spent, fault = 0, None
        for number, to in enumerate(path):
            fault = terrain_fault(field, counter, here, to)
            if not fault and here and (number or isinstance(order, Enter)):
                fault = wall_fault(field, here, to, is_first=False)
            cost = 0 if fault else step_cost(field, here, to)
            if not fault and spent + cost > counter.move:
                need = spent + cost
                fault = phrase("ye05", unit=order.unit, need=need, points=counter.move)
            if fault:
                break
            gone, spent, here = [*gone, to], spent + cost, to
        if fault and not gone:
            return CheckResult(None, fault)
        if fault:
            order = replace(order, path=tuple(gone))
        return CheckResult(order, cut=fault)

    def _start_fault(self, order: MarchOrder | Enter, key: str) -> Phrase | None:
        unit, counter, field = self._field.units[key], counters()[key], self._field
        if isinstance(order, Enter):
            if unit.at != OFF:
                return phrase("ye32", unit=order.unit, at=unit.at)
            first = order.path[0]
            if first not in (open_to := entry_hexes(field, counter)):
                free = [name for name in open_to if field.is_free(name)] or open_to
                where = tuple(sorted(free, key=lambda name: distance(name, first))[:2])
                return phrase("ye36", unit=order.unit, at=first, entries=where)
            return None
        if not unit.on_map:
            return phrase("ye34", unit=order.unit)
        return phrase("ye12", unit=order.unit) if unit.shots else None


def _units(order: Order) -> tuple[str, ...]:
    """Return the own units that an order names."""
    return _names(order, _UNIT_FIELDS.get(type(order), ("unit",)))


def _hexes(order: Order) -> tuple[str, ...]:
    """Return the hexes that an order names."""
    if isinstance(order, FrigateOrder):
        return tuple(step[5:] for step in order.does if step.startswith("fire "))
    return _names(order, _HEX_FIELDS.get(type(order), ()))


def _names(order: Order, fields: Sequence[str]) -> tuple[str, ...]:
    """Return the names in some fields of an order. A field has one name or several."""
    found: list[str] = []
    for field in fields:
        value = getattr(order, field)
        found += [value] if isinstance(value, str) else value
    return tuple(filter(None, found))


def _rename_units(order: Order, names: Mapping[str, str]) -> Order:
    """Return an order with other names of its own units: *names* maps old to new."""
    changed: dict[str, Any] = {}
    for field in _UNIT_FIELDS.get(type(order), ("unit",)):
        value = getattr(order, field)
        if isinstance(value, str):
            changed[field] = names.get(value, value)
        else:
            changed[field] = tuple(names.get(unit, unit) for unit in value)
    return replace(order, **changed)
