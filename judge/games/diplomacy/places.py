"""The board in words: every place, region by region, with its owner and who stands there."""

from collections.abc import Mapping
from functools import cache
from importlib.resources import files

from judge.board.map import Map, Province, Terrain, Unit
from judge.board.mapfile import read_rows
from judge.board.position import Position

Row = Mapping[str, str]


@cache
def regions(map_name: str) -> Mapping[str, tuple[str, ...]]:
    """Return the parts of a map, each with its provinces, as `regions.tsv` has them."""
    rows = read_rows(files(__package__) / "maps" / map_name, "regions")
    return {row["region"]: tuple(row["provinces"].split()) for row in rows}


def place_facts(
    board: Map, position: Position, *, unowned: str = "nobody"
) -> Mapping[str, object]:
    """Return the facts of the whole board: rows of places with something to tell, by region.

    What is neither a centre nor has a unit, and what nobody may enter, is named in one list each.
    `unowned` stands for the owner where none is known.
    """
    standing = _standing(position)
    told = [
        _region(name, [board.provinces[abbr] for abbr in abbrs], standing, position, unowned)
        for name, abbrs in regions(board.name).items()
    ]
    phase = position.phase
    return {
        "title": f"The board in {phase.title} ({phase.kind.title}), region by region",
        "regions": told,
        "shut": [
            _named(province)
            for province in board.provinces.values()
            if province.terrain is Terrain.SHUT
        ],
    }


def _region(
    name: str,
    provinces: list[Province],
    standing: Mapping[str, list[str]],
    position: Position,
    unowned: str,
) -> Mapping[str, object]:
    rows: list[Row] = []
    empty: list[str] = []
    for province in provinces:
        found = list(standing.get(province.abbr, ()))
        if province.abbr in position.contested:
            found.append("closed to retreats")
        if found or province.is_centre:
            rows += _rows(province, position.owners.get(province.abbr, unowned), found)
        elif province.terrain is not Terrain.SHUT:
            empty.append(_named(province))
    return {"name": name, "rows": rows, "empty": empty}


def _rows(province: Province, owner: str, found: list[str]) -> list[Row]:
    """Return the rows of one place: one for each thing that is to be told of it."""
    owned = owner if province.is_centre else ""
    first = {"place": _named(province), "owner": owned, "unit": found[0] if found else "-"}
    return [first, *({"place": "", "owner": "", "unit": more} for more in found[1:])]


def _standing(position: Position) -> Mapping[str, list[str]]:
    """Return who stands in each province; units that must retreat come last."""
    found: dict[str, list[str]] = {}
    for power, units in position.units.items():
        for unit in units:
            found.setdefault(unit.province, []).append(_unit(power, unit))
    for power, beaten in position.dislodged.items():
        for one in beaten:
            told = f"{_unit(power, one.unit)}, dislodged"
            found.setdefault(one.unit.province, []).append(told)
    return found


def _unit(power: str, unit: Unit) -> str:
    _, mark, coast = unit.place.partition("/")
    return f"{power}: {unit.kind.title}{mark}{coast}"


def _named(province: Province) -> str:
    return f"{province.name} ({province.abbr})"
