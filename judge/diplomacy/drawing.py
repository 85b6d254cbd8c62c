"""Pictures of states and results, as SVG and PNG.

The functions are in a module of their own because of the libraries they need.
"""

from judge.diplomacy.state import Result, State
from judge.drawing.picture import Picture
from judge.drawing.png import paint_png
from judge.drawing.svg import draw_svg
from judge.games.diplomacy.views.pictures import orders_picture, standing_picture


def svg(shown: State | Result, title: str = "") -> str:
    """Return a state, or a phase with its orders and their outcomes, as SVG.

    >>> from judge.diplomacy.state import opening
    >>> svg(opening())[:4]
    '<svg'
    """
    return draw_svg(_picture(shown, title))


def png(shown: State | Result, title: str = "", width: int = 1600) -> bytes:
    """Return the same picture as a PNG, `width` pixels wide."""
    return paint_png(svg(shown, title), width)


def _picture(shown: State | Result, title: str) -> Picture:
    if isinstance(shown, State):
        return standing_picture(shown.board, shown.position, title)
    before = shown.before
    return orders_picture(before.board, before.position, shown.adjudged, title)
