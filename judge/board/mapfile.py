"""Map tables (tab separated text) read into a `Map`; a faulty row is named with its file."""

import csv
from collections.abc import Iterable
from importlib.resources.abc import Traversable

from judge.board.map import Map, Power, Province, Terrain, Unit, UnitKind, province_of
from judge.board.mapcheck import Row, Tables, check_map, check_tables, spellings_of
from judge.errors import DataError

NAMES = "names-de"
"""What places are called in German; a map may do without."""

COLUMNS = {
    "map": ("key", "value"),
    "provinces": ("abbr", "name", "kind", "supply_centre", "home_power", "coasts", "aliases"),
    "coasts": ("abbr", "name", "aliases"),
    "adjacency": ("a", "b", "army", "fleet"),
    "powers": ("power", "letter", "adjective", "words"),
    "start": ("power", "letter", "unit", "location"),
    "regions": ("region", "provinces"),
    NAMES: ("place", "names"),
}
"""What each table must have; further columns are for drawing and for people."""


def load_map(name: str, folder: Traversable) -> Map:
    """Read provinces, coasts, adjacency, start, powers and map.tsv of one folder.

    Raises:
        DataError: a table is missing, or a row of it cannot be right.
    """
    try:
        tables = Tables(
            about={row["key"]: row["value"] for row in read_rows(folder, "map")},
            provinces=read_rows(folder, "provinces"),
            coasts=read_rows(folder, "coasts"),
            adjacency=read_rows(folder, "adjacency"),
            powers=read_rows(folder, "powers"),
            start=read_rows(folder, "start"),
            names=read_rows(folder, NAMES) if (folder / f"{NAMES}.tsv").is_file() else (),
        )
        check_tables(tables)
        board = _map(name, tables)
    except (KeyError, ValueError) as fault:
        raise DataError(f"map {name}: {fault}") from fault
    check_map(board)
    return board


def read_rows(folder: Traversable, table: str) -> tuple[Row, ...]:
    """Return the rows of one table of a map's folder, each by its columns.

    Raises:
        DataError: it is missing, or a row lacks something.
    """
    path = folder / f"{table}.tsv"
    try:
        lines = [x for x in path.read_text(encoding="utf-8").splitlines() if x and x[0] != "#"]
    except (OSError, UnicodeDecodeError) as fault:
        raise DataError(f"{path}: {fault}") from fault
    reader = csv.DictReader(lines, delimiter="\t", quoting=csv.QUOTE_NONE)
    missing = set(COLUMNS[table]) - set(reader.fieldnames or ())
    if missing:
        raise DataError(f"{path}: no column {', '.join(sorted(missing))}")
    rows = tuple(reader)
    for number, row in enumerate(rows, 1):
        if None in row or None in row.values() or not all(row[x] for x in COLUMNS[table]):
            raise DataError(f"{path}: row {number} lacks a column or has one too many: {row}")
    return rows


def _map(name: str, tables: Tables) -> Map:
    about = tables.about
    names = {row["place"]: row["names"].split(";") for row in tables.names}
    provinces = {
        row["abbr"]: _province(row, names.get(row["abbr"], ())) for row in tables.provinces
    }
    walk, sail = _borders(tables, provinces)
    return Map(
        name=name,
        title=about["title"],
        provinces=provinces,
        powers=tuple(
            Power(r["power"], r["letter"], r["adjective"], _listed(r["words"], ";"))
            for r in tables.powers
        ),
        walk=walk,
        sail=sail,
        start=_start(tables, provinces),
        coast_spellings={r["abbr"]: tuple(r["aliases"].split(";")) for r in tables.coasts},
        first_year=int(about["first_year"]),
        victory=int(about["victory"]),
        quiet_falls=int(about["quiet_falls"]),
        icebreaker=about["icebreaker"].strip("-"),
    )


def _listed(text: str, separator: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split(separator))


def _province(row: Row, names: Iterable[str]) -> Province:
    """Return a province; its names in other languages are spellings like all others."""
    listed = {row["abbr"].lower(), row["name"].lower(), *_listed(row["aliases"], ";")}
    more = {spelling for name in names for spelling in spellings_of(name)} - listed
    return Province(
        abbr=row["abbr"],
        name=row["name"],
        terrain=Terrain(row["kind"]),
        is_centre=row["supply_centre"] == "1",
        home=row["home_power"].strip("-"),
        coasts=_listed(row["coasts"], ","),
        aliases=(*_listed(row["aliases"], ";"), *sorted(more)),
    )


def _borders(
    tables: Tables, provinces: dict[str, Province]
) -> tuple[dict[str, frozenset[str]], dict[str, dict[str, tuple[str, ...]]]]:
    """Read the adjacency rows, each of which holds in both directions."""
    walk: dict[str, set[str]] = {
        p.abbr: set() for p in provinces.values() if p.terrain.takes_armies
    }
    sail: dict[str, dict[str, tuple[str, ...]]] = {
        place: {}
        for p in provinces.values()
        if p.terrain.takes_fleets
        for place in ([f"{p.abbr}/{c}" for c in p.coasts] or [p.abbr])
    }
    for row in tables.adjacency:
        for here, there in ((row["a"], row["b"]), (row["b"], row["a"])):
            if row["army"] == "1":
                walk[here].add(there)
            if row["fleet"] == "1":
                goals = sail[here]
                goal = province_of(there)
                goals[goal] = tuple(sorted({*goals.get(goal, ()), there}))
    return {abbr: frozenset(found) for abbr, found in walk.items()}, sail


def _start(tables: Tables, provinces: dict[str, Province]) -> dict[str, tuple[Unit, ...]]:
    letters = {row["power"]: row["letter"] for row in tables.powers}
    units: dict[str, list[Unit]] = {}
    for row in tables.start:
        if province_of(row["location"]) not in provinces:
            raise DataError(f"start: no place {row['location']}")
        if letters.get(row["power"]) != row["letter"]:
            raise DataError(f"start: {row['power']} does not have letter {row['letter']!r}")
        units.setdefault(row["power"], []).append(Unit(UnitKind(row["unit"]), row["location"]))
    return {power: tuple(sorted(found, key=str)) for power, found in units.items()}
