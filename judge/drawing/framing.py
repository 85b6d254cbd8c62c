"""What every picture has around its board: the head above, the legend and the key below."""

from collections.abc import Iterator

from judge.drawing import colours
from judge.drawing.ink import PAGE, Ink, Layer, Sheet, Text
from judge.drawing.legend import draw_key, draw_sides, key_height, sides_height
from judge.drawing.picture import Captions

HEAD = 76.0


def height_of(captions: Captions, width: float, height: float) -> float:
    """Return how high a picture is, with all that is written around a board of this size."""
    page = width / PAGE
    below = HEAD + height / page
    return (below + sides_height(captions) + key_height(captions)) * page


def framed(
    board: tuple[Layer, ...], width: float, height: float, captions: Captions
) -> Sheet:
    """Return a finished drawing: the layers of a board of this size, and what is written around.

    The zero of the layers is the upper left of the board; they are cut at its edges by what stands
    around it.
    """
    page = width / PAGE
    below = HEAD + height / page
    sides_down = below + sides_height(captions)
    around = (
        Layer("head", tuple(_head(captions))),
        Layer("legend", tuple(draw_sides(captions, below))),
        Layer("key", tuple(draw_key(captions, sides_down))),
    )
    return Sheet(
        width=width,
        height=height_of(captions, width, height),
        board_top=HEAD * page,
        board_height=height,
        board=board,
        around=around,
        page=page,
        title=f"{captions.head.title}, {captions.head.phase}",
        describes=captions.describes,
    )


def _head(captions: Captions) -> Iterator[Ink]:
    head = captions.head
    yield Text(18, 36, head.title, 29, anchor="start", bold=True)
    yield Text(18, 62, head.subtitle, 18, colours.FAINT_INK, "start")
    yield Text(PAGE - 18, 36, head.phase, 29, anchor="end", bold=True)
    yield Text(PAGE - 18, 62, head.aside, 18, colours.FAINT_INK, "end")
