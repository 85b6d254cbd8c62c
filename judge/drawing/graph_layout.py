"""Positions for the nodes of a graph, computed from its edges alone.

Distances on the picture shall be like those in the graph: pivot distances (classical scaling, then
sparse stress majorisation). Then nodes that overlap, or lie on an edge of others, are pushed apart.
The same graph always has the same positions.
"""

from collections import deque
from collections.abc import Iterable, Mapping, Sequence
from math import hypot, sqrt

from judge.drawing.base import Point

PIVOTS = 60
"""Number of nodes to which the distances of all others count."""
ROUNDS = 80
POWER_ROUNDS = 60
MAX_STEPS = 1_200_000
"""Limit of the pairs looked at when nodes are pushed apart, about two seconds."""
MAX_PUSHES = 120

Graph = Sequence[Sequence[int]]
"""Node → its neighbours."""


def graph_of(names: Sequence[str], edges: Iterable[tuple[str, str]]) -> list[list[int]]:
    """Return the graph of named nodes, numbered in their order.

    >>> graph_of(["a", "b", "c"], [("a", "c"), ("c", "a")])
    [[2], [], [0]]
    """
    number = {name: at for at, name in enumerate(names)}
    found: list[set[int]] = [set() for _ in names]
    for start, goal in edges:
        if start != goal:
            found[number[start]].add(number[goal])
            found[number[goal]].add(number[start])
    return [sorted(each) for each in found]


def compute_positions(graph: Graph, length: float) -> list[Point]:
    """Return a position for each node, with edges of about this length.

    The whole is at least as wide as high.
    """
    if not graph:
        return []
    rows = _pivot_distances(graph)
    places = _improve(graph, rows, _scale_classically(rows, len(graph)))
    wide, high = (max(along) - min(along) for along in zip(*places, strict=True))
    if wide < high:
        places = [[y, x] for x, y in places]
    return [Point(x * length, y * length) for x, y in places]


def _distances(graph: Graph, start: int) -> list[int]:
    """Return the number of edges from a node to each.

    Nodes out of reach get two more than the farthest.
    """
    found = {start: 0}
    todo = deque([start])
    while todo:
        here = todo.popleft()
        for there in graph[here]:
            if there not in found:
                found[there] = found[here] + 1
                todo.append(there)
    far = max(found.values()) + 2
    return [found.get(node, far) for node in range(len(graph))]


def _pivot_distances(graph: Graph) -> dict[int, list[int]]:
    """Return distances from pivots to all nodes.

    Each pivot is as far as possible from those before it.
    """
    rows: dict[int, list[int]] = {}
    nearest = [len(graph) + 1] * len(graph)
    pivot = max(range(len(graph)), key=lambda node: len(graph[node]))
    while len(rows) < min(PIVOTS, len(graph)):
        rows[pivot] = _distances(graph, pivot)
        nearest = [min(pair) for pair in zip(nearest, rows[pivot], strict=True)]
        pivot = max(range(len(graph)), key=nearest.__getitem__)
    return rows


def _scale_classically(rows: Mapping[int, Sequence[int]], count: int) -> list[list[float]]:
    """Return a first position for each node, by the main axes of the distances."""
    squares = [[float(far * far) for far in row] for row in rows.values()]
    means = [sum(row) / count for row in squares]
    by_node = [sum(column) / len(squares) for column in zip(*squares, strict=True)]
    whole = sum(means) / len(means)
    table = [
        [-0.5 * (far - mean - by_node[node] + whole) for node, far in enumerate(row)]
        for row, mean in zip(squares, means, strict=True)
    ]
    product = [[sum(map(float.__mul__, a, b)) for b in table] for a in table]
    axes: list[list[float]] = []
    for number in range(2):
        axis = _main_axis(product, axes, number)
        axes.append(axis)
    spread = []
    for axis in axes:
        along = [sum(a * row[node] for a, row in zip(axis, table, strict=True))
                 for node in range(count)]
        largest = max(map(abs, along)) or 1.0
        spread.append([value / largest for value in along])
    reach = max(map(max, rows.values())) / 2
    # Nodes with the same distances to all pivots must not begin in one point.
    return [
        [reach * x + 0.01 * (node % 7), reach * y + 0.01 * (node % 11)]
        for node, (x, y) in enumerate(zip(*spread, strict=True))
    ]


def _main_axis(
    product: Sequence[Sequence[float]], others: Sequence[Sequence[float]], number: int
) -> list[float]:
    """Return the main axis of a symmetric matrix at right angles to *others*.

    It is found by power iteration.
    """
    axis = [1.0 + ((at * 7 + number * 3) % 5) / 5 for at in range(len(product))]
    for _ in range(POWER_ROUNDS):
        axis = [sum(map(float.__mul__, row, axis)) for row in product]
        for other in others:
            along = sum(map(float.__mul__, axis, other))
            axis = [a - along * b for a, b in zip(axis, other, strict=True)]
        size = sqrt(sum(a * a for a in axis)) or 1.0
        axis = [a / size for a in axis]
    return axis


def _improve(
    graph: Graph, rows: Mapping[int, Sequence[int]], places: list[list[float]]
) -> list[list[float]]:
    """Move each node in turn to where its distances are most like those in the graph."""
    wanted: list[list[tuple[int, float]]] = []
    for node, near in enumerate(graph):
        far_off = {pivot: float(row[node]) for pivot, row in rows.items() if pivot != node}
        wanted.append(sorted((far_off | dict.fromkeys(near, 1.0)).items()))
    for _ in range(ROUNDS):
        for node, aims in enumerate(wanted):
            x, y = places[node]
            across = down = weights = 0.0
            for other, far in aims:
                to_x, to_y = places[other]
                part = far / (hypot(x - to_x, y - to_y) or 1.0)
                weight = 1 / (far * far)
                across += weight * (to_x + part * (x - to_x))
                down += weight * (to_y + part * (y - to_y))
                weights += weight
            if weights:
                places[node] = [across / weights, down / weights]
    return places


def push_apart(
    graph: Graph, places: Sequence[Point], width: float, height: float, clear: float = 0
) -> list[Point]:
    """Return positions that are at least *width* or *height* apart.

    Nodes also keep the distance *clear* from the edges of others, as far as there is time.
    """
    found = [[at.x, at.y] for at in places]
    edges = [(a, b) for a, near in enumerate(graph) for b in near if a < b] if clear else []
    pairs = len(found) * (len(found) // 2 + len(edges)) or 1
    for _ in range(max(min(MAX_PUSHES, MAX_STEPS // pairs), 4)):
        moved = _push_from_edges(found, edges, clear)
        if not (_push_nodes(found, width, height) or moved):
            break
    for _ in range(MAX_PUSHES):
        if not _push_nodes(found, width, height):
            break
    return [Point(x, y) for x, y in found]


def _push_nodes(places: list[list[float]], width: float, height: float) -> bool:
    """Push nodes that overlap apart, each by half. Return whether any did."""
    moved = False
    order = sorted(range(len(places)), key=lambda node: (places[node], node))
    for at, first in enumerate(order):
        for second in order[at + 1:]:
            (x, y), (to_x, to_y) = places[first], places[second]
            if to_x - x > 2 * width:
                break
            across, down = width - abs(to_x - x), height - abs(to_y - y)
            if across > 0.5 and down > 0.5:
                moved = True
                axis = 0 if across <= down else 1
                step = 0.5 * min(across, down) * (1 if (to_x, to_y)[axis] >= (x, y)[axis] else -1)
                places[first][axis] -= step
                places[second][axis] += step
    return moved


def _push_from_edges(
    places: list[list[float]], edges: Sequence[tuple[int, int]], clear: float
) -> bool:
    moved = False
    for a, b in edges:
        (ax, ay), (bx, by) = places[a], places[b]
        across, down = bx - ax, by - ay
        length = hypot(across, down)
        if not length:
            continue
        for node, (x, y) in enumerate(places):
            part = ((x - ax) * across + (y - ay) * down) / (length * length)
            off = ((x - ax) * down - (y - ay) * across) / length
            if 0.05 < part < 0.95 and abs(off) < clear and node not in (a, b):
                step = 0.4 * (clear - abs(off)) * (1 if off >= 0 else -1)
                places[node] = [x + step * down / length, y - step * across / length]
                moved = True
    return moved
