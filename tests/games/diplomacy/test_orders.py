"""Orders as values: orders of two kinds are never equal."""

from itertools import combinations

import pytest
from scenes import position
from tables import read

from judge.board.map import Unit, UnitKind
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.rules.orders import (
    Build,
    Convoy,
    Disband,
    Entry,
    Hold,
    Move,
    Proxy,
    Retreat,
    Support,
    Waive,
)
from judge.games.diplomacy.views.record import dump_text

FLEET, ARMY = Unit(UnitKind.FLEET, "Nth"), Unit(UnitKind.ARMY, "Bel")
ORDERS: list[Entry] = [
    Hold(FLEET), Disband(FLEET), Build(FLEET), Move(FLEET, "Nwy"), Retreat(FLEET, "Nwy"),
    Proxy(FLEET, "Nwy"), Support(FLEET, ARMY, "Nwy"), Convoy(FLEET, ARMY, "Nwy"), Waive(),
]  # fmt: skip


def test_orders_of_two_kinds_are_never_equal() -> None:
    assert len({*ORDERS}) == len(ORDERS)
    for one, other in combinations(ORDERS, 2):
        assert one != other and not one == other


def test_orders_of_one_kind_are_equal_when_their_parts_are() -> None:
    for order in ORDERS:
        again = type(order)(*order)
        assert again == order and not again != order and {again: 1}[order]


def test_a_convoy_that_replaces_a_support_has_a_note() -> None:
    at = position(board("standard"), "M", "England: F NTH; France: A PIC")
    here = SYSTEM.table("standard", dump_text(at), {})
    sheets = read(here, "England", "F NTH S A PIC - LON").sheets
    (line,) = read(here, "England", "F NTH C A PIC - LON", sheets=sheets).lines
    assert [note.code for note in line.notes] == ["order-replaced"]


TWICE = [
    ("S", "A PAR - BUR\nA PAR - GAS", [("A PAR - GAS", "A PAR - BUR")]),
    ("S", "A PAR - BUR, A PAR - GAS", [("A PAR - GAS", "A PAR - BUR")]),
    ("S", "A PAR - BUR\nA PAR - BUR", []),
    (
        "S", "A PAR - BUR\nA PAR - GAS\nA PAR H",
        [("A PAR - GAS", "A PAR - BUR"), ("A PAR H", "A PAR - GAS")],
    ),
    ("A", "BUILD A PAR\nBUILD A PAR", []),
    ("A", "BUILD F BRE\nBUILD A BRE", [("BUILD A BRE", "BUILD F BRE")]),
]  # fmt: skip
"""Kind of phase and lines of one mail of France → orders replaced within it."""


@pytest.mark.parametrize(("kind", "mail", "replaced"), TWICE)
def test_order_replaced_by_the_same_mail_is_named(
    kind: str, mail: str, replaced: list[tuple[str, str]]
) -> None:
    at = position(board("standard"), "M" if kind == "S" else "A", "France: A PAR")
    lines = read(SYSTEM.table("standard", dump_text(at), {}), "France", *mail.split("\n")).lines
    found = [note for line in lines for note in line.notes if note.code == "order-replaced"]
    assert [(note.facts["order"], note.facts["before"]) for note in found] == replaced


def test_an_order_of_an_earlier_mail_is_replaced_without_a_note() -> None:
    at = position(board("standard"), "M", "France: A PAR")
    here = SYSTEM.table("standard", dump_text(at), {})
    sheets = read(here, "France", "A PAR - BUR").sheets
    (line,) = read(here, "France", "A PAR - GAS", sheets=sheets).lines
    assert not line.notes
