"""Texts below a board: the sides with their colours, and a key to the signs."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from functools import cache

from judge.drawing import colours
from judge.drawing.base import BorderKind, Point, path_of
from judge.drawing.borders import draw_border
from judge.drawing.curves import arrowhead
from judge.drawing.links import Link, draw_closed_border, draw_link, draw_mountain_border
from judge.drawing.picture import Captions, Sample, Side, Stroke, StrokeKind, TokenShape, TokenState
from judge.drawing.primitives import (
    ORIGIN,
    PAGE,
    Mark,
    Path,
    Primitive,
    Text,
    box,
    circle,
    cross,
    text_width,
)
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
    yield Mark(x + 25, y + 24, tuple(_swatch(side)), 27, 23)
    yield Text(x + 60, y + 21, side.name, name, anchor="start", bold=True)
    yield Text(x + 60, y + 43, side.note, NOTE, colours.FAINT_INK, "start")


def _swatch(side: Side) -> Iterator[Path | Text]:
    paint = colours.paint(side.colour)
    land = box(-25, -21, 50, 42, 6)
    yield Path(land, fill=paint.tint, stroke=paint.strong, width=2)
    if colours.is_hatched(side.colour):
        yield Path(land, fill=colours.hatching(side.colour))
    yield Path(box(-14, -13, 28, 26, 4), fill=paint.strong)
    size = letter_size(side, 20)
    yield Text(0, size * 0.36, side.letter, size, "#ffffff", bold=True)


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
            yield Mark(x + across / 2, middle, _sample(sample), across / 2 + 2, KEY_ROW / 2)
            yield Text(x + across + 8, middle + 6, words, WORD, anchor="start")


@cache
def _sample(sample: Sample) -> tuple[Path | Text, ...]:
    return tuple(SAMPLES[sample]())


def _sample_width(sample: Sample) -> float:
    return 58 if sample in LONG else 38


LONG = (Sample.MOVE, Sample.FAILED, Sample.SUPPORT, Sample.CONVOY, Sample.RETREAT, Sample.GHOST)
GREY = "#4a5560"
PATCH = box(-17, -11, 34, 22, 3)
"""Outline of a sample of land or sea."""
LEFT, RIGHT = Point(-17, 0), Point(17, 0)
"""Ends of a sample of a border."""
NOBODY = Side("", "", 4)
"""Side of sample tokens in the key, which belong to no side."""
Draw = Callable[[], Iterator[Path | Text]]
"""Function that draws a sign around the origin."""


def _inks_of(marks: Iterable[Mark]) -> Iterator[Path | Text]:
    return (ink for mark in marks for ink in mark.inks)


def _block() -> Iterator[Path]:
    yield Path(block(ORIGIN), fill=GREY)


def _token(state: TokenState) -> Draw:
    return lambda: _inks_of(draw_token(ORIGIN, TokenShape.BLOCK, NOBODY, state))


def _boat() -> Iterator[Path]:
    yield Path(boat(ORIGIN), fill=GREY)


def _line(pen: Pen, tip: bool) -> Draw:
    def draw() -> Iterator[Path]:
        start, end = Point(-28, 0), Point(28, 0)
        last = Point(18, 0) if tip else end
        yield Path(path_of((start, last)), stroke=pen.colour, width=pen.width, dash=pen.dash)
        if tip:
            yield Path(path_of(arrowhead((start, end), HEAD)) + "z", fill=pen.colour)
        else:
            yield Path(circle(*end, 4.2), fill=pen.colour)

    return draw


def _draw_failed_order() -> Iterator[Path | Text]:
    yield from _line(pen_of(Stroke(StrokeKind.MOVE, "", "", failed=True)), True)()
    yield Path(cross(-4, 0, 6), stroke=colours.FAILED, width=3.3)


def _ghost() -> Iterator[Path]:
    ends = (Point(-28, 0), Point(28, 0))
    return draw_ghost(ends, pen_of(Stroke(StrokeKind.MOVE, "", "", failed=True)))


def _hold() -> Iterator[Path | Text]:
    yield from _block()
    yield from _inks_of(draw_hold(ORIGIN))


def _dot(owner: Side | None) -> Draw:
    return lambda: _inks_of(draw_dot(ORIGIN, owner))


def _draw_contested_area() -> Iterator[Path | Text]:
    return _inks_of(draw_contested(ORIGIN))


def _shut() -> Iterator[Path]:
    yield Path(PATCH, fill="url(#shut)", stroke=GREY, width=1)


def _draw_tint() -> Iterator[Path]:
    yield Path(PATCH, fill=colours.paint(0).tint, stroke=GREY, width=1)


def _band() -> Iterator[Path]:
    yield Path(PATCH, fill=colours.LAND, stroke=GREY, width=1)
    yield Path(box(-14.5, -8.5, 29, 17, 2), stroke=colours.paint(0).tint, width=5)


def _carrier() -> Iterator[Path]:
    yield from draw_carrier(ORIGIN, PENS[StrokeKind.CONVOY])
    yield from _boat()


def _unseen() -> Iterator[Path]:
    yield Path(PATCH, fill=colours.LAND)
    yield Path(PATCH, fill="url(#unseen)", stroke=GREY, width=1)


def _pass() -> Iterator[Path]:
    yield from draw_mountain_border(Point(0, -13), Point(0, 13))
    yield from draw_link(Point(-12, 0), Point(12, 0), Link.PASS)


def _crossing() -> Iterator[Path]:
    yield Path(PATCH, fill=colours.SEA, stroke=GREY, width=1)
    yield from draw_link(Point(-13, 0), Point(13, 0), Link.CROSSING)


def _mountains() -> Iterator[Path]:
    return draw_mountain_border(LEFT, RIGHT)


def _sea_border() -> Iterator[Path]:
    return draw_closed_border(LEFT, RIGHT)


def _border(kind: BorderKind) -> Draw:
    return lambda: draw_border(path_of((LEFT, RIGHT)), kind)


SAMPLES: Mapping[Sample, Draw] = {
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
    Sample.DOT: _dot(None),
    Sample.OWNED: _dot(Side("", "A", 0)),
    Sample.CONTESTED: _draw_contested_area,
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
"""Signs of the key. Signs on tokens are shown on a block."""
