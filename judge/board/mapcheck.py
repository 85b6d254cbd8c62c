"""What no map table may contain: each check names the row that cannot be right."""

import unicodedata
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from typing import NamedTuple

from judge.board.map import Map, Province, Terrain, Unit, UnitKind, province_of
from judge.errors import DataError

Row = Mapping[str, str]

_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})


class Tables(NamedTuple):
    """The rows of one map's tables, as read."""

    about: Mapping[str, str]
    provinces: Sequence[Row]
    coasts: Sequence[Row]
    adjacency: Sequence[Row]
    powers: Sequence[Row]
    start: Sequence[Row]
    names: Sequence[Row] = ()
    """What places are called in other languages."""


def check_tables(tables: Tables) -> None:
    """Look through the rows as they stand, before a map is made of them.

    Raises:
        DataError: some row cannot be right.
    """
    powers = {row["power"] for row in tables.powers}
    _check_powers(tables.powers)
    for row in tables.provinces:
        _check_province(row, powers)
    places = _declared_coasts(tables)
    _check_spellings(tables)
    _check_adjacency(tables, places)


def check_map(board: Map) -> None:
    """Look at what the rows add up to: that every place can be left and every start stood on.

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
    """Return province → its fleet places; the coasts table must have a row for each coast."""
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
    """Return how a name may be written without umlauts and accents, in lower case.

    >>> spellings_of("Preußen"), spellings_of("München")
    (('preussen',), ('muenchen', 'munchen'))
    """
    low = name.casefold()
    spelt = low.translate(_SPELT)
    plain = "".join(c for c in unicodedata.normalize("NFKD", low) if not unicodedata.combining(c))
    return tuple(sorted({spelt, plain}))


def _check_names(tables: Tables, owner: dict[str, str]) -> None:
    """Names in other languages are of places there are, and mean no other place."""
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
    """No spelling may mean two places, however capitals are written."""
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
            if row["army"] == "1" and not (
                terrain[province].takes_armies and place == province
            ):
                raise DataError(f"{pair}: no army stands at {place}")
            if row["fleet"] == "1" and not (
                terrain[province].takes_fleets and place in places[province]
            ):
                raise DataError(f"{pair}: no fleet stands at {place}")


def _check_shore(board: Map, here: str, there: str) -> None:
    """A fleet that goes from coast to coast follows a shore, and there an army can walk."""
    if there not in board.walk[here]:
        raise DataError(f"map {board.name}: a fleet but no army goes {here}-{there}")


def _check_connected(board: Map) -> None:
    """A board must hang together; areas nobody enters have no borders and do not count."""
    open_to_units = {
        abbr for abbr, p in board.provinces.items() if p.terrain is not Terrain.SHUT
    }
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
        if home.home != power or not _may_stand(unit, home, board):
            raise DataError(f"start: {unit} of {power} cannot stand there")


def _may_stand(unit: Unit, province: Province, board: Map) -> bool:
    """Armies stand in the province as such, fleets on a named coast where there are two."""
    if unit.kind is UnitKind.ARMY:
        return province.terrain.takes_armies and unit.place == province.abbr
    return unit.place in board.fleet_places(province.abbr)


def _refuse_repeats(what: str, texts: Iterable[str]) -> None:
    repeated = sorted(text for text, count in Counter(texts).items() if count > 1)
    if repeated:
        raise DataError(f"{what} given twice: {', '.join(repeated)}")
