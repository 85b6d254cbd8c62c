"""Who is let in: the counts of the door, without a network. And what is read of a connection."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.smtp.limits import Hold, Limits, SmtpServer
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
