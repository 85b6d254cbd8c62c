"""Commands and messages read from octets, without a network."""

import asyncio

import pytest
from hypothesis import given
from hypothesis import strategies as st

from judge.mail.smtp.reader import BUFFER_LIMIT, ClientDisconnected, SmtpReader


class Wire(asyncio.Transport):
    """A transport that can be paused."""

    def __init__(self) -> None:
        super().__init__()
        self.flows = True

    def pause_reading(self) -> None:
        """Stop reading, so that the client has to wait."""
        self.flows = False

    def resume_reading(self) -> None:
        """Continue to read."""
        self.flows = True


def test_a_client_with_many_unanswered_commands_is_paused() -> None:
    async def read() -> None:
        flow, wire = SmtpReader(asyncio.get_running_loop()), Wire()
        flow.flows_from(wire)
        flow.feed(b"NOOP\r\n" * 10)
        assert wire.flows
        flow.feed(b"NOOP\r\n" * (BUFFER_LIMIT // 6))
        assert not wire.flows
        for _ in range(10 + BUFFER_LIMIT // 6):
            assert await flow.line(100) == b"NOOP\r\n"
        more = asyncio.ensure_future(flow.line(100))
        await asyncio.sleep(0)
        assert wire.flows, "what came is read: the next may come"
        flow.feed(b"QUIT\r\n")
        assert await more == b"QUIT\r\n"

    asyncio.run(read())


def test_a_long_message_is_not_paused_while_it_is_read() -> None:
    async def read() -> None:
        flow, wire = SmtpReader(asyncio.get_running_loop()), Wire()
        flow.flows_from(wire)
        reading = asyncio.ensure_future(flow.message(lambda many: True))
        await asyncio.sleep(0)
        flow.feed(b"x" * 2 * BUFFER_LIMIT)
        assert wire.flows
        flow.feed(b"\r\n.\r\n")
        assert await reading == b"x" * 2 * BUFFER_LIMIT + b"\r\n"

    asyncio.run(read())


PIECES = st.sampled_from([b"\r\n.\r\n", b"\r\n..", b".", b"\r", b"\n", b"\r\n", b"x", b"\x00"])


@given(st.lists(PIECES, max_size=30).map(b"".join), st.integers(1, 7), st.integers(0, 40))
def test_a_message_does_not_depend_on_its_packets(octets: bytes, step: int, most: int) -> None:
    """Reference rule: up to the first CRLF.CRLF, including the line end before it.

    Doubled dots are reduced.
    """
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
            with pytest.raises(ClientDisconnected):
                await flow.message(lambda many: many <= most)
        else:
            found = await flow.message(lambda many: many <= most)
            assert found == (expected if end + 2 <= most else None)
        await feeding
        if end >= 0:
            read = b""
            with pytest.raises(ClientDisconnected):
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


@pytest.mark.parametrize("octets, most, read", [
    (b"NOOP\r\n", 6, b"NOOP\r\n"), (b"NOOP\r\n", 5, None), (b"\n", 1, b"\n"),
    (b"\n", 0, None),
])
def test_the_maximum_line_length_includes_its_end(
    octets: bytes, most: int, read: bytes | None
) -> None:
    async def line() -> bytes | None:
        flow = SmtpReader(asyncio.get_running_loop())
        flow.feed(octets)
        return await flow.line(most)

    assert asyncio.run(line()) == read


@pytest.mark.parametrize("octets, flows", [(BUFFER_LIMIT, True), (BUFFER_LIMIT + 1, False)])
def test_data_sent_ahead_is_limited_exactly(octets: int, flows: bool) -> None:
    async def read() -> bool:
        flow, wire = SmtpReader(asyncio.get_running_loop()), Wire()
        flow.flows_from(wire)
        flow.feed(b"x" * octets)
        return wire.flows

    assert asyncio.run(read()) is flows
