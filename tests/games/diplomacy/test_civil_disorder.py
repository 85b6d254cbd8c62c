"""Default orders of a power without a player: mutual supports."""

import json

import pytest

from judge.board.map import Unit, UnitKind
from judge.board.position import Phase, PhaseKind, Position, Season
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.civil_disorder import with_supports
from judge.games.diplomacy.rules.orders import order_text, parse_order
from judge.games.diplomacy.views.record import dump_text

STANDARD = board("standard")

CASES = [
    # The columns are the units, the orders on file, the orders afterwards and the reason.
    ("A Par, A Bur", "", "A PAR S A BUR; A BUR S A PAR", "two beside each other"),
    ("A Par, A Mun", "", "", "nobody within reach"),
    ("A Bur, A Pic, A Par", "", "A BUR S A PAR; A PAR S A BUR; A PIC S A PAR",
     "the one on a centre first"),
    ("A Par, A Bur", "A BUR - MUN", "A BUR - MUN", "who leaves is not held"),
    ("A Par, A Bur", "A BUR H", "A BUR H; A PAR S A BUR", "who was told to stay is"),
    ("F Spa/nc, F Mar", "", "F MAR S F SPA/NC", "a fleet reaches by its own coast only"),
    ("F Bre, A Par", "", "A PAR S F BRE", "no fleet supports inland"),
]


def units_of(text: str) -> tuple[Unit, ...]:
    found = (each.split() for each in text.split(", "))
    return tuple(Unit(UnitKind(kind), place) for kind, place in found)


def position(units: str, kind: PhaseKind = PhaseKind.MOVEMENT) -> Position:
    phase = Phase(1901, Season.FALL, kind)
    return Position(phase=phase, units={"France": units_of(units)}, owners={})


@pytest.mark.parametrize("units, given, wanted, why", CASES, ids=[case[3] for case in CASES])
def test_units_without_orders_support_neighbours_that_stay(
    units: str, given: str, wanted: str, why: str
) -> None:
    orders = [parse_order(text, STANDARD) for text in filter(None, [given])]
    found = with_supports(STANDARD, position(units), "France", orders)
    assert {order_text(order) for order in found} == set(filter(None, wanted.split("; ")))


def test_default_orders_exist_only_in_movement_phases() -> None:
    retreats = position("A Par, A Bur", PhaseKind.RETREAT)
    table = SYSTEM.table("standard", dump_text(retreats), {})
    assert table.complete_sheet("France", "") == ""


def test_default_orders_are_a_valid_sheet() -> None:
    table = SYSTEM.table("standard", dump_text(position("A Par, A Bur")), {})
    sheet = table.complete_sheet("France", "")
    assert sorted(json.loads(sheet)) == ["A BUR S A PAR", "A PAR S A BUR"]
    assert table.missing_orders("France", sheet) == ()


def test_leaders_are_those_with_the_most_centres() -> None:
    played = Position(
        phase=Phase(1905, Season.SPRING, PhaseKind.MOVEMENT),
        units={"France": units_of("A Par"), "Italy": units_of("A Rom")},
        owners={"Par": "France", "Rom": "Italy", "Ven": "Italy", "Mar": "France", "Lon": "England"},
    )
    table = SYSTEM.table("standard", dump_text(played), {})
    assert table.leaders() == ("France", "Italy")
