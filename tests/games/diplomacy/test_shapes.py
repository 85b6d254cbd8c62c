"""The drawn boards compared with the tables: borders, places and overlaps."""

from collections import defaultdict
from itertools import combinations, pairwise
from math import dist

import pytest

from judge.board.map import Map, Terrain, province_of
from judge.drawing.base import EDGE, OUTSIDE, AreaKind, BoardGeometry, Point
from judge.drawing.primitives import text_width
from judge.games.diplomacy.boards import MAP_NAMES, board
from judge.games.diplomacy.views.geometry import base

Pair = frozenset[str]

SEEN = 4.0
"""Minimum length of a visible border, in picture units."""

NOT_DRAWN: dict[str, set[Pair]] = {"standard": set(), "youngstown": set()}
"""Neighbours by the tables without a drawn border.

Boxes are not listed. They are drawn as frames with an exit.
"""

COUNTS = {
    "standard": {"land": 111, "coast": 74, "sea": 21},
    "youngstown": {"land": 239, "coast": 176, "sea": 54},
}


def drawn_borders(drawn: BoardGeometry) -> dict[Pair, float]:
    """Return the length of the border of each two areas."""
    found: dict[Pair, float] = defaultdict(float)
    for (left, right), arc in zip(drawn.sides, drawn.arcs, strict=True):
        if not {left, right} & {EDGE, OUTSIDE} and left != right:
            found[frozenset((left, right))] += sum(
                ((b.x - a.x) ** 2 + (b.y - a.y) ** 2) ** 0.5 for a, b in pairwise(arc)
            )
    return found


def is_open(played: Map, province: str) -> bool:
    """Return whether a province is on the board and may be entered."""
    terrain = played.provinces[province].terrain
    return terrain is not Terrain.SHUT and not terrain.value.startswith("box")


def neighbours(played: Map) -> set[Pair]:
    """Return each two provinces of the board between which some unit can move."""
    return {
        frozenset((here, there))
        for here, beside in played.near.items()
        for there in beside
        if is_open(played, here) and is_open(played, there)
    }


def kind_of(drawn: BoardGeometry, pair: Pair) -> str:
    """Return "land", "coast" or "sea"."""
    wet = sum(drawn.areas[name].ground is AreaKind.SEA for name in pair)
    return ("land", "coast", "sea")[wet]


@pytest.mark.parametrize("name", MAP_NAMES)
def test_exactly_the_neighbours_have_a_common_border(name: str) -> None:
    played, drawn = board(name), base(name)
    borders = drawn_borders(drawn)
    wanted = neighbours(played)
    missing = {pair for pair in wanted if borders.get(pair, 0) < SEEN}
    extra = {
        pair for pair in borders if pair not in wanted and all(is_open(played, p) for p in pair)
    }
    assert {tuple(sorted(pair)) for pair in missing} == {
        tuple(sorted(pair)) for pair in NOT_DRAWN[name]
    }
    assert {tuple(sorted(pair)) for pair in extra} == set()
    counts = {kind: 0 for kind in COUNTS[name]}
    for pair in wanted:
        counts[kind_of(drawn, pair)] += 1
    assert counts == COUNTS[name]


@pytest.mark.parametrize("name", MAP_NAMES)
def test_every_province_is_drawn_once(name: str) -> None:
    played, drawn = board(name), base(name)
    assert {*drawn.areas, *drawn.frames} == {*played.provinces}
    assert not drawn.areas.keys() & drawn.frames.keys()
    coasts = {place for abbr in played.provinces for place in played.fleet_places(abbr)}
    assert {*drawn.spots} == {place for place in coasts if "/" in place}
    dots = {area.name for area in drawn.areas.values() if area.dot is not None}
    assert dots == {*played.centres}


@pytest.mark.parametrize("name", MAP_NAMES)
def test_the_exit_of_a_frame_is_in_its_area(name: str) -> None:
    drawn = base(name)
    for frame in drawn.frames.values():
        assert contains(drawn, frame.home, frame.door), frame.name


@pytest.mark.parametrize("name", MAP_NAMES)
def test_frames_list_the_places_their_boxes_lead_to(name: str) -> None:
    played, drawn = board(name), base(name)
    for frame in drawn.frames.values():
        beside = played.near[frame.name]
        assert {f"Ob{letter}" for letter in frame.links} | {frame.home} == beside


def test_youngstown_has_its_twelve_frames() -> None:
    assert len(base("youngstown").frames) == 12


def contains(drawn: BoardGeometry, name: str, point: Point) -> bool:
    """Return whether a point is inside an area (even-odd rule)."""
    inside = False
    for ring in drawn.areas[name].rings:
        for a, b in pairwise(drawn.outline(ring)):
            if (a.y > point.y) != (b.y > point.y):
                at = a.x + (point.y - a.y) / (b.y - a.y) * (b.x - a.x)
                inside ^= at > point.x
    return inside


@pytest.mark.parametrize("name", MAP_NAMES)
def test_units_are_inside_their_areas(name: str) -> None:
    drawn = base(name)
    for area in drawn.areas.values():
        assert contains(drawn, area.name, area.unit), f"unit of {area.name}"
    for place, spot in drawn.spots.items():
        assert contains(drawn, province_of(place), spot), place


@pytest.mark.parametrize("name", MAP_NAMES)
def test_a_coast_fleet_is_far_from_the_names_of_other_areas(name: str) -> None:
    """A fleet on Egypt's east coast once was just below the name of Suez."""
    drawn = base(name)
    for place, spot in drawn.spots.items():
        others = [a.label_at for a in drawn.areas.values() if a.name != province_of(place)]
        assert min(dist(spot, at) for at in others) > 38, place


@pytest.mark.parametrize("name", MAP_NAMES)
def test_a_name_is_in_its_area_or_clear_of_similar_areas(name: str) -> None:
    """An area too small for its name has it alongside.

    Examples are an island on the sea and a canal on land.
    """
    drawn = base(name)
    for area in drawn.areas.values():
        if contains(drawn, area.name, area.label_at):
            continue
        half = text_width(area.label, area.size) / 2
        x, y = area.label_at
        corners = [Point(x + across, y + down) for across in (-half, half) for down in (-5, 5)]
        alike = [
            other
            for other in drawn.areas.values()
            if other.name != area.name and other.ground.is_water == area.ground.is_water
        ]
        on = {o.name for o in alike for corner in corners if contains(drawn, o.name, corner)}
        assert on == set(), f"name of {area.name}"
        assert abs(x - area.unit.x) < 60 and abs(y - area.unit.y) < 40, f"name of {area.name}"


@pytest.mark.parametrize("name", MAP_NAMES)
def test_names_are_never_too_small(name: str) -> None:
    """The minimum is nine pixels in the usual picture, 1600 pixels wide.

    Large areas have larger names.
    """
    drawn = base(name)
    sizes = {area.name: area.size * 1600 / drawn.width for area in drawn.areas.values()}
    assert min(sizes.values()) >= 9 and max(sizes.values()) > 1.4 * min(sizes.values())


Box = tuple[float, float, float, float]


def overlap(one: Box, other: Box) -> float:
    """Return the common area of two boxes."""
    across = min(one[2], other[2]) - max(one[0], other[0])
    down = min(one[3], other[3]) - max(one[1], other[1])
    return max(across, 0) * max(down, 0)


def boxes_of(played: Map, drawn: BoardGeometry) -> dict[str, Box]:
    """Return the boxes of the starting position: names, dots and units."""
    found: dict[str, Box] = {}
    for area in drawn.areas.values():
        half = text_width(area.label, area.size) / 2
        x, y = area.label_at
        found[f"name of {area.name}"] = (x - half, y - 4.5, x + half, y + 4.5)
        if area.dot is not None:
            x, y = area.dot
            found[f"dot of {area.name}"] = (x - 7, y - 7, x + 7, y + 7)
    for units in played.start.values():
        for unit in units:
            x, y = drawn.spot(unit.place)
            found[f"unit in {unit.place}"] = (x - 11, y - 9, x + 11, y + 9)
    return found


@pytest.mark.parametrize("name", MAP_NAMES)
def test_nothing_overlaps_in_the_starting_position(name: str) -> None:
    found = boxes_of(board(name), base(name))
    covered = [
        (one, other)
        for (one, a), (other, b) in combinations(found.items(), 2)
        if overlap(a, b) > 1.0
    ]
    assert covered == []


@pytest.mark.parametrize("name", MAP_NAMES)
def test_rings_are_closed_and_of_shared_arcs(name: str) -> None:
    drawn = base(name)
    uses: dict[int, int] = defaultdict(int)
    for rings in (*(area.rings for area in drawn.areas.values()), drawn.outside):
        for ring in rings:
            outline = drawn.outline(ring)
            assert outline[0] == outline[-1]
            for number in ring:
                uses[number if number >= 0 else ~number] += 1
    for number, sides in enumerate(drawn.sides):
        assert uses[number] == (1 if EDGE in sides else 2)
