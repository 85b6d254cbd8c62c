"""Texts around a board: the head above, the legend and the key below."""

from collections.abc import Iterator
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.base import Window
from judge.drawing.legend import draw_key, draw_sides, key_height, sides_height
from judge.drawing.picture import Captions
from judge.drawing.primitives import PAGE, FinishedDrawing, Layer, Primitive, Text, text_width

HEAD = 76.0
HEAD_LAYER = "head"
"""Name of the layer of title and phase."""
GAP = 7.0
"""Gap between two parts of a board, one below the other."""
LARGE, FINE = 29.0, 18.0
"""Sizes of the two lines of the head."""


class PageSection(NamedTuple):
    """Part of a picture that one sheet shows, if the picture is split into several."""

    window: Window | None = None
    """Window of the board. None means all of it."""
    is_first: bool = True
    is_last: bool = True


def height_of(captions: Captions, width: float, height: float, wide: float = PAGE) -> float:
    """Return the height of a picture with all texts around a board of this size.

    *wide* is the width of the page that the texts are laid out on.
    """
    page = width / wide
    return (HEAD + height / page + _foot_height(captions, wide)) * page


def _foot_height(captions: Captions, wide: float) -> float:
    return sides_height(captions, wide) + key_height(captions, wide)


def add_frame(
    board: tuple[Layer, ...],
    width: float,
    height: float,
    captions: Captions,
    wide: float = PAGE,
    part: PageSection = PageSection(),
) -> FinishedDrawing:
    """Return a finished sheet: the layers of a board and the texts around it.

    *width* and *height* are those of the board. The origin of its layers is its upper left corner.
    The texts around it cover anything beyond its edges. *wide* is as for `height_of`. *part*
    selects what of all this is on the sheet.
    """
    page = width / wide
    top = HEAD if part.is_first else GAP
    below = top + height / page
    around: tuple[Layer, ...] = ()
    if part.is_first:
        around = (Layer(HEAD_LAYER, tuple(_head(captions, wide))),)
    if part.is_last:
        sides_down = below + sides_height(captions, wide)
        around += (
            Layer("legend", tuple(draw_sides(captions, below, wide))),
            Layer("key", tuple(draw_key(captions, sides_down, wide))),
        )
    return FinishedDrawing(
        width=width,
        height=(below + (_foot_height(captions, wide) if part.is_last else 0)) * page,
        board_top=top * page,
        board_height=height,
        board=board,
        around=around,
        page=page,
        title=f"{captions.head.title}, {captions.head.phase}",
        describes=captions.describes,
        window=part.window,
    )


def _head(captions: Captions, wide: float) -> Iterator[Primitive]:
    head = captions.head
    large = fitting((head.title, head.phase), LARGE, wide, bold=True)
    fine = fitting((head.subtitle, head.aside), FINE, wide)
    yield Text(18, 36, head.title, large, anchor="start", bold=True)
    yield Text(18, 62, head.subtitle, fine, colours.FAINT_INK, "start")
    yield Text(wide - 18, 36, head.phase, large, anchor="end", bold=True)
    yield Text(wide - 18, 62, head.aside, fine, colours.FAINT_INK, "end")


def fitting(texts: tuple[str, str], size: float, wide: float, bold: bool = False) -> float:
    """Return the size, at most *size*, at which two texts fit next to each other."""
    needed = sum(text_width(text, size, bold) for text in texts) + LARGE
    return min(size, size * (wide - 36) / needed)
