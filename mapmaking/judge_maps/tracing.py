"""Conversion of pixels to lines: borders as arcs shared by both neighbours.

Arcs end where three areas meet. As both neighbours use the same arc, there is never a gap between
them. Each arc is smoothed with its ends fixed, inland frontiers more than coasts, and redundant
points are removed.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from typing import NamedTuple

import numpy as np
import numpy.typing as npt

from judge_maps.painting import FINE, Labels, Painted

Corner = tuple[int, int]
Points = npt.NDArray[np.float64]

EDGE = -2
"""Label of the space beyond the picture."""
UNIT = 5
"""Steps to a unit of the picture in the finished file."""
COAST_SMOOTH, INLAND_SMOOTH = 1.0, 2.2
"""Smoothing of points towards their neighbours, in pixels (sigma of a Gaussian)."""
SLACK = 0.5
"""Maximum distance from the traced line, in pixels (Douglas-Peucker algorithm)."""


class Trace(NamedTuple):
    """A traced arc: corners of pixels, and the areas to its left and right."""

    corners: list[Corner]
    left: int
    right: int


class Shapes(NamedTuple):
    """Arcs in steps (see `judge.drawing.base`), their sides, and rings by name."""

    arcs: list[list[int]]
    sides: list[tuple[str, str]]
    rings: Mapping[str, list[list[int]]]


def trace(painted: Painted, seas: frozenset[str], width: int, height: int) -> Shapes:
    """Return the outlines of all areas."""
    traces = _arcs(painted.labels)
    names = dict(enumerate(painted.names)) | {EDGE: ""}
    arcs = []
    for found in traces:
        sides = {names[found.left], names[found.right]}
        points = _smooth_line(found.corners, _smoothness(sides, seas)) / FINE
        points = np.clip(points, 0, (width, height))
        arcs.append(_steps(_simplify_line(points, SLACK / FINE)))
    rings = {name: _rings(traces, number) for number, name in names.items() if number != EDGE}
    return Shapes(arcs, [(names[t.left], names[t.right]) for t in traces], rings)


def _smoothness(sides: set[str], seas: frozenset[str]) -> float:
    if "" in sides:
        return 0
    wet = [name in seas for name in sides]
    return COAST_SMOOTH if any(wet) and not all(wet) else INLAND_SMOOTH


def _arcs(labels: Labels) -> list[Trace]:
    """Return all borders, split where more than two of them meet."""
    steps = _steps_between(labels)
    arcs: list[Trace] = []
    walked: set[tuple[Corner, Corner]] = set()
    junctions = [corner for corner, beside in steps.items() if len(beside) != 2]
    for corner in (*junctions, *steps):
        for after in sorted(steps[corner]):
            if (corner, after) not in walked:
                left, right = steps[corner][after]
                line = _walk(corner, after, steps)
                walked.update(zip(line, line[1:], strict=False))
                walked.update(zip(line[1:], line, strict=False))
                arcs.append(Trace(line, left, right))
    return arcs


Steps = dict[Corner, dict[Corner, tuple[int, int]]]


def _steps_between(labels: Labels) -> Steps:
    """Return corner → next corner → (left, right), for each pixel side on a border."""
    padded = np.pad(labels, 1, constant_values=EDGE)
    steps: Steps = defaultdict(dict)
    down, across = np.nonzero(padded[1:] != padded[:-1])
    for y, x in zip(down.tolist(), across.tolist(), strict=True):
        above, below = int(padded[y, x]), int(padded[y + 1, x])
        west, east = (x - 1, y), (x, y)
        steps[west][east] = (above, below)
        steps[east][west] = (below, above)
    down, across = np.nonzero(padded[:, 1:] != padded[:, :-1])
    for y, x in zip(down.tolist(), across.tolist(), strict=True):
        west_of, east_of = int(padded[y, x]), int(padded[y, x + 1])
        north, south = (x, y - 1), (x, y)
        steps[north][south] = (east_of, west_of)
        steps[south][north] = (west_of, east_of)
    return steps


def _walk(start: Corner, after: Corner, steps: Steps) -> list[Corner]:
    """Return a border from a corner to the next junction, or round to itself."""
    line = [start, after]
    while len(steps[line[-1]]) == 2 and line[-1] != start:
        onward = [corner for corner in steps[line[-1]] if corner != line[-2]]
        line.append(onward[0])
    return line


def _smooth_line(corners: Sequence[Corner], sigma: float) -> Points:
    """Return a line blurred along itself.

    Closed lines are blurred all round. Others keep their ends.
    """
    points = np.array(corners, float)
    if not sigma or len(points) < 5:
        return points
    reach = int(3 * sigma) + 1
    weights = np.exp(-0.5 * (np.arange(-reach, reach + 1) / sigma) ** 2)
    weights /= weights.sum()
    if corners[0] == corners[-1]:
        ring = points[:-1]
        rounds = [np.pad(ring[:, axis], reach, mode="wrap") for axis in (0, 1)]
        blurred = np.stack([np.convolve(one, weights, "valid") for one in rounds], 1)
        return np.concatenate([blurred, blurred[:1]])
    # A line mirrored through its end points keeps them.
    before = 2 * points[0] - points[1 : reach + 1][::-1]
    behind = 2 * points[-1] - points[-reach - 1 : -1][::-1]
    longer = np.concatenate([before, points, behind])
    lost = reach - len(before)
    longer = np.pad(longer, ((lost, lost), (0, 0)), mode="edge")
    found = np.stack([np.convolve(longer[:, axis], weights, "valid") for axis in (0, 1)], 1)
    found[0], found[-1] = points[0], points[-1]
    return found


def _simplify_line(points: Points, slack: float) -> Points:
    """Return a line with only the points needed to remain within *slack* of itself."""
    keep = np.zeros(len(points), bool)
    keep[[0, -1]] = True
    if np.array_equal(points[0], points[-1]):
        keep[np.argmax(np.hypot(*(points - points[0]).T))] = True
    pending = list(zip(*(np.nonzero(keep)[0][part] for part in (slice(-1), slice(1, None)))))
    while pending:
        first, last = pending.pop()
        if last - first < 2:
            continue
        away = _distances(points[first + 1 : last], points[first], points[last])
        most = int(away.argmax())
        if away[most] > slack:
            middle = first + 1 + most
            keep[middle] = True
            pending += [(first, middle), (middle, last)]
    return points[keep]


def _distances(points: Points, start: Points, end: Points) -> Points:
    """Return the distances of points from the line between two others."""
    along = end - start
    length = float(np.hypot(*along))
    off = points - start
    if not length:
        found: Points = np.hypot(off[:, 0], off[:, 1])
        return found
    across: Points = np.abs(off[:, 0] * along[1] - off[:, 1] * along[0]) / length
    return across


def _steps(points: Points) -> list[int]:
    """Return a line as its first point and steps, in integers."""
    whole = np.rint(points * UNIT).astype(int)
    moved = np.any(np.diff(whole, axis=0) != 0, axis=1)
    whole = whole[np.concatenate([[True], moved])]
    if len(whole) == 1:
        whole = np.concatenate([whole, whole])
    steps = np.concatenate([whole[:1], np.diff(whole, axis=0)])
    return [int(step) for step in steps.ravel()]


def _rings(traces: Sequence[Trace], area: int) -> list[list[int]]:
    """Return the rings of an area.

    Each consists of arcs with the area on their left, joined end to end.
    """
    ahead: dict[Corner, list[int]] = defaultdict(list)
    ends: dict[int, Corner] = {}
    for number, found in enumerate(traces):
        if found.left == area:
            ahead[found.corners[0]].append(number)
            ends[number] = found.corners[-1]
        if found.right == area:
            ahead[found.corners[-1]].append(~number)
            ends[~number] = found.corners[0]
    rings = []
    for start in list(ahead):
        while ahead[start]:
            ring = [ahead[start].pop(0)]
            while ends[ring[-1]] != start:
                ring.append(ahead[ends[ring[-1]]].pop(0))
            rings.append(ring)
    return rings
