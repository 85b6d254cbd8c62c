"""FA's bot.

It moves its guns to one front, bombards it, intercepts enemies in the open, and storms the town.
"""

from collections.abc import Mapping, Sequence
from functools import partial

from judge.games.yorktown.bots.batteries import bring_guns
from judge.games.yorktown.default_orders.allies import _movable, _staff
from judge.games.yorktown.default_orders.assault import attacks
from judge.games.yorktown.default_orders.marching import FAR, brought, costs_to, is_foot
from judge.games.yorktown.default_orders.storming import StormTiming, foot_orders
from judge.games.yorktown.rules.board import AP, FA, Counter, north_bank
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import distance, neighbours
from judge.games.yorktown.rules.orders import Order
from judge.games.yorktown.rules.state import OFF, SiegePosition
from judge.games.yorktown.rules.strength import factor_now

WORTH_IT = 8
"""Minimum differential of an attack."""
TIMING = StormTiming(enter=3, storm=12, last=13, worn=7)
"""Days on which foot enters, out of the worst of the fire, and storms."""
NORTH = 0


def moves(position: SiegePosition) -> Sequence[Order]:
    """Return the orders of a MOVE step.

    Units that can attack stay in place, the others move, then all attack.
    """
    field = StepState(position)
    busy = {unit for attack in attacks(field, FA, WORTH_IT) for unit in attack.units}
    idle = [counter for counter in _movable(field) if counter.order_id not in busy]
    hunters, orders = _hunt(field, [counter for counter in idle if is_foot(counter)])
    foot = [counter for counter in idle if is_foot(counter) and counter not in hunters]
    guns = [counter for counter in idle if not is_foot(counter)]
    return [
        *_staff(field), *orders, *foot_orders(field, foot, TIMING), *bring_guns(field, guns),
        *attacks(field, FA, WORTH_IT),
    ]


def _hunt(field: StepState, foot: Sequence[Counter]) -> tuple[list[Counter], list[Order]]:
    """Move foot towards enemies in the open. Return the units used and their orders."""
    prey = [
        (counter, unit.at) for counter, unit in field.on_map(AP)
        if counter.kind.is_combat and not field.is_fort(unit.at) and unit.at not in north_bank()
    ]
    hunters: list[Counter] = []
    orders: list[Order] = []
    for enemy, at in sorted(prey, key=lambda found: -_danger(found[1])):
        wanted = 1.6 * factor_now(field, enemy.key) + 8
        around = {name for name in neighbours(at) if field.is_free(name)}
        to = costs_to(frozenset(around)) if around else {}
        ranked = sorted(foot, key=lambda c: (_measure_distance(field, c, at), -c.combat))
        for counter in ranked:
            if wanted <= 0:
                break
            if counter in hunters or _measure_distance(field, counter, at) > 3 * counter.move:
                continue
            order = brought(field, counter, partial(_from, to), NORTH)
            hunters.append(counter)
            wanted -= counter.combat
            if order:
                orders.append(order)
    return hunters, orders


def _from(to: Mapping[str, int], name: str) -> float:
    return to.get(name, FAR)


def _danger(at: str) -> int:
    """Return how near an enemy is to a map edge by which it may leave.

    The number is negative, and higher for a nearer edge.
    """
    column, row = int(at[:2]), int(at[2:])
    return -min(column - 1, 30 - column, 24 - row)


def _measure_distance(field: StepState, counter: Counter, at: str) -> int:
    """Return the distance of a unit from a hex, or from its entry hexes plus one."""
    here = field.units[counter.key].at
    if here == OFF:
        doors = ("0118",) if counter.nation == "FR" else ("1024", "1624", "2024", "2424", "2724")
        return 1 + min(distance(door, at) for door in doors)
    return distance(here, at)
