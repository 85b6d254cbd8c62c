"""Letters caused by one person for others, and their cancellation."""

from datetime import timedelta

from judge.store.database import Store
from judge.store.mail_queues import Post
from judge.store.people import Outreach
from tests.outbox import newest_out
from tests.store.test_post import MINUTE, NOW, outgoing

GM, ANN, BOB = "GM@example.org", "Ann@example.org", "bob@example.org"


def test_planned_letters_are_found_by_requester_and_recipient(store: Store) -> None:
    outreach = Outreach(store)
    first = outreach.schedule(GM, ANN, "a", NOW)
    second = outreach.schedule(GM, BOB, "b", NOW + MINUTE)
    third = outreach.schedule(BOB, ANN, "c", NOW + 2 * MINUTE)
    before = NOW - MINUTE
    found = outreach.find_due("address", ANN.upper(), before)
    assert [(one.id, one.address, one.due) for one in found] == [
        (third, ANN.lower(), NOW + 2 * MINUTE), (first, ANN.lower(), NOW)
    ]
    assert [one.id for one in outreach.find_due("asker", GM.lower(), before)] == [second, first]
    assert [one.id for one in outreach.find_due("asker", GM, NOW)] == [second], "after that instant"
    outreach.delete_older(NOW + MINUTE)
    assert [one.id for one in outreach.find_due("asker", GM, before)] == [second]


def test_only_letters_not_tried_yet_are_cancelled(store: Store) -> None:
    outreach, post = Outreach(store), Post(store)
    due = NOW + timedelta(days=1)

    def plan_letter(about: str, at: int = 1) -> int:
        """Plan a letter, queue it and return its number in the queue."""
        number = outreach.schedule(GM, ANN, about, due if at else NOW)
        letter = post.queue(outgoing(due=due)).id
        outreach.record_letter(number, letter)
        return letter

    waits, other = plan_letter("game"), plan_letter("another game")
    went, tried, claimed = plan_letter("game", 0), plan_letter("game"), plan_letter("game")
    unqueued = outreach.schedule(GM, BOB, "game", NOW)
    post.schedule_retry(tried, due, "451")
    post.renew_claims([claimed], due)
    with store.transaction():
        assert outreach.cancel_about("game", NOW) == {1, unqueued}
    left = {letter.id for letter in newest_out(post, 9)}
    assert left == {other, went, tried, claimed} and waits not in left
    with store.transaction():
        assert outreach.cancel_about("game", NOW) == frozenset()
    assert len(outreach.find_due("asker", GM, NOW - MINUTE)) == 4
