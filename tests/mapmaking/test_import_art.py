"""Outlines of imported maps, from pictures made by the tests."""

from io import BytesIO
from pathlib import Path

import pytest
from PIL import Image, ImageDraw

from judge.board.map import Map
from judge.board.mapcheck import load_map
from judge.drawing.picture import Head, Picture
from judge.drawing.svg import draw_svg
from judge.games.diplomacy.views.geometry import read_shapes
from judge_maps.__main__ import main
from judge_maps.importing.draft import ImportFault, ImportLog
from judge_maps.importing.raster import fill_areas, read_picture
from tests.mapmaking.foreign_maps import write_dpjudge
from tests.mapmaking.test_importing import read_isles

BOXES = {
    "ald": (0, 0, 20, 10), "bry": (20, 0, 20, 10), "cos": (40, 0, 20, 10),
    "mer": (0, 10, 45, 20), "fen": (50, 10, 10, 20), "eel": (20, 15, 5, 5),
}
"""Areas of the six isles: x, y, width, height. Fen does not touch Mer, and Bry does."""


@pytest.fixture
def source(tmp_path: Path) -> Path:
    (tmp_path / "own").mkdir()
    return write_dpjudge(read_isles(tmp_path / "own"), tmp_path)


def svg_of(names: list[str], head: str = 'id="provinces" style="display:none"') -> str:
    shapes = []
    for name in names:
        x, y, wide, high = BOXES[name]
        path = f"M {x} {y} h {wide} v {high} h -{wide} z"
        shapes.append(f'<g transform="translate(1,2)"><path id="_{name}" d="{path}"/></g>')
    return ('<svg xmlns="http://www.w3.org/2000/svg"><rect width="99" height="99"/>'
            f'<g transform="scale(3)" {head}>{"".join(shapes)}</g></svg>')


def import_art(source: Path, text: str, *options: str) -> Path:
    folder = source.parent / "mars"
    (source.parent / "art.svg").write_text(text, "utf-8")
    art = str(source.parent / "art.svg")
    assert main(["import", str(source), str(folder), "--art", art, *options]) == 0
    return folder


@pytest.mark.parametrize("options", [[], pytest.param(["--fine"], marks=pytest.mark.slow)])
def test_svg_layer_gives_outlines_and_differences_of_borders(
    source: Path, options: list[str]
) -> None:
    folder = import_art(source, svg_of([*BOXES]), *options)
    board, log = load_map("mars", folder), (folder / "import.log").read_text("utf-8")
    drawn = read_shapes(board, folder)
    assert drawn is not None and {*drawn.areas} == {*board.provinces}
    assert "6 of 7 borders are drawn, and 1 that no unit crosses" in log
    assert "the border Fen-Mer is not drawn, and has a dotted line" in log
    assert "no unit crosses the border Bry-Mer that is drawn" in log
    assert "Ice, which is closed and not in the picture" in log
    assert {*drawn.ways} == {("Fen", "Mer")}
    assert draw_svg(Picture(drawn, Head("", "", ""))).count('stroke-dasharray="3 3"') == 1
    check_positions(board, folder)


def check_positions(board: Map, folder: Path) -> None:
    """Check that units are inside their areas, and fleets on their coasts."""
    drawn = read_shapes(board, folder)
    assert drawn is not None
    scale = drawn.width / 60
    for name, area in drawn.areas.items():
        x, y, wide, high = BOXES[name.lower()]
        assert x <= area.unit.x / scale <= x + wide and y <= area.unit.y / scale <= y + high, name
        assert (area.dot is not None) == board.provinces[name].is_centre
    assert drawn.spot("Cos/nc").x < drawn.spot("Cos/sc").x


def test_layer_is_found_by_the_name_that_is_given(source: Path) -> None:
    text = svg_of([*BOXES], 'label="areas"')
    folder = import_art(source, text)
    assert "has no layer provinces or MouseLayer" in (folder / "import.log").read_text("utf-8")
    assert not (folder / "shapes.json").exists()


@pytest.mark.slow
def test_named_layer_is_read(source: Path) -> None:
    folder = import_art(source, svg_of([*BOXES], 'label="areas"'), "--layer", "areas")
    assert (folder / "shapes.json").exists()


def test_picture_without_a_province_leaves_nodes_and_lines(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = import_art(source, svg_of(["ald", "bry", "cos", "mer", "fen"]))
    assert not (folder / "shapes.json").exists()
    assert "the picture has no Eel; no outlines are made" in capsys.readouterr().err


def test_narrow_picture_gives_no_outlines(
    source: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    folder = import_art(source, svg_of([*BOXES]).replace("scale(3)", "scale(9 1)"))
    assert not (folder / "shapes.json").exists()
    assert "longer than 5 times its shorter side" in capsys.readouterr().err


@pytest.mark.slow
def test_closed_place_without_a_shape_leaves_abbreviations(source: Path) -> None:
    text = source.read_text("utf-8").replace("FEN", "FENLA").replace("Fen", "Fenla")
    text = text.replace("= fen", "= fenla").replace(" fen", " fenla")
    # This place takes the abbreviation Fen, and is dropped.
    source.write_text(f"Fenland = fenlands\nSHUT FENLANDS\n{text}", "utf-8")
    folder = import_art(source, svg_of([*BOXES]).replace("_fen", "_fenla"))
    board = load_map("mars", folder)
    assert "Fel" in board.provinces and len(board.provinces) == len(BOXES)
    drawn = read_shapes(board, folder)
    assert drawn is not None and {*drawn.areas} == {*board.provinces}


def picture_of(boxes: dict[str, tuple[int, int, int, int]]) -> bytes:
    image = Image.new("RGB", (640, 340), "white")
    draw = ImageDraw.Draw(image)
    for x, y, wide, high in boxes.values():
        box = (10 * x + 10, 10 * y + 10, 10 * (x + wide) + 10, 10 * (y + high) + 10)
        draw.rectangle(box, "white", "black", 2)
    octets = BytesIO()
    image.save(octets, "PNG")
    return octets.getvalue()


def test_picture_is_filled_from_the_points_of_provinces() -> None:
    points = {name: (10.0 * x + 25, 10.0 * y + 25) for name, (x, y, _, _) in BOXES.items()}
    labels = fill_areas(read_picture(picture_of(BOXES)), points, sorted(BOXES), ImportLog())
    for number, name in enumerate(sorted(BOXES), 1):
        x, y, wide, high = BOXES[name]
        size = 100 * (wide * high - (25 if name == "mer" else 0))
        assert 0.75 * size < (labels == number).sum() <= size, name


def test_place_in_the_area_of_another_is_a_square() -> None:
    points = {name: (10.0 * x + 25, 10.0 * y + 25) for name, (x, y, _, _) in BOXES.items()}
    log = ImportLog()
    boxes = {name: box for name, box in BOXES.items() if name != "eel"}
    labels = fill_areas(read_picture(picture_of(boxes)), points, sorted(BOXES), log)
    assert (labels == sorted(BOXES).index("eel") + 1).sum() == 15 * 15
    assert log.entries("guessed") == ["eel is a square at its point"]
    assert log.entries("picture") == ["eel is in the same area as mer"]


def test_points_that_share_one_area_are_refused() -> None:
    points = {name: (10.0 * x + 25, 10.0 * y + 25) for name, (x, y, _, _) in BOXES.items()}
    with pytest.raises(ImportFault, match="5 of 6 points are in no area of their own"):
        fill_areas(read_picture(picture_of({})), points, sorted(BOXES), ImportLog())
