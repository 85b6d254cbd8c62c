"""The checks of maps report every fault by file and line, and read every column."""

import re
from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.board.map import Map, Terrain
from judge.board.mapcheck import MAX_FAULTS, check_files
from judge.board.mapfile import MAX_ROWS, Row, choose_letters, read_tables
from judge.mail.language.transformers import _WHO
from judge.model.addressees import WORDS_WITH_A_MEANING
from judge.model.command import MASTER_WORDS
from judge.play.press import WORDS

ISLES = Path(__file__).parents[1] / "maps" / "sixisles"
FILES = read_tables(ISLES)
COLUMNS = {"provinces": "\towner", "powers": "\tplays"}


def replace_text(table: str, old: str, new: str) -> dict[str, str]:
    """Return the files of the isles with one text replaced in a table."""
    name = f"{table}.tsv"
    assert FILES[name].count(old) == 1, (table, old)
    return {**FILES, name: FILES[name].replace(old, new)}


def in_provinces(old: str, new: str) -> dict[str, str]:
    """Return the files with one text replaced among the provinces."""
    return replace_text("provinces", old, new)


def about(**values: str) -> dict[str, str]:
    """Return the files of the isles with other values in `map.tsv`."""
    rows = dict(line.split("\t") for line in FILES["map.tsv"].splitlines())
    rows.update(values)
    return {**FILES, "map.tsv": "\n".join("\t".join(row) for row in rows.items() if row[1])}


def with_column(table: str, column: str, **values: str) -> dict[str, str]:
    """Return the files with a further column, with values by first cell."""
    head, *rows = FILES[f"{table}.tsv"].splitlines()
    default = {"owner": "=", "plays": "yes"}[column]
    lines = [f"{row}\t{values.get(row.split()[0], default)}" for row in rows]
    return {**FILES, f"{table}.tsv": "\n".join([f"{head}\t{column}", *lines])}


def read(files: Mapping[str, str]) -> Map:
    """Return the map of files without faults."""
    report = check_files("isles", files)
    assert report.board is not None, [str(fault) for fault in report.faults]
    return report.board


def faults(files: Mapping[str, str]) -> list[str]:
    """Return the faults of files as texts."""
    report = check_files("isles", files)
    assert report.board is None or not report.faults
    return [str(fault) for fault in report.faults]


FAULTS = [
    (about(first_year="0"), "map.tsv:3: first_year: '0' is no year from 1 to 9800"),
    (about(first_year="9801"), "no year from 1 to 9800"),
    (about(first_year="-"), "a map needs a first phase"),
    (about(first_phase="S1813M"), "the first phase S1813M is followed by year 1813"),
    (about(first_year="-", first_phase="S1812R"), "no game begins with retreats"),
    (about(first_year="-", first_phase="Q1"), "'Q1' is no phase such as S1901M"),
    (about(era="BCE"), "'BCE' is none of -, BC, AD"),
    (about(season_spring="{x}"), "season_spring: at most 20 letters and blanks"),
    (about(victory="5"), "victory at 5 centres, and the map has 4"),
    (about(victory="1"), "victory: '1' is no number from 2 to"),
    (about(builds="all"), "'all' is none of home, one, any"),
    (about(title="x" * 61), "map.tsv:2: title: more than 60 characters"),
    (about(title="<b>Isles</b>"), "title: the sign '<' is not allowed"),
    (about(about="a" * 201), "about: more than 200 characters"),
    (about(author="Ann\u202eexample"), "value has the invisible character U+202E"),
    (about(format="2"), "'2' is unknown to this judge"),
    (in_provinces("Älderö", "Alder, old"), "has the sign ','"),
    (in_provinces("Älderö", "Bryn's  Gate"), "odd blanks"),
    (in_provinces("Älderö", "Brуn"), "mixes alphabets whose letters look alike"),
    (in_provinces("Älderö", "A" * 41), "more than 40 characters"),
    (in_provinces("Älderö", "Bryns Gate"), "the spelling \"Bryn's Gate\": Ald or Bry?"),
    (in_provinces("Älderö", "Fenland"), "the spelling 'Fénland': Ald or Fen?"),
    (in_provinces("the rock", "mere"), "the spelling 'Mère': Eel or Mer?"),
    (in_provinces("Ald\t", "Sc\t"), "Sc is a word of the order language"),
    (in_provinces("Ald\t", "A1der\t"), "an abbreviation has 2 to 4 letters"),
    (in_provinces("the rock", ";".join(f"rock{n}" for n in range(21))), "20 spellings"),
    (in_provinces("nc,sc", "nc,xc"), "coasts are 'nc,xc'"),
    (in_provinces("120", "1e999"), "x is '1e999', no number"),
    (with_column("provinces", "owner", Bry="Reds"), "Bry: 'Reds' cannot own it"),
    (with_column("provinces", "owner", Eel="Greens"), "Eel: 'Greens' cannot own it"),
    (with_column("powers", "plays", Reds="no"), "fewer than two powers are played"),
    (with_column("powers", "plays", Reds="maybe"), "plays is 'maybe'"),
    (replace_text("powers", "\tR\t", "\tM\t"), "the letter M is that of masters"),
    (replace_text("powers", "\tR\t", "\tRE\t"), "either all powers have one letter"),
    (replace_text("powers", "\tR\t", "\tr1\t"), "the letter 'r1' is no capital"),
    (replace_text("powers", "\t0", "\t12"), "the colour '12' is no number from 0 to 11"),
    (replace_text("powers", "\t0", "\t2"), "the colour '2' is given twice"),
    (replace_text("start", "Cos", "Ald"), "'Ald' is given twice, first in line 2"),
    (replace_text("start", "A\tCos", "A\tMer"), "start.tsv:3: A MER of Blåar cannot be there"),
    (replace_text("start", "A\tCos", "F\tCos"), "cannot be there: name its coast, as in Cos/nc"),
    ({**FILES, "regions.tsv": "region\tprovinces\nAll\tAld Bry Cos Eel Fen"}, "in no region: Mer"),
    ({**FILES, "names-de.tsv": "place\tnames\nAld\tFenland\n"}, "spelling 'Fenland': Fen or Ald?"),
    ({**FILES, "powers.tsv": ""}, "powers.tsv: no head: power, letter, adjective, words"),
    ({}, "map.tsv: the file is missing"),
]  # fmt: skip


@pytest.mark.parametrize("files,text", FAULTS, ids=[text for _, text in FAULTS])
def test_fault_is_reported(files: Mapping[str, str], text: str) -> None:
    found = faults(files)
    assert any(text in fault for fault in found), found


@pytest.mark.parametrize("column", ["name", "adjective", "words"])
@pytest.mark.parametrize("word", [
    "Master", "All", "GM", "observer", "M", "O", "Everyone", "grey", "Nobody", "Game Master",
    "off", "no preference", "Beobachter",
])
def test_word_with_another_meaning_is_no_word_for_a_power(word: str, column: str) -> None:
    files = {**FILES}
    cells = {"name": "Reds", "adjective": "Red", "words": "-"} | {column: word}
    files["powers.tsv"] = "power\tletter\tadjective\twords\n" \
        f"{cells['name']}\tR\t{cells['adjective']}\t{cells['words']}\nBlåar\tB\tBlå\t-\n"
    for table in ("provinces", "start"):
        files[f"{table}.tsv"] = files[f"{table}.tsv"].replace("Reds", cells["name"])
    found = check_files("isles", files, is_new=True)
    assert [str(fault) for fault in found.faults] == [
        f"powers.tsv:2: the word {word!r} has another meaning in mails (as in PRESS TO ALL): "
        "choose another one"
    ]
    assert check_files("isles", files).board, "a game goes on with the map it has"


def test_words_of_the_heads_of_press_are_no_words_for_powers() -> None:
    grammar = (Path(__file__).parents[2] / "grammar" / "mail.lark").read_text(encoding="utf-8")
    heads = grammar[grammar.index("\npress: "):grammar.index("\ndiary: ")]
    words = {*re.findall(r'"([a-z]+)"i', heads), *WORDS, *_WHO, *_WHO.values(), *MASTER_WORDS}
    assert words <= WORDS_WITH_A_MEANING


def test_chosen_code_is_no_word_with_another_meaning() -> None:
    rows = [Row(power=name, letter="?") for name in ("Allemans", *(f"Z{n}" for n in range(25)))]
    assert choose_letters(rows)[0] == "ALE"


def test_all_faults_of_all_tables_are_reported_at_once() -> None:
    files = in_provinces("Älderö", "A|der")
    files["powers.tsv"] = files["powers.tsv"].replace("\tR\t", "\tO\t")
    files["start.tsv"] = files["start.tsv"].replace("Cos", "Coz")
    files["adjacency.tsv"] += "Ald\tBry\t2\n"
    assert {fault.partition(": ")[0] for fault in faults(files)} == {
        "adjacency.tsv:10", "powers.tsv:2", "provinces.tsv:2", "start.tsv:2", "start.tsv:3",
    }


def test_only_some_faults_are_reported() -> None:
    rows = "\n".join(["abbr\tname\tkind", *["x\ty\tz\tw"] * 200])
    assert len(faults({**FILES, "provinces.tsv": rows})) <= MAX_FAULTS
    rows = "a\tb\tarmy\tfleet\n" + "Ald\tZzz\t1\t1\n" * 200
    assert len(faults({**FILES, "adjacency.tsv": rows})) == MAX_FAULTS


def test_more_rows_than_a_table_can_have_are_a_fault() -> None:
    rows = "a\tb\tarmy\tfleet\n" + "Ald\tBry\t1\t0\n" * (MAX_ROWS["adjacency"] + 1)
    assert "adjacency.tsv:6002: more than 6000 rows" in faults({**FILES, "adjacency.tsv": rows})


def test_left_out_values_have_defaults() -> None:
    board = read(about(victory="", quiet_falls="", icebreaker=""))
    assert (board.victory, board.quiet_falls, board.builds) == (3, 0, "home")
    assert (board.first_phase, board.first_year) == ("S1812M", 1812)
    assert board.owners == {"Ald": "Reds", "Cos": "Blåar"} and board.texts.author == ""


def test_values_of_map_are_read() -> None:
    board = read(about(
        first_year="-", first_phase="W0899A", era="BC", season_spring="Lent", builds="any",
        author="Ann", source="a book", licence="free", about="Isles.", about_de="Inseln.",
    ))
    assert (board.first_phase, board.first_year, board.builds) == ("F0899A", 900, "any")
    assert board.calendar[:3] == ("Lent", "", "BC")
    assert board.texts == ("Ann", "a book", "free", "Isles.", "Inseln.")


def test_owner_may_differ_from_home() -> None:
    board = read(with_column("provinces", "owner", Ald="-", Eel="Blåar"))
    assert board.owners == {"Cos": "Blåar", "Eel": "Blåar"}
    assert board.provinces["Ald"].home == "Reds"


def test_unit_may_begin_anywhere() -> None:
    report = check_files("isles", replace_text("start", "A\tCos", "F\tMer"))
    assert report.board is not None and not report.warnings


def test_equal_seasons_and_positions_are_warnings() -> None:
    files = {**about(season_spring="Lent", season_fall="Lent"),
             "provinces.tsv": FILES["provinces.tsv"].replace("200\t60", "200\t130")}
    warnings = [str(each) for each in check_files("isles", files).warnings]
    assert warnings == [
        "map.tsv: both turns of a year are called 'Lent'",
        "provinces.tsv:7: Mer is at the same x and y as Bry",
    ]


def test_fleet_in_port_convoys() -> None:
    board = read(in_provinces("Eel's Rock\tcoast", "Eel's Rock\tport"))
    assert board.provinces["Eel"].terrain is Terrain.PORT
    assert board.may_convoy("Eel") and not board.may_convoy("Fen")
    assert {"Eel"} & board.coastal and board.fleet_places("Eel") == ("Eel",)


def test_letters_are_chosen_where_left_open() -> None:
    board = read(replace_text("powers", "\tR\t", "\t?\t"))
    assert [power.letter for power in board.powers] == ["R", "B"]
    powers = FILES["powers.tsv"].replace("\tR\t", "\t?\t").replace("\tB\t", "\tR\t")
    start = FILES["start.tsv"].replace("\tR\t", "\t-\t").replace("\tB\t", "\tR\t")
    board = read({**FILES, "powers.tsv": powers, "start.tsv": start})
    assert [power.letter for power in board.powers] == ["E", "R"]


def test_many_powers_have_codes() -> None:
    rows = [f"Tribe{chr(65 + n)}\t?\tTribal{chr(65 + n)}\t-" for n in range(25)]
    rows += ["Reds\t?\tRed\t-", "Blåar\tBLU\tBlå\t-", "Tribe\t?\tTribal\t-"]
    powers = "\n".join(["power\tletter\tadjective\twords", *rows])
    start = FILES["start.tsv"].replace("\tB\t", "\tBLU\t").replace("\tR\t", "\tRED\t")
    board = read({**FILES, "powers.tsv": powers, "start.tsv": start})
    letters = [power.letter for power in board.powers]
    assert len({*letters}) == len(letters) and letters[:3] == ["TRI", "TRB", "TRE"]
    assert letters[-3:-1] == ["RED", "BLU"]


def test_marks_and_line_ends_of_windows_are_read() -> None:
    files = {name: "\ufeff" + text.replace("\n", "\r\n") for name, text in FILES.items()}
    assert read(files) == read(FILES)
