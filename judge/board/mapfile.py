"""Reader of map tables (tab-separated text).

An error in a row names its file.
"""

import csv
import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import NamedTuple

from judge.board.map import Map, Power, Province, Terrain, Unit, UnitKind, province_of
from judge.digits import is_number
from judge.errors import DataError

Row = Mapping[str, str]

_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_PLAIN = str.maketrans({
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
})
"""Letters that Unicode does not take apart into a letter and an accent."""


MAX_COLOURS = 12
"""Number of colours that a power can have by its row."""


class Tables(NamedTuple):
    """Rows of one map's tables, as read."""

    about: Mapping[str, str]
    provinces: Sequence[Row]
    coasts: Sequence[Row]
    adjacency: Sequence[Row]
    powers: Sequence[Row]
    start: Sequence[Row]
    names: Sequence[Row] = ()
    """Names of places in other languages."""


def check_tables(tables: Tables) -> None:
    """Check the rows by themselves, before a map is made of them.

    Raises:
        DataError: a row is wrong.
    """
    powers = {row["power"] for row in tables.powers}
    _check_powers(tables.powers)
    for row in tables.provinces:
        _check_province(row, powers)
    places = _declared_coasts(tables)
    _check_spellings(tables)
    _check_adjacency(tables, places)


def check_map(board: Map) -> None:
    """Check a map as a whole: borders, connection, opening, victory.

    Raises:
        DataError: a place without borders, a board in pieces, or an opening against the rules.
    """
    for place, goals in board.sail.items():
        terrain = board.provinces[province_of(place)].terrain
        if not goals and (terrain.may_convoy or "/" in place):
            raise DataError(f"map {board.name}: no fleet ever leaves {place}")
        for goal in goals:
            if terrain.is_coastal and board.provinces[goal].terrain.is_coastal:
                _check_shore(board, province_of(place), goal)
    _check_connected(board)
    for power, units in board.start.items():
        _check_start(board, power, units)
    if not 0 < board.victory <= len(board.centres):
        raise DataError(f"map {board.name}: victory at {board.victory} centres")
    if board.icebreaker and board.icebreaker not in board.provinces:
        raise DataError(f"map {board.name}: no place {board.icebreaker!r} for icebreakers")


def _check_powers(rows: Sequence[Row]) -> None:
    _refuse_repeats("power", (row["power"].lower() for row in rows))
    _refuse_repeats("letter of a power", (row["letter"].lower() for row in rows))
    words = [word for row in rows for word in row["words"].split(";") if word != "-"]
    _refuse_repeats("word for a power", words + [row["power"].lower() for row in rows])
    for row in rows:
        if len(row["letter"]) != 1 or not row["letter"].isalpha():
            raise DataError(f"powers: {row['power']} has letter {row['letter']!r}")
        colour = row.get("colour", "-")
        if colour != "-" and not (is_number(colour) and int(colour) < MAX_COLOURS):
            raise DataError(f"powers: {row['power']} has colour {colour!r}")
    _refuse_repeats("colour", (c for row in rows if (c := row.get("colour", "-")) != "-"))


def _check_province(row: Row, powers: set[str]) -> None:
    abbr, centre, home = row["abbr"], row["supply_centre"], row["home_power"]
    if row["kind"] not in {terrain.value for terrain in Terrain}:
        raise DataError(f"provinces: {abbr} is {row['kind']!r}, which is no terrain")
    terrain = Terrain(row["kind"])
    if centre not in ("0", "1"):
        raise DataError(f"provinces: {abbr} has supply_centre {centre!r}")
    if centre == "1" and terrain not in (Terrain.LAND, Terrain.COAST):
        raise DataError(f"provinces: {abbr} is a centre but {terrain.value}")
    if home != "-" and (centre == "0" or home not in powers):
        raise DataError(f"provinces: {abbr} cannot be a home centre of {home}")
    if row["coasts"] != "-" and terrain is not Terrain.COAST:
        raise DataError(f"provinces: {abbr} has coasts but is {terrain.value}")


def _declared_coasts(tables: Tables) -> dict[str, tuple[str, ...]]:
    """Return province → its fleet places.

    Raises:
        DataError: the coasts table has not exactly one row for each coast.
    """
    declared = {
        row["abbr"]: tuple(f"{row['abbr']}/{coast}" for coast in row["coasts"].split(","))
        for row in tables.provinces
        if row["coasts"] != "-"
    }
    wanted = Counter(place for places in declared.values() for place in places)
    listed = Counter(row["abbr"] for row in tables.coasts)
    if wanted != listed:
        odd = sorted(set((wanted - listed) + (listed - wanted)))
        raise DataError(f"coasts: not one row for each coast of the provinces: {', '.join(odd)}")
    return {row["abbr"]: declared.get(row["abbr"], (row["abbr"],)) for row in tables.provinces}


def spellings_of(name: str) -> tuple[str, ...]:
    """Return the spellings of a name without umlauts and accents, in lower case.

    >>> spellings_of("Preußen"), spellings_of("München"), spellings_of("Röd Ø")
    (('preussen',), ('muenchen', 'munchen'), ('rod o', 'roed o'))
    """
    low = name.casefold().translate(_PLAIN)
    return tuple(sorted({_strip_accents(low.translate(_SPELT)), _strip_accents(low)}))


def _strip_accents(text: str) -> str:
    found = unicodedata.normalize("NFKD", text)
    return "".join(c for c in found if not unicodedata.combining(c))


def _check_names(tables: Tables, owner: dict[str, str]) -> None:
    """Check that names in other languages belong to known places, each to one place."""
    known = {row["abbr"] for row in tables.provinces}
    for row in tables.names:
        if row["place"] not in known:
            raise DataError(f"names: no place {row['place']}")
        for name in row["names"].split(";"):
            if not name or name != name.strip():
                raise DataError(f"{row['place']}: blank or padded name {name!r}")
            for word in spellings_of(name):
                if owner.setdefault(word, row["place"]) != row["place"]:
                    raise DataError(f"name {name!r}: {owner[word]} or {row['place']}?")
    _refuse_repeats("place", (row["place"].lower() for row in tables.names))


def _check_spellings(tables: Tables) -> None:
    """Check that no spelling means two places, in any case."""
    owner: dict[str, str] = {}
    for row in (*tables.provinces, *tables.coasts):
        aliases = [] if row["aliases"] == "-" else row["aliases"].split(";")
        for word in (row["abbr"], row["name"], *aliases):
            if not word or word != word.strip():
                raise DataError(f"{row['abbr']}: blank or padded spelling {word!r}")
            if owner.setdefault(word.lower(), row["abbr"]) != row["abbr"]:
                raise DataError(f"spelling {word!r}: {owner[word.lower()]} or {row['abbr']}?")
    _check_names(tables, owner)
    for table in (tables.provinces, tables.coasts):
        _refuse_repeats("place", (row["abbr"].lower() for row in table))


def _check_adjacency(tables: Tables, places: Mapping[str, tuple[str, ...]]) -> None:
    terrain = {row["abbr"]: Terrain(row["kind"]) for row in tables.provinces}
    _refuse_repeats(
        "adjacency", (f"{min(r['a'], r['b'])}-{max(r['a'], r['b'])}" for r in tables.adjacency)
    )
    for row in tables.adjacency:
        pair = f"adjacency {row['a']}-{row['b']}"
        if row["a"].lower() >= row["b"].lower():
            raise DataError(f"{pair}: not in alphabetical order")
        if (row["army"], row["fleet"]) not in (("0", "1"), ("1", "0"), ("1", "1")):
            raise DataError(f"{pair}: army {row['army']!r}, fleet {row['fleet']!r}")
        for place in (row["a"], row["b"]):
            province = province_of(place)
            if province not in terrain:
                raise DataError(f"{pair}: no place {place!r}")
            if row["army"] == "1" and not (terrain[province].takes_armies and place == province):
                raise DataError(f"{pair}: no army stands at {place}")
            if row["fleet"] == "1" and not (
                terrain[province].takes_fleets and place in places[province]
            ):
                raise DataError(f"{pair}: no fleet stands at {place}")


def _check_shore(board: Map, here: str, there: str) -> None:
    """Check that an army can also go from one coast to another where a fleet can.

    Such a fleet follows a shore.
    """
    if there not in board.walk[here]:
        raise DataError(f"map {board.name}: a fleet but no army goes {here}-{there}")


def _check_connected(board: Map) -> None:
    """Check that the board is connected.

    Areas closed to all units have no borders and do not count.
    """
    open_to_units = {abbr for abbr, p in board.provinces.items() if p.terrain is not Terrain.SHUT}
    todo, seen = sorted(open_to_units)[:1], set[str]()
    while todo:
        province = todo.pop()
        if province not in seen:
            seen.add(province)
            todo += board.near[province]
    if seen != open_to_units:
        lost = min(seen, open_to_units - seen, key=len)
        raise DataError(f"map {board.name}: cut off from the rest: {', '.join(sorted(lost))}")


def _check_start(board: Map, power: str, units: tuple[Unit, ...]) -> None:
    if power not in {one.name for one in board.powers}:
        raise DataError(f"start: no power {power!r}")
    others = [u.province for p, found in board.start.items() for u in found if p != power]
    _refuse_repeats("start", [*others, *(unit.province for unit in units)])
    for unit in units:
        home = board.provinces[unit.province]
        if home.home != power or not may_stand(unit, home, board):
            raise DataError(f"start: {unit} of {power} cannot stand there")


def may_stand(unit: Unit, province: Province, board: Map) -> bool:
    """Return whether a unit may be in a province.

    Armies are in the province as such, fleets on a named coast if it has several.
    """
    if unit.kind is UnitKind.ARMY:
        return province.terrain.takes_armies and unit.place == province.abbr
    return unit.place in board.fleet_places(province.abbr)


def _refuse_repeats(what: str, texts: Iterable[str]) -> None:
    repeated = sorted(text for text, count in Counter(texts).items() if count > 1)
    if repeated:
        raise DataError(f"{what} given twice: {', '.join(repeated)}")


NAMES = "names-de"
"""Table of German names of places, optional for a map."""

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
"""Columns required in each table; further columns are for drawing and for people."""


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
    """Return the rows of one table in a map's folder, each by column.

    Raises:
        DataError: the table is missing, or a row lacks a column.
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
            Power(
                r["power"], r["letter"], r["adjective"], _split_list(r["words"], ";"),
                _colour(r),
            )
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
        positions={r["abbr"]: place for r in tables.provinces if (place := _position(r))},
    )


def _position(row: Row) -> tuple[float, float] | None:
    x, y = row.get("x", "-"), row.get("y", "-")
    if "-" in (x, y):
        return None
    if not (is_number(x) and is_number(y)):
        raise DataError(f"provinces: {row['abbr']} has the position {x} {y}")
    return float(x), float(y)


def _colour(row: Row) -> int | None:
    text = row.get("colour", "-")
    return None if text == "-" else int(text)


def _split_list(text: str, separator: str) -> tuple[str, ...]:
    return () if text == "-" else tuple(text.split(separator))


def _province(row: Row, names: Iterable[str]) -> Province:
    """Return a province with its names in other languages added to its aliases."""
    listed = {row["abbr"].lower(), row["name"].lower(), *_split_list(row["aliases"], ";")}
    more = {spelling for name in names for spelling in spellings_of(name)} - listed
    return Province(
        abbr=row["abbr"],
        name=row["name"],
        terrain=Terrain(row["kind"]),
        is_centre=row["supply_centre"] == "1",
        home=row["home_power"].strip("-"),
        coasts=_split_list(row["coasts"], ","),
        aliases=(*_split_list(row["aliases"], ";"), *sorted(more)),
    )


def _borders(
    tables: Tables, provinces: dict[str, Province]
) -> tuple[dict[str, frozenset[str]], dict[str, dict[str, tuple[str, ...]]]]:
    """Read the adjacency rows, each of which applies in both directions."""
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
