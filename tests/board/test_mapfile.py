"""Invalid tables are refused with a message that names the fault."""

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from judge.board.mapcheck import check_files, load_map
from judge.board.mapfile import read_tables
from judge.errors import DataError
from judge.games.diplomacy import boards
from judge.games.diplomacy.boards import board

FOLDER = Path(boards.__file__).parent / "maps"

Edit = Callable[[list[list[str]]], None]


def put(column: str, value: str, **where: str) -> Edit:
    """Return an edit that changes one field of the one matching row."""

    def edit(rows: list[list[str]]) -> None:
        row = the_row(rows, where)
        row[rows[0].index(column)] = value

    return edit


def drop(**where: str) -> Edit:
    """Return an edit that removes the one matching row."""
    return lambda rows: rows.remove(the_row(rows, where))


def again(**changes: str) -> Edit:
    """Return an edit that appends the first row again, with some fields changed."""

    def edit(rows: list[list[str]]) -> None:
        row = list(rows[1])
        for column, value in changes.items():
            row[rows[0].index(column)] = value
        rows.append(row)

    return edit


def without(column: str) -> Edit:
    """Return an edit that removes a column."""

    def edit(rows: list[list[str]]) -> None:
        at = rows[0].index(column)
        for row in rows:
            del row[at]

    return edit


def the_row(rows: list[list[str]], where: dict[str, str]) -> list[str]:
    hits = [row for row in rows[1:] if all(row[rows[0].index(k)] == v for k, v in where.items())]
    assert len(hits) == 1, where
    return hits[0]


FAULTS: list[tuple[str, Edit, str]] = [
    ("provinces", put("kind", "lake", abbr="Par"), "the kind is 'lake'"),
    ("provinces", put("supply_centre", "2", abbr="Par"), "supply_centre"),
    ("provinces", put("supply_centre", "1", abbr="ObC"), "a centre cannot be box-sea"),
    ("provinces", put("supply_centre", "0", abbr="Par"), "home centre"),
    ("provinces", put("home_power", "Spain", abbr="Par"), "home centre"),
    ("provinces", put("aliases", "liv", abbr="Lvn"), "spelling 'liv'"),
    ("provinces", put("aliases", "livo; lva", abbr="Lvn"), "padded"),
    ("provinces", put("name", "Paris", abbr="Pic"), "spelling 'Paris'"),
    ("provinces", put("name", "", abbr="Pic"), "lacks a value in column name"),
    ("provinces", again(), "given twice"),
    ("provinces", put("coasts", "ec,sc,nc", abbr="Bul"), "Bul/nc"),
    ("provinces", put("coasts", "nc", abbr="Par"), "has coasts"),
    ("provinces", put("coasts", "-", abbr="Bul"), "Bul/ec"),
    ("provinces", put("kind", "land", abbr="Lon"), "no fleet can be in Lon"),
    ("provinces", without("kind"), "no column kind"),
    ("coasts", drop(abbr="Bul/ec"), "Bul/ec"),
    ("coasts", again(), "Bul/ec"),
    ("coasts", put("aliases", "spa/sc", abbr="Spa/nc"), "spelling 'Spa/sc'"),
    ("adjacency", put("b", "Alx", a="Adr", b="Alb"), "no place 'Alx'"),
    ("adjacency", put("b", "Bul", a="Aeg", b="Bul/sc"), "no fleet can be in Bul"),
    ("adjacency", put("b", "Bul/wc", a="Aeg", b="Bul/sc"), "no fleet can be in Bul/wc"),
    ("adjacency", again(), "given twice"),
    ("adjacency", put("a", "Zzz", a="Adr", b="Alb"), "not in alphabetical order"),
    ("adjacency", put("b", "Adr", a="Adr", b="Alb"), "not in alphabetical order"),
    ("adjacency", put("b", "Swi", a="Boh", b="Mun"), "no army can be in Swi"),
    ("adjacency", put("fleet", "1", a="ObE", b="Sah"), "no fleet can be in ObE"),
    ("adjacency", put("army", "1", a="ObC", b="ObD"), "no army can be in ObC"),
    ("adjacency", put("fleet", "2", a="Adr", b="Alb"), "fleet '2'"),
    ("adjacency", put("fleet", "0", a="Adr", b="Alb"), "fleet '0'"),
    ("powers", put("letter", "I", power="India"), "the letter 'I' is given twice"),
    ("powers", put("letter", "IN", power="India"), "either all powers have one letter"),
    ("powers", put("words", "ita", power="India"), "the word 'ita' is also in line 7"),
    ("powers", drop(power="India"), "home centre of 'India'"),
    ("powers", again(letter="X"), "given twice"),
    ("start", put("location", "Zzz", location="Oms"), "no place 'Zzz'"),
    ("start", put("unit", "G", location="Oms"), "'G'"),
    ("start", put("unit", "A", location="StP/sc"), "A STP/SC"),
    ("start", put("location", "StP", location="StP/sc"), "F STP of Russia"),
    ("start", put("unit", "F", location="Mos"), "F MOS of Russia"),
    ("start", put("location", "Mun", location="Ber"), "given twice"),
    ("start", put("letter", "I", location="Del"), "letter 'I'"),
    ("start", put("power", "Spain", location="Del"), "Spain"),
    ("map", put("value", "many", key="victory"), "many"),
    ("map", put("value", "73", key="victory"), "victory"),
    ("map", put("value", "Osk", key="icebreaker"), "Osk"),
    ("map", drop(key="title"), "title"),
]


def copy_of(folder: Path, table: str, edit: Edit) -> Path:
    """Copy the Youngstown tables and edit one of them."""
    copy = folder / "copy"
    shutil.copytree(FOLDER / "youngstown", copy)
    rows = [
        line.split("\t")
        for line in (copy / f"{table}.tsv").read_text(encoding="utf-8").splitlines()
        if line and line[0] != "#"
    ]
    edit(rows)
    text = "".join("\t".join(row) + "\n" for row in rows)
    (copy / f"{table}.tsv").write_text(text, encoding="utf-8")
    return copy


@pytest.mark.parametrize("table,edit,told", FAULTS, ids=[f"{t}-{w}" for t, _, w in FAULTS])
def test_a_faulty_table_is_refused(tmp_path: Path, table: str, edit: Edit, told: str) -> None:
    with pytest.raises(DataError, match=told):
        load_map("copy", copy_of(tmp_path, table, edit))


def test_an_unedited_copy_of_the_tables_is_read(tmp_path: Path) -> None:
    copy = load_map("youngstown", copy_of(tmp_path, "adjacency", lambda rows: None))
    assert copy == board("youngstown")


def test_a_missing_table_is_refused(tmp_path: Path) -> None:
    copy = copy_of(tmp_path, "start", lambda rows: None)
    (copy / "start.tsv").unlink()
    with pytest.raises(DataError, match="start.tsv"):
        load_map("copy", copy)


def cut_off(rows: list[list[str]]) -> None:
    rows[:] = [row for row in rows if "Ire" not in row[:2]]


WARNINGS: list[tuple[str, Edit, str]] = [
    ("provinces", put("supply_centre", "1", abbr="Nth"), "Nth is a centre at sea"),
    ("provinces", put("name", "Prussia or India", abbr="Pru"), ""),
    ("provinces", put("name", "India", abbr="Pru"), "'India' is also the name of a power"),
    ("adjacency", put("army", "0", a="Apu", b="Nap"), "a fleet but no army goes Apu-Nap"),
    ("adjacency", cut_off, "cut off from the rest: Ire"),
    ("start", put("location", "Bel", location="Ber"), ""),
    ("map", put("key", "victroy", key="quiet_falls"), "'victroy' is unknown"),
]


@pytest.mark.parametrize("table,edit,told", WARNINGS, ids=[f"{t}-{w}" for t, _, w in WARNINGS])
def test_an_unusual_table_is_read(tmp_path: Path, table: str, edit: Edit, told: str) -> None:
    report = check_files("copy", read_tables(copy_of(tmp_path, table, edit)))
    assert report.board is not None and not report.faults
    assert bool(told) == any(told in str(one) for one in report.warnings if told)


def test_a_sea_without_an_exit_is_refused(tmp_path: Path) -> None:
    def wall_in(rows: list[list[str]]) -> None:
        rows[:] = [row for row in rows if "ObA" not in row[:2]]

    with pytest.raises(DataError, match="no fleet ever leaves ObA"):
        load_map("copy", copy_of(tmp_path, "adjacency", wall_in))
