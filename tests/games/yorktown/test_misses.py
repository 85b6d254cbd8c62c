"""Missed turns and the calendar of Yorktown, through whole mails."""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from judge.model.record import GameRecord, GameState, SeatState
from tests.games.yorktown import scripted
from tests.journeys.rig import Rig, text_of

GM, ANN, BOB = "gm@example.org", "ann@example.org", "bob@example.org"
FA, AP = "SIGNON FA@siege annsecret\n", "SIGNON AP@siege bobsecret\n"


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A judge with a game after one day, with a deadline two days away."""
    made = Rig()
    made.mail(GM, "CREATE ?siege gmsecret yorktown\nSET STEP NEXT 48 GRACE 12\nSET DAYS 10")
    made.mail(ANN, "JOIN siege annsecret\nSET PREFERENCE F")
    made.mail(BOB, "JOIN siege bobsecret")
    made.mail(BOB, AP + "done")
    made.mail(ANN, FA + "done")
    made.mail(ANN, FA + "ART 1 enters 2024\ndone")
    made.mail(BOB, AP + "done")
    yield made
    made.close()


def game(rig: Rig) -> GameRecord:
    """Return the game as stored."""
    found = rig.application.games.find("siege")
    assert found
    return found


def count_missed_turns(rig: Rig, power: str) -> tuple[int, SeatState]:
    """Return the number of turns missed by a power's seat, and its state."""
    seats = rig.application.games.seats(game(rig).id)
    seat = next(seat for seat in seats if seat.power.startswith(power))
    return seat.missed, seat.state


def let_pass(rig: Rig) -> None:
    """Advance past the deadline and the grace period of a step."""
    before = game(rig).phase
    for _ in range(40):
        if game(rig).phase != before:
            return
        rig.clock.set(rig.clock.now() + timedelta(hours=6))
        rig.run()


@pytest.mark.slow
def test_y91_power_is_lost_after_three_missed_turns(rig: Rig) -> None:
    seen = []
    for _ in range(3):
        while game(rig).phase.startswith("FA"):
            seen.append((game(rig).phase, count_missed_turns(rig, "F")))
            let_pass(rig)
            if count_missed_turns(rig, "F")[1] is SeatState.VACANT:
                break
        rig.mail(BOB, AP + "done")
    assert seen == [
        ("FA2F", (0, SeatState.OCCUPIED)), ("FA2M", (0, SeatState.OCCUPIED)),
        ("FA3F", (1, SeatState.OCCUPIED)), ("FA3M", (1, SeatState.OCCUPIED)),
        ("FA4F", (2, SeatState.OCCUPIED)), ("FA4M", (2, SeatState.OCCUPIED)),
    ]
    assert count_missed_turns(rig, "F")[1] is SeatState.VACANT


def test_turn_with_one_mail_is_not_missed(rig: Rig) -> None:
    let_pass(rig)
    let_pass(rig)
    rig.mail(BOB, AP + "done")
    assert (game(rig).phase, count_missed_turns(rig, "F")[0]) == ("FA3F", 1)
    rig.mail(ANN, FA + "done fire")
    while game(rig).phase.startswith("FA"):
        let_pass(rig)
    assert count_missed_turns(rig, "F")[0] == 0


def test_the_last_day_agrees_with_the_letter() -> None:
    found = scripted.play({"FA": scripted.idle, "AP": scripted.idle}, {"days": 10})
    assert str(found.position.moment) == "AP10M"


@pytest.mark.slow
def test_last_letter_names_the_last_day(rig: Rig) -> None:
    while game(rig).state is GameState.RUNNING:
        rig.mail(*((ANN, FA + "done") if game(rig).phase.startswith("FA") else (BOB, AP + "done")))
    (last,) = [each for each in rig.boxes[ANN] if each["X-Judge-Kind"] == "end"]
    told = text_of(last)
    assert "day 10, 7 October 1781, AP" in told and "day 11" not in told
