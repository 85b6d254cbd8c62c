"""Pictures for a phone, the front and the whole board: contents and legibility."""

import json
import random
import xml.etree.ElementTree as Tree

import pytest

from judge.board.map import Unit, UnitKind, province_of
from judge.board.position import Position, load_position, parse_phase
from judge.dice import Dice
from judge.drawing.base import Window
from judge.drawing.layout import PanelDrawing
from judge.drawing.regions import HIGHEST, WIDEST
from judge.drawing.svg import sheet_svg
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import MAP_NAMES, board
from judge.games.diplomacy.views.geometry import base
from judge.games.diplomacy.views.phone_view import front_windows
from judge.games.diplomacy.views.record import dump_text
from judge.games.painting import paint, picture_of
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line
from judge.model.letter import PictureFormat, PictureRequest

NS = "{http://www.w3.org/2000/svg}"
PHONE = 360.0
"""Width of a phone, in CSS pixels."""


def scatter_units(name: str, seed: int) -> Position:
    """Return a position with units all over the board."""
    chance, on = random.Random(seed), board(name)
    places = [p for p in on.provinces.values() if p.terrain.takes_armies or p.terrain.takes_fleets]
    units: dict[str, list[Unit]] = {power.name: [] for power in on.powers}
    for place in chance.sample(places, 30):
        kind = UnitKind.ARMY if place.terrain.takes_armies else UnitKind.FLEET
        units[chance.choice(on.powers).name].append(Unit(kind, place.abbr))
    return Position(parse_phase("S1901M"), {p: on.sort_units(u) for p, u in units.items()}, {})


def opening(name: str) -> Position:
    return load_position(json.loads(SYSTEM.initial_position(name, {}, Dice(bytes(32), 0))))


@pytest.mark.parametrize("name", MAP_NAMES)
def test_a_front_is_a_part_of_the_board_that_fits_a_phone(name: str) -> None:
    drawn = base(name)
    for seed in range(40):
        position = scatter_units(name, seed) if seed else opening(name)
        for power, units in position.units.items():
            windows = front_windows(board(name), position, power)
            assert len(windows) <= 2 and bool(windows) == bool(units)
            for window in windows:
                assert window.width <= WIDEST and window.height <= HIGHEST
                assert 0 <= window.x <= drawn.width - window.width + 0.1
                assert 0 <= window.y <= drawn.height - window.height + 0.1
            held = sum(any(w.holds(drawn.spot(u.place)) for w in windows) for u in units)
            assert held == len(units) or len(windows) == 2 and held >= 2


@pytest.mark.parametrize("name", MAP_NAMES)
def test_the_first_front_shows_all_units_and_their_goals(name: str) -> None:
    on, drawn, position = board(name), base(name), opening(name)
    for power, units in position.units.items():
        windows = front_windows(on, position, power)
        stand = {unit.place for unit in units}
        goals = {goal for unit in units for goal in on.stations[unit].there}
        held = {
            place
            for place in stand | goals
            if any(window.holds(drawn.spot(place)) for window in windows)
        }
        assert stand <= held and len(held) >= 0.6 * len(stand | goals), power


def front(position: Position, power: str, record: str = "", name: str = "standard") -> PanelDrawing:
    """Return the drawing of a power's front."""
    table = SYSTEM.table(name, dump_text(position), {})
    turn = SYSTEM.turn(name, record) if record else None
    found = SYSTEM.picture(SYSTEM.sketch_front(table, turn, reader(power)), "marco")
    assert isinstance(found, PanelDrawing)
    return found


def reader(power: str) -> Viewer:
    return Viewer(ViewerRole.POWER, power)


def test_only_powers_with_units_have_a_front() -> None:
    table = SYSTEM.table("standard", dump_text(opening("standard")), {})
    assert SYSTEM.sketch_front(table, None, Viewer(ViewerRole.OBSERVER)) == ""
    assert SYSTEM.sketch_front(table, None, Viewer(ViewerRole.MASTER)) == ""
    alone = Position(parse_phase("S1901M"), {"France": (Unit(UnitKind.ARMY, "Par"),)}, {})
    table = SYSTEM.table("standard", dump_text(alone), {})
    assert SYSTEM.sketch_front(table, None, reader("Italy")) == ""


def test_a_front_hints_at_the_moves_that_failed_last() -> None:
    table = SYSTEM.table("standard", dump_text(opening("standard")), {})
    sheets: dict[str, str] = {}
    given = {"France": "A Par - Bur", "Germany": "A Mun - Bur", "Italy": "A Rom - Apu"}
    for power, order in given.items():
        sheets |= table.read_orders([Line(1, order)], power, sheets).sheets
    done = table.adjudicate(sheets, Dice(bytes(32), 0))
    after = load_position(json.loads(done.after))
    ghosts = front(after, "France", done.record).picture.strokes
    assert {(one.start, one.to) for one in ghosts} == {("Par", "Bur"), ("Mun", "Bur")}
    assert all(one.ghost and one.failed for one in ghosts)
    assert not front(after, "France").picture.strokes


def test_the_legend_of_a_front_lists_its_own_sides_only() -> None:
    told = front(opening("standard"), "France").captions
    assert "France" in {side.name for side in told.sides}
    assert "Turkey" not in {side.name for side in told.sides}


def names_of(drawing: PanelDrawing) -> list[tuple[str, float]]:
    """Return the names on a phone's board with their sizes in CSS pixels."""
    found = []
    for sheet in drawing.pages():
        assert sheet.window is not None
        root = Tree.fromstring(sheet_svg(sheet))
        scale = PHONE / sheet.window.width
        for layer in root.iter(f"{NS}g"):
            if layer.get("id") == "names":
                found += [
                    (str(text.text), float(str(text.get("font-size"))) * scale)
                    for text in layer
                    if text.get("aria-hidden") is None
                ]
    return found


@pytest.mark.slow
@pytest.mark.parametrize("name", MAP_NAMES)
def test_names_on_a_front_have_seven_pixels_on_a_phone(name: str) -> None:
    for seed in range(4):
        position = scatter_units(name, seed)
        for power in position.units:
            if position.units[power]:
                sizes = [size for _, size in names_of(front(position, power, name=name))]
                assert sizes and min(sizes) >= 7


@pytest.mark.parametrize("name", MAP_NAMES)
def test_a_small_board_omits_names_below_seven_pixels(name: str) -> None:
    position = scatter_units(name, 3)
    table = SYSTEM.table(name, dump_text(position), {})
    small = SYSTEM.picture(table.sketch(Viewer(ViewerRole.OBSERVER)), "marco").small()
    assert isinstance(small, PanelDrawing)
    names = names_of(small)
    assert min(size for _, size in names) >= 7
    told = {text for text, _ in names}
    labels = {area.label for area in base(name).areas.values()}
    assert 0.4 * len(labels) < len(told) < len(labels)
    held = {
        unit.province
        for units in position.units.values()
        for unit in units
        if not base(name).frames.get(unit.province)
    }
    assert held <= {*base(name).areas}
    reach = [window.x + window.width for window in small.windows]
    assert max(reach) == pytest.approx(small.picture.base.width, abs=1)


@pytest.mark.slow
def test_a_small_picture_has_the_predicted_height() -> None:
    table = SYSTEM.table("youngstown", dump_text(scatter_units("youngstown", 1)), {})
    whole = table.sketch(Viewer(ViewerRole.OBSERVER))
    mine = SYSTEM.sketch_front(table, None, reader("England"))
    for source, form in ((whole, PictureFormat.SMALL), (mine, PictureFormat.FRONT)):
        sketch = PictureRequest("diplomacy", source, "marco", form)
        png = paint(sketch)
        wide, high = (int.from_bytes(png[at : at + 4], "big") for at in (16, 20))
        assert wide == 640 and high / wide == pytest.approx(picture_of(sketch).proportion, abs=0.01)


def test_windows_use_the_coordinates_of_the_map() -> None:
    """A window is a part of the board in board units, independent of its content."""
    on, drawn = board("youngstown"), base("youngstown")
    one = Position(parse_phase("S1901M"), {"Turkey": (Unit(UnitKind.FLEET, "Egy/ec"),)}, {})
    (window,) = front_windows(on, one, "Turkey")
    assert isinstance(window, Window)
    for goal in on.stations[one.units["Turkey"][0]].there:
        assert window.holds(drawn.spot(goal)), province_of(goal)
