"""Borders shown as lines between the nodes of a schematic board."""

from collections.abc import Iterator

from judge.drawing import colours
from judge.drawing.base import BoardGeometry, BorderKind, path_of
from judge.drawing.primitives import Path

ARMY, FLEET = 2.6, 2.6
"""Widths of the line of a border for one type of unit."""
BOTH = 8.0
"""Width of a double line, with its gap."""
GAP = 3.2


def draw_borders(base: BoardGeometry) -> Iterator[Path]:
    """Yield the borders, if the board shows them as lines."""
    for border in base.borders:
        yield from draw_border(path_of(border.line), border.kind)


def draw_border(line: str, kind: BorderKind) -> Iterator[Path]:
    """Yield the line of a border, from SVG path data."""
    match kind:
        case BorderKind.ARMY:
            yield Path(line, stroke=colours.WALK, width=ARMY)
        case BorderKind.FLEET:
            yield Path(line, stroke=colours.SAIL, width=FLEET)
        case BorderKind.BOTH:
            yield Path(line, stroke=colours.WALK, width=BOTH)
            yield Path(line, stroke=colours.PAPER, width=GAP)
