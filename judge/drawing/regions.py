"""Regions of a board that a phone can show: windows around points."""

from collections.abc import Collection, Iterable, Sequence
from math import ceil, dist

from judge.drawing.base import BoardGeometry, Point, Window

WIDEST, HIGHEST = 600.0, 560.0
"""Maximum size of a region, in units of the board, for names readable on a phone."""
NARROWEST, LOWEST = 440.0, 330.0
"""Minimum size of a region, for its place on the board to be recognisable."""
WIDTH_STEP = 80.0
"""Step between the widths of regions. Few widths mean few scales, whose plates are kept."""
MARGINS = 84.0
"""Width of the two opposite margins of a region around its points, taken together."""


def fullest(points: Iterable[Point]) -> Window:
    """Return the window with most of these points that has room around them."""
    found = sorted(points)
    size = WIDEST - MARGINS, HIGHEST - MARGINS
    windows = (Window(x, y, *size) for x, _ in found for _, y in found)
    return max(windows, key=lambda window: sum(map(window.holds, found)))


def region_around(base: BoardGeometry, points: Sequence[Point], near: Collection[Point]) -> Window:
    """Return a window around points, and around those near them that fit.

    The nearest come first.
    """
    xs, ys = [at.x for at in points], [at.y for at in points]
    left, right, top, bottom = min(xs), max(xs), min(ys), max(ys)
    for goal in sorted(near, key=lambda at: (min([dist(at, spot) for spot in points]), at)):
        wider = min(left, goal.x), max(right, goal.x)
        higher = min(top, goal.y), max(bottom, goal.y)
        if wider[1] - wider[0] <= WIDEST - MARGINS and higher[1] - higher[0] <= HIGHEST - MARGINS:
            (left, right), (top, bottom) = wider, higher
    steps = ceil(max(right - left + MARGINS - NARROWEST, 0) / WIDTH_STEP)
    wide, high = NARROWEST + steps * WIDTH_STEP, max(bottom - top + MARGINS, LOWEST)
    x, y = (left + right - wide) / 2, (top + bottom - high) / 2
    x, y = min(max(x, 0), base.width - wide), min(max(y, 0), base.height - high)
    return Window(*(round(part, 1) for part in (x, y, wide, high)))
