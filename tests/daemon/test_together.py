"""Batches of mails in one commit, on a database with a single writer."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any

import peewee
import pytest

from judge.daemon import worker as workers
from judge.daemon.worker import Worker
from judge.errors import StoreError, StoreTrouble
from judge.model.record import MailState
from judge.play.dispatcher import Dispatcher
from tests.daemon.test_turns import ANN, BOB, EVE, GM, game_of, is_new, post, running
from tests.journeys.rig import Rig, text_of

pytestmark = pytest.mark.sqlite


@pytest.fixture(scope="module")
def begun() -> Iterator[Rig]:
    """A running game with Ann as India and Bob as Japan, and an active worker."""
    made = running()
    made.boxes.clear()
    yield made
    made.close()


@pytest.fixture
def commits(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Recorder of commits since the worker began."""
    monkeypatch.setattr(rig.worker, "single_mails_left", 1)
    post(rig, "first@example.org", "HELP")
    assert rig.worker.work_batch() == 1
    monkeypatch.setattr(workers, "MAX_BATCH_SECONDS", 4 * 60)
    monkeypatch.setattr(rig.worker, "_seconds_per_mail", 60)
    found: list[str] = []
    commit: Callable[[Any], None] = peewee.SqliteDatabase.commit

    def noting(database: Any) -> None:
        found.append("commit")
        commit(database)

    monkeypatch.setattr(peewee.SqliteDatabase, "commit", noting)
    return found


def test_mails_of_a_commit_are_limited_by_its_time(rig: Rig, commits: list[str]) -> None:
    numbers = [post(rig, f"x{n}@example.org", "HELP") for n in range(7)]
    commits.clear()
    assert rig.worker.work_batch() == 5 and len(commits) == 1
    assert [is_new(rig, one) for one in numbers] == [False] * 5 + [True] * 2
    assert rig.worker._seconds_per_mail < 60, "it is measured"
    rig.worker._seconds_per_mail = 4 * 60 + 1
    assert (
        rig.worker.work_batch() == 1
        and rig.worker.work_batch() == 1
        and rig.worker.work_batch() == 0
    )
    rig.run()
    assert all(len(rig.boxes[f"x{n}@example.org"]) == 1 for n in range(7))


def test_number_of_cheap_mails_in_a_commit_is_limited(
    rig: Rig, commits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("judge.daemon.worker.time.thread_time", lambda: 0.0)
    post(rig, "x@example.org", "HELP")
    assert rig.worker.work_batch() == 1
    assert rig.worker._seconds_per_mail == workers.MIN_MAIL_SECONDS


def test_mails_are_worked_singly_after_the_storage_failed(
    rig: Rig, commits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    """The failure is then counted for the right mail."""
    numbers = [post(rig, one, "HELP") for one in (BOB, EVE, ANN)]
    finish = Worker._finish

    def failing(self: Worker, work: Any) -> Any:
        if work.mail.id == numbers[1]:
            raise StoreError("a row is damaged")
        return finish(self, work)

    monkeypatch.setattr(Worker, "_finish", failing)
    with pytest.raises(StoreError):
        rig.worker.work_batch()
    assert all(is_new(rig, one) for one in numbers) and rig.worker.single_mails_left == 3
    failures = 0
    while any(is_new(rig, one) for one in numbers):
        try:
            assert rig.worker.work_batch() == 1
        except StoreError:
            failures += 1
    assert failures == workers.MAX_TRIES - 1
    states = [rig.application.post.get(one) for one in numbers]
    assert [mail and mail.state for mail in states] == [
        MailState.DONE, MailState.SHUNTED, MailState.DONE
    ]


def test_mails_of_one_game_or_person_are_not_in_one_batch(rig: Rig, commits: list[str]) -> None:
    first = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    second = post(rig, ANN, "SIGNON Nmarco annsecret\nA Del H")
    same_game = post(rig, BOB, "SIGNON Jmarco bobsecret\nF Tok - NPa")
    other = post(rig, EVE, "HELP")
    assert rig.worker.work_batch() == 2
    assert not is_new(rig, first) and not is_new(rig, other)
    assert is_new(rig, second) and is_new(rig, same_game)
    while rig.worker.work_batch():
        pass
    assert "A DEL H" in rig.application.games.orders(1, "S1901M")["India"].upper()


def test_failing_mail_of_a_batch_is_shunted_alone(
    rig: Rig, commits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    handle = Dispatcher.handle

    def failing(self: Dispatcher, mail: Any, *given: Any, **more: Any) -> Any:
        if mail.sender == EVE:
            raise ZeroDivisionError("our own fault")
        return handle(self, mail, *given, **more)

    monkeypatch.setattr(Dispatcher, "handle", failing)
    numbers = [post(rig, one, "HELP") for one in (BOB, EVE, ANN)]
    assert rig.worker.work_batch() == 3
    states = [rig.application.post.get(one) for one in numbers]
    assert [mail and mail.state for mail in states] == [
        MailState.DONE, MailState.SHUNTED, MailState.DONE
    ]
    monkeypatch.undo()
    rig.run()
    assert [len([x for x in rig.boxes[one] if "HELP" in text_of(x)]) for one in (BOB, ANN)] == [
        1, 1
    ]


def test_batch_is_repeated_after_a_disk_failure(
    rig: Rig, commits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    numbers = [post(rig, one, "HELP") for one in (BOB, EVE, ANN)]

    def failing(database: Any) -> None:
        raise peewee.OperationalError("disk I/O error")

    with monkeypatch.context() as patch, pytest.raises(StoreTrouble):
        patch.setattr(peewee.SqliteDatabase, "commit", failing)
        rig.worker.work_batch()
    assert all(is_new(rig, one) for one in numbers)
    while rig.worker.work_batch():
        pass
    rig.run()
    assert [len(rig.boxes[one]) for one in (BOB, EVE, ANN)] == [1, 1, 1]


def test_mail_for_a_due_game_is_not_in_a_batch(
    rig: Rig, commits: list[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    game = game_of(rig)
    assert game.deadline is not None
    rig.clock.set(game.deadline + timedelta(seconds=1))
    other, own = post(rig, EVE, "HELP"), post(rig, ANN, "SIGNON Nmarco annsecret\nA Del - Kas")
    assert rig.worker.work_batch() == 1 and is_new(rig, own) and not is_new(rig, other)
    assert not game_of(rig).clock.late
    assert rig.worker.work_batch() == 1 and not is_new(rig, own)
    assert game_of(rig).clock.late


def test_the_first_mails_of_a_process_are_worked_alone(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The last process may have crashed over one of them."""
    monkeypatch.setattr(workers, "SINGLE_MAILS", 2)
    monkeypatch.setattr(workers, "MAX_BATCH_SECONDS", 600)
    fresh = Worker(rig.application, type(rig.resolving)(rig.application))
    assert [fresh.work_batch() for _ in range(3)] == [0, 0, 0], (
        "a look that finds nothing is no mail"
    )
    for one in (BOB, EVE, ANN, GM):
        post(rig, one, "HELP")
    assert [fresh.work_batch() for _ in range(3)] == [1, 1, 2]
