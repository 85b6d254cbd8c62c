"""Reader of map tables (tab-separated text).

`parse_tables` reads the text of the tables and reports rows that are no rows of them. `build_map`
makes a map of tables without faults. `judge.board.mapcheck` finds the faults and has `load_map`.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from typing import NamedTuple

from judge.board.map import (
    Calendar,
    Map,
    MapTexts,
    Power,
    Province,
    Terrain,
    Unit,
    UnitKind,
    province_of,
)
from judge.board.position import MOVEMENT, SPRING, parse_phase
from judge.errors import DataError
from judge.model.addressees import CODES_WITH_A_MEANING

NAMES = "names-de"
"""Table of German names of places, optional for a map."""

COLUMNS = {
    "map": ("key", "value"),
    "provinces": ("abbr", "name", "kind", "supply_centre", "home_power", "coasts", "aliases"),
    "coasts": ("abbr", "name", "aliases"),
    "adjacency": ("a", "b", "army", "fleet"),
    "powers": ("power", "letter", "adjective", "words"),
    "start": ("power", "unit", "location"),
    "regions": ("region", "provinces"),
    NAMES: ("place", "names"),
}
"""Columns required in each table. `DEFAULTS` has the optional ones."""
DEFAULTS = {
    "provinces": {"owner": "=", "x": "-", "y": "-"},
    "powers": {"colour": "-", "plays": "yes"},
    "start": {"letter": "-"},
}
"""Optional columns and the value of each where it is left out. Further columns are ignored."""
OPTIONAL = frozenset({"coasts", "regions", NAMES})
"""Tables that a map can do without."""
MAP_KEYS = {
    "format": "1", "title": "", "first_phase": "-", "first_year": "-", "era": "-",
    "season_spring": "-", "season_fall": "-", "victory": "-", "quiet_falls": "0",
    "icebreaker": "-", "builds": "home", "author": "-", "source": "-", "licence": "-",
    "about": "-", "about_de": "-",
}
"""Keys of `map.tsv` and the value of each where it is left out."""
MAX_ROWS = {
    "map": 100, "provinces": 1000, "coasts": 4000, "adjacency": 6000, "powers": 60, "start": 1000,
    "regions": 1000, NAMES: 2000,
}
"""Maximum rows of each table."""
MAX_CELL = 4000
"""Maximum characters of one value."""
_UNPRINTABLE = frozenset({"Cc", "Cf", "Cn", "Co", "Cs", "Zl", "Zp"})
"""Categories of characters that are invisible or change the direction of a line."""
_LETTERS = "ABCDEFGHIJKLNPQRSTUVWXYZ"
MAX_LETTERS = len(_LETTERS)
"""Number of powers with one letter each. More powers have codes."""

_SPELT = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
_PLAIN = str.maketrans({
    "æ": "ae", "œ": "oe", "ø": "o", "ł": "l", "đ": "d", "ð": "d", "þ": "th", "ı": "i",
})
"""Letters that Unicode does not take apart into a letter and an accent."""
MAX_COLOURS = 12
"""Number of colours that a power can have by its row."""


class Row(dict[str, str]):
    """Row of a table by column, with the number of its line in the file."""

    line = 0


class Fault(NamedTuple):
    """A fault of a map.

    Line 0 is the file as a whole. An empty file name is the map as a whole.
    """

    file: str
    line: int
    text: str

    def __str__(self) -> str:
        place = ":".join([self.file, str(self.line)] if self.line else [self.file])
        return f"{place}: {self.text}" if place else self.text


class Tables(NamedTuple):
    """Rows of one map's tables, as read."""

    about: Mapping[str, str]
    about_rows: Sequence[Row]
    provinces: Sequence[Row]
    coasts: Sequence[Row]
    adjacency: Sequence[Row]
    powers: Sequence[Row]
    start: Sequence[Row]
    names: Sequence[Row] = ()
    """Names of places in other languages."""
    regions: Sequence[Row] = ()


def parse_tables(files: Mapping[str, str]) -> tuple[Tables, list[Fault]]:
    """Read the tables of a map from the texts of its files by name.

    Rows with a fault are left out.
    """
    faults: list[Fault] = []
    rows: dict[str, list[Row]] = {}
    for table in COLUMNS:
        name = f"{table}.tsv"
        rows[table] = []
        if name in files:
            rows[table] = [*_parse(table, files[name], faults)]
        elif table not in OPTIONAL:
            faults.append(Fault(name, 0, "the file is missing"))
    about = dict(MAP_KEYS)
    for row in rows["map"]:
        about.setdefault(row["key"], "")
        about[row["key"]] = row["value"]
    return Tables(
        about, rows["map"], rows["provinces"], rows["coasts"], rows["adjacency"], rows["powers"],
        rows["start"], rows[NAMES], rows["regions"],
    ), faults


def _parse(table: str, text: str, faults: list[Fault]) -> Iterator[Row]:
    file, head, count = f"{table}.tsv", list[str](), 0
    for line, cells in _split_rows(text):
        if not head:
            head = cells
            if problem := _head_problem(table, head):
                faults.append(Fault(file, line, problem))
                return
        elif problem := _row_problem(table, head, cells):
            faults.append(Fault(file, line, problem))
        elif (count := count + 1) > MAX_ROWS[table]:
            faults.append(Fault(file, line, f"more than {MAX_ROWS[table]} rows"))
            return
        else:
            row = Row({**DEFAULTS.get(table, {}), **dict(zip(head, cells, strict=True))})
            row.line = line
            yield row
    if not head:
        faults.append(Fault(file, 0, f"no head: {', '.join(COLUMNS[table])}"))


def _split_rows(text: str) -> Iterator[tuple[int, list[str]]]:
    """Yield the number and the cells of each line that is not blank and no comment."""
    lines = text.removeprefix("\ufeff").replace("\r\n", "\n").split("\n")
    for number, line in enumerate(lines, 1):
        if line.strip() and line[0] != "#":
            yield number, line.split("\t")


def _head_problem(table: str, head: list[str]) -> str:
    missing = [column for column in COLUMNS[table] if column not in head]
    if missing:
        blanks = "; cells are separated by tabs, not by blanks" if len(head) == 1 else ""
        return f"no column {', '.join(missing)}{blanks}"
    twice = sorted({column for column in head if head.count(column) > 1})
    return f"two columns {', '.join(map(repr, twice))}"[:120] if twice else ""


def _row_problem(table: str, head: list[str], cells: list[str]) -> str:
    if len(cells) != len(head):
        return f"{len(cells)} columns, and the head of the table has {len(head)}"
    for column, cell in zip(head, cells, strict=True):
        if len(cell) > MAX_CELL:
            return f"{column} has more than {MAX_CELL} characters"
        if not cell and column in COLUMNS[table]:
            return f"lacks a value in column {column} (- if there is none)"
        if odd := find_unprintable(cell):
            return f"{column} has the invisible character U+{ord(odd):04X}"
        if cell != cell.strip():
            return f"{column} has blanks around its value: {cell[:40]!r}"
    return ""


def find_unprintable(text: str) -> str:
    """Return the first invisible character of a text, such as a direction mark.

    >>> find_unprintable("abc"), find_unprintable("a\\u202eb")
    ('', '\\u202e')
    """
    if text.isascii() and text.isprintable():
        return ""
    return next((char for char in text if unicodedata.category(char) in _UNPRINTABLE), "")


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


def may_stand(unit: Unit, province: Province, board: Map) -> bool:
    """Return whether a unit may be in a province.

    Armies are in the province as such, fleets on a named coast if it has several.
    """
    if unit.kind is UnitKind.ARMY:
        return province.terrain.takes_armies and unit.place == province.abbr
    return unit.place in board.fleet_places(province.abbr)


def read_rows(folder: Traversable, table: str) -> tuple[Row, ...]:
    """Return the rows of one table in a map's folder, each by column.

    Raises:
        DataError: the table is missing, or a row lacks a column.
    """
    path = folder / f"{table}.tsv"
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as fault:
        raise DataError(f"{path}: {fault}") from fault
    faults: list[Fault] = []
    rows = tuple(_parse(table, text, faults))
    if faults:
        raise DataError(f"{path}: {faults[0]}")
    return rows


def read_tables(folder: Traversable) -> dict[str, str]:
    """Return the texts of the tables in a map's folder, by file name.

    Raises:
        DataError: a table cannot be read.
    """
    found = {}
    for table in COLUMNS:
        path = folder / f"{table}.tsv"
        try:
            if path.is_file():
                found[path.name] = path.read_text(encoding="utf-8-sig")
        except (OSError, UnicodeDecodeError) as fault:
            raise DataError(f"{path}: {fault}") from fault
    return found


def choose_letters(rows: Sequence[Row]) -> tuple[str, ...]:
    """Return the sign-on letters of the powers, those that are left open included.

    Chosen letters are from the names where possible. From 25 powers on, or where a power has a
    code, they are codes.
    """
    given = {row["letter"] for row in rows}
    codes = len(rows) > MAX_LETTERS or any(len(letter) > 1 for letter in given)
    taken, found = {*CODES_WITH_A_MEANING, *given}, []
    for row in rows:
        letter = row["letter"]
        if letter == "?":
            wishes = _codes(row["power"]) if codes else _initials(row["power"])
            letter = next((each for each in wishes if each not in taken), "?")
            taken.add(letter)
        found.append(letter)
    return tuple(found)


def _initials(name: str) -> str:
    return re.sub("[^A-Z]", "", spellings_of(name)[0].upper()) + _LETTERS


def _codes(name: str) -> Iterator[str]:
    plain = re.sub("[^A-Z0-9]", "", spellings_of(name)[0].upper()).lstrip("0123456789") or "P"
    if len(plain) > 2:
        yield plain[:3]
        yield from (plain[:2] + letter for letter in plain[3:])
    yield from (f"{plain[0]}{number:02}" for number in range(1, 100))


def first_phase_of(about: Mapping[str, str]) -> str:
    """Return the label of the phase a map's games begin in.

    >>> first_phase_of({"first_phase": "W0899A", "first_year": "-"})
    'F0899A'

    Raises:
        ValueError: there is no such phase.
    """
    if about["first_phase"] == "-":
        return f"S{int(about['first_year']):04}M"
    return str(parse_phase(about["first_phase"]))


def build_map(name: str, tables: Tables) -> Map:
    """Return the map of tables.

    Raises:
        ValueError: a value of the tables cannot be read.
        KeyError: a row names an unknown place.
    """
    about = tables.about
    names = {row["place"]: row["names"].split(";") for row in tables.names}
    provinces = {
        row["abbr"]: _province(row, names.get(row["abbr"], ())) for row in tables.provinces
    }
    walk, sail = _borders(tables, provinces)
    first_phase = first_phase_of(about)
    phase = parse_phase(first_phase)
    centres = sum(province.is_centre for province in provinces.values())
    return Map(
        name=name,
        title=about["title"],
        provinces=provinces,
        powers=tuple(map(_power, tables.powers, choose_letters(tables.powers))),
        walk=walk,
        sail=sail,
        start=_start(tables),
        coast_spellings={r["abbr"]: _split_list(r["aliases"], ";") for r in tables.coasts},
        first_year=phase.year if phase[1:] == (SPRING, MOVEMENT) else phase.year + 1,
        victory=centres // 2 + 1 if about["victory"] == "-" else int(about["victory"]),
        quiet_falls=int(about["quiet_falls"]),
        icebreaker=_or_empty(about["icebreaker"]),
        first_phase=first_phase,
        owners=dict(_owners(tables.provinces)),
        builds=about["builds"],
        calendar=_calendar(about, phase.year),
        texts=MapTexts(*(_or_empty(about[key]) for key in MapTexts._fields)),
        positions={
            row["abbr"]: (float(row["x"]), float(row["y"])) for row in tables.provinces
            if "-" not in (row["x"], row["y"])
        },
    )


def _calendar(about: Mapping[str, str], year: int) -> Calendar:
    spring, fall, era = (_or_empty(about[key]) for key in ("season_spring", "season_fall", "era"))
    return Calendar(spring, fall, era, year)


def _or_empty(value: str) -> str:
    return "" if value == "-" else value


def _owners(rows: Iterable[Row]) -> Iterator[tuple[str, str]]:
    for row in rows:
        owner = row["home_power"] if row["owner"] == "=" else row["owner"]
        if row["supply_centre"] == "1" and owner != "-":
            yield row["abbr"], owner


def _power(row: Row, letter: str) -> Power:
    colour = None if row["colour"] == "-" else int(row["colour"])
    words = _split_list(row["words"], ";")
    return Power(row["power"], letter, row["adjective"], words, colour, row["plays"] == "yes")


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
        home=_or_empty(row["home_power"]),
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


def _start(tables: Tables) -> dict[str, tuple[Unit, ...]]:
    units: dict[str, list[Unit]] = {}
    for row in tables.start:
        units.setdefault(row["power"], []).append(Unit(UnitKind(row["unit"]), row["location"]))
    return {power: tuple(sorted(found, key=str)) for power, found in units.items()}
