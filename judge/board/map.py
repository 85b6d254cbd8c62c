"""Maps of provinces: terrain, borders, centres, powers.

A map is frozen once loaded. It contains no units except those of the opening.
"""

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import Enum
from functools import cached_property
from typing import NamedTuple


class Terrain(Enum):
    """Terrain of a province.

    Off-board boxes are named for the terrain they act as.
    """

    LAND = "land"
    COAST = "coast"
    PORT = "port"
    SEA = "sea"
    BOX_SEA = "box-sea"
    BOX_COAST = "box-coast"
    BOX_INLAND = "box-inland"
    SHUT = "shut"

    @cached_property
    def takes_armies(self) -> bool:
        """True if armies can be here."""
        return self in (
            Terrain.LAND, Terrain.COAST, Terrain.PORT, Terrain.BOX_COAST, Terrain.BOX_INLAND
        )

    @cached_property
    def takes_fleets(self) -> bool:
        """True if fleets can be here."""
        return self in (
            Terrain.COAST, Terrain.PORT, Terrain.SEA, Terrain.BOX_SEA, Terrain.BOX_COAST
        )

    @cached_property
    def may_convoy(self) -> bool:
        """True if fleets here may convoy: at sea and in ports, boxes D and G included.

        Never on another coast.
        """
        return self in (Terrain.SEA, Terrain.PORT, Terrain.BOX_SEA)

    @cached_property
    def is_coastal(self) -> bool:
        """True if armies may board and land here."""
        return self in (Terrain.COAST, Terrain.PORT, Terrain.BOX_COAST)


class Province(NamedTuple):
    """One area of the board.

    `coasts` is empty or names its separate coasts ("nc", "sc").
    """

    abbr: str
    name: str
    terrain: Terrain
    is_centre: bool
    home: str
    """The power whose home centre it is, or an empty string."""
    coasts: tuple[str, ...]
    aliases: tuple[str, ...]


class Power(NamedTuple):
    """A side of the game."""

    name: str
    letter: str
    adjective: str
    words: tuple[str, ...] = ()
    colour: int | None = None
    """Colour of the palette, or None if the map leaves it to the judge."""
    plays: bool = True
    """False for a neutral power, which no player has and whose units hold."""


class Calendar(NamedTuple):
    """Words of a map for its turns. Labels of phases never contain them."""

    spring: str = ""
    """Name of the first turn of a year, or empty for "Spring"."""
    fall: str = ""
    era: str = ""
    """"BC", "AD" or empty."""
    first_year: int = 0

    def year_in_era(self, year: int) -> tuple[int, str]:
        """Return the year as people say it, and its era.

        Years before Christ count down. No year is called 0.

        >>> Calendar(era="BC", first_year=2).year_in_era(3), Calendar().year_in_era(1901)
        ((1, 'BC'), (1901, ''))
        >>> Calendar(era="BC", first_year=2).year_in_era(4)
        (1, 'AD')
        """
        if self.era != "BC":
            return year, self.era
        before = 2 * self.first_year - year
        return (before, "BC") if before > 0 else (1 - before, "AD")

    def year_in_labels(self, number: int, era: str) -> int:
        """Return the year in labels of a year as people say it.

        >>> Calendar(era="BC", first_year=2).year_in_labels(1, "BC")
        3
        >>> Calendar(era="BC", first_year=2).year_in_labels(1, "AD")
        4
        """
        if self.era != "BC":
            return number
        return 2 * self.first_year + (number - 1 if era == "AD" else -number)

    def year_label(self, year: int) -> str:
        """Return a year in tables: "1901", or "44 BC" where the map has an era."""
        number, era = self.year_in_era(year)
        return f"{number} {era}".rstrip()


class MapTexts(NamedTuple):
    """Texts about a map by its author. Each may be empty."""

    author: str = ""
    source: str = ""
    licence: str = ""
    about: str = ""
    about_de: str = ""


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
# Aliases for hot code: looking up an enum's member takes five times as long as a name.


class Unit(NamedTuple):
    """A unit and its place.

    Fleets in a province with coasts name the coast.

    >>> str(Unit(UnitKind.FLEET, "StP/sc"))
    'F STP/SC'
    """

    kind: UnitKind
    place: str

    def __str__(self) -> str:
        return f"{_LETTERS[self.kind]} {self.place.upper()}"

    @property
    def province(self) -> str:
        """Return the province of its place."""
        # This repeats `province_of` to save a call: it runs some hundred times a mail.
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
    """Facts of a map about a unit at its place, independent of all other units."""

    unit: Unit
    province: str
    rank: int
    """Position in lists of units: armies, then fleets, by abbreviation."""
    reach: Mapping[str, tuple[Unit, ...]]
    """Province reached without a convoy → the unit there (two on two coasts)."""
    there: Mapping[str, Unit]
    """Place reached, coasts included → the unit there."""


@dataclass(frozen=True)
class Map:
    """A board.

    Places are spelt as in its tables: "Bur", "StP/nc".
    """

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
    """Label of the phase a game begins in."""
    owners: Mapping[str, str] = field(default_factory=dict)
    """Supply centre → its first owner."""
    drawn_as: str = ""
    """The map whose shapes and regions it uses. Empty: its own."""
    builds: str = "home"
    """Default of `Rules.builds`: the centres where powers build."""
    coastal_convoys: bool = False
    """True if fleets in coastal provinces convoy too.

    Except in provinces with two coasts.
    """
    calendar: Calendar = Calendar()
    texts: MapTexts = MapTexts()
    positions: Mapping[str, tuple[float, float]] = field(default_factory=dict)
    """Province → its position on a picture of nodes and lines, as far as the map gives it."""

    # Caches are keyed by the map itself, so hashing goes by identity.
    __hash__ = object.__hash__

    @cached_property
    def centres(self) -> tuple[str, ...]:
        """All supply centres."""
        return tuple(p.abbr for p in self.provinces.values() if p.is_centre)

    @cached_property
    def neutral(self) -> frozenset[str]:
        """The powers that no player has."""
        return frozenset(power.name for power in self.powers if not power.plays)

    @cached_property
    def coastal(self) -> frozenset[str]:
        """All provinces where armies may board and land."""
        return frozenset(p.abbr for p in self.provinces.values() if p.terrain.is_coastal)

    @cached_property
    def index(self) -> Mapping[str, int]:
        """Province → a small integer, in table order."""
        return {abbr: n for n, abbr in enumerate(self.provinces)}

    @cached_property
    def ranks(self) -> Mapping[Unit, int]:
        """Unit → its position in lists: armies, then fleets, by abbreviation."""
        places = {*self.provinces, *self.sail}
        units = [Unit(kind, place) for kind in UnitKind for place in places]
        return {unit: rank for rank, unit in enumerate(sorted(units, key=str))}

    @cached_property
    def stations(self) -> Mapping[Unit, Station]:
        """Unit → its facts, for every place and kind a unit can have on the map."""
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
        """Province → provinces next to it by land or water, its coasts taken together."""
        beside = {abbr: set(self.walk.get(abbr, ())) for abbr in self.provinces}
        for place, goals in self.sail.items():
            beside[province_of(place)].update(goals)
        return {abbr: frozenset(found) for abbr, found in beside.items()}

    @cached_property
    def seas_beside(self) -> Mapping[str, int]:
        """Province → bitset (by `index`) of the convoy provinces next to it.

        These are the provinces where fleets may convoy that touch any of its coasts.
        """
        bits = {abbr: 0 for abbr in self.provinces}
        for place, goals in self.sail.items():
            for goal in goals:
                if self.may_convoy(goal):
                    bits[province_of(place)] |= 1 << self.index[goal]
        return bits

    def may_convoy(self, province: str) -> bool:
        """Return whether a fleet in a province may convoy."""
        found = self.provinces[province]
        if self.coastal_convoys and found.terrain.is_coastal and len(found.coasts) < 2:
            return True
        return found.terrain.may_convoy

    def fleet_places(self, province: str) -> tuple[str, ...]:
        """Return the places in a province for a fleet: its coasts or itself.

        Provinces closed to fleets have no places.
        """
        found = self.provinces[province]
        if not found.terrain.takes_fleets:
            return ()
        return tuple(f"{province}/{coast}" for coast in found.coasts) or (province,)

    @cached_property
    def sea_bit(self) -> Mapping[str, int]:
        """Province → its bit (by `index`) if fleets may convoy there, else 0."""
        return {
            abbr: 1 << number if self.may_convoy(abbr) else 0
            for abbr, number in self.index.items()
        }

    def sea_bits(self, provinces: Iterable[str]) -> int:
        """Return the bitset of the provinces where fleets may convoy.

        Each province must be given once.
        """
        bit = self.sea_bit
        return sum([bit[abbr] for abbr in provinces])

    def joins(self, start: str, goal: str, fleets: int) -> bool:
        """Return whether fleets can convoy from one coastal province to another.

        `fleets` is the bitset of the provinces with convoying fleets. Only connection counts, so
        several routes need no rule (DATC 4.A.1 b). A fleet in the goal is not part of a route to
        it.
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
        """Bitset of all provinces where fleets may convoy, as `joins` takes it."""
        return self.sea_bits(self.provinces)

    @cached_property
    def beside_by_index(self) -> tuple[int, ...]:
        """`seas_beside` by the province's index."""
        return tuple(self.seas_beside[abbr] for abbr in self.provinces)

    def sort_units(self, units: Collection[Unit]) -> tuple[Unit, ...]:
        """Return units in list order: armies, then fleets, by abbreviation."""
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
        """Return a place in words: "St Petersburg (north coast)".

        nJudge's reports use this form.
        """
        abbr, _, coast = place.partition("/")
        name = self.provinces[abbr].name
        return f"{name} ({COAST_NAMES[coast]})" if coast else name


COAST_NAMES: Mapping[str, str] = {
    "nc": "north coast",
    "sc": "south coast",
    "ec": "east coast",
    "wc": "west coast",
}
