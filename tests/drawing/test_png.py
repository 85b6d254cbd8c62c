"""Pictures as PNG."""

import io

from PIL import Image

from judge.drawing.picture import Head, Picture
from judge.drawing.png import paint_png
from judge.drawing.svg import draw_svg
from tests.drawing.small import small_base


def painted(title: str, width: int = 400) -> Image.Image:
    """Return the picture of a small board."""
    svg = draw_svg(Picture(small_base(), Head(title, "Spring")))
    return Image.open(io.BytesIO(paint_png(svg, width)))


def test_a_picture_is_as_wide_as_asked_and_has_few_colours() -> None:
    image = painted("marco", 640)
    assert image.format == "PNG" and image.width == 640 and image.mode == "P"


def test_text_is_painted_with_our_own_fonts() -> None:
    """Without any font the painter leaves all texts out and says nothing."""
    one, other = painted("marco"), painted("polo")
    assert one.convert("RGB").tobytes() != other.convert("RGB").tobytes()


def test_the_same_picture_is_the_same_file() -> None:
    svg = draw_svg(Picture(small_base(), Head("marco", "Spring")))
    assert paint_png(svg, 400) == paint_png(svg, 400)
