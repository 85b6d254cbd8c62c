"""Sketches drawn: what a game system told of a picture, as the octets of a file."""

from typing import assert_never

from judge.drawing.drawing import Drawing
from judge.drawing.png import paint_png
from judge.drawing.svg import sheet_svg
from judge.games import find_system
from judge.games.capabilities import Drawn, having
from judge.model.letter import Form, Sketch

WIDTH = 1600
"""Pixels: names can be read, and a letter with a full board stays below 300 kB."""


def picture_of(sketch: Sketch) -> Drawing:
    """Return what the drawing room draws of a sketch."""
    return having(find_system(sketch.system), Drawn).picture(sketch.source, sketch.title)


def paint(sketch: Sketch) -> bytes:
    """Return a picture in the form it is wanted in; this takes about half a second for a PNG."""
    svg = sheet_svg(picture_of(sketch).drawn())
    match sketch.form:
        case Form.SVG:
            return svg.encode("utf-8")
        case Form.PNG:
            return paint_png(svg, WIDTH)
    assert_never(sketch.form)
