"""What is written below a board: the sides with their colours, and a key to the signs."""

from collections.abc import Callable, Iterator, Mapping

from judge.drawing import colours
from judge.drawing.base import Point, path_of
from judge.drawing.curves import arrowhead
from judge.drawing.ink import Ink, Path, Text, box, circle, cross
from judge.drawing.letters import text_width
from judge.drawing.picture import Picture, Sample, Side, State
from judge.drawing.tokens import (
    block,
    boat,
    draw_contested,
    draw_dot,
    draw_hold,
    draw_state,
)

ENTRY = 44.0
KEY_ROW = 34.0
NAME = 17.0
NOTE = 14.0
WORD = 14.0
MARGIN = 18.0
LEAST = 185.0
"""No side has less room than this in the legend."""


def _columns(picture: Picture) -> int:
    most = int((picture.base.width - 2 * MARGIN) // LEAST)
    rows = -(-len(picture.sides) // most) if picture.sides else 1
    return -(-len(picture.sides) // rows)


def sides_height(picture: Picture) -> float:
    """Return how much room the legend takes."""
    if not picture.sides:
        return 0
    return ENTRY * -(-len(picture.sides) // _columns(picture)) + 8


def draw_sides(picture: Picture, top: float) -> Iterator[Ink]:
    """Yield the legend: colour, letter, name and note of every side."""
    if not picture.sides:
        return
    columns = _columns(picture)
    wide = (picture.base.width - 2 * MARGIN) / columns
    for number, side in enumerate(picture.sides):
        row, column = divmod(number, columns)
        yield from _entry(side, MARGIN + column * wide, top + 8 + row * ENTRY)


def _entry(side: Side, x: float, y: float) -> Iterator[Ink]:
    paint = colours.paint(side.colour)
    swatch = box(x, y + 3, 38, 34, 5)
    yield Path(swatch, fill=paint.tint, stroke=paint.strong, width=2)
    yield Path(box(x + 8, y + 10, 22, 20, 3), fill=paint.strong)
    yield Text(x + 19, y + 25.5, side.letter, 15, "#ffffff", bold=True)
    yield Text(x + 46, y + 17, side.name, NAME, anchor="start", bold=True)
    yield Text(x + 46, y + 35, side.note, NOTE, colours.FAINT_INK, "start")


def _rows(picture: Picture) -> list[list[tuple[float, Sample, str]]]:
    """Return the key's entries by rows, each with where it begins."""
    rows: list[list[tuple[float, Sample, str]]] = [[]]
    x = MARGIN
    for sample, words in picture.key:
        wide = _sample_width(sample) + 8 + text_width(words, WORD) + 26
        if x + wide > picture.base.width - MARGIN + 26 and rows[-1]:
            rows.append([])
            x = MARGIN
        rows[-1].append((x, sample, words))
        x += wide
    return rows


def key_height(picture: Picture) -> float:
    """Return how much room the key takes."""
    return KEY_ROW * len(_rows(picture)) + 10 if picture.key else 6


def draw_key(picture: Picture, top: float) -> Iterator[Ink]:
    """Yield the key."""
    if not picture.key:
        return
    for number, row in enumerate(_rows(picture)):
        middle = top + 4 + KEY_ROW * (number + 0.5)
        for x, sample, words in row:
            wide = _sample_width(sample)
            yield from SAMPLES[sample](Point(x + wide / 2, middle))
            yield Text(x + wide + 8, middle + 5, words, WORD, anchor="start")


def _sample_width(sample: Sample) -> float:
    return 54 if sample in LONG else 32


LONG = (Sample.MOVE, Sample.FAILED, Sample.SUPPORT, Sample.CONVOY, Sample.RETREAT)
GREY = "#4a5560"


def _block(at: Point) -> Iterator[Ink]:
    yield Path(block(at), fill=GREY)


def _boat(at: Point) -> Iterator[Ink]:
    yield Path(boat(at), fill=GREY)


def _beaten(at: Point) -> Iterator[Ink]:
    yield from _block(at)
    yield from draw_state(at, State.BEATEN)


def _new(at: Point) -> Iterator[Ink]:
    yield from _block(at)
    yield from draw_state(at, State.NEW)


def _gone(at: Point) -> Iterator[Ink]:
    yield from _block(at)
    yield from draw_state(at, State.GONE)


def _line(colour: str, dash: str, width: float, tip: bool) -> Callable[[Point], Iterator[Ink]]:
    def draw(at: Point) -> Iterator[Ink]:
        start, end = Point(at.x - 25, at.y), Point(at.x + 25, at.y)
        last = Point(end.x - 8, end.y) if tip else end
        yield Path(path_of((start, last)), stroke=colour, width=width, dash=dash)
        if tip:
            yield Path(path_of(arrowhead((start, end), 11)) + "z", fill=colour)
        else:
            yield Path(circle(end.x, end.y, 3.6), fill=colour)

    return draw


def _failed(at: Point) -> Iterator[Ink]:
    yield from _line(colours.FAILED, "7 4", 3, True)(at)
    yield Path(cross(at.x, at.y, 5.5), stroke=colours.FAILED, width=3)


def _hold(at: Point) -> Iterator[Ink]:
    yield from _block(at)
    yield from draw_hold(at)


def _dot(at: Point) -> Iterator[Ink]:
    yield from draw_dot(at, None)


def _owned(at: Point) -> Iterator[Ink]:
    yield from draw_dot(at, Side("", "A", 0))


def _shut(at: Point) -> Iterator[Ink]:
    yield Path(box(at.x - 14, at.y - 9, 28, 18, 3), fill="url(#shut)", stroke=GREY, width=1)


SAMPLES: Mapping[Sample, Callable[[Point], Iterator[Ink]]] = {
    Sample.BLOCK: _block,
    Sample.BOAT: _boat,
    Sample.BEATEN: _beaten,
    Sample.NEW: _new,
    Sample.GONE: _gone,
    Sample.MOVE: _line(colours.MOVE, "", 3, True),
    Sample.FAILED: _failed,
    Sample.SUPPORT: _line(colours.SUPPORT, "3 3.6", 3.2, False),
    Sample.CONVOY: _line(colours.CONVOY, "8 3.5 1.5 3.5", 2.6, False),
    Sample.RETREAT: _line(colours.RETREAT, "9 3", 3, True),
    Sample.HOLD: _hold,
    Sample.DOT: _dot,
    Sample.OWNED: _owned,
    Sample.CONTESTED: draw_contested,
    Sample.SHUT: _shut,
}
"""Form is shown by block and boat; every other sign on a block."""
