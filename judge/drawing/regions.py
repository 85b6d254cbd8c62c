"""Regions of a board that a phone can show: windows around points."""

from collections.abc import Collection, Iterable, Sequence

from judge.drawing.base import BoardGeometry, Point, Window
from judge.drawing.curves import distance

WIDEST, HIGHEST = 600.0, 560.0
"""Maximum size of a region, in units of the board, for names readable on a phone."""
NARROWEST, LOWEST = 440.0, 330.0
"""Minimum size of a region, for its place on the board to be recognisable."""
AROUND = 42.0
"""Distance that a region reaches beyond its points."""


def fullest(points: Iterable[Point]) -> Window:
    """Return the window with most of these points that has room around them."""
    found = sorted(points)
    size = WIDEST - 2 * AROUND, HIGHEST - 2 * AROUND
    windows = (Window(x, y, *size) for x, _ in found for _, y in found)
    return max(windows, key=lambda window: sum(map(window.holds, found)))


def region_around(base: BoardGeometry, points: Sequence[Point], near: Collection[Point]) -> Window:
    """Return a window around points, and around those near them that fit.

    The nearest come first.
    """
    spots = [*points]
    for goal in sorted(near, key=lambda at: (min(distance(at, spot) for spot in points), at)):
        wide, high = _extent([*spots, goal])
        if wide <= WIDEST - 2 * AROUND and high <= HIGHEST - 2 * AROUND:
            spots.append(goal)
    wide, high = (extent + 2 * AROUND for extent in _extent(spots))
    wide, high = max(wide, NARROWEST), max(high, LOWEST)
    x = (min(at.x for at in spots) + max(at.x for at in spots) - wide) / 2
    y = (min(at.y for at in spots) + max(at.y for at in spots) - high) / 2
    x, y = min(max(x, 0), base.width - wide), min(max(y, 0), base.height - high)
    return Window(*(round(part, 1) for part in (x, y, wide, high)))


def _extent(spots: Sequence[Point]) -> tuple[float, float]:
    xs, ys = [at.x for at in spots], [at.y for at in spots]
    return max(xs) - min(xs), max(ys) - min(ys)
