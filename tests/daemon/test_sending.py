"""Delivery of letters, with failures, retries, rests and claims."""

import threading
from collections.abc import Callable, Collection, Iterator
from datetime import datetime, timedelta

import pytest

from judge.daemon.bounces import BounceHandler
from judge.daemon.delivery_loop import DeliveryLoop, DeliveryPool, DeliveryResult
from judge.errors import StoreTrouble
from judge.mail.outbound import delivery
from judge.mail.outbound.delivery import (
    AccountRefused,
    ConnectionBroken,
    NoSuchAddress,
    PermanentFailure,
    TemporaryFailure,
    Unreachable,
    delivery_for,
)
from judge.model.letter import PictureRequest
from judge.model.record import DeliveryState, Outgoing
from judge.play.mail_locks import person_key
from judge.store.mail_queues import MAX_CLAIMS_PER_ADDRESS, Post
from judge.store.queue_report import Queues
from tests.journeys.rig import START as NOW
from tests.journeys.rig import Rig
from tests.mail.sink import Sink
from tests.outbox import counts, due_out, newest_out, next_out, request_picture


class Server:
    """Mail server stub with configurable faults."""

    max_concurrent = of_a_domain = 1

    def __init__(self) -> None:
        self.faults: dict[str, Exception] = {}
        self.taken: list[str] = []
        self.tried: list[str] = []
        self.rests = 0

    def deliver(self, letter: Outgoing) -> None:
        """Accept a letter, or raise the fault set for its recipient or for all."""
        self.tried.append(letter.to)
        if fault := self.faults.get(letter.to) or self.faults.get("*"):
            raise fault
        self.taken.append(letter.to)

    def close_idle(self) -> None:
        """Record that nothing is to be done."""
        self.rests += 1


@pytest.fixture
def rig() -> Iterator[Rig]:
    """A judge in memory."""
    made = Rig()
    yield made
    made.close()


def queue(rig: Rig, *addresses: str) -> None:
    """Queue a letter to each address, in this order."""
    for address in addresses:
        message_id = rig.application.new_message_id()
        now, judge = rig.clock.now(), rig.config.judge.address
        rig.application.post.queue(
            Outgoing(0, address, judge, message_id, b"x\r\n", now, now, kind="receipt")
        )


def errors(post: Post) -> list[tuple[DeliveryState, str]]:
    return [(out.state, out.error) for out in reversed(newest_out(post, 99))]


def test_letters_go_out_once_in_their_order(rig: Rig) -> None:
    queue(rig, "a@x.org", "b@x.org")
    server = Server()
    sending = DeliveryLoop(rig.application, server)
    assert [sending.drain(), sending.drain()] == [2, 0]
    assert server.taken == ["a@x.org", "b@x.org"]
    assert counts(rig.application.post).sent == 2
    assert server.rests, "the connection is given up"


def test_refused_letter_fails_and_the_others_are_sent(rig: Rig) -> None:
    queue(rig, "a@x.org", "b@x.org")
    server = Server()
    server.faults["a@x.org"] = PermanentFailure("550 no such user")
    DeliveryLoop(rig.application, server).drain()
    assert errors(rig.application.post) == [
        (DeliveryState.FAILED, "550 no such user"), (DeliveryState.SENT, ""),
    ]


def test_failing_letter_locks_its_person(rig: Rig, monkeypatch: pytest.MonkeyPatch) -> None:
    """Successful letters need no lock."""
    did: list[object] = []
    store, given_up = rig.application.store, BounceHandler.handle_failure
    hold, let_go = store.lock_keys, store.release_keys

    def holding(keys: Collection[str]) -> bool:
        did.append([*keys])
        return hold(keys)

    def letting_go() -> None:
        did.append("let go")
        let_go()

    def noting(bouncing: BounceHandler, letter: Outgoing, fault: Exception, now: datetime) -> None:
        did.append(letter.to)
        given_up(bouncing, letter, fault, now)

    monkeypatch.setattr(store, "lock_keys", holding)
    monkeypatch.setattr(store, "release_keys", letting_go)
    monkeypatch.setattr(BounceHandler, "handle_failure", noting)
    queue(rig, "a@x.org", "b@x.org", "c@x.org", "d@x.org")
    server = Server()
    server.faults = {
        "b@x.org": PermanentFailure("550 no such user"), "c@x.org": TemporaryFailure("450 later"),
    }
    DeliveryLoop(rig.application, server).drain()
    assert server.taken == ["a@x.org", "d@x.org"]
    key = person_key(rig.application.context, "b@x.org")
    assert did == [[key], "b@x.org", "let go"]


def test_letter_with_an_internal_error_fails_and_is_reported(rig: Rig) -> None:
    queue(rig, "a@x.org", "b@x.org")
    server = Server()
    server.faults["a@x.org"] = ZeroDivisionError("our own")
    DeliveryLoop(rig.application, server).drain()
    keeper = rig.config.judge.keeper
    assert server.taken == ["b@x.org", keeper]
    assert counts(rig.application.post).failed == 1


@pytest.mark.parametrize(
    "places", ["no json", "[1]", "[[]]", "7", '[[-5, "", "png", "", "", ""]]',
               '[[999, "", "png", "", "", ""]]', '[["x", "", "png", "", "", ""]]', "null"]
)
def test_a_letter_with_broken_places_of_pictures_stops_no_other(rig: Rig, places: str) -> None:
    queue(rig, "a@x.org", "b@x.org", "c@x.org")
    waits = "CASE WHEN id = 1 THEN 1 ELSE 0 END"
    rig.application.store.update_sql(
        f"UPDATE outgoing SET places = ?, waits = {waits} WHERE id < 3", (places,)
    )
    server = Server()
    sending = DeliveryLoop(rig.application, server)
    request_picture(rig.application.pictures, PictureRequest("diplomacy", "{}"), rig.clock.now())
    rig.application.pictures.mark_failed(PictureRequest("diplomacy", "{}").key, "", rig.clock.now())
    sending.drain()
    keeper = rig.config.judge.keeper
    assert server.taken == ["c@x.org", keeper, keeper]
    assert [state for state, _ in errors(rig.application.post)[:2]] == [DeliveryState.FAILED] * 2
    assert list(newest_out(rig.application.post, 9)), "they can still be looked at"


def test_deferred_letters_are_retried_for_five_days(rig: Rig) -> None:
    queue(rig, "a@x.org", "b@x.org")
    server = Server()
    server.faults["*"] = TemporaryFailure("451 later")
    sending = DeliveryLoop(rig.application, server)
    post, clock = rig.application.post, rig.clock
    while counts(post).queued:
        due = next_out(post)
        assert due is not None
        clock.set(max(due, clock.now()))
        assert sending.drain()
        assert next_out(post) is None or next_out(post) > clock.now(), "not at once"
    assert clock.now() - NOW >= timedelta(days=5)
    assert 20 < len(server.tried) / 2 < 100
    assert counts(post).failed == 2


def test_a_letter_another_sender_has_claimed_is_left_alone(rig: Rig) -> None:
    queue(rig, "a@x.org", "b@x.org")
    rig.application.post.claim_out(NOW, 1, NOW + timedelta(minutes=2))
    server = Server()
    DeliveryLoop(rig.application, server).drain()
    assert server.taken == ["b@x.org"]
    rig.clock.advance(minutes=3)
    DeliveryLoop(rig.application, server).drain()
    assert server.taken == ["b@x.org", "a@x.org"], "whoever claimed it died"


def test_unreachable_server_pauses_the_queue_after_one_letter(rig: Rig) -> None:
    queue(rig, *(f"a{n}@x.org" for n in range(10)))
    server = Server()
    server.faults["*"] = Unreachable("refused")
    sending = DeliveryLoop(rig.application, server)
    sending.drain()
    assert len(server.tried) == 1
    rig.clock.advance(seconds=5)
    sending.drain()
    assert len(server.tried) == 1, "still at rest"
    server.faults.clear()
    rig.clock.advance(seconds=20)
    sending.drain()
    assert len(server.taken) == 10
    # The earlier rests leave no trace: the next one is as short as the first.
    queue(rig, "a@x.org")
    server.faults["*"] = Unreachable("refused")
    sending.drain()
    server.faults.clear()
    rig.clock.advance(seconds=16)
    sending.drain()
    assert len(server.taken) == 11


@pytest.mark.parametrize("retry", [Queues.retry_deferred, lambda q, now: q.retry(1, now)])
def test_retry_by_the_operator_ends_a_pause(
    rig: Rig, retry: Callable[[Queues, datetime], object]
) -> None:
    """The letters that were not tried before the pause follow."""
    queue(rig, *(f"a{n}@x.org" for n in range(4)))
    server, queues = Server(), Queues(rig.application.store)
    server.faults["*"] = AccountRefused("550 5.4.5 limit")
    sending = DeliveryLoop(rig.application, server)
    sending.drain()
    assert len(server.tried) == 2
    server.faults.clear()
    retry(queues, rig.clock.now())
    sending.drain()
    assert {"a0@x.org", "a2@x.org", "a3@x.org"} <= {*server.taken}


def test_accepted_letter_resets_the_failures_of_a_server(rig: Rig) -> None:
    """A later failure counts as the first, even if other letters were in flight."""
    queue(rig, "a@x.org", "b@x.org")
    sending = DeliveryLoop(rig.application, Server())
    rig.application.key_values.pause_delivery(sending._server, NOW, 3)
    assert not sending._rests(NOW)
    sending._claim(None)
    letters = [sending._waiting.popleft(), sending._waiting.popleft()]
    for letter, fault in zip(letters, (None, Unreachable("refused"))):
        sending._unmarked = [DeliveryResult(letter, fault)]
        sending._record_results()
    due = {each.to: each.due - NOW for each in newest_out(rig.application.post, 9)}
    assert due["b@x.org"] == timedelta(seconds=15)


@pytest.mark.slow
def test_pauses_grow_and_letters_fail_after_five_days(rig: Rig) -> None:
    queue(rig, "a@x.org", "b@x.org", "c@x.org")
    server = Server()
    server.faults["*"] = Unreachable("refused")
    sending = DeliveryLoop(rig.application, server)
    while counts(rig.application.post).queued:
        sending.drain()
        rig.clock.advance(minutes=10, seconds=1)
    assert rig.clock.now() - NOW >= timedelta(days=5)
    assert counts(rig.application.post).failed == 3
    assert len(server.tried) < 1000


def test_three_broken_connections_pause_the_queue(rig: Rig) -> None:
    queue(rig, *(f"a{n}@x.org" for n in range(10)))
    server = Server()
    server.faults["*"] = ConnectionBroken("hung up")
    DeliveryLoop(rig.application, server).drain()
    assert len(server.tried) == 3
    assert counts(rig.application.post).queued == 10


def test_letter_that_breaks_connections_stops_no_other(rig: Rig) -> None:
    addresses = [f"a{n}@x.org" for n in range(9)]
    queue(rig, *addresses)
    server = Server()
    server.faults["a4@x.org"] = ConnectionBroken("hung up")
    DeliveryLoop(rig.application, server).drain()
    assert set(server.taken) == {*addresses} - {"a4@x.org"}


def test_accepted_letter_resets_the_count_of_broken_connections(rig: Rig) -> None:
    addresses = [f"a{n}@x.org" for n in range(8)]
    queue(rig, *addresses)
    server, broken = Server(), {f"a{n}@x.org" for n in (0, 1, 3, 4, 6, 7)}
    server.faults.update(dict.fromkeys(broken, ConnectionBroken("hung up")))
    DeliveryLoop(rig.application, server).drain()
    assert server.tried == addresses and set(server.taken) == {*addresses} - broken


def test_result_of_a_letter_is_stored_after_a_database_failure(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue(rig, "a@x.org")
    server = Server()
    sending = DeliveryLoop(rig.application, server)

    def full(*given: object) -> None:
        raise StoreTrouble("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(Post, "mark_sent", full)
        with pytest.raises(StoreTrouble):
            sending.drain()
        assert counts(rig.application.post).sent == 0
    rig.clock.advance(minutes=1)
    sending.drain()
    assert server.taken == ["a@x.org"], "not a second time"
    assert counts(rig.application.post).sent == 1


class Slow(Server):
    """Server of several lanes that blocks some letters."""

    max_concurrent, of_a_domain = 4, 2

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.now_of: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.order: list[int] = []
        self._lock = threading.Lock()

    def deliver(self, letter: Outgoing) -> None:
        """Accept a letter, those to slow.org only when `let_go` is set."""
        domain = letter.to.rpartition("@")[2]
        with self._lock:
            self.now_of[domain] = self.now_of.get(domain, 0) + 1
            self.most[domain] = max(self.most.get(domain, 0), self.now_of[domain])
        if domain == "slow.org":
            self.let_go.wait(120)
        with self._lock:
            self.now_of[domain] -= 1
            self.order.append(letter.id)
            self.taken.append(letter.to)


def test_hanging_domain_delays_no_other_and_keeps_its_claims(rig: Rig) -> None:
    slow = [f"s{n}@slow.org" for n in range(20)]
    quick = [f"q{n}@quick{n % 7}.org" for n in range(80)]
    queue(rig, *slow, *quick)
    server = Slow()
    sending = DeliveryLoop(rig.application, server)
    until = 200
    while len(server.taken) < len(quick) and until:
        assert sending.run_once(0.02)
        until -= 1
    assert sorted(server.taken) == sorted(quick)
    for _ in range(20):
        rig.clock.advance(seconds=25)
        assert sending.run_once(0.0)
        others = rig.application.post.claim_out(rig.clock.now(), 50, rig.clock.now())
        assert not {out.to for out in others} & {*slow[:2]}, "claims are renewed"
    server.let_go.set()
    rig.clock.advance(minutes=3)
    sending.drain()
    assert sorted(server.taken) == sorted(slow + quick), "each once"
    assert server.most["slow.org"] == 2


def test_letters_to_one_address_go_one_after_the_other(rig: Rig) -> None:
    queue(rig, *["ann@x.org"] * 12, *["bob@y.org"] * 12)
    server = Slow()
    DeliveryLoop(rig.application, server).drain()
    assert server.most == {"x.org": 1, "y.org": 1}
    assert [n for n in server.order if n <= 12] == list(range(1, 13))
    assert [n for n in server.order if n > 12] == list(range(13, 25))


@pytest.fixture
def handed_ids(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Letters handed to the delivery pool, in order."""
    found: list[int] = []
    real = DeliveryPool.submit

    def hand_over(delivery_pool: DeliveryPool, letter: Outgoing) -> None:
        found.append(letter.id)
        real(delivery_pool, letter)

    monkeypatch.setattr(DeliveryPool, "submit", hand_over)
    return found


def test_one_letter_at_a_time_goes_to_an_address(rig: Rig, handed_ids: list[int]) -> None:
    """Addresses are compared without regard to case."""
    queue(rig, *["Ann@slow.org", "ann@SLOW.org"] * 5)
    server = Slow()
    sending = DeliveryLoop(rig.application, server)
    for _ in range(5):
        assert sending.run_once(0.0)
        rig.clock.advance(seconds=1)
    assert handed_ids == [1]
    rows = rig.application.store.database.execute_sql(
        "SELECT COUNT(*) FROM outgoing WHERE claimed IS NOT NULL"
    )
    assert rows.fetchone()[0] == MAX_CLAIMS_PER_ADDRESS, "however often it is looked"
    server.let_go.set()
    sending.drain()
    assert handed_ids == server.order == list(range(1, 11))


def test_letters_go_in_the_order_in_which_they_are_due(rig: Rig) -> None:
    queue(rig, "ann@x.org")
    server = Server()
    server.faults["ann@x.org"] = TemporaryFailure("451 later")
    sending = DeliveryLoop(rig.application, server)
    sending.drain()
    server.faults.clear()
    rig.clock.advance(seconds=1)
    queue(rig, "bob@x.org")
    due = next_out(rig.application.post)
    assert due == rig.clock.now(), "the first is put off for longer"
    rig.clock.set(rig.application.post.get_out(1).due)  # type: ignore[union-attr]
    queue(rig, "carl@x.org", "dora@x.org")
    order = ["bob@x.org", "ann@x.org", "carl@x.org", "dora@x.org"]
    assert [one.to for one in due_out(rig.application.post, rig.clock.now(), 9)] == order
    sending.drain()
    assert server.taken == order


def test_stopping_sender_releases_waiting_letters(rig: Rig) -> None:
    queue(rig, *(f"s{n}@slow.org" for n in range(5)))
    server = Slow()
    sending = DeliveryLoop(rig.application, server)
    assert sending.run_once(0.0)
    sending.release()
    free = rig.application.post.claim_out(rig.clock.now(), 50, rig.clock.now())
    assert [out.to for out in free] == ["s2@slow.org", "s3@slow.org", "s4@slow.org"]
    server.let_go.set()


def test_stopping_sender_notes_letters_that_were_just_sent(rig: Rig) -> None:
    queue(rig, "s0@slow.org", "s1@slow.org")
    before = set(threading.enumerate())
    server = Slow()
    sending = DeliveryLoop(rig.application, server)
    assert sending.run_once(0.0) and server.taken == []
    lanes = set(threading.enumerate()) - before
    server.let_go.set()
    sending.close()
    for lane in lanes:
        lane.join(60)
    sending.release()
    assert counts(rig.application.post).sent == 2


def test_expired_claims_are_left_to_the_next_sender(rig: Rig) -> None:
    """The first sender was delayed, by a disk say, and could not renew its claims."""
    queue(rig, *(f"s{n}@slow.org" for n in range(5)))
    slow, server = Slow(), Server()
    held_up = DeliveryLoop(rig.application, slow)
    assert held_up.run_once(0.0)
    rig.clock.advance(minutes=2)
    DeliveryLoop(rig.application, server).drain()
    assert {f"s{n}@slow.org" for n in (2, 3, 4)} < set(server.taken)
    slow.let_go.set()
    held_up.drain()
    assert sorted(slow.taken) == ["s0@slow.org", "s1@slow.org"], "what was on its way already"


def die(sending: DeliveryLoop) -> None:
    """Release the locks of a sender, as the system does when a process exits."""
    sending.owner_lock.close()


@pytest.mark.slow
def test_misbehaving_server_gets_each_letter_once(
    rig: Rig, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Seven of 97 letters hang, are refused, deferred, greylisted or dropped."""
    monkeypatch.setattr(delivery, "PATIENCE", 2.0)
    names = ["no421", "full452", "no550", "spam554", "drop", "hang", "grey"]
    bad = [f"{name}@bad{n}.org" for n, name in enumerate(names)]
    good = [f"ok{n}@good{n % 9}.org" for n in range(90)]
    queue(rig, *good[:40], *bad, *good[40:])
    with Sink() as sink:
        sending = DeliveryLoop(rig.application, delivery_for(f"smtp://127.0.0.1:{sink.port}"))
        sending.drain()
        assert sorted(one.to for one in sink.taken) == sorted(good)
        assert sink.connections < 20, "connections are kept"
        rig.clock.advance(hours=1)
        sending.drain()
    taken = [one.to for one in sink.taken]
    assert sorted(taken) == sorted([*good, "grey@bad6.org"])
    found = {out.to.partition("@")[0]: out.state for out in newest_out(rig.application.post, 200)}
    assert found["no550"] is found["spam554"] is DeliveryState.FAILED
    assert {found[n] for n in ("no421", "full452", "drop", "hang")} == {DeliveryState.QUEUED}


def test_each_letter_has_an_envelope_sender_of_its_own(rig: Rig) -> None:
    queue(rig, "a@x.org", "b@x.org")
    with Sink() as sink:
        DeliveryLoop(rig.application, delivery_for(f"smtp://127.0.0.1:{sink.port}")).drain()
    senders = [one.sender for one in sink.taken]
    assert len(set(senders)) == 2
    details = [one.partition("+")[2].partition("@")[0] for one in senders]
    named = [BounceHandler(rig.application).letter_of(detail) for detail in details]
    assert [rig.application.post.get_out(n).to for n in named] == [  # type: ignore[union-attr]
        one.to for one in sink.taken
    ]
    assert all(len(one.partition("@")[0]) <= 64 for one in senders)


def test_an_address_that_is_no_good_is_shown_to_the_master(rig: Rig) -> None:
    rig.mail("gm@example.org", "CREATE ?marco gmsecret youngstown")
    rig.mail("ann@example.org", "JOIN marco annsecret\nSET PREFERENCE N")
    rig.mail("gm@example.org", "SIGNON Mmarco gmsecret\nSTART")
    rig.boxes.clear()
    server = Server()
    server.faults["ann@example.org"] = NoSuchAddress("550 5.1.1 unknown here")
    queue(rig, "ann@example.org", "ann@example.org")
    DeliveryLoop(rig.application, server).drain()
    assert server.taken == ["gm@example.org"], "once a day"
    [told] = [out for out in newest_out(rig.application.post, 99) if out.kind == "bounce"]
    assert b"letter (receipt) to India" in told.message and b"unknown here" in told.message


@pytest.mark.sqlite
def test_idle_queue_causes_no_write(rig: Rig) -> None:
    before = rig.application.store.pragma("data_version"), changes(rig)
    DeliveryLoop(rig.application, Server()).drain()
    assert (rig.application.store.pragma("data_version"), changes(rig)) == before


def changes(rig: Rig) -> int:
    """Return how many rows were ever written."""
    return int(rig.application.store.database.execute_sql("SELECT total_changes()").fetchone()[0])


def test_many_letters_to_a_hanging_address_delay_no_other(rig: Rig) -> None:
    queue(rig, *["a@slow.org"] * 600, *(f"s{n}@slow.org" for n in range(600)), "b@quick.org")
    server = Slow()
    sending = DeliveryLoop(rig.application, server)
    for _ in range(100):
        sending.run_once(0.01)
        if server.taken:
            break
    assert server.taken == ["b@quick.org"]
    server.let_go.set()


def test_every_lane_ends_with_its_sender() -> None:
    server = Server()
    server.max_concurrent = 3
    delivery_pool = DeliveryPool(server)
    letter = Outgoing(1, "a@x.org", "j@x.org", "<1@x.org>", b"x", NOW, NOW, kind="receipt")
    delivery_pool.submit(letter)
    threads = list(delivery_pool._threads)
    assert len(threads) == 3
    delivery_pool.close()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()


def test_hanging_letter_stays_claimed_while_others_are_claimed(rig: Rig) -> None:
    """The pool must renew every claim, not only the latest."""
    queue(rig, "s@slow.org")
    server = Slow()
    sending = DeliveryLoop(rig.application, server)
    assert sending.run_once(0.0)
    for number in range(8):
        rig.clock.advance(seconds=20)
        queue(rig, f"q@quick{number}.org")
        assert sending.run_once(0.0)
        others = rig.application.post.claim_out(rig.clock.now(), 50, rig.clock.now())
        assert "s@slow.org" not in {out.to for out in others}
    server.let_go.set()


def test_all_threads_of_a_pool_end_with_it() -> None:
    pool = DeliveryPool(Slow())
    pool.close()
    pool.submit(Outgoing(1, "a@x.org", "", "<1@x>", b"x", NOW, NOW))
    threads = pool._threads
    assert len(threads) == 4 and pool.collect_results(120.0)
    pool.close()
    for thread in threads:
        thread.join(120.0)
    assert not any(thread.is_alive() for thread in threads)
