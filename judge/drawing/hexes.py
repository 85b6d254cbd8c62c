"""Boards of hexes: tiles with roads and walls, counters with fronts, ships.

Hexes are flat-topped and named by column and row, as on maps of wargames: `0307` is the third
column from the left and the seventh row from above. Even columns are half a hex lower. Sides are
counted clockwise from the north. A ship covers two hexes.
"""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from enum import Enum
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.base import Point, path_of
from judge.drawing.board_layers import Slice, Stack
from judge.drawing.drawing import Drawing
from judge.drawing.picture import Captions
from judge.drawing.primitives import (
    BASELINE,
    PAGE,
    Layer,
    Path,
    Primitive,
    Text,
    box,
    circle,
    cross,
    polygon,
    text_width,
)

KEY = 44.0
"""Height of a row of the legend."""
LEGEND, PARTS_LEGEND = 17, 32
"""Sizes of its text below a board, and below parts of one for a phone."""
MARGIN = 14.0
PART = 40.0
"""Space for the heading of the part shown again."""
ROOT = math.sqrt(3)
WALL = "#4a3524"
ROAD = "#a5742f"
WORKS = "#7a4a1e"
STAFF = "#fbd455"
"""Colour of the disc of a commander."""
GRID = "#b9ad97"
BOARD_PIXELS, PART_PIXELS = 640, 450
"""Pixels of the PNG's width for a board, and for parts of one for a phone."""
NUMBER, IN_PAIRS = 0.32, 0.46
"""Sizes of texts in parts of a hex: its number, and the unit of a shared hex.

Counters that share a hex are drawn smaller. At 11 columns on a phone of 390 pixels both texts have
7 pixels.
"""
BELOW, SHARED = 0.34, 0.68
"""Size of a unit's second line in parts of a hex, and of counters that share one."""


class TitlePosition(Enum):
    """Position of a title in its hex, which avoids earthworks and walls."""

    BELOW = "below"
    ABOVE = "above"
    LEFT = "left"
    RIGHT = "right"


class Tile(NamedTuple):
    """One hex: its colour, its sides with roads and walls, and its title, if any."""

    name: str
    fill: str
    roads: frozenset[int] = frozenset()
    walls: frozenset[int] = frozenset()
    title: str = ""
    title_at: TitlePosition = TitlePosition.BELOW
    works: bool = False
    """True if there is an earthwork."""

    @property
    def column(self) -> int:
        """Its column."""
        return int(self.name[:2])

    @property
    def row(self) -> int:
        """Its row."""
        return int(self.name[2:])


class CounterDrawing(NamedTuple):
    """A unit: its hex, palette number, two lines of text and the side it faces.

    A ship has a second hex, its `bow`. `hurt` puts "½" on it, `staff` a letter in a circle. A unit
    without a `front` has no front mark.
    """

    at: str
    colour: int
    text: str
    below: str
    front: int | None = None
    bow: str = ""
    hurt: bool = False
    staff: str = ""


class Shot(NamedTuple):
    """A line of fire."""

    start: str
    to: str


class Fallen(NamedTuple):
    """A lost unit, by its text."""

    at: str
    text: str


SPOTS = {
    TitlePosition.BELOW: (0.0, 0.8, "middle"), TitlePosition.ABOVE: (0.0, -0.9, "middle"),
    TitlePosition.LEFT: (-1.0, -0.06, "end"), TitlePosition.RIGHT: (1.0, -0.06, "start"),
}
"""Position and anchor of titles, in parts of a hex's size from its middle.

They are next to the number and the counter of the hexes they reach into.
"""


@dataclass(frozen=True)
class HexBoard(Drawing):
    """One picture of a board of hexes."""

    tiles: Mapping[str, Tile]
    around: Captions
    counters: tuple[CounterDrawing, ...] = ()
    ways: tuple[tuple[str, ...], ...] = ()
    """Paths of units that moved, hex by hex."""
    shots: tuple[Shot, ...] = ()
    fallen: tuple[Fallen, ...] = ()
    fights: tuple[str, ...] = ()
    """Hexes that were attacked."""
    window: tuple[int, int, int, int] | None = None
    """First and last column, first and last row of a part shown enlarged below."""
    window_title: str = ""
    parts: tuple[tuple[int, int, int, int], ...] = ()
    """Parts, one below the other, to show instead of the board, for a phone."""
    swatches: tuple[tuple[str, str], ...] = ()
    """Legend below the board: colours and their meanings."""

    @property
    def captions(self) -> Captions:
        """Texts around the board."""
        return self.around

    @property
    def size(self) -> tuple[float, float]:
        """Width of the page, and height of board, part shown again and legend."""
        grids = self._grids()
        legend = KEY * len(_legend_rows(self))
        return PAGE, sum(grid.height for grid in grids) + PART * (len(grids) - 1) + legend

    @property
    def least_text(self) -> float:
        """Size of the second line of a unit that shares its hex."""
        return self._grids()[0].size * BELOW * SHARED

    @property
    def pixels(self) -> int:
        """Width in pixels. Two pictures of a letter have 250 kB together at most."""
        return PART_PIXELS if self.parts else BOARD_PIXELS

    def layers(self) -> tuple[Layer, ...]:
        """Return the board, the part of it that is shown again, and the legend."""
        grids = self._grids()
        layers = [layer for grid in grids for layer in _layers(self, grid)]
        if self.window and not self.parts:
            low = grids[0].height + 30
            title = Text(MARGIN, low, self.window_title, 22, anchor="start", bold=True)
            layers.append(Layer("part", (title,)))
        return (*layers, Layer("swatches", tuple(_swatches(self))))

    def stack(self) -> Stack:
        """Return the ground as a fixed slice, and everything else as another one.

        The part shown again has both ground and units in the second slice.
        """
        grids = self._grids()
        below = tuple(_ground_layers(grids[0]))
        above = [layer for layer in self.layers() if layer not in below]
        return Stack(*self.size, (Slice(below, fixed=True), Slice(tuple(above))))

    def small(self) -> "HexBoard":
        """Return the board in halves, west and east, one below the other."""
        if self.parts:
            return self
        across = sorted({tile.column for tile in self.tiles.values()})
        down = [tile.row for tile in self.tiles.values()]
        middle = len(across) // 2
        halves = across[: middle + 1], across[middle - 1 :]
        parts = tuple((half[0], half[-1], min(down), max(down)) for half in halves)
        return replace(self, parts=parts)

    def thumbnail(self) -> Stack:
        """Return the whole board, with its units only."""
        whole = self._grids()[0]
        units = Layer("units", tuple(_units(self.counters, whole)))
        ground = Slice(tuple(_ground_layers(whole)), fixed=True)
        return Stack(PAGE, whole.height, (ground, Slice((units,))))

    def _grids(self) -> "list[Grid]":
        """Return the whole board and, below it, the part that is shown again."""
        grids = [] if self.parts else [Grid(self.tiles.values(), PAGE, 0)]
        for window in self.parts or (self.window,):
            if window:
                low = sum(grid.height + PART for grid in grids)
                grids.append(Grid(self._within(window), PAGE, low))
        return grids

    def _within(self, window: tuple[int, int, int, int]) -> Iterator[Tile]:
        first, last, top, bottom = window
        for tile in self.tiles.values():
            if first <= tile.column <= last and top <= tile.row <= bottom:
                yield tile


class Grid:
    """Positions of hexes on a board or part of one, *width* wide, from *top* down."""

    def __init__(self, tiles: Iterable[Tile], width: float, top: float) -> None:
        self.tiles = list(tiles)
        columns = [tile.column for tile in self.tiles]
        self._first = min(columns)
        many = max(columns) - self._first + 1
        self.size = (width - 2 * MARGIN) / (1.5 * many + 0.5)
        self._row = min(tile.row for tile in self.tiles)
        rows = max(tile.row for tile in self.tiles) - self._row + 1
        self._top = top
        self._width = width
        self.height = (rows + 0.5) * ROOT * self.size + 2 * MARGIN
        self.names = {tile.name for tile in self.tiles}

    def centre(self, name: str) -> Point:
        """Return the middle of a hex."""
        column, row = int(name[:2]), int(name[2:])
        x = MARGIN + self.size * (1 + 1.5 * (column - self._first))
        lower = 0.5 if column % 2 == 0 else 0.0
        y = self._top + MARGIN + ROOT * self.size * (row - self._row + 0.5 + lower)
        return Point(x, y)

    def corner(self, name: str, number: int, part: float = 1.0) -> Point:
        """Return a corner of a hex. Corner n is the first of side n, clockwise.

        *part* is its distance from the middle, in parts of the hex's size.
        """
        middle = self.centre(name)
        turn = math.radians(60 * number - 120)
        reach = self.size * part
        return Point(middle.x + reach * math.cos(turn), middle.y + reach * math.sin(turn))

    def outline(self, name: str, part: float = 1.0) -> str:
        """Return the outline of a hex as path data."""
        return polygon(self.corner(name, number, part) for number in range(6))

    def within(self, start: Point, end: Point) -> Point:
        """Return the point at which a line from *start* to *end* enters the grid."""
        low, high = self._top + MARGIN / 2, self._top + self.height - MARGIN / 2
        part = 1.0
        for here, there, least, most in (
            (end.x, start.x, MARGIN / 2, PAGE - MARGIN / 2),
            (end.y, start.y, low, high),
        ):
            if there < least:
                part = min(part, (here - least) / (here - there))
            elif there > most:
                part = min(part, (most - here) / (there - here))
        return Point(end.x + part * (start.x - end.x), end.y + part * (start.y - end.y))

    def kept_in(self, x: float, wide: float, anchor: str) -> float:
        """Return the *x* for a text at which neither edge of the board cuts it."""
        before = wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
        return min(max(x, MARGIN / 2 + before), self._width - MARGIN / 2 - wide + before)

    def middle(self, name: str, side: int) -> Point:
        """Return the middle of a side."""
        a, b = self.corner(name, side), self.corner(name, side + 1)
        return Point((a.x + b.x) / 2, (a.y + b.y) / 2)


def _ground_layers(grid: Grid) -> Iterator[Layer]:
    yield Layer("hexes", tuple(_ground(grid)))
    yield Layer("roads", tuple(_roads(grid)))
    yield Layer("walls", tuple(_walls(grid)))
    yield Layer("names", tuple(_names(grid)))


def _layers(board: HexBoard, grid: Grid) -> Iterator[Layer]:
    yield from _ground_layers(grid)
    yield Layer("ways", tuple(_ways(board.ways, grid)))
    yield Layer("fights", tuple(_fights(board, grid)))
    yield Layer("shots", tuple(_shots(board.shots, grid)))
    yield Layer("units", tuple(_units(board.counters, grid)))
    yield Layer("numbers", tuple(_numbers_above(board.counters, grid)))
    yield Layer("titles", tuple(_titles(board, grid)))
    yield Layer("fallen", tuple(_fallen(board, grid)))


def _ground(grid: Grid) -> Iterator[Primitive]:
    for tile in grid.tiles:
        yield Path(grid.outline(tile.name), fill=tile.fill, stroke=GRID, width=0.8)


def _roads(grid: Grid) -> Iterator[Primitive]:
    for tile in grid.tiles:
        at = grid.centre(tile.name)
        for side in sorted(tile.roads):
            line = path_of((at, grid.middle(tile.name, side)))
            yield Path(line, stroke=ROAD, width=grid.size / 8)


def _names(grid: Grid) -> Iterator[Primitive]:
    for tile in grid.tiles:
        yield _number(tile, grid)


def _number(tile: Tile, grid: Grid, halo: str = "") -> Text:
    at, size = grid.centre(tile.name), grid.size
    high = (0.46 if tile.works or 0 in tile.walls else 0.62) * size
    fill = colours.FAINT_INK
    return Text(at.x, at.y - high, tile.name, size * NUMBER, fill=fill, halo=halo)


def _numbers_above(counters: Sequence[CounterDrawing], grid: Grid) -> Iterator[Primitive]:
    """Draw the numbers of hexes again if the front mark of a counter is near them."""
    north = {counter.at for counter in counters if counter.front == 0}
    for tile in grid.tiles:
        if tile.name in north and not tile.works:
            yield _number(tile, grid, "#ffffff")


class Box(NamedTuple):
    """A rectangle that a text or a counter covers."""

    left: float
    top: float
    right: float
    low: float

    def meets(self, other: "Box") -> bool:
        """Return whether two rectangles overlap."""
        return (
            self.left < other.right and other.left < self.right
            and self.top < other.low and other.top < self.low
        )


def _titles(board: HexBoard, grid: Grid) -> Iterator[Primitive]:
    """Draw titles of hexes at free positions, and omit those without one."""
    size = grid.size * 0.3
    taken = list(_boxes_of_counters(board, grid))
    for tile in grid.tiles:
        spots = [tile.title_at, *(spot for spot in TitlePosition if spot is not tile.title_at)]
        for spot in spots if tile.title else ():
            at = grid.centre(tile.name)
            right, down, anchor = SPOTS[spot]
            wide = text_width(tile.title, size)
            x = grid.kept_in(at.x + right * grid.size, wide, anchor)
            y = at.y + down * grid.size
            left = x - wide * {"start": 0.0, "middle": 0.5, "end": 1.0}[anchor]
            box = Box(left, y - size, left + wide, y + size / 4)
            if not any(box.meets(other) for other in taken):
                taken.append(box)
                yield Text(x, y, tile.title, size, anchor=anchor, italic=True, halo="#ffffff")
                break


def _boxes_of_counters(board: HexBoard, grid: Grid) -> Iterator[Box]:
    """Yield the rectangles of the counters and of the marks of lost units."""
    reach = 0.5 * grid.size
    for counter in board.counters:
        ends = [grid.centre(name) for name in (counter.at, counter.bow) if name in grid.names]
        if ends:
            low = max(end.y for end in ends) + (0.75 * grid.size if counter.front == 3 else reach)
            yield Box(
                min(end.x for end in ends) - reach, min(end.y for end in ends) - reach,
                max(end.x for end in ends) + reach, low,
            )  # fmt: skip
    for each in board.fallen:
        if each.at in grid.names:
            at = grid.centre(each.at)
            yield Box(at.x - reach, at.y - reach, at.x + reach, at.y + 0.9 * grid.size)


def _walls(grid: Grid) -> Iterator[Primitive]:
    for tile in grid.tiles:
        if tile.works:
            yield Path(grid.outline(tile.name, 0.84), stroke=WORKS, width=grid.size / 8)
        for side in sorted(tile.walls):
            a, b = grid.corner(tile.name, side, 0.96), grid.corner(tile.name, side + 1, 0.96)
            yield Path(path_of((a, b)), stroke=WALL, width=grid.size / 7)


def _ways(ways: Sequence[Sequence[str]], grid: Grid) -> Iterator[Primitive]:
    for way in ways:
        points = [grid.centre(name) for name in way if name in grid.names]
        if len(points) < 2:
            continue
        line = path_of(points)
        yield Path(line, stroke="#ffffff", width=grid.size / 6, opacity=0.6)
        yield Path(line, stroke=colours.MOVE, width=grid.size / 14, dash="7 4")
        yield Path(circle(points[0].x, points[0].y, grid.size / 9), fill=colours.MOVE)


def _shots(shots: Sequence[Shot], grid: Grid) -> Iterator[Primitive]:
    for shot in shots:
        if shot.to in grid.names:
            b = grid.centre(shot.to)
            a = grid.within(grid.centre(shot.start), b)
            line = path_of((a, b))
            yield Path(line, stroke=colours.FAILED, width=grid.size / 16, dash="2 4", opacity=0.8)
            ring = circle(b.x, b.y, grid.size * 0.6)
            yield Path(ring, stroke=colours.FAILED, width=grid.size / 14)


def _fights(board: HexBoard, grid: Grid) -> Iterator[Primitive]:
    for name in board.fights:
        if name in grid.names:
            yield Path(grid.outline(name, 0.9), stroke=colours.FAILED, width=grid.size / 9)


def _fallen(board: HexBoard, grid: Grid) -> Iterator[Primitive]:
    """Draw a cross for units that were lost, and a label with their texts below it.

    If another unit is in the hex, only the label has the cross.
    """
    together: dict[str, list[str]] = {}
    for each in board.fallen:
        if each.at in grid.names:
            together.setdefault(each.at, []).append(each.text)
    occupied = {at for counter in board.counters for at in (counter.at, counter.bow)}
    size, reach = grid.size * 0.34, grid.size * 0.4
    for name, texts in together.items():
        at, text = grid.centre(name), " ".join(texts)
        if name in occupied:
            text = f"X {text}"
        else:
            yield Path(cross(at.x, at.y, reach), stroke="#ffffff", width=grid.size / 5)
            yield Path(cross(at.x, at.y, reach), stroke=colours.FAILED, width=grid.size / 9)
        wide, low = text_width(text, size) + size / 2, at.y + 0.78 * grid.size
        label = box(at.x - wide / 2, low - size, wide, size * 1.3, size / 5)
        yield Path(label, fill="#ffffff", stroke=colours.FAILED, width=size / 12)
        yield Text(at.x, low, text, size, fill=colours.FAILED, bold=True)


def _units(counters: Sequence[CounterDrawing], grid: Grid) -> Iterator[Primitive]:
    together: dict[str, list[CounterDrawing]] = {}
    for counter in counters:
        if counter.at in grid.names and (not counter.bow or counter.bow in grid.names):
            together.setdefault(counter.at, []).append(counter)
    for name, found in together.items():
        if found[0].bow:
            yield from _ship(found[0], grid)
            continue
        for number, counter in enumerate(found[:2]):
            aside = 0.0 if len(found) == 1 else (0.37 if number else -0.37)
            scale = 1.0 if len(found) == 1 else SHARED
            middle = grid.centre(name)
            at = Point(middle.x + aside * grid.size, middle.y + 0.04 * grid.size)
            text = 0.38 if len(found) == 1 else IN_PAIRS
            yield from _block(counter, at, grid.size * scale, text)


def _block(counter: CounterDrawing, at: Point, size: float, text: float) -> Iterator[Primitive]:
    """Draw a unit: a block with its texts, and a mark on the side it faces.

    The discs of a commander and of a wound are to its left and right, where no side of a hex is.
    """
    half = size * 0.46
    strong = colours.paint(counter.colour).strong
    if counter.front is not None:
        mark = polygon(_front_mark(at, counter.front, size))
        yield Path(mark, fill="#111111", stroke="#ffffff", width=size * 0.03)
    yield Path(
        box(at.x - half, at.y - half, 2 * half, 2 * half, size * 0.1),
        fill=strong, stroke="#ffffff", width=size * 0.04,
    )
    yield Text(at.x, at.y - size * 0.04, counter.text, size * text, fill="#ffffff", bold=True)
    yield Text(at.x, at.y + size * 0.34, counter.below, size * BELOW, fill="#ffffff")
    aside = half + (size * 0.1 if counter.front is not None else 0)
    high = at.y if counter.front is not None else at.y - half
    if counter.hurt:
        yield from _wound(Point(at.x + aside, high), size)
    if counter.staff:
        x, y = at.x - aside, high
        yield Path(circle(x, y, size * 0.2), fill=STAFF, stroke="#111111", width=size * 0.03)
        yield Text(x, y + size * 0.1, counter.staff, size * 0.28, bold=True)


def _front_mark(at: Point, front: int, size: float) -> tuple[Point, ...]:
    """Return the corners of the bar along the side that a unit faces."""
    turn = math.radians(60 * front - 90)
    # The corners of the block reach further than its sides.
    near = size * (0.5 if front % 3 == 0 else 0.6)

    def point(along: float, across: float) -> Point:
        x = at.x + along * math.cos(turn) - across * math.sin(turn)
        return Point(x, at.y + along * math.sin(turn) + across * math.cos(turn))

    wide = size * 0.34
    return (
        point(near, -wide), point(near + size * 0.1, -wide), point(near + size * 0.22, 0),
        point(near + size * 0.1, wide), point(near, wide),
    )  # fmt: skip


def _ship(counter: CounterDrawing, grid: Grid) -> Iterator[Primitive]:
    """Draw a hull over two hexes, pointed at its bow."""
    stern, bow = grid.centre(counter.at), grid.centre(counter.bow)
    turn = math.atan2(bow.y - stern.y, bow.x - stern.x)
    size = grid.size

    def at(along: float, across: float) -> Point:
        x = stern.x + size * (along * math.cos(turn) - across * math.sin(turn))
        y = stern.y + size * (along * math.sin(turn) + across * math.cos(turn))
        return Point(x, y)

    hull = polygon((at(-0.6, -0.3), at(1.6, -0.38), at(2.35, 0), at(1.6, 0.38), at(-0.6, 0.3)))
    strong = colours.paint(counter.colour).strong
    yield Path(hull, fill=strong, stroke="#ffffff", width=size * 0.05)
    middle = at(0.8, 0)
    said = f"{counter.text} {counter.below}".strip()
    yield Text(middle.x, middle.y + size * 0.13, said, size * 0.38, fill="#ffffff", bold=True,
               halo=strong)
    if counter.hurt:
        yield from _wound(at(-0.5, 0), size)


def _wound(at: Point, size: float) -> Iterator[Primitive]:
    """Draw the mark of a unit at half its strength."""
    disc = circle(at.x, at.y, size * 0.2)
    yield Path(disc, fill=colours.FAILED, stroke="#ffffff", width=size * 0.05)
    yield Text(at.x, at.y + size * 0.09, "½", size * 0.26, fill="#ffffff", bold=True)


def _legend_rows(board: HexBoard) -> list[list[tuple[str, str]]]:
    """Return the legend row by row, each as wide as the page at most."""
    size = PARTS_LEGEND if board.parts else LEGEND
    rows: list[list[tuple[str, str]]] = [[]]
    left = PAGE - 36
    for colour, words in board.swatches:
        wide = 42 + text_width(words, size)
        if wide > left and rows[-1]:
            rows.append([])
            left = PAGE - 36
        rows[-1].append((colour, words))
        left -= wide
    return rows


def _swatches(board: HexBoard) -> Iterator[Primitive]:
    """Yield the legend of colours and marks, on a strip of paper below the board."""
    rows = _legend_rows(board)
    size = PARTS_LEGEND if board.parts else LEGEND
    top = board.size[1] - KEY * len(rows)
    yield Path(box(0, top, PAGE, KEY * len(rows)), fill=colours.PAPER)
    for number, row in enumerate(rows):
        y, x = top + KEY * number, 18.0
        for colour, words in row:
            yield Path(box(x, y + 10, 22, 22, 3), fill=colour, stroke=GRID, width=1)
            low = y + 21 + BASELINE * size
            yield Text(x + 30, low, words, size, anchor="start")
            x += 42 + text_width(words, size)
