"""What becomes of a letter that goes out, or does not."""

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from judge.clock import FixedClock
from judge.daemon.sending import Sending
from judge.mail.sender import Deferred, Refused
from judge.store.database import Store
from judge.store.post import Post
from judge.words.record import Outgoing

NOW = datetime(2026, 1, 1, tzinfo=UTC)


class Server:
    """A mail server that does as it is told."""

    def __init__(self) -> None:
        self.fault: Exception | None = None
        self.taken: list[int] = []

    def deliver(self, letter: Outgoing) -> None:
        """Take a letter, or raise what was told."""
        if self.fault:
            raise self.fault
        self.taken.append(letter.id)


@pytest.fixture
def post() -> Iterator[Post]:
    """A queue with two letters."""
    store = Store("sqlite:///:memory:")
    store.open(create=True)
    made = Post(store)
    for n in (1, 2):
        made.queue(Outgoing(0, f"a{n}@x.org", "judge@localhost", f"<{n}@x>", b"x", NOW, NOW))
    yield made
    store.close()


def test_letters_go_out_once_in_their_order(post: Post) -> None:
    server, clock = Server(), FixedClock(NOW)
    sending = Sending(post, server, clock)
    assert [sending.drain(NOW), sending.drain(NOW)] == [2, 0]
    assert server.taken == [1, 2]
    assert post.counts().sent == 2


def test_a_refused_letter_is_given_up_and_the_others_go_on(post: Post) -> None:
    server, clock = Server(), FixedClock(NOW)
    server.fault = Refused("550 no such user")
    Sending(post, server, clock).drain(NOW)
    assert post.counts().failed == 2
    assert [out.error for out in post.newest_out(9)] == ["550 no such user"] * 2


def test_what_is_put_off_is_tried_again_later_and_given_up_after_five_days(post: Post) -> None:
    server, clock = Server(), FixedClock(NOW)
    server.fault = Deferred("451 later")
    sending = Sending(post, server, clock)
    tries = 0
    while post.counts().queued:
        due = post.next_out()
        assert due is not None
        clock.set(max(due, clock.now()))
        tries += sending.drain(clock.now()) // 2
        assert post.next_out() is None or post.next_out() > clock.now(), "not at once"
    assert clock.now() - NOW >= timedelta(days=5)
    assert 20 < tries < 100
    assert post.counts().failed == 2


def test_a_letter_another_sender_has_claimed_is_left_alone(post: Post) -> None:
    claimed = post.claim_out(NOW, 1, timedelta(minutes=15))
    server = Server()
    Sending(post, server, FixedClock(NOW)).drain(NOW)
    assert server.taken == [2] and [out.id for out in claimed] == [1]
    later = NOW + timedelta(minutes=16)
    Sending(post, server, FixedClock(later)).drain(later)
    assert server.taken == [2, 1], "whoever claimed it died"
