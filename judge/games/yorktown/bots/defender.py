"""AP's bot.

It holds the towns, makes sorties at good odds, and leaves the map where the way is open.
"""

from collections.abc import Iterator, Sequence
from dataclasses import replace

from judge.games.yorktown.bots.roads import EDGES, edge_costs, open_edge
from judge.games.yorktown.default_orders.assault import attacks
from judge.games.yorktown.default_orders.garrison import moves as stay
from judge.games.yorktown.default_orders.marching import FAR, brought
from judge.games.yorktown.rules.board import (
    AP,
    GLOUCESTER,
    Counter,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import on_edge
from judge.games.yorktown.rules.orders import MarchOrder, Order
from judge.games.yorktown.rules.state import SiegePosition

SORTIE = 10
"""Minimum differential of a sortie."""
OPEN_FIELD = 5
"""Minimum differential of an attack by a column that is leaving."""


def moves(position: SiegePosition) -> Sequence[Order]:
    """Return the orders of a MOVE step."""
    field = StepState(position)
    edge = open_edge(field)
    if not edge:
        return stay(position)
    fights = [replace(one, advance=()) for one in attacks(field, AP, OPEN_FIELD)]
    busy = {unit for attack in fights for unit in attack.units}
    return [*_marching(field, edge, busy), *fights]


def _marching(field: StepState, edge: str, busy: set[str]) -> Iterator[Order]:
    """Yield the orders of a column that moves to an edge, the foremost units first."""
    costs = edge_costs(edge)
    for counter in sorted(_column(field), key=lambda c: (costs.get(_at(field, c), FAR), c.key)):
        at = _at(field, counter)
        ways_out = [side for side in EDGES if on_edge(at, side)]
        if ways_out and counter.order_id not in busy:
            yield MarchOrder(counter.order_id, leaves=ways_out[0])
            field.remove(counter.key)
        elif counter.order_id not in busy:
            order = brought(field, counter, lambda name: costs.get(name, FAR), 0)
            if order:
                yield order


def _column(field: StepState) -> list[Counter]:
    """Return the units that may leave the map.

    They exclude the units in Gloucester Point and guns that have fired.
    """
    north = {*town_hexes(GLOUCESTER)}
    return [
        counter for counter, unit in field.on_map(AP)
        if counter.kind.is_combat and unit.at not in north and not unit.shots
    ]


def _at(field: StepState, counter: Counter) -> str:
    return field.units[counter.key].at
