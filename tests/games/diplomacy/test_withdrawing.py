"""Lines that withdraw orders on file, in each kind of phase."""

import json

import pytest
from scenes import position as scene

from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.boards import board
from judge.games.diplomacy.table import DiplomacyTable
from judge.games.diplomacy.views.record import dump_text
from judge.model.incoming import Line

MOVES = ["A PAR - BUR", "A MAR S A PAR - BUR", "F BRE H"]
BUILDS = ["BUILD A PAR", "WAIVE"]
RETREATS = ["A BUR R PIC"]
UNITS = "France: A PAR, A MAR, F BRE"


def table(phase: str, units: str) -> DiplomacyTable:
    return SYSTEM.table("standard", dump_text(scene(board("standard"), phase, units)), {})


@pytest.mark.parametrize("phase, units, filed, line, left", [
    ("M", UNITS, MOVES, "withdraw a par-bur", MOVES[1:]),
    ("M", UNITS, MOVES, "CANCEL A Par", MOVES[1:]),
    ("M", UNITS, MOVES, "drop the order for Paris.", MOVES[1:]),
    ("M", UNITS, MOVES, "delete A Par - Bur; F Bre", MOVES[1:2]),
    ("M", UNITS, MOVES, "no A Par and A Mar", MOVES[2:]),
    ("M", UNITS, MOVES, "please unorder Bre", MOVES[:2]),
    ("M", UNITS, MOVES, "cancel a par, a mar, f bre", []),
    ("M", UNITS, MOVES, "cancel A Par - Pic", None),
    ("M", UNITS, MOVES, "cancel A Mun", None),
    ("M", UNITS, MOVES, "No problem with Burgundy", None),
    ("M", UNITS, MOVES, "drop me a line", None),
    ("A", "France: A MAR", BUILDS, "cancel A Par", BUILDS[1:]),
    ("A", "France: A MAR", BUILDS, "no build A Par", BUILDS[1:]),
    ("A", "France: A MAR", BUILDS, "WITHDRAW waive", BUILDS[:1]),
    ("R", "Germany: A BUR; dislodged France: A BUR", RETREATS, "cancel A Bur", []),
    ("R", "Germany: A BUR; dislodged France: A BUR", RETREATS, "no A Bur R Pic", []),
])
def test_order_is_withdrawn(
    phase: str, units: str, filed: list[str], line: str, left: list[str] | None
) -> None:
    at = table(phase, units)
    read = at.read_orders([Line(1, line)], "France", {"France": json.dumps(filed)})
    after = json.loads(read.sheets.get("France", json.dumps(filed)) or "[]")
    assert after == (filed if left is None else left)
    gone = [order for told in read.lines for order in told.withdrawn]
    assert sorted(gone + after) == sorted(filed)


def test_withdrawal_of_nothing_is_refused() -> None:
    read = table("M", UNITS).read_orders([Line(1, "cancel a par - bur")], "France", {})
    assert [told.complaint and told.complaint.reason.code for told in read.lines] == [
        "withdraw-none"
    ]
    assert not read.sheets


def test_later_line_of_one_mail_wins() -> None:
    lines = [Line(1, "A Par - Bur"), Line(2, "cancel A Par"), Line(3, "A Par - Pic")]
    read = table("M", UNITS).read_orders(lines, "France", {})
    assert read.sheets == {"France": json.dumps(["A PAR - PIC"])}
