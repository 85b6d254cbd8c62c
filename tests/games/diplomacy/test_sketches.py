"""A stored sketch gives the intended picture later."""

import json

import pytest

from judge.dice import Dice
from judge.drawing.picture import Picture, Sample, Stroke, StrokeKind, TokenState
from judge.drawing.primitives import EdgeBand, Text
from judge.games import find_system
from judge.games.diplomacy.boards import MAP_NAMES
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.painting import paint
from judge.games.system import Viewer, ViewerRole
from judge.model.incoming import Line
from judge.model.letter import PictureFormat, PictureRequest

SYSTEM = find_system("diplomacy")
EVE = Viewer(ViewerRole.OBSERVER)
ORDERS = {"France": ["A Par - Bur", "F Bre - MAO"], "Germany": ["A Mun - Bur"]}


def opening(map_name: str = "standard") -> DiplomacyTable:
    """Return the first position of a map."""
    return SYSTEM.table(map_name, SYSTEM.initial_position(map_name, {}, Dice(bytes(32), 0)), {})


def sheets(table: DiplomacyTable) -> dict[str, str]:
    """Return the orders as sheets on file."""
    found: dict[str, str] = {}
    for power, texts in ORDERS.items():
        lines = [Line(number, text) for number, text in enumerate(texts, start=1)]
        found |= table.read_orders(lines, power, found).sheets
    return found


def picture(source: str) -> Picture:
    return SYSTEM.picture(source, "marco").picture


@pytest.mark.parametrize("name", MAP_NAMES)
def test_a_board_shows_all_its_units(name: str) -> None:
    found = picture(opening(name).sketch(EVE))
    assert (found.head.title.partition(" ")[0], found.head.phase) == ("marco", "Spring of 1901")
    assert found.tokens and not found.strokes and found.owners


def test_a_turn_shows_orders_with_outcomes() -> None:
    table = opening()
    record = table.adjudicate(sheets(table), Dice(bytes(32), 0)).record
    found = picture(SYSTEM.turn("standard", record).sketch(EVE))
    assert {(one.start, one.to): one.failed for one in found.strokes} == {
        ("Par", "Bur"): True, ("Mun", "Bur"): True, ("Bre", "MAO"): False,
    }
    tried = picture(SYSTEM.turn("standard", record).sketch(EVE, tried=True))
    assert "preview" in tried.head.subtitle and "nothing of it has happened" in tried.describes
    assert tried.strokes == found.strokes


def test_orders_on_file_are_shown_without_outcomes() -> None:
    table = opening()
    mine = {"France": sheets(table)["France"], "England": ""}
    found = picture(table.sketch_orders(mine, Viewer(ViewerRole.POWER, "France")))
    assert set(found.strokes) == {
        Stroke(StrokeKind.MOVE, "Par", "Bur"), Stroke(StrokeKind.MOVE, "Bre", "MAO"),
    }
    assert not found.holds and {token.state for token in found.tokens} == {TokenState.STANDING}
    assert found.head.subtitle == "Movement orders for S1901M, as they are on file"
    assert "Mun - Bur" not in table.sketch_orders(mine, EVE)


def test_viewers_with_equal_sight_share_one_sketch() -> None:
    table = opening()
    readers = [EVE, Viewer(ViewerRole.MASTER), Viewer(ViewerRole.POWER, "France")]
    assert len({table.sketch(reader) for reader in readers}) == 1
    json.loads(table.sketch(EVE))


@pytest.mark.slow
def test_a_sketch_is_rendered_in_the_requested_form() -> None:
    sketch = PictureRequest("diplomacy", opening().sketch(EVE), "a <b> & c", PictureFormat.SVG)
    svg = paint(sketch)
    assert svg.startswith(b"<svg") and b"a &lt;b&gt; &amp; c" in svg
    assert paint(sketch._replace(form=PictureFormat.PNG)).startswith(b"\x89PNG")


def test_an_empty_area_shows_the_power_that_left_it_last() -> None:
    start = opening()
    at = json.loads(start.sketch(EVE))["board"]
    befores = []
    for units in (["A BUR", "A PIE"], ["A PIE", "A PAR"]):
        there = [f"A {name[2:].title()}" for name in units]
        befores.append(json.dumps({**at, "units": {"France": there}}))
    sketch = start.sketch(EVE)
    assert SYSTEM.with_past("standard", {}, sketch, befores[:0], EVE) == sketch
    assert SYSTEM.with_past("standard", {}, "", befores, EVE) == ""
    found = SYSTEM.picture(SYSTEM.with_past("standard", {}, sketch, befores, EVE), "marco")
    assert found.picture.bands == {"Bur": "France", "Pie": "France"}
    assert found.picture.key[-1] == (Sample.BAND, "who stood there last")
    drawn = [ink for layer in found.layers() for ink in layer.inks if isinstance(ink, EdgeBand)]
    assert sorted(band.name for band in drawn) == ["Bur", "Pie"]
    spots = {found.picture.base.areas[name].unit.x for name in ("Bur", "Pie")}
    marks = [ink for ink in found.layers()[1].inks if isinstance(ink, Text)]
    assert {(ink.x, ink.text) for ink in marks} == {(x, "F") for x in spots}
    now = json.dumps({**at, "units": {"Italy": ["A Pie"]}})
    after = SYSTEM.table("standard", now, {})
    told = SYSTEM.with_past("standard", {}, after.sketch(EVE), [*befores, now], EVE)
    shown = SYSTEM.picture(told, "marco").picture
    assert (shown.bands, shown.tints["Pie"]) == ({"Bur": "France"}, "Italy")
    boxed = json.dumps({**at, "units": {"Turkey": ["A ObE"]}})
    sketch = opening("youngstown").sketch(EVE)
    told = SYSTEM.with_past("youngstown", {}, sketch, [boxed], EVE)
    assert SYSTEM.picture(told, "marco").picture.bands == {"ObE": "Turkey"}
    assert b"who stood there last" in paint(
        PictureRequest("diplomacy", told, "marco", PictureFormat.SVG)
    )


def test_a_band_in_a_blind_game_shows_only_what_was_seen() -> None:
    at = json.loads(opening().sketch(EVE))["board"]
    seen = json.dumps({**at, "units": {"France": ["A Bur"], "Germany": ["A Gas", "A Sil"]}})
    since = json.dumps({**at, "units": {"Germany": ["A Bur"]}, "owners": {}})
    reader = Viewer(ViewerRole.POWER, "France")
    told = SYSTEM.with_past("standard", {"blind": "on"}, "{}", [seen, since], reader)
    assert json.loads(told[:1] + told[3:])["stood"] == {"Bur": "France", "Gas": "Germany"}
