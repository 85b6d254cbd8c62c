"""Selection of attacks: all possible attackers on each hex, at good odds."""

from collections.abc import Sequence

from judge.games.yorktown.rules.assaults import attack_fault, differential
from judge.games.yorktown.rules.board import counters
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import NEIGHBOURS
from judge.games.yorktown.rules.orders import Attack
from judge.games.yorktown.rules.strength import factor_now

PLENTY = 30
"""Differential at which no defender stays."""


def attacks(field: StepState, side: str, least: int) -> list[Attack]:
    """Return the attacks of a side from its present hexes, best first.

    Each unit is in one attack at most.
    """
    free = {counter.key: unit.at for counter, unit in field.on_map(side) if counter.kind.attacks}
    targets = {
        name
        for at in free.values()
        for name in NEIGHBOURS[at]
        if name and any(counters()[key].side != side for key in field.units_in(name))
    }
    found: list[Attack] = []
    while targets:
        best = min(targets, key=lambda n: (-_odds(field, n, _able(field, free, n)), n))
        targets.remove(best)
        units = _enough(field, best, _able(field, free, best))
        if not units or _odds(field, best, units) < least:
            continue
        for key in units:
            free.pop(key)
        ids = tuple(counters()[key].order_id for key in units)
        strongest = max(units, key=lambda key: counters()[key].combat)
        found.append(Attack((best,), ids, (counters()[strongest].order_id,)))
    return found


def _enough(field: StepState, name: str, units: Sequence[str]) -> Sequence[str]:
    """Return as many units as good odds need, the strongest first."""
    ranked = sorted(units, key=lambda key: (-factor_now(field, key), key))
    for many in range(1, len(ranked)):
        if _odds(field, name, ranked[:many]) >= PLENTY:
            return ranked[:many]
    return ranked


def _able(field: StepState, free: dict[str, str], name: str) -> Sequence[str]:
    near = (key for key, at in free.items() if at in NEIGHBOURS[name])
    return [key for key in near if attack_fault(field, key, name) is None]


def _odds(field: StepState, name: str, units: Sequence[str]) -> int:
    return differential(field, [name], units) if units else -99
