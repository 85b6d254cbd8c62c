"""Map tables (tab separated text) read into a `Map`; a faulty row is named with its file."""

import csv
from collections.abc import Iterator
from importlib.resources.abc import Traversable

from judge.board.map import Map, Power, Province, Terrain, Unit, UnitKind, province_of
from judge.errors import DataError


def load_map(name: str, folder: Traversable) -> Map:
    """Read provinces, coasts, adjacency, start, powers and map.tsv of one folder.

    Raises:
        DataError: a table is missing, or a row of it cannot be right.
    """
    about = {row["key"]: row["value"] for row in _rows(folder, "map")}
    provinces = {row["abbr"]: _province(row) for row in _rows(folder, "provinces")}
    spellings = {r["abbr"]: tuple(r["aliases"].split(";")) for r in _rows(folder, "coasts")}
    walk, sail = _borders(folder, provinces)
    try:
        return Map(
            name=name,
            title=about["title"],
            provinces=provinces,
            powers=tuple(
                Power(r["power"], r["letter"], r["adjective"], _listed(r["words"], ";"))
                for r in _rows(folder, "powers")
            ),
            walk=walk,
            sail=sail,
            start=_start(folder, provinces),
            coast_spellings=spellings,
            first_year=int(about["first_year"]),
            victory=int(about["victory"]),
            quiet_falls=int(about["quiet_falls"]),
            icebreaker=about["icebreaker"].strip("-"),
        )
    except (KeyError, ValueError) as fault:
        raise DataError(f"map {name}: {fault}") from fault


def _rows(folder: Traversable, table: str) -> Iterator[dict[str, str]]:
    path = folder / f"{table}.tsv"
    try:
        lines = [x for x in path.read_text(encoding="utf-8").splitlines() if x and x[0] != "#"]
    except OSError as fault:
        raise DataError(f"{path}: {fault}") from fault
    for number, row in enumerate(csv.DictReader(lines, delimiter="\t"), 1):
        if None in row or None in row.values():
            raise DataError(f"{path}: row {number} has the wrong number of columns: {row}")
        yield row


def _listed(text: str, separator: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split(separator))


def _province(row: dict[str, str]) -> Province:
    try:
        terrain = Terrain(row["kind"])
    except ValueError as fault:
        raise DataError(f"province {row['abbr']}: {fault}") from fault
    return Province(
        abbr=row["abbr"],
        name=row["name"],
        terrain=terrain,
        is_centre=row["supply_centre"] == "1",
        home=row["home_power"].strip("-"),
        coasts=_listed(row["coasts"], ","),
        aliases=_listed(row["aliases"], ";"),
    )


def _borders(
    folder: Traversable, provinces: dict[str, Province]
) -> tuple[dict[str, frozenset[str]], dict[str, dict[str, tuple[str, ...]]]]:
    """Read the adjacency rows, each of which holds in both directions."""
    walk: dict[str, set[str]] = {p.abbr: set() for p in provinces.values() if p.terrain.takes_armies}
    sail: dict[str, dict[str, tuple[str, ...]]] = {
        place: {}
        for p in provinces.values()
        if p.terrain.takes_fleets
        for place in ([f"{p.abbr}/{c}" for c in p.coasts] or [p.abbr])
    }
    for row in _rows(folder, "adjacency"):
        for here, there in ((row["a"], row["b"]), (row["b"], row["a"])):
            try:
                if row["army"] == "1":
                    walk[here].add(there)
                if row["fleet"] == "1":
                    goals = sail[here]
                    goal = province_of(there)
                    goals[goal] = tuple(sorted({*goals.get(goal, ()), there}))
            except KeyError as fault:
                raise DataError(f"adjacency {row['a']}-{row['b']}: no place {fault}") from fault
    return {abbr: frozenset(found) for abbr, found in walk.items()}, sail


def _start(folder: Traversable, provinces: dict[str, Province]) -> dict[str, tuple[Unit, ...]]:
    units: dict[str, list[Unit]] = {}
    for row in _rows(folder, "start"):
        if province_of(row["location"]) not in provinces:
            raise DataError(f"start: no place {row['location']}")
        units.setdefault(row["power"], []).append(Unit(UnitKind(row["unit"]), row["location"]))
    return {power: tuple(sorted(found, key=str)) for power, found in units.items()}
