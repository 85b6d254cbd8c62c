"""Tables of the scenario "Alternate Europe, 1940" as values (N-1, N-96).

Land provinces are numbers, sea regions ids such as "S16". Mountains have no links and no part in
the rules. A technology or a trait is a list of effects on the keys of `BASE`.
"""

import csv
import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache, cached_property, lru_cache
from importlib.resources import files
from typing import NamedTuple

from judge.digits import is_number
from judge.errors import DataError
from judge.games.nations1940.presets import board_of

Node = int | str
"""A land province by its number, or a sea region by its id."""

LAND, PASS, CROSSING = "land", "mountain-pass", "water-crossing"

KINDS: Mapping[str, str] = {
    "RAI": "Railroad",
    "ACA": "Academy",
    "FOR": "Fortifications",
    "POR": "Port",
    "HQ": "Military HQ",
    "AIR": "Airfield",
    "AAB": "AA Batteries",
    "FAC": "Factory",
    "SIL": "Missile Silo",
}
"""Code → kind of improvement, in the order of the table of N-96."""

GOVERNMENTS = ("Monarchy", "Republic", "Dictatorship")

BASE: Mapping[str, int] = {
    "army_move": 1, "rail_move": 3, "fleet_move": 1, "escort_capacity": 1, "air_range": 1,
    "air_bonus": 1, "intercepts": 1, "aa_chance": 40, "missile_aa_chance": 0, "pass_penalty": -1,
    "att_army": 0, "def_army": 0, "army_cap": 0, "mobile_hq": 0, "fleet_att": 0, "fleet_def": 0,
    "pi": 0, "rp": 0, "rp_per_academy": 0, "atomic_bombs": 0, "missiles": 0, "win": 0, "none": 0,
    "epidemic_kill": 40, "epidemic_end": 20,
}  # fmt: skip
"""Values of a nation without any technology (scenario, section 4)."""


class ProvinceInfo(NamedTuple):
    """A province with its number, name, start and label point."""

    number: int
    name: str
    populous: bool
    neutral: bool
    lon: float
    lat: float


class Sea(NamedTuple):
    """A sea region."""

    id: str
    name: str
    lon: float
    lat: float


class NationStart(NamedTuple):
    """A nation at the start of a game."""

    code: str
    name: str
    government: str
    capital: int
    provinces: tuple[int, ...]
    improvements: Mapping[int, frozenset[str]]
    armies: Mapping[int, int]
    fleets: Mapping[int, int]


class Effect(NamedTuple):
    """One effect: its key, its operator (`+=`, `=`, `/=`, `*=`) and its amount."""

    key: str
    how: str
    by: int


class Tech(NamedTuple):
    """A technology."""

    category: str
    name: str
    cost: int
    requires: tuple[str, ...]
    effects: tuple[Effect, ...]


class RandomEvent(NamedTuple):
    """A row of the table of random events, for a d100 from `low` to `high` (N-139)."""

    low: int
    high: int
    name: str


class Trait(NamedTuple):
    """A trait that a player may choose, with its points in the sum (N-140)."""

    name: str
    effects: tuple[Effect, ...]
    points: int


@dataclass(frozen=True)
class Scenario:
    """All tables of a scenario."""

    lands: Mapping[int, ProvinceInfo]
    seas: Mapping[str, Sea]
    roads: Mapping[int, Mapping[int, str]]
    """Province → its neighbours by land → the type of the link."""
    waters: Mapping[Node, frozenset[Node]]
    """Province or sea region → places joined to it by a `sea` link."""
    passes: Mapping[tuple[int, int], str]
    """Names of passes and crossings, the lower number first."""
    nations: Mapping[str, NationStart]
    techs: Mapping[str, Tech]
    events: tuple[RandomEvent, ...]
    traits: Mapping[str, Trait]

    def __hash__(self) -> int:
        return id(self)

    def name(self, place: Node) -> str:
        """Return the name of a place."""
        return self.lands[place].name if isinstance(place, int) else self.seas[place].name

    def coasts(self, province: int) -> tuple[str, ...]:
        """Return the sea regions next to a province, empty if it is inland (N-1)."""
        near = sorted(self.waters.get(province, ()), key=in_order)
        return tuple(sea for sea in near if isinstance(sea, str))

    @cached_property
    def links(self) -> Mapping[Node, tuple[Node, ...]]:
        """All links by land and sea, for the range of an Airfield (N-75)."""
        found: dict[Node, tuple[Node, ...]] = {}
        places: tuple[Node, ...] = (*self.lands, *self.seas)
        for place in places:
            near: set[Node] = set(self.waters.get(place, ()))
            near |= set(self.roads.get(place, {})) if isinstance(place, int) else set()
            found[place] = tuple(sorted(near, key=in_order))
        return found

    @lru_cache(maxsize=1024)
    def within(self, place: Node, steps: int) -> frozenset[Node]:
        """Return all places at most *steps* links away, including the place itself."""
        found = edge = {place}
        for _ in range(steps):
            edge = {near for one in edge for near in self.links[one]} - found
            found = found | edge
        return frozenset(found)

    @property
    def majority(self) -> int:
        """Number of provinces for domination: half of all, and one (N-10)."""
        return len(self.lands) // 2 + 1


def format_node(place: Node) -> str:
    """Return a place in the form used in orders.

    >>> format_node(20), format_node("S16")
    ('#20', 'S16')
    """
    return f"#{place}" if isinstance(place, int) else place


def in_order(place: Node) -> tuple[bool, int]:
    """Return the sort key of a place: provinces by number, then sea regions (N-17).

    >>> sorted(["S10", 20, "S9", 3], key=in_order)
    [3, 20, 'S9', 'S10']
    """
    return isinstance(place, str), int(str(place).lstrip("S"))


@cache
def scenario(name: str) -> Scenario:
    """Return a scenario, cached.

    Raises:
        DataError: there is no scenario of that name, or a row is invalid.
    """
    if board_of(name) != name:
        return scenario(board_of(name))
    try:
        rows = {table: _rows(name, table) for table in _TABLES}
        return _scenario(rows)
    except (OSError, KeyError, ValueError) as fault:
        raise DataError(f"scenario {name}: {fault!r}") from fault


_TABLES = ("provinces", "adjacency", "nations", "tech", "events", "traits")

_Rows = list[dict[str, str]]


def _rows(name: str, table: str) -> _Rows:
    file = files("judge.games.nations1940") / "maps" / name / f"{table}.tsv"
    return list(csv.DictReader(file.read_text(encoding="utf-8").splitlines(), delimiter="\t"))


def _scenario(rows: Mapping[str, _Rows]) -> Scenario:
    roads: dict[int, dict[int, str]] = {}
    waters: dict[Node, set[Node]] = {}
    passes = {}
    for row in rows["adjacency"]:
        a, b = _node(row["a"]), _node(row["b"])
        if isinstance(a, int) and isinstance(b, int):
            roads.setdefault(a, {})[b] = row["type"]
            roads.setdefault(b, {})[a] = row["type"]
            if row["note"]:
                passes[a, b] = row["note"]
        else:
            waters.setdefault(a, set()).add(b)
            waters.setdefault(b, set()).add(a)
    provinces = rows["provinces"]
    return Scenario(
        lands={int(row["number"]): _land(row) for row in provinces if row["kind"] == "land"},
        seas={
            row["number"]: Sea(row["number"], row["name"], float(row["lon"]), float(row["lat"]))
            for row in provinces
            if row["kind"] == "sea"
        },
        roads=roads,
        waters={place: frozenset(near) for place, near in waters.items()},
        passes=passes,
        nations={row["nation"]: _start(row) for row in rows["nations"]},
        techs={row["name"]: _tech(row) for row in rows["tech"]},
        events=tuple(
            RandomEvent(int(row["low"]), int(row["high"]), row["name"]) for row in rows["events"]
        ),
        traits={
            row["name"]: Trait(row["name"], _effects(row["effect"]), int(row["points"]))
            for row in rows["traits"]
        },
    )


def _node(text: str) -> Node:
    return int(text) if is_number(text) else text


def _land(row: Mapping[str, str]) -> ProvinceInfo:
    return ProvinceInfo(
        int(row["number"]), row["name"], row["populous"] == "1", row["neutral"] == "1",
        float(row["lon"]), float(row["lat"]),
    )  # fmt: skip


def _start(row: Mapping[str, str]) -> NationStart:
    return NationStart(
        row["nation"],
        row["name"],
        row["government"],
        int(row["capital"]),
        tuple(map(int, row["provinces"].split())),
        {at: frozenset(kinds.split(",")) for at, kinds in _parts(row["improvements"])},
        {at: int(count) for at, count in _parts(row["armies"])},
        {at: int(count) for at, count in _parts(row["fleets"])},
    )


def _parts(text: str) -> list[tuple[int, str]]:
    found = []
    for part in text.split(";"):
        at, _, what = part.partition(":")
        found.append((int(at), what))
    return found


def _tech(row: Mapping[str, str]) -> Tech:
    needs = tuple(filter(None, row["requires"].split(";")))
    return Tech(row["category"], row["name"], int(row["cost"]), needs, _effects(row["effect"]))


_EFFECT = re.compile(r"(\w+)(\+=|/=|\*=|=)(-?[0-9]+)")


def _effects(text: str) -> tuple[Effect, ...]:
    found = []
    for part in text.split(";"):
        shape = _EFFECT.fullmatch(part)
        if shape is None or shape[1] not in BASE:
            raise ValueError(f"no effect: {part!r}")
        found.append(Effect(shape[1], shape[2], int(shape[3])))
    return tuple(found)


def strengths(effects: tuple[Effect, ...]) -> dict[str, int]:
    """Return the values of `BASE` changed by effects.

    `=` effects take the best value, then `+=` effects add to it (N-91).
    """
    found = dict(BASE)
    for key, how, by in sorted(effects, key=lambda effect: effect.how != "="):
        match how:
            case "=":
                found[key] = max(found[key], by)
            case "+=":
                found[key] += by
            case "*=":
                found[key] *= by
            case "/=":
                found[key] //= by
    return found
