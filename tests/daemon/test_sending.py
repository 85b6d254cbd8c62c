"""What becomes of a letter that goes out, or does not."""

import threading
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

import pytest

from judge.clock import FixedClock
from judge.config import Config, StoreSection
from judge.daemon.application import open_works
from judge.daemon.returned_mail import Bouncing
from judge.daemon.sending import Lanes, Sending
from judge.errors import StoreTrouble
from judge.mail.outbound import sender
from judge.mail.outbound.sender import (
    Broken,
    Deferred,
    NoSuchAddress,
    Refused,
    Unreachable,
    delivery_for,
)
from judge.model.letter import Sketch
from judge.model.record import OutState, Outgoing
from judge.store.post import MOST_CLAIMED, Post
from tests.journeys.bench import START as NOW
from tests.journeys.bench import Bench
from tests.mail.sink import Sink


class Server:
    """A mail server that does as it is told."""

    lanes = of_a_domain = 1

    def __init__(self) -> None:
        self.faults: dict[str, Exception] = {}
        self.taken: list[str] = []
        self.tried: list[str] = []
        self.rests = 0

    def deliver(self, letter: Outgoing) -> None:
        """Take a letter, or raise what was told for its recipient or for all."""
        self.tried.append(letter.to)
        if fault := self.faults.get(letter.to) or self.faults.get("*"):
            raise fault
        self.taken.append(letter.to)

    def rest(self) -> None:
        """Note that nothing is to be done."""
        self.rests += 1


@pytest.fixture
def bench() -> Iterator[Bench]:
    """A judge in memory."""
    made = Bench()
    yield made
    made.close()


def queue(bench: Bench, *addresses: str) -> None:
    """Queue a letter to each address, in this order."""
    for address in addresses:
        message_id = bench.works.new_message_id()
        now, judge = bench.clock.now(), bench.config.judge.address
        bench.works.post.queue(
            Outgoing(0, address, judge, message_id, b"x\r\n", now, now, kind="receipt")
        )


def errors(post: Post) -> list[tuple[OutState, str]]:
    return [(out.state, out.error) for out in reversed(post.newest_out(99))]


def test_letters_go_out_once_in_their_order(bench: Bench) -> None:
    queue(bench, "a@x.org", "b@x.org")
    server = Server()
    sending = Sending(bench.works, server)
    assert [sending.drain(), sending.drain()] == [2, 0]
    assert server.taken == ["a@x.org", "b@x.org"]
    assert bench.works.post.counts().sent == 2
    assert server.rests, "the connection is given up"


def test_a_refused_letter_is_given_up_and_the_others_go_on(bench: Bench) -> None:
    queue(bench, "a@x.org", "b@x.org")
    server = Server()
    server.faults["a@x.org"] = Refused("550 no such user")
    Sending(bench.works, server).drain()
    assert errors(bench.works.post) == [(OutState.FAILED, "550 no such user"), (OutState.SENT, "")]


def test_a_letter_we_ourselves_cannot_send_is_given_up_and_the_keeper_told(bench: Bench) -> None:
    queue(bench, "a@x.org", "b@x.org")
    server = Server()
    server.faults["a@x.org"] = ZeroDivisionError("our own")
    Sending(bench.works, server).drain()
    keeper = bench.config.judge.keeper
    assert server.taken == ["b@x.org", keeper]
    assert bench.works.post.counts().failed == 1


@pytest.mark.parametrize(
    "places", ["no json", "[1]", "[[]]", "7", '[[-5, "", "png", "", "", ""]]',
               '[[999, "", "png", "", "", ""]]', '[["x", "", "png", "", "", ""]]', "null"]
)
def test_a_letter_with_broken_places_of_pictures_stops_no_other(
    bench: Bench, places: str
) -> None:
    queue(bench, "a@x.org", "b@x.org", "c@x.org")
    bench.works.store.database.execute_sql(
        "UPDATE outgoing SET places = ?, waits = (id = 1) WHERE id < 3", (places,)
    )
    server = Server()
    sending = Sending(bench.works, server)
    bench.works.pictures.ask(Sketch("diplomacy", "{}"), bench.clock.now())
    bench.works.pictures.failed(Sketch("diplomacy", "{}").key, "", bench.clock.now())
    sending.drain()
    keeper = bench.config.judge.keeper
    assert server.taken == ["c@x.org", keeper, keeper]
    assert [state for state, _ in errors(bench.works.post)[:2]] == [OutState.FAILED] * 2
    assert list(bench.works.post.newest_out(9)), "they can still be looked at"


def test_what_is_put_off_is_tried_again_later_and_given_up_after_five_days(bench: Bench) -> None:
    queue(bench, "a@x.org", "b@x.org")
    server = Server()
    server.faults["*"] = Deferred("451 later")
    sending = Sending(bench.works, server)
    post, clock = bench.works.post, bench.clock
    while post.counts().queued:
        due = post.next_out()
        assert due is not None
        clock.set(max(due, clock.now()))
        assert sending.drain()
        assert post.next_out() is None or post.next_out() > clock.now(), "not at once"
    assert clock.now() - NOW >= timedelta(days=5)
    assert 20 < len(server.tried) / 2 < 100
    assert post.counts().failed == 2


def test_a_letter_another_sender_has_claimed_is_left_alone(bench: Bench) -> None:
    queue(bench, "a@x.org", "b@x.org")
    bench.works.post.claim_out(NOW, 1, NOW + timedelta(minutes=2))
    server = Server()
    Sending(bench.works, server).drain()
    assert server.taken == ["b@x.org"]
    bench.clock.forward(minutes=3)
    Sending(bench.works, server).drain()
    assert server.taken == ["b@x.org", "a@x.org"], "whoever claimed it died"


def test_when_nobody_is_there_one_letter_is_tried_and_the_queue_rests(bench: Bench) -> None:
    queue(bench, *(f"a{n}@x.org" for n in range(10)))
    server = Server()
    server.faults["*"] = Unreachable("refused")
    sending = Sending(bench.works, server)
    sending.drain()
    assert len(server.tried) == 1
    bench.clock.forward(seconds=5)
    sending.drain()
    assert len(server.tried) == 1, "still at rest"
    server.faults.clear()
    bench.clock.forward(seconds=20)
    sending.drain()
    assert len(server.taken) == 10


def test_the_rest_grows_and_letters_are_given_up_after_five_days_of_it(bench: Bench) -> None:
    queue(bench, "a@x.org", "b@x.org", "c@x.org")
    server = Server()
    server.faults["*"] = Unreachable("refused")
    sending = Sending(bench.works, server)
    while bench.works.post.counts().queued:
        sending.drain()
        bench.clock.forward(minutes=10, seconds=1)
    assert bench.clock.now() - NOW >= timedelta(days=5)
    assert bench.works.post.counts().failed == 3
    assert len(server.tried) < 1000


def test_connections_that_break_one_after_the_other_are_the_servers_fault(bench: Bench) -> None:
    queue(bench, *(f"a{n}@x.org" for n in range(10)))
    server = Server()
    server.faults["*"] = Broken("hung up")
    Sending(bench.works, server).drain()
    assert len(server.tried) == 3
    assert bench.works.post.counts().queued == 10


def test_one_that_breaks_every_connection_stops_nobody_else(bench: Bench) -> None:
    addresses = [f"a{n}@x.org" for n in range(9)]
    queue(bench, *addresses)
    server = Server()
    server.faults["a4@x.org"] = Broken("hung up")
    Sending(bench.works, server).drain()
    assert set(server.taken) == {*addresses} - {"a4@x.org"}


def test_what_is_known_of_a_letter_is_noted_once_the_database_can_be_used_again(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    queue(bench, "a@x.org")
    server = Server()
    sending = Sending(bench.works, server)

    def full(*given: object) -> None:
        raise StoreTrouble("disk full")

    with monkeypatch.context() as patch:
        patch.setattr(Post, "sent", full)
        with pytest.raises(StoreTrouble):
            sending.drain()
        assert bench.works.post.counts().sent == 0
    bench.clock.forward(minutes=1)
    sending.drain()
    assert server.taken == ["a@x.org"], "not a second time"
    assert bench.works.post.counts().sent == 1


class Slow(Server):
    """A server of several lanes that keeps some letters waiting."""

    lanes, of_a_domain = 4, 2

    def __init__(self) -> None:
        super().__init__()
        self.let_go = threading.Event()
        self.at_once: dict[str, int] = {}
        self.most: dict[str, int] = {}
        self.order: list[int] = []
        self._lock = threading.Lock()

    def deliver(self, letter: Outgoing) -> None:
        """Take a letter; those to slow.org only when let go."""
        domain = letter.to.rpartition("@")[2]
        with self._lock:
            self.at_once[domain] = self.at_once.get(domain, 0) + 1
            self.most[domain] = max(self.most.get(domain, 0), self.at_once[domain])
        if domain == "slow.org":
            self.let_go.wait(120)
        with self._lock:
            self.at_once[domain] -= 1
            self.order.append(letter.id)
            self.taken.append(letter.to)


def test_a_domain_that_hangs_holds_up_nobody_else_and_its_claims_are_kept(bench: Bench) -> None:
    slow = [f"s{n}@slow.org" for n in range(20)]
    quick = [f"q{n}@quick{n % 7}.org" for n in range(80)]
    queue(bench, *slow, *quick)
    server = Slow()
    sending = Sending(bench.works, server)
    until = 200
    while len(server.taken) < len(quick) and until:
        assert sending.step(0.02)
        until -= 1
    assert sorted(server.taken) == sorted(quick)
    for _ in range(20):
        bench.clock.forward(seconds=25)
        assert sending.step(0.0)
        others = bench.works.post.claim_out(bench.clock.now(), 50, bench.clock.now())
        assert not {out.to for out in others} & {*slow[:2]}, "claims are renewed"
    server.let_go.set()
    bench.clock.forward(minutes=3)
    sending.drain()
    assert sorted(server.taken) == sorted(slow + quick), "each once"
    assert server.most["slow.org"] == 2


def test_letters_to_one_address_go_one_after_the_other(bench: Bench) -> None:
    queue(bench, *["ann@x.org"] * 12, *["bob@y.org"] * 12)
    server = Slow()
    Sending(bench.works, server).drain()
    assert server.most == {"x.org": 1, "y.org": 1}
    assert [n for n in server.order if n <= 12] == list(range(1, 13))
    assert [n for n in server.order if n > 12] == list(range(13, 25))


@pytest.fixture
def handed(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Notes which letters are handed over, in their order."""
    found: list[int] = []
    real = Lanes.hand_over

    def hand_over(lanes: Lanes, letter: Outgoing) -> None:
        found.append(letter.id)
        real(lanes, letter)

    monkeypatch.setattr(Lanes, "hand_over", hand_over)
    return found


def test_while_a_letter_is_on_its_way_no_other_goes_to_its_address(
    bench: Bench, handed: list[int]
) -> None:
    """Addresses are the same whatever the case of their letters."""
    queue(bench, *["Ann@slow.org", "ann@SLOW.org"] * 5)
    server = Slow()
    sending = Sending(bench.works, server)
    for _ in range(5):
        assert sending.step(0.0)
        bench.clock.forward(seconds=1)
    assert handed == [1]
    rows = bench.works.store.database.execute_sql(
        "SELECT COUNT(*) FROM outgoing WHERE claimed IS NOT NULL"
    )
    assert rows.fetchone()[0] == MOST_CLAIMED, "however often it is looked"
    server.let_go.set()
    sending.drain()
    assert handed == server.order == list(range(1, 11))


def test_letters_go_in_the_order_in_which_they_are_due(bench: Bench) -> None:
    queue(bench, "ann@x.org")
    server = Server()
    server.faults["ann@x.org"] = Deferred("451 later")
    sending = Sending(bench.works, server)
    sending.drain()
    server.faults.clear()
    bench.clock.forward(seconds=1)
    queue(bench, "bob@x.org")
    due = bench.works.post.next_out()
    assert due == bench.clock.now(), "the first is put off for longer"
    bench.clock.set(bench.works.post.get_out(1).due)  # type: ignore[union-attr]
    queue(bench, "carl@x.org", "dora@x.org")
    order = ["bob@x.org", "ann@x.org", "carl@x.org", "dora@x.org"]
    assert [one.to for one in bench.works.post.due_out(bench.clock.now(), 9)] == order
    sending.drain()
    assert server.taken == order


def test_what_waits_is_given_back_when_the_sender_stops(bench: Bench) -> None:
    queue(bench, *(f"s{n}@slow.org" for n in range(5)))
    server = Slow()
    sending = Sending(bench.works, server)
    assert sending.step(0.0)
    sending.release()
    free = bench.works.post.claim_out(bench.clock.now(), 50, bench.clock.now())
    assert [out.to for out in free] == ["s2@slow.org", "s3@slow.org", "s4@slow.org"]
    server.let_go.set()


def test_what_was_claimed_for_too_long_is_left_to_whoever_claimed_it_since(bench: Bench) -> None:
    """The first sender was held up, by a disk say, and could not renew its claims."""
    queue(bench, *(f"s{n}@slow.org" for n in range(5)))
    slow, server = Slow(), Server()
    held_up = Sending(bench.works, slow)
    assert held_up.step(0.0)
    bench.clock.forward(minutes=2)
    Sending(bench.works, server).drain()
    assert {f"s{n}@slow.org" for n in (2, 3, 4)} < set(server.taken)
    slow.let_go.set()
    held_up.drain()
    assert sorted(slow.taken) == ["s0@slow.org", "s1@slow.org"], "what was on its way already"


def die(sending: Sending) -> None:
    """Let go of what a process holds, as the system does when it ends."""
    sending._owner.close()


def test_what_a_dead_sender_had_in_hand_goes_out_by_whoever_looks_next(tmp_path: Path) -> None:
    """Its claims are its own, by a lock that goes with it; those of the living are left alone."""
    clock = FixedClock(NOW)
    works = open_works(Config(store=StoreSection(f"sqlite:///{tmp_path}/x")), clock, create=True)
    for n in range(9):
        works.post.queue(Outgoing(0, f"s{n}@slow.org", "j@x", f"<{n}>", b"x\r\n", NOW, NOW))
    hangs, server = Slow(), Server()
    dead, other = Sending(works, hangs), Sending(works, server)
    assert dead.step(0.0) and not other.step(0.0) and server.taken == []
    assert other.step(0.0) is False, "it lives and has them in hand"
    die(dead)
    clock.forward(seconds=1)
    assert other.step(0.0) is False, "it looks every two seconds, not all the time"
    clock.forward(seconds=1)
    assert other.drain() == 9 and len(server.taken) == 9
    other.close()
    hangs.let_go.set()
    works.store.close()


def test_a_sender_that_takes_the_number_of_a_dead_one_frees_its_letters_at_once(
    tmp_path: Path,
) -> None:
    works = open_works(
        Config(store=StoreSection(f"sqlite:///{tmp_path}/x")), FixedClock(NOW), create=True
    )
    works.post.queue(Outgoing(0, "ann@slow.org", "j@x", "<1>", b"x\r\n", NOW, NOW))
    hangs, server = Slow(), Server()
    first = Sending(works, hangs)
    assert first.step(0.0)
    die(first)
    assert Sending(works, server).drain() == 1 and server.taken == ["ann@slow.org"]
    assert sorted(one.name for one in tmp_path.glob("*.lock")) == ["x.sender-1.lock"]
    hangs.let_go.set()
    works.store.close()


def test_a_server_that_behaves_in_every_bad_way_gets_each_letter_once(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a hundred letters ten hang, are refused, put off, greylisted, or dropped after the dot."""
    monkeypatch.setattr(sender, "PATIENCE", 2.0)
    names = ["no421", "full452", "no550", "spam554", "drop", "hang", "grey"]
    bad = [f"{name}@bad{n}.org" for n, name in enumerate(names)]
    good = [f"ok{n}@good{n % 9}.org" for n in range(90)]
    queue(bench, *good[:40], *bad, *good[40:])
    with Sink() as sink:
        sending = Sending(bench.works, delivery_for(f"smtp://127.0.0.1:{sink.port}"))
        sending.drain()
        assert sorted(one.to for one in sink.taken) == sorted(good)
        assert sink.connections < 20, "connections are kept"
        bench.clock.forward(hours=1)
        sending.drain()
    taken = [one.to for one in sink.taken]
    assert sorted(taken) == sorted([*good, "grey@bad6.org"])
    found = {out.to.partition("@")[0]: out.state for out in bench.works.post.newest_out(200)}
    assert found["no550"] is found["spam554"] is OutState.FAILED
    assert {found[n] for n in ("no421", "full452", "drop", "hang")} == {OutState.QUEUED}


def test_each_letter_has_an_envelope_sender_of_its_own(bench: Bench) -> None:
    queue(bench, "a@x.org", "b@x.org")
    with Sink() as sink:
        Sending(bench.works, delivery_for(f"smtp://127.0.0.1:{sink.port}")).drain()
    senders = [one.sender for one in sink.taken]
    assert len(set(senders)) == 2
    details = [one.partition("+")[2].partition("@")[0] for one in senders]
    named = [Bouncing(bench.works).letter_of(detail) for detail in details]
    assert [bench.works.post.get_out(n).to for n in named] == [  # type: ignore[union-attr]
        one.to for one in sink.taken
    ]
    assert all(len(one.partition("@")[0]) <= 64 for one in senders)


def test_an_address_that_is_no_good_is_shown_to_the_master(bench: Bench) -> None:
    bench.mail("gm@example.org", "CREATE ?marco gmsecret youngstown")
    bench.mail("ann@example.org", "JOIN marco annsecret\nSET PREFERENCE N")
    bench.mail("gm@example.org", "SIGNON Mmarco gmsecret\nSTART")
    bench.boxes.clear()
    server = Server()
    server.faults["ann@example.org"] = NoSuchAddress("550 5.1.1 unknown here")
    queue(bench, "ann@example.org", "ann@example.org")
    Sending(bench.works, server).drain()
    assert server.taken == ["gm@example.org"], "once a day"
    [told] = [out for out in bench.works.post.newest_out(99) if out.kind == "bounce"]
    assert b"letter (receipt) to India" in told.message and b"unknown here" in told.message


def test_a_queue_at_rest_costs_no_write(bench: Bench) -> None:
    before = bench.works.store.pragma("data_version"), changes(bench)
    Sending(bench.works, Server()).drain()
    assert (bench.works.store.pragma("data_version"), changes(bench)) == before


def changes(bench: Bench) -> int:
    """Return how many rows were ever written."""
    return int(bench.works.store.database.execute_sql("SELECT total_changes()").fetchone()[0])


def test_a_thousand_letters_to_an_address_that_hangs_hold_up_nobody(bench: Bench) -> None:
    queue(bench, *["a@slow.org"] * 600, *(f"s{n}@slow.org" for n in range(600)), "b@quick.org")
    server = Slow()
    sending = Sending(bench.works, server)
    for _ in range(100):
        sending.step(0.01)
        if server.taken:
            break
    assert server.taken == ["b@quick.org"]
    server.let_go.set()


def test_every_lane_ends_with_its_sender() -> None:
    server = Server()
    server.lanes = 3
    lanes = Lanes(server)
    letter = Outgoing(1, "a@x.org", "j@x.org", "<1@x.org>", b"x", NOW, NOW, kind="receipt")
    lanes.hand_over(letter)
    threads = list(lanes._threads)
    assert len(threads) == 3
    lanes.close()
    for thread in threads:
        thread.join(120)
        assert not thread.is_alive()


def test_what_hangs_is_kept_though_others_are_claimed_again_and_again(bench: Bench) -> None:
    """Claims are as old as the oldest of those that are held."""
    queue(bench, "s@slow.org")
    server = Slow()
    sending = Sending(bench.works, server)
    assert sending.step(0.0)
    for number in range(8):
        bench.clock.forward(seconds=20)
        queue(bench, f"q@quick{number}.org")
        assert sending.step(0.0)
        others = bench.works.post.claim_out(bench.clock.now(), 50, bench.clock.now())
        assert "s@slow.org" not in {out.to for out in others}
    server.let_go.set()
