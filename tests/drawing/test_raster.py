"""Pages from kept parts look like the SVG rendered as a whole."""

import logging
import subprocess
import sys
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from PIL import Image, ImageChops

from judge.drawing import plates, stamps
from judge.drawing.base import Window
from judge.drawing.layout import PanelDrawing, ProvinceDrawing
from judge.drawing.picture import (
    Head,
    HoldMark,
    Picture,
    Sample,
    Side,
    Stroke,
    StrokeKind,
    Token,
    TokenShape,
    TokenState,
)
from judge.drawing.plates import keep_plates_in
from judge.drawing.primitives import FinishedDrawing
from judge.drawing.raster import rasterize_page
from judge.drawing.rasterizer import rasterize_svg
from judge.drawing.svg import sheet_svg
from tests.drawing.small import small_base

ROOT = Path(__file__).parents[2]
SIDES = tuple(Side(f"Side {n}", "ABCDEFGHIJKL"[n], n, f"{n} units") for n in range(12))
EMPTY = Picture(small_base(), Head("marco", "Spring", "a subtitle", "aside"))
FULL = replace(
    EMPTY, sides=SIDES, tints={"Isl": "Side 11", "ObA": "Side 2"}, bands={"Lan": "Side 0"},
    owners={"Lan": "Side 3"}, unseen=frozenset({"Sea", "ObB"}), contested=("Isl",),
    tokens=(
        Token("Lan", "Side 1", TokenShape.BLOCK), Token("Sea", "Side 10", TokenShape.BOAT),
        Token("Isl", "Side 2", TokenShape.BLOCK, TokenState.BEATEN, aside=True),
    ),
    strokes=(
        Stroke(StrokeKind.MOVE, "Lan", "Sea", failed=True),
        Stroke(StrokeKind.SUPPORT, "Isl", "Sea", aim="Lan"),
        Stroke(StrokeKind.MOVE, "ObA", "ObB"),
    ),
    holds=(HoldMark("Isl"),), key=tuple((sample, sample.value) for sample in Sample),
)
BLUR = 4
"""Pixels that are compared together. Texts may be half a pixel apart."""
STRONG = 40
"""Difference of brightness that an eye would notice."""
LIMIT = 0.001


@pytest.fixture(autouse=True)
def no_plates() -> Iterator[None]:
    """Keep nothing from one test to the next."""
    _forget()
    yield
    keep_plates_in(None)
    _forget()


def _forget() -> None:
    stamps._stamps.clear()
    plates.ground_plate.cache_clear()
    plates.fixed_plate.cache_clear()


def share_of_different(page: FinishedDrawing, width: int) -> float:
    """Return the share of pixels that differ much from those of the whole SVG."""
    kept = rasterize_page(page, width)
    whole = rasterize_svg(sheet_svg(page), width).convert("RGB")
    assert kept.width == whole.width and abs(kept.height - whole.height) <= 1
    return share_of_strong(kept, whole)


def share_of_strong(one: Image.Image, other: Image.Image) -> float:
    """Return the share of two images that differs strongly."""
    height = min(one.height, other.height)
    both = [image.crop((0, 0, image.width, height)).reduce(BLUR) for image in (one, other)]
    counts = ImageChops.difference(*both).convert("L").histogram()
    return sum(counts[STRONG:]) / sum(counts)


@pytest.mark.parametrize("picture", [EMPTY, FULL], ids=["empty", "full"])
@pytest.mark.parametrize("width", [
    400, pytest.param(800, marks=pytest.mark.slow), pytest.param(1600, marks=pytest.mark.slow)
])
def test_a_whole_board_looks_like_its_svg(picture: Picture, width: int) -> None:
    assert share_of_different(ProvinceDrawing(picture).draw_page(), width) < LIMIT


@pytest.mark.slow
@pytest.mark.parametrize("window", [Window(0, 0, 400, 200), Window(355.5, 41.5, 440, 250)])
def test_a_part_of_a_board_looks_like_its_svg(window: Window) -> None:
    page = PanelDrawing(ProvinceDrawing(FULL), (window,)).pages()[0]
    assert share_of_different(page, 640) < LIMIT


@pytest.mark.slow
def test_a_wrong_part_of_a_board_is_noticed() -> None:
    """The measure of these tests notices a small shift of the board."""
    page = ProvinceDrawing(FULL).draw_page()
    moved = page._replace(board_top=page.board_top + 3)
    assert share_of_strong(rasterize_page(page, 800), rasterize_page(moved, 800)) > 2 * LIMIT


@pytest.mark.slow
def test_a_second_picture_renders_no_plate_again(monkeypatch: pytest.MonkeyPatch) -> None:
    page = ProvinceDrawing(FULL).draw_page()
    first = rasterize_page(page, 800)
    monkeypatch.setattr(plates, "rasterize_svg", None)
    monkeypatch.setattr(stamps, "rasterize_svg", None)
    assert rasterize_page(page, 800).tobytes() == first.tobytes()
    other = replace(FULL, tints={**FULL.tints, "Isl": "Side 1"})
    assert rasterize_page(ProvinceDrawing(other).draw_page(), 800).tobytes() != first.tobytes()


@pytest.mark.slow
def test_plates_are_read_from_their_files(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    keep_plates_in(tmp_path / "plates")
    page = ProvinceDrawing(FULL).draw_page()
    first = rasterize_page(page, 800)
    assert len([*(tmp_path / "plates").iterdir()]) == 3
    _forget()
    monkeypatch.setattr(plates, "rasterize_svg", None)
    assert rasterize_page(page, 800).tobytes() == first.tobytes()


@pytest.mark.slow
@pytest.mark.parametrize("content", [b"", b"no picture", b"\x89PNG\r\n\x1a\n\x00\x00"])
def test_a_damaged_file_is_rendered_again(tmp_path: Path, content: bytes) -> None:
    keep_plates_in(tmp_path)
    page = ProvinceDrawing(FULL).draw_page()
    first = rasterize_page(page, 800)
    for file in tmp_path.iterdir():
        file.write_bytes(content)
    _forget()
    assert rasterize_page(page, 800).tobytes() == first.tobytes()
    for file in tmp_path.iterdir():
        with Image.open(file) as image:
            assert image.width == 800


@pytest.mark.slow
def test_a_file_of_another_size_is_rendered_again(tmp_path: Path) -> None:
    keep_plates_in(tmp_path)
    page = ProvinceDrawing(FULL).draw_page()
    first = rasterize_page(page, 800)
    for file in tmp_path.iterdir():
        Image.new("L", (3, 3)).save(file)
    _forget()
    assert rasterize_page(page, 800).tobytes() == first.tobytes()


@pytest.mark.slow
def test_a_folder_that_cannot_be_written_costs_only_time(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    page = ProvinceDrawing(FULL).draw_page()
    first = rasterize_page(page, 800)
    _forget()
    (tmp_path / "plates").write_text("a file")
    keep_plates_in(tmp_path / "plates")
    with caplog.at_level(logging.WARNING, "judge.painter"):
        assert rasterize_page(page, 800).tobytes() == first.tobytes()
    assert "cannot be kept" in caplog.text


@pytest.mark.slow
def test_old_files_are_removed(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(plates, "MAX_FILES", 3)
    keep_plates_in(tmp_path)
    for width in (300, 400, 500, 600):
        rasterize_page(ProvinceDrawing(FULL).draw_page(), width)
    assert len([*tmp_path.iterdir()]) == 3


def test_many_different_texts_do_not_fill_the_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(stamps, "MAX_PIXELS", 1_000)
    kept = []
    for number in range(4):
        head = Head(f"game {number}", "Spring")
        rasterize_page(ProvinceDrawing(replace(EMPTY, head=head)).draw_page(), 400)
        kept.append(len(stamps._stamps))
    assert kept == kept[:1] * 4, "each picture forgets those of the one before"


@pytest.mark.slow
def test_a_text_as_wide_as_the_picture_is_whole() -> None:
    head = Head("W" * 80, "Spring of 1901")
    page = ProvinceDrawing(replace(EMPTY, head=head)).draw_page()
    assert share_of_different(page, 1600) < LIMIT


@pytest.mark.slow
def test_two_processes_keep_plates_in_one_folder(tmp_path: Path) -> None:
    """Files that two processes render at once are whole."""
    page = ProvinceDrawing(FULL).draw_page()
    first = rasterize_page(page, 800)
    code = (
        "from pathlib import Path\n"
        "from judge.drawing.plates import keep_plates_in\n"
        "from judge.drawing.raster import rasterize_page\n"
        "from tests.drawing.test_raster import FULL, ProvinceDrawing\n"
        f"keep_plates_in(Path({str(tmp_path)!r}))\n"
        "rasterize_page(ProvinceDrawing(FULL).draw_page(), 800)\n"
    )
    both = [subprocess.Popen([sys.executable, "-c", code], cwd=ROOT) for _ in range(2)]
    assert [process.wait(60) for process in both] == [0, 0]
    assert len([*tmp_path.glob("*")]) == 3
    _forget()
    keep_plates_in(tmp_path)
    assert rasterize_page(page, 800).tobytes() == first.tobytes()
