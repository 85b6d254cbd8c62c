"""A position or a result in, a picture out: `judge draw`."""

from judge.drawing.png import paint_png
from judge.drawing.svg import draw_svg
from judge.games.diplomacy.drawn import picture_of_line


def draw_line(text: str, map_name: str, width: int, as_png: bool) -> bytes:
    """Return the picture of a JSON object as SVG, or as PNG so many pixels wide.

    Raises:
        DataError: it is neither a position nor a result.
    """
    svg = draw_svg(picture_of_line(text, map_name))
    return paint_png(svg, width) if as_png else svg.encode("utf-8")
