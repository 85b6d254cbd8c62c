"""Maps that are not in the package: six isles with names that are hard to type."""

import json
import math
from dataclasses import replace
from pathlib import Path

import pytest

from judge.board.map import Map, Power
from judge.board.mapcheck import load_map
from judge.drawing import colours
from judge.errors import DataError
from judge.games.diplomacy.boards import all_names, board, opening_on
from judge.games.diplomacy.language.order_reader import read_lines
from judge.games.diplomacy.rules.orders import order_text
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.views.geometry import read_shapes, schematic_of
from judge.games.diplomacy.views.pictures import colours_of
from judge.model.incoming import Line

FOLDER = Path(__file__).parents[2] / "maps" / "sixisles"
SIX_ISLES = load_map("sixisles", FOLDER)


def _read(line: str, power: str) -> list[str]:
    (seen,) = read_lines([Line(1, line)], SIX_ISLES, opening_on(SIX_ISLES), power, Rules())
    return [order_text(order) for _, order in seen.orders]


@pytest.mark.parametrize(("line", "order"), [
    ("F Älderö - Mère", "F ALD - MER"), ("f aldero-mere", "F ALD - MER"),
    ("F AELDEROE - MER", "F ALD - MER"), ("fleet ald to Mere", "F ALD - MER"),
    ("A Cossé - Bryn's Gate", "A COS - BRY"), ("A Cosse - Bryn’s Gate", "A COS - BRY"),
    ("a cos-bryns gate", "A COS - BRY"), ("A COS - bryn gate", "A COS - BRY"),
    ("Blåar: A Cos - Fénland", "A COS - FEN"), ("Blaar army cosse - fenland", "A COS - FEN"),
])
def test_names_with_accents_and_genitives_are_read(line: str, order: str) -> None:
    assert _read(line, "Reds" if order[0] == "F" else "Blåar") == [order]


def _with_powers(*powers: tuple[str, int | None]) -> Map:
    rows = tuple(Power(name, name[:3].upper(), name, (), colour) for name, colour in powers)
    return replace(SIX_ISLES, powers=rows)


@pytest.mark.parametrize(("powers", "found"), [
    ((("Red", 0), ("Blue", 2)), [0, 2]),
    ((("Italy", None), ("France", None), ("Spain", None)), [6, 3, 0]),
    ((("Spain", 3), ("France", None), ("Rome", None)), [3, 0, 1]),
])
def test_power_has_the_colour_of_its_row_or_a_free_one(
    powers: tuple[tuple[str, int | None], ...], found: list[int]
) -> None:
    assert [*colours_of(_with_powers(*powers)).values()] == found


def _looks(found: Map) -> set[tuple[colours.Paint, str]]:
    """Return the different looks of the land of a map's powers."""
    return {
        (colours.paint(number), colours.hatching(number) if colours.is_hatched(number) else "")
        for number in colours_of(found).values()
    }


@pytest.mark.parametrize("name", all_names())
def test_no_two_powers_look_alike(name: str) -> None:
    assert len(_looks(board(name))) == len(board(name).powers)


@pytest.mark.parametrize("colour", ["12", "x", "2"])
def test_faulty_colour_is_refused(colour: str, tmp_path: Path) -> None:
    for file in FOLDER.iterdir():
        text = file.read_text(encoding="utf-8")
        if file.name == "powers.tsv":
            text = text.replace("\t0\n", f"\t{colour}\n")
        (tmp_path / file.name).write_text(text, encoding="utf-8")
    with pytest.raises(DataError, match="colour"):
        load_map("sixisles", tmp_path)


def _shapes(**changes: object) -> str:
    """Return shapes for the six isles, with some values changed."""
    area = {"kind": "land", "label": "X", "rings": [[0]], "unit": [5, 5], "name": [5, 9]}
    areas = {name: dict(area) for name in SIX_ISLES.provinces}
    areas["Cos"]["spots"] = {"Cos/nc": [1, 1], "Cos/sc": [2, 2]}
    found: dict[str, object] = {
        "width": 100, "height": 100, "unit": 1, "arcs": [[0, 0, 9, 0, 0, 9, -9, -9]],
        "sides": [["Ald", ""]], "areas": areas, "frames": {}, "inert": [],
    }
    return json.dumps({**found, **changes})


def _folder_with(tmp_path: Path, shapes: str) -> Path:
    (tmp_path / "shapes.json").write_text(shapes, encoding="utf-8")
    return tmp_path


def test_whole_shapes_are_used(tmp_path: Path) -> None:
    assert read_shapes(SIX_ISLES, tmp_path) is None
    found = read_shapes(SIX_ISLES, _folder_with(tmp_path, _shapes()))
    assert found is not None and not found.is_schematic


@pytest.mark.parametrize(("shapes", "fault"), [
    (_shapes(areas={}), "has no Ald, Bry, Cos, Eel, Fen"), ("{", "JSONDecodeError"),
    (_shapes(arcs=[]), "IndexError"), (_shapes(unit=0), "ZeroDivisionError"), ("[]", "TypeError"),
    (_shapes(width=1), "the board is 1 x 100"), (_shapes(height=100_000), "the board is 100 x 1"),
    (_shapes(width=-1), "the board is -1"), (_shapes(height=math.nan), "the board is 100 x nan"),
    (_shapes(width=501), "the board is 501 x 100"), (_shapes(height="9"), "TypeError"),
    (_shapes(unit=0.001), "the point 9000.0, 0.0 is outside"),
    (_shapes(ways={"Ald-Mer": [0, 0, math.inf, 0]}), "the point inf, 0 is outside"),
    (_shapes().replace("[5, 9]", "[5, 1e308]", 1), "the point 5, 1e.308 is outside"),
    (_shapes().replace("[5, 5]", '["5", 5]', 1), "TypeError"),
])
def test_faulty_shapes_are_refused(shapes: str, fault: str, tmp_path: Path) -> None:
    with pytest.raises(DataError, match=fault):
        read_shapes(SIX_ISLES, _folder_with(tmp_path, shapes))


def test_schematic_has_all_places_and_borders() -> None:
    drawn = schematic_of(SIX_ISLES)
    assert {*drawn.areas} == {*SIX_ISLES.provinces} and {*drawn.spots} == {"Cos/nc", "Cos/sc"}
    assert len(drawn.borders) == 8
