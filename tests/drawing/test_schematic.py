"""Boards of nodes and lines, for maps without shapes."""

import random
from itertools import combinations

import pytest

from judge.drawing.base import AreaKind, BoardGeometry, BorderKind, Point
from judge.drawing.curves import distance
from judge.drawing.schematic import ABOVE, APART, Link, Node, draw_schematic

ISLES = (
    Node("Ald", AreaKind.LAND, is_centre=True),
    Node("Cos", AreaKind.LAND, is_centre=True, coasts=("Cos/nc", "Cos/sc")),
    Node("Mer", AreaKind.SEA, is_centre=False),
    Node("Bry", AreaKind.LAND, is_centre=False),
)
BORDERS = (
    Link("Ald", "Mer", BorderKind.FLEET), Link("Cos/nc", "Mer", BorderKind.FLEET),
    Link("Ald", "Bry", BorderKind.BOTH), Link("Bry", "Cos", BorderKind.ARMY),
)


def scatter_nodes(count: int) -> tuple[list[Node], list[Link]]:
    """Return nodes that are linked to their nearest ones on a plane."""
    chance = random.Random(1)
    spots = [(chance.random(), chance.random()) for _ in range(count)]
    links = set()
    for at, (x, y) in enumerate(spots):
        near = sorted(range(count), key=lambda n: (spots[n][0] - x) ** 2 + (spots[n][1] - y) ** 2)
        links |= {(min(at, other), max(at, other)) for other in near[1:5]}
    nodes = [Node(f"n{n}", (AreaKind.LAND, AreaKind.SEA)[n % 2], n % 3 == 0) for n in range(count)]
    return nodes, [Link(f"n{a}", f"n{b}", BorderKind.BOTH) for a, b in sorted(links)]


def overlaps(base: BoardGeometry) -> list[tuple[Point, Point]]:
    """Return each two nodes that are too near to each other."""
    units = [area.unit for area in base.areas.values()]
    return [
        (a, b) for a, b in combinations(units, 2)
        if abs(a.x - b.x) < APART - 2 and abs(a.y - b.y) < ABOVE - 2
    ]


@pytest.mark.parametrize("positions", [
    {}, {"Ald": Point(0, 0), "Cos": Point(9, 0), "Mer": Point(5, 5), "Bry": Point(5, -5)},
    {"Ald": Point(7, 7)}, dict.fromkeys(("Ald", "Cos", "Mer", "Bry"), Point(3, 3)),
])
def test_every_place_and_border_is_on_the_board(positions: dict[str, Point]) -> None:
    base = draw_schematic(ISLES, BORDERS, positions)
    assert base.is_schematic and not overlaps(base)
    for place in ("Ald", "Cos", "Cos/nc", "Cos/sc", "Mer", "Bry"):
        assert base.whole.holds(base.spot(place))
    assert distance(base.spot("Cos/nc"), base.spot("Cos/sc")) > 30
    assert [border.kind for border in base.borders] == [link.kind for link in BORDERS]
    assert base.shapes["Ald"] and base.lines


def test_positions_of_the_map_are_kept() -> None:
    places = {"Ald": (0, 0), "Cos": (300, 0), "Mer": (150, 90), "Bry": (150, -90)}
    given = {name: Point(*at) for name, at in places.items()}
    base = draw_schematic(ISLES, BORDERS, given)
    spots = {name: base.areas[name].unit for name in given}
    assert spots["Ald"].x < spots["Bry"].x == spots["Mer"].x < spots["Cos"].x
    assert spots["Bry"].y < spots["Ald"].y == spots["Cos"].y < spots["Mer"].y


@pytest.mark.parametrize("count", [2, 9, 40])
def test_computed_positions_are_apart_and_always_the_same(count: int) -> None:
    nodes, links = scatter_nodes(count)
    base = draw_schematic(nodes, links, {})
    assert not overlaps(base)
    assert draw_schematic(nodes, links, {}).areas == base.areas


def test_nodes_without_borders_have_a_place_too() -> None:
    nodes, links = scatter_nodes(6)
    alone = Node("x", AreaKind.LAND, is_centre=True)
    assert not overlaps(draw_schematic([*nodes, alone], links, {}))


def test_smaller_board_keeps_its_borders() -> None:
    base = draw_schematic(ISLES, BORDERS, {})
    small = base.scale_down(2)
    assert small.is_schematic and small.borders[0].line[0].x == base.borders[0].line[0].x / 2
    assert len(small.marks) == 2
