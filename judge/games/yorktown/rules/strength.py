"""Strengths in combat, term by term (Y-58 to Y-62)."""

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from judge.games.yorktown.rules.board import CounterKind, counters
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.fire import half
from judge.games.yorktown.rules.hexes import opposite, side_to
from judge.model.phrase import Phrase, phrase

DEAD_COMMANDER_PENALTY = 10
REAR_SIDE = 5
REAR = 10
MAX_FACING = 10


class Strength(NamedTuple):
    """A strength, with its terms as phrases."""

    total: int
    terms: tuple[Phrase, ...]


def attack_strength(field: StepState, keys: Sequence[str], at: Sequence[str]) -> Strength:
    """Return the strength of attackers against some hexes (Y-58)."""
    terms, total = [], 0
    for key in keys:
        number, told = _bare(field, key)
        if sallies(field, key, at):
            number, told = 2 * number, phrase("term-doubled", before=told)
        total += number
        terms.append(_add_sum(told, number))
    return Strength(total, tuple(terms))


def _add_sum(told: Phrase, number: int) -> Phrase:
    """Return a term with its result, unless it is a plain factor."""
    return told if told.code == "term" else phrase("term-sum", before=told, n=number)


def sallies(field: StepState, key: str, at: Sequence[str]) -> bool:
    """Return whether an attacker is doubled for a sortie from a fort (Y-62).

    All hexes of the attack must be in the open at the fort's walls.
    """
    fort = field.fort_of(field.units[key].at)
    return bool(fort) and all(not field.is_fort(n) and field.is_wall_near(n, fort) for n in at)


def defence_strength(field: StepState, at: str, attackers: Iterable[str]) -> Strength:
    """Return the strength of a hex against attacking units (Y-59).

    It is first doubled in a fort hex, then lowered by facing.
    """
    terms, total = [], 0
    froms = [field.units[key].at for key in attackers]
    for key in field.units_in(at):
        number, told = _bare(field, key)
        if field.is_fort(at):
            number, told = 2 * number, phrase("term-doubled", before=told)
        lost = facing_loss(field, key, froms)
        if lost:
            number, told = max(0, number - lost), phrase("term-rear", before=told, n=lost)
        total += number
        terms.append(_add_sum(told, number))
    return Strength(total, tuple(terms))


def _bare(field: StepState, key: str) -> tuple[int, Phrase]:
    """Return a unit's factor with its commander, and the term that explains it.

    A unit loses 10 if its nation's commander is dead, and is halved if marked. Artillery counts 10
    throughout (Y-9). A commander with artillery adds their value, halved if the unit is marked.
    """
    counter, unit = counters()[key], field.units[key]
    staff = field.commander_with(key)
    value = counters()[staff].combat if staff else 0
    told = phrase("term", unit=counter.order_id, n=counter.combat)
    if staff:
        told = phrase("term-staff", before=told, name=counters()[staff].name, n=value)
    if counter.kind is CounterKind.ART:
        return counter.combat + (half(value) if unit.marked else value), told
    number = counter.combat + value
    if field.has_lost_commander(counter.nation):
        number, told = (
            max(0, number - DEAD_COMMANDER_PENALTY),
            phrase("term-mourning", before=told, n=DEAD_COMMANDER_PENALTY),
        )
    if unit.marked:
        number, told = half(number), phrase("term-halved", before=told)
    return number, told


def factor_now(field: StepState, key: str) -> int:
    """Return a unit's present factor, with its commander."""
    return _bare(field, key)[0]


def facing_loss(field: StepState, key: str, froms: Iterable[str]) -> int:
    """Return the strength that a defender loses by its facing (Y-60).

    It is 5 for each rear-side hex and 10 for the exact rear, at most 10. It is 0 in a redoubt and
    for artillery. In a town only attackers in the same town count.
    """
    counter, unit = counters()[key], field.units[key]
    if counter.kind is CounterKind.ART or field.is_redoubt(unit.at):
        return 0
    town = field.fort_of(unit.at)
    lost = 0
    for name in sorted({*froms}):
        if town and name not in town:
            continue
        side = side_to(unit.at, name)
        if side is None:
            continue
        if side == opposite(unit.facing):
            lost += REAR
        elif (side - unit.facing) % 6 in (2, 4):
            lost += REAR_SIDE
    return min(lost, MAX_FACING)
