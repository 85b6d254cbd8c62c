"""What every picture has around its board: the head above, the legend and the key below."""

from collections.abc import Iterator
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.base import Window
from judge.drawing.ink import PAGE, Ink, Layer, Sheet, Text, text_width
from judge.drawing.legend import draw_key, draw_sides, key_height, sides_height
from judge.drawing.picture import Captions

HEAD = 76.0
HEAD_LAYER = "head"
"""Name of the layer of title and phase."""
GAP = 7.0
"""What is between two parts of a board, one below the other."""
LARGE, FINE = 29.0, 18.0
"""How large the two lines of the head are."""


class Part(NamedTuple):
    """What of a picture is in a drawing, where it is several, one below the other."""

    window: Window | None = None
    """The part of the board; without one all of it."""
    is_first: bool = True
    is_last: bool = True


def height_of(captions: Captions, width: float, height: float, wide: float = PAGE) -> float:
    """Return how high a picture is, with all that is written around a board of this size.

    `wide`: the width of the page that this is laid out on.
    """
    page = width / wide
    return (HEAD + height / page + _foot_height(captions, wide)) * page


def _foot_height(captions: Captions, wide: float) -> float:
    return sides_height(captions, wide) + key_height(captions, wide)


def framed(
    board: tuple[Layer, ...],
    width: float,
    height: float,
    captions: Captions,
    wide: float = PAGE,
    part: Part = Part(),
) -> Sheet:
    """Return a finished drawing: the layers of a board of this size, and what is written around.

    The zero of the layers is the upper left of the board; they are cut at its edges by what stands
    around it. `wide` as for `height_of`; `part`: what of all this is in it.
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
    return Sheet(
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


def _head(captions: Captions, wide: float) -> Iterator[Ink]:
    head = captions.head
    large = fitting((head.title, head.phase), LARGE, wide, bold=True)
    fine = fitting((head.subtitle, head.aside), FINE, wide)
    yield Text(18, 36, head.title, large, anchor="start", bold=True)
    yield Text(18, 62, head.subtitle, fine, colours.FAINT_INK, "start")
    yield Text(wide - 18, 36, head.phase, large, anchor="end", bold=True)
    yield Text(wide - 18, 62, head.aside, fine, colours.FAINT_INK, "end")


def fitting(texts: tuple[str, str], size: float, wide: float, bold: bool = False) -> float:
    """Return how large two texts can be, at most so large, to stand beside each other."""
    needed = sum(text_width(text, size, bold) for text in texts) + LARGE
    return min(size, size * (wide - 36) / needed)
