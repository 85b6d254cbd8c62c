"""Deadlines of games whose mail is fetched from a mailbox."""

from collections.abc import Iterator
from dataclasses import replace
from datetime import datetime, timedelta

import pytest

from judge.config import Config, FetchSection, StoreSection
from judge.model.incoming import Arrival
from judge.play.resolver import OUTAGE
from judge.store.mailboxes import Mailboxes
from tests.journeys.rig import Rig, text_of
from tests.journeys.sent import mail_of

GM, ANN = "gm@example.org", "ann@example.org"
BOX = "judge@localhost/INBOX"
SECOND, MINUTE = timedelta(seconds=1), timedelta(minutes=1)


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game with one player, and a mailbox that was looked at just now."""
    fetch = FetchSection("imap://judge@localhost/INBOX")
    made = Rig(Config(store=StoreSection("sqlite:///:memory:"), fetch=fetch))
    made.mail(GM, "CREATE ?marco gmsecret standard\nSTART")
    made.mail(ANN, "TAKEOVER Fmarco annsecret")
    look(made)
    made.boxes.clear()
    yield made
    made.close()


def look(rig: Rig, at: datetime | None = None) -> None:
    """Record a complete look, and process what is due."""
    boxes = Mailboxes(rig.application.store)
    boxes.record_look(BOX, at or rig.clock.now(), 0, OUTAGE)
    rig.run()


def phase_of(rig: Rig) -> str:
    game = rig.application.games.find("marco")
    assert game is not None
    return game.phase


def deadline_of(rig: Rig) -> datetime:
    """Return the last deadline of the game, after grace."""
    game = rig.application.games.find("marco")
    assert game is not None and game.deadline is not None
    return game.grace_until if game.clock.late and game.grace_until else game.deadline


def fetch(rig: Rig, came: datetime, text: str) -> None:
    """Store a mail that came into the mailbox at an instant."""
    raw = mail_of({"From": ANN, "To": "judge@localhost", "Message-ID": f"<{came}@x>"}, text)
    arrival = Arrival(raw, ANN, ("judge@localhost",))
    rig.application.post.accept([replace(arrival, came=came)], rig.clock.now())


ORDERS = "SIGNON Fmarco annsecret\nA Par H\nA Mar H\nF Bre H\n"


def pass_deadline(rig: Rig, late: timedelta = MINUTE) -> datetime:
    """Pass the deadline, with a last look a minute before it. Return the deadline."""
    deadline = deadline_of(rig)
    rig.clock.set(deadline - MINUTE)
    # Looks went on until then.
    boxes = Mailboxes(rig.application.store)
    state = boxes.state(BOX)
    rig.application.store.update_sql(
        "UPDATE mailboxes SET looked = NULL WHERE box = ?", (state.box,)
    )
    look(rig)
    rig.clock.set(deadline + late)
    rig.run()
    return deadline


def test_game_waits_for_the_next_look(rig: Rig) -> None:
    deadline = pass_deadline(rig)
    assert phase_of(rig) == "S1901M"
    look(rig, deadline - SECOND)
    assert phase_of(rig) == "S1901M"
    look(rig, deadline)
    assert phase_of(rig) != "S1901M" or deadline_of(rig) > deadline
    assert not any("was offline" in text_of(x) for box in rig.boxes.values() for x in box)


def test_waiting_game_does_not_wake_the_resolver(rig: Rig) -> None:
    """The next complete look does."""
    before = rig.resolving.next_due(rig.clock.now())
    assert before is not None and before > rig.clock.now()
    deadline = pass_deadline(rig)
    assert rig.resolving.next_due(rig.clock.now()) is None
    boxes = Mailboxes(rig.application.store)
    boxes.record_look(BOX, deadline, 0, OUTAGE)
    due = rig.resolving.next_due(rig.clock.now())
    assert due is not None and due <= deadline


def test_game_waits_before_the_first_look(rig: Rig) -> None:
    pass_deadline(rig)
    rig.application.store.update_sql("DELETE FROM mailboxes", ())
    rig.run()
    assert phase_of(rig) == "S1901M"


def test_orders_delivered_in_time_count(rig: Rig) -> None:
    deadline = pass_deadline(rig, 10 * MINUTE)
    fetch(rig, deadline - 6 * SECOND, ORDERS)
    look(rig)
    assert phase_of(rig) == "F1901M"
    assert not any("was offline" in text_of(x) for x in rig.boxes[ANN])


@pytest.mark.parametrize("away, is_moved", [(10 * MINUTE, False), (20 * MINUTE, True)])
def test_long_absence_of_the_mailbox_moves_deadlines(
    rig: Rig, away: timedelta, is_moved: bool
) -> None:
    deadline = pass_deadline(rig, away)
    game = rig.application.games.find("marco")
    assert game is not None
    look(rig)
    told = [text_of(x) for x in rig.boxes.get(ANN, ())]
    assert any("was offline" in text for text in told) == is_moved
    if is_moved:
        assert phase_of(rig) == "S1901M"
        assert deadline_of(rig) == deadline + away + timedelta(hours=1)
        rig.run()
        assert deadline_of(rig) == deadline + away + timedelta(hours=1)


def test_complete_phase_is_played_after_an_absence(rig: Rig) -> None:
    deadline = pass_deadline(rig, timedelta(hours=5))
    fetch(rig, deadline - 6 * SECOND, ORDERS)
    look(rig)
    assert phase_of(rig) == "F1901M"
    assert not any("was offline" in text_of(x) for x in rig.boxes[ANN])


def deeds(rig: Rig) -> list[str]:
    found = rig.application.store.select_sql("SELECT deed FROM conduct ORDER BY at", ())
    return [deed for (deed,) in found if deed != "took over"]


@pytest.mark.parametrize("came, deed", [(-6, "on time"), (3, "late")])
def test_mail_after_the_deadline_is_late(rig: Rig, came: int, deed: str) -> None:
    game = rig.application.games.find("marco")
    assert game is not None and game.deadline is not None
    rig.clock.set(game.deadline - MINUTE)
    rig.application.store.update_sql("UPDATE mailboxes SET looked = NULL", ())
    look(rig)
    rig.clock.set(game.deadline + MINUTE)
    fetch(rig, game.deadline + came * SECOND, ORDERS)
    # The worker may come before the look is complete.
    rig.run()
    assert deeds(rig) == []
    assert bool(rig.application.post.waiting(1)) == (came > 0)
    look(rig)
    rig.run()
    assert not rig.application.post.waiting(1)
    assert deeds(rig) == [deed]
    assert phase_of(rig) == "F1901M"


def test_mail_about_other_things_waits_for_no_look(rig: Rig) -> None:
    deadline = pass_deadline(rig)
    for text in ("HELP", "LIST"):
        raw = mail_of({"From": "eve@example.org", "To": "judge@localhost"}, text)
        arrival = Arrival(raw, "eve@example.org", ("judge@localhost",))
        rig.application.post.accept([replace(arrival, came=deadline + SECOND)], rig.clock.now())
    rig.run()
    assert not rig.application.post.waiting(1)
