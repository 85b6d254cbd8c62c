"""Painting beside everything else."""

from judge.drawing.picture import Head, Picture
from judge.drawing.png import paint_png
from judge.drawing.studio import Studio
from judge.drawing.svg import draw_svg
from tests.drawing.small import small_base


def test_a_picture_is_painted_once_and_as_it_would_be_here() -> None:
    svg = draw_svg(Picture(small_base(), Head("marco", "Spring")))
    with Studio() as studio:
        first, again, wider = (studio.begin(svg, width) for width in (320, 320, 400))
        assert first is again and wider is not first
        assert first.result(60) == paint_png(svg, 320)
        broken = studio.begin("no picture", 320)
        assert broken.exception(60) is not None
        assert studio.begin("no picture", 320) is not broken
        assert wider.result(60) == paint_png(svg, 400)
