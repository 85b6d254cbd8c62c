"""Who is let in: the counts of the door, without a network. And what is read of a connection."""

import asyncio
from collections.abc import Callable
from typing import cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.smtp.limits import (
    TOO_LONG,
    TOO_SILENT,
    TOO_SLOW,
    Hold,
    Limits,
    SmtpServer,
    Watch,
)
from judge.mail.smtp.reader import MANY, Gone, SmtpReader
from judge.model.incoming import Arrival

LIMITS = Limits(
    connections=4, reserved=2, peer_connections=2, size=10, held=25, held_reserved=5, peer_held=12
)


class Visitor:
    """A session that only says where it comes from."""

    def __init__(self, host: str) -> None:
        self.host = host

    def dismiss(self, reply: str) -> None:
        """Go."""

    def abort(self, reply: str) -> None:
        """Go now."""


def smtp_server() -> SmtpServer:
    async def accept(arrival: Arrival) -> int:
        return 1

    return SmtpServer(accept, lambda address: True, "judge.example.org", LIMITS)


def test_one_peer_may_not_take_all_the_room() -> None:
    at = smtp_server()
    first = Visitor("192.0.2.1")
    assert [at.enter(one) for one in (first, Visitor("192.0.2.1"))] == [True, True]
    assert not at.enter(Visitor("192.0.2.1"))
    assert at.enter(Visitor("192.0.2.2"))
    at.leave(first)
    assert at.enter(Visitor("192.0.2.1"))


def test_this_machine_is_no_peer_and_has_room_of_its_own() -> None:
    at = smtp_server()
    assert all(at.enter(Visitor(f"192.0.2.{number}")) for number in range(4))
    assert not at.enter(Visitor("192.0.2.9"))
    assert [at.enter(Visitor("")) for _ in range(3)] == [True, True, False]


def test_who_was_not_let_in_is_not_counted_out() -> None:
    at = smtp_server()
    inside = [Visitor("192.0.2.1"), Visitor("192.0.2.1")]
    outside = Visitor("192.0.2.1")
    assert [at.enter(one) for one in (*inside, outside)] == [True, True, False]
    at.leave(outside)
    assert not at.enter(Visitor("192.0.2.1"))


def test_all_messages_together_are_held_in_bounds() -> None:
    at = smtp_server()
    first, second, third = (Hold(at, "") for _ in range(3))
    assert first.may_keep(4) and first.may_keep(12) and at.held == 12
    assert not first.may_keep(13) and first.refusal.startswith("552 5.3.4")
    assert second.may_keep(12)
    assert not third.may_keep(2) and third.refusal.startswith("452 4.3.1")
    first.release()
    assert Hold(at, "").may_keep(2)
    second.release()
    assert at.held == 2


def test_one_peer_holds_its_share_and_all_of_them_leave_room_for_this_machine() -> None:
    at = smtp_server()
    full, more, other, third = (Hold(at, f"192.0.2.{n}") for n in (1, 1, 2, 3))
    assert full.may_keep(10) and not more.may_keep(3) and more.refusal.startswith("452 4.3.1")
    assert other.may_keep(8) and not third.may_keep(3)
    assert Hold(at, "").may_keep(7)
    full.release()
    assert Hold(at, "192.0.2.1").may_keep(3)
    for hold in (more, other, third):
        hold.release()
    assert "192.0.2.2" not in at.held_by and "192.0.2.3" not in at.held_by


def test_what_this_machine_holds_leaves_others_no_more_than_the_rest() -> None:
    at = smtp_server()
    own, other = Hold(at, ""), Hold(at, "192.0.2.1")
    assert own.may_keep(12) and Hold(at, "").may_keep(9)
    assert other.may_keep(4) and not other.may_keep(5) and other.refusal.startswith("452 4.3.1")
    assert at.held == 25
    own.release()
    assert Hold(at, "192.0.2.2").may_keep(5)


class Wire(asyncio.Transport):
    """A connection that can be held back."""

    def __init__(self) -> None:
        super().__init__()
        self.flows = True

    def pause_reading(self) -> None:
        """Read no more: the client has to wait."""
        self.flows = False

    def resume_reading(self) -> None:
        """Read on."""
        self.flows = True


def test_who_sends_far_more_commands_than_were_answered_has_to_wait() -> None:
    async def read() -> None:
        flow, wire = SmtpReader(asyncio.get_running_loop()), Wire()
        flow.flows_from(wire)
        flow.feed(b"NOOP\r\n" * 10)
        assert wire.flows
        flow.feed(b"NOOP\r\n" * (MANY // 6))
        assert not wire.flows
        for _ in range(10 + MANY // 6):
            assert await flow.line(100) == b"NOOP\r\n"
        more = asyncio.ensure_future(flow.line(100))
        await asyncio.sleep(0)
        assert wire.flows, "what came is read: the next may come"
        flow.feed(b"QUIT\r\n")
        assert await more == b"QUIT\r\n"

    asyncio.run(read())


def test_a_long_message_is_not_held_back_while_it_is_read() -> None:
    async def read() -> None:
        flow, wire = SmtpReader(asyncio.get_running_loop()), Wire()
        flow.flows_from(wire)
        reading = asyncio.ensure_future(flow.message(lambda many: True))
        await asyncio.sleep(0)
        flow.feed(b"x" * 2 * MANY)
        assert wire.flows
        flow.feed(b"\r\n.\r\n")
        assert await reading == b"x" * 2 * MANY + b"\r\n"

    asyncio.run(read())


PIECES = st.sampled_from([b"\r\n.\r\n", b"\r\n..", b".", b"\r", b"\n", b"\r\n", b"x", b"\x00"])


@given(st.lists(PIECES, max_size=30).map(b"".join), st.integers(1, 7), st.integers(0, 40))
def test_a_message_is_the_same_however_it_is_cut_into_packets(
    octets: bytes, step: int, most: int
) -> None:
    """The plain rule: up to the first CRLF.CRLF, the line end before it counted; dots doubled."""
    whole = b"\r\n" + octets
    end = whole.find(b"\r\n.\r\n")
    expected = whole[: end + 2].replace(b"\r\n.", b"\r\n")[2:] if end >= 0 else b""
    rest = whole[end + 5 :]

    async def read() -> None:
        flow = SmtpReader(asyncio.get_running_loop())

        async def feed() -> None:
            for start in range(0, len(octets), step):
                flow.feed(octets[start : start + step])
                await asyncio.sleep(0)
            flow.end()

        feeding = asyncio.ensure_future(feed())
        if end < 0:
            with pytest.raises(Gone):
                await flow.message(lambda many: many <= most)
        else:
            found = await flow.message(lambda many: many <= most)
            assert found == (expected if end + 2 <= most else None)
        await feeding
        if end >= 0:
            read = b""
            with pytest.raises(Gone):
                while True:
                    line = await flow.line(1000)
                    assert line is not None and line.endswith(b"\n")
                    read += line
            assert rest.startswith(read) and b"\n" not in rest[len(read) :]

    asyncio.run(read())


def test_a_line_too_long_is_dropped_and_the_next_one_read() -> None:
    async def read() -> list[bytes | None]:
        flow = SmtpReader(asyncio.get_running_loop())
        flow.feed(b"x" * 30)
        reading = asyncio.ensure_future(flow.line(20))
        await asyncio.sleep(0)
        flow.feed(b"y" * 30)
        await asyncio.sleep(0)
        flow.feed(b"z\r\nNOOP\r\n")
        return [await reading, await flow.line(20)]

    assert asyncio.run(read()) == [None, b"NOOP\r\n"]


class Hands:
    """A loop whose clock is set by hand, with the one timer that was begun last."""

    def __init__(self) -> None:
        self.at, self.rings, self.look = 1000.0, 0.0, lambda: None
        self.cancelled = 0

    def time(self) -> float:
        """Return what the clock says."""
        return self.at

    def call_at(self, at: float, look: Callable[[], None]) -> "Hands":
        """Begin the timer."""
        self.rings, self.look = at, look
        return self

    def cancel(self) -> None:
        """Count that the timer was ended."""
        self.cancelled += 1

    def ring(self, at: float) -> None:
        """Have the timer end at an instant, counted from the first."""
        self.at = 1000.0 + at
        self.look()


def watched(**limits: float) -> tuple[Hands, Watch, list[str]]:
    """Return the watch of a session that begins now, and what it says when it ends it."""
    hands, said = Hands(), list[str]()
    bounds = Limits(**{"idle": 300.0, "message": 900.0, "session": 1800.0, **limits})
    return hands, Watch(cast(asyncio.AbstractEventLoop, hands), bounds, said.append), said


@pytest.mark.parametrize("limits, began, at, reply", [
    ({}, None, 299.5, ""), ({}, None, 300.0, TOO_SILENT),
    ({"idle": 9999.0}, None, 1799.5, ""), ({"idle": 9999.0}, None, 1800.0, TOO_LONG),
    ({"idle": 9999.0}, 50.0, 949.5, ""), ({"idle": 9999.0}, 50.0, 950.0, TOO_SLOW),
    ({"idle": 9999.0}, None, 950.0, ""), ({}, None, 1800.0, TOO_LONG), ({}, 0.0, 900.0, TOO_SLOW),
])
def test_a_session_ends_when_its_time_is_over_and_no_instant_before(
    limits: dict[str, float], began: float | None, at: float, reply: str
) -> None:
    hands, watch, said = watched(**limits)
    watch.look_later()
    if began is not None:
        hands.at += began
        watch.message_begins()
    hands.ring(at)
    assert said == ([reply] if reply else [])
    assert (hands.rings > hands.at) == (not reply), "it is looked at again, unless it has ended"


def test_a_watch_looks_when_the_first_of_the_limits_may_be_passed() -> None:
    hands, watch, said = watched()
    watch.look_later()
    assert hands.rings == 1300.0
    hands.at = 1200.0
    watch.heard()
    hands.ring(300.0)
    assert hands.rings == 1500.0 and not said
    for limits, rings in (({"session": 200.0}, 1200.0), ({"message": 100.0}, 1100.0),
                          ({"idle": 0.0}, 1000.01)):
        hands, watch, _ = watched(**limits)
        assert watch.look_later() is hands and hands.rings == pytest.approx(rings)


def test_while_we_are_busy_no_time_of_a_message_counts_and_silence_begins_anew() -> None:
    hands, watch, said = watched()
    watch.look_later()
    watch.message_begins()
    watch.message_is_here()
    hands.ring(1700.0)
    assert not said, "we are busy, however long"
    assert hands.rings == 2800.0, "and it is not looked all the time"
    hands.at = 2710.0
    watch.message_is_done()
    hands.ring(1750.0)
    assert not said, "the message is done, and the client was silent for a moment"
    hands.ring(1800.0)
    assert said == [TOO_LONG]


def test_a_watch_that_is_stopped_has_no_timer() -> None:
    hands, watch, _ = watched()
    watch.stop()
    assert not hands.cancelled, "there was none"
    watch.look_later()
    watch.stop()
    assert hands.cancelled == 1


@pytest.mark.parametrize("octets, most, read", [
    (b"NOOP\r\n", 6, b"NOOP\r\n"), (b"NOOP\r\n", 5, None), (b"\n", 1, b"\n"),
    (b"\n", 0, None),
])
def test_a_line_may_be_as_long_as_it_may_be_with_its_end(
    octets: bytes, most: int, read: bytes | None
) -> None:
    async def line() -> bytes | None:
        flow = SmtpReader(asyncio.get_running_loop())
        flow.feed(octets)
        return await flow.line(most)

    assert asyncio.run(line()) == read


@pytest.mark.parametrize("octets, flows", [(MANY, True), (MANY + 1, False)])
def test_so_much_may_be_sent_ahead_and_no_octet_more(octets: int, flows: bool) -> None:
    async def read() -> bool:
        flow, wire = SmtpReader(asyncio.get_running_loop()), Wire()
        flow.flows_from(wire)
        flow.feed(b"x" * octets)
        return wire.flows

    assert asyncio.run(read()) is flows
