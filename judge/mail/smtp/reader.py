"""Input buffer of an SMTP session, read in commands and messages."""

import asyncio
from collections.abc import Callable

END = b"\r\n.\r\n"
BUFFER_LIMIT = 64 * 1024
"""Bytes that a client may send ahead, besides those the kernel buffers."""


class ClientDisconnected(Exception):
    """Raised when the client has closed its side."""


class SmtpReader:
    """Received octets of one connection, in their order.

    They are read in whole commands and whole messages only. A message that came in one packet costs
    one search and one copy, regardless of its number of lines.
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
        """Set the transport, which is paused while the buffer is full."""
        self._wire = wire

    def feed(self, octets: bytes) -> None:
        """Add received octets."""
        self._octets += octets
        self._wake()
        if len(self._octets) > BUFFER_LIMIT and not self._in_message and self._wire is not None:
            self._held_back = True
            self._wire.pause_reading()

    def end(self) -> None:
        """Record that the client has closed its side."""
        self._ended = True
        self._wake()

    def drop(self) -> None:
        """Discard unread octets from before encryption (RFC 3207, 4.2)."""
        self._octets.clear()

    async def line(self, most: int) -> bytes | None:
        """Return the next line with its end, or None for one longer than *most*.

        A line that is too long is discarded.

        Raises:
            Gone: the client has closed its side, and no line is left.
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
        """Return a message up to CRLF.CRLF, with dots unstuffed.

        Nothing else ends it (RFC 5321, 4.1.1.4). *may_keep* returns whether a number of bytes may
        be kept. Once it returns False, the rest is read to its end and discarded, so that the
        client gets the reply, and None is returned.

        Raises:
            Gone: the client stopped before the end.
        """
        # The end of the DATA command is the first half of the end of an empty message.
        self._octets[0:0] = b"\r\n"
        self._in_message, kept, start = True, True, 0
        try:
            while (end := self._octets.find(END, start)) < 0:
                # The buffer may contain all of the end but its last octet.
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
            raise ClientDisconnected
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
