"""`judge map check` reports every fault of a folder, and passes maps that play."""

import os
import re
import shutil
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from judge.board.bundle import MAX_TABLE_OCTETS, SHAPES, hash_of, make_key, write_bundle
from judge.board.mapcheck import MAX_FAULTS, check_files
from judge.board.mapfile import COLUMNS, read_tables
from judge.cli import main
from judge.games import added_maps
from judge.games.diplomacy.boards import MAP_NAMES, all_names, board
from judge.games.diplomacy.map_tests import run_map_tests, words_of_orders
from judge.terminal.maps import check_map
from tests.added_maps import SHIPPED

ROOT = Path(__file__).parents[2]
ISLES = ROOT / "tests" / "maps" / "sixisles"
_TABLE = re.compile(r"^## (\w+\.tsv)\n.*?```\n(.*?)```", re.DOTALL | re.MULTILINE)


def write_isles(folder: Path, name: str = "isles", **texts: str) -> Path:
    """Write the isles into a folder, with other texts of some tables."""
    isles = folder / name
    isles.mkdir()
    for file, text in read_tables(ISLES).items():
        (isles / file).write_text(texts.get(file.removesuffix(".tsv"), text), encoding="utf-8")
    return isles


def faults(folder: Path) -> list[str]:
    """Return the faults of a folder as texts, each in one line."""
    found = check_map(folder)
    assert bool(found.faults) == (found.map is None)
    texts = [str(fault) for fault in found.faults]
    assert len(texts) <= MAX_FAULTS and not any("\n" in text for text in texts)
    return texts


def test_map_without_faults_passes(tmp_path: Path) -> None:
    assert not faults(write_isles(tmp_path))


def test_map_of_the_manual_passes(tmp_path: Path) -> None:
    """The map that `docs/build/maps.md` explains."""
    text = (ROOT / "docs" / "build" / "maps.md").read_text(encoding="utf-8")
    isles = tmp_path / "isles"
    isles.mkdir()
    for file, table in _TABLE.findall(text):
        rows = [re.sub(r"  +", "\t", row) for row in table.strip().splitlines()]
        (isles / file).write_text("\n".join(rows) + "\n", encoding="utf-8")
    found = check_map(isles)
    assert found.map is not None, [str(fault) for fault in found.faults]
    assert found.map.board.may_convoy("Eel") and found.map.board.owners["Fen"] == "Blues"
    assert not found.warnings


def write_ring(folder: Path, size: int) -> Path:
    """Write a ring of inland centres, each the only one of a power."""
    ring = folder / "ring"
    ring.mkdir()
    names = [f"{chr(65 + number // 20)}{chr(97 + number % 20)}z" for number in range(size)]
    pairs = sorted(tuple(sorted((names[n - 1], names[n]))) for n in range(size))
    tables = {
        "map": ["key\tvalue", "title\tRing", "first_phase\tF0001A"],
        "provinces": ["abbr\tname\tkind\tsupply_centre\thome_power\tcoasts\taliases"] + [
            f"{name}\t{name} town\tland\t1\t{name}ians\t-\t-" for name in names
        ],
        "adjacency": ["a\tb\tarmy\tfleet"] + [f"{a}\t{b}\t1\t0" for a, b in pairs],
        "powers": ["power\tletter\tadjective\twords"] + [
            f"{name}ians\t?\t{name}ian\t-" for name in names
        ],
        "start": ["power\tunit\tlocation"],
    }
    for table, rows in tables.items():
        (ring / f"{table}.tsv").write_text("\n".join(rows) + "\n")
    return ring


@pytest.mark.parametrize("size,letters", [(24, 1), (25, 3)])
def test_map_of_many_powers_passes(tmp_path: Path, size: int, letters: int) -> None:
    found = check_map(write_ring(tmp_path, size))
    assert found.map is not None, [str(fault) for fault in found.faults]
    assert {len(power.letter) for power in found.map.board.powers} == {letters}


def test_map_with_a_neutral_power_passes(tmp_path: Path) -> None:
    powers = "power\tletter\tadjective\twords\tplays\nFolk\t?\tFolk\t-\tno\n" \
             "Reds\tR\tRed\t-\tyes\nBlåar\tB\tBlå\t-\tyes\n"
    start = read_tables(ISLES)["start.tsv"] + "Folk\t-\tF\tEel\n"
    assert not faults(write_isles(tmp_path, powers=powers, start=start))


@pytest.mark.parametrize("year", [1, 9, 98, 998, 9800])
def test_map_of_any_year_passes(tmp_path: Path, year: int) -> None:
    text = f"key\tvalue\ntitle\tOld Isles\nfirst_year\t{year}\n"
    assert not faults(write_isles(tmp_path, map=text))


@pytest.mark.parametrize("name", MAP_NAMES)
def test_shipped_map_passes(name: str) -> None:
    files = read_tables(SHIPPED / name)
    report = check_files(name, files, words_of_orders(), is_new=True)
    assert report.board == board(name)
    assert {fault.text[4:] for fault in report.warnings} <= {
        "is also a word for a power", "is also a word of the order language"
    }


@pytest.mark.parametrize("name", [
    pytest.param(name, marks=() if name in ("standard", "youngstown") else pytest.mark.slow)
    for name in all_names()
])
def test_shipped_map_and_preset_play(name: str) -> None:
    assert not run_map_tests(board(name))


def test_blanks_instead_of_tabs_are_explained(tmp_path: Path) -> None:
    folder = write_isles(tmp_path, start="power  unit  location\nReds  F  Ald\n")
    assert faults(folder) == [
        "start.tsv:1: no column power, unit, location; cells are separated by tabs, not by blanks"
    ]


def test_opening_without_orders_is_a_fault(tmp_path: Path) -> None:
    folder = write_isles(tmp_path, start="power\tunit\tlocation\n")
    assert faults(folder) == ["no power can order anything in S1812M"]


@pytest.mark.parametrize("name", ["youngstown", "votes", "list", "png", "Isles", "x", "a.b", "fva"])
def test_name_with_another_meaning_is_a_fault(tmp_path: Path, name: str) -> None:
    [fault] = faults(write_isles(tmp_path, name))
    assert f"no map can be called '{name}'" in fault


def test_folder_that_is_no_map_is_a_fault(tmp_path: Path) -> None:
    (tmp_path / "isle").write_text("x")
    assert faults(tmp_path / "nowhere") == [f"no map is in the folder {tmp_path / 'nowhere'}"]
    assert faults(tmp_path / "isle") == [f"no map is in the folder {tmp_path / 'isle'}"]


def test_hostile_files_are_faults(tmp_path: Path) -> None:
    folder = write_isles(tmp_path)
    for file in ("start.tsv", "powers.tsv", "coasts.tsv", "map.tsv"):
        (folder / file).unlink()
    (folder / "start.tsv").symlink_to("/etc/passwd")
    (folder / "powers.tsv").write_bytes(b"power\xff\xfe")
    (folder / "coasts.tsv").mkdir()
    (folder / "map.tsv").write_bytes(b"a" * (MAX_TABLE_OCTETS + 1))
    os.mkfifo(folder / "regions.tsv")
    assert {
        "start.tsv: not a file", "coasts.tsv: not a file", "map.tsv: more than 1 MiB",
        "powers.tsv: not UTF-8, line 1: save the file in UTF-8", "regions.tsv: not a file",
    } == {fault for fault in faults(folder) if "has no row" not in fault}


@pytest.mark.parametrize("shapes", ["", "[]", "{}", "[" * 100_000, '{"unit": 1, "areas": {}}'])
def test_broken_shapes_are_a_fault(tmp_path: Path, shapes: str) -> None:
    folder = write_isles(tmp_path)
    (folder / SHAPES).write_text(shapes)
    found = faults(folder)
    assert len(found) == 1 and "shapes" in found[0]


TEXTS = st.text("ab-=/,;1 \t\n\u202eÄé'|<>{}#\x00/ncABCRF", max_size=12)


@pytest.mark.slow
@settings(max_examples=60, deadline=None)
@given(st.data())
def test_fuzzed_rows_are_faults_or_a_map_that_plays(data: st.DataObject) -> None:
    files = read_tables(ISLES)
    for _ in range(data.draw(st.integers(1, 3))):
        name = data.draw(st.sampled_from(sorted(files)))
        rows = [line.split("\t") for line in files[name].splitlines()]
        row = data.draw(st.integers(0, len(rows) - 1))
        cell = data.draw(st.integers(0, len(rows[row]) - 1))
        others = [value for other in rows for value in other]
        rows[row][cell] = data.draw(st.one_of(TEXTS, st.sampled_from(others)))
        files[name] = "\n".join("\t".join(each) for each in rows) + "\n"
    report = check_files("isles", files, words_of_orders())
    assert bool(report.faults) == (report.board is None)
    assert len(report.faults) <= MAX_FAULTS
    if report.board is not None:
        bundle = write_bundle(files)
        key = make_key("isles", hash_of(bundle))
        added_maps.store_bundle(key, bundle)
        assert all("Error" not in fault.text for fault in run_map_tests(board(key)))


def test_every_table_can_be_anything() -> None:
    for text in ("", "\n", "\x00", "a\tb", "#\n#", "\t\t\t\n\t", "abbr\tabbr"):
        for table in COLUMNS:
            assert check_files("x", {**read_tables(ISLES), f"{table}.tsv": text}) is not None


@pytest.mark.slow
def test_borders_drawn_otherwise_are_warnings(tmp_path: Path) -> None:
    folder = tmp_path / "mars"
    shutil.copytree(SHIPPED / "standard", folder)
    table = folder / "adjacency.tsv"
    text = table.read_text(encoding="utf-8").replace("Adr\tAlb\t0\t1\t-\n", "Adr\tRom\t0\t1\t-\n")
    table.write_text(text, encoding="utf-8")
    found = check_map(folder)
    texts = {str(warning) for warning in found.warnings if warning.file == SHAPES}
    assert found.map is not None and texts == {
        "shapes.json: no unit crosses the border Adr-Alb of the picture",
        "shapes.json: the picture lacks the border Adr-Rom",
    }


def test_exit_code_says_whether_a_map_has_faults(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    isles = write_isles(tmp_path)
    assert main(["map", "check", str(isles)]) == 0
    assert "2 powers, 6 provinces, 4 centres, 3 win; no faults" in capsys.readouterr().out
    (isles / "start.tsv").unlink()
    for job in ("check", "add"):
        assert main(["map", job, str(isles)]) == 1
        assert "start.tsv: the file is missing" in capsys.readouterr().err


@pytest.mark.parametrize("name,text", [
    ("Hold", "the order 'A ALD - Hold' is not read as A ALD - BRY"),
    ("Army", "the order 'A Army H' is not read as A BRY H"),
    ("Fleet", "the order 'A Fleet H' is not read as A BRY H"),
    ("Halten", "the order 'A ALD - Halten' is not read as A ALD - BRY"),
    ("Rest", "the order 'Rest H' is not read as A BRY H"),
    ("Army Ald", "'Army Ald' is read as a unit in Ald"),
    ("A Fénland", "'A Fénland' is read as a unit in Fen"),
])
@pytest.mark.parametrize("column", ["name", "alias"])
def test_place_with_an_order_word_as_its_name_is_a_fault(
    tmp_path: Path, name: str, text: str, column: str
) -> None:
    land = "land\t0\t-\t-\t"
    old, new = ("Bryn's Gate", name) if column == "name" else (f"{land}-", f"{land}{name}")
    provinces = read_tables(ISLES)["provinces.tsv"].replace(old, new)
    assert text in faults(write_isles(tmp_path, provinces=provinces))


@pytest.mark.parametrize("name", ["Support", "Convoy", "Via", "To", "A Bryn", "F Rock"])
def test_place_with_a_name_like_an_order_word_is_a_warning(tmp_path: Path, name: str) -> None:
    provinces = read_tables(ISLES)["provinces.tsv"].replace("Bryn's Gate", name)
    found = check_map(write_isles(tmp_path, provinces=provinces))
    assert not found.faults
    text = "begins like a unit in an order" if " " in name else "is also a word of the order"
    assert [text in str(warning) and name in str(warning) for warning in found.warnings] == [True]
