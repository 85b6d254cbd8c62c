"""Votes for a date: a pause with an end, a later deadline."""

from collections.abc import Iterator

import pytest

from judge.model.record import GameState
from tests.journeys.rig import Rig, squeeze_text, text_of

GM, ANN, BOB, CAT = (f"{name}@example.org" for name in ("gm", "ann", "bob", "cat"))
SEATS = {ANN: "SIGNON Fmarco annsecret", BOB: "SIGNON Gmarco bobsecret",
         CAT: "SIGNON Rmarco catsecret"}
PAUSED = "The players voted to pause 'marco' until Sat 10 Jan 2026, 20:00 (UTC)."


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A game of three players on Monday 5 January at noon, due on Thursday at noon."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    for address, signon in SEATS.items():
        made.mail(address, signon.replace("SIGNON", "TAKEOVER"))
    yield made
    made.close()


def send(rig: Rig, address: str, line: str) -> str:
    """Mail a line of a seat and return the reply."""
    rig.boxes.clear()
    rig.mail(address, f"{SEATS[address]}\n{line}")
    return squeeze_text(text_of(rig.letter(address)))


def state_of(rig: Rig) -> GameState:
    """Return the state of the game."""
    game = rig.application.games.find("marco")
    assert game
    return game.state


def test_voted_pause_ends_by_itself(rig: Rig) -> None:
    assert "VOTE PAUSE UNTIL 2026-01-10 20:00 UTC" in send(rig, ANN, "VOTE PAUSE UNTIL Sat 20:00")
    asked = squeeze_text(text_of(rig.letter(BOB)))
    assert "the clock stops until Sat 10 Jan 2026, 20:00 (UTC)" in asked
    line = "VOTE PAUSE UNTIL 2026-01-10 20:00 UTC"
    assert line in asked
    assert PAUSED in send(rig, BOB, line)
    assert PAUSED in squeeze_text(text_of(rig.letter(CAT)))
    rig.clock.advance(days=5)
    rig.run()
    assert state_of(rig) is GameState.PAUSED
    rig.clock.advance(hours=8)
    rig.run()
    assert state_of(rig) is GameState.RUNNING
    assert "is now Tue 13 Jan 2026, 20:00 (UTC)" in squeeze_text(text_of(rig.newest[CAT]))


@pytest.mark.parametrize(("first", "second", "until"), [
    ("", "UNTIL 12 Jan 20:00", "until Mon 12 Jan 2026, 20:00"),
    ("UNTIL 14 Jan 20:00", "12.1. 20 Uhr", "until Mon 12 Jan 2026, 20:00"),
    ("bis Montag 20 Uhr", "", "until Mon 12 Jan 2026, 20:00"),
    ("", "", "to pause 'marco'. The clock is stopped until VOTE RESUME"),
])
def test_vote_for_a_longer_pause_supports_a_shorter_one(
    rig: Rig, first: str, second: str, until: str
) -> None:
    send(rig, ANN, f"VOTE PAUSE {first}")
    assert until in send(rig, BOB, f"VOTE PAUSE {second}")


def test_vote_for_a_finished_pause_is_void(rig: Rig) -> None:
    send(rig, ANN, "VOTE PAUSE UNTIL tomorrow 12:30")
    rig.clock.advance(days=2)
    assert "1 of 3 has voted for it so far" in send(rig, BOB, "VOTE PAUSE")
    assert state_of(rig) is GameState.RUNNING


def test_vote_for_times_keeps_the_end_of_a_pause(rig: Rig) -> None:
    rig.mail(GM, "SIGNON Mmarco gmsecret\nPAUSE UNTIL +2d")
    for address in SEATS:
        send(rig, address, "VOTE CLOCK MOVE NEXT 48")
    rig.clock.advance(days=2)
    rig.run()
    assert state_of(rig) is GameState.RUNNING


@pytest.mark.parametrize(("line", "answer"), [
    ("VOTE PAUSE UNTIL yesterday", "That time has already passed."),
    ("VOTE PAUSE UNTIL +500d", "lasts at most 366 days"),
    ("VOTE PAUSE soon", "Write VOTE PAUSE alone, or with a date"),
    ("VOTE PAUSE now", "Write VOTE PAUSE alone, or with a date"),
    ("VOTE PAUSE UNTIL", "Write VOTE PAUSE alone, or with a date"),
    ("VOTE PAUSE UNTIL soon", 'I cannot read "soon" as a date.'),
    ("VOTE EXTEND UNTIL Fri 12:00", "VOTE EXTEND 24h"),
    ("VOTE EXTEND bis Freitag 12.30 Uhr", "VOTE EXTEND 24h30m"),
    ("VOTE EXTEND to 9 Jan 2026, 13:00 (Europe/Berlin)", "VOTE EXTEND 24h"),
    ("VOTE EXTEND by 2d", "VOTE EXTEND 48h"),
    ("VOTE EXTEND 100m", "VOTE EXTEND 1h40m"),
    ("VOTE EXTEND UNTIL tomorrow", "That is Tue 6 Jan 2026, 23:30 (UTC), not later than the"),
    ("VOTE EXTEND UNTIL 31.2.2026", "There is no such day. Write the date like"),
    ("VOTE EXTEND UNTIL 20 Jan", "by one hour to 7 days"),
])
def test_dates_in_votes_are_answered(rig: Rig, line: str, answer: str) -> None:
    assert answer in send(rig, ANN, line)


def test_extension_to_a_date_moves_the_deadline(rig: Rig) -> None:
    send(rig, ANN, "VOTE EXTEND UNTIL Fri 12:30")
    assert "is now Fri 9 Jan 2026, 12:30 (UTC)" in send(rig, BOB, "VOTE EXTEND UNTIL Fri 12:30")
