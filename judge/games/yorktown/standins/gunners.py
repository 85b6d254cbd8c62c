"""Whom the guns fire at: as many shots at one unit as it takes, guns before foot."""

from collections.abc import Sequence

from judge.games.yorktown.rules.board import AP, Counter, Kind, counters, enemy_of, hits_at
from judge.games.yorktown.rules.field import Field
from judge.games.yorktown.rules.fire import REACH, chance, range_to, thresholds
from judge.games.yorktown.rules.hexes import neighbours
from judge.games.yorktown.rules.orders import Build, Fire, Order, Sail
from judge.games.yorktown.rules.state import Position
from judge.games.yorktown.rules.works import build_fault

BESIDE = 8
"""What it is worth besides for each enemy of it that stands ready to attack it."""
WORTH = {Kind.ART: 30, Kind.PIO: 22, Kind.FRIG: 12}
"""What it is worth to be rid of a unit; of others their factor."""


def fire_orders(position: Position, side: str) -> Sequence[Order]:
    """Return the orders of a FIRE step: build what can be built, then fire."""
    field = Field(position)
    orders: list[Order] = []
    guns: list[tuple[Counter, int]] = []
    for counter, _ in field.on_map(side):
        if counter.kind is Kind.PIO and build_fault(field, counter.key) is None:
            orders.append(Build(counter.order_id))
        if counter.shots and not _has_a_way_to_go(field, counter):
            guns.append((counter, counter.shots))
    shots = [counter for counter, many in guns for _ in range(many)]
    aimed = _aimed(field, shots, side)
    ships: dict[str, list[str]] = {}
    for counter, at in aimed:
        if counter.kind is Kind.FRIG:
            ships.setdefault(counter.order_id, []).append(f"fire {at}")
        else:
            orders.append(Fire(counter.order_id, at))
    return [*orders, *(Sail(ship, tuple(does)) for ship, does in ships.items())]


def _aimed(field: Field, shots: list[Counter], side: str) -> list[tuple[Counter, str]]:
    """Return what each shot is aimed at: the target where all that reach it do most, again and
    again until none is left."""
    found: list[tuple[Counter, str]] = []
    targets = [
        (counter, unit.at)
        for counter, unit in field.on_map(enemy_of(side))
        if counter.kind is not Kind.CMD
    ]
    left = list(shots)
    while left and targets:
        best = max(targets, key=lambda target: _promise(field, left, target))
        if _promise(field, left, best) <= 0:
            break
        targets.remove(best)
        near = sorted(
            (s for s in left if range_to(field.units[s.key], best[1]) <= REACH),
            key=lambda s: range_to(field.units[s.key], best[1]),
        )
        rows: list[tuple[int, ...]] = []
        for shooter in near:
            rows.append(hits_at(max(1, range_to(field.units[shooter.key], best[1]))))
            found.append((shooter, best[1]))
            left.remove(shooter)
            if chance(rows, thresholds(field, best[0].key)[1]) >= 60:
                break
    return found


def _promise(field: Field, shots: Sequence[Counter], target: tuple[Counter, str]) -> float:
    """Return what all shots that reach a target may gain by it."""
    counter, at = target
    ranges = [range_to(field.units[shot.key], at) for shot in shots]
    mean = sum(sum(hits_at(max(1, far))) / 6 for far in ranges if far <= REACH)
    half, gone = thresholds(field, counter.key)
    worth = WORTH.get(counter.kind, counter.combat)
    worth += BESIDE * _beside(field, counter, at)
    if field.commander_with(counter.key):
        worth += 15
    return worth * (min(mean / gone, 1.0) + (0.3 if mean >= half else 0.0))


def _beside(field: Field, counter: Counter, at: str) -> int:
    """Return how many units stand beside a target that may attack it in this turn."""
    return sum(
        counters()[key].side != counter.side and counters()[key].kind.attacks
        for name in neighbours(at)
        for key in field.units_in(name)
    )


def _has_a_way_to_go(field: Field, counter: Counter) -> bool:
    """Tell whether a battery of FA in the open had better go to a redoubt that has room."""
    at = field.units[counter.key].at
    if counter.kind is not Kind.ART or counter.side == AP or field.is_fort(at):
        return False
    return any(field.has_room(name, counter.side) for name in field.redoubts)
