"""Links between areas beyond plain borders: passes, crossings, closed borders."""

from collections.abc import Iterator, Mapping, Sequence
from enum import Enum

from judge.drawing import colours
from judge.drawing.base import EDGE, OUTSIDE, ArcKind, BoardGeometry, Point, path_of
from judge.drawing.primitives import Path, circle

Pair = frozenset[str]
"""Two areas by name."""


class Link(Enum):
    """The type of a link between two areas."""

    OPEN = "open"
    """Their common border may be crossed. Without one, a dotted line joins them."""
    PASS = "pass"
    """A way over mountains: a red line on brown."""
    CROSSING = "crossing"
    """A way over water: a red line on blue."""


MOUNTAINS, RIDGES, SHUT = 8.0, 5.0, 5.0
"""Widths of a mountain border, its ridges, and a closed coast or sea border."""
WAY, WAY_HALO = 4.2, 7.4
"""Widths of the line of a pass or crossing, and of the white line below it."""


def closed_arcs(base: BoardGeometry, links: Mapping[Pair, Link]) -> tuple[int, ...]:
    """Return the numbers of the arcs between two areas without a link."""
    return tuple(
        number
        for number, sides in enumerate(base.sides)
        if not {OUTSIDE, EDGE} & {*sides} and sides[0] != sides[1]
        and frozenset(sides) not in links
    )  # fmt: skip


def mountain_arcs(base: BoardGeometry, links: Mapping[Pair, Link]) -> tuple[int, ...]:
    """Return the arcs on land that are mountains: no link, or a pass only."""
    closed = {*closed_arcs(base, links)}
    return tuple(
        number
        for number, sides in enumerate(base.sides)
        if base.divides(number) is ArcKind.BORDER
        and (number in closed or links.get(frozenset(sides)) is Link.PASS)
    )


def draw_links(base: BoardGeometry, links: Mapping[Pair, Link]) -> tuple[Path, ...]:
    """Return the items drawn over the borders of a board."""
    mountains = mountain_arcs(base, links)
    coasts = [number for number in closed_arcs(base, links) if number not in mountains]
    inks: list[Path] = [
        *_mountains(_join_arcs(base, mountains)), *_shut(_join_arcs(base, coasts)),
    ]
    for (start, end), (first, last) in sorted(base.ways.items()):
        link = links.get(frozenset((start, end)))
        if link is not None:
            inks += draw_link(first, last, link)
    return tuple(inks)


def draw_ways(base: BoardGeometry) -> Iterator[Path]:
    """Yield the lines between areas that touch, although their outlines do not."""
    for _, (first, last) in sorted(base.ways.items()):
        yield from draw_link(first, last, Link.OPEN)


def _join_arcs(base: BoardGeometry, numbers: Sequence[int]) -> str:
    return "".join(path_of(base.arcs[number]) for number in numbers)


def _mountains(line: str) -> Iterator[Path]:
    if line:
        yield Path(line, stroke=colours.MOUNTAIN, width=MOUNTAINS)
        yield Path(line, stroke=colours.RIDGE, width=RIDGES, dash="1.6 3.4")


def _shut(line: str) -> Iterator[Path]:
    if line:
        yield Path(line, stroke=colours.CLOSED, width=SHUT)


def draw_link(first: Point, last: Point, link: Link) -> Iterator[Path]:
    """Yield the line of a link from one area into another."""
    line = path_of((first, last))
    if link is Link.OPEN:
        yield Path(line, stroke="#ffffff", width=WAY, opacity=0.8)
        yield Path(line, stroke=colours.CLOSED, width=2.2, dash="3 3")
        for end in (first, last):
            yield Path(circle(*end, 3), fill=colours.CLOSED)
        return
    yield Path(line, stroke="#ffffff", width=WAY_HALO)
    yield Path(line, stroke=colours.WAY, width=WAY)


def draw_mountain_border(first: Point, last: Point) -> Iterator[Path]:
    """Yield a piece of a mountain border, for the key."""
    return _mountains(path_of((first, last)))


def draw_closed_border(first: Point, last: Point) -> Iterator[Path]:
    """Yield a piece of a closed coast or sea border, for the key."""
    return _shut(path_of((first, last)))
