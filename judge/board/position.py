"""Positions of province games, and their phases."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple

from judge.board.map import Unit, UnitKind


class Season(Enum):
    """The two turns of a year."""

    SPRING = "S"
    FALL = "F"

    @property
    def title(self) -> str:
        """Return the season's name."""
        return self.name.capitalize()


class PhaseKind(Enum):
    """Kind of the orders in a phase."""

    MOVEMENT = "M"
    RETREAT = "R"
    ADJUSTMENT = "A"

    @property
    def title(self) -> str:
        """Return the name of the kind: "Movement", "Retreat", "Adjustment"."""
        return {"M": "Movement", "R": "Retreat", "A": "Adjustment"}[self.value]


SPRING, FALL = Season.SPRING, Season.FALL
MOVEMENT, RETREAT, ADJUSTMENT = PhaseKind.MOVEMENT, PhaseKind.RETREAT, PhaseKind.ADJUSTMENT
# Aliases for hot code: looking up an enum's member takes five times as long as a name.

_LABEL = re.compile(r"([SFW])([0-9]{4})([MRAB])", re.IGNORECASE)


class Phase(NamedTuple):
    """One phase of one year.

    >>> str(Phase(1901, SPRING, MOVEMENT)), str(Phase(812, SPRING, MOVEMENT))
    ('S1901M', 'S0812M')
    >>> parse_phase("w1901a").title
    'Fall of 1901'
    """

    year: int
    season: Season
    kind: PhaseKind

    def __str__(self) -> str:
        return f"{self.season.value}{self.year:04}{self.kind.value}"

    @property
    def title(self) -> str:
        """Return the turn in words: "Spring of 1901"."""
        return f"{self.season.title} of {self.year}"

    def after(self) -> "Phase":
        """Return the next phase of the calendar, even if no power can order in it.

        >>> str(parse_phase("S1901R").after()), str(parse_phase("F1901R").after())
        ('F1901M', 'F1901A')
        """
        year, season, kind = self
        if kind is MOVEMENT:
            return Phase(year, season, RETREAT)
        if season is SPRING:
            return Phase(year, FALL, MOVEMENT)
        if kind is RETREAT:
            return Phase(year, season, ADJUSTMENT)
        return Phase(year + 1, SPRING, MOVEMENT)


def parse_phase(text: str) -> Phase:
    """Parse a phase label.

    F1901B and W1901A mean F1901A.

    >>> str(parse_phase("F1901B"))
    'F1901A'

    Raises:
        ValueError: the text is no phase label.
    """
    found = _LABEL.fullmatch(text.strip())
    if not found:
        raise ValueError(f"no phase: {text!r}")
    season, year, kind = found[1].upper(), int(found[2]), found[3].upper()
    if kind == "B" or season == "W":
        season, kind = "F", "A"
    if (season, kind) == ("S", "A"):
        raise ValueError(f"no adjustments in spring: {text!r}")
    return Phase(year, Season(season), PhaseKind(kind))


class Dislodged(NamedTuple):
    """A unit that must retreat.

    `origin` is the province of its attacker, empty if unknown. It is closed to the unit, except if
    the attacker came by convoy (DATC 4.A.5). `retreats`, if given, lists the permitted places
    instead of the rules.
    """

    unit: Unit
    origin: str = ""
    by_convoy: bool = False
    retreats: tuple[str, ...] | None = None


@dataclass(frozen=True)
class Position:
    """An immutable position on a province map."""

    phase: Phase
    units: Mapping[str, tuple[Unit, ...]]
    """Power → its units, except those that must retreat."""
    owners: Mapping[str, str]
    """Supply centre → its owner; neutral centres are left out."""
    dislodged: Mapping[str, tuple[Dislodged, ...]] = field(default_factory=dict)
    contested: frozenset[str] = frozenset()
    """Provinces left empty by a standoff in the previous phase, closed to retreats."""
    quiet_falls: int = 0
    """Falls in a row in which no centre changed hands."""

    def centres(self, power: str) -> tuple[str, ...]:
        """Return the centres a power owns, sorted."""
        return self._centres.get(power, ())

    @cached_property
    def _centres(self) -> Mapping[str, tuple[str, ...]]:
        found: dict[str, list[str]] = {}
        for centre, owner in sorted(self.owners.items()):
            found.setdefault(owner, []).append(centre)
        return {owner: tuple(centres) for owner, centres in found.items()}

    def unit_at(self, province: str) -> tuple[str, Unit] | None:
        """Return the unit in a province with its power, or None if it is empty.

        Units that must retreat do not count.
        """
        return self.standing.get(province)

    @cached_property
    def standing(self) -> Mapping[str, tuple[str, Unit]]:
        """Province → the unit there with its power, except units that must retreat."""
        return {
            unit.province: (power, unit) for power, units in self.units.items() for unit in units
        }


def dump_position(position: Position) -> dict[str, object]:
    """Return a position as JSON values."""
    return {
        "phase": str(position.phase),
        "units": {p: [_dump_unit(u) for u in units] for p, units in position.units.items()},
        "owners": dict(sorted(position.owners.items())),
        "dislodged": {
            power: [
                {
                    "unit": _dump_unit(d.unit),
                    "origin": d.origin,
                    "by_convoy": d.by_convoy,
                    "retreats": None if d.retreats is None else list(d.retreats),
                }
                for d in found
            ]
            for power, found in position.dislodged.items()
        },
        "contested": sorted(position.contested),
        "quiet_falls": position.quiet_falls,
    }


def load_position(data: Mapping[str, object]) -> Position:
    """Return the position that `dump_position` dumped."""
    stored: Mapping[str, list[str]] = data["units"]  # type: ignore[assignment]
    beaten: Mapping[str, list[Mapping[str, object]]] = data["dislodged"]  # type: ignore[assignment]
    owners: Mapping[str, str] = data["owners"]  # type: ignore[assignment]
    contested: list[str] = data["contested"]  # type: ignore[assignment]
    return Position(
        phase=parse_phase(str(data["phase"])),
        units={power: tuple(map(_load_unit, units)) for power, units in stored.items()},
        owners=dict(owners),
        dislodged={power: tuple(map(_load_dislodged, found)) for power, found in beaten.items()},
        contested=frozenset(contested),
        quiet_falls=int(str(data["quiet_falls"])),
    )


def _dump_unit(unit: Unit) -> str:
    return f"{unit.kind.value} {unit.place}"


def _load_unit(text: str) -> Unit:
    kind, place = text.split(" ")
    return Unit(UnitKind(kind), place)


def _load_dislodged(data: Mapping[str, object]) -> Dislodged:
    retreats: list[str] | None = data["retreats"]  # type: ignore[assignment]
    return Dislodged(
        unit=_load_unit(str(data["unit"])),
        origin=str(data["origin"]),
        by_convoy=bool(data["by_convoy"]),
        retreats=None if retreats is None else tuple(retreats),
    )
