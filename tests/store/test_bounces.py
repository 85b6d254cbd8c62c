"""Bounce counts of addresses: the limit, and its retention."""

from datetime import timedelta

import pytest

from judge.store.addresses import BounceCounts
from judge.store.database import Store
from judge.store.mail_queues import Post
from tests.outbox import is_suspended
from tests.store.test_post import NOW, outgoing

ANN, BOB = "Ann@Example.org", "bob@example.org"
MOMENT, MONTH = timedelta(microseconds=1), timedelta(days=30)


@pytest.mark.parametrize(("points", "rests"), [
    ([5], [False]), ([6], [True]), ([5, 1], [False, True]), ([6, 6], [True, False]),
    ([2, 3, 1, 1], [False, False, True, False]),
])
def test_address_is_suspended_once_at_six_points(
    store: Store, points: list[int], rests: list[bool]
) -> None:
    reach = BounceCounts(store)
    assert [reach.count_bounce(ANN, many, NOW) for many in points] == rests
    assert is_suspended(reach, ANN.upper()) is any(rests)
    assert not is_suspended(reach, BOB)


@pytest.mark.parametrize(("after", "rests"), [(MONTH - MOMENT, True), (MONTH, False)])
def test_bounces_older_than_a_month_do_not_count(
    store: Store, after: timedelta, rests: bool
) -> None:
    reach = BounceCounts(store)
    reach.count_bounce(ANN, 5, NOW)
    assert reach.count_bounce(ANN, 1, NOW + after) is rests
    assert is_suspended(reach, ANN) is rests


def test_mail_from_an_address_lifts_its_suspension(store: Store) -> None:
    reach = BounceCounts(store)
    with store.transaction():
        assert not reach.restore(ANN)
        reach.count_bounce(ANN, 5, NOW)
        assert not reach.restore(ANN), "it was written to all the time"
        assert not reach.count_bounce(ANN, 5, NOW)
        reach.suspend(ANN, NOW)
        assert reach.find_suspended([ANN, BOB]) == {ANN.lower()} and not reach.find_suspended([])
        assert reach.restore(ANN.upper()) and not reach.restore(ANN)
    assert not is_suspended(reach, ANN)


def test_letter_is_found_by_any_of_its_identifiers(store: Store) -> None:
    letter = Post(store).queue(outgoing(message_id="<a@x>"))
    post = Post(store)
    assert post.letter_named(["<b@x>", "<a@x>"]) == letter
    assert post.letter_named(["<b@x>"]) is None is post.letter_named([])
