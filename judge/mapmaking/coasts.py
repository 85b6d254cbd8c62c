"""Where fleets stand in provinces with several coasts: near the waters that coast touches."""

from collections.abc import Mapping, Sequence

import numpy as np

from judge.drawing.base import Point
from judge.mapmaking.placing import UNIT
from judge.mapmaking.rooms import Box, Costs, Room, covered

INLAND = 9.0
"""How far from the water a fleet stands."""


def spot_on_coast(
    room: Room, shore: Sequence[Point], other_shores: Sequence[Point], others: Sequence[Box]
) -> Point:
    """Return a place inside an area near the middle of a shore, and not near its other shores."""
    away, from_others = _distance(room, shore), _distance(room, other_shores)
    middle = Point(*np.array(shore).mean(0))
    cost = (
        6 * np.abs(away - INLAND)
        + 8 * np.maximum(0, away - from_others + 6)
        + 60 * room.share_outside(*UNIT)
        + 0.25 * np.hypot(room.x - middle.x, room.y - middle.y)
        + 300 * ~room.inside
        + 20 * (covered(room.inside, 3, 3) < 0.999)
        + 200 * room.over_the_edge(*UNIT)
        + 1.6 * room.overlap(*UNIT, room.near(others))
    )
    return room.at(int(cost.argmin()))


def _distance(room: Room, points: Sequence[Point]) -> Costs:
    """Return how far each pixel is from the nearest of these points."""
    found = np.full(room.inside.shape, 1e6)
    for x, y in points:
        found = np.minimum(found, np.hypot(room.x - x, room.y - y))
    return found


def shores(
    borders: Mapping[frozenset[str], Sequence[Point]], province: str, seas: Sequence[str]
) -> list[Point]:
    """Return the points of a province's borders with some seas."""
    return [point for sea in seas for point in borders.get(frozenset((province, sea)), ())]
