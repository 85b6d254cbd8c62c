"""Lines between linked areas whose border does not show the link."""

from collections.abc import Collection, Iterable, Mapping
from math import hypot

import numpy as np
import numpy.typing as npt

from judge.drawing.base import BoardGeometry, Point

REACH = 10.0
"""Units that a line reaches into the area on either side."""
LARGE = 0.1
"""Size of islands without a line, as a part of an area's largest piece."""
Points = npt.NDArray[np.float64]


def ways_of(base: BoardGeometry, links: Mapping[tuple[str, str], bool]) -> dict[str, list[float]]:
    """Return the ends of a line for each pair that needs one.

    *links* are pairs of areas → True if they have a line even if they share a border.
    """
    shared: dict[frozenset[str], list[tuple[Point, ...]]] = {}
    for sides, arc in zip(base.sides, base.arcs, strict=True):
        shared.setdefault(frozenset(sides), []).append(arc)
    found = {}
    for (a, b), always in sorted(links.items()):
        arcs = shared.get(frozenset((a, b)), [])
        if arcs and not always:
            continue
        start, end = _over_border(base, a, b, arcs) if arcs else _over_gap(base, a, b)
        found[f"{a}-{b}"] = [round(part, 1) for part in (*start, *end)]
    return found


def _over_border(
    base: BoardGeometry, a: str, b: str, arcs: Iterable[tuple[Point, ...]]
) -> tuple[Point, Point]:
    """Return a line across the longest common border, near its middle."""
    border = max(arcs, key=_length)
    line = np.array(border)
    for reach in (REACH, REACH / 2, REACH / 4, REACH / 8):
        for number in sorted(range(1, len(line)), key=lambda n: abs(n - len(line) / 2)):
            first, last = line[number - 1], line[number]
            along = last - first
            if not (size := float(np.hypot(*along))):
                continue
            across = np.array([-along[1], along[0]]) / size * reach
            middle = (first + last) / 2
            for one, other in ((middle + across, middle - across),
                               (middle - across, middle + across)):  # fmt: skip
                if base.is_within(a, Point(*one)) and base.is_within(b, Point(*other)):
                    return Point(*one), Point(*other)
    raise ValueError(f"no line over the border of {a} and {b}")


def _over_gap(base: BoardGeometry, a: str, b: str) -> tuple[Point, Point]:
    """Return the shortest line between two areas, from within one into the other."""
    one, other = _outline(base, a), _outline(base, b)
    away = np.hypot(one[:, None, 0] - other[None, :, 0], one[:, None, 1] - other[None, :, 1])
    for at in np.argsort(away, axis=None)[:4000]:
        row, column = divmod(int(at), len(other))
        start, end = one[row], other[column]
        gap = float(away[row, column])
        along = (end - start) / max(gap, 1e-9)
        for reach in (max(REACH / 2, (2 * REACH - gap) / 2), REACH / 2, REACH / 4, REACH / 8):
            first, last = Point(*(start - along * reach)), Point(*(end + along * reach))
            if base.is_within(a, first) and base.is_within(b, last):
                return first, last
    raise ValueError(f"no line from {a} to {b}")


def _outline(base: BoardGeometry, name: str) -> Points:
    """Return the points of an area's outlines, without small islands."""
    rings = [np.array(base.outline(ring)) for ring in base.areas[name].rings]
    sizes = [np.ptp(ring, axis=0).prod() for ring in rings]
    large = [ring for ring, size in zip(rings, sizes) if size >= LARGE * max(sizes)]
    found: Points = np.concatenate(large)
    return found


def _length(line: Collection[Point]) -> float:
    points = [*line]
    return sum(hypot(q.x - p.x, q.y - p.y) for p, q in zip(points, points[1:], strict=False))
