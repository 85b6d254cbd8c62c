"""The map of Nations 1940: drawn links compared with the tables, and phone sizes."""

import json
import re
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from itertools import combinations

import pytest
from PIL import ImageChops

from judge.dice import Dice
from judge.drawing import colours
from judge.drawing.base import BoardGeometry, Point, path_of
from judge.drawing.curves import length_of, point_along
from judge.drawing.layout import PanelDrawing
from judge.drawing.primitives import FinishedDrawing, Mark, Path, Text, text_width
from judge.drawing.raster import rasterize_page
from judge.drawing.rasterizer import rasterize_svg
from judge.drawing.svg import sheet_svg
from judge.games.nations1940 import SYSTEM
from judge.games.nations1940.rules.state import dump_state, load_state
from judge.games.nations1940.scenario import CROSSING, KINDS, LAND, PASS, Node, scenario
from judge.games.nations1940.sides import codes_by_name, names_by_code
from judge.games.nations1940.views.map_drawing import NationsDrawing, drawing_of
from judge.games.nations1940.views.pictures import area_of, base
from judge.games.painting import picture_of
from judge.games.system import Viewer, ViewerRole
from judge.model.letter import PictureFormat, PictureRequest
from judge.phrases import phrasebook

MAP = "nations1940"
BOARD = scenario(MAP)
SEA = "sea"
MIN_BORDER_LENGTH = 6.0
"""Minimum length of a visible open border, in picture units."""
PHONE, READABLE = 390.0, 7.0
"""Width of a phone and minimum size of a text, in CSS pixels."""
NATIONS = tuple(side.name for side in SYSTEM.powers(MAP, {}))
_LINE = re.compile(r"M([-\d.]+) ([-\d.]+)l([-\d.]+?) ?(-?[\d.]+)")


@cache
def sketch(name: str, form: PictureFormat, fog: str = "border") -> PictureRequest:
    """Return the sketch of a nation at the start. An empty name is an observer."""
    options = {"fog": fog}
    table = SYSTEM.table(MAP, SYSTEM.initial_position(MAP, options, Dice(bytes(32), 0)), options)
    reader = Viewer(ViewerRole.POWER, name) if name else Viewer(ViewerRole.OBSERVER)
    is_front = form is PictureFormat.FRONT
    text = SYSTEM.sketch_front(table, None, reader) if is_front else table.sketch(reader)
    return PictureRequest(SYSTEM.name, text, "marco", form)


@cache
def links_layer() -> tuple[Path, ...]:
    """Return the shapes of the layer of links."""
    drawing = drawing_of(sketch("", PictureFormat.PNG).source, "marco")
    found = next(layer for layer in drawing.layers() if layer.name == "links")
    return tuple(ink for ink in found.inks if isinstance(ink, Path))


def is_marked(colour: str, path: str) -> bool:
    """Return whether a line is part of a link drawn in a colour."""
    return any(ink.stroke == colour and path in ink.d for ink in links_layer())


def red_lines() -> Iterator[tuple[Point, Point]]:
    """Yield the end points of the red lines."""
    for ink in links_layer():
        if ink.stroke == colours.WAY:
            found = _LINE.fullmatch(ink.d)
            assert found is not None, ink.d
            x, y, across, down = map(float, found.groups())
            yield Point(x, y), Point(x + across, y + down)


def area_at(at: Point) -> str:
    """Return the area that contains a point, or an empty string."""
    drawn = base(MAP)
    return next((n for n in drawn.areas if drawn.reaches[n].holds(at) and inside(drawn, n, at)), "")


def inside(drawn: BoardGeometry, name: str, at: Point) -> bool:
    crossings = 0
    for ring in drawn.areas[name].rings:
        points = drawn.outline(ring)
        for p, q in zip(points, points[1:], strict=False):
            if (p.y > at.y) != (q.y > at.y):
                crossings += at.x < p.x + (at.y - p.y) * (q.x - p.x) / (q.y - p.y)
    return crossings % 2 == 1


def link_type(a: Node, b: Node) -> str:
    """Return the type of a link by the tables, or an empty string."""
    if b in BOARD.waters.get(a, ()):
        return SEA
    if isinstance(a, int) and isinstance(b, int):
        return BOARD.roads.get(a, {}).get(b, "")
    return ""


@cache
def types_on_map() -> dict[frozenset[str], set[str]]:
    """Return each pair of areas → the link types that the picture shows between them."""
    drawn = base(MAP)
    open_length: defaultdict[frozenset[str], float] = defaultdict(float)
    brown: set[frozenset[str]] = set()
    for sides, arc in zip(drawn.sides, drawn.arcs, strict=True):
        pair, path = frozenset(sides), path_of(arc)
        if is_marked(colours.MOUNTAIN, path):
            brown.add(pair)
        elif not is_marked(colours.CLOSED, path):
            open_length[pair] += length_of(arc)
    found: defaultdict[frozenset[str], set[str]] = defaultdict(set)
    for pair, length in open_length.items():
        is_land = all(name.startswith("P") for name in pair)
        found[pair].add((LAND if is_land else SEA) if length >= MIN_BORDER_LENGTH else "too short")
    for start, end in red_lines():
        pair = frozenset((area_at(start), area_at(end)))
        parts = [point_along((start, end), step / 10) for step in range(11)]
        over_water = any(area_at(at).startswith("S") for at in parts)
        is_pass = pair in brown and not over_water
        found[pair].add(PASS if is_pass else CROSSING if over_water else "over land")
    return dict(found)


def test_each_pair_is_drawn_with_its_link_type() -> None:
    places: tuple[Node, ...] = (*BOARD.lands, *BOARD.seas)
    wrong = []
    for a, b in combinations(places, 2):
        drawn = types_on_map().get(frozenset((area_of(a), area_of(b))), set())
        if drawn != {*filter(None, [link_type(a, b)])}:
            wrong.append((BOARD.name(a), BOARD.name(b), link_type(a, b), drawn))
    assert not wrong


def test_each_red_line_joins_two_areas() -> None:
    ends = [{area_at(start), area_at(end)} for start, end in red_lines()]
    assert len(ends) == len({*map(frozenset, ends)}) == len(BOARD.passes)
    assert all(len(pair) == 2 and "" not in pair for pair in ends)


def texts(sheet: FinishedDrawing) -> Iterator[tuple[Text, float]]:
    """Yield the texts on the board with their size in CSS pixels on a phone."""
    shown = sheet.window.width if sheet.window else sheet.width
    for layer in sheet.board:
        for ink in layer.inks:
            for text in ink.inks if isinstance(ink, Mark) else (ink,):
                if isinstance(text, Text):
                    moved = (ink.x, ink.y) if isinstance(ink, Mark) else (0, 0)
                    at = text._replace(x=text.x + moved[0], y=text.y + moved[1])
                    yield at, text.size * PHONE / shown


@pytest.mark.parametrize("nation", NATIONS)
def test_front_texts_are_readable_on_phone(nation: str) -> None:
    drawing = picture_of(sketch(nation, PictureFormat.FRONT))
    assert isinstance(drawing, PanelDrawing)
    sizes = [(size, text.text) for sheet in drawing.pages() for text, size in texts(sheet)]
    assert min(sizes)[0] >= READABLE, min(sizes)


@pytest.mark.parametrize("nation", NATIONS)
def test_front_shows_own_land_armies_and_land_neighbours(nation: str) -> None:
    drawing = picture_of(sketch(nation, PictureFormat.FRONT))
    assert isinstance(drawing, PanelDrawing)
    shown = {
        text.text for sheet in drawing.pages() for text, _ in texts(sheet)
        if sheet.window and sheet.window.holds(Point(text.x, text.y))
    }
    code = codes_by_name(MAP)[nation]
    own = BOARD.nations[code].provinces
    near = {n for province in own for n in BOARD.roads[province]}
    missing = {f"{n} {BOARD.name(n)}" for n in own} - shown
    assert not missing
    missed = {f"{n} {BOARD.name(n)}" for n in near} - shown
    assert len(missed) <= 1, missed
    board = drawing.board
    assert isinstance(board, NationsDrawing)
    letter = next(side.letter for side in board.captions.sides if side.name == nation)
    assert {f"{letter}{count}" for count in BOARD.nations[code].armies.values()} <= shown


def test_small_map_is_readable_and_has_every_place() -> None:
    drawing = picture_of(sketch("Turkey", PictureFormat.SMALL))
    assert isinstance(drawing, PanelDrawing)
    found = [(text.text, size) for sheet in drawing.pages() for text, size in texts(sheet)]
    assert min(size for _, size in found) >= READABLE
    firsts = {text.partition(" ")[0] for text, _ in found}
    assert {*map(str, BOARD.lands), *BOARD.seas} <= firsts


def test_names_and_units_stay_inside_a_front() -> None:
    for nation in NATIONS:
        drawing = picture_of(sketch(nation, PictureFormat.FRONT))
        for sheet in drawing.pages():
            assert sheet.window is not None
            for text, _ in texts(sheet):
                assert sheet.window.holds(Point(text.x, text.y)), (nation, text)


def test_open_fog_gives_all_readers_one_picture() -> None:
    keys = {sketch(name, PictureFormat.PNG, "open").key for name in (*NATIONS, "")}
    assert len(keys) == 1


def test_fog_gives_each_nation_its_own_picture() -> None:
    assert len({sketch(name, PictureFormat.PNG).key for name in (*NATIONS, "")}) == len(NATIONS) + 1


@pytest.mark.slow
def test_kept_layers_give_the_same_picture() -> None:
    (page,) = picture_of(sketch("Kalmar", PictureFormat.PNG)).pages()
    kept = rasterize_page(page, 640)
    whole = rasterize_svg(sheet_svg(page), 640).convert("RGB").resize(kept.size)
    # Texts may be half a pixel apart, so that groups of pixels are compared.
    counts = ImageChops.difference(kept.reduce(4), whole.reduce(4)).convert("L").histogram()
    assert sum(counts[40:]) / sum(counts) < 0.002


def test_map_in_words_has_each_fact_of_the_picture() -> None:
    state = load_state(SYSTEM.initial_position(MAP, {}, Dice(bytes(32), 0)))
    ill = replace(state.provinces[50], fallout=3, epidemic=True, mobile_hq={"GER": 1})
    state = replace(state, provinces={**state.provinces, 50: ill})
    table = SYSTEM.table(MAP, dump_state(state), {})
    reader = Viewer(ViewerRole.POWER, "Germany")
    say = phrasebook(SYSTEM.name).render
    rows = {
        place.place: say(place.unit)
        for region in table.places(reader).regions for place in region.rows
    }
    owners = {
        name: region.name
        for region in table.places(reader).regions
        for name in (*(place.place for place in region.rows), *region.empty)
    }
    names = names_by_code(MAP)
    for area, told in json.loads(table.sketch(reader))["places"].items():
        node: Node = int(area[1:]) if area.startswith("P") else area
        place = next(name for name in owners if name.endswith(f" {BOARD.name(node)}"))
        words = rows.get(place, "")
        if told["o"]:
            assert owners[place] == names[told["o"]]
        for fact, word in (("c", "capital"), ("f", f"fallout {told.get('f')}"), ("e", "epidemic")):
            assert (fact not in told) or word in words, (place, word, words)
        for code, count, kind in told.get("u", ()):
            owner = "" if code == told["o"] else names.get(code, "")
            assert (str(count) in words or kind == "hq" or not code) and owner in words, words
        for kind in told.get("i", ()):
            assert kind in words or KINDS[kind] in words, (kind, words)


def test_other_readers_get_the_map_in_parts() -> None:
    """In fog an observer sees no units of nations, a master all."""
    letters = {side.letter for side in SYSTEM.powers(MAP, {})}
    for quality, sees in ((ViewerRole.OBSERVER, False), (ViewerRole.MASTER, True)):
        table = SYSTEM.table(MAP, SYSTEM.initial_position(MAP, {}, Dice(bytes(32), 0)), {})
        drawing = drawing_of(SYSTEM.sketch_front(table, None, Viewer(quality)), "n40").small()
        found = {text.text for sheet in drawing.pages() for text, _ in texts(sheet)}
        assert {f"{n} {land.name}" for n, land in BOARD.lands.items()} <= found
        assert any(word[:1] in letters and word[1:].isdigit() for word in found) == sees


def test_names_of_a_front_are_clear_of_passes_and_crossings() -> None:
    ways = base(MAP).ways.values()
    for nation in NATIONS:
        drawing = picture_of(sketch(nation, PictureFormat.FRONT))
        for sheet in drawing.pages():
            for text, _ in texts(sheet):
                wide = text_width(text.text, text.size) / 2
                middles = [((a.x + b.x) / 2, (a.y + b.y) / 2) for a, b in ways]
                covered = [
                    (x, y) for x, y in middles
                    if abs(x - text.x) < wide and abs(y - text.y + text.size / 3) < text.size / 3
                ]
                assert text.text.isdigit() or not covered, (nation, text.text)
