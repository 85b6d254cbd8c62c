"""Orders as lines: moves, supports, convoys, retreats, and crosses on failures.

A line never crosses the board between two far frames. It ends at a label next to the first, which
names its goal, and begins again at a label next to the second, which names its start.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import pairwise
from typing import NamedTuple

from judge.drawing import colours
from judge.drawing.base import Point, path_of
from judge.drawing.curves import (
    Curve,
    arrowhead,
    aside,
    between,
    bounds_of,
    cut,
    distance,
    length_of,
    point_along,
    pull_curve,
    through,
)
from judge.drawing.picture import Picture, Stroke, StrokeKind
from judge.drawing.primitives import (
    ORIGIN,
    Mark,
    Path,
    Text,
    box,
    circle,
    cross,
    text_width,
)
from judge.drawing.tokens import spots_aside

ROOM = 17.0
"""Distance that a line keeps from a token at its ends."""
UNDER_TAKEN = ROOM + 2
"""The same for a token at the goal, with room for the head of an arrow."""
UNDER_FREE = 4.0
"""Distance from the middle of a free place at which an arrow ends."""
HEAD = 14.0
CARRIER_REACH, END_REACH = 24.0, 6.0
"""Distances that the ring around a convoying fleet, and the end of a helper's line, reach."""
FAR = 360.0
"""Minimum distance of two frames that no line across the board joins."""
LABEL = 13.0
LABEL_HEIGHT = 20.0
CLEAR = 14.0
"""A line runs under a token if it comes nearer to its middle than this."""
HELPER_BOWS = (0.1, -0.1, 0.2, -0.2, 0.32, -0.32, 0.45, -0.45)
"""Deviations of a helper's line round tokens, in parts of its length."""
STRUCK = 21.0
"""Distance from the middle of tokens that the cross on a failed line keeps."""
GHOST, GHOST_HEAD = 0.55, 11.0
"""Opacity of a line of the past, and size of its head."""
STRIKES = (0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9)
GAP = 18.0
"""Gap between a frame and its label."""


class Pen(NamedTuple):
    """Style of the lines for one kind of order."""

    colour: str
    width: float
    dash: str = ""


PENS: Mapping[StrokeKind, Pen] = {
    StrokeKind.MOVE: Pen(colours.MOVE, 3.6),
    StrokeKind.SUPPORT: Pen(colours.SUPPORT, 3.8, "3.6 3.8"),
    StrokeKind.CONVOY: Pen(colours.CONVOY, 3.2, "10 4 2.5 4"),
    StrokeKind.RETREAT: Pen(colours.RETREAT, 3.6, "9 3"),
}
FAILED_DASH = "7 4"


def pen_of(stroke: Stroke) -> Pen:
    """Return the style of a stroke. Failed ones are red, and dashed unless dotted."""
    pen = PENS[stroke.way]
    if not stroke.failed:
        return pen
    return Pen(colours.FAILED, pen.width, pen.dash if stroke.aim else FAILED_DASH)


class Lines:
    """All lines of one picture."""

    def __init__(self, picture: Picture) -> None:
        self._base = picture.base
        self._strokes = sorted(picture.strokes, key=_level)
        self._taken = {token.place for token in picture.tokens if not token.aside}
        self._asides = spots_aside(picture)
        self._spots = [
            *self._asides.values(),
            *(picture.base.spot(token.place) for token in picture.tokens if not token.aside),
        ]
        self._labels: dict[str, int] = {}
        self._ends: list[Mark] = []
        self._above: list[Mark] = []
        self._led = {
            (_province(stroke.start), _province(stroke.to)): stroke
            for stroke in picture.strokes
            if not stroke.aim
        }

    def draw(self) -> tuple[tuple[Mark, ...], tuple[Mark, ...]]:
        """Return the lines, helpers below those they help, and the items above the names.

        The end of a helper is marked above the line it helps, to show which one that is.
        """
        lines = [
            ink
            for stroke in self._strokes
            for ink in (self._helper(stroke) if stroke.aim else self._leader(stroke))
        ]
        return (*lines, *self._ends), tuple(self._above)

    def _runs(self, stroke: Stroke) -> list[list[str]]:
        """Return the places of a line, split at gaps between frames far apart."""
        places = [stroke.start, *stroke.through, stroke.to]
        runs = [[places[0]]]
        for before, after in pairwise(places):
            if self._is_gap(before, after):
                runs.append([])
            runs[-1].append(after)
        return runs

    def _is_gap(self, start: str, to: str) -> bool:
        frames, spot = self._base.frames, self._base.spot
        return start in frames and to in frames and distance(spot(start), spot(to)) > FAR

    def _curve(self, run: list[str], stroke: Stroke) -> Curve:
        """Return the line through a run of places, with room for the tokens at its ends."""
        spots = [self._base.spot(place) for place in run]
        bend = None
        if stroke.aside and run[0] == stroke.start:
            spots[0] = self._asides.get(run[0], spots[0])
        elif len(run) == 2:
            bend = self._base.bends.get((run[0], run[1]))
        if bend is not None:
            curve = pull_curve(spots[0], bend.pull, spots[1])
        else:
            curve = between(*spots) if len(spots) == 2 else through(spots)
        short = bend.short if bend else 0
        return cut(curve, ROOM, UNDER_TAKEN + short if run[-1] in self._taken else UNDER_FREE)

    def _leader(self, stroke: Stroke) -> Iterator[Mark]:
        """Yield the line of a unit's own move."""
        pen, runs = pen_of(stroke), self._runs(stroke)
        for number, run in enumerate(runs):
            last = number == len(runs) - 1
            if len(run) > 1:
                curve = self._curve(run, stroke)
                yield _mark_of(curve, draw_ghost if stroke.ghost else _arrow, pen)
                if stroke.failed and last and not stroke.ghost:
                    # The cross is on the last leg, as a fleet is at the middle of a way by sea.
                    self._strike(curve, 1 - 0.45 / (len(run) - 1))
            if not last:
                self._label(run[-1], f"→ {runs[number + 1][0]}", pen, stroke.failed)
                self._label(runs[number + 1][0], f"{run[-1]} →", pen, False)

    def _helper(self, stroke: Stroke) -> Iterator[Mark]:
        """Yield a line to the middle of the helped line, or to the unit that holds."""
        pen, start, goal = pen_of(stroke), self._base.spot(stroke.start), self._goal(stroke)
        if distance(start, goal) < 1:
            yield Mark(*start, tuple(draw_carrier(ORIGIN, pen)), CARRIER_REACH, CARRIER_REACH)
            return
        frames = self._base.frames
        if distance(start, goal) > FAR and frames.keys() & {stroke.start, stroke.aim, stroke.to}:
            text = stroke.aim if stroke.aim == stroke.to else f"{stroke.aim} → {stroke.to}"
            self._label(stroke.start, text, pen, stroke.failed)
            return
        curve = self._past_tokens(start, goal, ROOM if stroke.aim == stroke.to else 0)
        yield _mark_of(curve, _help_line, pen)
        end = Path(circle(0, 0, 4.2), fill=pen.colour, stroke="#ffffff", width=1.6)
        self._ends.append(Mark(*curve[-1], (end,), END_REACH, END_REACH))
        if stroke.failed:
            self._strike(curve, 0.5)

    def _past_tokens(self, start: Point, goal: Point, room: float) -> Curve:
        """Return a line that runs under no token, with the smallest bow possible.

        If there is no such line, it is the straight one.
        """
        straight = cut((start, goal), ROOM, room)
        if self._is_clear(straight, start, goal):
            return straight
        for bow in HELPER_BOWS:
            curve = cut(pull_curve(start, aside(start, goal, bow), goal), ROOM, room)
            if self._is_clear(curve, start, goal):
                return curve
        return straight

    def _is_clear(self, curve: Curve, start: Point, goal: Point) -> bool:
        """Return whether a line runs under no token except those at its ends."""
        parts = [point_along(curve, step / 16) for step in range(17)]
        return all(
            distance(part, spot) >= CLEAR
            for spot in self._spots
            if distance(spot, start) > 1 and distance(spot, goal) > 1
            for part in parts
        )

    def _goal(self, stroke: Stroke) -> Point:
        """Return the end of a helper's line: a point of the line it helps."""
        if stroke.aim == stroke.to:
            return self._base.spot(stroke.aim)
        helped = self._led.get((_province(stroke.aim), _province(stroke.to)))
        if helped is None:
            helped = Stroke(StrokeKind.MOVE, stroke.aim, stroke.to)
        if stroke.start in helped.through:
            return self._base.spot(stroke.start)
        runs = self._runs(helped)
        if len(runs) > 1:
            return self._base.spot(stroke.to)
        # The last leg is the one that matters of a way over several seas.
        legs = len(helped.through) + 1
        return point_along(self._curve(runs[0], helped), 1 - 0.5 / legs)

    def _label(self, place: str, text: str, pen: Pen, failed: bool) -> None:
        """Add a label next to a place, joined to it by a short line."""
        at, wide = self._base.spot(place), text_width(text, LABEL, bold=True) + 12
        number = self._labels.get(place, 0)
        self._labels[place] = number + 1
        end = self._beside(place, wide, number)
        near = Point(end.x + (wide / 2 if end.x < at.x else -wide / 2), end.y)
        line = cut((at, near), ROOM, 0)
        stem = path_of(Point(x - end.x, y - end.y) for x, y in line)
        plate = box(-wide / 2, -LABEL_HEIGHT / 2, wide, LABEL_HEIGHT, 5)
        inks = (
            Path(stem, stroke="#ffffff", width=pen.width + 3),
            Path(stem, stroke=pen.colour, width=pen.width, dash=pen.dash),
            Path(plate, fill="#ffffff", stroke=pen.colour, width=1.8),
            Text(0, 4.8, text, LABEL, fill=pen.colour, bold=True),
        )
        reach = distance(end, at)
        self._above.append(Mark(*end, inks, max(reach, wide / 2) + 5, max(reach, LABEL_HEIGHT)))
        if failed:
            self._strike(line, 0.5)

    def _beside(self, place: str, wide: float, number: int) -> Point:
        """Return the position of a label, towards the board's middle from its place."""
        at = self._base.spot(place)
        frame = self._base.frames.get(place)
        left = at.x < self._base.width / 2
        edge = at.x + ROOM if left else at.x - ROOM
        if frame is not None:
            edge = frame.x + frame.width if left else frame.x
        across = GAP + wide / 2
        return Point(edge + across if left else edge - across, at.y + (LABEL_HEIGHT + 3) * number)

    def _strike(self, curve: Curve, part: float) -> None:
        """Strike a line through, but not on a token it passes, such as a convoying fleet.

        The cross on a short line leaves its ends visible.
        """
        at, reach = self._free(curve, part), min(6.0, max(3.5, length_of(curve) / 5))
        struck = cross(0, 0, reach)
        inks = (
            Path(struck, stroke="#ffffff", width=reach, opacity=0.9),
            Path(struck, stroke=colours.FAILED, width=0.55 * reach),
        )
        self._above.append(Mark(*at, inks, 2 * reach, 2 * reach))

    def _free(self, curve: Curve, part: float) -> Point:
        """Return the point of a line nearest to a part of it that lies on no token."""
        parts = sorted((part, *STRIKES), key=lambda one: abs(one - part))
        points = [point_along(curve, one) for one in parts]
        rooms = [min([STRUCK, *(distance(p, spot) for spot in self._spots)]) for p in points]
        return points[rooms.index(max(rooms))]


def _level(stroke: Stroke) -> tuple[bool, bool]:
    """Return the drawing order: failed below successful, helpers below leaders."""
    return not stroke.aim, not stroke.failed


def _mark_of(curve: Curve, draw: Callable[[Curve, Pen], Iterator[Path]], pen: Pen) -> Mark:
    """Return a line as a mark around the middle of its extent.

    Units go the same ways on many pictures, which render equal marks once.
    """
    x, y, width, height = bounds_of(curve)
    at = Point(round(x + width / 2), round(y + height / 2))
    moved = tuple(Point(point.x - at.x, point.y - at.y) for point in curve)
    return Mark(*at, tuple(draw(moved, pen)), width / 2 + HEAD, height / 2 + HEAD)


def _help_line(curve: Curve, pen: Pen) -> Iterator[Path]:
    yield Path(path_of(curve), stroke="#ffffff", width=pen.width + 2.6, opacity=0.75)
    yield Path(path_of(curve), stroke=pen.colour, width=pen.width, dash=pen.dash)


def _arrow(curve: Curve, pen: Pen) -> Iterator[Path]:
    """Yield a line with a head. A short line has a small head."""
    size = min(HEAD, 0.6 * length_of(curve))
    head = path_of(arrowhead(curve, size)) + "z"
    shaft = path_of(cut(curve, 0, size * 0.7))
    yield Path(shaft, stroke="#ffffff", width=pen.width + 3, opacity=0.85)
    yield Path(head, fill="#ffffff", stroke="#ffffff", width=3, opacity=0.85)
    yield Path(shaft, stroke=pen.colour, width=pen.width, dash=pen.dash)
    yield Path(head, fill=pen.colour)


def draw_ghost(curve: Curve, pen: Pen) -> Iterator[Path]:
    """Yield a line of the past, fainter and thinner and without a halo."""
    head = path_of(arrowhead(curve, min(GHOST_HEAD, 0.6 * length_of(curve)))) + "z"
    shaft = path_of(cut(curve, 0, GHOST_HEAD * 0.7))
    yield Path(shaft, stroke=pen.colour, width=0.7 * pen.width, dash=pen.dash, opacity=GHOST)
    yield Path(head, fill=pen.colour, opacity=GHOST)


def draw_carrier(at: Point, pen: Pen) -> Iterator[Path]:
    """Yield the ring around a fleet that convoys an army."""
    ring = circle(at.x, at.y, ROOM + 2)
    yield Path(ring, fill="#ffffff", stroke="#ffffff", width=5, opacity=0.7)
    yield Path(ring, stroke=pen.colour, width=2.6, dash=pen.dash)


def _province(place: str) -> str:
    return place.partition("/")[0]
