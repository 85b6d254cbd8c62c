"""The room an area offers: its pixels, and how well a box would lie at each of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np
import numpy.typing as npt
from PIL import Image, ImageDraw

from judge.drawing.base import Point

Costs = npt.NDArray[np.float64]
Mask = npt.NDArray[np.bool_]

MARGIN = 34
"""How far around an area its surroundings are looked at."""
SQUARES = (9, 17, 27, 41, 61, 91, 131, 191)
"""Sizes of squares by which depth is measured."""


class Box(NamedTuple):
    """A rectangle by its middle."""

    x: float
    y: float
    width: float
    height: float


@dataclass(frozen=True)
class Room:
    """An area's pixels, one to a unit of the picture, with what is around them."""

    inside: Mask
    x: Costs
    y: Costs
    size: tuple[int, int]
    """Of the whole picture."""
    foreign: Mask
    """The pixels of other areas of its kind (land or water): what stands there seems theirs."""

    @property
    def left(self) -> int:
        """Return where the pixels begin."""
        return int(self.x[0, 0])

    @property
    def top(self) -> int:
        """Return where the pixels begin."""
        return int(self.y[0, 0])

    def at(self, pixel: int) -> Point:
        """Return the point of the so-manieth pixel."""
        return Point(float(self.x.flat[pixel]), float(self.y.flat[pixel]))

    def share_outside(self, width: float, height: float) -> Costs:
        """Return how much of a box would lie outside, for a box in the middle of each pixel."""
        return 1 - covered(self.inside, int(width) + 1, int(height) + 1)

    def share_foreign(self, width: float, height: float) -> Costs:
        """Return how much of a box in the middle of each pixel would lie on areas of its kind."""
        return covered(self.foreign, int(width) + 1, int(height) + 1)

    def over_the_edge(self, width: float, height: float) -> Mask:
        """Tell for each pixel whether a box there would come too near the picture's edge."""
        across = np.minimum(self.x, self.size[0] - self.x)
        down = np.minimum(self.y, self.size[1] - self.y)
        return (across < width / 2 + 2) | (down < height / 2 + 2)

    def depth(self) -> Costs:
        """Return the side of the largest square around each pixel that lies inside."""
        found = np.zeros(self.inside.shape)
        for side in SQUARES:
            found = np.where(covered(self.inside, side, side) > 0.985, side, found)
        return found

    def overlap(self, width: float, height: float, others: Sequence[Box]) -> Costs:
        """Return a cost for every pixel where a box would lie on others."""
        cost = np.zeros(self.inside.shape)
        for box in others:
            across, down = self.common(width, height, box)
            hit = (across > 0) & (down > 0)
            cost += 25 * hit + 3 * np.sqrt(np.maximum(across, 0) * np.maximum(down, 0))
        return cost

    def common(self, width: float, height: float, box: Box) -> tuple[Costs, Costs]:
        """Return how far a box at each pixel and another one reach into each other."""
        across = (width + box.width) / 2 - np.abs(self.x - box.x) + 1.5
        down = (height + box.height) / 2 - np.abs(self.y - box.y) + 1
        return across, down

    def near(self, others: Sequence[Box]) -> list[Box]:
        """Return those boxes that could lie on something here."""
        height, width = self.inside.shape
        middle = Point(self.left + width / 2, self.top + height / 2)
        return [
            box
            for box in others
            if abs(box.x - middle.x) < (width + box.width) / 2 + MARGIN
            and abs(box.y - middle.y) < (height + box.height) / 2 + MARGIN
        ]


Rings = Sequence[Sequence[Point]]


def painted(rings: Rings, left: int, top: int, right: int, bottom: int) -> Mask:
    """Return which pixels of a rectangle lie inside an outline (even-odd rule)."""
    inside = np.zeros((bottom - top, right - left), bool)
    for ring in rings:
        image = Image.new("1", (right - left, bottom - top))
        ImageDraw.Draw(image).polygon([(point.x - left, point.y - top) for point in ring], fill=1)
        inside ^= np.asarray(image)
    return inside


def room_of(rings: Rings, size: tuple[int, int], kind: Mask | None = None) -> Room:
    """Return the room inside an outline; `kind` are all pixels of the picture of its kind."""
    xs = [point.x for ring in rings for point in ring]
    ys = [point.y for ring in rings for point in ring]
    left, top = max(int(min(xs)) - MARGIN, 0), max(int(min(ys)) - MARGIN, 0)
    right, bottom = min(int(max(xs)) + MARGIN, size[0]), min(int(max(ys)) + MARGIN, size[1])
    inside = painted(rings, left, top, right, bottom)
    like = np.ones_like(inside) if kind is None else kind[top:bottom, left:right]
    y, x = np.mgrid[top:bottom, left:right].astype(float)
    return Room(inside, x, y, size, like & ~inside)


def covered(inside: Mask, width: int, height: int) -> Costs:
    """Return how much of a box in the middle of each pixel lies inside (by sums over the area).

    >>> covered(np.array([[True, True, False]]), 1, 1).tolist()
    [[1.0, 1.0, 0.0]]
    """
    rows, columns = inside.shape
    padded = np.zeros((rows + 2 * height + 1, columns + 2 * width + 1))
    padded[height + 1 : height + 1 + rows, width + 1 : width + 1 + columns] = inside
    sums = padded.cumsum(0).cumsum(1)
    top = np.arange(rows) + height - height // 2
    left = np.arange(columns) + width - width // 2
    bottom, right = top + height, left + width
    found: Costs = (
        sums[np.ix_(bottom, right)]
        - sums[np.ix_(top, right)]
        - sums[np.ix_(bottom, left)]
        + sums[np.ix_(top, left)]
    )
    return found / (width * height)
