"""Boards without outlines: nodes and lines, drawn from the list of borders.

Land is a square, sea an oval. A line joins places whose border a unit can cross: brown for armies,
blue for fleets, double for both. A place with several coasts has a disc for each of them.
"""

from collections.abc import Iterable, Mapping, Sequence
from math import atan2, cos, hypot, pi, sin, sqrt
from typing import NamedTuple

from judge.drawing.base import (
    EDGE,
    OUTSIDE,
    Area,
    AreaKind,
    BoardGeometry,
    Border,
    BorderKind,
    Mark,
    Point,
)
from judge.drawing.curves import aside, distance, pull_curve
from judge.drawing.graph_layout import compute_positions, graph_of, push_apart

WIDE, HIGH = 31.0, 27.0
"""Half of the width and height of a square."""
OVAL_WIDE, OVAL_HIGH = 38.0, 29.0
DISC = 19.0
"""Radius of the disc of a coast."""
FREE = 52.0
"""Distance from the middle of a disc that other nodes keep, if there is a direction for that."""
TURNS = (0.0, 0.35, -0.35, 0.7, -0.7, 1.05, -1.05, 1.4, -1.4)
"""Turns of a coast from the direction of the places that fleets reach from it."""
APART, ABOVE = 92.0, 76.0
"""Minimum distances of two nodes, across and down."""
CLEAR = 40.0
"""Distance that an edge shall keep from nodes that it does not join."""
LENGTH = 135.0
"""Usual length of a line."""
MARGIN = 64.0
MIN_WIDTH, MIN_HEIGHT = 560.0, 400.0
SPREAD = 165.0
"""Width and height per root of the number of nodes, before nodes are pushed apart."""
BOWS = (0.0, 0.1, -0.1, 0.18, -0.18, 0.28, -0.28, 0.4, -0.4)
"""Deviations of a line round other nodes, in parts of its length."""
LABEL = 14.0


class Node(NamedTuple):
    """A place, with its coasts if it has several ("StP/nc")."""

    name: str
    ground: AreaKind
    is_centre: bool
    coasts: tuple[str, ...] = ()


class Link(NamedTuple):
    """A border between two places, coasts included."""

    start: str
    goal: str
    kind: BorderKind


def draw_schematic(
    nodes: Sequence[Node], links: Sequence[Link], positions: Mapping[str, Point]
) -> BoardGeometry:
    """Return the board of nodes and lines.

    *positions* are those that the map gives. If one is missing, all are computed.
    """
    names = [node.name for node in nodes]
    graph = graph_of(names, ((_node(link.start), _node(link.goal)) for link in links))
    if names and all(name in positions for name in names):
        given = _enlarge([positions[name] for name in names], LENGTH)
        places = push_apart(graph, given, APART, ABOVE)
    else:
        found = _enlarge(compute_positions(graph, LENGTH), APART)
        places = push_apart(graph, found, APART, ABOVE, CLEAR)
    fitted, width, height = _fit(places)
    middles = dict(zip(names, fitted, strict=True))
    spots = _coast_spots(nodes, links, middles)
    arcs = [_outline(node, middles[node.name]) for node in nodes]
    sides = [(node.name, OUTSIDE) for node in nodes]
    rings = {name: [(number,)] for number, name in enumerate(names)}
    for place, at in spots.items():
        rings[_node(place)].append((len(arcs),))
        arcs.append(_ellipse(at, DISC, DISC))
        sides.append((_node(place), OUTSIDE))
    paper = (Point(0, 0), Point(width, 0), Point(width, height), Point(0, height), Point(0, 0))
    return BoardGeometry(
        width=round(width), height=round(height),
        arcs=(*arcs, paper), sides=(*sides, (OUTSIDE, EDGE)),
        areas={node.name: _area(node, middles[node.name], rings[node.name]) for node in nodes},
        frames={}, spots=spots, outside=((len(arcs),),),
        borders=tuple(_borders(links, middles, spots)),
        marks=tuple(Mark(at, place.partition("/")[2]) for place, at in spots.items()),
    )


def _node(place: str) -> str:
    return place.partition("/")[0]


def _enlarge(places: list[Point], usual: float) -> list[Point]:
    """Return positions, enlarged until most nodes are *usual* apart, within limits."""
    xs, ys = [at.x for at in places], [at.y for at in places]
    wide, high = max(xs) - min(xs), max(ys) - min(ys)
    nearest = [
        min(distance(at, other) for other in places[:number] + places[number + 1:])
        for number, at in enumerate(places) if len(places) > 1
    ]
    near = sorted(nearest)[len(nearest) // 4] if nearest else 0
    size = SPREAD * sqrt(len(places)) + LENGTH
    factor = min(usual / near if near else 1.0, size / (wide or 1.0), size / (high or 1.0))
    return [Point(at.x * factor, at.y * factor) for at in places]


def _fit(places: Sequence[Point]) -> tuple[list[Point], float, float]:
    """Return positions within a board, and its width and height."""
    if not places:
        return [], MIN_WIDTH, MIN_HEIGHT
    left, top = min(at.x for at in places), min(at.y for at in places)
    wide, high = max(at.x for at in places) - left, max(at.y for at in places) - top
    width, height = max(wide + 2 * MARGIN, MIN_WIDTH), max(high + 2 * MARGIN, MIN_HEIGHT)
    across, down = (width - wide) / 2 - left, (height - high) / 2 - top
    return [Point(at.x + across, at.y + down) for at in places], width, height


def _coast_spots(
    nodes: Iterable[Node], links: Iterable[Link], middles: Mapping[str, Point]
) -> dict[str, Point]:
    """Return the positions of coasts, each towards the places that it reaches."""
    reached: dict[str, list[Point]] = {}
    for link in links:
        for here, there in ((link.start, link.goal), (link.goal, link.start)):
            if link.kind is not BorderKind.ARMY:
                reached.setdefault(here, []).append(middles[_node(there)])
    found: dict[str, Point] = {}
    for node in nodes:
        at = middles[node.name]
        others = [other for name, other in middles.items() if name != node.name]
        turns = [_direction(at, reached.get(place, ())) for place in node.coasts]
        for place, turn in zip(node.coasts, _spread(turns), strict=True):
            taken = [*others, *found.values()]
            found[place] = max(
                (_beside(at, turn + more) for more in TURNS),
                key=lambda spot: min([FREE, *(distance(spot, other) for other in taken)]),
            )
    return found


def _beside(at: Point, turn: float) -> Point:
    """Return the middle of a disc that touches the square of a place in a direction."""
    across, down = cos(turn), sin(turn)
    reach = min(WIDE / max(abs(across), 0.01), HIGH / max(abs(down), 0.01)) + DISC - 1
    return Point(at.x + reach * across, at.y + reach * down)


def _direction(at: Point, goals: Sequence[Point]) -> float:
    across, down = sum(goal.x - at.x for goal in goals), sum(goal.y - at.y for goal in goals)
    return atan2(down, across)


def _spread(turns: Sequence[float]) -> list[float]:
    """Return directions that are well apart, in the same order around the place."""
    order = sorted(range(len(turns)), key=lambda number: turns[number])
    found = list(turns)
    least = min(2 * pi / max(len(turns), 1), 1.4)
    for _ in range(50):
        for number, first in enumerate(order):
            second = order[(number + 1) % len(order)]
            gap = (found[second] - found[first]) % (2 * pi)
            if first != second and gap < least:
                found[first] -= (least - gap) / 2
                found[second] += (least - gap) / 2
    return found


def _outline(node: Node, at: Point) -> tuple[Point, ...]:
    if node.ground.is_water:
        return _ellipse(at, OVAL_WIDE, OVAL_HIGH)
    x, y = at
    return (
        Point(x - WIDE, y - HIGH), Point(x + WIDE, y - HIGH), Point(x + WIDE, y + HIGH),
        Point(x - WIDE, y + HIGH), Point(x - WIDE, y - HIGH),
    )


def _ellipse(at: Point, across: float, down: float) -> tuple[Point, ...]:
    turns = [2 * pi * step / 32 for step in range(32)]
    found = [Point(at.x + across * cos(turn), at.y + down * sin(turn)) for turn in turns]
    return (*found, found[0])


def _area(node: Node, at: Point, rings: Sequence[tuple[int, ...]]) -> Area:
    across = -9.0 if node.is_centre and not node.ground.is_water else 0.0
    return Area(
        name=node.name, ground=node.ground,
        label=node.name.upper() if node.ground.is_water else node.name,
        rings=tuple(rings), unit=Point(at.x, at.y + 8), label_at=Point(at.x + across, at.y - 17),
        dot=Point(at.x + 20, at.y - 17) if node.is_centre else None, size=LABEL,
    )


def _borders(
    links: Iterable[Link], middles: Mapping[str, Point], spots: Mapping[str, Point]
) -> Iterable[Border]:
    for link in links:
        start, goal = (
            spots.get(place, middles[_node(place)]) for place in (link.start, link.goal)
        )
        others = [
            at for name, at in middles.items() if name not in (_node(link.start), _node(link.goal))
        ]
        yield Border(_past_nodes(start, goal, others), link.kind)


def _past_nodes(start: Point, goal: Point, others: Sequence[Point]) -> tuple[Point, ...]:
    """Return a line that runs under as few nodes as possible, with the smallest bow."""
    reach = distance(start, goal)
    middle = Point((start.x + goal.x) / 2, (start.y + goal.y) / 2)
    near = [at for at in others if distance(at, middle) < 0.75 * reach + CLEAR]
    best: tuple[int, tuple[Point, ...]] | None = None
    for bow in BOWS:
        curve = pull_curve(start, aside(start, goal, bow), goal) if bow else _straight(start, goal)
        hidden = sum(any(hypot(p.x - at.x, p.y - at.y) < CLEAR - 6 for p in curve) for at in near)
        if best is None or hidden < best[0]:
            best = hidden, curve if bow else (start, goal)
        if not hidden:
            break
    assert best is not None
    return best[1]


def _straight(start: Point, goal: Point) -> tuple[Point, ...]:
    parts = [step / 14 for step in range(15)]
    return tuple(
        Point(start.x + part * (goal.x - start.x), start.y + part * (goal.y - start.y))
        for part in parts
    )
