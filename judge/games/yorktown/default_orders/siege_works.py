"""Positions of FA's guns and sites of redoubts, for the default orders.

Guns are placed in range of the enemy's batteries, in redoubts if there are any.
"""

from collections.abc import Iterator, Sequence
from functools import partial

from judge.games.yorktown.default_orders.marching import FAR, brought, costs_to
from judge.games.yorktown.rules.board import (
    AP,
    FA,
    YORKTOWN,
    Counter,
    CounterKind,
    HexTerrain,
    hexes,
    north_bank,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import ALL, distance, neighbours
from judge.games.yorktown.rules.orders import Enter, MarchOrder
from judge.games.yorktown.rules.state import OFF

RANGE, GIVE = 6, 1.5
"""Best mean distance of guns from the enemy's batteries, and tolerance, in hexes."""
DAWDLES = 0.5
"""Maximum penalty of a hex in which a gun stays to fire."""
NORTH = 0


def dig_and_bring_guns(field: StepState, units: Sequence[Counter]) -> Iterator[MarchOrder | Enter]:
    """Yield orders that move guns into range and pioneers to sites."""
    for counter in units:
        unit = field.units[counter.key]
        if counter.kind is CounterKind.ART:
            order = _gun_order(field, counter)
        elif unit.on_map and (unit.still > 0 or _is_site(field, unit.at, _batteries(field))):
            order = None
        else:
            order = _digging_order(field, counter)
        if order:
            yield order


def is_in_place(field: StepState, at: str) -> bool:
    """Return whether a gun may stay in a hex and fire."""
    return _gun_place(field, at, _batteries(field)) <= DAWDLES


def _batteries(field: StepState) -> list[str]:
    """Return the hexes of the enemy's guns, or those of the town if there are none."""
    guns = [unit.at for counter, unit in field.on_map(AP) if counter.kind is CounterKind.ART]
    return guns or [*town_hexes(YORKTOWN)]


def _gun_place(field: StepState, name: str, foes: Sequence[str]) -> float:
    """Return the penalty of a hex for a gun, 0 if it is in range of *foes*."""
    if any(field.enemies_in(near, FA) for near in neighbours(name)):
        return FAR
    mean = sum(distance(name, at) for at in foes) / len(foes)
    off = abs(mean - RANGE)
    return off if off > GIVE else 0


def _gun_order(field: StepState, counter: Counter) -> MarchOrder | Enter | None:
    """Move a gun into range, into redoubts if there are any.

    A gun in range that is already in a redoubt stays there.
    """
    at = field.units[counter.key].at
    if at != OFF and field.is_redoubt(at) and is_in_place(field, at):
        return None
    worse = partial(_worse, field, _works(field), _batteries(field))
    return brought(field, counter, worse, NORTH)


def _worse(field: StepState, works: set[str], foes: Sequence[str], name: str) -> float:
    off = _gun_place(field, name, foes)
    return off - (1 if off <= DAWDLES and name in works else 0)


def _digging_order(field: StepState, counter: Counter) -> MarchOrder | Enter | None:
    """Move a pioneer to the nearest free site."""
    foes = _batteries(field)
    to = costs_to(frozenset(n for n in ALL if _is_site(field, n, foes) and field.is_free(n)))
    return brought(field, counter, lambda name: to.get(name, FAR), NORTH)


def _works(field: StepState) -> set[str]:
    """Return the redoubts out of the enemy's immediate reach.

    A full one may be among them, because no unit is moved into it.
    """
    return {
        name
        for name in ALL
        if field.is_redoubt(name)
        and name not in north_bank()
        and not any(field.enemies_in(near, FA) for near in (name, *neighbours(name)))
    }


def _is_site(field: StepState, name: str, foes: Sequence[str]) -> bool:
    """Return whether a hex is a good site for a redoubt."""
    if hexes()[name].terrain not in (HexTerrain.CLEAR, HexTerrain.WOODS) or name in north_bank():
        return False
    if hexes()[name].feature or _gun_place(field, name, foes) > 0:
        return False
    return not any(field.is_redoubt(near) for near in (name, *neighbours(name)))
