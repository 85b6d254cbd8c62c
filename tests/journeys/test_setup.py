"""A position set up and agreed to: what is in force then, and for whom."""

import re
from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.model.record import GameRecord, GameState
from tests.journeys.bench import Bench, squeezed, text_of

ANN, EVE, GM = "ann@example.org", "eve@example.org", "gm@example.org"
MASTER = "SIGNON Mfix gmsecret\n"
FRENCH = "SIGNON Ffix annsecret\n"
WINTER = "SETUP F1901A\nFrance: A Bur\nFrance centres: Par, Mar, Spa, Bre\nENDSETUP"


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A game that forms, by its master."""
    made = Bench()
    made.mail(GM, "CREATE ?fix gmsecret standard")
    yield made
    made.close()


def game(bench: Bench) -> GameRecord:
    found = bench.works.games.find("fix")
    assert found
    return found


def show(bench: Bench, block: str) -> str:
    """Send a block and return the line that agrees to what it makes."""
    bench.mail(GM, MASTER + block)
    found = re.search(r"SETUP [b-t]{6}\n", text_of(bench.newest[GM]).replace("\r", ""))
    assert found
    return found[0]


def test_what_is_agreed_to_is_in_force_and_told_to_all(bench: Bench) -> None:
    bench.mail(GM, f"{MASTER}START")
    bench.mail(ANN, "TAKEOVER Ffix annsecret")
    old = bench.newest[ANN]
    bench.mail(ANN, f"{FRENCH}A Par - Bur")
    line = show(bench, WINTER)
    assert game(bench).phase == "S1901M"
    bench.mail(GM, MASTER + line)
    told = text_of(bench.newest[ANN])
    assert "The master has set up the position of 'fix' anew, in F1901B." in told
    assert "France may build 3 units." in told and "BUILD" in told
    assert game(bench).phase == "F1901A" and game(bench).state is GameState.RUNNING
    bench.reply(ANN, "BUILD A Par", old)
    assert "of before the master of 'fix'" in text_of(bench.newest[ANN])
    bench.mail(ANN, f"{FRENCH}BUILD A Par\nBUILD F Bre\nWAIVE")
    assert game(bench).phase == "S1902M"
    bench.mail(EVE, "HISTORY fix")
    assert "set up the position of 'fix' anew" in text_of(bench.newest[EVE])


def test_the_word_counts_once_and_not_after_the_game_went_on(bench: Bench) -> None:
    bench.mail(GM, f"{MASTER}START")
    line = show(bench, WINTER)
    bench.mail(GM, f"{MASTER}PROCESS S1901M")
    bench.mail(GM, MASTER + line)
    assert "No position of 'fix' waits for that word" in text_of(bench.newest[GM])
    line = show(bench, WINTER)
    bench.mail(GM, MASTER + line + line)
    assert game(bench).branch == 1 and game(bench).phase == "F1901A"


def test_the_word_is_the_masters_and_cannot_be_worked_out_from_the_position(bench: Bench) -> None:
    """Who reads it in the log of a blind game could try positions until one has the word."""
    bench.mail(GM, f"{MASTER}START")
    bench.mail(ANN, "TAKEOVER Ffix annsecret")
    line = show(bench, WINTER)
    bench.works.games.save(replace(game(bench), seed=bytes(32)))
    assert show(bench, WINTER) != line, "the game's secret is in it"
    line = show(bench, WINTER)
    bench.mail(GM, MASTER + line)
    bench.mail(ANN, f"{FRENCH}LOG fix\nHISTORY fix\nEXPORT fix")
    letters = [squeezed(text_of(one)) for one in bench.boxes[ANN]]
    assert any("The master: SETUP" in one for one in letters)
    assert line.split()[1] not in " ".join(letters)


def test_a_phase_that_stays_keeps_its_deadline(bench: Bench) -> None:
    bench.mail(GM, f"{MASTER}START\nPAUSE")
    before = game(bench).deadline
    bench.mail(GM, MASTER + show(bench, "SETUP\nFrance: A Bur\nENDSETUP"))
    assert game(bench).deadline == before and game(bench).state is GameState.PAUSED


def test_a_game_may_begin_from_another_position(bench: Bench) -> None:
    bench.mail(GM, MASTER + show(bench, "SETUP F1905M\nFrance: A Bur, A Gas\nENDSETUP"))
    assert game(bench).state is GameState.FORMING
    bench.mail(GM, f"{MASTER}START")
    assert game(bench).phase == "F1905M"
    assert "Army Burgundy, Army Gascony." in text_of(bench.newest[GM])
    bench.mail(GM, f"{MASTER}PROCESS F1905M")
    assert game(bench).phase == "F1905A"
