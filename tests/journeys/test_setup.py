"""A confirmed SETUP position: its effects, and who is informed."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.model.record import GameRecord, GameState
from tests.journeys.rig import Rig, squeeze_text, text_of

ANN, EVE, GM = "ann@example.org", "eve@example.org", "gm@example.org"
MASTER = "SIGNON Mfix gmsecret\n"
FRENCH = "SIGNON Ffix annsecret\n"
WINTER = "SETUP F1901A\nFrance: A Bur\nFrance centres: Par, Mar, Spa, Bre\nENDSETUP"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A forming game."""
    made = Rig()
    made.mail(GM, "CREATE ?fix gmsecret standard")
    yield made
    made.close()


def game(rig: Rig) -> GameRecord:
    found = rig.application.games.find("fix")
    assert found
    return found


def show(rig: Rig, block: str) -> str:
    """Send a block and return the line that confirms its position."""
    rig.mail(GM, MASTER + block)
    found = re.search(r"SETUP [b-t]{6}\n", text_of(rig.newest[GM]).replace("\r", ""))
    assert found
    return found[0]


def test_a_confirmed_position_is_valid_and_announced(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}START")
    rig.mail(ANN, "TAKEOVER Ffix annsecret")
    old = rig.newest[ANN]
    rig.mail(ANN, f"{FRENCH}A Par - Bur")
    line = show(rig, WINTER)
    assert game(rig).phase == "S1901M"
    rig.mail(GM, MASTER + line)
    told = text_of(rig.newest[ANN])
    assert "The master has set up a new position of 'fix', in F1901A." in told
    assert "France may build 3 units." in told and "BUILD" in told
    assert game(rig).phase == "F1901A" and game(rig).state is GameState.RUNNING
    rig.reply(ANN, "BUILD A Par", old)
    assert "changed the position after the letter" in " ".join(text_of(rig.newest[ANN]).split())
    rig.mail(ANN, f"{FRENCH}BUILD A Par\nBUILD F Bre\nWAIVE")
    assert game(rig).phase == "S1902M"
    rig.mail(EVE, "HISTORY fix")
    assert "set up a new position of 'fix'" in text_of(rig.newest[EVE])


def test_the_word_is_valid_once_and_for_its_phase(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}START")
    line = show(rig, WINTER)
    rig.mail(GM, f"{MASTER}PROCESS S1901M")
    rig.mail(GM, MASTER + line)
    assert "No position of 'fix' is waiting for that word" in text_of(rig.newest[GM])
    line = show(rig, WINTER)
    rig.mail(GM, MASTER + line + line)
    assert game(rig).branch == 1 and game(rig).phase == "F1901A"


def test_the_word_is_secret_and_not_derived_from_the_position(rig: Rig) -> None:
    """Otherwise a reader of a blind game's log could find the position by its word."""
    rig.mail(GM, f"{MASTER}START")
    rig.mail(ANN, "TAKEOVER Ffix annsecret")
    line = show(rig, WINTER)
    rig.application.games.save(replace(game(rig), seed=bytes(32)))
    assert show(rig, WINTER) != line, "the game's secret is in it"
    line = show(rig, WINTER)
    rig.mail(GM, MASTER + line)
    rig.mail(ANN, f"{FRENCH}LOG fix\nHISTORY fix\nEXPORT fix")
    letters = [squeeze_text(text_of(one)) for one in rig.boxes[ANN]]
    assert any("The master: SETUP" in one for one in letters)
    assert line.split()[1] not in " ".join(letters)


def test_an_unchanged_phase_keeps_its_deadline(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}START\nPAUSE")
    before = game(rig).deadline
    rig.mail(GM, MASTER + show(rig, "SETUP\nFrance: A Bur\nENDSETUP"))
    assert game(rig).deadline == before and game(rig).state is GameState.PAUSED


def test_a_game_may_start_from_another_position(rig: Rig) -> None:
    rig.mail(GM, MASTER + show(rig, "SETUP F1905M\nFrance: A Bur, A Gas\nENDSETUP"))
    assert game(rig).state is GameState.FORMING
    rig.mail(GM, f"{MASTER}START")
    assert game(rig).phase == "F1905M"
    assert "A Burgundy, A Gascony;" in text_of(rig.newest[GM])
    rig.mail(GM, f"{MASTER}PROCESS F1905M")
    assert game(rig).phase == "F1905A"
