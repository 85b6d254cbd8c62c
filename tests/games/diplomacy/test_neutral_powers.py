"""Neutral powers hold, are disbanded when dislodged, and never build or win."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from judge.board.map import ARMY, FLEET, Map, Unit
from judge.board.mapcheck import check_files
from judge.board.mapfile import read_tables
from judge.board.position import Position, parse_phase
from judge.games.diplomacy.boards import opening_on
from judge.games.diplomacy.rules.adjudicate import adjudicate
from judge.games.diplomacy.rules.legality import explain_illegality
from judge.games.diplomacy.rules.orders import Hold, Move, Support
from judge.games.diplomacy.rules.possible import possible_orders, possible_texts
from judge.games.diplomacy.rules.ruleset import Rules
from judge.games.diplomacy.rules.seasons import find_ordering_powers, winner_of
from judge.games.diplomacy.views import order_board
from judge.games.diplomacy.views.geometry import schematic_of
from tests.site.order_pages import read_lines

ISLES = Path(__file__).parents[2] / "maps" / "sixisles"
BRYN, COSSE, FEN = Unit(ARMY, "Bry"), Unit(ARMY, "Cos"), Unit(ARMY, "Fen")


@pytest.fixture(scope="module")
def isles() -> Map:
    """The isles with a neutral power in Fénland, which owns two centres."""
    files = read_tables(ISLES)
    for table, rows in {
        "powers": ["plays", "yes", "yes"],
        "provinces": ["owner", "=", "-", "=", "Folk", "Folk", "-"],
    }.items():
        lines = files[f"{table}.tsv"].splitlines()
        lines = [f"{line}\t{cell}" for line, cell in zip(lines, rows, strict=True)]
        files[f"{table}.tsv"] = "\n".join(lines) + "\n"
    files["powers.tsv"] += "Folk\tF\tFolk\t-\t-\tno\n"
    files["start.tsv"] += "Folk\tF\tA\tFen\n"
    report = check_files("isles", files)
    assert report.board is not None, report.faults
    return report.board


def test_neutral_power_orders_nothing(isles: Map) -> None:
    opening = opening_on(isles)
    assert opening.units["Folk"] == (FEN,) and isles.neutral == {"Folk"}
    assert find_ordering_powers(isles, opening, Rules()) == {"Reds", "Blåar"}
    assert "Folk" not in possible_orders(isles, opening)
    fault = explain_illegality(Hold(FEN), "Folk", isles, opening, Rules())
    assert fault is not None and fault.code == "neutral-unit"


def test_order_page_has_neutral_units_only_as_supported_ones(
    isles: Map, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(order_board, "base", lambda name: schematic_of(isles))
    position = replace(opening_on(isles), units={"Reds": (BRYN,), "Folk": (FEN,)})
    values: dict[str, Any] = order_board.order_board_values(isles, position, Rules())
    assert [side[1] for side in values["sides"]] == ["Reds"]
    legal = {line for lines in possible_texts(isles, position)["Reds"].values() for line in lines}
    assert {line for unit, line in read_lines(values) if unit == str(BRYN)} == legal
    assert "A BRY S A FEN - COS" in legal


def test_neutral_unit_holds_and_is_destroyed_without_retreat(isles: Map) -> None:
    before = Position(parse_phase("S1812M"), {"Blåar": (COSSE, Unit(FLEET, "Mer")), "Folk": (FEN,)},
                      {"Cos": "Blåar", "Fen": "Folk"})
    found = adjudicate(isles, before, {"Blåar": [Move(COSSE, "Fen")]}, Rules())
    assert found.position.units["Folk"] == (FEN,)
    orders = [Move(COSSE, "Fen"), Support(Unit(FLEET, "Mer"), COSSE, "Fen")]
    found = adjudicate(isles, before, {"Blåar": orders}, Rules())
    assert not found.position.units.get("Folk") and str(found.position.phase) == "F1812M"


def test_neutral_power_neither_builds_nor_removes(isles: Map) -> None:
    units = {"Reds": (Unit(FLEET, "Mer"),), "Blåar": (COSSE,), "Folk": (BRYN, FEN)}
    before = Position(parse_phase("F1812M"), units, {"Cos": "Blåar", "Ald": "Reds"})
    after = adjudicate(isles, before, {}, Rules()).position
    assert after.units["Folk"] == (BRYN, FEN) and after.owners["Fen"] == "Folk"
    before = Position(parse_phase("F1812M"), {**units, "Folk": ()}, {"Cos": "Blåar", "Ald": "Reds",
                                                                    "Fen": "Folk", "Eel": "Folk"})
    assert str(adjudicate(isles, before, {}, Rules()).position.phase) == "S1813M"


def test_neutral_power_neither_wins_nor_shares(isles: Map) -> None:
    owners = {"Cos": "Blåar", "Ald": "Folk", "Fen": "Folk", "Eel": "Folk"}
    position = Position(parse_phase("F1812M"), {"Blåar": (COSSE,), "Folk": (FEN,)}, owners)
    assert not winner_of(isles, position)
    found = adjudicate(isles, position, {}, Rules(last_year=1812))
    assert found.drawn == ("Blåar",) and not found.winner
