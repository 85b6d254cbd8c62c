"""Import of maps in the syntaxes of other judges, written by the tests."""

from collections.abc import Mapping
from pathlib import Path

import pytest

from judge.board.map import Map, Terrain
from judge.board.mapcheck import load_map
from judge.games.diplomacy.boards import board as shipped_board
from judge_maps.__main__ import main
from tests.mapmaking.foreign_maps import WRITERS

FEATURES = {
    "dpjudge": {
        "letters", "aliases", "owners", "first phase", "ports", "neutrals", "builds",
        "victory",
    },
    "njudge": {"letters", "aliases", "owners", "first phase"},
    "jdip": {"aliases", "owners", "first phase", "ports", "neutrals", "builds", "victory"},
    "godip": {"owners", "first phase", "ports", "neutrals", "builds", "victory"},
    "webdip": {"first phase", "ports", "neutrals", "victory"},
}
"""Features of each format, beyond coasts, homes, borders and units, that all have."""
ISLES = {
    "map.tsv": """key value
title Six~Isles
first_phase S1812M
victory 3
builds any
author A~Writer
""",
    "powers.tsv": """power letter adjective words colour plays
Reds R Red crimson - yes
Old~Blues B Blue - - yes
Tribes N Tribal - - no
""",
    "provinces.tsv": """abbr name kind supply_centre home_power coasts aliases owner
Ald Alder coast 1 Reds - elder;old~alder =
Bry Bryn's~Gate land 0 - - bryn =
Cos Cossé coast 1 Old~Blues nc,sc - =
Eel Eel~Rock port 1 - - rock -
Fen Fenland coast 1 - - - Old~Blues
Ice Ice shut 0 - - - -
Mer Mere sea 0 - - - -
""",
    "coasts.tsv": """abbr name aliases
Cos/nc Cossé~(north~coast) -
Cos/sc Cossé~(south~coast) -
""",
    "adjacency.tsv": """a b army fleet
Ald Bry 1 0
Ald Mer 0 1
Bry Cos 1 0
Cos Fen 1 0
Cos/nc Mer 0 1
Cos/sc Fen 0 1
Eel Mer 0 1
Fen Mer 0 1
""",
    "start.tsv": """power unit location
Reds F Ald
Old~Blues F Cos/nc
Tribes A Fen
""",
}
"""A map with every feature: blanks stand for tabs, and ~ for a blank."""


@pytest.fixture
def isles(tmp_path: Path) -> Map:
    (tmp_path / "isles").mkdir()
    return read_isles(tmp_path / "isles")


def read_isles(folder: Path) -> Map:
    """Write the tables of the isles into a folder, and return their map."""
    for name, text in ISLES.items():
        table = text.replace(" ", "\t").replace("~", " ")
        (folder / name).write_text(table, "utf-8")
    return load_map("isles", folder)


def import_board(source: Path, folder: Path, *options: str) -> Map:
    assert main(["import", str(source), str(folder), *options]) == 0
    return load_map(folder.name, folder)


def facts_of(board: Map, features: set[str]) -> Mapping[str, object]:
    """Return what an import must keep, by names of places."""
    def name(place: str) -> str:
        return board.place_name(place).lower()

    kept = [p for p in board.provinces.values() if p.terrain is not Terrain.SHUT]
    facts: dict[str, object] = {
        "kinds": {p.name: p.terrain if "ports" in features or p.terrain is not Terrain.PORT
                  else Terrain.COAST for p in kept},
        "centres": {p.name: p.home for p in kept if p.is_centre},
        "coasts": {p.name: {*p.coasts} for p in kept},
        "walk": {(name(a), name(b)) for a, goals in board.walk.items() for b in goals},
        "sail": {(name(a), name(b)) for a, found in board.sail.items()
                 for goals in found.values() for b in goals},
        "units": {(power, unit.kind, name(unit.place))
                  for power, units in board.start.items() for unit in units},
        "powers": {power.name for power in board.powers},
    }
    if "aliases" in features:
        facts["aliases"] = {p.name: {a for a in p.aliases if " " not in a} for p in kept}
        facts["abbreviations"] = {p.name: p.abbr.lower() for p in kept}
    if "letters" in features:
        facts["letters"] = {power.name: power.letter for power in board.powers}
    if "owners" in features:
        facts["owners"] = {name(place): owner for place, owner in board.owners.items()}
    if "neutrals" in features:
        facts["plays"] = {power.name: power.plays for power in board.powers}
    for feature in {"first phase", "builds", "victory"} & features:
        facts[feature] = getattr(board, feature.replace(" ", "_"))
    return facts


def count_pairs(board: Map) -> int:
    """Return the number of border pairs of armies and of fleets."""
    walks = sum(map(len, board.walk.values()))
    sails = sum(len(goals) for found in board.sail.values() for goals in found.values())
    return (walks + sails) // 2


@pytest.mark.parametrize("kind", WRITERS)
def test_standard_map_in_each_format_has_the_same_tables(kind: str, tmp_path: Path) -> None:
    board = shipped_board("standard")
    (tmp_path / "other").mkdir()
    source = WRITERS[kind](board, tmp_path / "other")
    names = ",".join(f"{power.letter}={power.name}" for power in board.powers)
    options = ["--powers", names] if kind == "njudge" else []
    found = import_board(source, tmp_path / "imported", *options)
    assert count_pairs(found) == count_pairs(board) == 252
    features = FEATURES[kind] - {"aliases"}
    assert facts_of(found, features) == facts_of(board, features)


@pytest.mark.parametrize("kind", WRITERS)
def test_features_of_each_format_are_imported_without_a_guess(
    kind: str, isles: Map, tmp_path: Path
) -> None:
    (tmp_path / "other").mkdir()
    source = WRITERS[kind](isles, tmp_path / "other")
    options = ["--powers", "R=Reds,B=Old Blues,N=Tribes"] if kind == "njudge" else []
    found = import_board(source, tmp_path / "imported", *options)
    assert facts_of(found, FEATURES[kind]) == facts_of(isles, FEATURES[kind])
    log = (tmp_path / "imported" / "import.log").read_text("utf-8")
    assert "Rules hidden in code or prose are not imported." in log
    assert "Guessed" not in log and "Refused" not in log
    notes = (tmp_path / "imported" / "notes.txt").read_text("utf-8")
    author = "not known" if kind in ("dpjudge", "njudge") else "A Writer"
    assert f"Author: {author}\nLicence: not known\n" in notes
