"""Fire of a bot's guns: few targets, each with enough shots to destroy it."""

from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import NamedTuple

from judge.games.yorktown.bots.batteries import in_place
from judge.games.yorktown.default_orders.frigates import best_ranges, sortie
from judge.games.yorktown.rules.board import (
    AP,
    FA,
    YORKTOWN,
    Counter,
    CounterKind,
    enemy_of,
    hexes,
    hits_at,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import REACH, chance, range_to, thresholds
from judge.games.yorktown.rules.orders import Fire, FrigateOrder, Order, RedoubtOrder
from judge.games.yorktown.rules.redoubts import build_fault
from judge.games.yorktown.rules.state import SiegePosition

SURE = 70
"""Chance, in per cent, at which a target gets no further shots."""
_WORTH = {CounterKind.ART: 34, CounterKind.PIO: 14, CounterKind.FRIG: 26}
"""Value of destroying a unit. For foot and horse it is their factor plus a constant."""
_IN_TOWN = 1.4
_HALVED = 0.35


class Aim(NamedTuple):
    """Shots at one target, with the expected gain of each shot."""

    gain: float
    shooters: tuple[str, ...]
    at: str
    key: str


def battery_fire(position: SiegePosition) -> Sequence[Order]:
    """Return the orders of a FIRE step: build redoubts, then fire."""
    field, side = StepState(position), position.moment.side
    orders: list[Order] = [
        RedoubtOrder(counter.order_id)
        for counter, _ in field.on_map(side)
        if counter.kind is CounterKind.PIO and build_fault(field, counter.key) is None
    ]
    shooters = [c for c, _ in field.on_map(side) if c.shots and not _moves_up(field, c)]
    aimed = _aim_guns(field, shooters)
    for counter in shooters:
        at = aimed.get(counter.key, [])
        if counter.kind is CounterKind.FRIG:
            orders.append(sortie(field, counter.key, at))
        else:
            orders += [Fire(counter.order_id, name) for name in at]
    return [order for order in orders if not isinstance(order, FrigateOrder) or order.does]


def _moves_up(field: StepState, counter: Counter) -> bool:
    """Return whether a battery of FA should move up instead of firing."""
    return counter.side == FA and counter.kind is CounterKind.ART and not in_place(field, counter)


def _aim_guns(field: StepState, shooters: Sequence[Counter]) -> dict[str, list[str]]:
    """Return the hexes that each gun fires at.

    The target with the highest gain per shot is chosen repeatedly until no shots are left.
    """
    targets = [
        (counter, unit.at) for counter, unit in field.on_map(enemy_of(field.side))
        if counter.kind is not CounterKind.CMD
    ]
    places = [at for _, at in targets]
    ranges = {c.key: _ranges(field, c, places) for c in shooters}
    left = {counter.key: counter.shots for counter in shooters}
    found: dict[str, list[str]] = {}
    while any(left.values()):
        aims = [aim for c, at in targets if (aim := _aim(field, c, at, left, ranges))]
        if not aims:
            break
        best = max(aims)
        for key in best.shooters:
            left[key] -= 1
            found.setdefault(key, []).append(best.at)
        targets = [(c, at) for c, at in targets if c.key != best.key]
    return found


def _ranges(field: StepState, counter: Counter, places: Sequence[str]) -> Mapping[str, int]:
    if counter.kind is CounterKind.FRIG:
        return best_ranges(field, counter.key, places)
    return {at: range_to(field.units[counter.key], at) for at in places}


def _aim(
    field: StepState, target: Counter, at: str, left: Mapping[str, int],
    ranges: Mapping[str, Mapping[str, int]],
) -> Aim | None:
    """Return the shots at a target with the highest gain per shot, or None."""
    near = sorted(
        (ranges[key][at], key) for key, shots in left.items() for _ in range(shots)
        if ranges[key][at] <= REACH
    )
    half, gone = thresholds(field, target.key)
    worth = _worth(field, target, at)
    best: Aim | None = None
    for number in range(1, len(near) + 1):
        reach = tuple(far for far, _ in near[:number])
        sure = _odds(reach, gone)
        halved = 0.0 if field.units[target.key].marked else _HALVED * _odds(reach, half)
        gain = worth * (sure + halved) / number
        aim = Aim(gain, tuple(key for _, key in near[:number]), at, target.key)
        if gain > 0 and (best is None or aim.gain >= best.gain):
            best = aim
        if sure * 100 >= SURE:
            break
    return best


def _worth(field: StepState, target: Counter, at: str) -> float:
    worth = float(_WORTH.get(target.kind, target.combat + 6))
    if field.commander_with(target.key):
        worth += 15
    if target.side == AP and hexes()[at].feature == YORKTOWN:
        worth *= _IN_TOWN
    if target.side == FA and field.is_fort(at):
        worth *= 0.8
    return worth


@lru_cache(maxsize=8192)
def _odds(ranges: tuple[int, ...], least: int) -> float:
    """Return the chance, from 0 to 1, of at least *least* hits at some ranges."""
    return chance([hits_at(far) for far in ranges], least) / 100
