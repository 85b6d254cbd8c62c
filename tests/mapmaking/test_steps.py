"""Steps from the earth to a board, each on a small example."""

from itertools import accumulate

import numpy as np
import pytest

from judge.drawing.base import Point
from judge_maps.lens import look_through, wanted_scale
from judge_maps.painting import Painted, pieces_of
from judge_maps.placing import Box, Subject, place_all, room_of
from judge_maps.plan import Lens, Swell
from judge_maps.tracing import FINE, UNIT, trace

PLAIN = Lens(
    domain=(0, 60, 0, 40),
    step=1,
    base=1,
    north=(0, 90, 1),
    swells=(),
    left=(10, 20),
    right=(50, 20),
    top=(30, 35),
    bottom=(30, 5),
    width=800,
    shut_waters=(),
)


def test_without_swells_the_map_is_a_miller_projection() -> None:
    view = look_through(PLAIN)
    x, y = view.place(np.array([10.0, 50.0, 30.0, 30.0]), np.array([20.0, 20.0, 35.0, 5.0]))
    assert x.tolist() == pytest.approx([0, 800, 400, 400], abs=0.01)
    assert y[2] == pytest.approx(0, abs=0.01) and y[3] == pytest.approx(view.height, abs=0.5)


def test_a_swell_enlarges_its_region() -> None:
    swollen = PLAIN._replace(swells=(Swell(30, 20, 8, 8, 1.0, 1),))
    around = np.array([29.0, 31.0]), np.array([20.0, 20.0])
    wide = [float(np.ptp(look_through(lens).place(*around)[0])) for lens in (PLAIN, swollen)]
    assert wide[1] > 1.25 * wide[0]
    middle = np.array([30.0]), np.array([20.0])
    assert wanted_scale(swollen, *middle)[0] == pytest.approx(2)


def test_a_lens_that_folds_the_map_over_is_refused() -> None:
    with pytest.raises(ValueError, match="folds"):
        look_through(PLAIN._replace(swells=(Swell(30, 20, 4, 4, -3.0, 1),)))


def test_pieces_are_joined_by_sides_and_not_by_corners() -> None:
    labels = np.array([[1, 0, 1], [0, 1, 1], [1, 1, 0]], np.int32)
    found = pieces_of(labels)
    assert found[0, 2] == found[1, 1] == found[2, 0] != found[0, 0]
    assert found[0, 1] != found[1, 0] != found[2, 2]


def test_neighbours_share_their_border_and_rings_are_closed() -> None:
    labels = np.zeros((60, 60), np.int32)
    labels[:, 30:] = 1
    labels[20:40, 20:40] = 2
    shapes = trace(Painted(labels, ("-", "Lan", "Isl")), frozenset(), 40, 40)
    pairs = [frozenset(sides) for sides in shapes.sides]
    assert pairs.count(frozenset(("-", "Isl"))) == 1
    assert frozenset(("-", "Lan")) in pairs and frozenset(("Lan", "Isl")) in pairs
    for rings in shapes.rings.values():
        for ring in rings:
            points = [point for number in ring for point in trace_arc(shapes.arcs, number)]
            assert points[0] == points[-1]


def trace_arc(arcs: list[list[int]], number: int) -> list[tuple[int, int]]:
    """Return the points of an arc, reversed if *number* is negative."""
    steps = arcs[number if number >= 0 else ~number]
    points = list(zip(accumulate(steps[0::2]), accumulate(steps[1::2]), strict=True))
    return points if number >= 0 else points[::-1]


def test_an_island_is_one_ring_of_one_arc_of_its_area() -> None:
    labels = np.zeros((60, 60), np.int32)
    labels[15:45, 15:45] = 1
    shapes = trace(Painted(labels, ("-", "Isl")), frozenset({"-"}), 40, 40)
    ((ring,),) = (shapes.rings["Isl"],)
    points = trace_arc(shapes.arcs, ring[0])
    area = abs(sum(a[0] * b[1] - b[0] * a[1] for a, b in zip(points, points[1:], strict=False)) / 2)
    assert area / UNIT**2 == pytest.approx((30 / FINE) ** 2, rel=0.05)


def square(left: float, top: float, side: float) -> list[list[Point]]:
    """Return the outline of a square."""
    corners = [(0, 0), (1, 0), (1, 1), (0, 1), (0, 0)]
    return [[Point(left + x * side, top + y * side) for x, y in corners]]


def test_unit_name_and_dot_lie_inside_and_apart() -> None:
    room = room_of(square(50, 50, 100), (300, 300))
    placed = place_all({"Lan": Subject(room, "Lan", True)}, [])["Lan"]
    unit, name = placed.boxes
    for box in (unit, name):
        assert 50 <= box.x - box.width / 2 and box.x + box.width / 2 <= 150
        assert 50 <= box.y - box.height / 2 and box.y + box.height / 2 <= 150
    assert not overlaps(unit, name)
    assert placed.dot is not None


def test_blocked_space_stays_free() -> None:
    room = room_of(square(50, 50, 100), (300, 300))
    blocked = Box(100, 75, 100, 50)
    placed = place_all({"Lan": Subject(room, "Lan", False)}, [blocked])["Lan"]
    assert not any(overlaps(box, blocked) for box in placed.boxes)


def test_items_of_small_neighbours_do_not_overlap() -> None:
    rooms = {
        name: Subject(room_of(square(left, 50, 40), (300, 300)), name, True)
        for name, left in (("One", 50), ("Two", 90), ("Thr", 130))
    }
    boxes = [box for found in place_all(rooms, []).values() for box in found.boxes]
    for number, box in enumerate(boxes):
        assert not any(overlaps(box, other) for other in boxes[number + 1 :])


def overlaps(one: Box, other: Box) -> bool:
    """Return whether two boxes overlap."""
    across = (one.width + other.width) / 2 - abs(one.x - other.x)
    down = (one.height + other.height) / 2 - abs(one.y - other.y)
    return across > 0 and down > 0
