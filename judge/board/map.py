"""Maps of provinces: terrain, borders, centres, powers. Frozen once loaded; no units here."""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple


class Terrain(Enum):
    """What a province is made of; off-board boxes are named for what they act as."""

    LAND = "land"
    COAST = "coast"
    SEA = "sea"
    BOX_SEA = "box-sea"
    BOX_COAST = "box-coast"
    BOX_INLAND = "box-inland"
    SHUT = "shut"

    @cached_property
    def takes_armies(self) -> bool:
        """Armies may stand here."""
        return self in (Terrain.LAND, Terrain.COAST, Terrain.BOX_COAST, Terrain.BOX_INLAND)

    @cached_property
    def takes_fleets(self) -> bool:
        """Fleets may stand here."""
        return self in (Terrain.COAST, Terrain.SEA, Terrain.BOX_SEA, Terrain.BOX_COAST)

    @cached_property
    def may_convoy(self) -> bool:
        """Fleets standing here may convoy: at sea only, never on a coast, boxes D and G too."""
        return self in (Terrain.SEA, Terrain.BOX_SEA)

    @cached_property
    def is_coastal(self) -> bool:
        """Armies may board and land here."""
        return self in (Terrain.COAST, Terrain.BOX_COAST)


class Province(NamedTuple):
    """One area of the board; `coasts` is empty or names its separate coasts ("nc", "sc")."""

    abbr: str
    name: str
    terrain: Terrain
    is_centre: bool
    home: str
    """The power whose home centre it is, or empty."""
    coasts: tuple[str, ...]
    aliases: tuple[str, ...]


class Power(NamedTuple):
    """A side of the game."""

    name: str
    letter: str
    adjective: str
    words: tuple[str, ...] = ()


class UnitKind(Enum):
    """Army or fleet."""

    ARMY = "A"
    FLEET = "F"

    # Units are looked up often, and an enum's own hash is slow.
    __hash__ = object.__hash__

    @property
    def title(self) -> str:
        """Return "Army" or "Fleet"."""
        return _TITLES[self]


ARMY, FLEET = UnitKind.ARMY, UnitKind.FLEET
_LETTERS = {kind: kind.value for kind in UnitKind}
_TITLES = {kind: kind.name.capitalize() for kind in UnitKind}
# By these names where it counts: Python looks up an enum's member five times slower than a name.


class Unit(NamedTuple):
    """A unit and where it stands; fleets on a province with coasts name the coast.

    >>> str(Unit(UnitKind.FLEET, "StP/sc"))
    'F STP/SC'
    """

    kind: UnitKind
    place: str

    def __str__(self) -> str:
        return f"{_LETTERS[self.kind]} {self.place.upper()}"

    @property
    def province(self) -> str:
        """Return the province it stands in."""
        # As `province_of` does, which would cost a call: it is asked some hundred times a mail.
        place = self.place
        return place.partition("/")[0] if "/" in place else place


def province_of(place: str) -> str:
    """Return the province of a place.

    >>> province_of("StP/nc"), province_of("Bur")
    ('StP', 'Bur')
    """
    return place.partition("/")[0] if "/" in place else place


@dataclass(frozen=True, slots=True)
class Station:
    """What a map knows of a unit where it stands, whatever else is on the board."""

    unit: Unit
    province: str
    rank: int
    """Where it comes when units are listed: armies, then fleets, by abbreviation."""
    reach: Mapping[str, tuple[Unit, ...]]
    """Province it reaches without a convoy → itself there (twice where a coast must be named)."""
    there: Mapping[str, Unit]
    """The same by the places themselves, their coasts named."""


@dataclass(frozen=True)
class Map:
    """A board. Places are written as in its tables: "Bur", "StP/nc"."""

    name: str
    title: str
    provinces: Mapping[str, Province]
    """By abbreviation, in table order."""
    powers: tuple[Power, ...]
    walk: Mapping[str, frozenset[str]]
    """Province → provinces an army reaches; every province that takes armies has an entry."""
    sail: Mapping[str, Mapping[str, tuple[str, ...]]]
    """Place of a fleet → province reached → places there (two where the coast must be named)."""
    start: Mapping[str, tuple[Unit, ...]]
    coast_spellings: Mapping[str, tuple[str, ...]]
    """Place with a coast → further spellings, lower case ("jor/sc" for Jor/wc)."""
    first_year: int
    victory: int
    quiet_falls: int
    icebreaker: str
    """Province whose coast is closed to fleets under NO ICEBREAKER, or empty."""
    first_phase: str = ""
    """The label of the phase a game begins in; empty: Spring of the first year."""
    owners: Mapping[str, str] = field(default_factory=dict)
    """Supply centre → the power that owns it when a game begins; empty: all own their homes."""
    drawn_as: str = ""
    """The map whose shapes and regions it has; empty: its own."""
    builds: str = "home"
    """Where its powers build, where a game does not say so: as `Rules.builds`."""
    coastal_convoys: bool = False
    """Fleets in coastal provinces convoy too, but in those with two coasts."""

    # What is kept of a map (a sheet read against it) is looked up by the map itself.
    __hash__ = object.__hash__

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """All supply centres."""
        return tuple(p.abbr for p in self.provinces.values() if p.is_centre)

    @cached_property
    def coastal(self) -> frozenset[str]:
        """All provinces where armies may board and land."""
        return frozenset(p.abbr for p in self.provinces.values() if p.terrain.is_coastal)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """A small integer for each province, in table order."""
        return {abbr: n for n, abbr in enumerate(self.provinces)}

    @cached_property
    def ranks(self) -> Mapping[Unit, int]:
        """Where each unit comes when units are listed: armies, then fleets, by abbreviation."""
        places = {*self.provinces, *self.sail}
        units = [Unit(kind, place) for kind in UnitKind for place in places]
        return {unit: rank for rank, unit in enumerate(sorted(units, key=str))}

    @cached_property
    def stations(self) -> Mapping[Unit, Station]:
        """Every unit that may stand on the map, by place and kind, and where it reaches."""
        found: dict[Unit, Station] = {}
        for unit, rank in self.ranks.items():
            ways = self.sail.get(unit.place, {})
            if unit.kind is ARMY:
                ways = {goal: (goal,) for goal in self.walk.get(unit.province, ())}
            reach = {
                goal: tuple(Unit(unit.kind, place) for place in places)
                for goal, places in ways.items()
            }
            there = {one.place: one for places in reach.values() for one in places}
            found[unit] = Station(unit, unit.province, rank, reach, there)
        return found

    @cached_property
    def near(self) -> Mapping[str, frozenset[str]]:
        """Province → provinces beside it by land or water, its coasts taken together."""
        beside = {abbr: set(self.walk.get(abbr, ())) for abbr in self.provinces}
        for place, goals in self.sail.items():
            beside[province_of(place)].update(goals)
        return {abbr: frozenset(found) for abbr, found in beside.items()}

    @cached_property
    def seas_beside(self) -> Mapping[str, int]:
        """Province → bitset (by `index`) of where fleets convoy that touch any coast of it."""
        bits = {abbr: 0 for abbr in self.provinces}
        for place, goals in self.sail.items():
            for goal in goals:
                if self.may_convoy(goal):
                    bits[province_of(place)] |= 1 << self.index[goal]
        return bits

    def may_convoy(self, province: str) -> bool:
        """Tell whether a fleet in a province may convoy."""
        found = self.provinces[province]
        if self.coastal_convoys and found.terrain.is_coastal and len(found.coasts) < 2:
            return True
        return found.terrain.may_convoy

    def fleet_places(self, province: str) -> tuple[str, ...]:
        """Return where in a province a fleet can stand: its coasts, itself, or nowhere.

        Provinces closed to fleets have no places.
        """
        found = self.provinces[province]
        if not found.terrain.takes_fleets:
            return ()
        return tuple(f"{province}/{coast}" for coast in found.coasts) or (province,)

    @cached_property
    def sea_bit(self) -> Mapping[str, int]:
        """Province → itself as a bitset (by `index`) if fleets may convoy there, else none."""
        return {
            abbr: 1 << number if self.may_convoy(abbr) else 0
            for abbr, number in self.index.items()
        }

    def sea_bits(self, provinces: Iterable[str]) -> int:
        """Return the bitset of those provinces, each given once, where fleets may convoy."""
        bit = self.sea_bit
        return sum([bit[abbr] for abbr in provinces])

    def joins(self, start: str, goal: str, fleets: int) -> bool:
        """Tell whether convoying fleets on these seas (a bitset) join two coastal provinces.

        Only connection counts, so several routes need no rule (DATC 4.A.1 b). A fleet at the goal
        is no part of the way there.
        """
        fleets &= ~self.sea_bit[goal]
        beside = self.beside_by_index
        goal_bits = self.seas_beside[goal]
        reached = self.seas_beside[start] & fleets
        todo = reached
        while todo:
            if reached & goal_bits:
                return True
            low = todo & -todo
            todo ^= low
            new = beside[low.bit_length() - 1] & fleets & ~reached
            reached |= new
            todo |= new
        return False

    @cached_property
    def all_seas(self) -> int:
        """All provinces where fleets may convoy, as `joins` takes them."""
        return self.sea_bits(self.provinces)

    @cached_property
    def beside_by_index(self) -> tuple[int, ...]:
        """`seas_beside` by the province's index."""
        return tuple(self.seas_beside[abbr] for abbr in self.provinces)

    def listed(self, units: Collection[Unit]) -> tuple[Unit, ...]:
        """Return units as they are always listed: armies, then fleets, by abbreviation."""
        return tuple(sorted(units, key=self.ranks.__getitem__)) if units else ()

    def power(self, name: str) -> Power:
        """Return a power by its full name.

        Raises:
            KeyError: the map has no such power.
        """
        for power in self.powers:
            if power.name == name:
                return power
        raise KeyError(name)

    def place_name(self, place: str) -> str:
        """Return a place in words, as nJudge's reports write it: "St Petersburg (north coast)"."""
        abbr, _, coast = place.partition("/")
        name = self.provinces[abbr].name
        return f"{name} ({COAST_NAMES[coast]})" if coast else name


COAST_NAMES: Mapping[str, str] = {
    "nc": "north coast",
    "sc": "south coast",
    "ec": "east coast",
    "wc": "west coast",
}
