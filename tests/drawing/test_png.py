"""Pictures as PNG."""

import io

from PIL import Image

from judge.drawing import colours
from judge.drawing.picture import Head, Picture, Side
from judge.drawing.png import paint_png
from judge.drawing.svg import draw_svg
from tests.drawing.small import small_base


def paint_board(title: str, width: int = 400) -> Image.Image:
    """Return the PNG of a small board."""
    svg = draw_svg(Picture(small_base(), Head(title, "Spring")))
    return Image.open(io.BytesIO(paint_png(svg, width)))


def test_a_picture_has_the_requested_width_and_few_colours() -> None:
    image = paint_board("marco", 640)
    assert image.format == "PNG" and image.width == 640 and image.mode == "P"


def test_text_is_rendered_with_the_bundled_fonts() -> None:
    """Without fonts the renderer silently omits all texts."""
    one, other = paint_board("marco"), paint_board("polo")
    assert one.convert("RGB").tobytes() != other.convert("RGB").tobytes()


def test_the_same_picture_is_the_same_file() -> None:
    svg = draw_svg(Picture(small_base(), Head("marco", "Spring")))
    assert paint_png(svg, 400) == paint_png(svg, 400)


def test_a_side_without_land_keeps_its_legend_colour() -> None:
    sides = tuple(Side(f"Side {n}", "ABCDEFGHIJKL"[n], n) for n in range(12))
    svg = draw_svg(Picture(small_base(), Head("marco", "Spring"), sides=sides))
    with Image.open(io.BytesIO(paint_png(svg, 800))) as image:
        seen = {colour for _, colour in image.convert("RGB").getcolors(1 << 20) or []}
    for paint in colours.PALETTE:
        wanted = bytes.fromhex(paint.tint[1:])
        assert any(max(abs(a - b) for a, b in zip(wanted, c, strict=True)) <= 2 for c in seen)
