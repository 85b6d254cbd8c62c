"""Bots in games by mail: repeatable orders, limited sight and no waiting.

Files of games name the bots.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from judge.board.map import ARMY, Unit
from judge.dice import Dice
from judge.games.capabilities import Bots, with_capability
from judge.games.diplomacy import SYSTEM
from judge.games.diplomacy.views.record import dump_text, load_text
from judge.model.record import GameRecord, GameState, Turn
from judge.play.archive.gamefile import archive_stored, write_archive
from tests.journeys.rig import Rig

ANN, GM = "ann@example.org", "gm@example.org"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with Ann as France against bots."""
    made = Rig()
    made.mail(ANN, "CREATE ?solo annsecret standard\nSET PREFERENCE F\nSTART WITH BOTS")
    made.mail(ANN, "SIGNON Fsolo annsecret\nSET FORMAT TEXT")
    yield made
    made.close()


def find_game(rig: Rig) -> GameRecord:
    game = rig.application.games.find("solo")
    assert game
    return game


def turns(rig: Rig) -> list[Turn]:
    return rig.application.games.turns(find_game(rig).id)


def play(rig: Rig, phases: int) -> None:
    """Adjudicate phases, with or without Ann's orders."""
    for _ in range(phases):
        rig.mail(ANN, f"SIGNON Msolo annsecret\nPROCESS {find_game(rig).phase}")


def test_a_rolled_back_phase_has_the_same_orders_of_bots(rig: Rig) -> None:
    play(rig, 2)
    before = turns(rig)
    assert all(len(turn.orders) >= 5 for turn in before[:1])
    rig.mail(ANN, f"SIGNON Msolo annsecret\nROLLBACK solo {find_game(rig).phase} TO S1901M")
    assert turns(rig) == []
    play(rig, 2)
    assert [turn.orders for turn in turns(rig)] == [turn.orders for turn in before]


def test_an_archived_game_has_the_bots_with_their_orders(rig: Rig) -> None:
    play(rig, 1)
    told = write_archive(archive_stored(rig.application.games, find_game(rig)))
    bots = ["Austria", "England", "Germany", "Italy", "Russia", "Turkey"]
    assert json.loads(told)["bots"] == bots
    assert json.loads(told)["turns"][0]["orders"] == turns(rig)[0].orders


def test_phases_of_bots_alone_are_adjudicated_at_once(rig: Rig) -> None:
    """Ann's units only hold, and only her movement phases wait for her."""
    seen = []
    for _ in range(4):
        assert find_game(rig).state is GameState.RUNNING
        seen.append(find_game(rig).phase)
        rig.mail(ANN, "SIGNON Fsolo annsecret\nA Par H; A Mar H; F Bre H\nREADY")
        rig.clock.set(rig.clock.now() + timedelta(minutes=1))
        rig.run()
    played = [turn.phase for turn in turns(rig)]
    assert len(played) > len(seen) and played[: len(seen)] != seen


def test_a_bot_of_a_blind_game_sees_only_its_powers_view() -> None:
    blind = {"blind": True}
    opened = load_text(SYSTEM.initial_position("standard", blind, Dice(bytes(32), 0)))
    hidden = {**opened.units, "Turkey": (Unit(ARMY, "Smy"),), "Russia": (Unit(ARMY, "Mos"),)}
    sheets = {
        with_capability(
            SYSTEM.table("standard", dump_text(replace(opened, units=units)), blind), Bots
        ).bot_sheet("England", "", Dice(bytes(32), 1))
        for units in (opened.units, hidden)
    }
    assert len(sheets) == 1


def test_orders_on_file_count_before_a_bots_orders() -> None:
    table = with_capability(
        SYSTEM.table("standard", SYSTEM.initial_position("standard", {}, Dice(b"", 0)), {}), Bots
    )
    sheet = table.bot_sheet("France", '["A PAR H"]', Dice(bytes(32), 1))
    assert "A PAR H" in json.loads(sheet) and len(json.loads(sheet)) == 3
