"""Changes by another process just before a transaction begins are seen in it.

Two judges may work on one database, and cron may start one next to another. State that one of them
read before its transaction may have been changed by the other. (On PostgreSQL, locks prevent this
before the read: test_side_by_side.)
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta

import pytest

from judge.daemon import mail_scheduler
from judge.daemon.mail_reader import MailReader
from judge.daemon.mail_scheduler import READ_AHEAD
from judge.daemon.resolver_loop import ResolverLoop
from judge.daemon.worker import Worker
from judge.model.command import ParsedMail
from judge.model.incoming import Arrival, Incoming
from judge.model.record import GameRecord, MailState, StoredMail
from tests.journeys.rig import Rig

ANN, EVE, GM = "ann@example.org", "eve@example.org", "gm@example.org"
MOMENT = timedelta(seconds=1)
Deed = Callable[[], object]
ORDERS = "SIGNON Nmarco annsecret\nA Del - Kas"


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game in which Ann plays India."""
    made = Rig()
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def meanwhile(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Function that runs each of its arguments before one transaction to come."""

    # A judge reads some state once, at its start.
    rig.resolving.tick(rig.clock.now())

    def before(*deeds: Deed) -> None:
        waiting = list(deeds)
        begin: Callable[..., AbstractContextManager[None]] = rig.application.store.transaction

        @contextmanager
        def begun(*kind: str) -> Iterator[None]:
            if waiting and not rig.application.store.database.in_transaction():
                waiting.pop(0)()
            with begin(*kind):
                yield

        monkeypatch.setattr(rig.application.store, "transaction", begun)

    return before


def nothing() -> None:
    """Do nothing before one transaction."""


def other_judge(rig: Rig) -> Worker:
    """Return the worker of another process on the same database."""
    return Worker(rig.application, ResolverLoop(rig.application))


def game_of(rig: Rig) -> GameRecord:
    game = rig.application.games.find("marco")
    assert game is not None and game.deadline is not None
    return game


def accept(rig: Rig, sender: str, text: str) -> int:
    """Accept a mail without processing it and return its number."""
    rig.mails += 1
    head = f"From: {sender}\r\nMessage-ID: <{rig.mails}.m@x.org>\r\n\r\n"
    raw = (head + text.replace("\n", "\r\n") + "\r\n").encode()
    arrival = Arrival(raw, sender, (rig.config.judge.address,))
    return rig.application.post.accept([arrival], rig.clock.now())[0]


def state_of(rig: Rig, number: int) -> MailState:
    mail = rig.application.post.get(number)
    assert mail is not None
    return mail.state


def is_late(rig: Rig) -> bool:
    """Return whether the deadline was processed.

    A player without orders was then late.
    """
    return game_of(rig).clock.late or game_of(rig).phase != "S1901M"


def at_deadline(rig: Rig, by: timedelta = MOMENT) -> None:
    """Move the clock *by* after the deadline and run the resolver once."""
    deadline = game_of(rig).deadline
    assert deadline is not None
    rig.clock.set(deadline + by)
    rig.resolving.tick(rig.clock.now())


# --- a deadline waits for mails that came in time ---


def test_a_mail_of_the_very_instant_of_the_deadline_is_in_time(rig: Rig) -> None:
    deadline = game_of(rig).deadline
    assert deadline is not None
    rig.clock.set(deadline)
    accept(rig, ANN, ORDERS)
    at_deadline(rig)
    assert not is_late(rig)
    rig.run()
    assert is_late(rig), "nobody else has orders in"
    assert "India" in rig.application.games.orders(game_of(rig).id, "S1901M")


@pytest.mark.parametrize("most", [mail_scheduler.MAX_EXAMINED, READ_AHEAD - 1])
def test_deadline_waits_for_a_mail_that_is_not_read_yet(
    rig: Rig, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """The mails before it exceed the read-ahead, or the list of pending mails."""
    monkeypatch.setattr(mail_scheduler, "MAX_EXAMINED", most)
    for _ in range(READ_AHEAD):
        accept(rig, EVE, "HELP")
    own = accept(rig, ANN, ORDERS)
    at_deadline(rig)
    assert not is_late(rig) and state_of(rig, own) is MailState.NEW


def test_a_deadline_waits_for_a_mail_that_cannot_be_read(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be for any game. When it is shunted, the game goes on."""

    def fails(self: MailReader, mail: StoredMail) -> tuple[Incoming, ParsedMail]:
        raise ZeroDivisionError

    monkeypatch.setattr(MailReader, "read_whole", fails)
    accept(rig, ANN, ORDERS)
    at_deadline(rig)
    assert not is_late(rig)
    rig.run()
    assert is_late(rig)


@pytest.mark.sqlite
def test_deadline_waits_for_a_mail_committed_after_it(
    rig: Rig, meanwhile: Callable[..., None]
) -> None:
    """Its instant is before the deadline, but its transaction ended after it."""
    deadline = game_of(rig).deadline
    assert deadline is not None

    def commit() -> None:
        rig.clock.set(deadline - MOMENT)
        accept(rig, ANN, ORDERS)
        rig.clock.set(deadline + MOMENT)

    meanwhile(commit)
    at_deadline(rig)
    assert not is_late(rig)


@pytest.mark.sqlite
def test_game_whose_deadline_just_moved_is_not_advanced(
    rig: Rig, meanwhile: Callable[..., None]
) -> None:
    deadline = game_of(rig).deadline
    assert deadline is not None

    def move() -> None:
        rig.clock.set(deadline - MOMENT)
        accept(rig, GM, "SIGNON Mmarco gmsecret\nSET DEADLINE +72h")
        assert other_judge(rig).work_one()
        rig.clock.set(deadline + MOMENT)

    meanwhile(move)
    rig.clock.set(deadline + MOMENT)
    assert rig.resolving.tick(rig.clock.now()) == 0, "there is nothing to attend to any more"
    assert game_of(rig).deadline == deadline + timedelta(days=3) and not is_late(rig)


@pytest.mark.sqlite
def test_deadline_processed_by_another_judge_is_not_repeated(
    rig: Rig, meanwhile: Callable[..., None]
) -> None:
    deadline = game_of(rig).deadline
    assert deadline is not None
    rig.clock.set(deadline + MOMENT)
    meanwhile(lambda: ResolverLoop(rig.application).tick(rig.clock.now()))
    assert rig.resolving.tick(rig.clock.now()) == 0
    rig.run()
    kinds = [letter["X-Judge-Kind"] for letter in rig.boxes[ANN]]
    assert kinds == ["reminder"] and is_late(rig)


# --- a mail is processed once ---


@pytest.mark.sqlite
def test_mail_taken_by_two_judges_has_one_effect_and_one_reply(
    rig: Rig, meanwhile: Callable[..., None]
) -> None:
    other = other_judge(rig)
    number = accept(rig, ANN, ORDERS)
    # Before the first transaction a worker counts the mails it begins.
    meanwhile(nothing, other.work_one)
    assert rig.worker.work_one()
    assert state_of(rig, number) is MailState.DONE
    rig.run()
    assert [letter["X-Judge-Kind"] for letter in rig.boxes[ANN]] == ["receipt"]
