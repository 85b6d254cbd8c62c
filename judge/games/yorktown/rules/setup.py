"""Set-up of both sides (Y-18 to Y-22).

AP sets up in its towns and redoubts, then FA sets up three units at Gloucester Point.
"""

from collections.abc import Iterator, Sequence
from functools import cache

from judge.games.yorktown.rules.board import (
    AP,
    FA,
    GLOUCESTER,
    REDOUBT,
    YORKTOWN,
    Counter,
    CounterKind,
    HexTerrain,
    counters,
    counters_of,
    hexes,
    key_of,
    town_hexes,
)
from judge.games.yorktown.rules.field import IN_REDOUBT, StepState
from judge.games.yorktown.rules.hexes import ALL, NEIGHBOURS, SIDES, distance
from judge.games.yorktown.rules.orders import JoinOrder, Order, PlacementOrder
from judge.games.yorktown.rules.ships import berths
from judge.games.yorktown.rules.state import OFF, SOUTH
from judge.model.phrase import Phrase, phrase

IN_GLOUCESTER = 3
AT_WALLS = "adjacent:Gloucester-wall"
SECTION = "setup"
NORTH = 0


def set_up(field: StepState, orders: Sequence[Order]) -> None:
    """Place a side's units as ordered, and distribute the rest (Y-22)."""
    failed: list[tuple[str, Phrase]] = []
    for order in orders:
        if isinstance(order, PlacementOrder) and (why := _place(field, order)):
            failed.append((order.unit, why))
    _deal(field)
    for order_id, why in failed:
        _tell_failed(field, order_id, why)
    for order in orders:
        if isinstance(order, JoinOrder):
            _attach(field, order)
    staff = [each.key for each in counters_of(field.side) if each.kind is CounterKind.CMD]
    as_ordered = [key for key in staff if field.units[key].attached]
    _attach_rest(field)
    for counter in counters_of(field.side):
        unit = field.units[counter.key]
        if unit.on_map and counter.kind is not CounterKind.CMD:
            if unit.bow:
                at = f"{unit.at}/{unit.bow}"
                field.record_event(SECTION, "moored", unit=counter.order_id, at=at)
                continue
            face = SIDES[unit.facing]
            field.record_event(SECTION, "placed", unit=counter.order_id, at=unit.at, face=face)
    for key in staff:
        host = counters()[field.units[key].attached].order_id
        code = "staff-placed" if key in as_ordered else "judge-staff"
        field.record_event(SECTION, code, name=counters()[key].name, other=host)


def _tell_failed(field: StepState, order_id: str, why: Phrase) -> None:
    """Report an order that failed, and where the unit was placed instead."""
    unit = field.units.get(key_of(field.side, order_id))
    if unit and unit.on_map:
        at = f"{unit.at}/{unit.bow}" if unit.bow else unit.at
        field.record_event(SECTION, "placed-instead", unit=order_id, at=at)
    else:
        field.record_event(SECTION, "not-placed", unit=order_id)
    field.record_reason(why)


def to_place(side: str) -> tuple[Counter, ...]:
    """Return the counters that a side sets up, without commanders."""
    return tuple(
        counter
        for counter in counters_of(side)
        if counter.kind is not CounterKind.CMD and (side == AP or counter.setup == AT_WALLS)
    )


def placing_fault(field: StepState, order: PlacementOrder) -> Phrase | None:
    """Return why a unit may not be set up in a hex, or None (Y-18, Y-19)."""
    key = key_of(field.side, order.unit)
    counter = next((c for c in to_place(field.side) if c.key == key), None)
    if counter is None:
        return phrase("ye29-enters", unit=order.unit)
    if counter.kind is CounterKind.FRIG:
        return _mooring_fault(field, order)
    if field.side == FA:
        if order.at not in wall_hexes():
            return phrase("ye29-walls", at=order.at)
        return None if field.is_free(order.at) else phrase("ye29-free", at=order.at)
    feature = hexes()[order.at].feature
    if not feature:
        return phrase("ye29-where", at=order.at)
    if feature == GLOUCESTER and _inside(field) >= IN_GLOUCESTER:
        return phrase("ye29-three", n=IN_GLOUCESTER)
    if feature != GLOUCESTER and _outside(field) >= _most_outside():
        return phrase("ye29-three", n=IN_GLOUCESTER)
    return None if field.has_room(order.at, AP) else phrase("ye29-free", at=order.at)


def _mooring_fault(field: StepState, order: PlacementOrder) -> Phrase | None:
    if (order.at, order.bow) not in berths():
        return phrase("ye29-water", unit=order.unit)
    if not (field.is_free(order.at) and field.is_free(order.bow)):
        return phrase("ye29-free", at=order.at)
    return None


def _place(field: StepState, order: PlacementOrder) -> Phrase | None:
    key = key_of(field.side, order.unit)
    if key in field.units and field.units[key].at != OFF:
        field.update_unit(key, at=OFF, bow="")
    why = placing_fault(field, order)
    if not why:
        _put(field, key, order.at, order.bow, order.face)
    return why


def _put(field: StepState, key: str, at: str, bow: str = "", face: int | None = None) -> None:
    is_north = field.side == AP and hexes()[at].feature == GLOUCESTER
    default = NORTH if is_north else SOUTH
    field.update_unit(key, at=at, bow=bow, facing=default if face is None else face)


def _inside(field: StepState) -> int:
    return sum(len(field.units_in(name)) for name in town_hexes(GLOUCESTER))


def _outside(field: StepState) -> int:
    return sum(1 for counter, unit in field.on_map(AP) if counter.kind.is_combat) - _inside(field)


def _most_outside() -> int:
    return sum(counter.kind.is_combat for counter in counters_of(AP)) - IN_GLOUCESTER


def wall_hexes() -> tuple[str, ...]:
    """Return the land hexes outside, at a wall of Gloucester Point (Y-19)."""
    beside = {
        NEIGHBOURS[name][side] for name in town_hexes(GLOUCESTER) for side in hexes()[name].walls
    }
    return tuple(n for n in ALL if n in beside and hexes()[n].terrain is not HexTerrain.RIVER)


def _deal(field: StepState) -> None:
    """Place the units not set up: in id order, towns first (Y-22)."""
    waiting = [c for c in to_place(field.side) if field.units[c.key].at == OFF]
    if field.side == FA:
        free = (name for name in wall_hexes() if field.is_free(name))
        for counter, name in zip(waiting, list(free), strict=False):
            _put(field, counter.key, name)
        return
    ships = [counter for counter in waiting if counter.kind is CounterKind.FRIG]
    waiting = [counter for counter in waiting if counter.kind is not CounterKind.FRIG]
    for counter in _strongest(waiting)[: IN_GLOUCESTER - _inside(field)]:
        waiting.remove(counter)
        _put(field, counter.key, next(filter(field.is_free, town_hexes(GLOUCESTER))))
    for counter in waiting:
        _put(field, counter.key, next(_places(field)))
    for counter in ships:
        stern, bow = next(b for b in _quays() if field.is_free(b[0]) and field.is_free(b[1]))
        _put(field, counter.key, stern, bow)


def _strongest(waiting: Sequence[Counter]) -> list[Counter]:
    """Return counters in order of preference for Gloucester Point.

    Infantry comes first, the strongest before the others.
    """
    return sorted(waiting, key=lambda c: (c.kind is not CounterKind.INF, -c.combat))


def _places(field: StepState) -> Iterator[str]:
    redoubts = [name for name in ALL if hexes()[name].feature == REDOUBT]
    for name in (*town_hexes(YORKTOWN), *redoubts):
        there = field.units_in(name)
        if not there or (name in redoubts and len(there) < IN_REDOUBT):
            yield name


@cache
def _quays() -> tuple[tuple[str, str], ...]:
    """Return the berths by distance from Yorktown."""
    town = town_hexes(YORKTOWN)
    near = sorted(berths(), key=lambda berth: min(distance(berth[0], name) for name in town))
    return tuple(near)


def _attach(field: StepState, order: JoinOrder) -> None:
    """Attach a commander to its unit.

    A commander of FA can only join a unit that is still off the map.
    """
    staff, host = key_of(field.side, order.unit), key_of(field.side, order.other)
    if staff not in field.units or host not in field.units:
        return
    if _may_have(field, host) and field.commander_with(host) in ("", staff):
        field.update_unit(staff, attached=host, at=field.units[host].at)


def _may_have(field: StepState, host: str) -> bool:
    counter = next(c for c in counters_of(field.side) if c.key == host)
    return counter.kind.is_combat and (field.side == AP or field.units[host].at == OFF)


def _attach_rest(field: StepState) -> None:
    """Attach commanders without a unit to the strongest infantry of their nation."""
    for counter in counters_of(field.side):
        if counter.kind is CounterKind.CMD and not field.units[counter.key].attached:
            hosts = [
                c
                for c in counters_of(field.side)
                if c.nation == counter.nation
                and c.kind is CounterKind.INF
                and _may_have(field, c.key)
                and not field.commander_with(c.key)
            ]
            host = max(hosts, key=lambda c: (c.combat, -c.number)).key
            field.update_unit(counter.key, attached=host, at=field.units[host].at)
