"""Letters caused by one person for others, and their cancellation."""

from datetime import timedelta

from judge.store.database import Store
from judge.store.people import Outreach, Planned
from judge.store.post import Post
from tests.store.test_post import MINUTE, NOW, outgoing

GM, ANN, BOB = "GM@example.org", "Ann@example.org", "bob@example.org"


def test_planned_letters_are_found_by_requester_and_recipient(store: Store) -> None:
    outreach = Outreach(store)
    first = outreach.plan(GM, ANN, "a", NOW)
    second = outreach.plan(GM, BOB, "b", NOW + MINUTE)
    third = outreach.plan(BOB, ANN, "c", NOW + 2 * MINUTE)
    before = NOW - MINUTE
    assert outreach.to(ANN.upper(), before) == [
        Planned(third, ANN.lower(), NOW + 2 * MINUTE), Planned(first, ANN.lower(), NOW)
    ]
    assert [one.id for one in outreach.of(GM.lower(), before)] == [second, first]
    assert [one.id for one in outreach.of(GM, NOW)] == [second], "after that instant"
    outreach.forget(NOW + MINUTE)
    assert [one.id for one in outreach.of(GM, before)] == [second]


def test_only_letters_not_tried_yet_are_cancelled(store: Store) -> None:
    outreach, post = Outreach(store), Post(store)
    due = NOW + timedelta(days=1)

    def planned(about: str, at: int = 1) -> int:
        """Plan a letter, queue it and return its number in the queue."""
        number = outreach.plan(GM, ANN, about, due if at else NOW)
        letter = post.queue(outgoing(due=due)).id
        outreach.queued(number, letter)
        return letter

    waits, other = planned("game"), planned("another game")
    went, tried, claimed = planned("game", 0), planned("game"), planned("game")
    unqueued = outreach.plan(GM, BOB, "game", NOW)
    post.retry(tried, due, "451")
    post.renew([claimed], due)
    with store.transaction():
        assert outreach.take_back("game", NOW) == {1, unqueued}
    left = {letter.id for letter in post.newest_out(9)}
    assert left == {other, went, tried, claimed} and waits not in left
    with store.transaction():
        assert outreach.take_back("game", NOW) == frozenset()
    assert len(outreach.of(GM, NOW - MINUTE)) == 4
