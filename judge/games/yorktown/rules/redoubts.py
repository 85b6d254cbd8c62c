"""Redoubts built by pioneers, and the end of a turn (Y-34 to Y-37)."""

from collections.abc import Sequence

from judge.games.yorktown.rules.board import CounterKind, HexTerrain, counters, hexes, key_of
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.orders import RedoubtOrder
from judge.games.yorktown.rules.state import SiegePosition
from judge.model.phrase import Phrase, phrase

MAX = 10
"""Maximum number of built redoubts in play (Y-36)."""
DIGGING = 2
"""Turns that a pioneer stays in place before it builds (Y-35)."""
GROUND = (HexTerrain.CLEAR, HexTerrain.WOODS, HexTerrain.MARSH, HexTerrain.SHORE)
SECTION = "works"


def build_fault(field: StepState, key: str) -> Phrase | None:
    """Return why a unit cannot build a redoubt in its hex, or None (Y-35, Y-36)."""
    counter, unit = counters()[key], field.units[key]
    if counter.kind is not CounterKind.PIO:
        return phrase("ye44", unit=counter.order_id)
    if not unit.on_map:
        return phrase("ye34", unit=counter.order_id)
    if unit.still < DIGGING:
        return phrase("ye16", unit=counter.order_id, turns=unit.still)
    if field.is_redoubt(unit.at):
        return phrase("ye17-redoubt", at=unit.at)
    if hexes()[unit.at].terrain not in GROUND:
        return phrase("ye17-town", at=unit.at)
    if len(field.redoubts) >= MAX:
        return phrase("ye17-most", at=unit.at, most=MAX)
    return None


def build(field: StepState, orders: Sequence[RedoubtOrder]) -> None:
    """Build the ordered redoubts (phase 1)."""
    for order in orders:
        key = key_of(field.side, order.unit)
        why = build_fault(field, key)
        if why:
            field.record_event(SECTION, "not-built", unit=order.unit)
            field.record_reason(why)
            continue
        at = field.units[key].at
        field.redoubts[at] = field.moment.turn
        field.update_unit(key, still=0)
        field.record_event(SECTION, "built", unit=order.unit, at=at)


def may_build(position: SiegePosition, side: str) -> list[str]:
    """Return the pioneers of a side that can build a redoubt now."""
    field = StepState(position)
    return [
        counter.key
        for counter, _ in field.on_map(side)
        if build_fault(field, counter.key) is None
    ]


def end_turn(field: StepState) -> None:
    """Count the turns of pioneers that did not move, and remove markers (phase 7)."""
    moved = _find_moved_units(field)
    for counter, unit in list(field.on_map(field.side)):
        stood = unit.at == field.began[counter.key].at and counter.key not in moved
        if counter.kind is CounterKind.PIO and stood and not unit.marked:
            field.update_unit(counter.key, still=unit.still + 1)
        if unit.tied:
            field.update_unit(counter.key, tied=False)
    for key, unit in field.units.items():
        if counters()[key].side == field.side and unit.marked:
            field.update_unit(key, marked=0)
            field.record_event("markers", "restored", unit=counters()[key].order_id)
        if unit.shots or (unit.spent and not unit.grounded):
            field.update_unit(key, shots=0, spent=0)


def _find_moved_units(field: StepState) -> set[str]:
    """Return the units that moved in this step, even if they came back."""
    return {key for key, _ in field.told.ways}
