"""A READY next to a refused order line waits.

A typing error costs no unit.
"""

from collections.abc import Iterator
from dataclasses import replace

import pytest

from judge.config import Config, StoreSection
from tests.journeys.rig import Rig, squeeze_text, text_of

ANN, BOB, GM = "ann@example.org", "bob@example.org", "gm@example.org"
WAITS = "You are not READY, because a line of this mail was refused."
READY = "You are READY"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game of Diplomacy with Ann as France, which waits for Bob as Germany."""
    config = Config(store=StoreSection("sqlite:///:memory:"))
    made = Rig(replace(config, policy=replace(config.policy, confirm="false")))
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    made.mail(BOB, "TAKEOVER Gmarco bobsecret")
    yield made
    made.close()


@pytest.mark.parametrize(("mail", "told", "untold"), [
    ("A Par - Bur\nREADY", READY, WAITS),
    ("A Par - Lon\nREADY", WAITS, READY),
    ("READY\nA Par - Lon", WAITS, READY),
    ("READY\nA Par - Lon\nREADY", WAITS, READY),
    ("READY\nSET NONSENSE", READY, WAITS),
    ("A Par - Lon\nNOT READY", "You are no longer READY", WAITS),
])
def test_ready_waits_next_to_a_refused_line(rig: Rig, mail: str, told: str, untold: str) -> None:
    rig.mail(ANN, f"SIGNON Fmarco annsecret\n{mail}")
    answer = squeeze_text(text_of(rig.newest[ANN]))
    assert told in answer and untold not in answer
    games = rig.application.games
    marco = games.find("marco")
    assert marco
    france = next(seat for seat in games.seats(marco.id) if seat.power == "France")
    assert france.ready is (told == READY)
