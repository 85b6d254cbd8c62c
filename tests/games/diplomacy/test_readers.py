"""Visibility by viewer.

The master of a blind game sees as much as all see in an open game.
"""

import json
from collections.abc import Callable
from typing import Any

import pytest
from tables import DICE
from test_blind import BLIND, MASTER, OBSERVER, power_reader

from judge.board.position import parse_phase
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.views.record import load_text
from judge.games.system import Viewer
from judge.model.incoming import Line
from judge.model.phrase import phrase

OPEN = {**BLIND, "blind": "off"}
FRANCE = power_reader("France")
START = SYSTEM.initial_position("standard", BLIND, DICE)
AT = {name: SYSTEM.table("standard", START, options) for name, options in
      (("blind", BLIND), ("open", OPEN))}
LINES = [Line(1, "France: A Par - Bur"), Line(2, "Germany: A Mun - Bur")]
SHEETS = {"France": '["A PAR - BUR"]', "Germany": '["A MUN - BUR"]'}
RECORDS = {name: at.adjudicate(SHEETS, DICE).record for name, at in AT.items()}

TELLERS: dict[str, Callable[[str, Viewer], object]] = {
    "standing": lambda game, reader: AT[game].position_facts(reader),
    "places": lambda game, reader: AT[game].places(reader),
    "sketch": lambda game, reader: AT[game].sketch(reader),
    "orders": lambda game, reader: AT[game].sketch_orders(SHEETS, reader),
    "seen by": lambda game, reader: AT[game].as_seen_by(reader) is AT[game],
    "results": lambda game, reader: SYSTEM.turn("standard", RECORDS[game]).results(reader),
    "values": lambda game, reader: SYSTEM.turn("standard", RECORDS[game]).values(reader),
    "turn": lambda game, reader: _turn(game, reader),
    "years": lambda game, reader: _years(game, reader),
}


def _turn(game: str, reader: Viewer) -> object:
    """Return the picture of the turn, without the record's own rules."""
    text = SYSTEM.turn("standard", RECORDS[game]).sketch(reader)
    return SYSTEM.picture(text, "marco") if text else None


def _years(game: str, reader: Viewer) -> object:
    options = BLIND if game == "blind" else OPEN
    return SYSTEM.chronicle("standard", options, [("F1901A", START)], reader)


@pytest.mark.parametrize("name", TELLERS)
def test_the_master_of_a_blind_game_sees_everything(name: str) -> None:
    tell = TELLERS[name]
    whole = tell("open", MASTER)
    assert tell("blind", MASTER) == tell("open", OBSERVER) == tell("open", FRANCE) == whole
    assert tell("blind", OBSERVER) != whole
    assert tell("blind", FRANCE) != whole


def test_the_master_orders_with_full_sight_in_a_blind_game() -> None:
    blind, whole = AT["blind"], AT["open"]
    assert blind.read_orders(LINES, None, {}) == whole.read_orders(LINES, None, {})
    assert blind.menus(None, "", {}) == whole.menus(None, "", {}) == phrase("whose-options")
    assert blind.menus(None, "France", {}) == whole.menus(None, "France", {})


@pytest.mark.parametrize(("game", "reader", "gist", "power", "moves"), [
    ("open", MASTER, "else-failed", "", 0), ("open", OBSERVER, "else-failed", "", 0),
    ("open", FRANCE, "gist-failed-one", "France", 2), ("blind", MASTER, "else-failed", "", 0),
    ("blind", OBSERVER, "gist-played", "", 0), ("blind", FRANCE, "gist-failed-one", "France", 2),
])
def test_a_brief_begins_with_the_viewers_own_orders(
    game: str, reader: Viewer, gist: str, power: str, moves: int
) -> None:
    found = SYSTEM.turn("standard", RECORDS[game]).brief(reader)
    assert [each.code for each in found.gist] == [gist]
    assert (found.power, len(found.fates)) == (power, moves)
    # Results of others are listed where they were visible.
    assert [each.code for each in found.elsewhere] == (
        ["else-failed-one"] if game == "open" and power else []
    )


def test_only_an_observer_of_a_blind_game_sees_nothing() -> None:
    told = {(game, reader): SYSTEM.turn("standard", RECORDS[game]).results(reader).sight
            for game in AT for reader in (MASTER, OBSERVER, FRANCE)}
    assert told.pop(("blind", OBSERVER)) == phrase("blind-observer")
    assert {*told.values()} == {None}
    assert SYSTEM.turn("standard", RECORDS["blind"]).sketch(OBSERVER) == ""
    assert SYSTEM.turn("standard", RECORDS["blind"]).sketch(FRANCE) != ""


def test_fronts_are_for_powers_and_previews_are_marked() -> None:
    at, record = AT["open"], RECORDS["open"]
    for reader, drawn in ((MASTER, False), (OBSERVER, False), (FRANCE, True)):
        assert bool(SYSTEM.sketch_front(at, None, reader)) == drawn
    found: list[Any] = [json.loads(SYSTEM.turn("standard", record).sketch(FRANCE, **more))["tried"]
                        for more in ({}, {"tried": True})]
    assert found == [False, True]
    assert SYSTEM.with_past("standard", OPEN, "", [START], FRANCE) == ""


def test_a_blank_board_begins_in_the_first_winter() -> None:
    for options, phase in (({"blank_board": "on"}, "F1900A"), ({}, "S1901M")):
        found = load_text(SYSTEM.initial_position("standard", options, DICE))
        assert (found.phase, bool(found.units)) == (parse_phase(phase), phase == "S1901M")
