"""What another process does just before it is our turn to write is seen inside the transaction.

Two judges may work at one database, and cron may start one beside another. What one of them has
looked at before its transaction begins, the other may have done meanwhile.
"""

from collections.abc import Callable, Iterator
from contextlib import AbstractContextManager, contextmanager
from datetime import timedelta
from typing import Any, cast

import pytest

from judge.daemon import scheduling
from judge.daemon.reading import Reading
from judge.daemon.resolving import Resolving
from judge.daemon.scheduling import AHEAD
from judge.daemon.worker import Worker
from judge.model.command import Sheet
from judge.model.incoming import Arrival, Incoming
from judge.model.record import GameRecord, MailState, StoredMail
from judge.play.dispatcher import Desk
from tests.journeys.bench import Bench, squeezed, text_of

ANN, EVE, GM = "ann@example.org", "eve@example.org", "gm@example.org"
MOMENT = timedelta(seconds=1)
Deed = Callable[[], object]
ORDERS = "SIGNON Nmarco annsecret\nA Del - Kas"


@pytest.fixture(scope="module")
def begun() -> Iterator[Bench]:
    """A running game in which Ann plays India."""
    made = Bench()
    made.mail(GM, "CREATE ?marco gmsecret youngstown")
    made.mail(ANN, "JOIN marco annsecret\nSET PREFERENCE N")
    made.mail(GM, "SIGNON Mmarco gmsecret\nSTART")
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def meanwhile(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Has deeds done one by one, each just before the next transaction begins."""

    def before(*deeds: Deed) -> None:
        waiting = list(deeds)
        begin: Callable[[], AbstractContextManager[None]] = bench.works.store.transaction

        @contextmanager
        def transaction() -> Iterator[None]:
            if waiting and not bench.works.store.database.in_transaction():
                waiting.pop(0)()
            with begin():
                yield

        monkeypatch.setattr(bench.works.store, "transaction", transaction)

    return before


def nothing() -> None:
    """Leave one transaction alone."""


def other_judge(bench: Bench) -> Worker:
    """Return the desk of another process at the same database."""
    return Worker(bench.works, Resolving(bench.works))


def game_of(bench: Bench) -> GameRecord:
    game = bench.works.games.find("marco")
    assert game is not None and game.deadline is not None
    return game


def accept(bench: Bench, sender: str, text: str) -> int:
    """Have a mail accepted now and not worked; return its number."""
    bench.mails += 1
    head = f"From: {sender}\r\nMessage-ID: <{bench.mails}.m@x.org>\r\n\r\n"
    raw = (head + text.replace("\n", "\r\n") + "\r\n").encode()
    arrival = Arrival(raw, sender, (bench.config.judge.address,))
    return bench.works.post.accept([arrival], bench.clock.now())[0]


def state_of(bench: Bench, number: int) -> MailState:
    mail = bench.works.post.get(number)
    assert mail is not None
    return mail.state


def is_late(bench: Bench) -> bool:
    """Tell whether the deadline was attended to: somebody without orders was found late."""
    return game_of(bench).clock.late or game_of(bench).phase != "S1901M"


def at_deadline(bench: Bench, by: timedelta = MOMENT) -> None:
    """Let the deadline pass by so much, a second if nothing is said, and the resolver look."""
    deadline = game_of(bench).deadline
    assert deadline is not None
    bench.clock.set(deadline + by)
    bench.resolving.tick(bench.clock.now())


# --- a deadline waits for what came in time ---


def test_a_mail_of_the_very_instant_of_the_deadline_is_in_time(bench: Bench) -> None:
    deadline = game_of(bench).deadline
    assert deadline is not None
    bench.clock.set(deadline)
    accept(bench, ANN, ORDERS)
    at_deadline(bench)
    assert not is_late(bench)
    bench.run()
    assert is_late(bench), "nobody else has orders in"
    assert "India" in bench.works.games.orders(game_of(bench).id, "S1901M")


@pytest.mark.parametrize("most", [scheduling.MOST, AHEAD - 1])
def test_a_deadline_waits_for_a_mail_nobody_has_looked_at_yet(
    bench: Bench, monkeypatch: pytest.MonkeyPatch, most: int
) -> None:
    """So many came before it that it was not read ahead, or is not even in the list."""
    monkeypatch.setattr(scheduling, "MOST", most)
    for _ in range(AHEAD):
        accept(bench, EVE, "HELP")
    own = accept(bench, ANN, ORDERS)
    at_deadline(bench)
    assert not is_late(bench) and state_of(bench, own) is MailState.NEW


def test_a_deadline_waits_for_a_mail_that_cannot_be_read(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It may be for any game; when it is set aside the game goes on."""

    def fails(self: Reading, mail: StoredMail) -> tuple[Incoming, Sheet]:
        raise ZeroDivisionError

    monkeypatch.setattr(Reading, "read_whole", fails)
    accept(bench, ANN, ORDERS)
    at_deadline(bench)
    assert not is_late(bench)
    bench.run()
    assert is_late(bench)


def test_a_deadline_waits_for_a_mail_whose_commit_came_while_the_game_was_looked_for(
    bench: Bench, meanwhile: Callable[..., None]
) -> None:
    """Its instant was taken in time, inside a transaction that ended after the deadline."""
    deadline = game_of(bench).deadline
    assert deadline is not None

    def commit() -> None:
        bench.clock.set(deadline - MOMENT)
        accept(bench, ANN, ORDERS)
        bench.clock.set(deadline + MOMENT)

    meanwhile(commit)
    at_deadline(bench)
    assert not is_late(bench)


def test_a_game_whose_deadline_was_moved_meanwhile_is_left_alone(
    bench: Bench, meanwhile: Callable[..., None]
) -> None:
    deadline = game_of(bench).deadline
    assert deadline is not None

    def move() -> None:
        bench.clock.set(deadline - MOMENT)
        accept(bench, GM, "SIGNON Mmarco gmsecret\nSET DEADLINE +72h")
        assert other_judge(bench).step()
        bench.clock.set(deadline + MOMENT)

    meanwhile(move)
    bench.clock.set(deadline + MOMENT)
    assert bench.resolving.tick(bench.clock.now()) == 0, "there is nothing to attend to any more"
    assert game_of(bench).deadline == deadline + timedelta(days=3) and not is_late(bench)


def test_a_deadline_that_another_judge_attended_to_is_not_attended_to_again(
    bench: Bench, meanwhile: Callable[..., None]
) -> None:
    deadline = game_of(bench).deadline
    assert deadline is not None
    bench.clock.set(deadline + MOMENT)
    meanwhile(lambda: Resolving(bench.works).tick(bench.clock.now()))
    assert bench.resolving.tick(bench.clock.now()) == 0
    bench.run()
    kinds = [letter["X-Judge-Kind"] for letter in bench.boxes[ANN]]
    assert kinds == ["reminder"] and is_late(bench)


# --- a mail is worked once ---


def test_a_mail_that_two_judges_take_has_one_effect_and_one_answer(
    bench: Bench, meanwhile: Callable[..., None]
) -> None:
    other = other_judge(bench)
    number = accept(bench, ANN, ORDERS)
    meanwhile(other.step)
    assert bench.worker.step()
    assert state_of(bench, number) is MailState.DONE
    bench.run()
    assert [letter["X-Judge-Kind"] for letter in bench.boxes[ANN]] == ["receipt"]


def test_a_mail_another_judge_has_worked_is_not_set_aside_by_one_that_failed_on_it(
    bench: Bench, meanwhile: Callable[..., None], monkeypatch: pytest.MonkeyPatch
) -> None:
    """One that is older than its templates fails, say, while the new one beside it works."""
    real = Desk.handle
    failed: list[object] = []

    def handle(self: Desk, *given: object, **more: object) -> object:
        if not failed:
            failed.append(given)
            raise ZeroDivisionError
        return cast(Any, real)(self, *given, **more)

    monkeypatch.setattr(Desk, "handle", handle)
    other = other_judge(bench)
    number = accept(bench, ANN, ORDERS)
    meanwhile(nothing, other.step)
    assert bench.worker.step() and failed
    assert state_of(bench, number) is MailState.DONE
    bench.run()
    assert set(bench.boxes) == {ANN}, "nobody is told of a fault"
    assert "fault" not in squeezed(text_of(bench.letter(ANN, "receipt")))
