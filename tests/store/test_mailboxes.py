"""Fetched mails and complete looks."""

from dataclasses import replace
from datetime import UTC, datetime, timedelta

import pytest

from judge.model.incoming import Arrival, MailboxPlace
from judge.store.database import Store
from judge.store.mail_queues import Post
from judge.store.mailboxes import Mailboxes

NOW = datetime(2026, 1, 5, 20, 0, tzinfo=UTC)
BOX = "judge@example.org@imap.example.org/INBOX"
PLACE = MailboxPlace(BOX, 7, 3, 120, NOW, "f00d", "<1@x>")
MINUTE, DAY = timedelta(minutes=1), timedelta(days=1)


def arrival(came: datetime | None, place: MailboxPlace | None = None) -> Arrival:
    return Arrival(b"x", "ann@example.org", ("judge@example.org",), came=came, place=place)


@pytest.mark.parametrize("came, accepted", [
    (-1, 0), (2, 2), (30, 10), (None, 10),
], ids=["before-last-mail", "in-between", "after-now", "by-smtp"])
def test_acceptance_time_is_that_of_delivery(
    store: Store, came: int | None, accepted: int
) -> None:
    post = Post(store)
    post.accept([arrival(None)], NOW)
    instant = None if came is None else NOW + came * MINUTE
    [number] = post.accept([arrival(instant)], NOW + 10 * MINUTE)
    mail = post.get(number)
    assert mail is not None and mail.accepted == NOW + accepted * MINUTE


def test_acceptance_times_of_a_batch_are_in_order(store: Store) -> None:
    post = Post(store)
    numbers = post.accept([arrival(NOW + MINUTE), arrival(NOW)], NOW + DAY)
    assert [post.get(number).accepted for number in numbers] == [  # type: ignore[union-attr]
        NOW + MINUTE, NOW + MINUTE
    ]


def is_fetched(boxes: Mailboxes, place: MailboxPlace) -> bool:
    return boxes.is_fetched(
        place.box, place.validity, place.uid, place.size, place.dated, NOW
    )


@pytest.mark.parametrize("change, is_known, is_double", [
    ({}, True, True),
    ({"validity": 8}, False, True),
    ({"uid": 4, "message_id": ""}, False, True),
    ({"size": 121, "hash": "other"}, False, True),
    ({"dated": NOW + MINUTE, "hash": "other"}, False, False),
    ({"uid": 4, "hash": "other", "message_id": ""}, False, False),
])
def test_stored_mail_is_recognised(
    store: Store, change: dict[str, object], is_known: bool, is_double: bool
) -> None:
    Post(store).accept([arrival(NOW, PLACE)], NOW)
    boxes, place = Mailboxes(store), PLACE._replace(**change)  # type: ignore[arg-type]
    assert (is_fetched(boxes, place), boxes.is_double(place, NOW)) == (is_known, is_double)


def test_mail_of_a_failed_transaction_is_unknown(store: Store) -> None:
    with pytest.raises(RuntimeError), store.transaction():
        Post(store).accept([arrival(NOW, PLACE)], NOW)
        raise RuntimeError
    assert not is_fetched(Mailboxes(store), PLACE)


def test_rows_are_kept_while_the_mail_is_in_the_mailbox(store: Store) -> None:
    post, boxes = Post(store), Mailboxes(store)
    other = replace(arrival(NOW, PLACE._replace(uid=4, hash="other", message_id="<2@x>")))
    post.accept([arrival(NOW, PLACE), other], NOW)
    later = NOW + 30 * DAY
    assert boxes.is_double(PLACE, later)
    assert boxes.delete_older(later - DAY, 10) == 1
    assert is_fetched(boxes, PLACE)


def test_long_gap_between_looks_is_an_outage(store: Store) -> None:
    boxes, outage = Mailboxes(store), 15 * MINUTE
    assert boxes.record_look(BOX, NOW, 2, outage) is None
    assert boxes.record_look(BOX, NOW + 15 * MINUTE, 2, outage) is None
    assert boxes.state(BOX).away_from is None
    away = boxes.record_look(BOX, NOW + 31 * MINUTE, 3, outage)
    state = boxes.state(BOX)
    assert away == state.away_from == NOW + 15 * MINUTE
    assert state.away_until == state.looked == NOW + 31 * MINUTE
    assert state.left_alone == 3


def test_look_follows_a_clock_that_is_set_back(store: Store) -> None:
    """Otherwise games would not wait for the mailbox until the old time is reached."""
    boxes = Mailboxes(store)
    boxes.record_look(BOX, NOW, 0, MINUTE)
    boxes.record_look(BOX, NOW - DAY, 0, MINUTE)
    assert boxes.state(BOX).looked == NOW - DAY


def test_faults_and_quota_do_not_touch_the_look(store: Store) -> None:
    boxes = Mailboxes(store)
    boxes.record_look(BOX, NOW, 0, MINUTE)
    boxes.record_fault(BOX)
    boxes.record_fault(BOX)
    boxes.record_condition(BOX, 81, 2)
    state = boxes.state(BOX)
    assert (state.looked, state.faults, state.quota) == (NOW, 2, 81)
