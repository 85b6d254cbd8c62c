"""Example lines: orders that a unit of a side can be given now."""

from judge.games.yorktown.language.names import names_in
from judge.games.yorktown.language.wording import first_unit
from judge.games.yorktown.rules.board import (
    FA,
    Counter,
    Kind,
    counters,
    counters_of,
    enemy_of,
    key_of,
)
from judge.games.yorktown.rules.field import Field
from judge.games.yorktown.rules.fire import REACH, range_to
from judge.games.yorktown.rules.hexes import neighbours
from judge.games.yorktown.rules.orders import Place
from judge.games.yorktown.rules.setup import placing_fault, to_place
from judge.games.yorktown.rules.state import OFF, Position, Step
from judge.games.yorktown.rules.walking import entry_hexes, ways_within


def example_line(position: Position, side: str, text: str) -> str:
    """Return an order line for the unit that a line names, or for another."""
    field = Field(position)
    named = counters().get(key_of(side, first_unit(text, names_in(position, side))))
    others = (each for each in counters_of(side) if each.kind is Kind.INF)
    for counter in (*([named] if named else []), *others):
        if line := _example(field, counter, text):
            return line
    return "done"


def _example(field: Field, counter: Counter, text: str) -> str:
    """Return a line for one unit, or nothing if it can do nothing."""
    unit, name = field.units[counter.key], counter.order_id
    if field.moment.step is Step.SETUP and counter in to_place(counter.side):
        return _setup_example(field, counter)
    if not unit.in_play:
        return ""
    if "attack" in text and (at := _enemy_beside(field, counter)):
        return f"attack {at} with {name}"
    is_own_fire = field.moment.step is Step.FIRE and field.moment.side == counter.side
    if counter.kind is Kind.ART and (is_own_fire or "fire" in text):
        if at := _target(field, counter):
            return f"{name} fires at {at}"
    match counter.kind:
        case Kind.FRIG:
            return f"{name}: F2"
        case Kind.CMD:
            host = next((c for c, _ in field.on_map(counter.side) if c.kind is Kind.INF), None)
            return f"{name} with {host.order_id}" if host else ""
    if unit.at == OFF:
        entry = next(iter(_entries(field, counter)), "")
        return f"{name} enters {entry}" if entry else ""
    if not unit.on_map:
        return ""
    ways = ways_within(field, counter, (unit.at,), counter.move)
    path = next((path for _, path in ways if path), ())
    return f"{name} to {path[-1]}" if path else f"{name} face SE"


def _setup_example(field: Field, counter: Counter) -> str:
    if counter.kind is Kind.FRIG:
        return f"{counter.order_id} at 1508 1608"
    hexes = ("1512", "1612", "1711", "1404", "1405", "1505")
    free = (at for at in hexes if not placing_fault(field, Place(counter.order_id, at)))
    at = next(free, "")
    return f"{counter.order_id} at {at} face S" if at else ""


def _entries(field: Field, counter: Counter) -> list[str]:
    """Return the hexes by which a unit comes in, the middle ones first."""
    found = entry_hexes(field, counter) if counter.side == FA else ()
    return sorted(found, key=lambda name: abs(int(name[:2]) - 19) if counter.nation == "US" else 0)


def _enemy_beside(field: Field, counter: Counter) -> str:
    unit = field.units[counter.key]
    if not unit.on_map or not counter.kind.attacks:
        return ""
    return next((at for at in neighbours(unit.at) if field.enemies_in(at, counter.side)), "")


def _target(field: Field, counter: Counter) -> str:
    """Return the nearest hex with an enemy within the reach of a gun."""
    gun = field.units[counter.key]
    if not gun.on_map:
        return ""
    hexes = {unit.at for enemy, unit in field.on_map(enemy_of(counter.side))}
    near = sorted(hexes, key=lambda at: (range_to(gun, at), at))[:1]
    return next((at for at in near if range_to(gun, at) <= REACH), "")
