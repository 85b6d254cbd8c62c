"""A grace period chosen by the master keeps its length when the deadline moves."""

from collections.abc import Callable, Iterator
from datetime import timedelta

import pytest

from judge.model.record import GameRecord
from tests.journeys.rig import Rig, text_of

ANN, BOB, EVE, GM = "ann@example.org", "bob@example.org", "eve@example.org", "gm@example.org"
MASTER = "SIGNON Mlate gmsecret\n"
HOUR = timedelta(hours=1)


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game with a chosen grace period of 48 hours in its first phase.

    Other phases have 24 hours.
    """
    made = Rig()
    made.mail(GM, "CREATE ?late gmsecret standard\nSET EXCUSES 2\nSTART")
    made.mail(ANN, "TAKEOVER Flate annsecret")
    made.mail(BOB, "TAKEOVER Elate bobsecret")
    made.mail(GM, f"{MASTER}SET GRACE +24h")
    made.boxes.clear()
    yield made
    made.close()


def game(rig: Rig) -> GameRecord:
    found = rig.application.games.find("late")
    assert found
    return found


def wait(rig: Rig, hours: float) -> None:
    rig.clock.set(rig.clock.now() + hours * HOUR)
    rig.run()


def vote(rig: Rig, line: str) -> None:
    rig.mail(ANN, f"SIGNON Flate annsecret\n{line}")
    rig.mail(BOB, f"SIGNON Elate bobsecret\n{line}")


def pause(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}PAUSE")
    wait(rig, 30)
    rig.mail(GM, f"{MASTER}RESUME")


def pause_until(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}PAUSE UNTIL +30h")
    wait(rig, 31)


def freeze(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}FREEZE")
    wait(rig, 30)
    rig.mail(GM, f"{MASTER}UNFREEZE")


def newcomer(rig: Rig) -> None:
    wait(rig, 60)
    rig.mail(GM, f"{MASTER}EJECT F")
    rig.mail(EVE, "TAKEOVER Flate evesecret")


def in_the_grace(rig: Rig) -> None:
    wait(rig, 80)
    assert game(rig).clock.late
    rig.mail(GM, f"{MASTER}SET DEADLINE +30h")


def outage(rig: Rig) -> None:
    rig.resolving.record_awake(rig.clock.now())
    rig.clock.set(rig.clock.now() + 80 * HOUR)
    rig.resolving.record_awake(rig.clock.now())
    rig.run()


MOVES: dict[str, Callable[[Rig], object]] = {
    "deadline later": lambda rig: rig.mail(GM, f"{MASTER}SET DEADLINE +48h"),
    "deadline earlier": lambda rig: rig.mail(GM, f"{MASTER}SET DEADLINE 6 Jan 2026 12:00"),
    "deadline twice": lambda rig: rig.mail(GM, f"{MASTER}SET DEADLINE +4h\nSET DEADLINE +4h"),
    "in the grace": in_the_grace,
    "not before": lambda rig: rig.mail(GM, f"{MASTER}SET START +240h"),
    "vote to extend": lambda rig: vote(rig, "VOTE EXTEND 24h"),
    "pause": pause,
    "pause until": pause_until,
    "freeze": freeze,
    "newcomer": newcomer,
    "outage": outage,
    "excuse": lambda rig: rig.mail(ANN, "SIGNON Flate annsecret\nEXCUSE"),
}


@pytest.mark.parametrize("way", MOVES)
def test_chosen_grace_moves_with_the_deadline(rig: Rig, way: str) -> None:
    before = game(rig)
    assert before.deadline and before.grace_until == before.deadline + 48 * HOUR
    MOVES[way](rig)
    after = game(rig)
    assert after.deadline and after.deadline != before.deadline
    assert after.grace_until == after.deadline + 48 * HOUR
    until = f"Late orders count until {after.grace_until:%a} {after.grace_until.day} Jan 2026"
    for who in (GM, BOB):
        assert until in " ".join(text_of(rig.newest[who]).split()), who


def test_grace_of_the_next_phase_is_the_default(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}PROCESS S1901M")
    after = game(rig)
    assert after.phase == "F1901M" and after.deadline
    assert after.grace_until == after.deadline + 24 * HOUR
    rig.mail(GM, f"{MASTER}SET DEADLINE +48h")
    after = game(rig)
    assert after.deadline and after.grace_until == after.deadline + 24 * HOUR
    assert "Late orders count until" not in text_of(rig.newest[BOB])


def test_a_shorter_grace_keeps_its_length(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}SET GRACE 9 Jan 2026 00:00\nSET DEADLINE +48h")
    after = game(rig)
    assert after.deadline and after.grace_until == after.deadline + 12 * HOUR


def test_early_end_of_negotiation_keeps_the_chosen_grace() -> None:
    rig = Rig()
    rig.mail(GM, "CREATE ?late gmsecret standard\nSET HOUSE RULES\nSTART")
    rig.mail(ANN, "TAKEOVER Flate annsecret")
    rig.mail(GM, f"{MASTER}SET GRACE +24h")
    before = game(rig)
    rig.mail(ANN, "SIGNON Flate annsecret\nREADY")
    after = game(rig)
    assert before.deadline and before.grace_until and after.deadline
    assert after.deadline < before.deadline
    assert after.grace_until == after.deadline + (before.grace_until - before.deadline)
    rig.close()


def test_all_late_players_have_the_chosen_grace(rig: Rig) -> None:
    rig.mail(GM, f"{MASTER}SET FIRST TURN OFF\nSET DEADLINE +48h")
    wait(rig, 72 + 48 + 47)
    assert game(rig).phase == "S1901M" and game(rig).clock.late
    wait(rig, 2)
    assert game(rig).phase == "F1901M"
