"""Renderer of sketches, which are a game system's facts for a picture."""

from judge.drawing.chart import read_chart
from judge.drawing.drawing import Drawing
from judge.drawing.png import paint_pages
from judge.drawing.svg import sheet_svg
from judge.games import find_system
from judge.games.capabilities import DrawableSystem, with_capability
from judge.model.letter import PictureFormat, PictureRequest


def picture_of(sketch: PictureRequest) -> Drawing:
    """Return the drawing of a sketch."""
    if sketch.form is PictureFormat.CHART:
        return read_chart(sketch.source)
    drawing = with_capability(find_system(sketch.system), DrawableSystem).picture(
        sketch.source, sketch.title
    )
    return drawing.small() if sketch.form in (PictureFormat.SMALL, PictureFormat.FRONT) else drawing


def complete_request(sketch: PictureRequest) -> PictureRequest:
    """Return a sketch with all that the process needs which renders it.

    Raises:
        DataError: its map is not stored here.
    """
    if sketch.form is PictureFormat.CHART:
        return sketch
    system = with_capability(find_system(sketch.system), DrawableSystem)
    return sketch._replace(source=system.complete_sketch(sketch.source))


def paint(sketch: PictureRequest) -> bytes:
    """Return a picture in the form of its sketch, as bytes.

    A PNG takes about 0.06 seconds, and a front 0.02.
    """
    drawing = picture_of(sketch)
    if sketch.form is PictureFormat.SVG:
        return sheet_svg(drawing.draw_page()).encode("utf-8")
    return paint_pages(drawing.pages(), drawing.pixels)
