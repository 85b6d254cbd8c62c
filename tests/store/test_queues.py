"""The queues from the operator's view: reports, retries and drops."""

from dataclasses import replace
from datetime import timedelta

import pytest

from judge.model.record import DeliveryState, GameRecord, GameState, MailState
from judge.store.database import Store
from judge.store.games import Games
from judge.store.mail_queues import Post
from judge.store.queue_report import Queues, Waiting, count, list_schedule
from tests.outbox import due_out, last_out
from tests.store.conftest import START
from tests.store.test_post import MINUTE, NOW, arrival, outgoing

DAY = timedelta(days=1)


def test_waiting_items_are_counted_with_the_oldest(store: Store) -> None:
    post, queues = Post(store), Queues(store)
    assert queues.waiting() == Waiting(0, None, 0, None, 0, 0)
    for minutes in (0, 1, 2):
        post.accept([arrival(b"%d" % minutes)], NOW + minutes * MINUTE)
        post.queue(outgoing(queued=NOW + minutes * MINUTE, waits=minutes == 2))
    post.finish(1, MailState.DONE, "", NOW)
    post.mark_sent(1, NOW)
    post.schedule_retry(2, NOW + DAY, "451")
    assert queues.waiting() == Waiting(2, NOW + MINUTE, 2, NOW + MINUTE, 1, 1)
    assert [mail.id for mail in queues.mails(MailState.NEW, 9)] == [2, 3]
    assert [mail.id for mail in queues.mails(MailState.NEW, 1)] == [2]


def test_letters_are_listed_by_due_time_or_last_failure(store: Store) -> None:
    post, queues = Post(store), Queues(store)
    for minutes in (3, 1, 2, 0, 0):
        post.queue(outgoing(due=NOW + minutes * MINUTE))
    for number in (4, 5):
        post.mark_failed(number, "550", NOW)
    assert [one.id for one in queues.letters(DeliveryState.QUEUED, 9)] == [2, 3, 1]
    assert [one.id for one in queues.letters(DeliveryState.FAILED, 9)] == [5, 4]
    assert [one.id for one in queues.letters(DeliveryState.FAILED, 1)] == [5]


@pytest.mark.parametrize("minutes", [0, 1])
def test_claimed_letter_is_left_to_its_sender(store: Store, minutes: int) -> None:
    post, queues = Post(store), Queues(store)
    later = NOW + DAY
    for _ in range(2):
        post.queue(outgoing())
        post.schedule_retry(last_out(post), later, "451")
    post.renew_claims([1], NOW + MINUTE, owner=7)
    post.schedule_retry(2, later, "451")
    then = NOW + minutes * MINUTE
    is_free = minutes == 1
    assert queues.is_in_hand(1, then) is not is_free and not queues.is_in_hand(2, then)
    assert queues.drop(1, "enough", then) is is_free
    assert queues.retry(1, then) is is_free
    assert queues.retry_deferred(then) == 1 + is_free
    assert queues.retry(2, then) and not queues.retry(3, then)
    post.mark_sent(2, then)
    assert not queues.retry(2, then) and not queues.drop(2, "enough", then)


def test_letters_of_an_exited_sender_are_released(store: Store) -> None:
    post, queues = Post(store), Queues(store)
    for owner in (7, 7, 3, 0):
        post.renew_claims([post.queue(outgoing()).id], NOW + MINUTE, owner=owner)
    assert queues.owners() == [3, 7]
    assert (queues.release_claims(7, NOW), queues.release_claims(7, NOW), queues.owners()) == (
        2, 0, [3],
    )
    assert [letter.id for letter in due_out(post, NOW, 9)] == [1, 2]


def test_claims_of_the_new_owner_of_a_number_are_kept(store: Store) -> None:
    post, queues = Post(store), Queues(store)
    for _ in range(4):
        post.renew_claims([post.queue(outgoing()).id], NOW + MINUTE, owner=7)
    post.mark_sent(4, NOW)
    assert queues.release_claims(7, NOW, but=(1, 3)) == 1
    held = "SELECT id, owner FROM outgoing WHERE state = ? ORDER BY id"
    assert store.select_sql(held, (DeliveryState.QUEUED.value,)) == [(1, 7), (2, 0), (3, 7)]
    assert [queues.is_in_hand(number, NOW) for number in (1, 2, 3, 4)] == [True, False, True, False]


def test_dropped_letter_has_time_and_reason_until_a_retry(store: Store) -> None:
    post, queues = Post(store), Queues(store)
    found = "SELECT state, error, finished FROM outgoing"
    post.queue(outgoing())
    assert queues.drop(1, "enough", NOW) and not queues.drop(1, "again", NOW)
    ((state, error, finished),) = store.select_sql(found, ())
    assert (state, error, finished is None) == (DeliveryState.FAILED.value, "enough", False)
    assert queues.retry(1, NOW)
    ((state, _, finished),) = store.select_sql(found, ())
    assert (state, finished) == (DeliveryState.QUEUED.value, None)


@pytest.mark.parametrize(("seconds", "overdue"), [(-1, 0), (0, 1), (1, 1)])
def test_a_game_is_overdue_from_the_instant_it_is_due(
    store: Store, marco: GameRecord, seconds: int, overdue: int
) -> None:
    games = Games(store)
    games.add(marco)
    games.add(replace(marco, name="polo", state=GameState.ENDED, due=None))
    figures = count(store, START + timedelta(seconds=seconds))
    assert (figures.overdue, figures.overdue_since) == (overdue, START if overdue else None)
    others = set(GameState) - {GameState.RUNNING, GameState.ENDED}
    assert figures.games == {GameState.RUNNING: 1, GameState.ENDED: 1, **dict.fromkeys(others, 0)}
    assert set(figures.mails.values()) == set(figures.letters.values()) == {0}


def test_games_are_scheduled_by_urgency(store: Store) -> None:
    games = Games(store)
    for name, state, deadline, due in (
        ("paused", GameState.PAUSED, 1, None), ("later", GameState.RUNNING, 9, 9),
        ("sooner", GameState.RUNNING, 5, 2), ("without", GameState.RUNNING, None, None),
        ("overdue", GameState.RUNNING, -1, -1), ("closing", GameState.ENDED, None, -2),
        ("ended", GameState.ENDED, None, None), ("forming", GameState.FORMING, None, 3),
    ):
        games.add(GameRecord(
            0, name, "diplomacy", "standard", state, "S1901M", 1, "", {}, created=NOW, seed="",
            deadline=None if deadline is None else NOW + deadline * MINUTE,
            due=None if due is None else NOW + due * MINUTE,
        ))
    found = list_schedule(store, NOW, 9)
    assert [game.name for game in found] == [
        "overdue", "closing", "sooner", "later", "without", "paused"
    ]
    assert [game.overdue_since for game in found[:3]] == [NOW - MINUTE, NOW - 2 * MINUTE, None]
    assert found[:2] == list_schedule(store, NOW, 2)
