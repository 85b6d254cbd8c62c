"""Default orders of AP: hold the works, fill gaps in the town, make sorties."""

from collections.abc import Sequence
from dataclasses import replace

from judge.games.yorktown.default_orders.assault import attacks
from judge.games.yorktown.rules.board import (
    AP,
    GLOUCESTER,
    YORKTOWN,
    hexes,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.orders import MarchOrder, Order
from judge.games.yorktown.rules.state import SiegePosition
from judge.games.yorktown.rules.walking import find_path

TOWNS = (YORKTOWN, GLOUCESTER)
SORTIE = 10
"""Minimum differential of a sortie."""


def moves(position: SiegePosition) -> Sequence[Order]:
    """Return the orders of a MOVE step."""
    field = StepState(position)
    sorties = [
        attack if field.is_fort(attack.at[0]) else replace(attack, advance=())
        for attack in attacks(field, AP, SORTIE)
    ]
    busy = {unit for attack in sorties for unit in attack.units}
    return [*_homeward(field, busy), *sorties]


def _homeward(field: StepState, busy: set[str]) -> list[Order]:
    """Return orders for units outside the towns to fill gaps in Yorktown.

    The strongest units come first. The field is changed as the orders will change it.
    """
    gaps = {name for name in town_hexes(YORKTOWN) if field.is_free(name)}
    orders: list[Order] = []
    units = sorted(field.on_map(AP), key=lambda found: -found[0].combat)
    for counter, unit in units:
        if not gaps:
            break
        if not counter.kind.is_combat or counter.order_id in busy or unit.shots:
            continue
        if hexes()[unit.at].feature in TOWNS:
            continue
        path = find_path(field, counter, (unit.at,), gaps.__contains__, counter.move)
        if path:
            gaps.discard(path[-1])
            orders.append(MarchOrder(counter.order_id, path, face=3))
            field.place(counter.key, path[-1])
    return orders
