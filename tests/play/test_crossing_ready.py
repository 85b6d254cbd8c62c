"""A READY meant for the previous phase does not end the present one."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import timedelta

import pytest

from judge.config import Config, StoreSection
from tests.journeys.rig import Rig, squeeze_text, text_of

ANN = "ann@example.org"
SIGNON = "SIGNON EGY@polo annsecret"
TOO_SOON = "READY did not count"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game of Nations with one player, just after Turn 0."""
    config = Config(store=StoreSection("sqlite:///:memory:"))
    made = Rig(replace(config, policy=replace(config.policy, confirm="false")))
    made.mail(ANN, "CREATE ?polo annsecret nations1940\nSET PREFERENCE E\nSTART WITH BOTS")
    made.mail(ANN, f"{SIGNON}\nRESEARCH Sonar\nREADY")
    made.run()
    yield made
    made.close()


def phase(rig: Rig, name: str = "polo") -> str:
    """Return the phase of a game."""
    found = rig.application.games.find(name)
    assert found
    return found.phase


@pytest.mark.parametrize(("mail", "ends"), [
    ("READY", False),
    ("DROP\nREADY", False),
    ("MOVE 1 Cairo -> Palestine\nREADY", True),
])
def test_ready_in_the_moments_after_a_turn(rig: Rig, mail: str, ends: bool) -> None:
    assert phase(rig) == "T1"
    rig.mail(ANN, f"{SIGNON}\n{mail}")
    answer = squeeze_text(text_of(rig.newest[ANN]))
    assert (TOO_SOON in answer) is not ends
    rig.run()
    assert phase(rig) == ("T2" if ends else "T1")


def test_ready_in_a_reply_or_later_counts(rig: Rig) -> None:
    rig.mail(ANN, f"{SIGNON}\nREADY")
    rig.reply(ANN, "READY")
    rig.run()
    assert phase(rig) == "T2"
    rig.clock.set(rig.clock.now() + timedelta(minutes=2))
    rig.mail(ANN, f"{SIGNON}\nREADY")
    rig.run()
    assert phase(rig) == "T3"


def test_ready_in_a_reply_to_an_old_letter_does_not_count(rig: Rig) -> None:
    rig.mail(ANN, "CREATE ?marco annsecret standard\nSET PREFERENCE France\nSTART WITH BOTS")
    old = rig.newest[ANN]
    rig.mail(ANN, "SIGNON Fmarco annsecret\nREADY")
    rig.run()
    now = phase(rig, "marco")
    assert now != "S1901M"
    rig.reply(ANN, "READY", old)
    assert "You replied to a letter of an earlier phase" in squeeze_text(text_of(rig.newest[ANN]))
    rig.run()
    assert phase(rig, "marco") == now
