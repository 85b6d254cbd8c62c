"""What is wrong with an order as far as the present position shows (Y-92, Y-93).

Facts known at once refuse a line; a path is cut where it first cannot be gone. What others may
change until the order is carried out is left to then.
"""

from collections.abc import Sequence
from dataclasses import replace
from typing import NamedTuple

from judge.games.yorktown.language.repair import units_like
from judge.games.yorktown.language.routes import RoutePlanner
from judge.games.yorktown.rules.board import (
    Counter,
    Kind,
    counters,
    counters_of,
    enemy_of,
    key_of,
)
from judge.games.yorktown.rules.field import Field
from judge.games.yorktown.rules.fire import shot_fault, target_in
from judge.games.yorktown.rules.hexes import is_hex
from judge.games.yorktown.rules.orders import (
    Attack,
    Board,
    Build,
    Enter,
    Fire,
    Hold,
    Join,
    Land,
    Losses,
    March,
    Order,
    Place,
    Retreat,
    RetreatAll,
    Sail,
    Stay,
    WhenHit,
)
from judge.games.yorktown.rules.setup import placing_fault
from judge.games.yorktown.rules.state import LEFT, OFF, Position
from judge.games.yorktown.rules.walking import (
    entry_hexes,
    step_cost,
    terrain_fault,
    wall_fault,
)
from judge.games.yorktown.rules.works import build_fault
from judge.model.phrase import Phrase, phrase


class Checked(NamedTuple):
    """An order as it is filed, with why it was cut; or why it is refused or not needed."""

    order: Order | None
    refused: Phrase | None = None
    cut: Phrase | None = None
    choices: tuple[str, ...] = ()
    """Units that may have been meant instead of one that does not exist."""
    found: Phrase | None = None
    """A note that the judge found the way."""
    unneeded: Phrase | None = None
    """What the order asks for is so already: it is not filed, and no fault."""


class Checker:
    """Checks the orders of one side on the present position."""

    def __init__(self, position: Position, side: str) -> None:
        self._side = side
        self._field = Field(position)
        self._routes = RoutePlanner(position, side)
        self._names = {c.name: c.order_id for c in counters_of(side) if c.kind is Kind.CMD}
        self._others = {c.name for c in counters_of(enemy_of(side)) if c.kind is Kind.CMD}

    def as_placed(self, order: Order) -> Order:
        """Return an order of the set-up: a unit sent to one hex is placed there."""
        if isinstance(order, March) and len(order.path) == 1 and not order.leaves:
            if self._counter(order.unit):
                return Place(order.unit, order.path[0], face=order.face)
        return order

    def check(self, order: Order, *, now: bool, near: bool = False) -> Checked:
        """Return an order with its names as order ids, or why it is refused.

        `now`: it is for the turn under way, so that what stands where is known. `near`: it is one
        of several that send units to the same hex, and each takes the nearest it can reach.
        """
        checked = self._check(order, now=now, near=near)
        if checked.order:
            self._routes.note(checked.order)
        return checked

    def _check(self, order: Order, *, now: bool, near: bool) -> Checked:
        order = self._called_by_id(order)
        wrong = next((unit for unit in _units(order) if self._counter(unit) is None), None)
        if wrong is not None:
            likely = () if wrong in self._others else tuple(units_like(wrong, self._side))
            if likely:
                return Checked(None, phrase("ye02", unit=wrong, likely=likely), choices=likely)
            return Checked(None, phrase("ye02-theirs", unit=wrong))
        odd = next((name for name in _hexes(order) if not is_hex(name)), None)
        if odd is not None:
            return Checked(None, phrase("ye03", word=odd))
        refused = self._type_fault(order)
        if not refused and now:
            if unneeded := self._already_so(order):
                return Checked(None, unneeded=unneeded)
            refused = self._fault(order)
        if refused:
            return Checked(None, refused)
        if isinstance(order, March) and (host := self._host_for(order)):
            return Checked(Join(order.unit, host))
        if isinstance(order, March | Enter) and order.path:
            return self._with_way(order, now=now, near=near)
        if isinstance(order, Stay) and (unit := self._counter(order.unit)):
            return Checked(order if unit.kind is Kind.CMD else Hold(order.unit))
        return Checked(order)

    def _host_for(self, order: March) -> str:
        """Return the unit that a commander sent to a hex goes to, or nothing."""
        unit = self._counter(order.unit)
        if not unit or unit.kind is not Kind.CMD or len(order.path) != 1:
            return ""
        there = self._field.units_in(order.path[0])
        return next((counters()[k].order_id for k in there if counters()[k].side == unit.side), "")

    def _empty_shot(self, does: Sequence[str]) -> str:
        """Return the first hex without an enemy that a frigate would fire at, or nothing."""
        shots = [step[5:] for step in does if step.startswith("fire ")]
        field, side = self._field, self._side
        return next((at for at in shots if is_hex(at) and not target_in(field, at, "", side)), "")

    def _with_way(self, order: March | Enter, *, now: bool, near: bool) -> Checked:
        """Return a movement with its whole way, as far as it can be gone."""
        route = self._routes.plan(order, near=near)
        refused = self._start_fault(route.order, key_of(self._side, order.unit)) if now else None
        if refused := route.refused or refused:
            return Checked(None, refused)
        if route.cut:
            return Checked(route.order, cut=route.cut)
        return self._cut(route.order, now=now)._replace(found=route.found)

    def _counter(self, order_id: str) -> Counter | None:
        return counters().get(key_of(self._side, order_id))

    def _called_by_id(self, order: Order) -> Order:
        """Return an order with commanders' names as their ids (Y-87)."""

        def known(unit: str) -> str:
            return self._names.get(unit, unit)

        match order:
            case Attack(_, units, advance):
                return replace(
                    order,
                    units=tuple(map(known, units)),
                    advance=tuple(map(known, advance)),
                )
            case Losses(units):
                return Losses(tuple(map(known, units)))
            case WhenHit(unit, to):
                return WhenHit(known(unit), tuple(map(known, to)))
            case Join(unit, other):
                return Join(known(unit), known(other))
            case RetreatAll():
                return order
        return replace(order, unit=known(order.unit))

    def _type_fault(self, order: Order) -> Phrase | None:
        """Return why a unit of this type can never be ordered so."""
        unit = self._counter(getattr(order, "unit", ""))
        match order:
            case Attack(_, units, _):
                kinds = [self._counter(each) for each in units]
                if not any(each and each.kind.attacks for each in kinds):
                    return phrase("ye28")
            case Fire() if unit and not unit.shots:
                return phrase("ye43", unit=unit.order_id)
            case Build() if unit and unit.kind is not Kind.PIO:
                return phrase("ye44", unit=unit.order_id)
            case Board() if unit and not unit.kind.is_combat:
                return phrase("ye34", unit=unit.order_id)
            case Join() | WhenHit() if unit and unit.kind is not Kind.CMD:
                return phrase("ye38", unit=unit.order_id)
            case March(leaves=leaves) if leaves and leaves not in ("W", "E", "S"):
                assert unit
                return phrase("ye26-edge", unit=unit.order_id, edge=leaves)
        return None

    def _already_so(self, order: Order) -> Phrase | None:
        """Return that what an order asks for is so already, or None."""
        unit = self._field.units.get(key_of(self._side, getattr(order, "unit", "")))
        match order:
            case Build() if unit and unit.on_map and self._field.is_redoubt(unit.at):
                return phrase("yw03-redoubt", at=unit.at)
            case Enter(name, path, face) if unit and unit.at == path[-1]:
                if face in (None, unit.facing):
                    return phrase("yw03-entered", unit=name, at=unit.at)
        return None

    def _fault(self, order: Order) -> Phrase | None:
        """Return why an order for the turn under way cannot be carried out, as things stand."""
        field = self._field
        key = key_of(self._side, getattr(order, "unit", ""))
        unit = field.units.get(key)
        if unit and not unit.in_play:
            code = "ye31-left" if unit.at == LEFT else "ye31"
            return phrase(code, unit=counters()[key].order_id)
        match order:
            case Place():
                return None if field.units[key].on_map else placing_fault(field, order)
            case Build():
                return build_fault(field, key)
            case Fire(_, at, _):
                fault = shot_fault(field, key, at)
                missing = not fault and not target_in(field, at, "", self._side)
                return phrase("ye14", at=at) if missing else fault
            case Sail(_, does) if lost := self._empty_shot(does):
                return phrase("ye14-ship", at=lost)
            case Sail() if unit and unit.grounded and {"F", "L", "R"} & {*order.does}:
                return phrase("ye41", unit=order.unit)
            case Attack(at, _, _):
                empty = [n for n in at if not field.enemies_in(n, self._side)]
                return phrase("ye14", at=empty[0]) if empty else None
            case Land() if unit and not unit.ship and unit.at == OFF:
                return phrase("ye42", unit=order.unit)
        return None

    def _cut(self, order: March | Enter, *, now: bool) -> Checked:
        """Return a path as far as it can be gone, and why no further; nothing of it is refused
        where no step is left."""
        field, key = self._field, key_of(self._side, order.unit)
        unit, counter = field.units[key], counters()[key]
        path = list(order.path)
        here = unit.at if isinstance(order, March) and now and unit.on_map else ""
        if not here and isinstance(order, March):
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
            return Checked(None, fault)
        if fault:
            order = replace(order, path=tuple(gone))
        return Checked(order, cut=fault)

    def _start_fault(self, order: March | Enter, key: str) -> Phrase | None:
        unit, counter, field = self._field.units[key], counters()[key], self._field
        if isinstance(order, Enter):
            if unit.at != OFF:
                return phrase("ye32", unit=order.unit, at=unit.at)
            if order.path[0] not in (open_to := entry_hexes(field, counter)):
                where = open_to if len(open_to) < 3 else (open_to[0], open_to[-1])
                return phrase("ye36", unit=order.unit, at=order.path[0], entries=where)
            return None
        if not unit.on_map:
            return phrase("ye34", unit=order.unit)
        return phrase("ye12", unit=order.unit) if unit.shots else None


def _units(order: Order) -> tuple[str, ...]:
    """Return the own units an order names."""
    match order:
        case Attack(_, units, advance):
            return (*units, *advance)
        case Losses(units):
            return units
        case WhenHit(unit, to):
            return (unit, *to)
        case Join(unit, other):
            return unit, other
        case Board(unit, ship):
            return unit, ship
    return (order.unit,) if hasattr(order, "unit") else ()


def _hexes(order: Order) -> tuple[str, ...]:
    """Return the hexes an order names."""
    match order:
        case March(_, path, _, _) | Enter(_, path, _):
            return path
        case Attack(at, _, _):
            return at
        case Place(_, at, bow, _):
            return (at, bow) if bow else (at,)
        case Fire(_, at, _) | Land(_, at, _):
            return (at,)
        case Retreat(_, to):
            return to
        case Sail(_, does):
            return tuple(step[5:] for step in does if step.startswith("fire "))
    return ()
