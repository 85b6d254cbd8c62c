"""Detours of arrows between neighbours round names and units.

An arrow between two units' positions is slightly bowed (`curves.between`). If its head would lie
under a name, or its shaft under the unit of a third place, the arrow is pulled aside or ends
earlier. Of many variants, the least changed one that avoids both is used. The arrows of both
directions remain two lines.
"""

from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

from judge.board.map import Map, province_of
from judge.drawing.base import Bend, BoardGeometry, Point
from judge.drawing.curves import (
    BOW,
    MAX_BOW,
    Curve,
    arrowhead,
    aside,
    between,
    cut,
    distance,
    length_of,
    point_along,
    pull_curve,
)
from judge.drawing.primitives import text_width
from judge.drawing.strokes import HEAD, ROOM, UNDER_FREE, UNDER_TAKEN

Way = tuple[str, str]
"""A place and an adjacent one."""
Spot = tuple[str, Point]
"""A place's province, and the position of its unit."""

AT = (0.5, 0.65, 0.35, 0.8, 0.2, 0.92, 1.0)
"""Positions along the arrow at which it may be pulled aside."""
BOWS = tuple(number / 50 for number in range(1, 45))
"""Deviations of arrows, in parts of their length."""
SHORT = (0.0, 4.0, 8.0, 12.0, 16.0, 20.0)
"""Distances by which an arrow may end earlier, to avoid a name at its goal."""
STOPS = 0.9
"""Cost of ending a unit earlier, relative to bending by a unit."""
FAR_TURN = 1.5
"""Factor by which a turn at one end looks worse than one in the middle."""
CLEAR = 15.0
"""Minimum distance of a shaft from the middle of another place's unit."""
UNDER = 2
"""Maximum number of the five points of a head that may lie under one name."""
MARGIN = 1.5
"""Margin of a name beyond its letters."""
TALL = 0.55
"""Distance that a name reaches up and down from its middle, in parts of its size."""
EVEN = 0.8
"""Minimum distance of the two directions, relative to that without bends."""
EDGE = 3.0
"""Minimum distance of an arrow from the edge of the picture."""


class _NameBox(NamedTuple):
    left: float
    top: float
    right: float
    bottom: float

    def holds(self, point: Point) -> bool:
        return self.left <= point.x <= self.right and self.top <= point.y <= self.bottom


def neighbours(board: Map, base: BoardGeometry) -> list[Way]:
    """Return the moves possible without a convoy, between places on the board."""
    walks = {(start, goal) for start, goals in board.walk.items() for goal in goals}
    sails = {
        (start, place)
        for start, goals in board.sail.items()
        for places in goals.values()
        for place in places
    }
    return sorted(way for way in walks | sails if not {*map(province_of, way)} & {*base.frames})


def bends_of(board: Map, base: BoardGeometry) -> Mapping[Way, Bend]:
    """Return the detours of arrows that would hit something.

    Raises:
        ValueError: an arrow hits something with each possible bend.
    """
    bending, found = _Bending(base), dict[Way, Bend]()
    ways = {*neighbours(board, base)}
    for there, back in ((way, (way[1], way[0])) for way in sorted(ways)):
        if back in ways and back < there:
            continue
        for way, bend in bending.both(there, back if back in ways else None):
            if bend.bend is not None:
                found[way] = bend.bend
    return dict(sorted(found.items()))


class _Choice(NamedTuple):
    """One variant of an arrow: its cost, its whole line, and its bend if not plain."""

    cost: float
    curve: Curve
    bend: Bend | None


class _Remembered:
    """An iterator that can be iterated again."""

    def __init__(self, source: Iterator[_Choice]) -> None:
        self._source, self._seen = source, list[_Choice]()

    def __iter__(self) -> Iterator[_Choice]:
        number = 0
        while True:
            if number == len(self._seen):
                more = next(self._source, None)
                if more is None:
                    return
                self._seen.append(more)
            yield self._seen[number]
            number += 1


class _Bending:
    """Obstacles of a base."""

    def __init__(self, base: BoardGeometry) -> None:
        self._base = base
        self._names = [
            _NameBox(x - half, y - high, x + half, y + high)
            for area in base.areas.values()
            for (x, y), half, high in [
                (
                    area.label_at,
                    text_width(area.label, area.size) / 2 + MARGIN,
                    area.size * TALL + MARGIN,
                )
            ]
        ]
        self._spots: list[Spot] = [(area.name, area.unit) for area in base.areas.values()]
        self._spots += [(province_of(place), spot) for place, spot in base.spots.items()]

    def hits(self, way: Way, curve: Curve, short: float = 0) -> bool:
        """Return whether an arrow lies under an obstacle, to a taken or a free place."""
        taken, free = cut(curve, ROOM, UNDER_TAKEN + short), cut(curve, ROOM, UNDER_FREE)
        if self._is_off(free) or self._is_named(taken) or self._is_named(free):
            return True
        return self._is_over_unit(way, free)

    def both(self, there: Way, back: Way | None) -> list[tuple[Way, _Choice]]:
        """Return the two arrows at least cost that hit nothing and keep apart.

        Raises:
            ValueError: there are no such arrows.
        """
        least, found = inf, list[tuple[Way, _Choice]]()
        backs = _Remembered(self._choices(back)) if back else None
        for one in self._choices(there):
            if one.cost >= least:
                break
            if backs is None or back is None:
                return [(there, one)]
            for other in backs:
                if one.cost + other.cost >= least:
                    break
                if _is_apart(one.curve, other.curve):
                    least, found = one.cost + other.cost, [(there, one), (back, other)]
                    break
        if not found:
            raise ValueError(f"no bend leads from {there[0]} to {there[1]} past everything")
        return found

    def _choices(self, way: Way) -> Iterator[_Choice]:
        """Yield the variants of an arrow that hit nothing, by cost."""
        start, end = map(self._base.spot, way)
        plain = between(start, end)
        if not self.hits(way, plain):
            yield _Choice(0, plain, None)
        for cost, bend in _bends(start, end):
            curve = pull_curve(start, bend.pull, end)
            if not self.hits(way, curve, bend.short):
                yield _Choice(cost, curve, bend)

    def _is_off(self, arrow: Curve) -> bool:
        width, height = self._base.width, self._base.height
        return any(
            not (EDGE < point.x < width - EDGE and EDGE < point.y < height - EDGE)
            for point in arrow
        )

    def _is_named(self, arrow: Curve) -> bool:
        points = head_points(arrow)
        return any(sum(map(name.holds, points)) > UNDER for name in self._names)

    def _is_over_unit(self, way: Way, arrow: Curve) -> bool:
        ends = {*map(province_of, way)}
        parts = [point_along(arrow, step / 60) for step in range(61)]
        near = CLEAR + length_of(arrow)
        return any(
            distance(point, spot) < CLEAR
            for province, spot in self._spots
            if province not in ends and distance(spot, arrow[0]) < near
            for point in parts
        )


def head_points(arrow: Curve) -> Sequence[Point]:
    """Return the corners of an arrow's head, and the middles of its long sides."""
    tip, left, right = arrowhead(arrow, min(HEAD, 0.6 * length_of(arrow)))
    middles = (Point((tip.x + x) / 2, (tip.y + y) / 2) for x, y in (left, right))
    return (tip, left, right, *middles)


def _bends(start: Point, end: Point) -> list[tuple[float, Bend]]:
    """Return the possible bends of an arrow with their costs, by cost."""
    length = distance(start, end)
    found: list[tuple[float, Bend]] = []
    for at in AT:
        for bow in BOWS:
            for side in (bow, -bow):
                x, y = aside(start, end, side, at)
                pull = Point(round(x, 1), round(y, 1))
                cost = bow * length * (1 + FAR_TURN * abs(at - 0.5))
                found += [(cost + STOPS * short, Bend(pull, short)) for short in SHORT]
    return sorted(found, key=lambda one: one[0])


def _is_apart(there: Curve, back: Curve) -> bool:
    """Return whether the way back is far enough from the way there."""
    start, end = there[0], there[-1]
    apart = _lies(start, end, point_along(there, 0.5)) - _lies(start, end, point_along(back, 0.5))
    return apart >= 2 * EVEN * min(BOW, MAX_BOW / distance(start, end))


def _lies(start: Point, end: Point, point: Point) -> float:
    """Return the distance of a point to the left of a line, in parts of its length."""
    across, down = end.x - start.x, end.y - start.y
    length = across**2 + down**2
    return ((point.x - start.x) * down - (point.y - start.y) * across) / length
