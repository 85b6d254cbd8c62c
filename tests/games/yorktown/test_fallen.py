"""Lost units of a step in its picture."""

import json

from judge.drawing.primitives import Text
from judge.games.yorktown.views.happenings import happenings
from judge.games.yorktown.views.pictures import (
    front_sketch,
    join_sketches,
    picture_of,
    turn_sketch,
)
from judge.games.yorktown.views.report import siege_of
from tests.games.yorktown.test_brief import record_of

REPULSED = """MOMENT FA6M
UNIT FA INF 7 1513
UNIT AP INF 21 1512
DICE 1
FA attack 1512 with INF 7"""


def test_a_lost_attacker_is_marked_at_its_own_hex() -> None:
    record = record_of(REPULSED)
    assert record.after.units["FA-INF7"].at == "dead", "the case is not what it is for"
    assert json.loads(turn_sketch(record, tried=False))["fallen"] == [["1513", "FA-INF7"]]


SHELLED = """MOMENT AP6F
UNIT FA INF 7 1513
UNIT FA INF 8 1721
UNIT AP ART 1 1511
UNIT AP ART 21 1512
DICE 6 6
AP ART 1 fires at 1513
AP ART 21 fires at 1513"""
AFTERWARDS = """MOMENT AP6M
UNIT FA INF 7 dead
UNIT FA INF 8 1721
UNIT AP INF 9 1612
AP INF 9: 1513"""
HALVED = """MOMENT AP6F
UNIT FA INF 7 1518
UNIT AP ART 1 1511
UNIT AP ART 21 1512
DICE 6 3
AP ART 1 fires at 1518
AP ART 21 fires at 1518"""


def test_unit_lost_to_fire_is_marked_in_pictures_of_both_steps() -> None:
    fire, move = record_of(SHELLED), record_of(AFTERWARDS)
    lost = [["1513", "FA-INF7"]]
    joined = join_sketches(turn_sketch(fire, tried=False), turn_sketch(move, tried=False))
    assert json.loads(joined)["fallen"] == lost and json.loads(joined)["shots"]
    fronts = [front_sketch(record.after, record, "FA") for record in (fire, move)]
    front = picture_of(join_sketches(*fronts), "siege")
    assert [(each.at, each.text) for each in front.fallen] == [("1513", "i7")]
    assert any(left <= 15 <= right and top <= 13 <= low for left, right, top, low in front.parts)


def test_mark_of_a_lost_unit_leaves_another_unit_readable() -> None:
    """INF 9 of AP entered the hex: its counter keeps its texts, the label is below."""
    move = json.loads(turn_sketch(record_of(AFTERWARDS), tried=False))
    picture = picture_of(json.dumps(move | {"fallen": [["1513", "FA-INF7"]]}), "siege")
    (layer, *_) = [layer for layer in picture.layers() if layer.name == "fallen"]
    (unit,) = [ink for each in picture.layers() if each.name == "units"
               for ink in each.inks if isinstance(ink, Text) and ink.text == "I9"][:1]
    texts = [ink for ink in layer.inks if isinstance(ink, Text)]
    assert [ink.text for ink in texts] == ["X i7"] and len(layer.inks) == 2
    assert texts[0].y - texts[0].size > unit.y


def test_halved_unit_is_reported_with_all_its_hits() -> None:
    record = record_of(HALVED)
    (total,) = [told.facts["total"] for _, told in record.told.events if told.code == "halved"]
    shots = [told.facts["total"] for _, told in record.told.events if told.code == "shot"]
    assert total == max(map(int, shots)) > min(map(int, shots))
    assert f"{total}" in str([one.verdict for one in happenings(record)])


def test_eliminated_unit_is_not_reported_as_halved_too() -> None:
    lines = [line.told.code for section in siege_of(record_of(SHELLED).told.events).sections
             for line in section.lines]
    assert "shot-dead" in lines and "halved" not in lines
