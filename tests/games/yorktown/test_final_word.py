"""A `done` that fails in the trial, through whole mails: it is never played."""

from collections.abc import Iterator

import pytest

from tests.journeys.rig import Rig, text_of

GM, ANN, BOB = "gm@example.org", "ann@example.org", "bob@example.org"
FA, AP = "SIGNON FA@siege annsecret\n", "SIGNON AP@siege bobsecret\n"
CLASH = "INF 14: 1403\nINF 15: 1403\n"
"""Two units go to one hex."""


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A judge with a game on the morning of the first day, in the FIRE step."""
    made = Rig()
    made.mail(GM, "CREATE ?siege gmsecret yorktown\nSET DAYS 10")
    made.mail(ANN, "JOIN siege annsecret\nSET PREFERENCE F")
    made.mail(BOB, "JOIN siege bobsecret")
    made.mail(BOB, AP + "done")
    made.mail(ANN, FA + "INF 14 at 1404\nINF 15 at 1504\ndone")
    yield made
    made.close()


@pytest.fixture
def rig(begun: Rig) -> Iterator[Rig]:
    """A copy of that judge for one test."""
    made = begun.again()
    yield made
    made.close()


def phase(rig: Rig) -> str:
    """Return the step that the game waits for."""
    found = rig.application.games.find("siege")
    assert found
    return found.phase


def receipt(rig: Rig, lines: str) -> str:
    """Return the receipt of a mail of the Franco-American player."""
    rig.mail(ANN, FA + lines)
    return " ".join(text_of(rig.newest[ANN]).split())


@pytest.mark.parametrize("mails", [
    [CLASH + "done"],
    [CLASH + "done", "DROP"],
    [CLASH + "done", "DROP", CLASH + "done"],
    [CLASH + "done", "DROP\n" + CLASH + "done"],
    [CLASH + "done", "DROP", "add\nINF 14 face N\ncancel INF 14\n" + CLASH + "done"],
])
def test_done_that_fails_in_the_trial_never_plays(rig: Rig, mails: list[str]) -> None:
    before = phase(rig)
    for mail in mails:
        told = receipt(rig, mail)
        if "done" in mail:
            assert "Tried without dice, 1 order does not do what it says." in told
            assert "did not understand" not in told
        assert phase(rig) == before


def test_done_alone_plays_orders_that_fail(rig: Rig) -> None:
    before = phase(rig)
    receipt(rig, CLASH + "done")
    receipt(rig, "done")
    assert phase(rig) != before
