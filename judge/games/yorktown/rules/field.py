"""Mutable position while a step is adjudicated.

Positions are immutable. A step changes many units in turn, so it works on a `StepState` and
converts that into a position at the end. Events are recorded as phrases, in the order in which they
happen.
"""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field, replace

from judge.games.yorktown.rules.board import (
    COSTS,
    REDOUBT,
    Counter,
    CounterKind,
    HexTerrain,
    commander_of,
    counters,
    enemy_of,
    hexes,
    town_hexes,
)
from judge.games.yorktown.rules.hexes import NEIGHBOURS, neighbours, opposite, side_to
from judge.games.yorktown.rules.state import DEAD, CounterState, Moment, SiegePosition, sort_keys
from judge.model.phrase import Fact, Phrase

WHY = "why"
"""Section of a reason, which belongs to the event before it."""
IN_REDOUBT = 2
"""Maximum number of combat units in a redoubt (Y-24)."""

Roll = Callable[[int], int]
"""Function that returns the die with a number, counted from 1 (Y-95)."""


@dataclass
class EventLog:
    """Record of a step: events by section, paths, shots, and hexes fought over.

    *ways* has unit keys with their paths, *shots* pairs of the hexes fired from and at, *fought*
    hexes with the key of a unit that attacked or was lost there.
    """

    events: list[tuple[str, Phrase]] = field(default_factory=list)
    ways: list[tuple[str, tuple[str, ...]]] = field(default_factory=list)
    shots: list[tuple[str, str]] = field(default_factory=list)
    fought: list[tuple[str, str]] = field(default_factory=list)


class StepState:
    """A position that a step changes."""

    def __init__(self, position: SiegePosition, roll: Roll | None = None) -> None:
        """Copy a position. Nothing is rolled without *roll* (PREVIEW)."""
        self.moment: Moment = position.moment
        self.units: dict[str, CounterState] = dict(position.units)
        self.redoubts: dict[str, int] = dict(position.redoubts)
        self.began: Mapping[str, CounterState] = position.units
        """Units at the beginning of the step."""
        self.told = EventLog()
        self._position = position
        self._roll = roll
        self._drawn = position.drawn
        self._in: dict[str, list[str]] = {}
        for key, unit in self.units.items():
            self._enter(key, unit)

    def position(self, moment: Moment) -> SiegePosition:
        """Return the changed position, with *moment* as its step."""
        before = self._position
        return replace(
            before, moment=moment, units=dict(self.units), redoubts=dict(self.redoubts),
            drawn=self._drawn,
        )

    @property
    def rules(self) -> int:
        """Number of the version of the rules that the game uses."""
        return self._position.rules

    def record_event(self, section: str, code: str, **facts: Fact) -> None:
        """Record an event."""
        self.told.events.append((section, Phrase(code, facts)))

    def record_reason(self, reason: Phrase) -> None:
        """Record why the last event's order was not carried out, or only in part."""
        self.told.events.append((WHY, reason))

    @property
    def is_dry(self) -> bool:
        """True if no dice may be rolled."""
        return self._roll is None

    def roll(self) -> tuple[int, int]:
        """Roll the next die. Return its number and its value (Y-96)."""
        assert self._roll
        self._drawn += 1
        return self._drawn, self._roll(self._drawn)

    @property
    def side(self) -> str:
        """Side whose turn it is."""
        return self.moment.side

    def update_unit(self, key: str, **changes: object) -> None:
        """Change fields of a unit."""
        unit = self.units[key]
        changed = unit._replace(**changes)  # type: ignore[arg-type]
        self.units[key] = changed
        if (unit.at, unit.bow) != (changed.at, changed.bow):
            for name in unit.hexes:
                self._in[name].remove(key)
            self._enter(key, changed)

    def _enter(self, key: str, unit: CounterState) -> None:
        for name in unit.hexes:
            self._in.setdefault(name, []).append(key)

    def all_in(self, name: str) -> tuple[str, ...]:
        """Return the keys of all units, commanders and frigates in a hex."""
        return tuple(self._in.get(name, ()))

    def units_in(self, name: str) -> tuple[str, ...]:
        """Return the combat units in a hex."""
        return tuple(key for key in self._in.get(name, ()) if counters()[key].kind.is_combat)

    def enemies_in(self, name: str, side: str) -> tuple[str, ...]:
        """Return the combat units and frigates in a hex that are not of a side."""
        return tuple(
            key
            for key in self._in.get(name, ())
            if counters()[key].side != side and counters()[key].kind is not CounterKind.CMD
        )

    def on_map(self, side: str) -> Iterator[tuple[Counter, CounterState]]:
        """Yield the counters of a side that are in a hex."""
        for key, unit in self.units.items():
            counter = counters()[key]
            if counter.side == side and unit.on_map:
                yield counter, unit

    def commander_with(self, key: str) -> str:
        """Return the key of the commander with a unit, or an empty string."""
        for other, unit in self.units.items():
            if unit.attached == key and unit.in_play:
                return other
        return ""

    def aboard(self, ship: str) -> list[str]:
        """Return the combat units aboard a ship."""
        return [
            key
            for key, unit in self.units.items()
            if unit.at == ship and counters()[key].kind.is_combat
        ]

    def place(self, key: str, at: str) -> None:
        """Move a unit, with its commander, to another hex or aboard a ship.

        A pioneer's count of turns without moving starts again (Y-34).
        """
        self.update_unit(key, at=at, still=0)
        staff = self.commander_with(key)
        if staff:
            self.update_unit(staff, at=at)

    def remove(self, key: str, to: str = DEAD) -> None:
        """Remove a unit and its commander from the map for good (Y-46, Y-70)."""
        staff = self.commander_with(key)
        self.update_unit(key, at=to, bow="", marked=0, still=0)
        if staff:
            self.update_unit(staff, at=to, attached="", tied=False)

    def has_lost_commander(self, nation: str) -> bool:
        """Return whether a nation has lost its commander (Y-47)."""
        return self.units[commander_of(nation).key].at == DEAD

    def is_redoubt(self, name: str) -> bool:
        """Return whether a hex has a redoubt, printed or built (Y-37)."""
        return name in self.redoubts or hexes()[name].feature == REDOUBT

    def is_fort(self, name: str) -> bool:
        """Return whether a hex is a fort hex, in a town or with a redoubt."""
        return self.is_redoubt(name) or hexes()[name].terrain is HexTerrain.TOWN

    def fort_of(self, name: str) -> frozenset[str]:
        """Return all hexes of the fort that a hex belongs to, or an empty set."""
        if self.is_redoubt(name):
            return frozenset({name})
        found = hexes()[name]
        return frozenset(town_hexes(found.feature) if found.terrain is HexTerrain.TOWN else ())

    def walls_on(self, name: str, other: str) -> list[str]:
        """Return the fort hexes that own a wall between two adjacent hexes."""
        side = side_to(name, other)
        if side is None:
            return []
        owners = []
        for each, towards in ((name, side), (other, opposite(side))):
            if each in self.redoubts or towards in hexes()[each].walls:
                owners.append(each)
        return owners

    def is_wall_near(self, name: str, fort: Iterable[str]) -> bool:
        """Return whether a hex adjoins a wall of a fort, from outside or inside."""
        return any(hex_ in self.walls_on(name, hex_) for hex_ in fort if hex_ in NEIGHBOURS[name])

    def is_road(self, name: str, other: str) -> bool:
        """Return whether a road crosses the side between two adjacent hexes."""
        return side_to(name, other) in hexes()[name].roads

    def cost(self, name: str, other: str) -> int:
        """Return the movement points of a step (Y-23)."""
        return 1 if self.is_road(name, other) else COSTS[hexes()[other].terrain]

    def has_room(self, name: str, side: str) -> bool:
        """Return whether a combat unit of a side may stop in a hex (Y-24).

        The hex must be empty, or a redoubt with fewer than two combat units and no enemy.
        """
        there = self._in.get(name, ())
        if not there:
            return True
        if not self.is_redoubt(name) or any(counters()[key].side != side for key in there):
            return False
        return len(self.units_in(name)) < IN_REDOUBT

    def is_free(self, name: str) -> bool:
        """Return whether a hex is empty."""
        return not self._in.get(name)

    def zone_owners(self, name: str, side: str) -> list[str]:
        """Return the units not of a side in whose zone of control a hex lies (Y-28)."""
        owners = []
        for other in neighbours(name):
            for key in self._in.get(other, ()):
                counter = counters()[key]
                if counter.side == side or not counter.kind.attacks:
                    continue
                if not self.is_redoubt(other) and not self.walls_on(name, other):
                    owners.append(key)
        return owners

    def must_fight(self, side: str) -> list[str]:
        """Return a side's units in an enemy zone, which must attack (Y-64)."""
        return sort_keys(
            counter.key
            for counter, unit in self.on_map(side)
            if counter.kind.attacks and self.zone_owners(unit.at, side)
        )

    def to_be_fought(self, side: str) -> list[str]:
        """Return the enemies with such units in their zone, sorted by hex (Y-64)."""
        found = {
            owner
            for key in self.must_fight(side)
            for owner in self.zone_owners(self.units[key].at, side)
        }
        return sorted(found, key=lambda key: self.units[key].at)

    @property
    def enemy(self) -> str:
        """Side whose turn it is not."""
        return enemy_of(self.side)
