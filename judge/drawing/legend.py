"""Texts below a board: the sides with their colours, and a key to the signs."""

from collections.abc import Callable, Iterator, Mapping

from judge.drawing import colours
from judge.drawing.base import BorderKind, Point, path_of
from judge.drawing.borders import draw_border
from judge.drawing.curves import arrowhead
from judge.drawing.links import Link, draw_closed_border, draw_link, draw_mountain_border
from judge.drawing.picture import Captions, Sample, Side, Stroke, StrokeKind, TokenShape, TokenState
from judge.drawing.primitives import PAGE, Path, Primitive, Text, box, circle, cross, text_width
from judge.drawing.strokes import HEAD, PENS, Pen, draw_carrier, draw_ghost, pen_of
from judge.drawing.tokens import (
    block,
    boat,
    draw_contested,
    draw_dot,
    draw_hold,
    draw_token,
    letter_size,
)

ENTRY, CLOSE = 54.0, 47.0
"""Height of a row of sides: usual, and if there are many rows."""
MANY = 4
KEY_ROW = 38.0
NAME = 22.0
NOTE = 17.0
WORD = 17.0
MARGIN = 18.0
MIN, NARROW = 260.0, 220.0
"""Minimum widths of a side in the legend: usual, and for very many sides."""
CROWD = 24
SMALLER = 17.0
"""Size of the names if there are very many sides."""


def _columns(captions: Captions, wide: float) -> int:
    most = int((wide - 2 * MARGIN) // (NARROW if _is_crowd(captions) else MIN))
    rows = -(-len(captions.sides) // most) if captions.sides else 1
    return -(-len(captions.sides) // rows)


def _is_crowd(captions: Captions) -> bool:
    return len(captions.sides) > CROWD


def sides_height(captions: Captions, wide: float = PAGE) -> float:
    """Return the height of the legend."""
    if not captions.sides:
        return 0
    rows = -(-len(captions.sides) // _columns(captions, wide))
    return _row_height(captions, wide) * rows + 8


def _row_height(captions: Captions, wide: float) -> float:
    rows = -(-len(captions.sides) // _columns(captions, wide))
    return CLOSE if rows > MANY else ENTRY


def draw_sides(captions: Captions, top: float, wide: float = PAGE) -> Iterator[Primitive]:
    """Yield the legend: colour, letter, name and note of each side."""
    if not captions.sides:
        return
    columns = _columns(captions, wide)
    column_wide = (wide - 2 * MARGIN) / columns
    for number, side in enumerate(captions.sides):
        row, column = divmod(number, columns)
        down = row * _row_height(captions, wide)
        name = SMALLER if _is_crowd(captions) else NAME
        yield from _entry(side, MARGIN + column * column_wide, top + 8 + down, name)


def _entry(side: Side, x: float, y: float, name: float) -> Iterator[Primitive]:
    paint = colours.paint(side.colour)
    swatch = box(x, y + 3, 50, 42, 6)
    yield Path(swatch, fill=paint.tint, stroke=paint.strong, width=2)
    if colours.is_hatched(side.colour):
        yield Path(swatch, fill=colours.hatching(side.colour))
    yield Path(box(x + 11, y + 11, 28, 26, 4), fill=paint.strong)
    size = letter_size(side, 20)
    yield Text(x + 25, y + 24 + size * 0.36, side.letter, size, "#ffffff", bold=True)
    yield Text(x + 60, y + 21, side.name, name, anchor="start", bold=True)
    yield Text(x + 60, y + 43, side.note, NOTE, colours.FAINT_INK, "start")


def _rows(captions: Captions, page: float) -> list[list[tuple[float, Sample, str]]]:
    """Return the key's entries by rows, each with its x position."""
    rows: list[list[tuple[float, Sample, str]]] = [[]]
    x = MARGIN
    for sample, words in captions.key:
        wide = _sample_width(sample) + 8 + text_width(words, WORD) + 26
        if x + wide > page - MARGIN + 26 and rows[-1]:
            rows.append([])
            x = MARGIN
        rows[-1].append((x, sample, words))
        x += wide
    return rows


def key_height(captions: Captions, wide: float = PAGE) -> float:
    """Return the height of the key."""
    return KEY_ROW * len(_rows(captions, wide)) + 10 if captions.key else 6


def draw_key(captions: Captions, top: float, wide: float = PAGE) -> Iterator[Primitive]:
    """Yield the key."""
    if not captions.key:
        return
    for number, row in enumerate(_rows(captions, wide)):
        middle = top + 4 + KEY_ROW * (number + 0.5)
        for x, sample, words in row:
            across = _sample_width(sample)
            yield from SAMPLES[sample](Point(x + across / 2, middle))
            yield Text(x + across + 8, middle + 6, words, WORD, anchor="start")


def _sample_width(sample: Sample) -> float:
    return 58 if sample in LONG else 38


LONG = (Sample.MOVE, Sample.FAILED, Sample.SUPPORT, Sample.CONVOY, Sample.RETREAT, Sample.GHOST)
GREY = "#4a5560"


NOBODY = Side("", "", 4)
"""Side of sample tokens in the key, which belong to no side."""


def _block(at: Point) -> Iterator[Primitive]:
    yield Path(block(at), fill=GREY)


def _token(state: TokenState) -> Callable[[Point], Iterator[Primitive]]:
    return lambda at: draw_token(at, TokenShape.BLOCK, NOBODY, state)


def _boat(at: Point) -> Iterator[Primitive]:
    yield Path(boat(at), fill=GREY)


def _line(pen: Pen, tip: bool) -> Callable[[Point], Iterator[Primitive]]:
    def draw(at: Point) -> Iterator[Primitive]:
        start, end = Point(at.x - 28, at.y), Point(at.x + 28, at.y)
        last = Point(end.x - 10, end.y) if tip else end
        yield Path(path_of((start, last)), stroke=pen.colour, width=pen.width, dash=pen.dash)
        if tip:
            yield Path(path_of(arrowhead((start, end), HEAD)) + "z", fill=pen.colour)
        else:
            yield Path(circle(end.x, end.y, 4.2), fill=pen.colour)

    return draw


def _draw_failed_order(at: Point) -> Iterator[Primitive]:
    yield from _line(pen_of(Stroke(StrokeKind.MOVE, "", "", failed=True)), True)(at)
    yield Path(cross(at.x - 4, at.y, 6), stroke=colours.FAILED, width=3.3)


def _ghost(at: Point) -> Iterator[Primitive]:
    ends = (Point(at.x - 28, at.y), Point(at.x + 28, at.y))
    yield from draw_ghost(ends, pen_of(Stroke(StrokeKind.MOVE, "", "", failed=True)))


def _hold(at: Point) -> Iterator[Primitive]:
    yield from _block(at)
    yield from draw_hold(at)


def _dot(at: Point) -> Iterator[Primitive]:
    yield from draw_dot(at, None)


def _draw_owned_dot(at: Point) -> Iterator[Primitive]:
    yield from draw_dot(at, Side("", "A", 0))


def _shut(at: Point) -> Iterator[Primitive]:
    yield Path(box(at.x - 17, at.y - 11, 34, 22, 3), fill="url(#shut)", stroke=GREY, width=1)


def _draw_tint(at: Point) -> Iterator[Primitive]:
    tint = colours.paint(0).tint
    yield Path(box(at.x - 17, at.y - 11, 34, 22, 3), fill=tint, stroke=GREY, width=1)


def _band(at: Point) -> Iterator[Primitive]:
    patch = box(at.x - 17, at.y - 11, 34, 22, 3)
    yield Path(patch, fill=colours.LAND, stroke=GREY, width=1)
    inner = box(at.x - 14.5, at.y - 8.5, 29, 17, 2)
    yield Path(inner, stroke=colours.paint(0).tint, width=5)


def _carrier(at: Point) -> Iterator[Primitive]:
    yield from draw_carrier(at, PENS[StrokeKind.CONVOY])
    yield Path(boat(at), fill=GREY)


def _unseen(at: Point) -> Iterator[Primitive]:
    patch = box(at.x - 17, at.y - 11, 34, 22, 3)
    yield Path(patch, fill=colours.LAND)
    yield Path(patch, fill="url(#unseen)", stroke=GREY, width=1)


def _pass(at: Point) -> Iterator[Primitive]:
    yield from draw_mountain_border(Point(at.x, at.y - 13), Point(at.x, at.y + 13))
    yield from draw_link(Point(at.x - 12, at.y), Point(at.x + 12, at.y), Link.PASS)


def _crossing(at: Point) -> Iterator[Primitive]:
    yield Path(box(at.x - 17, at.y - 11, 34, 22, 3), fill=colours.SEA, stroke=GREY, width=1)
    yield from draw_link(Point(at.x - 13, at.y), Point(at.x + 13, at.y), Link.CROSSING)


def _mountains(at: Point) -> Iterator[Primitive]:
    return draw_mountain_border(Point(at.x - 17, at.y), Point(at.x + 17, at.y))


def _sea_border(at: Point) -> Iterator[Primitive]:
    return draw_closed_border(Point(at.x - 17, at.y), Point(at.x + 17, at.y))


def _border(kind: BorderKind) -> Callable[[Point], Iterator[Primitive]]:
    return lambda at: draw_border(
        path_of((Point(at.x - 17, at.y), Point(at.x + 17, at.y))), kind
    )


SAMPLES: Mapping[Sample, Callable[[Point], Iterator[Primitive]]] = {
    Sample.BLOCK: _block,
    Sample.BOAT: _boat,
    Sample.BEATEN: _token(TokenState.BEATEN),
    Sample.NEW: _token(TokenState.NEW),
    Sample.GONE: _token(TokenState.GONE),
    Sample.MOVE: _line(PENS[StrokeKind.MOVE], True),
    Sample.FAILED: _draw_failed_order,
    Sample.SUPPORT: _line(PENS[StrokeKind.SUPPORT], False),
    Sample.CONVOY: _line(PENS[StrokeKind.CONVOY], False),
    Sample.RETREAT: _line(PENS[StrokeKind.RETREAT], True),
    Sample.HOLD: _hold,
    Sample.DOT: _dot,
    Sample.OWNED: _draw_owned_dot,
    Sample.CONTESTED: draw_contested,
    Sample.SHUT: _shut,
    Sample.TINTED: _draw_tint,
    Sample.BAND: _band,
    Sample.CARRIER: _carrier,
    Sample.UNSEEN: _unseen,
    Sample.GHOST: _ghost,
    Sample.PASS: _pass,
    Sample.CROSSING: _crossing,
    Sample.MOUNTAINS: _mountains,
    Sample.CLOSED: _sea_border,
    Sample.WALK: _border(BorderKind.ARMY),
    Sample.SAIL: _border(BorderKind.FLEET),
    Sample.WALK_AND_SAIL: _border(BorderKind.BOTH),
}
"""Functions that draw the signs. Signs on tokens are shown on a block."""
