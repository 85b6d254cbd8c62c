"""Printed map, counters and tables, read from the package's data files."""

import csv
from collections.abc import Iterator, Mapping
from enum import Enum
from functools import cache
from importlib.resources import files
from typing import NamedTuple

from judge.games.yorktown.rules.hexes import SIDES, neighbours

YORKTOWN = "Yorktown"
GLOUCESTER = "Gloucester"
REDOUBT = "redoubt"
FA, AP = "FA", "AP"
SIDE_NAMES = (FA, AP)


def enemy_of(side: str) -> str:
    """Return the other side.

    >>> enemy_of("FA")
    'AP'
    """
    return AP if side == FA else FA


class HexTerrain(Enum):
    """Terrain of a hex (Y-3)."""

    CLEAR = "clear"
    WOODS = "woods"
    MARSH = "marsh"
    SHORE = "shore"
    RIVER = "river"
    TOWN = "town"


COSTS = {
    HexTerrain.CLEAR: 1, HexTerrain.SHORE: 1, HexTerrain.TOWN: 1, HexTerrain.WOODS: 2,
    HexTerrain.MARSH: 3,
}
"""Movement points to enter a hex (Y-23)."""


class Hex(NamedTuple):
    """A printed hex: terrain, sides with a road or a wall, and its town or redoubt."""

    name: str
    terrain: HexTerrain
    roads: frozenset[int]
    walls: frozenset[int]
    feature: str
    title: str
    label: str
    """Position of the name in a picture, relative to the middle: below, above, left or right.
    Empty if the picture shows no name."""
    edge: str
    """Edge by which a road leaves the map: "W", "E", "S" or "N", or an empty string."""


class CounterKind(Enum):
    """Type of a counter (Y-7)."""

    INF = "INF"
    CAV = "CAV"
    PIO = "PIO"
    ART = "ART"
    CMD = "CMD"
    FRIG = "FRIG"

    @property
    def is_combat(self) -> bool:
        """True if it is a combat unit, neither a commander nor a frigate."""
        return self not in (CounterKind.CMD, CounterKind.FRIG)

    @property
    def attacks(self) -> bool:
        """True if it may attack and has a zone of control (Y-8)."""
        return self in (CounterKind.INF, CounterKind.CAV, CounterKind.PIO)


class Counter(NamedTuple):
    """A printed counter. *name* is the name of the formation or of the person."""

    key: str
    side: str
    nation: str
    kind: CounterKind
    order_id: str
    name: str
    combat: int
    move: int
    shots: int
    setup: str

    @property
    def number(self) -> int:
        """Number in the order id."""
        return int(self.order_id.split()[1])


def key_of(side: str, order_id: str) -> str:
    """Return the key of a counter.

    >>> key_of("FA", "INF 3")
    'FA-INF3'
    """
    return f"{side}-{order_id.replace(' ', '')}"


class CombatRow(NamedTuple):
    """A row of the combat table.

    *least* is the lowest differential of the row, *results* has one result for each die.
    """

    least: int
    results: tuple[str, ...]


@cache
def hexes() -> Mapping[str, Hex]:
    """Return all hexes by name."""
    return {
        row["hex"]: Hex(
            row["hex"], HexTerrain(row["terrain"]), _sides(row["roads"]), _sides(row["walls"]),
            _read_cell(row["feature"]), _read_cell(row["name"]), _read_cell(row["label"]),
            _read_cell(row["edge"])[:1],
        )
        for row in _rows("map")
    }


@cache
def counters() -> Mapping[str, Counter]:
    """Return all counters by key, in the order of the table."""
    return {
        row["key"]: Counter(
            row["key"], row["side"], row["nation"], CounterKind(row["type"]), row["order_id"],
            row["name"], int(row["combat"]), int(row["move"]), int(row["shots"]), row["setup"],
        )
        for row in _rows("units")
    }


@cache
def counters_of(side: str) -> tuple[Counter, ...]:
    """Return the counters of a side."""
    return tuple(counter for counter in counters().values() if counter.side == side)


@cache
def commander_of(nation: str) -> Counter:
    """Return the commander of a nation (Y-11)."""
    return next(c for c in counters().values() if c.nation == nation and c.kind is CounterKind.CMD)


@cache
def _bands() -> tuple[CombatRow, ...]:
    return tuple(CombatRow(int(row["diff_min"]), _dice_columns(row)) for row in _rows("crt"))


def band_of(differential: int) -> CombatRow:
    """Return the row of the combat table for a differential of -20 or more (Y-63).

    >>> band_of(18).results[3], band_of(200).results[0]
    ('D2', 'D2')
    """
    return [band for band in _bands() if band.least <= differential][-1]


@cache
def hits_at(distance: int) -> tuple[int, ...]:
    """Return the hits of one shot at a range in hexes, for each die (Y-39).

    >>> hits_at(6)
    (0, 1, 2, 2, 3, 5)
    """
    row = next(row for row in _rows("artillery-crt") if int(row["range"]) == distance)
    return tuple(map(int, _dice_columns(row)))


@cache
def town_hexes(town: str) -> tuple[str, ...]:
    """Return the hexes of Yorktown or Gloucester Point."""
    return tuple(each.name for each in hexes().values() if each.feature == town)


@cache
def north_bank() -> frozenset[str]:
    """Return the land hexes north of the river."""
    from_north: set[str] = set()
    waiting = ["1605"]
    while waiting:
        name = waiting.pop()
        if name not in from_north:
            from_north.add(name)
            waiting.extend(
                o for o in neighbours(name) if hexes()[o].terrain is not HexTerrain.RIVER
            )
    return frozenset(from_north)


def _dice_columns(row: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(row[f"d{die}"] for die in range(1, 7))


def _read_cell(cell: str) -> str:
    return "" if cell == "-" else cell


def _sides(cell: str) -> frozenset[int]:
    return frozenset(() if cell == "-" else map(SIDES.index, cell.split(",")))


def _rows(table: str) -> Iterator[Mapping[str, str]]:
    text = files("judge.games.yorktown").joinpath(f"tables/{table}.tsv").read_text("utf-8")
    return csv.DictReader(text.splitlines(), delimiter="\t")
