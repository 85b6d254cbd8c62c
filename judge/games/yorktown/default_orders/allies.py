"""Default orders of FA in a MOVE step.

Its guns go into range together and silence the batteries of the town, its pioneers dig for them,
and late in the siege all its foot storms. Foot waits off the map until then, where it cannot be
hit. Commanders stay there with militia: the loss of one would cost more than the value they add.
"""

from collections.abc import Iterator, Sequence

from judge.games.yorktown.default_orders.assault import attacks
from judge.games.yorktown.default_orders.marching import FAR, costs_to, is_foot
from judge.games.yorktown.default_orders.siege_works import dig_and_bring_guns
from judge.games.yorktown.default_orders.storming import foot_orders
from judge.games.yorktown.rules.board import (
    FA,
    YORKTOWN,
    Counter,
    CounterKind,
    counters,
    counters_of,
    north_bank,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.orders import JoinOrder, Order
from judge.games.yorktown.rules.state import OFF, SiegePosition

WORTH_IT = 8
"""Minimum differential of an attack."""
GUARDS = {"US": "FA-INF12", "FR": "FA-INF13"}
"""Unit that stays off the map with the commander of a nation."""


def moves(position: SiegePosition) -> Sequence[Order]:
    """Return the orders of a MOVE step.

    Units that can attack stay in place, the others move, then all attack that can.
    """
    field = StepState(position)
    busy = {unit for attack in attacks(field, FA, WORTH_IT) for unit in attack.units}
    idle = [counter for counter in _movable(field) if counter.order_id not in busy]
    orders: list[Order] = [
        *_staff(field),
        *foot_orders(field, [counter for counter in idle if is_foot(counter)]),
        *dig_and_bring_guns(field, [counter for counter in idle if not is_foot(counter)]),
    ]
    return [*orders, *attacks(field, FA, WORTH_IT)]


def _movable(field: StepState) -> list[Counter]:
    """Return the units that may move, the foremost first to make room for the others."""
    found = []
    for counter in counters_of(FA):
        unit = field.units[counter.key]
        if not counter.kind.is_combat or counter.key in GUARDS.values():
            continue
        is_coming = unit.at == OFF and counter.setup.startswith("enter")
        is_here = unit.on_map and not unit.shots and unit.at not in north_bank()
        if is_coming or is_here:
            found.append(counter)
    ahead = costs_to(frozenset(town_hexes(YORKTOWN)))
    return sorted(found, key=lambda c: (ahead.get(field.units[c.key].at, FAR), -c.move, c.key))


def _staff(field: StepState) -> Iterator[JoinOrder]:
    """Yield orders for commanders to stay with units that do not enter."""
    for counter in counters_of(FA):
        if counter.kind is CounterKind.CMD and field.units[counter.key].at == OFF:
            host = GUARDS[counter.nation]
            if field.units[counter.key].attached != host:
                yield JoinOrder(counter.order_id, counters()[host].order_id)
