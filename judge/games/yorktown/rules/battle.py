"""Combat phase: attacks resolved one by one (Y-63, Y-67 to Y-71)."""

from collections.abc import Mapping, Sequence

from judge.games.yorktown.rules.assaults import (
    MIN,
    SECTION,
    Allocation,
    Assault,
    differential,
)
from judge.games.yorktown.rules.board import band_of, counters, key_of
from judge.games.yorktown.rules.field import IN_REDOUBT, StepState
from judge.games.yorktown.rules.fire import eliminate
from judge.games.yorktown.rules.orders import Attack, Losses, Standing
from judge.games.yorktown.rules.retreats import retreat
from judge.games.yorktown.rules.state import sort_keys
from judge.games.yorktown.rules.strength import attack_strength, defence_strength
from judge.model.phrase import phrase

DRIVEN = {"A1": 1, "A2": 2}
"""Hexes that all attackers retreat."""
BEATEN = {"D1": 1, "D2": 2}
"""Hexes that all defenders retreat."""
OPENS = ("D1", "D2", "EX", "DE")
"""Results after which an attacker may advance (Y-71)."""


class Combat:
    """The combat phase of one side."""

    def __init__(self, field: StepState, standing: Mapping[str, Sequence[Standing]]) -> None:
        self._field = field
        self._standing = standing
        self._allocation = Allocation(field)

    def carry_out(self, orders: Sequence[Attack]) -> None:
        """Allocate the attacks and resolve them in the order written.

        Attacks added by the judge follow. Attacks below the lowest differential are withdrawn
        first.
        """
        self._allocation.add_orders(orders)
        self._allocation.fill_in()
        pending = [a for a in self._allocation.assaults if not self._withdraws(a)]
        for assault in [a for a in pending if not a.by_judge] + [a for a in pending if a.by_judge]:
            self._drop_out(assault)
            if assault.at and assault.units and not self._withdraws(assault):
                self._fight(assault)

    def _drop_out(self, assault: Assault) -> None:
        """Leave out attackers that are gone or have moved, and vacated hexes (Y-68)."""
        field = self._field
        gone = [k for k in assault.units if field.units[k].at != assault.stood[k]]
        empty = [name for name in assault.at if not field.units_in(name)]
        for name in empty:
            field.record_event(SECTION, "vacated", at=name)
        assault.units = [key for key in assault.units if key not in gone]
        assault.at = [name for name in assault.at if name not in empty]

    def _withdraws(self, assault: Assault) -> bool:
        """Return whether an attack is not fought because its differential is below -20.

        A voluntary attack is dropped. The units of a mandatory one withdraw by one hex (Y-67,
        Y-68).
        """
        field = self._field
        number = differential(field, assault.at, assault.units)
        if number >= MIN:
            return False
        at = tuple(assault.at)
        if not self._allocation.is_owed(assault):
            field.record_event(SECTION, "dropped", at=at)
            field.record_reason(phrase("ye23", differential=number))
            return True
        field.record_event(SECTION, "withdraws", at=at, differential=number)
        foes = [key for name in at for key in field.units_in(name)]
        for key in assault.units:
            if field.zone_owners(field.units[key].at, field.side):
                retreat(field, key, 1, foes, self._standing, dies=False)
        return True

    def _fight(self, assault: Assault) -> None:
        field = self._field
        attack = attack_strength(field, assault.units, assault.at)
        defences = [defence_strength(field, name, assault.units) for name in assault.at]
        defence = sum(strength.total for strength in defences)
        number = attack.total - defence
        band = band_of(number)
        defenders = [key for name in assault.at for key in field.units_in(name)]
        field.told.fought.extend((name, assault.units[0]) for name in assault.at)
        field.record_event(
            SECTION,
            "attack",
            at=tuple(assault.at),
            attackers=attack.terms,
            attack=attack.total,
            defenders=tuple(term for strength in defences for term in strength.terms),
            defence=defence,
        )
        if field.is_dry:
            field.record_event(
                SECTION, "odds", differential=_format_signed(number), table=band.results
            )
            return
        count, die = field.roll()
        result = band.results[die - 1]
        told = {"differential": _format_signed(number), "result": result}
        field.record_event(SECTION, "battle", number=count, die=die, **told)
        self._apply(assault, result, defenders)

    def _apply(self, assault: Assault, result: str, defenders: Sequence[str]) -> None:
        """Carry out a result of the combat table (Y-69)."""
        field = self._field
        field.record_event(SECTION, f"result-{result.lower()}")
        if result == "AE":
            self._lose(assault.units)
        elif result in DRIVEN:
            for key in assault.units:
                retreat(field, key, DRIVEN[result], defenders, self._standing)
        elif result in BEATEN:
            for key in defenders:
                retreat(field, key, BEATEN[result], assault.units, self._standing)
        elif result in ("EX", "DE"):
            self._lose(defenders)
            if result == "EX":
                self._lose([self._given_up(assault)])
        if result in OPENS:
            self._advance(assault)

    def _lose(self, keys: Sequence[str]) -> None:
        for key in keys:
            at = self._field.units[key].at
            self._field.record_event(SECTION, "destroyed", unit=counters()[key].order_id, at=at)
            self._field.told.fought.append((at, key))
            eliminate(self._field, key, SECTION)

    def _given_up(self, assault: Assault) -> str:
        """Return the attacker that is lost in an exchange (Y-80)."""
        for order in self._standing.get(self._field.side, ()):
            if isinstance(order, Losses):
                for unit in order.units:
                    key = key_of(self._field.side, unit)
                    if key in assault.units:
                        return key
        weakest = min(counters()[key].combat for key in assault.units)
        return sort_keys(key for key in assault.units if counters()[key].combat == weakest)[-1]

    def _advance(self, assault: Assault) -> None:
        """Move surviving attackers into vacated hexes (Y-71).

        One moves into each hex, two into a redoubt.
        """
        field = self._field
        waiting = [k for k in assault.advance if k in assault.units and field.units[k].on_map]
        for name in assault.at:
            room = IN_REDOUBT if field.is_redoubt(name) else 1
            while waiting and room and field.has_room(name, field.side):
                key, room = waiting.pop(0), room - 1
                before = field.units[key].at
                field.place(key, name)
                field.told.ways.append((key, (before, name)))
                field.record_event(SECTION, "advanced", unit=counters()[key].order_id, at=name)


def _format_signed(number: int) -> str:
    """Return a differential with its sign.

    >>> _format_signed(16), _format_signed(-4), _format_signed(0)
    ('+16', '-4', '0')
    """
    return f"{number:+}" if number else "0"
