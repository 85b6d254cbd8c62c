"""Default orders of guns: enough shots to destroy one unit, guns before foot."""

from collections.abc import Mapping, Sequence
from functools import lru_cache

from judge.games.yorktown.default_orders.frigates import best_ranges, sortie
from judge.games.yorktown.default_orders.siege_works import is_in_place
from judge.games.yorktown.rules.board import (
    AP,
    FA,
    YORKTOWN,
    Counter,
    CounterKind,
    counters,
    enemy_of,
    hexes,
    hits_at,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import REACH, chance, range_to, thresholds
from judge.games.yorktown.rules.hexes import neighbours
from judge.games.yorktown.rules.orders import Fire, FrigateOrder, Order, RedoubtOrder
from judge.games.yorktown.rules.redoubts import build_fault
from judge.games.yorktown.rules.state import SiegePosition

ATTACKER_BONUS = 8
"""Additional value of a target for each adjacent enemy of it that may attack it."""
WORTH = {CounterKind.ART: 30, CounterKind.PIO: 22, CounterKind.FRIG: 12}
"""Value of destroying a unit. For other kinds it is their factor."""

BATTERY_VALUE = 60
"""Value of destroying a battery, to FA."""
SUFFICIENT_CHANCE = 65
"""Chance, in per cent, at which a target gets no further shots."""
GAP_BONUS = 25
"""Additional value of a target in a hex that FA's foot can enter."""
IN_TOWN = 1.5
"""Factor for the value of a target in Yorktown, to FA."""
HALVED = 0.35
"""Value of halving a unit, relative to destroying it."""


def fire_orders(position: SiegePosition, side: str) -> Sequence[Order]:
    """Return the orders of a FIRE step: build redoubts, then fire."""
    field = StepState(position)
    orders: list[Order] = []
    shots: list[Counter] = []
    for counter, _ in field.on_map(side):
        if counter.kind is CounterKind.PIO and build_fault(field, counter.key) is None:
            orders.append(RedoubtOrder(counter.order_id))
        if counter.shots and not _should_advance(field, counter):
            shots += [counter] * counter.shots
    targets = [
        (counter, unit.at)
        for counter, unit in field.on_map(enemy_of(side))
        if counter.kind is not CounterKind.CMD
    ]
    aimed = _assign_shots(field, shots, targets, _ranges(field, shots, targets))
    for counter, at in aimed:
        if counter.kind is not CounterKind.FRIG:
            orders.append(Fire(counter.order_id, at))
    for ship in dict.fromkeys(shot for shot in shots if shot.kind is CounterKind.FRIG):
        orders.append(sortie(field, ship.key, [at for each, at in aimed if each is ship]))
    return [order for order in orders if not isinstance(order, FrigateOrder) or order.does]


Ranges = Mapping[str, Mapping[str, int]]
"""Shooter → hex → range."""


def _ranges(
    field: StepState, shots: Sequence[Counter], targets: Sequence[tuple[Counter, str]]
) -> Ranges:
    """Return the ranges of a side's shots, of frigates after sailing."""
    at = [name for _, name in targets]
    return {
        shot.key: best_ranges(field, shot.key, at)
        if shot.kind is CounterKind.FRIG
        else {name: range_to(field.units[shot.key], name) for name in at}
        for shot in dict.fromkeys(shots)
    }


def _assign_shots(
    field: StepState,
    shots: Sequence[Counter],
    targets: list[tuple[Counter, str]],
    ranges: Ranges,
) -> list[tuple[Counter, str]]:
    """Return the target hex of each shot.

    The target that all shots in range gain most by is chosen repeatedly until none is left.
    """
    found: list[tuple[Counter, str]] = []
    left = list(shots)
    while left and targets:
        best = max(targets, key=lambda target: _promise(field, left, target, ranges))
        if _promise(field, left, best, ranges) <= 0:
            break
        targets.remove(best)
        at = best[1]
        near = sorted(
            (shot for shot in left if ranges[shot.key][at] <= REACH),
            key=lambda shot: ranges[shot.key][at],
        )
        rows: list[tuple[int, ...]] = []
        for shooter in near:
            rows.append(hits_at(ranges[shooter.key][at]))
            found.append((shooter, at))
            left.remove(shooter)
            if chance(rows, thresholds(field, best[0].key)[1]) >= SUFFICIENT_CHANCE:
                break
    return found


def _promise(
    field: StepState, shots: Sequence[Counter], target: tuple[Counter, str], ranges: Ranges
) -> float:
    """Return the expected gain if all shots in range fire at a target."""
    counter, at = target
    near = tuple(sorted(far for shot in shots if (far := ranges[shot.key][at]) <= REACH))
    half, gone = thresholds(field, counter.key)
    worth = float(WORTH.get(counter.kind, counter.combat))
    if counter.side == AP and counter.kind is CounterKind.ART:
        worth = BATTERY_VALUE
    worth += ATTACKER_BONUS * _beside(field, counter, at)
    if counter.side == AP and _opens(field, at):
        worth += GAP_BONUS
    if field.commander_with(counter.key):
        worth += 15
    if counter.side == AP and hexes()[at].feature == YORKTOWN:
        worth *= IN_TOWN
    return worth * (_odds(near, gone) + HALVED * _odds(near, half))


def _opens(field: StepState, at: str) -> bool:
    """Return whether a hex of Yorktown, once empty, is a way in for FA.

    It is if it has a gate or is adjacent to a unit of FA in the town.
    """
    if hexes()[at].feature != YORKTOWN:
        return False
    inside = any(
        counters()[key].side == FA
        for name in neighbours(at)
        if hexes()[name].feature == YORKTOWN
        for key in field.units_in(name)
    )
    return inside or bool(hexes()[at].walls and hexes()[at].roads)


@lru_cache(maxsize=4096)
def _odds(ranges: tuple[int, ...], least: int) -> float:
    """Return the chance, from 0 to 1, of at least *least* hits at some ranges."""
    return chance([hits_at(far) for far in ranges], least) / 100


def _beside(field: StepState, counter: Counter, at: str) -> int:
    """Return the number of adjacent enemies of a target that may attack it this turn."""
    return sum(
        counters()[key].side != counter.side and counters()[key].kind.attacks
        for name in neighbours(at)
        for key in field.units_in(name)
    )


def _should_advance(field: StepState, counter: Counter) -> bool:
    """Return whether a battery of FA should move up instead of firing."""
    is_gun = counter.kind is CounterKind.ART and counter.side != AP
    return is_gun and not is_in_place(field, field.units[counter.key].at)
