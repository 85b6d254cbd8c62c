"""Checks of map tables: every fault with its file and line.

Faults make a map unusable. Warnings name what is unusual and may be meant. A map is made only of
tables without faults, so that nothing is half loaded.
"""

import re
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from importlib.resources.abc import Traversable
from itertools import chain, islice
from typing import NamedTuple

from judge.board.map import COAST_NAMES, Map, Terrain, Unit, UnitKind, province_of
from judge.board.mapfile import (
    MAP_KEYS,
    MAX_COLOURS,
    NAMES,
    Fault,
    Row,
    Tables,
    build_map,
    choose_letters,
    first_phase_of,
    may_stand,
    parse_tables,
    read_tables,
    spellings_of,
)
from judge.board.position import parse_phase
from judge.digits import is_number
from judge.errors import DataError
from judge.model.addressees import WORDS_WITH_A_MEANING
from judge.model.names import confusable_key, is_overmarked, mixes_alphabets

MAX_FAULTS = 50
"""Maximum faults reported of one map."""
MAX_YEAR = 9800
"""Last year in which a game may begin. Labels of phases have four digits."""
MAX_NAME = 40
"""Maximum characters of the name of a place or a power."""
MAX_TITLE = 60
MAX_TEXT = 200
"""Maximum characters of a sentence about the map."""
MAX_ALIASES = 20
_ABBR = re.compile(r"[A-Za-z][A-Za-z0-9]{1,3}")
_CODE = re.compile(r"[A-Z][A-Z0-9]{1,3}")
_LETTER = re.compile(r"[A-Z]")
_MASTERS = ("M", "O", "GM", "OBS")
_COORDINATE = re.compile(r"-?[0-9]{1,6}(\.[0-9]{1,3})?")
_NO_NAME = frozenset('#&,.;:(){}[]<>|/"@*\\')
"""Signs that separate words of orders, or are markup."""
_NO_ALIAS = frozenset('#{}[]<>|"@*\\')
_NO_TEXT = frozenset("<>{}|")
_CENTRES = (Terrain.LAND, Terrain.COAST, Terrain.PORT, Terrain.SEA)
"""Terrain of a supply centre."""
_WORD = re.compile(r"[^\W_]+")
_GENITIVE = re.compile(r"(?<=[^\W_])['\u2019]s(?![^\W_])")
_COMPASS = frozenset({"n", "s", "e", "w", "north", "south", "east", "west", *COAST_NAMES})
_UNIT_WORDS = ("a ", "army ", "f ", "fleet ")
_KINDS = {terrain.value for terrain in Terrain}


class MapReport(NamedTuple):
    """Result of the checks. There is no board if there are faults."""

    board: Map | None
    faults: tuple[Fault, ...]
    warnings: tuple[Fault, ...] = ()


def load_map(name: str, folder: Traversable) -> Map:
    """Return the map of a folder.

    Raises:
        DataError: a table is missing, or the tables have faults.
    """
    report = check_files(name, read_tables(folder))
    if report.board is None:
        more = f" (and {len(report.faults) - 1} more faults)" if report.faults[1:] else ""
        raise DataError(f"map {name}: {report.faults[0]}{more}")
    return report.board


def check_files(
    name: str, files: Mapping[str, str], order_words: Collection[str] = (), is_new: bool = False
) -> MapReport:
    """Check the files of a map, given by name.

    *order_words* are words of the order language, which are unusual as names. A map that *is_new*
    gets checks that an older map of a game need not pass.
    """
    tables, found = parse_tables(files)
    checked = chain(_table_faults(tables, found), _check_addressees(tables) if is_new else ())
    faults = [*islice(checked, MAX_FAULTS)]
    if faults:
        return MapReport(None, tuple(faults))
    try:
        board = build_map(name, tables)
    except (KeyError, ValueError) as fault:
        return MapReport(None, (Fault("", 0, f"the tables make no map: {fault}"),))
    faults = [*islice(_board_faults(board, tables), MAX_FAULTS)]
    if faults:
        return MapReport(None, tuple(faults))
    warnings = _warnings(board, tables, frozenset(order_words))
    return MapReport(board, (), tuple(islice(warnings, MAX_FAULTS)))


def _table_faults(tables: Tables, found: Sequence[Fault]) -> Iterator[Fault]:
    """Yield the faults of rows, first those of their form."""
    yield from found
    whole = {fault.file for fault in found}
    checks: Sequence[tuple[tuple[str, ...], Callable[[Tables], Iterator[Fault]]]] = (
        (("map",), _check_about),
        (("powers",), _check_powers),
        (("provinces", "powers"), _check_provinces),
        (("provinces",), _check_abbreviations),
        (("provinces", "coasts"), _check_coasts),
        (("provinces", "coasts"), _check_spellings),
        (("provinces", "coasts", "adjacency"), _check_adjacency),
        (("provinces", "powers", "start"), _check_start),
        (("provinces", "regions"), _check_regions),
    )
    for needed, check in checks:
        # Rows left out would show as faults of other rows.
        if not whole & {f"{table}.tsv" for table in needed}:
            yield from check(tables)


def _fault(table: str, row: Row, text: str) -> Fault:
    return Fault(f"{table}.tsv", row.line, text)


def _repeats(table: str, pairs: Iterable[tuple[str, Row]], what: str) -> Iterator[Fault]:
    """Yield a fault for each row with a text that another row has, in any case."""
    seen: dict[str, Row] = {}
    for text, row in pairs:
        first = seen.setdefault(text.casefold(), row)
        if first is not row:
            yield _fault(table, row, f"{what} {text!r} is given twice, first in line {first.line}")


def _check_about(tables: Tables) -> Iterator[Fault]:
    about = tables.about
    lines = {row["key"]: row for row in tables.about_rows}
    yield from _repeats("map", ((row["key"], row) for row in tables.about_rows), "the key")

    def fault(key: str, text: str) -> Fault:
        return Fault("map.tsv", lines[key].line if key in lines else 0, f"{key}: {text}")

    if about["title"] in ("", "-"):
        yield fault("title", "a map needs a title")
    for key in ("title", "author", "source", "licence", "about", "about_de"):
        most = MAX_TITLE if key in ("title", "author") else MAX_TEXT
        if len(about[key]) > most:
            yield fault(key, f"more than {most} characters")
        if odd := _odd_sign(about[key], _NO_TEXT):
            yield fault(key, f"the sign {odd!r} is not allowed")
        if is_overmarked(about[key]):
            yield fault(key, "more than two accents on one letter")
    if about["format"] != "1":
        yield fault("format", f"{about['format']!r} is unknown to this judge, which reads 1")
    yield from _check_year(about, fault)
    for key, least, most in (("victory", 2, 1000), ("quiet_falls", 0, 99)):
        value = about[key]
        if key == "victory" and value == "-":
            continue
        if not (is_number(value) and least <= int(value) <= most):
            yield fault(key, f"{value[:40]!r} is no number from {least} to {most}")
    if about["builds"] not in ("home", "one", "any"):
        yield fault("builds", f"{about['builds'][:40]!r} is none of home, one, any")
    if about["icebreaker"] != "-" and about["icebreaker"] not in _abbrs(tables):
        yield fault("icebreaker", f"no place {about['icebreaker'][:40]!r}")


def _check_year(about: Mapping[str, str], fault: Callable[[str, str], Fault]) -> Iterator[Fault]:
    year, label = about["first_year"], about["first_phase"]
    if year != "-" and not (is_number(year) and 1 <= int(year) <= MAX_YEAR):
        yield fault("first_year", f"{year[:40]!r} is no year from 1 to {MAX_YEAR}")
    elif year == label == "-":
        yield fault("first_phase", "a map needs a first phase such as S1901M, or a first_year")
    else:
        try:
            phase = parse_phase(first_phase_of(about))
        except ValueError:
            yield fault("first_phase", f"{label[:40]!r} is no phase such as S1901M or F1900A")
        else:
            spring = phase.year + (str(phase)[0] + str(phase)[-1] != "SM")
            if not 1 <= spring <= MAX_YEAR:
                yield fault("first_phase", f"no year from 1 to {MAX_YEAR}")
            elif year != "-" and int(year) != spring:
                yield fault("first_year", f"the first phase {label} is followed by year {spring}")
            elif phase.kind.value == "R":
                yield fault("first_phase", "no game begins with retreats")
    if about["era"] not in ("-", "BC", "AD"):
        yield fault("era", f"{about['era'][:40]!r} is none of -, BC, AD")
    for key in ("season_spring", "season_fall"):
        word = about[key]
        if word != "-" and (len(word) > 20 or not word.replace(" ", "").isalpha()):
            yield fault(key, "at most 20 letters and blanks")


def _odd_sign(text: str, signs: frozenset[str]) -> str:
    return next((char for char in text if char in signs), "")


def _name_problem(name: str) -> str:
    """Return what no name of a place or power can be, or an empty text."""
    if len(name) > MAX_NAME:
        return f"{name[:20]!r}… has more than {MAX_NAME} characters"
    if odd := _odd_sign(name, _NO_NAME):
        return f"{name!r} has the sign {odd!r}"
    if not name[0].isalnum() or "  " in name or any(c.isspace() and c != " " for c in name):
        return f"{name!r} begins with a sign or has odd blanks"
    letters = [char for char in name if char.isalpha()]
    if not letters or not confusable_key(name):
        return f"{name!r} has no letter"
    if mixes_alphabets(letters):
        return f"{name!r} mixes alphabets whose letters look alike"
    return f"{name!r} has more than two accents on one letter" if is_overmarked(name) else ""


def _check_powers(tables: Tables) -> Iterator[Fault]:
    rows, letters = tables.powers, choose_letters(tables.powers)
    yield from _repeats("powers", ((row["power"], row) for row in rows), "the power")
    yield from _repeats("powers", (
        (row["letter"], row) for row in rows if row["letter"] != "?"
    ), "the letter")
    yield from _repeats("powers", (
        (row["colour"], row) for row in rows if row["colour"] != "-"
    ), "the colour")
    for row, letter in zip(rows, letters, strict=True):
        yield from (_fault("powers", row, text) for text in _power_problems(row, letter))
    codes = [row for row, letter in zip(rows, letters, strict=True) if len(letter) > 1]
    if codes and len(codes) < len(rows):
        yield _fault("powers", codes[0], "either all powers have one letter, or all have codes")
    yield from _check_power_words(rows)
    if sum(row["plays"] == "yes" for row in rows) < 2:
        yield Fault("powers.tsv", 0, "fewer than two powers are played")


def _power_problems(row: Row, letter: str) -> Iterator[str]:
    for name in (row["power"], row["adjective"]):
        if problem := _name_problem(name):
            yield problem
    if letter in _MASTERS:
        yield f"the letter {letter} is that of masters or observers"
    elif not (_LETTER.fullmatch(letter) or _CODE.fullmatch(letter)):
        yield f"the letter {letter[:40]!r} is no capital, no code such as LON, and not ?"
    colour = row["colour"]
    if colour != "-" and not (is_number(colour) and int(colour) < MAX_COLOURS):
        yield f"the colour {colour[:40]!r} is no number from 0 to {MAX_COLOURS - 1} and not -"
    if row["plays"] not in ("yes", "no"):
        yield f"plays is {row['plays'][:40]!r}, neither yes nor no"


def _check_power_words(rows: Sequence[Row]) -> Iterator[Fault]:
    """Check that no word, in any spelling, means two powers."""
    owner: dict[str, Row] = {}
    for row in rows:
        words = [] if row["words"] == "-" else row["words"].split(";")
        if len(words) > MAX_ALIASES:
            yield _fault("powers", row, f"more than {MAX_ALIASES} words")
        for word in (row["power"], row["adjective"], *words):
            if word != row["power"] and (problem := _alias_problem(word)):
                yield _fault("powers", row, problem)
            for form in _forms(word):
                if owner.setdefault(form, row) is not row:
                    line = owner[form].line
                    yield _fault("powers", row, f"the word {word!r} is also in line {line}")
                    break


def _check_addressees(tables: Tables) -> Iterator[Fault]:
    """Check that no word for a power means other readers or another seat in mails."""
    taken = {form for word in WORDS_WITH_A_MEANING for form in _forms(word)}
    for row, letter in zip(tables.powers, choose_letters(tables.powers), strict=True):
        words = [] if row["words"] == "-" else row["words"].split(";")
        letters = [letter] if len(letter) > 1 and letter not in _MASTERS else []
        for word in dict.fromkeys((row["power"], row["adjective"], *letters, *words)):
            if _forms(word) & taken:
                yield _fault("powers", row, f"the word {word[:40]!r} has another meaning in mails "
                             "(as in PRESS TO ALL): choose another one")


def _check_provinces(tables: Tables) -> Iterator[Fault]:
    powers = {row["power"] for row in tables.powers}
    for row in tables.provinces:
        yield from (_fault("provinces", row, f"{row['abbr'][:20]}: {text}")
                    for text in _province_problems(row, powers))
    if not any(row["supply_centre"] == "1" for row in tables.provinces):
        yield Fault("provinces.tsv", 0, "the map has no supply centre")
    victory = tables.about["victory"]
    centres = sum(row["supply_centre"] == "1" for row in tables.provinces)
    if is_number(victory) and int(victory) > centres:
        yield Fault("map.tsv", 0, f"victory at {victory} centres, and the map has {centres}")


def _province_problems(row: Row, powers: Collection[str]) -> Iterator[str]:
    centre, home, owner = row["supply_centre"], row["home_power"], row["owner"]
    if not _ABBR.fullmatch(row["abbr"]):
        yield "an abbreviation has 2 to 4 letters or digits and begins with a letter"
    if problem := _name_problem(row["name"]):
        yield f"the name {problem}"
    if row["kind"] not in _KINDS:
        yield f"the kind is {row['kind'][:40]!r}, none of {', '.join(sorted(_KINDS))}"
        return
    terrain = Terrain(row["kind"])
    if centre not in ("0", "1"):
        yield f"supply_centre is {centre[:40]!r}, neither 0 nor 1"
    elif centre == "1" and terrain not in _CENTRES:
        yield f"a centre cannot be {terrain.value}"
    if home != "-" and (centre != "1" or home not in powers):
        yield f"it cannot be a home centre of {home[:40]!r}"
    if owner not in ("-", "=") and (centre != "1" or owner not in powers):
        yield f"{owner[:40]!r} cannot own it"
    coasts = row["coasts"]
    if coasts != "-":
        if terrain is not Terrain.COAST:
            yield f"it has coasts but is {terrain.value}"
        if not {*coasts.split(",")} <= {*COAST_NAMES} or len({*coasts.split(",")}) < 2:
            yield f"coasts are {coasts[:40]!r}: at least two of {','.join(COAST_NAMES)}"
    for axis in ("x", "y"):
        if row[axis] != "-" and not _COORDINATE.fullmatch(row[axis]):
            yield f"{axis} is {row[axis][:40]!r}, no number"


def _abbrs(tables: Tables) -> set[str]:
    return {row["abbr"] for row in tables.provinces}


def _check_abbreviations(tables: Tables) -> Iterator[Fault]:
    yield from _repeats("provinces", ((r["abbr"], r) for r in tables.provinces), "the place")
    looks: dict[str, Row] = {}
    for row in tables.provinces:
        if row["abbr"].lower() in _COMPASS:
            yield _fault("provinces", row, f"{row['abbr']} is a word of the order language")
        look = looks.setdefault(confusable_key(row["name"]), row)
        if look["name"] != row["name"] and not (look["name"] + row["name"]).isascii():
            yield _fault("provinces", row, f"{row['name']!r} looks like {look['name']!r}")


def _check_coasts(tables: Tables) -> Iterator[Fault]:
    """Check that the coasts table has one row for each coast."""
    wanted = {
        f"{row['abbr']}/{coast}": row for row in tables.provinces if row["coasts"] != "-"
        for coast in row["coasts"].split(",")
    }
    listed = {row["abbr"]: row for row in tables.coasts}
    yield from _repeats("coasts", ((row["abbr"], row) for row in tables.coasts), "the coast")
    for place, row in wanted.items():
        if place not in listed:
            yield _fault("provinces", row, f"coasts.tsv has no row {place}")
    for place, row in listed.items():
        if place not in wanted:
            yield _fault("coasts", row, f"no province has the coast {place[:20]!r}")


def _forms(spelling: str) -> set[str]:
    """Return a spelling as the reader of orders may get it.

    It is one word then, without accents and "'s".

    >>> sorted(_forms("Chiron's Höhle"))
    ['chironhoehle', 'chironhohle', 'chironshoehle', 'chironshohle']
    """
    return {
        "".join(_WORD.findall(_GENITIVE.sub(ending, plain)))
        for plain in spellings_of(spelling) for ending in ("", "s")
    }


def _alias_problem(word: str) -> str:
    if not word or word != word.strip():
        return f"the spelling {word!r} is blank or padded"
    if len(word) > MAX_NAME:
        return f"the spelling {word[:20]!r}… has more than {MAX_NAME} characters"
    if odd := _odd_sign(word, _NO_ALIAS):
        return f"the spelling {word!r} has the sign {odd!r}"
    return "" if any(map(str.isalnum, word)) else f"the spelling {word!r} has no letter"


def _check_spellings(tables: Tables) -> Iterator[Fault]:
    """Check that no spelling means two places, however it is written."""
    owner: dict[str, str] = {}
    known = _abbrs(tables)
    for table, rows in (("provinces", tables.provinces), ("coasts", tables.coasts)):
        for row in rows:
            aliases = [] if row["aliases"] == "-" else row["aliases"].split(";")
            if len(aliases) > MAX_ALIASES:
                yield _fault(table, row, f"more than {MAX_ALIASES} spellings")
            spellings = (row["abbr"], row["name"], *aliases)
            yield from _claim(table, row, row["abbr"], spellings, owner)
    yield from _repeats(NAMES, ((row["place"], row) for row in tables.names), "the place")
    for row in tables.names:
        if row["place"] not in known:
            yield _fault(NAMES, row, f"no place {row['place'][:20]!r}")
        else:
            yield from _claim(NAMES, row, row["place"], row["names"].split(";"), owner)


def _claim(
    table: str, row: Row, place: str, spellings: Iterable[str], owner: dict[str, str]
) -> Iterator[Fault]:
    """Add a place's spellings to *owner*. Yield a fault for those of another place."""
    for word in spellings:
        if problem := _alias_problem(word):
            yield _fault(table, row, problem)
            continue
        # A coast is a place of its own: "stp/nc" is a spelling of it and not of "stpnc".
        forms = {word.casefold()} if table == "coasts" else _forms(word)
        for form in sorted(forms):
            if owner.setdefault(form, place) != place:
                yield _fault(table, row, f"the spelling {word!r}: {owner[form]} or {place}?")
                break


def _check_adjacency(tables: Tables) -> Iterator[Fault]:
    kinds = {row["abbr"]: Terrain(row["kind"]) for row in tables.provinces if row["kind"] in _KINDS}
    places = {row["abbr"]: [row["abbr"]] if row["coasts"] == "-" else [
        f"{row['abbr']}/{coast}" for coast in row["coasts"].split(",")
    ] for row in tables.provinces}
    yield from _repeats("adjacency", (
        ("-".join(sorted((row["a"], row["b"]))), row) for row in tables.adjacency
    ), "the border")
    for row in tables.adjacency:
        pair = f"{row['a'][:20]}-{row['b'][:20]}"
        if row["a"].lower() >= row["b"].lower():
            yield _fault("adjacency", row, f"{pair}: not in alphabetical order")
        if (row["army"], row["fleet"]) not in (("0", "1"), ("1", "0"), ("1", "1")):
            army, fleet = row["army"][:20], row["fleet"][:20]
            yield _fault("adjacency", row, f"{pair}: army {army!r}, fleet {fleet!r}")
        for place in (row["a"], row["b"]):
            if text := _border_problem(row, place, kinds, places):
                yield _fault("adjacency", row, f"{pair}: {text}")


def _border_problem(
    row: Row, place: str, kinds: Mapping[str, Terrain], places: Mapping[str, list[str]]
) -> str:
    province = province_of(place)
    if province not in places:
        return f"no place {place[:20]!r}"
    terrain = kinds.get(province)
    if terrain is None:
        return ""
    if row["army"] == "1" and not (terrain.takes_armies and place == province):
        return f"no army can be in {place}"
    if row["fleet"] == "1" and not (terrain.takes_fleets and place in places[province]):
        return f"no fleet can be in {place}"
    return ""


def _check_start(tables: Tables) -> Iterator[Fault]:
    letters = dict(zip(
        (row["power"] for row in tables.powers), choose_letters(tables.powers), strict=True
    ))
    known = _abbrs(tables)
    yield from _repeats("start", (
        (province_of(row["location"]), row) for row in tables.start
    ), "a unit in")
    for row in tables.start:
        if row["power"] not in letters:
            yield _fault("start", row, f"no power {row['power'][:40]!r}")
        elif row["letter"] not in ("-", letters[row["power"]]):
            text = f"{row['power']} does not have letter {row['letter'][:40]!r}"
            yield _fault("start", row, text)
        if row["unit"] not in {kind.value for kind in UnitKind}:
            yield _fault("start", row, f"the unit is {row['unit'][:40]!r}, neither A nor F")
        if province_of(row["location"]) not in known:
            yield _fault("start", row, f"no place {row['location'][:40]!r}")


def _check_regions(tables: Tables) -> Iterator[Fault]:
    """Check that each province is in one region, if there are regions."""
    yield from _repeats("regions", ((row["region"], row) for row in tables.regions), "the region")
    pairs = [(place, row) for row in tables.regions for place in row["provinces"].split()]
    yield from _repeats("regions", pairs, "the place")
    for place, row in pairs:
        if place not in _abbrs(tables):
            yield _fault("regions", row, f"no place {place[:20]!r}")
    missing = sorted(_abbrs(tables) - {place for place, _ in pairs})
    if tables.regions and missing:
        yield Fault("regions.tsv", 0, f"in no region: {', '.join(missing)[:200]}")


def _board_faults(board: Map, tables: Tables) -> Iterator[Fault]:
    """Yield what is wrong with a map as a whole."""
    lines = {row["abbr"]: row for row in tables.provinces}
    for place, goals in board.sail.items():
        terrain = board.provinces[province_of(place)].terrain
        if not goals and (terrain in (Terrain.SEA, Terrain.BOX_SEA) or "/" in place):
            yield _fault("provinces", lines[province_of(place)], f"no fleet ever leaves {place}")
    for row in tables.start:
        unit = Unit(UnitKind(row["unit"]), row["location"])
        if not may_stand(unit, board.provinces[unit.province], board):
            coasts = board.provinces[unit.province].coasts if unit.kind is UnitKind.FLEET else ()
            named = f": name its coast, as in {unit.province}/{coasts[0]}" if coasts else ""
            yield _fault("start", row, f"{unit} of {row['power']} cannot be there{named}")
    if not 2 <= board.victory <= len(board.centres):
        yield Fault("map.tsv", 0, f"victory at {board.victory} of {len(board.centres)} centres")


def _warnings(board: Map, tables: Tables, order_words: frozenset[str]) -> Iterator[Fault]:
    """Yield what is unusual in a map."""
    for row in tables.about_rows:
        if row["key"] not in MAP_KEYS:
            yield _fault("map", row, f"the key {row['key'][:40]!r} is unknown and is ignored")
    lines = {row["abbr"]: row for row in tables.provinces}
    powers = {form for row in tables.powers for form in _forms(row["power"])}
    words = {word.casefold() for power in board.powers for word in power.words}
    for province in board.provinces.values():
        row = lines[province.abbr]
        if province.is_centre and province.terrain is Terrain.SEA:
            yield _fault("provinces", row, f"{province.abbr} is a centre at sea")
        if _forms(province.name) & powers:
            yield _fault("provinces", row, f"{province.name!r} is also the name of a power")
        for spelling in (province.abbr, province.name, *province.aliases):
            if spelling.casefold() in order_words:
                text = f"{spelling} is also a word of the order language"
                yield _fault("provinces", row, text)
            elif spelling.casefold().startswith(_UNIT_WORDS):
                yield _fault("provinces", row, f"{spelling!r} begins like a unit in an order")
        if province.abbr.lower() in words:
            yield _fault("provinces", row, f"{province.abbr} is also a word for a power")
    if board.calendar.spring and board.calendar.spring == board.calendar.fall:
        yield Fault("map.tsv", 0, f"both turns of a year are called {board.calendar.fall!r}")
    spots: dict[tuple[float, float], str] = {}
    for abbr, spot in board.positions.items():
        if spots.setdefault(spot, abbr) != abbr:
            text = f"{abbr} is at the same x and y as {spots[spot]}"
            yield _fault("provinces", lines[abbr], text)
    yield from _fleet_shores(board, tables)
    yield from _pieces(board)
    owned = Counter(board.owners.values())
    homes = {province.home for province in board.provinces.values()}
    for row in tables.powers:
        name = row["power"]
        if not board.start.get(name) and not owned[name]:
            yield _fault("powers", row, f"{name} has no unit and no centre at the start")
        elif name not in homes and board.builds == "home" and row["plays"] == "yes":
            yield _fault("powers", row, f"{name} has no home centre and never builds")


def _fleet_shores(board: Map, tables: Tables) -> Iterator[Fault]:
    """Yield the borders of two coasts that a fleet passes and no army."""
    for row in tables.adjacency:
        here, there = province_of(row["a"]), province_of(row["b"])
        shore = {here, there} <= board.coastal
        if row["fleet"] == "1" and shore and there not in board.walk[here]:
            yield _fault("adjacency", row, f"a fleet but no army goes {row['a']}-{row['b']}")


def _pieces(board: Map) -> Iterator[Fault]:
    """Yield the parts of the board that no unit reaches from the others.

    Areas closed to all units have no borders and do not count.
    """
    left = {abbr for abbr, p in board.provinces.items() if p.terrain is not Terrain.SHUT}
    pieces: list[set[str]] = []
    while left:
        todo, seen = [min(left)], set[str]()
        while todo:
            province = todo.pop()
            if province not in seen:
                seen.add(province)
                todo += board.near[province]
        pieces.append(seen)
        left -= seen
    for piece in sorted(pieces, key=len)[:-1]:
        told = ", ".join(sorted(piece))
        yield Fault("adjacency.tsv", 0, f"cut off from the rest: {told[:200]}")
