"""Phases in which only powers without a player have something to decide."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig, squeeze_text, text_of

ENDS = {
    "EN": "No player has orders to give. The phase is adjudicated now.",
    "DE": "Kein Spieler hat Befehle zu geben. Die Phase wird jetzt ausgewertet.",
}
"""Announces the results of the next phase, which follow at once."""
GM, ANN, BOB, CAT = (f"{name}@example.org" for name in ("gm", "ann", "bob", "cat"))


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with Ann as Italy, about to dislodge a fleet of a vacant Austria."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Imarco annsecret")
    made.mail(BOB, "TAKEOVER Fmarco bobsecret")
    made.mail(ANN, "SIGNON Imarco annsecret\nA Ven - Tyr\nA Rom - Ven\nF Nap H")
    made.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS S1901M")
    made.mail(ANN, "SIGNON Imarco annsecret\nA Tyr S A Ven - Tri\nA Ven - Tri\nF Nap H")
    yield made
    made.close()


def phase_of(rig: Rig) -> str:
    """Return the phase of the game."""
    game = rig.application.games.find("marco")
    assert game
    return game.phase


@pytest.mark.parametrize(("lines", "phase"), [
    ("", "F1901A"),
    ("SET RETREAT DELAY 20m", "F1901A"),
    ("SET NMR WAIT", "F1901A"),
    ("SET ALWAYS WAIT", "F1901R"),
    ("SET RETREAT MIN 12", "F1901R"),
    ("SET HOLD", "F1901R"),
])
def test_vacant_phase_is_adjudicated_at_once(rig: Rig, lines: str, phase: str) -> None:
    rig.mail(GM, f"SIGNON Mmarco gmsecret\n{lines}\nPROCESS F1901M")
    assert phase_of(rig) == phase


@pytest.mark.parametrize("language", ["EN", "DE"])
def test_results_announce_that_the_next_follow_at_once(rig: Rig, language: str) -> None:
    rig.mail(ANN, f"SIGNON Imarco annsecret\nSET LANGUAGE {language}")
    rig.boxes.clear()
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS F1901M")
    for address in (ANN, GM):
        first = next(each for each in rig.boxes[address] if each["X-Judge-Kind"] == "results")
        text = squeeze_text(text_of(first))
        says = language == "DE" and address == ANN
        assert ENDS["DE" if says else "EN"] in text
        # The first line is ":: Deadline: F1901R Tue ..." in every letter.
        assert "Deadline: Tue" not in text and "Frist: " not in text


def test_phase_with_a_players_retreat_waits(rig: Rig) -> None:
    rig.mail(CAT, "TAKEOVER Amarco catsecret")
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPROCESS F1901M")
    assert phase_of(rig) == "F1901R"


def test_game_without_players_waits_for_its_deadline(rig: Rig) -> None:
    rig.mail(
        GM, "SIGNON Mmarco gmsecret\nEJECT Italy\nEJECT France\n"
        "Italy: A Tyr S A Ven - Tri\nItaly: A Ven - Tri\nPROCESS F1901M"
    )
    assert phase_of(rig) == "F1901R"
    rig.clock.advance(days=2)
    rig.run()
    assert phase_of(rig) == "F1901A"
