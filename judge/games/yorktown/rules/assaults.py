"""Allocation of attacks, ordered or added by the judge (Y-61, Y-64 to Y-66)."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from dataclasses import field as made

from judge.games.yorktown.rules.board import counters, key_of
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import NEIGHBOURS
from judge.games.yorktown.rules.orders import Attack
from judge.games.yorktown.rules.strength import attack_strength, defence_strength
from judge.model.phrase import Phrase, phrase

MIN = -20
"""Lowest differential at which an attack is allowed (Y-63)."""
SECTION = "combat"


@dataclass
class Assault:
    """One attack: the hexes attacked, the keys of its units, and which may advance."""

    at: list[str]
    units: list[str]
    advance: tuple[str, ...] = ()
    by_judge: bool = False
    stood: dict[str, str] = made(default_factory=dict)
    """Hex of each attacker when the attack was allocated."""


def differential(field: StepState, at: Sequence[str], units: Sequence[str]) -> int:
    """Return attack less defence (Y-63)."""
    attack = attack_strength(field, units, at).total
    return attack - sum(defence_strength(field, name, units).total for name in at)


def attack_fault(field: StepState, key: str, at: str) -> Phrase | None:
    """Return why a unit cannot attack a hex, or None (Y-8, Y-61)."""
    counter, unit = counters()[key], field.units[key]
    if not counter.kind.attacks:
        return phrase("ye28")
    if not unit.on_map:
        return phrase("ye34", unit=counter.order_id)
    if at not in NEIGHBOURS[unit.at]:
        return phrase("ye25", unit=counter.order_id, at=at)
    if at in field.walls_on(unit.at, at):
        began = field.began[key]
        if not (began.on_map and field.is_wall_near(began.at, field.fort_of(at))):
            return phrase("ye22", unit=counter.order_id, at=at)
    return None


class Allocation:
    """Attacks of a side's combat phase."""

    def __init__(self, field: StepState) -> None:
        self._field = field
        self.must = field.must_fight(field.side)
        self.owed = field.to_be_fought(field.side)
        self.assaults: list[Assault] = []

    def add_orders(self, orders: Iterable[Attack]) -> None:
        """Add the ordered attacks, without units and hexes that cannot take part.

        Report the reason for each one left out.
        """
        for order in orders:
            at = [name for name in dict.fromkeys(order.at) if self._may_be_hit(name)]
            units = []
            for unit in dict.fromkeys(order.units):
                key = key_of(self._field.side, unit)
                why = self._unit_fault(key, unit, at)
                if why:
                    self._record_reason(unit, why)
                else:
                    units.append(key)
            if at and units:
                advance = tuple(key_of(self._field.side, unit) for unit in order.advance)
                self._add(Assault(at, units, advance))

    def _add(self, assault: Assault) -> None:
        assault.stood = {key: self._field.units[key].at for key in assault.units}
        self.assaults.append(assault)

    def _record_reason(self, unit: str, why: Phrase) -> None:
        self._field.record_event(SECTION, "not-attacking", unit=unit)
        self._field.record_reason(why)

    def _may_be_hit(self, name: str) -> bool:
        if not self._defenders(name):
            self._record_reason(name, phrase("ye14-attack", at=name))
            return False
        if any(name in assault.at for assault in self.assaults):
            self._record_reason(name, phrase("ye24-hex", at=name))
            return False
        return True

    def _defenders(self, name: str) -> list[str]:
        side = self._field.side
        return [key for key in self._field.units_in(name) if counters()[key].side != side]

    def _unit_fault(self, key: str, unit: str, at: Sequence[str]) -> Phrase | None:
        if key not in counters() or not self._field.units[key].in_play:
            return phrase("ye31", unit=unit)
        if any(key in assault.units for assault in self.assaults):
            return phrase("ye24-unit", unit=unit)
        faults = (attack_fault(self._field, key, name) for name in at)
        return next((fault for fault in faults if fault), None)

    def fill_in(self) -> None:
        """Add the mandatory attacks that the orders leave out (Y-66)."""
        for owner in self.owed:
            self._cover(owner)
        for key in self._free():
            self._send(key)
        for owner in self.owed:
            self._extend(owner)

    def _free(self) -> list[str]:
        busy = {key for assault in self.assaults for key in assault.units}
        return [key for key in self.must if key not in busy]

    def _is_attacked(self, name: str) -> bool:
        return any(name in assault.at for assault in self.assaults)

    def _cover(self, owner: str) -> None:
        """Attack an unattacked enemy with the adjacent free unit of lowest id: rule (a)."""
        at = self._field.units[owner].at
        if self._is_attacked(at):
            return
        for key in self._free():
            if attack_fault(self._field, key, at) is None:
                self._add(Assault([at], [key], by_judge=True))
                self._field.record_event(
                    SECTION, "judge-attack", unit=counters()[key].order_id, at=at
                )
                return

    def _send(self, key: str) -> None:
        """Add a free unit that must attack to the adjacent attack with the worst odds.

        This is rule (b). Report a unit that can join no attack.
        """
        open_to = [
            assault
            for assault in self.assaults
            if all(attack_fault(self._field, key, name) is None for name in assault.at)
        ]
        if not open_to:
            self._field.record_event(SECTION, "cannot-attack", unit=counters()[key].order_id)
            return
        worst = min(open_to, key=lambda one: differential(self._field, one.at, one.units))
        worst.units.append(key)
        worst.stood[key] = self._field.units[key].at
        self._field.record_event(
            SECTION, "judge-joins", unit=counters()[key].order_id, at=tuple(worst.at)
        )

    def _extend(self, owner: str) -> None:
        """Add an unattacked enemy to the best attack whose units are all adjacent to it.

        This is rule (c). Report an enemy for which every differential would be below `MIN`.
        """
        at = self._field.units[owner].at
        if self._is_attacked(at):
            return
        touching = [
            assault
            for assault in self.assaults
            if all(attack_fault(self._field, key, at) is None for key in assault.units)
        ]
        odds = [differential(self._field, [*one.at, at], one.units) for one in touching]
        if not odds or max(odds) < MIN:
            self._field.record_event(
                SECTION, "not-attacked", unit=counters()[owner].order_id, at=at
            )
            return
        best = touching[odds.index(max(odds))]
        best.at.append(at)
        self._field.record_event(SECTION, "judge-extends", at=tuple(best.at))

    def is_owed(self, assault: Assault) -> bool:
        """Return whether an attack is mandatory.

        It is if one of its units must attack or one of its defenders must be attacked.
        """
        there = {key for name in assault.at for key in self._field.units_in(name)}
        return not {*self.must}.isdisjoint(assault.units) or not there.isdisjoint(self.owed)
