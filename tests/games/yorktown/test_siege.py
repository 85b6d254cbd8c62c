"""The board, the counters, the sequence of play, set-up and results."""

import json
from collections.abc import Iterator
from dataclasses import replace
from itertools import combinations

import pytest

from judge.dice import Dice
from judge.drawing.hexes import HexBoard
from judge.drawing.primitives import Text, text_width
from judge.games import find_system
from judge.games.capabilities import OrderCompletion, Previews
from judge.games.system import Viewer, ViewerRole
from judge.games.yorktown.rules.board import (
    AP,
    FA,
    GLOUCESTER,
    YORKTOWN,
    CounterKind,
    HexTerrain,
    commander_of,
    counters,
    counters_of,
    hexes,
    north_bank,
    town_hexes,
)
from judge.games.yorktown.rules.field import StepState
from judge.games.yorktown.rules.hexes import (
    ALL,
    NEIGHBOURS,
    SIDES,
    distance,
    neighbours,
    opposite,
    side_to,
)
from judge.games.yorktown.rules.orders import Fire, Order, PlacementOrder, RedoubtOrder
from judge.games.yorktown.rules.setup import wall_hexes
from judge.games.yorktown.rules.ships import berths
from judge.games.yorktown.rules.state import Moment, Step, blank, dump, load
from judge.games.yorktown.rules.turn import YorktownRules, end_of, may_fire, play_step
from judge.games.yorktown.views.happenings import happenings
from judge.games.yorktown.views.pictures import board_sketch, front_sketch, picture_of, turn_sketch
from judge.games.yorktown.views.record import YorktownRecord, read_record, write_record
from judge.games.yorktown.views.report import StepReport, siege_of
from judge.games.yorktown.views.standing import BoardText, standing_facts
from judge.games.yorktown.views.textboard import board_lines, heading, strips
from judge.model.incoming import Line
from tests.games.yorktown.test_reading import position, read
from tests.games.yorktown.test_shown import alone

SYSTEM = find_system("yorktown")
ALLIES, CROWN = "Franco-American", "Anglo-Prussian"


def test_y1_neighbours_are_mutual_as_in_the_rules() -> None:
    assert len(ALL) == 720
    assert neighbours("1512") == ("1511", "1611", "1612", "1513", "1412", "1411")
    assert neighbours("1612") == ("1611", "1712", "1713", "1613", "1513", "1512")
    for name in ALL:
        for side, other in enumerate(NEIGHBOURS[name]):
            assert not other or NEIGHBOURS[other][opposite(side)] == name
            assert not other or SIDES[side_to(name, other) or 0] == SIDES[side]


def test_y2_distance_is_the_minimum_number_of_steps() -> None:
    found, ring = {"1512": 0}, ["1512"]
    while ring:
        name = ring.pop(0)
        for other in neighbours(name):
            if other not in found:
                found[other] = found[name] + 1
                ring.append(other)
    assert all(distance("1512", name) == steps for name, steps in found.items())


def test_y3_shore_is_land_for_units_and_for_frigates() -> None:
    assert {each.terrain for each in hexes().values()} == {*HexTerrain}
    wet = {name for pair in berths() for name in pair}
    assert all(hexes()[name].terrain is HexTerrain.RIVER for name in wet)


def test_y5_the_north_bank_touches_only_the_top_edge() -> None:
    assert not any(name[:2] in ("01", "30") or name[2:] == "24" for name in north_bank())


def test_y6_nothing_is_hidden() -> None:
    table = SYSTEM.table(
        "yorktown", SYSTEM.initial_position("yorktown", {}, Dice(bytes(32), 0)), {}
    )
    told = [table.position_facts(Viewer(ViewerRole.POWER, power)) for power in (ALLIES, CROWN)]
    assert not table.has_hidden_information and told[0] == told[1] == table.position_facts(
        Viewer(ViewerRole.OBSERVER)
    )


def test_y7_y11_counters_agree_with_the_scenario() -> None:
    assert len(counters_of(FA)) == 45 and len(counters_of(AP)) == 26
    for counter in counters().values():
        assert counter.shots == {CounterKind.ART: 1, CounterKind.FRIG: 2}.get(counter.kind, 0)
        assert counter.kind.attacks == (
            counter.kind in (CounterKind.INF, CounterKind.CAV, CounterKind.PIO)
        )
    names = [commander_of(nation).name for nation in ("US", "FR", "GB", "DE")]
    assert names == ["WASHINGTON", "ROCHAMBEAU", "CORNWALLIS", "VOIT"]


def test_y13_y15_steps_alternate_and_empty_ones_are_skipped() -> None:
    found, seen = blank(), []
    for _ in range(8):
        seen.append(str(found.moment))
        found = play_step(found, (), {}, YorktownRules(), None).after
    assert seen == ["AP0S", "FA0S", "FA1M", "AP1F", "AP1M", "FA2M", "AP2F", "AP2M"]
    assert not may_fire(found, FA) and may_fire(found, AP)


def test_y14_ap_fights_in_its_own_turn() -> None:
    found = position("AP6M", "AP INF 9 1815 N", "FA INF 12 1814")
    told = play_step(found, (), {}, YorktownRules(), lambda _: 3).told
    assert "battle" in [event.code for _, event in told.events]


def test_y18_gloucester_point_always_has_exactly_three_units() -> None:
    after = play_step(blank(), (), {}, YorktownRules(), None).after
    field = StepState(after)
    assert sum(len(field.units_in(name)) for name in town_hexes(GLOUCESTER)) == 3
    assert all(field.units_in(name) for name in town_hexes(YORKTOWN))
    assert all(after.units[c.key].on_map for c in counters_of(AP) if c.kind is not CounterKind.CMD)


def test_y18_a_fourth_unit_is_refused_in_gloucester_point() -> None:
    names = town_hexes(GLOUCESTER)
    lines = [f"INF {n} at {name}" for n, name in enumerate(names, 1)]
    filed = read(blank(), "AP", *lines)
    orders = filed.sheets[Moment(0, AP, Step.SETUP)]
    table = SYSTEM.table(
        "yorktown", SYSTEM.initial_position("yorktown", {}, Dice(bytes(32), 0)), {}
    )
    found = table.adjudicate({CROWN: f"@AP0S\n{orders}"}, Dice(bytes(32), 1))
    after = load(found.after)
    assert sum(unit.at in names for unit in after.units.values()) >= 3
    assert after.units["AP-INF4"].at not in names


def test_y18_frigates_are_moored_with_both_hexes_in_the_river() -> None:
    orders = [PlacementOrder("FRIG 1", "1508", "1507"), PlacementOrder("FRIG 2", "1507", "1506")]
    played = play_step(blank(), orders, {}, YorktownRules(), None)
    assert (played.after.units["AP-FRIG1"].at, played.after.units["AP-FRIG1"].bow) == (
        "1508", "1507",
    )
    assert "ye29-water" in [event.code for _, event in played.told.events]
    ship = played.after.units["AP-FRIG2"]
    assert (ship.at, ship.bow) in berths() and ship.bow != "1506"


def test_y22_the_rest_are_placed_towns_first() -> None:
    after = play_step(blank(), (), {}, YorktownRules(), None).after
    north = {key: unit for key, unit in after.units.items() if unit.at in town_hexes(GLOUCESTER)}
    assert {key for key in north if counters()[key].kind is not CounterKind.CMD} == {
        "AP-INF1", "AP-INF9", "AP-INF10",
    }
    for counter in counters_of(AP):
        unit = after.units[counter.key]
        if counter.kind is CounterKind.CMD:
            assert unit.attached and unit.at == after.units[unit.attached].at
        elif counter.kind is not CounterKind.FRIG:
            assert SIDES[unit.facing] == ("N" if counter.key in north else "S")
            assert hexes()[unit.at].feature


def test_y19_fa_places_three_at_the_walls_of_gloucester() -> None:
    before = play_step(blank(), (), {}, YorktownRules(), None).after
    after = play_step(before, (), {}, YorktownRules(), None).after
    placed = {key for key, unit in after.units.items() if unit.on_map and key.startswith("FA")}
    assert placed == {"FA-INF14", "FA-INF15", "FA-CAV21"}
    assert {after.units[key].at for key in placed} <= {*wall_hexes()}
    assert len({after.units[key].at for key in placed}) == 3
    elsewhere = [
        PlacementOrder("INF 14", "1404"), PlacementOrder("INF 15", "1402"),
        PlacementOrder("CAV 21", "1404"),
    ]
    told = play_step(before, elsewhere, {}, YorktownRules(), None).told
    assert [e.code for _, e in told.events if e.code.startswith("ye")] == [
        "ye29-walls", "ye29-free",
    ]


def test_failed_set_up_order_names_the_hex_used_instead() -> None:
    before = play_step(blank(), (), {}, YorktownRules(), None).after
    played = play_step(before, [PlacementOrder("INF 15", "1402")], {}, YorktownRules(), None)
    instead = [e.facts for _, e in played.told.events if e.code == "placed-instead"]
    assert instead == [{"unit": "INF 15", "at": played.after.units["FA-INF15"].at}]
    record = YorktownRecord(before, played.after, played.told, None, {})
    told = [h.verdict for h in happenings(record) if h.about == "INF 15"]
    assert [(verdict.code, verdict.facts["at"]) for verdict in told] == [
        ("fate-placed-instead", instead[0]["at"])
    ]


def test_y37_a_built_redoubt_counts_as_a_redoubt() -> None:
    found = position("FA6M", "FA INF 7 1520")
    field = StepState(found)
    field.redoubts["1520"] = 3
    assert field.is_fort("1520") and field.walls_on("1520", "1519") == ["1520"]


def test_y91_a_side_without_orders_holds_and_does_not_fire() -> None:
    found = position("FA6F", "FA ART 1 1520", "AP INF 9 1512")
    assert play_step(found, (), {}, YorktownRules(), None).told.shots == []


@pytest.mark.parametrize(
    ("sheet", "is_late", "is_final"),
    [
        ("", True, False),
        ("@FA6F\ndone", False, True),
        ("@FA6F\nART 1 fires at 1512", False, False),
        ("@FA6M\nINF 25: 1814", False, False),
        ("@FA6F\nretreat all S", True, False),
        ("@FA7F\nART 1 fires at 1512\ndone", True, False),
    ],
)
def test_y90_y91_missing_orders_and_the_final_word(
    sheet: str, is_late: bool, is_final: bool
) -> None:
    found = position("FA6F", "FA ART 1 1520", "FA INF 25 1813", "AP INF 9 1512")
    table = SYSTEM.table("yorktown", dump(found), {})
    assert isinstance(table, OrderCompletion)
    assert (bool(table.missing_orders(ALLIES, sheet)), table.final_word(ALLIES, sheet) is None) == (
        is_late, is_final,
    )
    assert not table.missing_orders(CROWN, "") and table.final_word(CROWN, "") is None


def test_y92_a_receipt_previews_orders_without_dice() -> None:
    table = SYSTEM.table(
        "yorktown", SYSTEM.initial_position("yorktown", {}, Dice(bytes(32), 0)), {}
    )
    filed = table.read_orders([Line(1, "INF 1 at 1612")], CROWN, {})
    sheet = table.show_sheet(CROWN, filed.sheets[CROWN])
    assert sheet.lines == ("INF 1 at 1612",)
    assert [piece.template for piece in sheet.pieces] == ["trial"]
    assert not sheet.missing


def test_y92_a_preview_has_odds_and_rolls_no_dice() -> None:
    found = position("FA6M", "FA INF 25 1814", "AP INF 9 1815 N")
    told = play_step(found, (), {}, YorktownRules(), None).told
    codes = [event.code for _, event in told.events]
    assert "odds" in codes and "battle" not in codes
    guns = position("FA6F", "FA ART 1 1520", "AP INF 9 1512")
    dry = play_step(guns, [Fire("ART 1", "1512")], {}, YorktownRules(), None)
    aimed = {event.code: event.facts for _, event in dry.told.events}
    assert aimed["aim"]["range"] == 8 and aimed["aim"]["table"] == tuple("001234")
    assert (aimed["chances"]["halved"], aimed["chances"]["eliminated"]) == (0, 0)
    assert dry.after.drawn == guns.drawn


def test_y92_a_preview_is_titled_as_one() -> None:
    found = position("FA6M", "FA INF 25 1816", "AP INF 9 1815 N")
    table = SYSTEM.table("yorktown", dump(found), {})
    assert isinstance(table, Previews)
    told = SYSTEM.turn("yorktown", table.preview({})).results(Viewer(ViewerRole.OBSERVER))
    assert told.title.code == "title-tried"


def test_y97_a_report_ends_with_the_tallies() -> None:
    table = SYSTEM.table(
        "yorktown", SYSTEM.initial_position("yorktown", {}, Dice(bytes(32), 0)), {}
    )
    found = table.adjudicate({}, Dice(bytes(32), 1))
    results = SYSTEM.turn("yorktown", found.record).results(Viewer(ViewerRole.OBSERVER))
    (piece,) = results.pieces
    assert isinstance(piece.facts, StepReport)
    codes = [told.code for told in piece.facts.tallies]
    assert codes == ["tally-yorktown", "tally-gloucester", "tally-exits", "tally-days"]
    json.dumps(SYSTEM.turn("yorktown", found.record).values(Viewer(ViewerRole.OBSERVER)))


def test_y97_results_have_the_sequence_of_the_rules() -> None:
    guns = position("FA6F", "FA ART 1 1520", "FA PIO 1 1420 still=2", "AP INF 9 1512")
    orders: list[Order] = [Fire("ART 1", "1512"), RedoubtOrder("PIO 1")]
    told = play_step(guns, orders, {}, YorktownRules(), lambda _: 5).told
    found = [section.title.code for section in siege_of(told.events).sections]
    assert found == ["section-works", "section-fire", "section-hits"]


def test_y98_the_board_has_a_list_of_units() -> None:
    found = position("FA6M", "FA INF 25 1816 NE marked with CMD 21", "AP FRIG 1 1508 1509")
    (piece,) = standing_facts(found).pieces
    assert isinstance(piece.facts, BoardText)
    allies, crown = piece.facts.armies
    (row,) = allies.units
    assert (row.unit, row.at, row.face, row.factor, row.points) == ("INF 25", "1816", "NE", 16, 5)
    assert [note.code for note in row.notes] == ["note-staff", "note-marked"]
    assert [(ship.unit, ship.at) for ship in crown.units] == [("FRIG 1", "1508/1509")]
    assert len(allies.waiting) + len(crown.waiting) == len(counters()) - 3


def test_y98_the_text_board_is_readable_in_72_columns() -> None:
    after = play_step(blank(), (), {}, YorktownRules(), None).after
    for first, last in strips():
        lines = [heading(first, last), *board_lines(after, first, last)]
        assert max(map(len, lines)) <= 72
    assert [first for first, _ in strips()][1:] == [last for _, last in strips()][:-1]
    assert "YI1" in "".join(board_lines(after, 1, 16))
    rows = board_lines(after, 25, 30)
    assert len(rows) == 2 * 24
    assert rows[2:4] == ["02  ~       ~       ~", "        ~       ~       ~"]
    assert rows[30:32] == ["16  .=      .       .", "        .=      .       ."]


@pytest.mark.parametrize("tried", [False, True])
def test_y98_a_picture_shows_units_ways_and_shots(tried: bool) -> None:
    found = position("FA6M", "FA INF 25 1816", "AP INF 9 1815 N", "AP FRIG 1 1508 1509")
    played = play_step(found, (), {}, YorktownRules(), lambda _: 4)
    record = read_record(write_record(found, played, {}, tried=tried))
    drawing = picture_of(turn_sketch(record, tried=tried), "siege")
    assert isinstance(drawing, HexBoard)
    assert drawing.window and drawing.fights == ("1815",)
    assert {c.text for c in drawing.counters} == {"i25", "I9", "F1"}
    sheet = drawing.draw_page()
    assert abs(sheet.height / sheet.width - drawing.proportion) < 0.001


def test_y98_a_front_shows_the_area_with_most_units() -> None:
    found = alone("FA6M", "FA INF 25 1816", "FA INF 1 2017", "FA INF 2 0102", "AP INF 9 1815 N")
    front = picture_of(front_sketch(found, None, FA), "siege")
    (left, right, top, bottom), far = front.parts
    assert far == (1, 11, 1, 11)
    assert left <= 18 <= 20 <= right and top <= 16 <= 17 <= bottom
    assert front.small() is front
    assert not front_sketch(blank(), None, FA)


def test_y98_a_front_shows_the_entry_hexes() -> None:
    found = position("FA6M", "FA INF 14 1404", "AP INF 9 1815 N")
    at_walls, *entries = picture_of(front_sketch(found, None, FA), "siege").parts
    assert at_walls[2] <= 4 <= at_walls[3]
    assert any(first == 1 and top <= 18 <= low for first, _, top, low in entries)
    assert any(low == 24 for _, _, _, low in entries)


def test_y98_a_small_board_is_shown_in_halves() -> None:
    west, east = picture_of(board_sketch(blank()), "siege").small().parts
    assert west[:2] == (1, 16) and east[:2] == (15, 30) and west[2:] == east[2:] == (1, 24)


def test_y98_names_on_the_board_do_not_overlap() -> None:
    def boxes() -> Iterator[tuple[float, float, float, float]]:
        for layer in picture_of(board_sketch(blank()), "siege").layers():
            for ink in layer.inks:
                if isinstance(ink, Text) and ink.italic:
                    wide = text_width(ink.text, ink.size)
                    left = ink.x - {"start": 0.0, "middle": 0.5, "end": 1.0}[ink.anchor] * wide
                    yield left, left + wide, ink.y - ink.size, ink.y

    found = list(boxes())
    assert len(found) == sum(bool(each.title) for each in hexes().values())
    for a, b in combinations(found, 2):
        assert a[1] < b[0] or b[1] < a[0] or a[3] < b[2] or b[3] < a[2], (a, b)


def test_y84_a_side_without_combat_units_loses_at_once() -> None:
    found = position("FA6M", "FA INF 25 1814", "AP INF 12 1815 N")
    units = {
        key: unit._replace(at="dead")
        if unit.at == "off" and counters()[key].side == AP and counters()[key].kind.is_combat
        else unit
        for key, unit in found.units.items()
    }
    played = play_step(replace(found, units=units), (), {}, YorktownRules(), lambda _: 6)
    assert played.end and (played.end.winner, played.end.reason.code) == (FA, "end-nobody-left")


@pytest.mark.parametrize(("still", "may"), [(1, False), (2, True)])
def test_y15_only_a_pioneer_able_to_build_has_a_fire_step(still: int, may: bool) -> None:
    found = position(
        "FA6M", *(f"{one.side} {one.order_id} dead" for one in counters().values()
                  if one.kind in (CounterKind.ART, CounterKind.FRIG, CounterKind.PIO)),
        f"FA PIO 1 1421 still={still}", "FA INF 25 1521",
    )  # fmt: skip
    assert may_fire(found, FA) == may


def test_y84_a_game_without_survivors_has_no_winner() -> None:
    gone = {key: unit._replace(at="dead") for key, unit in blank().units.items()}
    end = end_of(replace(blank(), moment=Moment(6, AP, Step.MOVE), units=gone), YorktownRules())
    assert end and end.winner == ""
    gone |= {"FA-INF3": gone["FA-INF3"]._replace(at="1520")}
    end = end_of(replace(blank(), moment=Moment(6, AP, Step.MOVE), units=gone), YorktownRules())
    assert end and end.winner == FA
