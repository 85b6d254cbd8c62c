"""The reader of a session: what a client has sent and nobody has read yet, up to its end."""

import asyncio
from collections.abc import Callable

END = b"\r\n.\r\n"
MANY = 64 * 1024
"""A client that sends this much ahead has to wait; what the kernel holds for it comes on top."""


class Gone(Exception):
    """The client will send no more."""


class SmtpReader:
    """The octets of one connection, in their order.

    It is read in whole commands and whole messages only: a message that came in one packet costs
    one search and one copy, however many lines it has.
    """

    def __init__(self, loop: asyncio.AbstractEventLoop) -> None:
        self._loop = loop
        self._octets = bytearray()
        self._ended = False
        self._waiter: asyncio.Future[None] | None = None
        self._wire: asyncio.Transport | None = None
        self._held_back = False
        self._in_message = False

    def flows_from(self, wire: asyncio.Transport) -> None:
        """Name the connection, so that it can be held back."""
        self._wire = wire

    def feed(self, octets: bytes) -> None:
        """Add what came in."""
        self._octets += octets
        self._wake()
        if len(self._octets) > MANY and not self._in_message and self._wire is not None:
            self._held_back = True
            self._wire.pause_reading()

    def end(self) -> None:
        """Note that no more will come."""
        self._ended = True
        self._wake()

    def drop(self) -> None:
        """Forget what was not read: it came before encryption began (RFC 3207, 4.2)."""
        self._octets.clear()

    async def line(self, most: int) -> bytes | None:
        """Return the next line with its end, or None for one longer than `most`, which is dropped.

        Raises: Gone when there is none any more.
        """
        start, too_long = 0, False
        while (end := self._octets.find(b"\n", start)) < 0:
            start = len(self._octets)
            if start > most:
                too_long, start = True, 0
                self._octets.clear()
            await self._more()
        line = bytes(self._octets[: end + 1])
        del self._octets[: end + 1]
        return None if too_long or len(line) > most else line

    async def message(self, may_keep: Callable[[int], bool]) -> bytes | None:
        """Return a message up to CRLF.CRLF, and no other end (RFC 5321, 4.1.1.4), dots unstuffed.

        `may_keep` is asked whether so many octets may be kept; once it says no, the rest is read to
        its end without being kept, so that the client hears why, and the answer is None.

        Raises: Gone when the client stops before the end.
        """
        # The end of the DATA command is the first half of the end of an empty message.
        self._octets[0:0] = b"\r\n"
        self._in_message, kept, start = True, True, 0
        try:
            while (end := self._octets.find(END, start)) < 0:
                # What is there may hold all of the end but its last octet.
                kept = kept and may_keep(len(self._octets) + 1 - len(END))
                if not kept:
                    del self._octets[: 1 - len(END)]
                start = max(len(self._octets) + 1 - len(END), 0)
                await self._more()
            whole = self._octets[: end + 2]
            del self._octets[: end + len(END)]
        finally:
            self._in_message = False
        if not kept or not may_keep(len(whole)):
            return None
        return bytes(whole.replace(b"\r\n.", b"\r\n")[2:])

    async def _more(self) -> None:
        if self._ended:
            raise Gone
        if self._held_back and self._wire is not None:
            self._held_back = False
            self._wire.resume_reading()
        self._waiter = self._loop.create_future()
        try:
            await self._waiter
        finally:
            self._waiter = None

    def _wake(self) -> None:
        if self._waiter is not None and not self._waiter.done():
            self._waiter.set_result(None)
