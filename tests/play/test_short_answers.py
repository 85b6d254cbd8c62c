"""Replies to lines that are almost right or too late."""

from collections.abc import Iterator

import pytest

from judge.model.record import GameRecord
from tests.journeys.rig import Rig, text_of

ANN, GM = "ann@example.org", "gm@example.org"
MASTER, FRANCE = "SIGNON Mmarco gmsecret\n", "SIGNON Fmarco annsecret\n"
HOLDS = "A Par H; A Mar H; F Bre H"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game with one player."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    yield made
    made.close()


def game(rig: Rig) -> GameRecord:
    found = rig.application.games.find("marco")
    assert found
    return found


def answer(rig: Rig, who: str, text: str) -> str:
    rig.mail(who, text)
    return " ".join(text_of(rig.newest[who]).split())


@pytest.mark.parametrize("who, line", [(ANN, FRANCE), (GM, MASTER), (ANN, f"{FRANCE}Hello there")])
def test_sign_on_to_a_finished_game_is_answered(rig: Rig, who: str, line: str) -> None:
    rig.mail(GM, f"{MASTER}TERMINATE marco S1901M")
    told = answer(rig, who, line)
    assert "'marco' is over, so there is nothing left to order. SUMMARY marco" in told


def test_become_with_extra_words_is_no_password(rig: Rig) -> None:
    told = answer(rig, GM, f"{MASTER}BECOME France now please")
    assert "password is a single word" not in told and "BECOME power" in told


@pytest.mark.parametrize(
    "map, power",
    [("standard", "austria"), ("youngstown", "austria"), ("nations1940", "britain"),
     ("yorktown", "franco-american")],
)
def test_power_choice_names_a_power_of_the_game(begun: Rig, map: str, power: str) -> None:
    name = f"c{map[:6]}"
    told = answer(begun, GM, f"CREATE ?{name} gmsecret {map}\nSET POWER CHOICE")
    assert f"JOIN {power}@{name} takes that power" in told
    told = answer(begun, "eve@example.org", f"JOIN {power}@{name} evesecret")
    assert "Not done" not in told


@pytest.mark.parametrize("line", ["SET NO ALWAYS WAIT", "SET ALWAYS WAIT OFF"])
def test_complete_orders_end_the_phase_without_always_wait(rig: Rig, line: str) -> None:
    rig.mail(GM, f"{MASTER}SET ALWAYS WAIT")
    rig.mail(ANN, FRANCE + HOLDS)
    assert game(rig).clock.early is None and game(rig).phase == "S1901M"
    rig.mail(GM, MASTER + line)
    assert game(rig).phase == "F1901M"


def test_always_wait_ends_an_early_deadline(rig: Rig) -> None:
    rig.mail("bob@example.org", "TAKEOVER Gmarco bobsecret")
    rig.mail(ANN, FRANCE + HOLDS)
    rig.mail("bob@example.org", "SIGNON Gmarco bobsecret\nA Ber H; A Mun H; F Kie H")
    assert game(rig).clock.early
    rig.mail(GM, f"{MASTER}SET ALWAYS WAIT")
    assert game(rig).clock.early is None


@pytest.mark.parametrize("label", ["Spring 1901 builds", "Fall 1901 builds"])
def test_a_season_before_builds_is_that_year(rig: Rig, label: str) -> None:
    rig.mail(GM, f"{MASTER}PROCESS S1901M")
    rig.mail(ANN, f"{FRANCE}A Mar - Spa")
    rig.mail(GM, f"{MASTER}PROCESS F1901M")
    assert game(rig).phase == "F1901A"
    assert "you built A MAR" in answer(rig, ANN, f"{FRANCE}{label}: build A Mar")


def test_name_of_a_later_phase_before_an_order_is_queried(rig: Rig) -> None:
    told = answer(rig, ANN, f"{FRANCE}F1901M: A Par - Bur\nS1901M: A Mar - Spa")
    assert "Send instead: PHASE F1901M A Par - Bur" in told
    assert "Army Marseilles -> Spain" in told and "Army Paris ->" not in told
    told = answer(rig, ANN, f"{FRANCE}PHASE F1901M\nFall 1901 moves: A Par - Bur")
    assert "Not done" not in told


def test_name_of_a_phase_without_a_sign_on_files_nothing(rig: Rig) -> None:
    told = answer(rig, "eve@example.org", "S1901M: A Par - Bur")
    assert "S1901M: A Par - Bur" in told
    assert "France" not in told
