"""Contents for viewers: lists of units, pictures, parts of the board, receipts."""

import json
import re
from collections.abc import Mapping

import pytest

from judge.drawing.hexes import HexBoard
from judge.drawing.primitives import Text
from judge.games import find_system
from judge.games.letter_facts import SheetFacts
from judge.games.yorktown.language.checking import OrderChecker
from judge.games.yorktown.language.grammar import Control, Done, UnreadableLine, clean, parse
from judge.games.yorktown.rules.board import REDOUBT, counters, hexes
from judge.games.yorktown.rules.hexes import SIDES
from judge.games.yorktown.rules.state import SiegePosition, blank, dump
from judge.games.yorktown.views.brief import brief_facts
from judge.games.yorktown.views.moments import POWERS
from judge.games.yorktown.views.pictures import board_sketch, front_sketch, picture_of
from judge.games.yorktown.views.standing import BoardText, UnitRow, standing_facts
from judge.games.yorktown.views.textboard import board_lines
from tests.games.yorktown.test_brief import record_of, rows, title
from tests.games.yorktown.test_reading import position

PHONE_PIXELS = 390
"""Width of a phone, in CSS pixels."""


def alone(moment: str, *units: str) -> SiegePosition:
    """Return a position with these units, in which all others are dead."""
    named = {" ".join(unit.split()[:3]) for unit in units}
    dead = [f"{one.side} {one.order_id}" for one in counters().values()]
    return position(moment, *(f"{unit} dead" for unit in dead if unit not in named), *units)


def list_unit_rows(found: SiegePosition) -> Mapping[str, UnitRow]:
    """Return the rows of both armies, by side and unit."""
    (piece,) = standing_facts(found).pieces
    assert isinstance(piece.facts, BoardText)
    return {f"{army.side} {row.unit}": row for army in piece.facts.armies for row in army.units}


AFLOAT = (
    "AP FRIG 1 1410 1510 spent=4", "AP INF 1 aboard=1", "AP INF 2 aboard=1",
    "AP FRIG 2 1508 1509 aground", "AP ART 1 1512 N shots=1", "AP PIO 1 1511 still=2",
    "AP PIO 2 1611", "AP INF 9 1612 SE marked with CMD 1", "AP INF 3 left", "AP INF 4 1312 still=2",
)  # fmt: skip


@pytest.mark.parametrize(("unit", "at", "face", "factor", "points", "notes"), [
    ("FRIG 1", "1410/1510", "", 0, 11, ["note-cargo", "note-points"]),
    ("FRIG 2", "1508/1509", "", 0, 0, ["note-aground"]),
    ("INF 1", "FRIG 1", "", 20, 5, []),
    ("ART 1", "1512", "N", 10, 3, ["note-fired"]),
    ("PIO 1", "1511", "S", 5, 5, ["note-still"]),
    ("PIO 2", "1611", "S", 5, 5, []),
    ("INF 4", "1312", "S", 9, 5, []),
    ("INF 9", "1612", "SE", 14, 5, ["note-staff", "note-marked"]),
])
def test_y98_each_unit_is_listed_with_its_condition(
    unit: str, at: str, face: str, factor: int, points: int, notes: list[str]
) -> None:
    """A frigate has points for sailing and no factor.

    INF 9 with CORNWALLIS is half of 28.
    """
    row = list_unit_rows(alone("AP6M", *AFLOAT))[f"AP {unit}"]
    assert (row.at, row.face, row.factor, row.points) == (at, face, factor, points)
    assert [note.code for note in row.notes] == notes


def test_y98_absent_units_are_named_and_commanders_attached() -> None:
    (piece,) = standing_facts(alone("AP6M", *AFLOAT)).pieces
    assert isinstance(piece.facts, BoardText)
    _, crown = piece.facts.armies
    assert (crown.left, crown.waiting) == (("INF 3",), ())
    assert "CMD 1" not in {*crown.dead, *(row.unit for row in crown.units)}
    assert len(crown.dead) + len(crown.units) == 26 - 2
    cargo = list_unit_rows(alone("AP6M", *AFLOAT))["AP FRIG 1"].notes[0]
    assert cargo.facts["units"] == ("INF 1", "INF 2")


def picture(found: SiegePosition, **more: object) -> HexBoard:
    return picture_of(json.dumps({**json.loads(board_sketch(found)), **more}), "siege")


@pytest.mark.parametrize(("at", "shown"), [
    ("1410", ("F1", "+2", None, "1510", False, "")),
    ("1508", ("F2", "", None, "1509", False, "")),
    ("1512", ("A1", "10", 0, "", True, "")),
    ("1612", ("I9", "14", 2, "", True, "C")),
    ("1312", ("I4", "9", 3, "", False, "")),
    ("1814", ("i25", "14", 3, "", False, "")),
    ("1813", ("i3", "11", 3, "", True, "W")),
])
def test_y98_a_counter_shows_the_condition_of_its_unit(
    at: str, shown: tuple[str, str, int | None, str, bool, str]
) -> None:
    """The strength includes that of the commander, less 10 for a dead one.

    A marker halves it.
    """
    found = alone(
        "AP6M", *(unit.replace("shots=1", "marked") for unit in AFLOAT), "FA INF 25 1814 S",
        "FA INF 3 1813 marked with CMD 1",
    )
    (block,) = (one for one in picture(found).counters if one.at == at)
    assert (block.text, block.below, block.front, block.bow, block.hurt, block.staff) == shown


def test_y98_earthworks_are_drawn_where_printed_or_built() -> None:
    found = alone("FA6M", "FA INF 25 1814")
    found.redoubts["1520"] = 3  # type: ignore[index]
    tiles = picture(found).tiles
    works = {name for name, each in hexes().items() if each.feature == REDOUBT} | {"1520"}
    assert {name for name, tile in tiles.items() if tile.works} == works
    assert {name for name, tile in tiles.items() if tile.walls} == {
        name for name, each in hexes().items() if each.walls and each.feature != REDOUBT
    }
    assert all(tile.roads == hexes()[name].roads for name, tile in tiles.items())


@pytest.mark.parametrize(("busy", "window"), [
    ((), None),
    (("1815",), (12, 24, 12, 18)),
    (("0101",), (1, 10, 1, 4)),
    (("3024",), (21, 30, 21, 24)),
    (("1012", "2312"), (6, 25, 9, 15)),
    (("1012", "2412"), (8, 26, 10, 14)),
    (("0812", "2512"), (6, 25, 11, 13)),
    (("0612", "2412"), None),
    (("1809", "1818"), None),
])
def test_y98_the_fighting_is_shown_again_with_its_surroundings(
    busy: tuple[str, ...], window: tuple[int, int, int, int] | None
) -> None:
    """The margin is three hexes on each side, or two, or one.

    The window has at most twenty columns, a wide format, and lies on the board. A wider area is not
    shown again.
    """
    assert picture(alone("FA6M"), fights=busy).window == window


@pytest.mark.parametrize(("stands", "front"), [
    (("0101",), ((1, 11, 1, 11),)),
    (("3024",), ((20, 30, 14, 24),)),
    (("1512",), ((10, 20, 7, 17),)),
    (("1010", "2111", "2512"), ((20, 30, 7, 17), (5, 15, 5, 15))),
    (("0101", "2012", "2112"), ((16, 26, 7, 17), (1, 11, 1, 11))),
])
def test_y98_a_phone_shows_all_units_of_a_side_in_parts(
    stands: tuple[str, ...], front: tuple[tuple[int, int, int, int], ...]
) -> None:
    found = alone("FA6M", *(f"FA INF {n} {at}" for n, at in enumerate(stands, 1)), "AP INF 9 0510")
    assert picture_of(front_sketch(found, None, "FA"), "siege").parts == front


def test_y98_texts_of_a_front_are_readable_on_a_phone() -> None:
    found = alone("FA6M", "FA INF 1 1613", "FA INF 2 1613", "FA ART 21 1520")
    drawing = picture_of(front_sketch(found, None, "FA"), "siege")
    sizes = {
        ink.text: ink.size * PHONE_PIXELS / drawing.size[0]
        for layer in drawing.layers() for ink in layer.inks
        if isinstance(ink, Text) and re.fullmatch("[0-9]{4}|[ia][0-9]+", ink.text)
    }
    assert {"1613", "i1", "i2", "a21"} <= {*sizes} and min(sizes.values()) >= 7


def receipt(found: SiegePosition, sheet: str) -> SheetFacts:
    table = find_system("yorktown").table("yorktown", dump(found), {})
    side = found.moment.side
    return table.show_sheet(POWERS[side], f"@{found.moment}\n{sheet}" if sheet else "")


FACING = ("FA INF 25 1814", "FA INF 26 1816", "FA ART 1 1520", "AP INF 9 1815 N")


@pytest.mark.parametrize(("sheet", "warned"), [
    ("INF 25: 1813", {"yw01": ["INF 26"], "yw02": ["2"]}),
    ("attack 1815 with INF 25", {"yw01": ["INF 26"], "yw02": ["2"]}),
    ("ART 1: 1521", {"yw01": ["INF 25", "INF 26"], "yw02": ["2"]}),
    ("attack 1815 with INF 25, INF 26\nART 1: 1521", {}),
    ("", {"yw01": ["INF 25", "INF 26"]}),
])
def test_y92_a_receipt_names_units_to_attack_and_without_order(
    sheet: str, warned: dict[str, list[str]]
) -> None:
    found: dict[str, list[str]] = {}
    for told in receipt(alone("FA6M", *FACING), sheet).warnings:
        found.setdefault(told.code, []).append(str(told.facts.get("unit", told.facts.get("count"))))
    assert found == warned


GUNS = ("FA ART 1 1520", "FA ART 2 1521", "FA ART 3 1522", "FA ART 4 0124", "AP INF 9 1512 N")


@pytest.mark.parametrize(("sheet", "idle"), [
    ("ART 1 fires at 1512", ("ART 2", "ART 3")),
    ("ART 1 fires at 1512\n@FA6M\nART 2: 1621", ("ART 3",)),
    ("ART 1 fires at 1512\n@FA6M\nART 2: 1621\nART 3: 1622", ()),
])
def test_y92_guns_without_target_or_with_a_march_are_not_idle(
    sheet: str, idle: tuple[str, ...]
) -> None:
    """ART 4 has no enemy within twelve hexes."""
    found = [told.facts["units"] for told in receipt(alone("FA6F", *GUNS), sheet).warnings]
    assert found == ([idle] if idle else [])


def test_y92_more_than_twelve_units_without_orders_are_counted() -> None:
    for many in (12, 13):
        units = [f"FA INF {n} {10 + n}18" for n in range(1, 8)]
        units += [f"FA INF {n} {3 + n}19" for n in range(8, 14)] + ["FA INF 14 2218"]
        found = alone("FA6M", *units[:many], "FA INF 14 2218")
        told = receipt(found, "INF 14 holds").warnings[-1]
        assert told.code == ("yw02" if many == 12 else "yw02-more")
        assert told.facts["units"] == tuple(f"INF {n}" for n in range(1, 13))
        assert told.facts["count"] == many


@pytest.mark.parametrize(("moment", "sheet", "lines"), [
    ("FA6M", "", ["ART 1:", "PIO 1:", "INF 21 enters", "done"]),
    ("FA6M", "INF 25: 1813", ["INF 25: 1813", "ART 1:", "PIO 1:", "INF 21 enters", "done"]),
    ("FA6M", "attack 1815 with INF 25, INF 26",
     ["attack 1815 with INF 25, INF 26", "ART 1:", "PIO 1:", "INF 21 enters", "done"]),
    ("FA6M", "INF 25: 1813\ndone", ["INF 25: 1813"]),
    ("FA6F", "", ["ART 1 fires at", "done"]),
    ("AP6F", "", ["ART 1 fires at", "FRIG 1:", "done"]),
    ("AP6F", "ART 1 fires at 1814", ["ART 1 fires at 1814", "FRIG 1:", "done"]),
])
def test_y92_a_receipt_drafts_lines_for_three_idle_units(
    moment: str, sheet: str, lines: list[str]
) -> None:
    found = alone(
        moment, *FACING, "FA PIO 1 1421", "AP ART 1 1512", "AP FRIG 1 1508 1509", "FA INF 21 left",
    )
    units = {**found.units, "FA-INF21": found.units["FA-INF21"]._replace(at="off")}
    found = SiegePosition(found.moment, units, found.redoubts, found.drawn, found.standing)
    assert [draft.line for draft in receipt(found, sheet).draft] == lines


@pytest.mark.parametrize(("text", "reader", "said"), [
    ("MOMENT AP0S", "FA", "FRANCO-AMERICAN, set-up of AP: AP set up 24 units."),
    ("MOMENT AP0S", "AP", "ANGLO-PRUSSIAN, set-up of AP: your 24 units are set up."),
    ("MOMENT FA6F\nUNIT FA ART 1 1518", "FA",
     "FRANCO-AMERICAN, day 6, fire step of FA: you fired no shots."),
    ("MOMENT FA6F\nUNIT FA ART 1 1518", "AP",
     "ANGLO-PRUSSIAN, day 6, fire step of FA: you lost nothing."),
    ("MOMENT FA6F\nUNIT FA ART 1 1518", "", "day 6, fire step of FA: FA fired no shots."),
    ("MOMENT FA6M\nUNIT FA INF 4 2224", "FA",
     "FRANCO-AMERICAN, day 6, move step of FA: you moved no units."),
    ("MOMENT FA6M\nUNIT FA INF 4 2224\nFA INF 4: 2324", "AP",
     "ANGLO-PRUSSIAN, day 6, move step of FA: you lost nothing."),
])
def test_a_step_without_orders_is_summed_up_in_a_clause(text: str, reader: str, said: str) -> None:
    record = record_of(f"{text}\nUNIT AP INF 9 0110")
    assert title(brief_facts(record, POWERS.get(reader, ""))) == said


def test_units_of_equal_outcome_are_one_row_and_counted() -> None:
    lines = [f"FA INF {n}: {20 + n}22" for n in range(1, 5)]
    units = [f"UNIT FA INF {n} {20 + n}21" for n in range(1, 5)]
    record = record_of("\n".join(["MOMENT FA6M", *units, "UNIT AP INF 9 0110", *lines]))
    brief = brief_facts(record, POWERS["FA"])
    assert rows(brief) == ["INF 1, INF 2, INF 3, INF 4 | moved"]
    assert title(brief).endswith("you moved 4 units.")


CHECKED = [
    ("FA INF 3 1520", "INF 3 boards FRIG 1", "ye02-theirs"),
    ("FA INF 3 1520", "INF 3 with INF 3", "ye38"),
    ("FA INF 3 1520", "INF 3 stays", ""),
    ("FA INF 3 1520", "hit INF 3 stay", "ye38"),
    ("FA INF 3 1520", "INF 3 exit N", "ye26-edge"),
    ("FA INF 3 left", "INF 3 holds", "ye31-left"),
    ("FA INF 3 dead", "INF 3 holds", "ye31"),
    ("FA INF 3 1520", "attack 1519 with INF 3", "ye14-attack"),
    ("FA INF 3 1520", "INF 4 lands 1521", "ye42"),
    ("FA INF 3 1520", "INF 4: 1521", ""),
    ("FA INF 3 1520", "INF 4: 1521-1522", "ye34"),
    ("FA ART 1 1520 shots=1", "ART 1: 1521", "ye12"),
    ("FA INF 3 1520", "attack 1519 with ART 1", "ye28"),
    ("FA INF 3 1520", "retreat INF 3 to 3125", "ye03"),
    ("FA INF 3 1520", "WASHINGTON with INF 3", ""),
    ("FA INF 3 1520", "hit WASHINGTON leave INF 3", ""),
    ("FA INF 3 1520", "losses INF 3 INF 99", "ye02-theirs"),
    ("FA INF 3 1520", "attack 1519 with INF 3 advance INF 99", "ye02-theirs"),
]


@pytest.mark.parametrize(("unit", "line", "code"), CHECKED)
def test_y93_an_order_is_checked(unit: str, line: str, code: str) -> None:
    order = parse(clean(line))
    assert not isinstance(order, Done | Control | UnreadableLine)
    found = OrderChecker(position("FA6M", unit), "FA").check(order, now=True)
    assert (found.refused.code if found.refused else "") == code


def test_orders_for_later_steps_are_not_published() -> None:
    table = find_system("yorktown").table("yorktown", dump(position("FA6M", "FA INF 3 1520")), {})
    sheets = {POWERS["FA"]: "@FA7F\nART 1 fires at 1512", POWERS["AP"]: "@AP6M\nINF 9 holds"}
    assert table.select_public_orders(sheets) == {}
    now = {**sheets, POWERS["FA"]: "@FA6M\nINF 3 holds\n@FA7F\nART 1 fires at 1512"}
    assert table.select_public_orders(now) == {POWERS["FA"]: "@FA6M\nINF 3 holds"}


def test_y92_a_receipt_lists_orders_of_each_later_step() -> None:
    table = find_system("yorktown").table("yorktown", dump(alone("FA6M", *FACING)), {})
    later = "@FA8M\nINF 26 holds\n@FA7F\nART 1 fires at 1512\nPIO 1 builds redoubt"
    shown = table.show_sheet(POWERS["FA"], f"{later}\n@FA6M\nINF 25 holds")
    assert shown.lines == (
        "INF 25 holds", "FA7F: ART 1 fires at 1512", "FA7F: PIO 1 builds redoubt",
        "FA8M: INF 26 holds",
    )


def test_y92_placed_units_are_not_drafted_again() -> None:
    begun = [draft.line for draft in receipt(blank(), "").draft]
    assert begun == ["INF 1 at", "INF 2 at", "INF 3 at", "done"]
    begun = [draft.line for draft in receipt(blank(), "INF 2 at 1612").draft]
    assert begun == ["INF 2 at 1612", "INF 1 at", "INF 3 at", "INF 4 at", "done"]


@pytest.mark.parametrize(("units", "leaders"), [
    ((), ["FA", "AP"]),
    (("FA INF 3 1512",), ["FA"]),
    (("AP INF 9 left",), ["AP"]),
    (("FA INF 3 1512", "AP INF 9 left"), ["FA"]),
    (("FA INF 3 1512", "AP INF 9 left", "AP INF 10 left"), ["AP"]),
])
def test_the_side_closest_to_winning_leads(units: tuple[str, ...], leaders: list[str]) -> None:
    """Progress is compared in relation to each side's goal.

    A seventh of FA's goal in Yorktown is more than a tenth of AP's goal off the map.
    """
    still = [f"AP {one.order_id} dead" for one in counters().values() if one.side == "AP"]
    named = {" ".join(unit.split()[:3]) for unit in units}
    found = position("FA6M", *(each for each in still if each[:-5] not in named), *units)
    table = find_system("yorktown").table("yorktown", dump(found), {})
    assert list(table.leaders()) == [POWERS[side] for side in leaders]


def test_a_side_has_its_own_sheet_and_default_orders() -> None:
    table = find_system("yorktown").table("yorktown", dump(alone("FA6M", *FACING)), {})
    sheets = {POWERS["FA"]: "@FA6M\nINF 25 holds", POWERS["AP"]: "@AP6M\nINF 9 holds"}
    assert table.known_to(POWERS["AP"], sheets) == {POWERS["AP"]: "@AP6M\nINF 9 holds"}
    assert table.complete_sheet(POWERS["AP"], "") == ""
    assert table.complete_sheet(POWERS["FA"], "@FA6M\nINF 25 holds") == "@FA6M\nINF 25 holds"
    assert table.complete_sheet(POWERS["FA"], "").startswith("@FA6M\n")


def test_y92_a_trial_is_shown_for_the_current_step() -> None:
    found = alone("FA6M", *FACING)
    assert [piece.template for piece in receipt(found, "INF 25: 1813").pieces] == ["trial"]
    assert not receipt(found, "").pieces
    table = find_system("yorktown").table("yorktown", dump(found), {})
    assert not table.show_sheet(POWERS["AP"], "@AP6M\nINF 9 holds").pieces


def test_y92_drafted_lines_are_distinct_from_filed_ones() -> None:
    drafts = receipt(alone("FA6M", *FACING), "INF 25: 1813").draft
    assert [(draft.line, draft.open) for draft in drafts] == [
        ("INF 25: 1813", False), ("ART 1:", True), ("INF 26:", True), ("done", False),
    ]


def test_text_board_shows_each_wall_between_its_hexes() -> None:
    """Walls of towns are drawn exactly where the map has them."""
    marks = {"N": "_", "S": "_", "NE": "\\<", "SE": "/<", "SW": "\\>", "NW": "/>"}
    lines = [line.ljust(150) for line in board_lines(alone("AP6M"), 1, 30)]
    expected: set[tuple[int, int]] = set()
    for each in hexes().values():
        column, row = int(each.name[:2]), int(each.name[2:])
        for side in each.walls if each.feature != REDOUBT else ():
            name = SIDES[side]
            line = 2 * (row - 1) + (column % 2 == 0) + (1 if name[0] == "S" else -1)
            at = 4 + 4 * (column - 1) + (3 if "E" in name else 0 if "W" in name else 1)
            assert lines[line][at] in marks[name], (each.name, name)
            expected |= {(line, at), (line, at + 1)} if len(name) == 1 else {(line, at)}
    drawn = {
        (line, at) for line, text in enumerate(lines) for at, sign in enumerate(text)
        if sign in "_/\\<>"
    }  # fmt: skip
    assert drawn == expected and len(expected) > 20
