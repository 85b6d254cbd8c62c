"""Frigates: movement, fire, grounding and transport (Y-49 to Y-57)."""

from collections.abc import Sequence

from judge.games.yorktown.rules.board import HexTerrain, counters, hexes, key_of
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import Gunnery
from judge.games.yorktown.rules.hexes import NEIGHBOURS, is_hex, side_to
from judge.games.yorktown.rules.orders import BoardingOrder, FrigateOrder, LandingOrder
from judge.model.phrase import Phrase, phrase

POINTS = 15
TURN_COST = 2
CARRIES = 2
SECTION = "ships"
TRANSPORT = "transport"
EDGES = ("01", "30")
"""Columns in which no unit may land (Y-33, Y-55)."""


def sail(field: StepState, order: FrigateOrder, guns: Gunnery | None) -> None:
    """Carry out a frigate's line as far as possible (Y-50).

    Without *guns* the frigate does not fire.
    """
    key = key_of(field.side, order.unit)
    ship = field.units[key]
    if not ship.on_map:
        field.record_event(SECTION, "not-moved", unit=order.unit)
        field.record_reason(phrase("ye31", unit=order.unit))
        return
    way, why = [f"{ship.at}/{ship.bow}"], None
    missed: list[Phrase] = []
    spent = ship.spent
    for number, step in enumerate(order.does):
        if step == "beach":
            continue
        if step.startswith("fire "):
            fault = guns.ship_fires(key, step[5:]) if guns else phrase("ye27", step="FIRE")
            missed += [fault] if fault else []
            continue
        beach = order.does[number + 1 : number + 2] == ("beach",)
        why = _one_step(field, key, step, beach=beach)
        if why:
            break
        ship = field.units[key]
        way.append(f"{ship.at}/{ship.bow}")
    ship = field.units[key]
    if len(way) > 1:
        field.told.ways.append((key, tuple(berth[:4] for berth in way)))
        used = ship.spent - spent
        field.record_event(SECTION, "sailed", unit=order.unit, path=" ".join(way), spent=used)
    elif why or missed:
        field.record_event(SECTION, "not-moved", unit=order.unit)
    if ship.grounded and not field.began[key].grounded:
        field.record_event(SECTION, "aground", unit=order.unit, at=ship.bow)
    for fault in (*missed, *([why] if why else [])):
        field.record_reason(fault)


def berth_after(stern: str, bow: str, step: str) -> tuple[str, str]:
    """Return stern and bow after a step (Y-49). An empty name is off the map.

    >>> berth_after("1508", "1608", "F"), berth_after("1608", "1709", "L")
    (('1608', '1709'), ('1608', '1708'))
    """
    way = side_to(stern, bow)
    assert way is not None
    if step == "F":
        return bow, NEIGHBOURS[bow][way]
    return stern, NEIGHBOURS[stern][(way + (1 if step == "R" else -1)) % 6]


def _one_step(field: StepState, key: str, step: str, *, beach: bool) -> Phrase | None:
    """Sail one step, or return why it is not made (Y-49, Y-52)."""
    ship, order_id = field.units[key], counters()[key].order_id
    cost = 1 if step == "F" else TURN_COST
    if ship.grounded:
        return phrase("ye41", unit=order_id)
    if ship.spent + cost > POINTS:
        return phrase("ye05", unit=order_id, need=ship.spent + cost, points=POINTS)
    stern, bow = berth_after(ship.at, ship.bow, step)
    if not bow:
        return phrase("ye21-edge", unit=order_id)
    others = field.all_in(bow)
    if others:
        return phrase("ye06", at=bow, unit=counters()[others[0]].order_id)
    if hexes()[bow].terrain is not HexTerrain.RIVER:
        if not beach:
            return phrase("ye18", unit=order_id, at=bow)
        field.update_unit(key, at=stern, bow=bow, spent=POINTS, grounded=True)
        return None
    field.update_unit(key, at=stern, bow=bow, spent=ship.spent + cost)
    return None


def board_ship(field: StepState, order: BoardingOrder) -> str:
    """Board a frigate. Return the unit's key, or an empty string on failure (Y-54)."""
    key, ship = key_of(field.side, order.unit), key_of(field.side, order.ship)
    why = boarding_fault(field, key, ship)
    if why:
        field.record_event(TRANSPORT, "not-moved", unit=order.unit)
        field.record_reason(why)
        return ""
    field.record_event(
        TRANSPORT, "boarded", unit=order.unit, ship=order.ship, at=field.units[key].at
    )
    field.place(key, ship)
    field.update_unit(ship, spent=field.units[ship].spent + 1)
    return key


def boarding_fault(field: StepState, key: str, ship: str) -> Phrase | None:
    """Return why a unit cannot board a frigate, or None (Y-31, Y-53, Y-54)."""
    unit, vessel = field.units[key], field.units[ship]
    unit_id, ship_id = counters()[key].order_id, counters()[ship].order_id
    if not vessel.on_map:
        return phrase("ye31", unit=ship_id)
    if unit.shots:
        return phrase("ye12", unit=unit_id)
    near = [h for h in (vessel.at, vessel.bow) if unit.on_map and h in NEIGHBOURS[unit.at]]
    is_in_town = unit.on_map and hexes()[unit.at].terrain is HexTerrain.TOWN
    if is_in_town and not near:
        return phrase("ye19-first", unit=unit_id, ship=ship_id, at=(vessel.at, vessel.bow))
    if not near or not is_in_town:
        return phrase("ye19", unit=unit_id, ship=ship_id)
    if len(field.aboard(ship)) >= CARRIES:
        return phrase("ye20", unit=ship_id)
    if vessel.grounded:
        return phrase("ye41", unit=ship_id)
    if vessel.spent + 1 > POINTS:
        return phrase("ye05", unit=ship_id, need=vessel.spent + 1, points=POINTS)
    return None


def land_unit(field: StepState, order: LandingOrder) -> str:
    """Land a unit from its frigate. Return its key, or an empty string (Y-55).

    The string is empty if the unit cannot land.
    """
    key = key_of(field.side, order.unit)
    why = landing_fault(field, key, order.at)
    if why:
        field.record_event(TRANSPORT, "not-moved", unit=order.unit)
        field.record_reason(why)
        return ""
    ship = field.units[key].at
    field.place(key, order.at)
    if order.face is not None:
        field.update_unit(key, facing=order.face)
    if not field.units[ship].grounded:
        field.update_unit(ship, spent=field.units[ship].spent + 1)
    ship_id = counters()[ship].order_id
    field.record_event(TRANSPORT, "landed", unit=order.unit, ship=ship_id, at=order.at)
    return key


def landing_fault(field: StepState, key: str, at: str) -> Phrase | None:
    """Return why a unit cannot land in a hex, or None (Y-55)."""
    unit, unit_id = field.units[key], counters()[key].order_id
    if not unit.ship:
        return phrase("ye42", unit=unit_id)
    if not is_hex(at):
        return phrase("ye03", word=at)
    vessel, ship_id = field.units[unit.ship], counters()[unit.ship].order_id
    found = hexes()[at]
    if found.terrain is HexTerrain.RIVER:
        return phrase("ye09", at=at)
    if at[:2] in EDGES:
        return phrase("ye21-edge", unit=at)
    if not field.has_room(at, field.side):
        others = field.all_in(at)
        return phrase("ye06", at=at, unit=counters()[others[0]].order_id)
    is_town = found.terrain is HexTerrain.TOWN
    if not any(_opens(h, at, is_town) for h in (vessel.at, vessel.bow)):
        return phrase("ye21-water", unit=at, ship=ship_id)
    if not vessel.grounded and vessel.spent + 1 > POINTS:
        return phrase("ye05", unit=ship_id, need=vessel.spent + 1, points=POINTS)
    return None


def _opens(berth: str, at: str, is_town: bool) -> bool:
    """Return whether a unit can land in a hex from one hex of a ship.

    The berth must be a whole water hex, or the landing hex a town.
    """
    if at not in NEIGHBOURS[berth]:
        return False
    return is_town or hexes()[berth].terrain is HexTerrain.RIVER


def berths() -> Sequence[tuple[str, str]]:
    """Return every pair of hexes a frigate may be set up in, stern and bow (Y-18)."""
    water = [name for name, each in hexes().items() if each.terrain is HexTerrain.RIVER]
    wet = set(water)
    return [(name, bow) for name in water for bow in NEIGHBOURS[name] if bow in wet]
